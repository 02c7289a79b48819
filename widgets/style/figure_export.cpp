#include "widgets/style/figure_export.h"

#include <QApplication>
#include <QBuffer>
#include <QClipboard>
#include <QFileDialog>
#include <QFile>
#include <QFileInfo>
#include <QFontMetricsF>
#include <QImage>
#include <QImageReader>
#include <QLayout>
#include <QMessageBox>
#include <QMimeData>
#include <QPageSize>
#include <QPaintEngine>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>
#include <QWidget>
#include <algorithm>
#include <cmath>

#include "widgets/style/theme.h"

namespace trainyard {
namespace {

constexpr qreal kMargin = 16;
constexpr int kSvgDotsPerInch = 96;  // one user unit is one CSS pixel; Qt's default of 72 makes text too small
constexpr int kPdfDotsPerInch = 1200;
constexpr int kMaximumSide = 16384;

QFont titleFont() { return type::font(type::kStrong, QFont::DemiBold); }
QFont captionFont() { return type::font(type::kSecondary); }

/// Height of a wrapped text of this width.
qreal textHeight(const QFont& font, const QString& text, qreal width) {
    if (text.isEmpty()) return 0;
    return std::ceil(QFontMetricsF(font).boundingRect(QRectF(0, 0, width, 10000), Qt::TextWordWrap, text).height());
}

struct FigureLayout {
    QRectF title;
    QRectF body;
    QRectF caption;
};

FigureLayout layoutFigure(QSizeF size, const FigureText& text) {
    FigureLayout result;
    const qreal inner = std::max<qreal>(1, size.width() - 2 * kMargin);
    qreal top = 0;
    qreal bottom = size.height();
    if (!text.title.isEmpty()) {
        const qreal height = textHeight(titleFont(), text.title, inner);
        result.title = QRectF(kMargin, kMargin - 4, inner, height);
        top = result.title.bottom() + 8;
    }
    if (!text.caption.isEmpty()) {
        const qreal height = textHeight(captionFont(), text.caption, inner);
        result.caption = QRectF(kMargin, bottom - height - kMargin + 4, inner, height);
        bottom = result.caption.top() - 8;
    }
    result.body = QRectF(0, top, size.width(), std::max<qreal>(1, bottom - top));
    return result;
}

/// Size of the whole picture whose body has the size of the widget.
QSize sizeAround(const QWidget& widget, const FigureText& text) {
    const QSize body = widget.size().isEmpty() ? widget.sizeHint() : widget.size();
    const FigureLayout probe = layoutFigure(QSizeF(body.width(), 10000), text);
    return {body.width(), body.height() + static_cast<int>(std::ceil(10000 - probe.body.height()))};
}

/// Gives the widget a size for the time of one picture.
class TemporarySize {
  public:
    TemporarySize(QWidget& widget, QSize size) : widget_(widget), before_(widget.size()), changed_(widget.size() != size) {
        widget_.ensurePolished();
        if (changed_) widget_.resize(size);
        for (QWidget* child : widget_.findChildren<QWidget*>()) child->ensurePolished();
        if (widget_.layout() != nullptr) widget_.layout()->activate();
        // Headers of tables and scroll areas take their places when they are shown.
        if (widget_.isWindow() && !widget_.isVisible() && !widget_.testAttribute(Qt::WA_DontShowOnScreen)) {
            shown_ = true;
            widget_.setAttribute(Qt::WA_DontShowOnScreen);
            widget_.show();
            QCoreApplication::sendPostedEvents();
        }
    }
    ~TemporarySize() {
        if (shown_) {
            widget_.hide();
            widget_.setAttribute(Qt::WA_DontShowOnScreen, false);
        }
        if (changed_ && widget_.isVisible()) widget_.resize(before_);
    }
    TemporarySize(const TemporarySize&) = delete;
    TemporarySize& operator=(const TemporarySize&) = delete;

