#pragma once

#include <QImage>
#include <QTimer>
#include <QWidget>
#include <functional>
#include <vector>

#include "widgets/style/figure_export.h"

namespace trainyard {

/// One view after another in large type: for a lecture hall. Left and Right change the view, + and - the size, Esc ends.
class PresentationWindow : public QWidget {
    Q_OBJECT
  public:
    struct Page {
        QString name;
        QWidget* view;
    };
    explicit PresentationWindow(QWidget* parent);
    void setPages(std::vector<Page> pages, std::function<FigureText()> text);
    void showPage(const QString& name);
    [[nodiscard]] QString page() const;
    [[nodiscard]] double zoom() const { return zoom_; }

  public slots:
    /// Draws the view again, soon.
    void refresh();

  protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void draw();
    void go(int by);

    std::vector<Page> pages_;
    std::function<FigureText()> text_;
    std::size_t index_ = 0;
    double zoom_ = 1.8;
    QImage image_;
    QTimer soon_;
};

}  // namespace trainyard
