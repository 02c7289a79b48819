#pragma once

#include <QByteArray>
#include <QImage>
#include <QSize>
#include <QString>

class QPainter;
class QRectF;
class QWidget;

namespace trainyard {

/// What is written above and below an exported picture. Empty parts take no room.
struct FigureText {
    QString title;
    QString caption;
    QByteArray scenario = {};  ///< text of the scenario file that made it; kept inside the picture
};

/// A view that draws its picture itself, as vectors where it can. A widget that is none of these is drawn as it looks.
/// Painters cut their own rectangles at `area`: the SVG writer of Qt 6.4 has no clip paths.
class FigureSource {
  public:
    virtual ~FigureSource() = default;
    virtual void paintFigure(QPainter& painter, const QRectF& area) = 0;
};

/// True while painting to a device whose output is kept as vectors (SVG, PDF, pictures): no cached images, no effects.
[[nodiscard]] bool isVectorPainter(const QPainter& painter);

/// Writes `widget` as one picture; the format follows the suffix of `path` (png, svg, pdf). `size` is the whole picture in
/// logical pixels, title and caption included; an invalid size keeps the widget's own. `scale`: device pixels per logical
/// pixel of a PNG. Works for widgets that were never shown. A file that exists is replaced only when the new one is complete.
/// @return false if it could not be written; `*errorOrNull` then says why, in one sentence
bool exportFigure(QWidget& widget, const QString& path, QSize size = {}, const FigureText& text = {}, double scale = 1.0,
                  QString* errorOrNull = nullptr);

/// The picture itself, without a file.
[[nodiscard]] QImage figureImage(QWidget& widget, QSize size, const FigureText& text, double scale);

/// The scenario kept inside a PNG or SVG that was exported here; empty if there is none.
[[nodiscard]] QByteArray scenarioOfFigure(const QString& path);

/// Puts the same picture on the clipboard, as an image and as SVG.
void copyFigure(QWidget& widget, const FigureText& text = {}, double scale = 2.0);

/// Asks for a file name (PNG, SVG, PDF) and exports. Does nothing if the dialog is cancelled; a failure is shown in the dialog's
/// parent as a message.
void exportFigureInteractively(QWidget& widget, const QString& suggestedName, const FigureText& text = {});

}  // namespace trainyard
