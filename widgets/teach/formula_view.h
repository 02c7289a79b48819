#pragma once

#include <QFont>
#include <QPointF>
#include <QSizeF>
#include <QString>
#include <QWidget>
#include <vector>

#include "core/base/formula.h"

class QPainter;

namespace trainyard {

/// A formula laid out for painting: fractions, indices, powers, roots, Greek letters.
class FormulaLayout {
  public:
    enum class Style : std::uint8_t {
        display,  ///< fractions stand upright
        inLine,   ///< fractions with a slash, one line high
    };
    /// Breaks sums at the top level into lines of at most `width` pixels; 0: never.
    FormulaLayout(const FormulaNode& formula, const QFont& font, Style style, double width = 0);

    [[nodiscard]] QSizeF size() const { return size_; }
    /// In the painter's pen; `topLeft` of the whole.
    void paint(QPainter& painter, QPointF topLeft) const;

    struct Piece {
        QPointF at;  ///< baseline of text, start of a rule
        QString text;
        QFont font;
        QPointF to;  ///< end of a rule; used if `text` is empty
    };

  private:
    std::vector<Piece> pieces_;
    QSizeF size_;
};

/// The formula as text that a screen reader can say: `beta = (p - 1) / m`.
[[nodiscard]] QString formulaText(const FormulaNode& formula);

/// Formulas one below the other. The renderer of explanations and glossary.
class FormulaView : public QWidget {
    Q_OBJECT
  public:
    explicit FormulaView(QWidget* parent = nullptr);
    void setFormulas(std::vector<FormulaNode> formulas);
    void setPixelSize(int pixelSize);

    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {80, 20}; }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    std::vector<FormulaNode> formulas_;
    int pixelSize_ = 16;
};

}  // namespace trainyard
