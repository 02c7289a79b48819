#include "widgets/plots/accuracy_table.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "widgets/style/theme.h"

namespace trainyard {
namespace {

constexpr double kHeading = 26;
constexpr double kRow = 26;
constexpr double kFigure = 58;   ///< width of a column of figures
constexpr double kBar = 74;
constexpr double kBarScale = 0.5;  ///< error that fills the bar

QString percent(double share, bool isSigned = false) {
    const QString number = QString::number(100 * share, 'f', 1);
    return (isSigned && share > 0 ? QStringLiteral("+") : QString()) + number + QStringLiteral(" %");
}

QColor errorColor(double share) {
    const Theme& theme = Theme::current();
    return share < 0.1 ? theme.fits : share < 0.2 ? theme.tight : theme.outOfMemory;
}

/// The title up to what only says where and by whom it was published.
QString shortTitle(const SourceAccuracy& source) {
    QString title = QString::fromStdString(source.title.empty() ? source.name : source.title);
    if (const auto bracket = title.indexOf(QStringLiteral(" (")); bracket > 0) title.truncate(bracket);
    return title;
}

}  // namespace

AccuracyTable::AccuracyTable(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Sources and their errors"));
}

double AccuracyTable::meanOf(int source) const {
    const SourceAccuracy& s = report_->sources[static_cast<std::size_t>(source)];
    return figure_ == AccuracyFigure::time ? s.time->meanAbsolute : s.memory->meanAbsolute;
}

void AccuracyTable::setReport(const AccuracyReport* report, AccuracyFigure figure) {
    report_ = report;
    figure_ = figure;
    rows_.clear();
    QStringList said;
    for (std::size_t i = 0; i < report->sources.size(); ++i) {
        const SourceAccuracy& source = report->sources[i];
        if (figure == AccuracyFigure::time ? !source.time : !source.memory) continue;
        rows_.push_back(static_cast<int>(i));
        said << shortTitle(source) + QLatin1Char(' ') + percent(meanOf(static_cast<int>(i)));
    }
    setAccessibleDescription(said.join(QStringLiteral("; ")));
    updateGeometry();
    update();
}

void AccuracyTable::setSelected(std::optional<int> source) {
    selected_ = source;
    update();
}
void AccuracyTable::setHovered(std::optional<int> source) {
    if (hovered_ == source) return;
    hovered_ = source;
    update();
}

QSize AccuracyTable::sizeHint() const { return {520, static_cast<int>(kHeading + kRow * static_cast<double>(rows_.size())) + 4}; }

std::optional<int> AccuracyTable::sourceAt(QPointF place) const {
    const int row = static_cast<int>(std::floor((place.y() - kHeading) / kRow));
    if (place.y() < kHeading || row >= static_cast<int>(rows_.size())) return std::nullopt;
    return rows_[static_cast<std::size_t>(row)];
}

double AccuracyTable::paintTable(QPainter& painter, const QRectF& area) const {
    if (report_ == nullptr) return 0;
    const Theme& theme = Theme::current();
    const bool isTime = figure_ == AccuracyFigure::time;
    const auto count = static_cast<int>(report_->sources.size());
    painter.setRenderHint(QPainter::Antialiasing);
    // Columns from the right: what there is no room for goes first from the left of the figures.
    struct Column {
        QString title;
        double width;
    };
    const Column columns[] = {{tr("runs"), 46}, {tr("mean error"), kBar + kFigure}, {isTime ? tr("9 of 10 below") : tr("worst under"), 82}, {tr("bias"), kFigure}};
    const bool isNarrow = area.width() < 430;
    const int first = isNarrow ? 1 : 0, last = isNarrow ? 1 : 3;
    double figures = 0;
    for (int c = first; c <= last; ++c) figures += columns[c].width;
    const double nameWidth = area.width() - figures - space::kPanelPadding - 30;
    const QFont headingFont = type::font(type::kCaption);
    painter.setFont(headingFont);
    painter.setPen(theme.secondaryText);
    double x = area.right() - space::kPanelPadding - figures;
    painter.drawText(QRectF(area.left() + 30, area.top(), nameWidth, kHeading), Qt::AlignVCenter | Qt::AlignLeft, tr("source"));
    for (int c = first; c <= last; ++c) {
        painter.drawText(QRectF(x, area.top(), columns[c].width, kHeading), Qt::AlignVCenter | Qt::AlignRight, columns[c].title);
        x += columns[c].width;
    }
    painter.fillRect(QRectF(area.left() + space::kPanelPadding, area.top() + kHeading - 1, area.width() - 2 * space::kPanelPadding, 1), theme.hairline);
    double top = area.top() + kHeading;
    for (const int s : rows_) {
        if (top + kRow > area.bottom() + 1) break;
        const SourceAccuracy& source = report_->sources[static_cast<std::size_t>(s)];
        const QRectF row(area.left(), top, area.width(), kRow);
        if (selected_ == s || hovered_ == s) {
            QColor tint = theme.accent;
            tint.setAlphaF(selected_ == s ? 0.16F : 0.07F);
            painter.setPen(Qt::NoPen);
            painter.setBrush(tint);
            painter.drawRoundedRect(row.adjusted(4, 1, -4, -1), space::kMarkRadius, space::kMarkRadius);
        }
        AccuracyPlot::paintMark(painter, {row.left() + 19, row.center().y()}, s, count, 8);
        const QFont nameFont = type::font(type::kSecondary, selected_ == s ? QFont::DemiBold : QFont::Normal);
        painter.setFont(nameFont);
        painter.setPen(theme.text);
        painter.drawText(QRectF(row.left() + 30, row.top(), nameWidth - 8, kRow), Qt::AlignVCenter | Qt::AlignLeft,
                         QFontMetricsF(nameFont).elidedText(shortTitle(source), Qt::ElideRight, nameWidth - 8));
        x = area.right() - space::kPanelPadding - figures;
        const auto figure = [&](double width, const QString& words, const QColor& color, bool isStrong) {
            painter.setFont(type::font(type::kSecondary, isStrong ? QFont::DemiBold : QFont::Normal));
            painter.setPen(color);
            painter.drawText(QRectF(x, row.top(), width, kRow), Qt::AlignVCenter | Qt::AlignRight, words);
            x += width;
        };
        if (!isNarrow) figure(columns[0].width, QString::number(isTime ? source.time->count : source.memory->count), theme.secondaryText, false);
        const double mean = meanOf(s);
        const QRectF track(x + 14, row.center().y() - 3, kBar - 14, 6);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.kind == ThemeKind::dark ? theme.raised : theme.window);
        painter.drawRoundedRect(track, 3, 3);
        painter.setBrush(theme.fill(errorColor(mean)));
        painter.drawRoundedRect(QRectF(track.left(), track.top(), std::max(3.0, std::min(1.0, mean / kBarScale) * track.width()), track.height()), 3, 3);
        x += kBar;
        figure(kFigure, percent(mean), theme.text, true);
        if (!isNarrow) {
            const double extreme = isTime ? source.time->ninetieth : source.memory->worstUnder;
            figure(columns[2].width, !isTime && extreme >= 0 ? tr("none") : percent(extreme), theme.text, false);
            figure(columns[3].width, percent(isTime ? source.time->bias : source.memory->bias, true), theme.secondaryText, false);
        }
        top += kRow;
    }
    return top - area.top();
}

