#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

#include "core/base/format_quantity.h"
#include "widgets/style/theme.h"

namespace trainyard {

/// What is kept between runs. Loaded once, passed down, saved when it changes.
struct AppSettings {
    ThemeKind theme = ThemeKind::dark;
    ByteUnits byteUnits = ByteUnits::binary;
    QByteArray windowGeometry;
    QList<QByteArray> splitters;  ///< states, in the order of Workbench::splitters()
    QStringList recentFiles;      ///< newest first
    int tab = 0;
    QString lastFolder;
    QString framework;  ///< id of the rules that plans are judged by; empty: any framework
    QString language;  ///< "en", "de"; empty: that of the system
    bool reducedMotion = false;

    static constexpr int kRecentFiles = 10;
    void addRecentFile(const QString& path);

    [[nodiscard]] static AppSettings load();
    void save() const;
};

}  // namespace trainyard
