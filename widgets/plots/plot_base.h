#pragma once

#include <QRectF>

class QCustomPlot;
class QPainter;

namespace trainyard {

/// The one place that knows how a QCustomPlot looks here: colours of the theme in force, hairline grid, our type, no frame.
/// Call again after a theme switch.
void themePlot(QCustomPlot& plot);

/// Left axis in GiB: values are bytes, marks at 1, 2, 5 x 10^n GiB.
void useByteAxis(QCustomPlot& plot);

/// Draws the plot into `area` of any device, as vectors where the device keeps them.
void paintPlot(QCustomPlot& plot, QPainter& painter, const QRectF& area);

inline constexpr double kGib = 1024.0 * 1024.0 * 1024.0;

}  // namespace trainyard
