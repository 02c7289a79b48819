#include "app/app_settings.h"

#include <QSettings>

namespace trainyard {

void AppSettings::addRecentFile(const QString& path) {
    recentFiles.removeAll(path);
    recentFiles.prepend(path);
    while (recentFiles.size() > kRecentFiles) recentFiles.removeLast();
}

AppSettings AppSettings::load() {
    const QSettings store;
    AppSettings s;
    s.theme = store.value(QStringLiteral("theme")).toString() == QStringLiteral("light") ? ThemeKind::light : ThemeKind::dark;
    s.byteUnits =
        store.value(QStringLiteral("byteUnits")).toString() == QStringLiteral("decimal") ? ByteUnits::decimal : ByteUnits::binary;
    s.windowGeometry = store.value(QStringLiteral("windowGeometry")).toByteArray();
    const QVariantList splitters = store.value(QStringLiteral("splitters")).toList();
    for (const QVariant& state : splitters) s.splitters << state.toByteArray();
    s.recentFiles = store.value(QStringLiteral("recentFiles")).toStringList().mid(0, kRecentFiles);
    s.tab = store.value(QStringLiteral("tab")).toInt();
    s.language = store.value(QStringLiteral("language")).toString();
    s.reducedMotion = store.value(QStringLiteral("reducedMotion"), false).toBool();
    s.lastFolder = store.value(QStringLiteral("lastFolder")).toString();
    s.framework = store.value(QStringLiteral("framework")).toString();
    return s;
}

void AppSettings::save() const {
    QSettings store;
    store.setValue(QStringLiteral("theme"), theme == ThemeKind::light ? QStringLiteral("light") : QStringLiteral("dark"));
    store.setValue(QStringLiteral("byteUnits"),
                   byteUnits == ByteUnits::decimal ? QStringLiteral("decimal") : QStringLiteral("binary"));
    store.setValue(QStringLiteral("windowGeometry"), windowGeometry);
    QVariantList states;
    for (const QByteArray& state : splitters) states << state;
    store.setValue(QStringLiteral("splitters"), states);
    store.setValue(QStringLiteral("recentFiles"), recentFiles);
    store.setValue(QStringLiteral("tab"), tab);
    store.setValue(QStringLiteral("language"), language);
    store.setValue(QStringLiteral("reducedMotion"), reducedMotion);
    store.setValue(QStringLiteral("lastFolder"), lastFolder);
    store.setValue(QStringLiteral("framework"), framework);
}

}  // namespace trainyard
