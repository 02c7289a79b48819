#pragma once

#include <QScrollArea>

namespace trainyard {

class NoticeList;

/// The notices at the foot of a panel: as high as they need, up to a limit, then they scroll.
class NoticeArea : public QScrollArea {
    Q_OBJECT
  public:
    explicit NoticeArea(QWidget* parent = nullptr);
    [[nodiscard]] NoticeList* list() const { return list_; }
    /// Shows or hides itself and asks for the height that the list now needs.
    void fit();

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] int heightForWidth(int width) const override;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    NoticeList* list_;
};

}  // namespace trainyard
