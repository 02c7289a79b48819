#pragma once

#include <QTimer>
#include <QWidget>
#include <vector>

#include "widgets/style/figure_export.h"
#include "widgets/timeline/playground_model.h"

class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QPlainTextEdit;
class QSpinBox;
class QToolButton;
class QVBoxLayout;

namespace trainyard {

class TimelineBoard;

/// Pipeline schedules without a model: one to four of them on the same work and one time scale.
class PlaygroundPanel : public QWidget, public FigureSource {
    Q_OBJECT
  public:
    explicit PlaygroundPanel(QWidget* parent = nullptr);

    [[nodiscard]] const PlaygroundSetup& setup() const { return setup_; }
    /// Also moves the controls.
    void setSetup(PlaygroundSetup setup);
    /// The same with results that are already there. Precondition: they are playTimelines(setup).
    void showResults(PlaygroundSetup setup, std::vector<PlaygroundResult> results);
    [[nodiscard]] TimelineBoard& board() { return *board_; }
    [[nodiscard]] const std::vector<PlaygroundResult>& results() const { return results_; }
    [[nodiscard]] bool isBusy() const { return isRunning_ || typing_.isActive(); }
    /// What the line below one's own schedule says: counts, or what is wrong with it.
    [[nodiscard]] QString ownVerdict() const;

    void paintFigure(QPainter& painter, const QRectF& area) override;
    [[nodiscard]] QSize sizeHint() const override { return {1200, 640}; }

  signals:
    void played();  ///< the pictures belong to the setup again

  private:
    struct Row {
        QWidget* widget;
        QComboBox* choice;
        QToolButton* remove;
        QLabel* problem;
    };
    [[nodiscard]] static QLabel* heading(const QString& text, QWidget* parent);
    void buildControls(QVBoxLayout* layout);
    void buildOwn(QVBoxLayout* layout);
    void loadOwn();
    void saveOwn();
    void addScheduleRow();
    void takeControls();
    void fillControls();
    void fillParameters();
    void play();
    void present(std::vector<PlaygroundResult> results);

    PlaygroundSetup setup_;
    std::vector<PlaygroundResult> results_;
    TimelineBoard* board_;
    QVBoxLayout* rowLayout_ = nullptr;
    std::vector<Row> rows_;
    QToolButton* addButton_ = nullptr;
    QFormLayout* parameterLayout_ = nullptr;
    QWidget* parameterBox_ = nullptr;
    std::vector<std::pair<std::string, QSpinBox*>> parameters_;
    QWidget* ownBox_ = nullptr;
    QPlainTextEdit* ownText_ = nullptr;
    QLabel* ownVerdict_ = nullptr;
    QTimer typing_;  ///< a pause in typing, then it is read
    QSpinBox* devices_ = nullptr;
    QSpinBox* microBatches_ = nullptr;
    QSpinBox* chunks_ = nullptr;
    QSpinBox* slices_ = nullptr;
    QSpinBox* slowDevice_ = nullptr;
    QDoubleSpinBox* forward_ = nullptr;
    QDoubleSpinBox* backwardInput_ = nullptr;
    QDoubleSpinBox* backwardWeight_ = nullptr;
    QDoubleSpinBox* communication_ = nullptr;
    QDoubleSpinBox* slowFactor_ = nullptr;
    QDoubleSpinBox* jitter_ = nullptr;
    bool isFilling_ = false;
    bool isRunning_ = false;  ///< a worker is at it
    bool isStale_ = false;    ///< the setup changed meanwhile
};

}  // namespace trainyard
