#include "widgets/teach/collective_player.h"

#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QSaveFile>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "widgets/style/icons.h"
#include "widgets/style/theme.h"
#include "widgets/teach/motion.h"

namespace trainyard {
namespace {

constexpr int kTickMs = 33;
constexpr double kStepMs = 900;
constexpr double kRestShare = 0.25;  ///< of a step in which nothing moves, so that the eye can follow
constexpr int kFramesPerStep = 4;

/// Where a travelling part is: a slight bow, so that parts that cross do not hide each other.
QPointF onTheWay(QPointF from, QPointF to, double share) {
    const QPointF straight = from + (to - from) * share;
    const QPointF across(-(to - from).y(), (to - from).x());
    return straight + across * 0.12 * std::sin(share * 3.14159265);
}

double eased(double share) { return share * share * (3 - 2 * share); }

}  // namespace

CollectivePlayer::CollectivePlayer(Places places, QWidget* parent) : QWidget(parent), places_(std::move(places)) {
    setObjectName(QStringLiteral("collectivePlayer"));
    setAttribute(Qt::WA_NoSystemBackground);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Collective, step by step"));
    bar_ = new QWidget(this);
    bar_->setAutoFillBackground(true);
    auto* row = new QHBoxLayout(bar_);
    row->setContentsMargins(8, 4, 8, 4);
    kinds_ = new QComboBox(bar_);
    kinds_->addItems({tr("All-reduce as a ring"), tr("All-to-all"), tr("Ring attention"), tr("ZeRO 3: gather and free")});
    kinds_->setAccessibleName(tr("Which collective"));
    row->addWidget(kinds_);
    const auto button = [&](const QString& iconName, const QString& text, auto&& action) {
        auto* made = new QToolButton(bar_);
        made->setIcon(icon(iconName));
        made->setToolTip(text);
        made->setAccessibleName(text);
        made->setAutoRaise(true);
        connect(made, &QToolButton::clicked, this, action);
        row->addWidget(made);
        return made;
    };
    button(QStringLiteral("step-back"), tr("Step back"), [this] { stepBack(); });
    play_ = button(QStringLiteral("play"), tr("Play or pause (Space)"), [this] { play(!isPlaying()); });
    button(QStringLiteral("step-forward"), tr("Step forward"), [this] { stepForward(); });
    button(QStringLiteral("download"), tr("Export as animated SVG or PNG frames"), [this] { exportInteractively(); });
    sentence_ = new QLabel(bar_);
    sentence_->setMinimumWidth(120);
    row->addWidget(sentence_, 1);
    button(QStringLiteral("x"), tr("Close"), [this] {
        play(false);
        hide();
        emit closed();
    });
    timer_.setInterval(kTickMs);
    connect(&timer_, &QTimer::timeout, this, &CollectivePlayer::tick);
    connect(kinds_, &QComboBox::currentIndexChanged, this, &CollectivePlayer::rebuild);
    hide();
}

CollectivePlay CollectivePlayer::kind() const { return static_cast<CollectivePlay>(kinds_->currentIndex()); }

void CollectivePlayer::start(CollectivePlay kind) {
    kinds_->setCurrentIndex(static_cast<int>(kind));
    if (parentWidget() != nullptr) setGeometry(parentWidget()->rect());
    show();
    raise();
    setFocus(Qt::OtherFocusReason);
    rebuild();
    play(!reducedMotion());
}

void CollectivePlayer::rebuild() {
    rects_ = places_(kind());
    steps_ = rects_.size() < 2 ? std::vector<CollectiveStep>() : collectiveSteps(kind(), static_cast<int>(rects_.size()));
    rects_.resize(std::min<std::size_t>(rects_.size(), kMostMembers));
    go(0);
}

void CollectivePlayer::go(int step) {
    step_ = steps_.empty() ? 0 : std::clamp(step, 0, steps() - 1);
    fraction_ = 0;
    sentence_->setText(sentence());
    sentence_->setToolTip(sentence());
    setAccessibleDescription(sentence());
    update();
}

QString CollectivePlayer::sentence() const {
    if (steps_.empty()) return tr("This plan has no such group with more than one device.");
    const int n = static_cast<int>(rects_.size());
    QString what;
    switch (steps_[static_cast<std::size_t>(step_)].phase) {
        case CollectiveStep::Phase::start: what = tr("before anything moves"); break;
        case CollectiveStep::Phase::reduceScatter: what = tr("each passes on one of %1 parts, and the next adds its own").arg(n); break;
        case CollectiveStep::Phase::allGather: what = tr("each passes on a finished part"); break;
        case CollectiveStep::Phase::allToAll: what = tr("each sends another part to another device"); break;
        case CollectiveStep::Phase::attend: what = tr("keys and values go on to the next; each attends with the block it has"); break;
        case CollectiveStep::Phase::gather: what = tr("shards of one layer go round until all have it whole"); break;
        case CollectiveStep::Phase::compute: what = tr("the layer is whole everywhere and is used"); break;
        case CollectiveStep::Phase::free: what = tr("each keeps its own shard and frees the rest"); break;
    }
    return tr("Step %1 of %2: %3").arg(step_).arg(steps() - 1).arg(what);
}

void CollectivePlayer::play(bool on) {
    if (on && !steps_.empty() && !reducedMotion()) {
        if (step_ + 1 >= steps()) go(0);
        timer_.start();
    } else {
        timer_.stop();
        fraction_ = 0;
        if (on && reducedMotion()) stepForward();
    }
    play_->setIcon(icon(timer_.isActive() ? QStringLiteral("pause") : QStringLiteral("play")));
    update();
}

void CollectivePlayer::stepForward() {
    timer_.stop();
    play_->setIcon(icon(QStringLiteral("play")));
    go(step_ + 1 >= steps() ? 0 : step_ + 1);
}

void CollectivePlayer::stepBack() {
    timer_.stop();
    play_->setIcon(icon(QStringLiteral("play")));
    go(step_ - 1);
}

void CollectivePlayer::tick() {
    if (step_ + 1 >= steps()) return play(false);
    fraction_ += kTickMs / kStepMs;
    if (fraction_ >= 1)
        go(step_ + 1);
    else
        update();
}

void CollectivePlayer::paintState(QPainter& painter, int step, double fraction) const {
    if (steps_.empty() || rects_.size() < 2) return;
    const Theme& theme = Theme::current();
    const auto n = rects_.size();
    const CollectiveStep& now = steps_[static_cast<std::size_t>(step)];
    painter.setRenderHint(QPainter::Antialiasing);
    const double side = std::clamp(140.0 / static_cast<double>(n), 5.0, 14.0);
    for (std::size_t member = 0; member < n; ++member) {
        const QRectF& device = rects_[member];
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.accent, 2));
        painter.drawRoundedRect(device.adjusted(-2, -2, 2, 2), 5, 5);
        const double width = side * static_cast<double>(n);
        QPointF corner(device.center().x() - width / 2, device.bottom() + 4);
        corner.setX(std::clamp(corner.x(), 2.0, std::max(2.0, static_cast<double>(this->width()) - width - 2)));
        painter.fillRect(QRectF(corner, QSizeF(width, side)).adjusted(-2, -2, 2, 2), theme.panel);
        for (std::size_t part = 0; part < now.holds[member].size(); ++part) {
            const QRectF cell(corner + QPointF(side * static_cast<double>(part), 0), QSizeF(side - 1, side - 1));
            const QColor colour = theme.category(static_cast<int>(part), static_cast<int>(n));
            painter.setPen(QPen(theme.outline(colour), 1));
            painter.setBrush(Qt::NoBrush);
            switch (now.holds[member][part]) {
                case PartState::none: break;
                case PartState::own: painter.setBrush(QBrush(colour, Qt::BDiagPattern)); break;
                case PartState::partial: painter.setBrush(QBrush(colour, Qt::Dense4Pattern)); break;
                case PartState::complete: painter.setBrush(colour); break;
                case PartState::working: painter.setBrush(colour); painter.setPen(QPen(theme.text, 2)); break;
            }
            painter.drawRect(cell);
        }
    }
    if (fraction <= 0 || step + 1 >= steps()) return;
    const double share = eased(std::clamp((fraction - kRestShare) / (1 - kRestShare), 0.0, 1.0));
    for (const StepTransfer& transfer : steps_[static_cast<std::size_t>(step) + 1].transfers) {
        const QPointF from = rects_[static_cast<std::size_t>(transfer.from)].center();
        const QPointF to = rects_[static_cast<std::size_t>(transfer.to)].center();
        const QColor colour = theme.category(transfer.part, static_cast<int>(n));
        painter.setPen(QPen(theme.text, 1));
        painter.setBrush(colour);
        painter.drawEllipse(onTheWay(from, to, share), side / 2 + 1, side / 2 + 1);
    }
}

