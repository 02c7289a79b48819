#pragma once

#include <QPointer>
#include <QTimer>
#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "core/io/import/measured_trace.h"
#include "core/schedule/metrics.h"
#include "widgets/style/figure_export.h"
#include "widgets/timeline/timeline_model.h"

class QBoxLayout;
class QLabel;
class QLineEdit;
class QToolButton;
class QVBoxLayout;

namespace trainyard {

class LegendStrip;
class TimelineOverview;
class TimelineView;
class TimelineViewport;

/// One to four timelines on one time scale with everything to read them: play controls, critical path, search, legend, overview
/// and the three bubble figures. Knows nothing of documents.
class TimelineBoard : public QWidget, public FigureSource {
    Q_OBJECT
  public:
    explicit TimelineBoard(QWidget* parent = nullptr);

    struct Entry {
        QString title;  ///< above its picture where there are several
        std::shared_ptr<const TimelineModel> model;
    };
    void setEntries(std::vector<Entry> entries);
    [[nodiscard]] int count() const { return static_cast<int>(entries_.size()); }
    [[nodiscard]] const Entry& entry(int index) const { return entries_[static_cast<std::size_t>(index)]; }
    [[nodiscard]] TimelineView& view(int index) { return *views_[static_cast<std::size_t>(index)]; }
    [[nodiscard]] TimelineViewport& viewport() { return *viewport_; }
    [[nodiscard]] TimelineOverview& overview() { return *overview_; }
    /// The repeating part of each step is shown once; the rest of it is left out. Bubbles stay those of the whole step.
    void setFolded(bool isFolded);
    [[nodiscard]] bool isFolded() const { return isFolded_; }
    /// Lays a measured trace over the timelines: a Chrome trace JSON of a profiler, lanes and rows matched by name. Returns what
    /// is wrong with the file, or nothing. A new plan keeps the overlay until clearMeasured().
    [[nodiscard]] QString showMeasured(const QString& path);
    void clearMeasured();
    [[nodiscard]] bool hasMeasured() const { return measured_ != nullptr; }
    /// Chrome trace JSON of one timeline, for Perfetto. Returns what went wrong, or nothing.
    [[nodiscard]] QString exportTrace(int index, const QString& path) const;
    /// Headline of exported figures.
    void setFigureTitle(const QString& title) { figureTitle_ = title; }
    [[nodiscard]] const QString& figureTitle() const { return figureTitle_; }
    /// Idle time in the colour of what it waits for.
    void setIdleByCause(bool isOn);

    void play();
    void pause();
    [[nodiscard]] bool isPlaying() const { return clock_.isActive(); }
    void step(int direction);
    void search(const QString& text);
    [[nodiscard]] QString statusText() const;
    /// Sums of the marked stretch, or what every row does at the scrubber.
    [[nodiscard]] QString sumsText() const;
    /// `3 of 12`, `12 found`.
    [[nodiscard]] QString searchText() const;

    void paintFigure(QPainter& painter, const QRectF& area) override;

    /// `bubble 8.6 % of device time idle · 9.4 % above ideal · 2.1 % in span`, named as in the literature.
    [[nodiscard]] static QString bubbleText(const Bubbles& bubbles);

  signals:
    void spanClicked(int entry, std::optional<std::uint32_t> span);
    void rowClicked(int entry, int row);
    void hovered(int entry, std::optional<int> row, std::optional<int> microBatch);

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    void buildToolbar(QVBoxLayout* layout);
    void addView();
    void refreshLegend();
    void refreshStatus();
    void refreshTitles();
    void showMenu();
    void showKeys();
    void showEntries();
    void applyMeasured();
    void openTrace();
    void saveTrace();
    void arrangeViews();
    void moveToHit(int direction);
    [[nodiscard]] QString suggestedFileName() const;

    std::vector<Entry> entries_;    ///< as shown
    std::vector<Entry> originals_;  ///< whole steps
    std::vector<Bubbles> bubbles_;  ///< of the whole steps
    std::shared_ptr<const MeasuredTrace> measured_;
    QString measuredName_;
    bool isFolded_ = false;
    TimelineViewport* viewport_;
    std::vector<TimelineView*> views_;
    std::vector<QLabel*> titles_;
    TimelineOverview* overview_ = nullptr;
    QBoxLayout* viewLayout_ = nullptr;
    LegendStrip* legend_ = nullptr;
    QToolButton* playButton_ = nullptr;
    QToolButton* criticalButton_ = nullptr;
    QToolButton* idleButton_ = nullptr;
    QToolButton* foldButton_ = nullptr;
    QLineEdit* searchField_ = nullptr;
    QLabel* searchCount_ = nullptr;
    QLabel* status_ = nullptr;
    QLabel* sums_ = nullptr;
    QTimer clock_;
    QString figureTitle_;
    std::vector<std::vector<std::uint32_t>> hits_;  ///< per entry
    std::size_t hitTotal_ = 0;
    std::size_t hitCurrent_ = 0;  ///< over all entries, in order
};

}  // namespace trainyard
