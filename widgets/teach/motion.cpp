#include "widgets/teach/motion.h"

#include <QCoreApplication>
#include <QVariant>

namespace trainyard {
namespace {
constexpr const char* kProperty = "trainyardReducedMotion";
}

bool reducedMotion() {
    const QCoreApplication* application = QCoreApplication::instance();
    return application != nullptr && application->property(kProperty).toBool();
}

void setReducedMotion(bool reduced) {
    if (QCoreApplication* application = QCoreApplication::instance()) application->setProperty(kProperty, reduced);
}

}  // namespace trainyard
