#include "widgets/teach/formula_view.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "widgets/style/theme.h"

namespace trainyard {
namespace {

using Kind = FormulaNode::Kind;
using Piece = FormulaLayout::Piece;

QString utf8(const std::string& text) { return QString::fromStdString(text); }

/// What is drawn, with the origin on the baseline at the left.
struct Box {
    double width = 0;
    double ascent = 0;
    double descent = 0;
    std::vector<Piece> pieces;

    void add(const Box& other, double dx, double dy) {
        for (Piece piece : other.pieces) {
            piece.at += QPointF(dx, dy);
            piece.to += QPointF(dx, dy);
            pieces.push_back(std::move(piece));
        }
        ascent = std::max(ascent, other.ascent - dy);
        descent = std::max(descent, other.descent + dy);
        width = std::max(width, dx + other.width);
    }
    void append(const Box& other) { add(other, width, 0); }
};

class Builder {
  public:
    Builder(QFont font, FormulaLayout::Style style) : font_(std::move(font)), style_(style) {}

    Box build(const FormulaNode& node, double scale) const {
        switch (node.kind) {
            case Kind::number:
            case Kind::text: return glyphs(utf8(node.text), scale, false);
            case Kind::symbol: return symbol(node.text, scale);
            case Kind::sum: return joined(node, QStringLiteral(" + "), scale);
            case Kind::difference: return joined(node, QStringLiteral(" − "), scale);
            case Kind::product: return joined(node, QStringLiteral(" · "), scale);
            case Kind::quotient: return quotient(node, scale);
            case Kind::power: return power(node, scale);
            case Kind::negative: {
                Box box = glyphs(QStringLiteral("−"), scale, false);
                box.append(build(node.parts[0], scale));
                return box;
            }
            case Kind::group: return fenced(QStringLiteral("("), build(node.parts[0], scale), QStringLiteral(")"), scale);
            case Kind::relation: return joined(node, QStringLiteral(" %1 ").arg(sign(node.text)), scale);
            case Kind::call: return call(node, scale);
        }
        return {};
    }

    /// Parts that may stand on lines of their own.
    std::vector<Box> chunks(const FormulaNode& node) const {
        std::vector<Box> out;
        if (node.kind == Kind::relation) {
            out = chunks(node.parts[0]);
            std::vector<Box> right = chunks(node.parts[1]);
            Box first = glyphs(QStringLiteral(" %1 ").arg(sign(node.text)), 1, false);
            first.append(right.front());
            right.front() = std::move(first);
            out.insert(out.end(), right.begin(), right.end());
            return out;
        }
        if (node.kind == Kind::sum) {
            for (std::size_t i = 0; i < node.parts.size(); ++i) {
                Box box = i == 0 ? Box{} : glyphs(QStringLiteral(" + "), 1, false);
                box.append(build(node.parts[i], 1));
                out.push_back(std::move(box));
            }
            return out;
        }
        return {build(node, 1)};
    }

    static QString sign(const std::string& text) {
        if (text == "<=") return QStringLiteral("≤");
        if (text == ">=") return QStringLiteral("≥");
        if (text == "==") return QStringLiteral("=");
        return utf8(text);
    }

