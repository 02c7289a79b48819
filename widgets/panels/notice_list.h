#pragma once

#include <QWidget>
#include <vector>

#include "core/base/diagnostic.h"

class QVBoxLayout;

namespace trainyard {

/// Findings about the plan, worst first, each with buttons that set the nearest legal values.
class NoticeList : public QWidget {
    Q_OBJECT
  public:
    explicit NoticeList(QWidget* parent = nullptr);
    void setDiagnostics(const std::vector<Diagnostic>& diagnostics);
    /// A message of the moment (a refused value), shown above all others until dismissed or the next change.
    void setRefusal(const Diagnostic& refusal);
    void clearRefusal();
    [[nodiscard]] int count() const { return static_cast<int>(diagnostics_.size()) + (refused_ ? 1 : 0); }

  signals:
    void fixRequested(const std::string& pointer, qint64 number);

  private:
    void rebuild();

    std::vector<Diagnostic> diagnostics_;
    Diagnostic refusal_;
    bool refused_ = false;
    QVBoxLayout* layout_;
};

}  // namespace trainyard
