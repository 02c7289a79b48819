#include "widgets/plots/what_if_list.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "core/base/format_quantity.h"
#include "widgets/style/byte_units.h"
#include "widgets/style/theme.h"

namespace trainyard {
namespace {

constexpr QChar kMinus(0x2212);
constexpr int kRowHeight = 26;
constexpr double kSameTimeShare = 0.005;

QString signedSize(double saved) {
    const QString size = QString::fromStdString(shownBytes(std::abs(saved)).joined());
    return (saved >= 0 ? QString(kMinus) : QStringLiteral("+")) + size;
}

}  // namespace

WhatIfRow::WhatIfRow(QWidget* parent) : QAbstractButton(parent) {
    setFocusPolicy(Qt::TabFocus);
    setCursor(Qt::PointingHandCursor);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize WhatIfRow::sizeHint() const { return {200, kRowHeight}; }

void WhatIfRow::setChange(const WhatIf& change) {
    setText(QString::fromStdString(change.label));
    saved_ = signedSize(change.savedBytes);
    const double extra = change.timeRatio - 1;
    costsTime_ = extra > kSameTimeShare;
    cost_ = std::abs(extra) <= kSameTimeShare ? tr("same time")
                                              : (extra > 0 ? QStringLiteral("+") : QString(kMinus)) +
                                                    QString::fromStdString(percentText(std::abs(extra)).joined()) + tr(" time");
    verdict_ = change.verdict;
    const QString verdict = change.verdict == MemoryVerdict::fits    ? tr("then it fits")
                            : change.verdict == MemoryVerdict::tight ? tr("then it is tight")
                                                                     : tr("still out of memory");
    setAccessibleName(tr("%1: %2, %3, %4").arg(text(), saved_, cost_, verdict));
    setToolTip(tr("%1 on the fullest stage, step %2; %3. Press to change the plan (one undo step).").arg(saved_, cost_, verdict));
    update();
}

void WhatIfRow::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool isActive = underMouse() || hasFocus() || isDown();
    if (isActive) {
        painter.setPen(hasFocus() ? QPen(theme.accent, 1) : QPen(Qt::NoPen));
        painter.setBrush(theme.raised);
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), space::kControlRadius, space::kControlRadius);
    }
    const QRectF inner = QRectF(rect()).adjusted(8, 0, -8, 0);
    const QColor mark =
        verdict_ == MemoryVerdict::fits ? theme.fits : (verdict_ == MemoryVerdict::tight ? theme.tight : theme.outOfMemory);
    painter.setPen(Qt::NoPen);
    painter.setBrush(mark);
    painter.drawEllipse(QPointF(inner.left() + 3, inner.center().y()), 3, 3);
    const double costWidth = 88;
    const double savedWidth = 78;
    const double left = inner.left() + 14;
    const double textWidth = inner.right() - costWidth - savedWidth - left;
    painter.setFont(type::font(type::kSecondary));
    painter.setPen(isActive ? theme.accent : theme.text);
    painter.drawText(QRectF(left, 0, textWidth, height()), Qt::AlignVCenter | Qt::AlignLeft,
                     QFontMetricsF(painter.font()).elidedText(text(), Qt::ElideRight, textWidth));
    painter.setPen(theme.secondaryText);
    painter.drawText(QRectF(inner.right() - costWidth, 0, costWidth, height()), Qt::AlignVCenter | Qt::AlignRight, cost_);
    painter.setFont(type::font(type::kSecondary, QFont::DemiBold));
    painter.setPen(theme.text);
    painter.drawText(QRectF(inner.right() - costWidth - savedWidth, 0, savedWidth, height()), Qt::AlignVCenter | Qt::AlignRight,
                     saved_);
}

void WhatIfRow::enterEvent(QEnterEvent* event) {
    QAbstractButton::enterEvent(event);
    emit pointedAt(true);
}

void WhatIfRow::leaveEvent(QEvent* event) {
    QAbstractButton::leaveEvent(event);
    emit pointedAt(false);
}

void WhatIfRow::focusInEvent(QFocusEvent* event) {
    QAbstractButton::focusInEvent(event);
    emit pointedAt(true);
}

void WhatIfRow::focusOutEvent(QFocusEvent* event) {
    QAbstractButton::focusOutEvent(event);
    emit pointedAt(false);
}

WhatIfList::WhatIfList(QWidget* parent) : QWidget(parent), layout_(new QVBoxLayout(this)), heading_(new QLabel(this)) {
    layout_->setContentsMargins(4, 0, 4, 4);
    layout_->setSpacing(0);
    heading_->setText(tr("What would free most"));
    heading_->setFont(type::font(type::kSecondary));
    heading_->setContentsMargins(8, 2, 0, 2);
    layout_->addWidget(heading_);
    refresh();
}

void WhatIfList::setChanges(std::vector<WhatIf> changes) {
    changes_ = std::move(changes);
    refresh();
}

void WhatIfList::setMostRows(int rows) {
    if (rows == mostRows_) return;
    mostRows_ = rows;
    refresh();
}

void WhatIfList::refresh() {
    QPalette quiet = heading_->palette();
    quiet.setColor(QPalette::WindowText, Theme::current().secondaryText);
    heading_->setPalette(quiet);
    const int count = std::min(mostRows_, static_cast<int>(changes_.size()));
    while (static_cast<int>(rows_.size()) < count) {
        auto* row = new WhatIfRow(this);
        const int index = static_cast<int>(rows_.size());
        layout_->addWidget(row);
        rows_.push_back(row);
        connect(row, &WhatIfRow::pointedAt, this,
                [this, index](bool isPointedAt) { emit previewed(isPointedAt ? std::optional<int>(index) : std::nullopt); });
        connect(row, &QAbstractButton::clicked, this, [this, index] { emit chosen(index); });
    }
    for (int index = 0; index < static_cast<int>(rows_.size()); ++index) {
        rows_[static_cast<std::size_t>(index)]->setVisible(index < count);
        if (index < count) rows_[static_cast<std::size_t>(index)]->setChange(changes_[static_cast<std::size_t>(index)]);
    }
    setVisible(count > 0);
}

}  // namespace trainyard