  private:
    QFont fontAt(double scale, bool italic) const {
        QFont font = font_;
        font.setPixelSize(std::max(8, static_cast<int>(std::lround(font_.pixelSize() * scale))));
        font.setItalic(italic);
        return font;
    }
    Box glyphs(const QString& text, double scale, bool italic) const {
        Box box;
        const QFont font = fontAt(scale, italic);
        const QFontMetricsF metrics(font);
        box.width = metrics.horizontalAdvance(text);
        box.ascent = metrics.ascent() * 0.85;
        box.descent = metrics.descent();
        box.pieces.push_back({QPointF(0, 0), text, font, {}});
        return box;
    }
    Box symbol(const std::string& name, double scale) const {
        const SymbolParts parts = symbolParts(name);
        Box box = glyphs(utf8(parts.base), scale, parts.base.size() <= 2);
        if (parts.index.empty()) return box;
        const Box index = glyphs(utf8(parts.index), scale * 0.72, false);
        box.add(index, box.width + 0.5, font_.pixelSize() * scale * 0.22);
        return box;
    }
    Box joined(const FormulaNode& node, const QString& between, double scale) const {
        Box box;
        for (std::size_t i = 0; i < node.parts.size(); ++i) {
            if (i > 0) box.append(glyphs(between, scale, false));
            box.append(build(node.parts[i], scale));
        }
        return box;
    }
    Box quotient(const FormulaNode& node, double scale) const {
        if (style_ == FormulaLayout::Style::inLine || scale < 0.6) return joined(node, QStringLiteral(" / "), scale);
        const auto bare = [](const FormulaNode& part) -> const FormulaNode& {
            return part.kind == Kind::group ? part.parts[0] : part;
        };
        const double small = scale * 0.9;
        const Box top = build(bare(node.parts[0]), small);
        const Box bottom = build(bare(node.parts[1]), small);
        const double axis = -font_.pixelSize() * scale * 0.28;
        const double width = std::max(top.width, bottom.width) + 6;
        Box box;
        box.add(top, 2 + (width - top.width) / 2, axis - 3 - top.descent);
        box.add(bottom, 2 + (width - bottom.width) / 2, axis + 3 + bottom.ascent);
        box.pieces.push_back({QPointF(2, axis), {}, {}, QPointF(2 + width, axis)});
        box.width = width + 4;
        return box;
    }
    Box power(const FormulaNode& node, double scale) const {
        Box box = build(node.parts[0], scale);
        const FormulaNode& exponent = node.parts[1].kind == Kind::group ? node.parts[1].parts[0] : node.parts[1];
        box.add(build(exponent, scale * 0.72), box.width + 1, -font_.pixelSize() * scale * 0.4);
        return box;
    }
    Box fenced(const QString& open, const Box& inside, const QString& close, double scale) const {
        // A bracket as tall as what it holds.
        const double tall = std::max(1.0, (inside.ascent + inside.descent) / (font_.pixelSize() * scale * 1.25));
        const double bracket = scale * std::min(3.0, tall);
        const double middle = (inside.descent - inside.ascent) / 2;
        Box box;
        const auto put = [&](const QString& text) {
            const Box glyph = glyphs(text, bracket, false);
            Box plain = glyph;
            plain.ascent = inside.ascent;
            plain.descent = inside.descent;
            const double dy = tall > 1.05 ? middle + (glyph.ascent - glyph.descent) / 2 : 0;
            plain.pieces.front().at += QPointF(0, dy);
            box.append(plain);
        };
        put(open);
        box.append(inside);
        put(close);
        return box;
    }
    Box call(const FormulaNode& node, double scale) const {
        const Box inside = joined(node, QStringLiteral(", "), scale);
        if (node.text == "ceil") return fenced(QStringLiteral("⌈"), inside, QStringLiteral("⌉"), scale);
        if (node.text == "floor") return fenced(QStringLiteral("⌊"), inside, QStringLiteral("⌋"), scale);
        if (node.text == "sqrt") {
            Box box = glyphs(QStringLiteral("√"), scale, false);
            const double top = -inside.ascent - 1;
            const double from = box.width;
            box.append(inside);
            box.pieces.push_back({QPointF(from, top), {}, {}, QPointF(box.width, top)});
            return box;
        }
        Box box;
        if (node.text == "log2") {
            box = glyphs(QStringLiteral("log"), scale, false);
            box.add(glyphs(QStringLiteral("2"), scale * 0.72, false), box.width, font_.pixelSize() * scale * 0.22);
        } else {
            box = glyphs(node.text == "sum" ? QStringLiteral("Σ") : utf8(node.text), scale, false);
        }
        box.append(fenced(QStringLiteral("("), inside, QStringLiteral(")"), scale));
        return box;
    }