void CollectivePlayer::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), QColor(Theme::current().canvas.red(), Theme::current().canvas.green(), Theme::current().canvas.blue(), 150));
    paintState(painter, step_, fraction_);
}

void CollectivePlayer::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    bar_->setGeometry(0, height() - bar_->sizeHint().height(), width(), bar_->sizeHint().height());
    rects_ = places_(kind());
    rects_.resize(std::min<std::size_t>(rects_.size(), kMostMembers));
}

void CollectivePlayer::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    bar_->setGeometry(0, height() - bar_->sizeHint().height(), width(), bar_->sizeHint().height());
}

void CollectivePlayer::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Space: return play(!isPlaying());
        case Qt::Key_Right: return stepForward();
        case Qt::Key_Left: return stepBack();
        case Qt::Key_Escape:
            play(false);
            hide();
            emit closed();
            return;
        default: QWidget::keyPressEvent(event);
    }
}

QByteArray CollectivePlayer::animatedSvg() const {
    const Theme& theme = Theme::current();
    const auto n = rects_.size();
    const double seconds = kStepMs / 1000;
    const double total = seconds * std::max(1, steps() - 1) + 1;
    QString svg = QStringLiteral("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%1\" height=\"%2\" viewBox=\"0 0 %1 %2\">\n"
                                 "<rect width=\"%1\" height=\"%2\" fill=\"%3\"/>\n")
                      .arg(width())
                      .arg(height())
                      .arg(theme.canvas.name());
    const double side = std::clamp(140.0 / static_cast<double>(std::max<std::size_t>(1, n)), 5.0, 14.0);
    for (std::size_t member = 0; member < n; ++member) {
        const QRectF& r = rects_[member];
        svg += QStringLiteral("<rect x=\"%1\" y=\"%2\" width=\"%3\" height=\"%4\" rx=\"5\" fill=\"none\" stroke=\"%5\" stroke-width=\"2\"/>\n")
                   .arg(r.x(), 0, 'f', 1)
                   .arg(r.y(), 0, 'f', 1)
                   .arg(r.width(), 0, 'f', 1)
                   .arg(r.height(), 0, 'f', 1)
                   .arg(theme.accent.name());
        // What each holds: the opacity of its part changes from step to step.
        for (std::size_t part = 0; part < n; ++part) {
            QStringList values;
            for (const CollectiveStep& step : steps_) {
                const PartState state = step.holds[member][part];
                values << (state == PartState::none ? QStringLiteral("0") : state == PartState::own ? QStringLiteral("0.35")
                           : state == PartState::partial ? QStringLiteral("0.6") : QStringLiteral("1"));
            }
            if (values.size() == 1) values << values.first();
            svg += QStringLiteral("<rect x=\"%1\" y=\"%2\" width=\"%3\" height=\"%3\" fill=\"%4\">"
                                  "<animate attributeName=\"opacity\" calcMode=\"discrete\" dur=\"%5s\" repeatCount=\"indefinite\" values=\"%6\"/></rect>\n")
                       .arg(r.center().x() - side * static_cast<double>(n) / 2 + side * static_cast<double>(part), 0, 'f', 1)
                       .arg(r.bottom() + 4, 0, 'f', 1)
                       .arg(side - 1, 0, 'f', 1)
                       .arg(theme.category(static_cast<int>(part), static_cast<int>(n)).name())
                       .arg(total, 0, 'f', 2)
                       .arg(values.join(QLatin1Char(';')));
        }
    }
    for (int step = 1; step < steps(); ++step)
        for (const StepTransfer& transfer : steps_[static_cast<std::size_t>(step)].transfers) {
            const QPointF from = rects_[static_cast<std::size_t>(transfer.from)].center();
            const QPointF to = rects_[static_cast<std::size_t>(transfer.to)].center();
            const double begin = (step - 1) * seconds / total;
            const double end = step * seconds / total;
            const auto track = [&](const char* attribute, double a, double b) {
                return QStringLiteral("<animate attributeName=\"%1\" dur=\"%2s\" repeatCount=\"indefinite\" keyTimes=\"0;%3;%4;1\" values=\"%5;%5;%6;%6\"/>")
                    .arg(QLatin1String(attribute))
                    .arg(total, 0, 'f', 2)
                    .arg(begin, 0, 'f', 4)
                    .arg(end, 0, 'f', 4)
                    .arg(a, 0, 'f', 1)
                    .arg(b, 0, 'f', 1);
            };
            svg += QStringLiteral("<circle r=\"%1\" fill=\"%2\" cx=\"%3\" cy=\"%4\" opacity=\"0\">%5%6"
                                  "<animate attributeName=\"opacity\" calcMode=\"discrete\" dur=\"%7s\" repeatCount=\"indefinite\" keyTimes=\"0;%8;%9\" values=\"0;1;0\"/></circle>\n")
                       .arg(side / 2 + 1, 0, 'f', 1)
                       .arg(theme.category(transfer.part, static_cast<int>(n)).name())
                       .arg(from.x(), 0, 'f', 1)
                       .arg(from.y(), 0, 'f', 1)
                       .arg(track("cx", from.x(), to.x()), track("cy", from.y(), to.y()))
                       .arg(total, 0, 'f', 2)
                       .arg(begin, 0, 'f', 4)
                       .arg(end, 0, 'f', 4);
        }
    return (svg + QStringLiteral("</svg>\n")).toUtf8();
}

