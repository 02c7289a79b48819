#include "widgets/teach/language.h"

#include <QCoreApplication>
#include <QVariant>

namespace trainyard {
namespace {
constexpr const char* kProperty = "trainyardLanguage";
}

// Kept with the application object, which is what translators are installed into.
std::string uiLanguage() {
    const QCoreApplication* application = QCoreApplication::instance();
    const QString language = application == nullptr ? QString() : application->property(kProperty).toString();
    return language == QLatin1String("de") ? "de" : "en";
}

void setUiLanguage(const std::string& language) {
    if (QCoreApplication* application = QCoreApplication::instance()) application->setProperty(kProperty, QString::fromStdString(language));
}

}  // namespace trainyard
