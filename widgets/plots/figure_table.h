#pragma once

#include <QTableWidget>
#include <vector>

namespace trainyard {

/// A table of figures: numbers aligned right, text left, rows can be selected, copied (Ctrl+C, tab separated with headings).
class FigureTable : public QTableWidget {
    Q_OBJECT
  public:
    explicit FigureTable(QWidget* parent = nullptr);

    struct Column {
        QString title;
        QString tip;
        bool isText = false;
    };
    struct Cell {
        QString text;
        QString tip;   ///< the exact figure
        QColor color;  ///< of the text; invalid: the theme's
        QColor mark;   ///< a swatch before the text; invalid: none
        bool isStrong = false;
    };
    /// Replaces everything, keeping scroll position and selection where they still exist.
    void setFigures(const std::vector<Column>& columns, const std::vector<std::vector<Cell>>& rows);
    void selectFigureRow(int row);  ///< -1: none
    void copy() const;

  signals:
    void rowChosen(int row);
    void rowHovered(int row);  ///< -1: none

  protected:
    void keyPressEvent(QKeyEvent* event) override;
    bool viewportEvent(QEvent* event) override;

  private:
    bool isFilling_ = false;
    int hoveredRow_ = -1;
};

}  // namespace trainyard
