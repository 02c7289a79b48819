#include "widgets/panels/learn_panel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSettings>
#include <QTextBrowser>
#include <QVBoxLayout>

#include "core/base/format_quantity.h"
#include "core/engine/evaluate.h"
#include "core/io/presets/preset_library.h"
#include "widgets/document/plan_document.h"
#include "widgets/style/theme.h"
#include "widgets/teach/language.h"

namespace trainyard {
namespace {

QString text(const std::string& utf8) { return QString::fromStdString(utf8); }

}  // namespace

LearnPanel::LearnPanel(PlanDocument* document, QWidget* parent)
    : QWidget(parent),
      document_(document),
      lessons_(trainyard::lessons(presetLibrary()).lessons),
      challenges_(trainyard::challenges(presetLibrary()).challenges),
      language_(uiLanguage()),
      list_(new QListWidget(this)),
      title_(new QLabel(this)),
      place_(new QLabel(this)),
      body_(new QTextBrowser(this)),
      verdict_(new QLabel(this)),
      setUp_(new QPushButton(tr("Set up this step"), this)),
      hint_(new QPushButton(tr("Hint"), this)),
      next_(new QPushButton(tr("Next step"), this)) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(space::kPanelPadding, space::kPanelPadding, space::kPanelPadding, space::kPanelPadding);
    layout->setSpacing(space::kUnit * 4);
    list_->setAccessibleName(tr("Lessons"));
    list_->setFixedWidth(330);
    list_->setFrameShape(QFrame::NoFrame);
    for (const Lesson& each : lessons_) {
        auto* item = new QListWidgetItem(list_);
        item->setToolTip(text(each.summary.in(language_)));
        item->setSizeHint(QSize(0, space::kRowHeight));
    }
    auto* heading = new QListWidgetItem(tr("Challenges: the shortest step that fits"), list_);
    heading->setFlags(Qt::NoItemFlags);
    heading->setSizeHint(QSize(0, space::kRowHeight));
    for (std::size_t i = 0; i < challenges_.size(); ++i) (new QListWidgetItem(list_))->setSizeHint(QSize(0, space::kRowHeight));
    layout->addWidget(list_);
    auto* right = new QVBoxLayout;
    right->setSpacing(space::kUnit * 2);
    title_->setFont(type::font(type::kHeadline, QFont::DemiBold));
    title_->setWordWrap(true);
    place_->setFont(type::font(type::kSecondary));
    body_->setFrameShape(QFrame::NoFrame);
    body_->setAccessibleName(tr("What this step says"));
    body_->setOpenLinks(false);
    // Text lies on the panel itself, not on a field of its own.
    body_->viewport()->setAutoFillBackground(false);
    list_->viewport()->setAutoFillBackground(false);
    verdict_->setFont(type::font(type::kStrong, QFont::DemiBold));
    right->addWidget(place_);
    right->addWidget(title_);
    right->addWidget(body_, 1);
    right->addWidget(verdict_);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(setUp_);
    buttons->addWidget(hint_);
    buttons->addStretch(1);
    buttons->addWidget(next_);
    right->addLayout(buttons);
    layout->addLayout(right, 1);

    connect(list_, &QListWidget::currentRowChanged, this, [this](int row) {
        const int lessonCount = static_cast<int>(lessons_.size());
        if (row > lessonCount)
            openChallenge(row - lessonCount - 1);
        else if (row >= 0 && row < lessonCount && (row != lesson_ || challenge_ >= 0))
            openStep(row, 0);
    });
    connect(setUp_, &QPushButton::clicked, this, &LearnPanel::setUp);
    connect(hint_, &QPushButton::clicked, this, &LearnPanel::showHint);
    connect(next_, &QPushButton::clicked, this, &LearnPanel::next);
    connect(document_, &PlanDocument::evaluationChanged, this, &LearnPanel::check);
    openStep(0, 0);
}

QString LearnPanel::doneKey(int lesson, int step) const {
    return QStringLiteral("learn/%1/%2").arg(text(lessons_[static_cast<std::size_t>(lesson)].id)).arg(step);
}

