#pragma once

#include <QIcon>

class QPainter;
class QRect;

namespace trainyard {

/// Icon of the bundled family (resources `:/icons/NAME.svg`), drawn in the colours of the theme in force at the moment of
/// painting, so a theme switch needs no new icons. An unknown name gives an icon that draws nothing.
[[nodiscard]] QIcon icon(const QString& name);

/// Draws the same icon in one colour.
void paintIcon(QPainter& painter, const QString& name, const QRect& rect, const QColor& colour);

}  // namespace trainyard
