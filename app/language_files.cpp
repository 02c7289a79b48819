#include "app/language_files.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

#include "widgets/teach/language.h"

namespace trainyard {

void installLanguage(QCoreApplication& application, const QString& language, SystemLanguage system) {
    const bool german = language.isEmpty()
                            ? system == SystemLanguage::used && QLocale::system().language() == QLocale::German
                            : language == QStringLiteral("de");
    setUiLanguage(german ? "de" : "en");
    if (!german) return;
    const auto install = [&](const QString& file, const QString& folder) {
        auto* translator = new QTranslator(&application);
        if (translator->load(file, folder))
            QCoreApplication::installTranslator(translator);
        else
            delete translator;
    };
    // Qt's own texts (dialogs), where they are installed, below ours.
    install(QStringLiteral("qtbase_de"), QLibraryInfo::path(QLibraryInfo::TranslationsPath));
    install(QStringLiteral("trainyard_de"), QStringLiteral(":/i18n"));
}

}  // namespace trainyard