  private:
    QWidget& widget_;
    QSize before_;
    bool changed_;
    bool shown_ = false;
};

void paintWhole(QPainter& painter, QWidget& widget, QSize size, const FigureText& text) {
    const Theme& theme = Theme::current();
    const FigureLayout layout = layoutFigure(size, text);
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    painter.fillRect(QRectF(QPointF(0, 0), QSizeF(size)), theme.panel);
    if (!layout.title.isEmpty()) {
        painter.setFont(titleFont());
        painter.setPen(theme.text);
        painter.drawText(layout.title, Qt::TextWordWrap, text.title);
    }
    if (!layout.caption.isEmpty()) {
        painter.setFont(captionFont());
        painter.setPen(theme.secondaryText);
        painter.drawText(layout.caption, Qt::TextWordWrap, text.caption);
    }
    if (auto* source = dynamic_cast<FigureSource*>(&widget)) {
        painter.save();
        source->paintFigure(painter, layout.body);
        painter.restore();
        return;
    }
    const TemporarySize sized(widget, layout.body.size().toSize());
    widget.render(&painter, layout.body.topLeft().toPoint(), {}, QWidget::DrawWindowBackground | QWidget::DrawChildren);
}

constexpr const char* kScenarioKey = "trainyard.scenario";

QImage toImage(QWidget& widget, QSize size, const FigureText& text, double scale) {
    QImage image(QSize(static_cast<int>(std::lround(size.width() * scale)), static_cast<int>(std::lround(size.height() * scale))),
                 QImage::Format_ARGB32_Premultiplied);
    if (image.isNull()) return image;
    image.setDevicePixelRatio(scale);
    image.fill(Theme::current().panel);
    QPainter painter(&image);
    paintWhole(painter, widget, size, text);
    painter.end();
    if (!text.scenario.isEmpty()) image.setText(QString::fromLatin1(kScenarioKey), QString::fromUtf8(text.scenario));
    return image;
}

/// Title and description go into the file as they are (Qt 6.4 does not escape them), so they must not hold markup.
QString withoutMarkup(QString text) {
    return text.replace(QLatin1Char('<'), QChar(0x2039)).replace(QLatin1Char('>'), QChar(0x203a)).replace(QLatin1Char('&'), QChar(0xff06));
}

QByteArray toSvg(QWidget& widget, QSize size, const FigureText& text) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(kSvgDotsPerInch);
    generator.setSize(size);
    generator.setViewBox(QRect(QPoint(0, 0), size));
    generator.setTitle(text.title.isEmpty() ? QStringLiteral("Trainyard") : withoutMarkup(text.title));
    QString description = withoutMarkup(text.caption);
    if (!text.scenario.isEmpty())
        description += QStringLiteral("\n%1:%2").arg(QString::fromLatin1(kScenarioKey), QString::fromLatin1(text.scenario.toBase64()));
    generator.setDescription(description);
    QPainter painter(&generator);
    paintWhole(painter, widget, size, text);
    painter.end();
    return buffer.data();
}

QByteArray toPdf(QWidget& widget, QSize size, const FigureText& text) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setTitle(text.title);
    writer.setCreator(QStringLiteral("Trainyard"));
    if (!text.scenario.isEmpty())
        writer.addFileAttachment(QStringLiteral("scenario.trainyard.json"), text.scenario, QStringLiteral("application/json"));
    writer.setResolution(kPdfDotsPerInch);
    constexpr qreal kPointsPerPixel = 72.0 / kSvgDotsPerInch;
    writer.setPageSize(QPageSize(QSizeF(size) * kPointsPerPixel, QPageSize::Point, QString(), QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF(0, 0, 0, 0));
    QPainter painter(&writer);
    painter.scale(static_cast<qreal>(kPdfDotsPerInch) / kSvgDotsPerInch, static_cast<qreal>(kPdfDotsPerInch) / kSvgDotsPerInch);
    paintWhole(painter, widget, size, text);
    painter.end();
    return buffer.data();
}

bool fail(QString* errorOrNull, const QString& message) {
    if (errorOrNull != nullptr) *errorOrNull = message;
    return false;
}

}  // namespace

