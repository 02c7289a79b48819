#pragma once

#include <QWidget>

namespace trainyard {

/// What stands where there is nothing yet: a quiet icon and one sentence that says what to do.
class EmptyState : public QWidget {
    Q_OBJECT
  public:
    /// `icon`: name of a bundled icon, may be empty.
    EmptyState(const QString& icon, const QString& sentence, QWidget* parent = nullptr);
    void setSentence(const QString& sentence);

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    QString icon_;
    QString sentence_;
};

}  // namespace trainyard