void AccuracyTable::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), Theme::current().panel);
    paintTable(painter, rect());
    if (hasFocus() && !selected_) {
        painter.setPen(QPen(Theme::current().hairline, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(2.5, 1.5, -2.5, -1.5), space::kControlRadius, space::kControlRadius);
    }
}

void AccuracyTable::mouseMoveEvent(QMouseEvent* event) {
    const auto source = sourceAt(event->position());
    if (source == hovered_) return;
    setHovered(source);
    emit sourceHovered(source);
}

void AccuracyTable::mousePressEvent(QMouseEvent* event) {
    if (const auto source = sourceAt(event->position())) emit sourceClicked(*source);
}

void AccuracyTable::leaveEvent(QEvent*) {
    setHovered(std::nullopt);
    emit sourceHovered(std::nullopt);
}

void AccuracyTable::keyPressEvent(QKeyEvent* event) {
    const int direction = event->key() == Qt::Key_Down ? 1 : (event->key() == Qt::Key_Up ? -1 : 0);
    if (event->key() == Qt::Key_Escape && selected_) {
        emit sourceClicked(*selected_);
        return;
    }
    if (direction == 0 || rows_.empty()) {
        QWidget::keyPressEvent(event);
        return;
    }
    const auto found = selected_ ? std::find(rows_.begin(), rows_.end(), *selected_) : rows_.end();
    const int next = found == rows_.end() ? 0 : std::clamp(static_cast<int>(found - rows_.begin()) + direction, 0, static_cast<int>(rows_.size()) - 1);
    if (selected_ != rows_[static_cast<std::size_t>(next)]) emit sourceClicked(rows_[static_cast<std::size_t>(next)]);
}

bool AccuracyTable::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip || report_ == nullptr) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto source = sourceAt(help->pos());
    if (!source) {
        QToolTip::hideText();
        return true;
    }
    const SourceAccuracy& s = report_->sources[static_cast<std::size_t>(*source)];
    QString tip = QString::fromStdString(s.title) + QLatin1Char('\n') + QString::fromStdString(s.origin) + QStringLiteral(" · ") + QString::fromStdString(s.licence);
    if (s.runs.empty()) tip += QLatin1Char('\n') + tr("Its licence does not let the single runs be passed on; the figures are of all of them.");
    QToolTip::showText(help->globalPos(), tip, this);
    return true;
}

}  // namespace trainyard
