#include "widgets/style/theme.h"

#include <QApplication>
#include <QDirIterator>
#include <QFontDatabase>
#include <QFontInfo>
#include <QToolTip>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "widgets/style/trainyard_style.h"

namespace trainyard {
namespace {

QColor hex(unsigned rgb) { return QColor::fromRgb(rgb); }

Theme makeDark() {
    Theme t;
    t.kind = ThemeKind::dark;
    t.window = hex(0x14171c);
    t.canvas = hex(0x161a20);
    t.panel = hex(0x1b1f26);
    t.raised = hex(0x232831);
    t.hairline = hex(0x2e3540);
    t.gridDot = hex(0x20262f);
    t.text = hex(0xe8ebf0);
    t.secondaryText = hex(0x98a2b3);
    t.faintText = hex(0x667085);
    t.accent = hex(0x5aa9e6);
    t.onAccent = hex(0x0d1520);
    t.fits = hex(0x3fb68b);
    t.tight = hex(0xe0a63a);
    t.outOfMemory = hex(0xe86a57);  // a shade lighter than the token, which misses 4.5:1 on raised surfaces
    return t;
}

Theme makeLight() {
    Theme t;
    t.kind = ThemeKind::light;
    t.window = hex(0xf4f5f7);
    t.canvas = hex(0xfafbfc);
    t.panel = hex(0xffffff);
    t.raised = hex(0xf7f8fa);
    t.hairline = hex(0xdfe3e8);
    t.gridDot = hex(0xeceff3);
    t.text = hex(0x1a2029);
    t.secondaryText = hex(0x586272);
    t.faintText = hex(0x8a94a3);
    t.accent = hex(0x1f6fb2);
    t.onAccent = hex(0xffffff);
    // A shade darker than the token where the token misses 4.5:1 on white.
    t.fits = hex(0x187a56);
    t.tight = hex(0x8f6000);
    t.outOfMemory = hex(0xc23b2a);
    return t;
}

void addData(Theme& t) {
    t.forward = t.parameters = hex(0x4b9cd3);
    t.backwardInput = hex(0xe69f00);
    t.backwardWeight = t.activations = hex(0x2a9d78);
    t.communication = t.communicationBuffers = hex(0xcc79a7);
    t.idle = t.framework = hex(0x8a94a3);
    t.recompute = t.temporary = hex(0x8e7cc3);
    t.gradients = hex(0x7fc8f0);
    t.optimizer = hex(0xd95f02);
    t.logits = hex(0xe6c229);
}

double linear(double channel) { return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4); }

double gamma(double channel) {
    const double c = std::clamp(channel, 0.0, 1.0);
    return c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055;
}

/// WCAG relative luminance.
double luminance(const QColor& c) { return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF()); }

double contrast(const QColor& a, const QColor& b) {
    const double la = luminance(a);
    const double lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

QColor mix(const QColor& a, const QColor& b, double shareOfA) {
    const auto channel = [shareOfA](float x, float y) { return static_cast<float>(x * shareOfA + y * (1 - shareOfA)); };
    return QColor::fromRgbF(channel(a.redF(), b.redF()), channel(a.greenF(), b.greenF()), channel(a.blueF(), b.blueF()));
}

/// Oklab is perceptually even, so equal steps of hue look equally far apart (Ottosson 2020).
QColor fromOklch(double lightness, double chroma, double hueDegrees) {
    const double hue = hueDegrees * std::numbers::pi / 180;
    const double a = chroma * std::cos(hue);
    const double b = chroma * std::sin(hue);
    const double l = std::pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
    const double m = std::pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
    const double s = std::pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
    const double red = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s;
    const double green = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s;
    const double blue = -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s;
    return QColor::fromRgbF(static_cast<float>(gamma(red)), static_cast<float>(gamma(green)), static_cast<float>(gamma(blue)));
}

}  // namespace

