#pragma once

#include <QPointer>
#include <QTimer>
#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

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
    /// Headline of exported figures.
    void setFigureTitle(const QString& title) { figureTitle_ = title; }

    void play();
    void pause();
    [[nodiscard]] bool isPlaying() const { return clock_.isActive(); }
    void step(int direction);
    void search(const QString& text);
    [[nodiscard]] QString statusText() const;

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
    void arrangeViews();
    void moveToHit(int direction);
    [[nodiscard]] QString suggestedFileName() const;

    std::vector<Entry> entries_;
    std::vector<Bubbles> bubbles_;
    TimelineViewport* viewport_;
    std::vector<TimelineView*> views_;
    std::vector<QLabel*> titles_;
    TimelineOverview* overview_ = nullptr;
    QBoxLayout* viewLayout_ = nullptr;
    LegendStrip* legend_ = nullptr;
    QToolButton* playButton_ = nullptr;
    QToolButton* criticalButton_ = nullptr;
    QToolButton* idleButton_ = nullptr;
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
