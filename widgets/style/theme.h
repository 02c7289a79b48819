#pragma once

#include <QColor>
#include <QFont>
#include <QPalette>
#include <cstdint>

class QApplication;

namespace trainyard {

enum class ThemeKind : std::uint8_t { dark, light };

/// Colours and type of the program, by role (design tokens). Views take colours from here only; same thing, same colour.
struct Theme {
    ThemeKind kind = ThemeKind::dark;

    QColor window, canvas, panel, raised, hairline, gridDot;
    QColor text, secondaryText, faintText, accent, onAccent;
    QColor fits, tight, outOfMemory;

    // data
    QColor forward, backwardInput, backwardWeight, communication, idle, recompute;
    QColor parameters, gradients, optimizer, activations, logits, temporary, communicationBuffers, framework;

    /// Colour of member `index` of `count` (stages, tensor ranks, ...): the four named ones, then an even ramp.
    [[nodiscard]] QColor category(int index, int count) const;
    /// Fill for large areas of this data colour on this theme (light: paler).
    [[nodiscard]] QColor fill(const QColor& data) const;
    /// Outline that keeps 3:1 contrast against the panel.
    [[nodiscard]] QColor outline(const QColor& data) const;

    [[nodiscard]] QPalette palette() const;

    [[nodiscard]] static const Theme& of(ThemeKind kind);
    /// The theme in force, from the application palette.
    [[nodiscard]] static const Theme& current();
    /// Palette, style (Fusion with our proxy), style sheet and bundled font for the whole application.
    static void apply(QApplication& application, ThemeKind kind);
};

/// Type scale in pixels at scale 1.
namespace type {
inline constexpr int kCaption = 11;  // 10.5 rounded up where Qt needs whole pixels
inline constexpr int kSecondary = 12;
inline constexpr int kBody = 13;
inline constexpr int kStrong = 14;
inline constexpr int kHeadline = 21;
[[nodiscard]] QFont font(int pixelSize, QFont::Weight weight = QFont::Normal);
}  // namespace type

/// Spacing grid.
namespace space {
inline constexpr int kUnit = 4;
inline constexpr int kPanelPadding = 12;
inline constexpr int kRowHeight = 34;
inline constexpr int kMarkRadius = 4;
inline constexpr int kControlRadius = 7;
inline constexpr int kBlockRadius = 10;
}  // namespace space

}  // namespace trainyard
