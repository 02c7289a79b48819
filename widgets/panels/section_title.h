#pragma once

#include <QLabel>

namespace trainyard {

/// "PLAN": the small heading of a panel, with an optional fact at its right end.
class SectionTitle : public QWidget {
    Q_OBJECT
  public:
    explicit SectionTitle(const QString& title, QWidget* parent = nullptr);
    void setTitle(const QString& title);
    void setFact(const QString& fact);
    [[nodiscard]] QString fact() const { return fact_; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    QString title_;
    QString fact_;
};

}  // namespace trainyard