void LearnPanel::markList() {
    const QSettings settings;
    for (std::size_t i = 0; i < lessons_.size(); ++i) {
        int done = 0;
        const int steps = static_cast<int>(lessons_[i].steps.size());
        for (int s = 0; s < steps; ++s) done += settings.value(doneKey(static_cast<int>(i), s), false).toBool() ? 1 : 0;
        list_->item(static_cast<int>(i))
            ->setText(QStringLiteral("%1   %2/%3%4")
                          .arg(text(lessons_[i].title.in(language_)))
                          .arg(done)
                          .arg(steps)
                          .arg(done == steps ? QStringLiteral("  ✓") : QString()));
    }
    for (int i = 0; i < static_cast<int>(challenges_.size()); ++i) {
        const double seconds = best(i);
        list_->item(challengeRow(i))
            ->setText(text(challenges_[static_cast<std::size_t>(i)].title.in(language_)) +
                      (seconds > 0 ? QStringLiteral("   ✓ ") + text(secondsText(seconds).joined()) : QString()));
    }
}

void LearnPanel::openStep(int lesson, int step) {
    if (lessons_.empty()) {
        title_->setText(tr("No lessons were found"));
        return;
    }
    lesson_ = std::clamp(lesson, 0, static_cast<int>(lessons_.size()) - 1);
    step_ = std::clamp(step, 0, static_cast<int>(lessons_[static_cast<std::size_t>(lesson_)].steps.size()) - 1);
    hints_ = 0;
    challenge_ = -1;
    started_ = reached_ = false;
    start_.reset();
    startEvaluation_.reset();
    const QSignalBlocker blocker(list_);
    list_->setCurrentRow(lesson_);
    markList();
    showStep();
}

void LearnPanel::showStep() {
    const Lesson& lesson = lessons_[static_cast<std::size_t>(lesson_)];
    const LessonStep& step = lesson.steps[static_cast<std::size_t>(step_)];
    place_->setText(tr("%1 · step %2 of %3").arg(text(lesson.title.in(language_))).arg(step_ + 1).arg(lesson.steps.size()));
    title_->setText(text(step.title.in(language_)));
    QString markdown = text(step.text.in(language_));
    for (int i = 0; i < hints_ && i < static_cast<int>(step.hints.size()); ++i)
        markdown += QStringLiteral("\n\n> ") + text(step.hints[static_cast<std::size_t>(i)].in(language_));
    if (step_ == 0 && !lesson.systems.empty()) {
        QStringList systems;
        for (const std::string& system : lesson.systems) systems << text(system);
        markdown += QStringLiteral("\n\n*%1*").arg(systems.join(QStringLiteral(" · ")));
    }
    body_->setMarkdown(markdown);
    hint_->setEnabled(hints_ < static_cast<int>(step.hints.size()));
    const Theme& theme = Theme::current();
    QPalette palette = verdict_->palette();
    palette.setColor(QPalette::WindowText, reached_ ? theme.fits : theme.secondaryText);
    verdict_->setPalette(palette);
    verdict_->setText(reached_   ? tr("Reached.")
                      : started_ ? tr("Goal: %1").arg(text(step.goal))
                                 : tr("Press “Set up this step”; your plan can be brought back with Undo."));
    setUp_->setText(started_ ? tr("Start again") : tr("Set up this step"));
    next_->setEnabled(true);
    next_->setDefault(reached_);
}

double LearnPanel::best(int challenge) const {
    return QSettings()
        .value(QStringLiteral("challenge/%1/best").arg(text(challenges_[static_cast<std::size_t>(challenge)].id)), 0.0)
        .toDouble();
}

void LearnPanel::openChallenge(int challenge) {
    if (challenge < 0 || challenge >= static_cast<int>(challenges_.size())) return;
    challenge_ = challenge;
    score_ = {};
    started_ = reached_ = false;
    start_.reset();
    startEvaluation_.reset();
    const QSignalBlocker blocker(list_);
    list_->setCurrentRow(challengeRow(challenge));
    markList();
    showChallenge();
}

void LearnPanel::showChallenge() {
    const Challenge& challenge = challenges_[static_cast<std::size_t>(challenge_)];
    place_->setText(tr("Challenge %1 of %2").arg(challenge_ + 1).arg(challenges_.size()));
    title_->setText(text(challenge.title.in(language_)));
    QString markdown = text(challenge.text.in(language_)) + QStringLiteral("\n\n") +
                       tr("Cluster, model and workload stand; the plan is yours. The score is the step time of a plan that fits.");
    if (started_) markdown += QStringLiteral("\n\n") + tr("Target: **%1**").arg(text(secondsText(score_.targetS).joined()));
    if (best(challenge_) > 0)
        markdown += QStringLiteral("\n\n") + tr("Your best: **%1**").arg(text(secondsText(best(challenge_)).joined()));
    body_->setMarkdown(markdown);
    hint_->setEnabled(false);
    next_->setEnabled(true);
    using Verdict = ChallengeScore::Verdict;
    const QString stepText = text(secondsText(score_.stepS).joined());
    QString verdict = tr("Press “Set up” to begin; your plan can be brought back with Undo.");
    if (started_) switch (score_.verdict) {
            case Verdict::solved: verdict = tr("Solved: %1  %2").arg(stepText, QString(score_.stars, QChar(0x2605))); break;
            case Verdict::tooSlow: verdict = tr("%1: not yet below the target").arg(stepText); break;
            case Verdict::outOfMemory: verdict = tr("Out of memory: does not count"); break;
            case Verdict::otherTask: verdict = tr("Cluster, model or workload was changed: another task"); break;
            case Verdict::notComputed: verdict = tr("This plan cannot run; see the notices of the plan"); break;
        }
    QPalette palette = verdict_->palette();
    palette.setColor(QPalette::WindowText, score_.verdict == Verdict::solved ? Theme::current().fits : Theme::current().secondaryText);
    verdict_->setPalette(palette);
    verdict_->setText(verdict);
    setUp_->setText(started_ ? tr("Start again") : tr("Set up"));
}