bool isVectorPainter(const QPainter& painter) {
    const QPaintEngine* engine = painter.paintEngine();
    return engine != nullptr && (engine->type() == QPaintEngine::SVG || engine->type() == QPaintEngine::Pdf ||
                                 engine->type() == QPaintEngine::Picture);
}

bool exportFigure(QWidget& widget, const QString& path, QSize size, const FigureText& text, double scale, QString* errorOrNull) {
    const QString suffix = QFileInfo(path).suffix().toLower();
    if (!size.isValid() || size.isEmpty()) size = sizeAround(widget, text);
    if (size.width() > kMaximumSide || size.height() > kMaximumSide) {
        return fail(
            errorOrNull,
            QCoreApplication::translate("FigureExport", "A picture may be at most %1 pixels wide and high.").arg(kMaximumSide));
    }
    QByteArray bytes;
    if (suffix == QLatin1String("svg")) {
        bytes = toSvg(widget, size, text);
    } else if (suffix == QLatin1String("pdf")) {
        bytes = toPdf(widget, size, text);
    } else if (suffix == QLatin1String("png")) {
        QBuffer buffer(&bytes);
        buffer.open(QIODevice::WriteOnly);
        if (!toImage(widget, size, text, scale).save(&buffer, "PNG")) {
            return fail(errorOrNull,
                        QCoreApplication::translate("FigureExport", "The picture is too large for the memory of this machine."));
        }
    } else {
        return fail(errorOrNull,
                    QCoreApplication::translate("FigureExport", "%1: the file name must end in .png, .svg or .pdf.").arg(path));
    }
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit()) {
        return fail(errorOrNull,
                    QCoreApplication::translate("FigureExport", "%1: cannot be written: %2.").arg(path, file.errorString()));
    }
    return true;
}

QImage figureImage(QWidget& widget, QSize size, const FigureText& text, double scale) { return toImage(widget, size, text, scale); }

QByteArray scenarioOfFigure(const QString& path) {
    constexpr qint64 kLargest = 64 << 20;
    const QString suffix = QFileInfo(path).suffix().toLower();
    if (QFileInfo(path).size() > kLargest) return {};
    if (suffix == QLatin1String("png")) return QImageReader(path).text(QString::fromLatin1(kScenarioKey)).toUtf8();
    QFile file(path);
    if (suffix != QLatin1String("svg") || !file.open(QIODevice::ReadOnly)) return {};
    const QByteArray svg = file.readAll();
    const QByteArray key = QByteArray(kScenarioKey) + ':';
    const auto begin = svg.indexOf(key);
    if (begin < 0) return {};
    const auto end = svg.indexOf('<', begin);
    return QByteArray::fromBase64(svg.mid(begin + key.size(), end - begin - key.size()).trimmed());
}

void copyFigure(QWidget& widget, const FigureText& text, double scale) {
    const QSize size = sizeAround(widget, text);
    auto* data = new QMimeData;  // the clipboard takes it over
    data->setImageData(toImage(widget, size, text, scale));
    data->setData(QStringLiteral("image/svg+xml"), toSvg(widget, size, text));
    QApplication::clipboard()->setMimeData(data);
}

void exportFigureInteractively(QWidget& widget, const QString& suggestedName, const FigureText& text) {
    const QString path = QFileDialog::getSaveFileName(
        widget.window(), QCoreApplication::translate("FigureExport", "Export picture"), suggestedName + QStringLiteral(".svg"),
        QCoreApplication::translate("FigureExport", "Pictures (*.svg *.png *.pdf)"));
    if (path.isEmpty()) return;
    QString error;
    if (!exportFigure(widget, path, {}, text, 2.0, &error)) {
        auto* box = new QMessageBox(QMessageBox::Warning, QCoreApplication::translate("FigureExport", "Export picture"), error,
                                    QMessageBox::Ok, widget.window());
        box->setAttribute(Qt::WA_DeleteOnClose);
        box->open();
    }
}

}  // namespace trainyard