int CollectivePlayer::writeFrames(const QString& base) {
    // The drawing below, without this player.
    QPixmap below(size());
    below.fill(Theme::current().canvas);
    if (parentWidget() != nullptr) {
        const bool shown = isVisible();
        hide();
        below = parentWidget()->grab();
        setVisible(shown);
    }
    int files = 0;
    for (int step = 0; step < steps(); ++step)
        for (int frame = 0; frame < (step + 1 < steps() ? kFramesPerStep : 1); ++frame) {
            QImage image = below.toImage();
            if (image.isNull()) return 0;
            QPainter painter(&image);
            paintState(painter, step, static_cast<double>(frame) / kFramesPerStep);
            painter.end();
            if (!image.save(QStringLiteral("%1-%2.png").arg(base).arg(++files, 3, 10, QLatin1Char('0')))) return 0;
        }
    return files;
}

void CollectivePlayer::exportInteractively() {
    play(false);
    const QString path = QFileDialog::getSaveFileName(window(), tr("Export the animation"), QStringLiteral("collective.svg"),
                                                      tr("Animated SVG (*.svg);;PNG frames (*.png)"));
    if (path.isEmpty()) return;
    const QFileInfo info(path);
    if (info.suffix().toLower() == QLatin1String("png")) {
        writeFrames(info.path() + QLatin1Char('/') + info.completeBaseName());
        return;
    }
    QSaveFile file(path);
    if (file.open(QIODevice::WriteOnly)) {
        file.write(animatedSvg());
        file.commit();
    }
}

}  // namespace trainyard