    QFont font_;
    FormulaLayout::Style style_;
};

void speak(const FormulaNode& node, QString& out) {
    const auto between = [&](const char* sign) {
        for (std::size_t i = 0; i < node.parts.size(); ++i) {
            if (i > 0) out += QLatin1String(sign);
            speak(node.parts[i], out);
        }
    };
    switch (node.kind) {
        case Kind::number:
        case Kind::text:
        case Kind::symbol: out += utf8(node.text); return;
        case Kind::sum: return between(" + ");
        case Kind::difference: return between(" - ");
        case Kind::product: return between(" * ");
        case Kind::quotient: return between(" / ");
        case Kind::power: return between("^");
        case Kind::negative: out += QLatin1Char('-'); return between("");
        case Kind::relation: return between((" " + node.text + " ").c_str());
        case Kind::call: out += utf8(node.text); [[fallthrough]];
        case Kind::group:
            out += QLatin1Char('(');
            between(", ");
            out += QLatin1Char(')');
            return;
    }
}

}  // namespace

FormulaLayout::FormulaLayout(const FormulaNode& formula, const QFont& font, Style style, double width) {
    const Builder builder(font, style);
    std::vector<Box> lines;
    if (width > 0) {
        for (Box& chunk : builder.chunks(formula)) {
            if (lines.empty() || (lines.back().width + chunk.width > width && lines.back().width > 40)) {
                Box line;
                line.width = lines.empty() ? 0 : 24;
                lines.push_back(std::move(line));
            }
            lines.back().append(chunk);
        }
    } else {
        lines.push_back(builder.build(formula, 1));
    }
    double top = 0;
    for (Box& line : lines) {
        for (Piece& piece : line.pieces) {
            piece.at += QPointF(0, top + line.ascent);
            piece.to += QPointF(0, top + line.ascent);
            pieces_.push_back(std::move(piece));
        }
        size_ = size_.expandedTo(QSizeF(line.width, 0));
        top += line.ascent + line.descent + 4;
    }
    size_.setHeight(std::max(0.0, top - 4));
}

void FormulaLayout::paint(QPainter& painter, QPointF topLeft) const {
    painter.save();
    QPen pen = painter.pen();
    pen.setWidthF(1);
    painter.setPen(pen);
    for (const Piece& piece : pieces_) {
        if (piece.text.isEmpty()) {
            painter.drawLine(topLeft + piece.at, topLeft + piece.to);
        } else {
            painter.setFont(piece.font);
            painter.drawText(topLeft + piece.at, piece.text);
        }
    }
    painter.restore();
}

QString formulaText(const FormulaNode& formula) {
    QString out;
    speak(formula, out);
    return out;
}

FormulaView::FormulaView(QWidget* parent) : QWidget(parent) {
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void FormulaView::setFormulas(std::vector<FormulaNode> formulas) {
    formulas_ = std::move(formulas);
    QStringList spoken;
    for (const FormulaNode& formula : formulas_) spoken << formulaText(formula);
    setAccessibleName(spoken.join(QStringLiteral("; ")));
    updateGeometry();
    update();
}

void FormulaView::setPixelSize(int pixelSize) {
    pixelSize_ = pixelSize;
    updateGeometry();
    update();
}

int FormulaView::heightForWidth(int width) const {
    double height = 0;
    for (const FormulaNode& formula : formulas_)
        height += FormulaLayout(formula, type::font(pixelSize_), FormulaLayout::Style::display, width).size().height() + 8;
    return static_cast<int>(std::ceil(height));
}

QSize FormulaView::sizeHint() const { return {320, heightForWidth(width() > 80 ? width() : 320)}; }

void FormulaView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(palette().color(QPalette::WindowText));
    double top = 2;
    for (const FormulaNode& formula : formulas_) {
        const FormulaLayout layout(formula, type::font(pixelSize_), FormulaLayout::Style::display, width());
        layout.paint(painter, QPointF(0, top));
        top += layout.size().height() + 8;
    }
}

}  // namespace trainyard
