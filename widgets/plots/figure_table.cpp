#include "widgets/plots/figure_table.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>

#include "widgets/style/theme.h"

namespace trainyard {
namespace {

QIcon swatch(const QColor& color) {
    QPixmap pixmap(20, 20);
    pixmap.setDevicePixelRatio(2);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawRoundedRect(QRectF(0.5, 0.5, 9, 9), 2, 2);
    QIcon result(pixmap);
    result.addPixmap(pixmap, QIcon::Selected);  // not tinted by the selection
    return result;
}

}  // namespace

FigureTable::FigureTable(QWidget* parent) : QTableWidget(parent) {
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setShowGrid(false);
    setFrameShape(QFrame::NoFrame);
    setMouseTracking(true);
    setIconSize(QSize(10, 10));
    setWordWrap(false);
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(26);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setStretchLastSection(false);
    horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    horizontalHeader()->setMinimumSectionSize(36);
    connect(this, &QTableWidget::currentCellChanged, this, [this](int row) {
        if (!isFilling_) emit rowChosen(row);
    });
}

void FigureTable::setFigures(const std::vector<Column>& columns, const std::vector<std::vector<Cell>>& rows) {
    isFilling_ = true;
    const int chosen = currentRow();
    const int scrolled = verticalScrollBar()->value();
    setColumnCount(static_cast<int>(columns.size()));
    setRowCount(static_cast<int>(rows.size()));
    for (std::size_t column = 0; column < columns.size(); ++column) {
        auto* header = new QTableWidgetItem(columns[column].title);  // the table owns its items
        header->setToolTip(columns[column].tip);
        header->setFont(type::font(type::kCaption, QFont::DemiBold));
        header->setTextAlignment(Qt::AlignVCenter | (columns[column].isText ? Qt::AlignLeft : Qt::AlignRight));
        setHorizontalHeaderItem(static_cast<int>(column), header);
        for (std::size_t row = 0; row < rows.size(); ++row) {
            const Cell& cell = rows[row][column];
            auto* item = new QTableWidgetItem(cell.text);
            item->setToolTip(cell.tip);
            item->setFont(type::font(type::kSecondary, cell.isStrong ? QFont::DemiBold : QFont::Normal));
            item->setTextAlignment(Qt::AlignVCenter | (columns[column].isText ? Qt::AlignLeft : Qt::AlignRight));
            if (cell.color.isValid()) item->setForeground(cell.color);
            if (cell.mark.isValid()) item->setIcon(swatch(cell.mark));
            setItem(static_cast<int>(row), static_cast<int>(column), item);
        }
    }
    if (chosen >= 0 && chosen < rowCount()) setCurrentCell(chosen, 0);
    verticalScrollBar()->setValue(scrolled);
    isFilling_ = false;
}

void FigureTable::selectFigureRow(int row) {
    isFilling_ = true;
    if (row < 0 || row >= rowCount()) {
        clearSelection();
        setCurrentItem(nullptr);
    } else if (currentRow() != row) {
        setCurrentCell(row, 0);
    }
    isFilling_ = false;
}

void FigureTable::copy() const {
    QStringList lines;
    QStringList heading;
    for (int column = 0; column < columnCount(); ++column) heading << horizontalHeaderItem(column)->text();
    lines << heading.join(QLatin1Char('\t'));
    for (int row = 0; row < rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < columnCount(); ++column) cells << item(row, column)->text();
        lines << cells.join(QLatin1Char('\t'));
    }
    QApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

void FigureTable::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) {
        copy();
        return;
    }
    QTableWidget::keyPressEvent(event);
}

bool FigureTable::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::MouseMove || event->type() == QEvent::Leave) {
        const int row = event->type() == QEvent::Leave ? -1 : rowAt(static_cast<QMouseEvent*>(event)->pos().y());
        if (row != hoveredRow_) {
            hoveredRow_ = row;
            emit rowHovered(row);
        }
    }
    return QTableWidget::viewportEvent(event);
}

}  // namespace trainyard
