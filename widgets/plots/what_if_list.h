#pragma once

#include <QAbstractButton>
#include <QWidget>
#include <optional>
#include <vector>

#include "core/engine/what_if.h"

class QLabel;
class QVBoxLayout;

namespace trainyard {

/// One change that would free memory: what, how much, at what cost in time. Pointing at it previews, pressing makes it.
class WhatIfRow : public QAbstractButton {
    Q_OBJECT
  public:
    explicit WhatIfRow(QWidget* parent = nullptr);
    void setChange(const WhatIf& change);
    [[nodiscard]] QSize sizeHint() const override;

  signals:
    void pointedAt(bool isPointedAt);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

  private:
    QString saved_;
    QString cost_;
    bool costsTime_ = false;
    MemoryVerdict verdict_ = MemoryVerdict::fits;
};

/// The few changes that would free most memory, as buttons.
class WhatIfList : public QWidget {
    Q_OBJECT
  public:
    explicit WhatIfList(QWidget* parent = nullptr);

    void setChanges(std::vector<WhatIf> changes);
    [[nodiscard]] const std::vector<WhatIf>& changes() const { return changes_; }
    /// Rows shown at most.
    void setMostRows(int rows);
    [[nodiscard]] WhatIfRow& row(int index) { return *rows_[static_cast<std::size_t>(index)]; }

  signals:
    void previewed(std::optional<int> index);
    void chosen(int index);

  private:
    void refresh();

    QVBoxLayout* layout_;
    QLabel* heading_;
    std::vector<WhatIf> changes_;
    std::vector<WhatIfRow*> rows_;
    int mostRows_ = 3;
};

}  // namespace trainyard
