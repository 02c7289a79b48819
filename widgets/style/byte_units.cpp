#include "widgets/style/byte_units.h"

#include <QCoreApplication>
#include <QVariant>

namespace trainyard {
namespace {
constexpr const char* kProperty = "trainyardDecimalBytes";
}

ByteUnits displayUnits() {
    const QCoreApplication* application = QCoreApplication::instance();
    return application != nullptr && application->property(kProperty).toBool() ? ByteUnits::decimal : ByteUnits::binary;
}

void setDisplayUnits(ByteUnits units) {
    if (QCoreApplication* application = QCoreApplication::instance()) application->setProperty(kProperty, units == ByteUnits::decimal);
}

QuantityText shownBytes(double bytes) { return bytesText(bytes, displayUnits()); }

QString bothBytes(double bytes) {
    const ByteUnits other = displayUnits() == ByteUnits::binary ? ByteUnits::decimal : ByteUnits::binary;
    return QString::fromStdString(shownBytes(bytes).joined()) + QStringLiteral(" = ") +
           QString::fromStdString(bytesText(bytes, other).joined());
}

double gigaBytes() { return displayUnits() == ByteUnits::decimal ? 1e9 : 1024.0 * 1024.0 * 1024.0; }
QString gigaName() { return displayUnits() == ByteUnits::decimal ? QStringLiteral("GB") : QStringLiteral("GiB"); }

}  // namespace trainyard
