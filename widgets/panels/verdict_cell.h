#pragma once

#include <QAbstractButton>
#include <QColor>

namespace trainyard {

/// What one figure of the verdict strip says.
struct VerdictFigure {
    enum class Change : std::uint8_t { none, better, worse, neutral };

    QString caption;
    QString number;  ///< headline; "–" while there is none
    QString unit;
    QString secondary;  ///< third line
    QString badge;      ///< "Fits"; empty: none
    QColor badgeColour;
    QString difference;  ///< against the baseline, without sign: "0.31"
    bool rises = false;
    Change change = Change::none;
    QString toolTip;
    bool operator==(const VerdictFigure&) const = default;
};

/// One clickable figure: caption, headline number with its unit and difference, one line more.
class VerdictCell : public QAbstractButton {
    Q_OBJECT
  public:
    explicit VerdictCell(QWidget* parent = nullptr);
    void setFigure(const VerdictFigure& figure);
    [[nodiscard]] const VerdictFigure& figure() const { return figure_; }
    /// Figures of an older plan are drawn fainter.
    void setStale(bool stale);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    VerdictFigure figure_;
    bool stale_ = false;
};

}  // namespace trainyard
