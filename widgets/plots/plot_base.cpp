#include "widgets/plots/plot_base.h"

#include <qcustomplot.h>

#include <QPicture>
#include <cmath>

#include "widgets/style/byte_units.h"
#include "widgets/style/theme.h"

namespace trainyard {
namespace {

/// Marks at round numbers of a unit that is no power of ten of the axis' own.
class UnitTicker : public QCPAxisTicker {
  public:
  protected:
    double getTickStep(const QCPRange& range) override {
        const double least = range.size() / gigaBytes() / std::max(2, tickCount());
        const double power = std::pow(10.0, std::floor(std::log10(least)));
        for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
            if (factor * power >= least * (1 - 1e-9)) return factor * power * gigaBytes();
        }
        return power * gigaBytes();
    }
    int getSubTickCount(double) override { return 0; }
    QString getTickLabel(double tick, const QLocale&, QChar, int) override {
        const double value = tick / gigaBytes();
        return QString::number(std::abs(value) < 1e-9 ? 0.0 : value, 'g', 4);
    }
};

}  // namespace

void themePlot(QCustomPlot& plot) {
    const Theme& theme = Theme::current();
    plot.setBackground(QBrush(theme.panel));
    plot.setNoAntialiasingOnDrag(false);
    plot.setAntialiasedElements(QCP::aeScatters | QCP::aeFills);
    plot.setNotAntialiasedElements(QCP::aeAxes | QCP::aeGrid);
    for (QCPAxisRect* rect : plot.axisRects()) {
        for (QCPAxis* axis : rect->axes()) {
            axis->setTickLabelFont(type::font(type::kCaption));
            axis->setTickLabelColor(theme.secondaryText);
            axis->setLabelFont(type::font(type::kCaption));
            axis->setLabelColor(theme.secondaryText);
            axis->setBasePen(QPen(theme.hairline, 1));
            axis->setTickPen(QPen(theme.hairline, 1));
            axis->setSubTicks(false);
            axis->setTickLength(0, 0);
            axis->grid()->setPen(QPen(theme.hairline, 1));
            axis->grid()->setZeroLinePen(QPen(theme.hairline, 1));
        }
        rect->axis(QCPAxis::atBottom)->grid()->setVisible(false);
        rect->axis(QCPAxis::atLeft)->setBasePen(Qt::NoPen);
        rect->axis(QCPAxis::atLeft)->setTickLabelPadding(6);
        rect->axis(QCPAxis::atBottom)->setTickLabelPadding(5);
    }
}

void useByteAxis(QCustomPlot& plot) {
    const auto ticker = QSharedPointer<UnitTicker>::create();
    ticker->setTickCount(5);
    plot.yAxis->setTicker(ticker);
}

void paintPlot(QCustomPlot& plot, QPainter& painter, const QRectF& area) {
    // The plot's own painter class is needed; a picture in between keeps everything as vectors.
    QPicture picture;
    QCPPainter recorder;
    recorder.begin(&picture);
    recorder.setMode(QCPPainter::pmVectorized);
    recorder.setMode(QCPPainter::pmNoCaching);
    plot.toPainter(&recorder, static_cast<int>(area.width()), static_cast<int>(area.height()));
    recorder.end();
    painter.save();
    painter.translate(area.topLeft());
    // A picture is scaled to the resolution of its target; ours are laid out in the painter's own units already.
    const QPaintDevice& target = *painter.device();
    painter.scale(static_cast<double>(picture.logicalDpiX()) / target.logicalDpiX(),
                  static_cast<double>(picture.logicalDpiY()) / target.logicalDpiY());
    painter.drawPicture(0, 0, picture);
    painter.restore();
}

}  // namespace trainyard
