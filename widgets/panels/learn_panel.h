#pragma once

#include <QWidget>
#include <memory>
#include <vector>

#include "core/engine/evaluation.h"
#include "core/io/teach/challenge.h"
#include "core/io/teach/lesson.h"
#include "core/plan/scenario.h"

class QLabel;
class QListWidget;
class QPushButton;
class QTextBrowser;

namespace trainyard {

class PlanDocument;

/// Lessons: sets up a scenario, says one thing, asks for one act, and checks the goal against the live evaluation.
class LearnPanel : public QWidget {
    Q_OBJECT
  public:
    explicit LearnPanel(PlanDocument* document, QWidget* parent = nullptr);

    void openStep(int lesson, int step);
    void openChallenge(int challenge);
    /// The open challenge; -1 while a lesson is open.
    [[nodiscard]] int challenge() const { return challenge_; }
    [[nodiscard]] const std::vector<Challenge>& challenges() const { return challenges_; }
    [[nodiscard]] const ChallengeScore& score() const { return score_; }
    /// Best step time of a challenge so far, kept between runs; 0 if it is not solved.
    [[nodiscard]] double best(int challenge) const;
    [[nodiscard]] int lesson() const { return lesson_; }
    [[nodiscard]] int step() const { return step_; }
    [[nodiscard]] bool isReached() const { return reached_; }
    [[nodiscard]] const std::vector<Lesson>& lessons() const { return lessons_; }

  public slots:
    /// Makes the step's scenario the open one (one undo step).
    void setUp();
    void showHint();
    void next();

  signals:
    /// The control or view that the step points at.
    void focusRequested(const QString& target);

  private:
    void showStep();
    void check();
    [[nodiscard]] QString doneKey(int lesson, int step) const;
    void markList();
    void showChallenge();
    void checkChallenge();
    [[nodiscard]] int challengeRow(int challenge) const { return static_cast<int>(lessons_.size()) + 1 + challenge; }

    PlanDocument* document_;
    std::vector<Lesson> lessons_;
    std::vector<Challenge> challenges_;
    ChallengeScore score_;
    int challenge_ = -1;
    std::string language_;
    int lesson_ = 0;
    int step_ = 0;
    int hints_ = 0;
    bool started_ = false;
    bool reached_ = false;
    Snapshot start_;
    std::shared_ptr<const Evaluation> startEvaluation_;
    QListWidget* list_;
    QLabel* title_;
    QLabel* place_;
    QTextBrowser* body_;
    QLabel* verdict_;
    QPushButton* setUp_;
    QPushButton* hint_;
    QPushButton* next_;
};

}  // namespace trainyard