void LearnPanel::checkChallenge() {
    const Challenge& challenge = challenges_[static_cast<std::size_t>(challenge_)];
    score_ = challengeScore(challenge, *start_, *startEvaluation_, *document_->snapshot(), *document_->evaluation());
    if (score_.verdict == ChallengeScore::Verdict::solved && (best(challenge_) <= 0 || score_.stepS < best(challenge_))) {
        QSettings().setValue(QStringLiteral("challenge/%1/best").arg(text(challenge.id)), score_.stepS);
        markList();
    }
    showChallenge();
}

void LearnPanel::setUp() {
    if (challenge_ >= 0) {
        auto scenario = challengeStart(challenges_[static_cast<std::size_t>(challenge_)], presetLibrary());
        if (!scenario) return verdict_->setText(text(scenario.error().message));
        start_ = std::make_shared<Scenario>(std::move(*scenario));
        startEvaluation_ = std::make_shared<Evaluation>(evaluate(*start_, Depth::simulated));
        started_ = true;
        document_->edit(start_, tr("Set up challenge"));
        if (document_->evaluation()) checkChallenge();
        return;
    }
    if (lessons_.empty()) return;
    const LessonStep& step = lessons_[static_cast<std::size_t>(lesson_)].steps[static_cast<std::size_t>(step_)];
    // A step without a scenario of its own goes on where the one before it ends, solved.
    std::optional<Scenario> before;
    const auto& steps = lessons_[static_cast<std::size_t>(lesson_)].steps;
    for (int i = 0; i < step_; ++i) {
        auto start = stepScenario(steps[static_cast<std::size_t>(i)], before, presetLibrary());
        if (!start) return;
        auto end = solved(steps[static_cast<std::size_t>(i)], *start, presetLibrary());
        if (!end) return;
        before = std::move(*end);
    }
    auto scenario = stepScenario(step, before, presetLibrary());
    if (!scenario) {
        verdict_->setText(text(scenario.error().message));
        return;
    }
    start_ = std::make_shared<Scenario>(std::move(*scenario));
    startEvaluation_ = std::make_shared<Evaluation>(evaluate(*start_, Depth::simulated));
    started_ = true;
    reached_ = false;
    document_->edit(start_, tr("Set up lesson step"));
    showStep();
    check();
    emit focusRequested(text(step.focus));
}

void LearnPanel::check() {
    if (!started_ || !start_ || !document_->evaluation()) return;
    if (challenge_ >= 0) return checkChallenge();
    const LessonStep& step = lessons_[static_cast<std::size_t>(lesson_)].steps[static_cast<std::size_t>(step_)];
    const auto holds = goalHolds(step.goal, *document_->snapshot(), *document_->evaluation(), *start_, *startEvaluation_);
    const bool now = holds && *holds;
    if (now == reached_) return;
    reached_ = now;
    if (now) {
        QSettings().setValue(doneKey(lesson_, step_), true);
        markList();
    }
    showStep();
}

void LearnPanel::showHint() {
    if (challenge_ >= 0) return;
    ++hints_;
    showStep();
}

void LearnPanel::next() {
    if (challenge_ >= 0) return openChallenge((challenge_ + 1) % static_cast<int>(challenges_.size()));
    if (lessons_.empty()) return;
    if (step_ + 1 < static_cast<int>(lessons_[static_cast<std::size_t>(lesson_)].steps.size())) {
        openStep(lesson_, step_ + 1);
        setUp();
    } else if (lesson_ + 1 < static_cast<int>(lessons_.size())) {
        openStep(lesson_ + 1, 0);
    }
}

}  // namespace trainyard
