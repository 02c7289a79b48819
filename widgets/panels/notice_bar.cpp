#include "widgets/panels/notice_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/style/icons.h"
#include "widgets/style/theme.h"

namespace trainyard {
namespace {

class NoticeLine : public QWidget {
  public:
    NoticeLine(NoticeBar::Kind kind, const QString& message, QWidget* parent) : QWidget(parent), kind_(kind) {
        auto* layout = new QHBoxLayout(this);
        layout->setContentsMargins(40, 6, 10, 7);
        layout->setSpacing(8);
        text = new QLabel(message, this);
        text->setWordWrap(true);
        text->setTextFormat(Qt::PlainText);
        text->setTextInteractionFlags(Qt::TextSelectableByMouse);
        layout->addWidget(text, 1);
        setAccessibleName(message);
    }
    QLabel* text;

  protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& theme = Theme::current();
        const QColor mark = kind_ == NoticeBar::Kind::problem ? theme.outOfMemory : theme.accent;
        QPainter painter(this);
        painter.fillRect(rect(), theme.raised);
        QColor tint = mark;
        tint.setAlphaF(0.08F);
        painter.fillRect(rect(), tint);
        painter.fillRect(QRect(0, 0, 3, height()), mark);
        painter.fillRect(QRect(0, height() - 1, width(), 1), theme.hairline);
        paintIcon(painter, kind_ == NoticeBar::Kind::problem ? QStringLiteral("circle-alert") : QStringLiteral("info"),
                  QRect(15, (height() - 16) / 2, 16, 16), mark);
    }

  private:
    NoticeBar::Kind kind_;
};

}  // namespace

NoticeBar::NoticeBar(QWidget* parent) : QWidget(parent), layout_(new QVBoxLayout(this)) {
    layout_->setContentsMargins(0, 0, 0, 0);
    layout_->setSpacing(0);
    hide();
}

void NoticeBar::show(Kind kind, const QString& message, const std::vector<Offer>& offers, int lifetimeMs) {
    auto* line = new NoticeLine(kind, message, this);
    const auto dismiss = [this, line] {
        line->hide();
        layout_->removeWidget(line);
        line->deleteLater();
        setVisible(layout_->count() > 0);
    };
    for (const Offer& offer : offers) {
        auto* button = new QPushButton(offer.text, line);
        connect(button, &QPushButton::clicked, line, [dismiss, accept = offer.accept] {
            dismiss();
            if (accept) accept();
        });
        line->layout()->addWidget(button);
    }
    auto* close = new QToolButton(line);
    close->setIcon(icon(QStringLiteral("x")));
    close->setProperty("quiet", true);
    close->setAutoRaise(true);
    close->setAccessibleName(tr("Dismiss"));
    connect(close, &QToolButton::clicked, line, dismiss);
    line->layout()->addWidget(close);
    if (lifetimeMs > 0) QTimer::singleShot(lifetimeMs, line, dismiss);
    layout_->insertWidget(0, line);
    while (layout_->count() > kShown) {
        QLayoutItem* oldest = layout_->takeAt(layout_->count() - 1);
        oldest->widget()->hide();
        oldest->widget()->deleteLater();
        delete oldest;
    }
    setVisible(true);
}

void NoticeBar::clear() {
    while (QLayoutItem* item = layout_->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    setVisible(false);
}

int NoticeBar::count() const { return layout_->count(); }
QString NoticeBar::message(int index) const { return layout_->itemAt(index)->widget()->accessibleName(); }

}  // namespace trainyard
