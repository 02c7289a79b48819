#pragma once

#include <QWidget>
#include <functional>
#include <utility>
#include <vector>

class QVBoxLayout;

namespace trainyard {

/// Messages of the program that need no answer: each a line with buttons and a cross, newest on top, gone when dismissed.
class NoticeBar : public QWidget {
    Q_OBJECT
  public:
    enum class Kind : std::uint8_t { information, problem };
    struct Offer {
        QString text;
        std::function<void()> accept;
    };
    explicit NoticeBar(QWidget* parent = nullptr);

    /// `lifetimeMs` 0: stays until dismissed. At most kShown lines; the oldest goes.
    void show(Kind kind, const QString& message, const std::vector<Offer>& offers = {}, int lifetimeMs = 0);
    void clear();
    [[nodiscard]] int count() const;
    [[nodiscard]] QString message(int index) const;

  private:
    static constexpr int kShown = 3;
    QVBoxLayout* layout_;
};

}  // namespace trainyard
