#include "widgets/style/icons.h"

#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>

#include "widgets/style/theme.h"

namespace trainyard {
namespace {

class TintedIconEngine : public QIconEngine {
  public:
    explicit TintedIconEngine(QString name) : name_(std::move(name)) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
        const Theme& theme = Theme::current();
        QColor colour = theme.text;
        if (mode == QIcon::Disabled) colour = theme.faintText;
        if (mode == QIcon::Selected) colour = theme.onAccent;
        paintIcon(*painter, name_, rect, colour);
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        return scaledPixmap(size, mode, state, 1);
    }

    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal) override {
        QPixmap result(size);
        result.fill(Qt::transparent);
        QPainter painter(&result);
        paint(&painter, QRect(QPoint(0, 0), size), mode, state);
        return result;
    }

    QIconEngine* clone() const override { return new TintedIconEngine(name_); }

  private:
    QString name_;
};

}  // namespace

QIcon icon(const QString& name) { return QIcon(new TintedIconEngine(name)); }

void paintIcon(QPainter& painter, const QString& name, const QRect& rect, const QColor& colour) {
    QFile file(QStringLiteral(":/icons/") + name + QStringLiteral(".svg"));
    if (!file.open(QIODevice::ReadOnly)) return;
    QByteArray svg = file.readAll();
    svg.replace("currentColor", colour.name(QColor::HexRgb).toLatin1());
    QSvgRenderer renderer(svg);
    renderer.setAspectRatioMode(Qt::KeepAspectRatio);
    renderer.render(&painter, QRectF(rect));
}

}  // namespace trainyard