const Theme& Theme::of(ThemeKind kind) {
    static const Theme dark = [] {
        Theme t = makeDark();
        addData(t);
        return t;
    }();
    static const Theme light = [] {
        Theme t = makeLight();
        addData(t);
        return t;
    }();
    return kind == ThemeKind::dark ? dark : light;
}

const Theme& Theme::current() {
    return of(QGuiApplication::palette().color(QPalette::Window).lightness() < 128 ? ThemeKind::dark : ThemeKind::light);
}

QColor Theme::category(int index, int count) const {
    const std::array<QColor, 4> named{forward, backwardInput, backwardWeight, communication};
    if (count <= 4) return named[static_cast<std::size_t>(index) % named.size()];
    // Hues run once around from blue; lightness alternates, so neighbours differ also without colour vision.
    const double turn = 320.0 * index / count;
    const double lightness = index % 2 == 0 ? 0.70 : 0.58;
    return fromOklch(lightness, 0.115, 245.0 + turn);
}

QColor Theme::fill(const QColor& data) const { return kind == ThemeKind::dark ? mix(data, panel, 0.86) : mix(data, panel, 0.80); }

QColor Theme::outline(const QColor& data) const {
    const QColor towards = kind == ThemeKind::dark ? QColor(Qt::white) : QColor(Qt::black);
    QColor result = data;
    for (double share = 0.95; share > 0.2 && contrast(result, panel) < 3.0; share -= 0.05) result = mix(data, towards, share);
    return result;
}

QPalette Theme::palette() const {
    QPalette p;
    p.setColor(QPalette::Window, panel);
    p.setColor(QPalette::WindowText, text);
    p.setColor(QPalette::Base, kind == ThemeKind::dark ? canvas : panel);
    p.setColor(QPalette::AlternateBase, raised);
    p.setColor(QPalette::Text, text);
    p.setColor(QPalette::PlaceholderText, faintText);
    p.setColor(QPalette::Button, raised);
    p.setColor(QPalette::ButtonText, text);
    p.setColor(QPalette::BrightText, outOfMemory);
    p.setColor(QPalette::Highlight, accent);
    p.setColor(QPalette::HighlightedText, onAccent);
    p.setColor(QPalette::Link, accent);
    p.setColor(QPalette::LinkVisited, accent);
    p.setColor(QPalette::ToolTipBase, raised);
    p.setColor(QPalette::ToolTipText, text);
    p.setColor(QPalette::Light, mix(raised, QColor(Qt::white), 0.9));
    p.setColor(QPalette::Midlight, raised);
    p.setColor(QPalette::Mid, hairline);
    p.setColor(QPalette::Dark, hairline);
    p.setColor(QPalette::Shadow, QColor(0, 0, 0, kind == ThemeKind::dark ? 160 : 60));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText})
        p.setColor(QPalette::Disabled, role, faintText);
    p.setColor(QPalette::Disabled, QPalette::Highlight, hairline);
    return p;
}

void Theme::apply(QApplication& application, ThemeKind kind) {
    static bool fontsLoaded = false;
    if (!fontsLoaded) {
        fontsLoaded = true;
        QDirIterator fonts(QStringLiteral(":/fonts"), {QStringLiteral("*.otf"), QStringLiteral("*.ttf")}, QDir::Files,
                           QDirIterator::Subdirectories);
        while (fonts.hasNext()) QFontDatabase::addApplicationFont(fonts.next());
        application.setStyle(new TrainyardStyle);  // owned by the application
    }
    application.setFont(type::font(type::kBody));
    application.setPalette(of(kind).palette());
    QToolTip::setPalette(of(kind).palette());
    QToolTip::setFont(type::font(type::kSecondary));
}

namespace type {
QFont font(int pixelSize, QFont::Weight weight) {
    QFont result(QStringList{QStringLiteral("Inter Tabular"), QStringLiteral("Inter"), QStringLiteral("DejaVu Sans")});
    result.setPixelSize(pixelSize);
    result.setWeight(weight);
    result.setHintingPreference(QFont::PreferNoHinting);
    return result;
}
}  // namespace type

}  // namespace trainyard
