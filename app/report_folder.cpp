#include "app/report_folder.h"

#include <QCoreApplication>
#include <QDir>
#include <utility>

#include "core/io/text_file.h"
#include "widgets/style/figure_export.h"

namespace trainyard {

Result<QString> writeReportFolder(const QString& folder, const QString& report,
                                  const std::function<QWidget*(const QString&)>& view) {
    const QDir directory(folder);
    QString text = report;
    const std::pair<const char*, QString> figures[] = {{"cluster", QCoreApplication::translate("report", "Cluster")},
                                                       {"timeline", QCoreApplication::translate("report", "Timeline")},
                                                       {"memory", QCoreApplication::translate("report", "Memory per stage")},
                                                       {"traffic", QCoreApplication::translate("report", "Traffic")}};
    for (const auto& [name, title] : figures) {
        QWidget* widget = view(QLatin1String(name));
        if (widget == nullptr) continue;
        const QString file = QLatin1String(name) + QStringLiteral(".png");
        QString reason;
        if (!exportFigure(*widget, directory.filePath(file), {1200, 640}, {}, 2.0, &reason))
            return failure(Error::Kind::unreadable, "report-picture", directory.filePath(file).toStdString(),
                           reason.toStdString());
        text += QStringLiteral("\n## %1\n\n![%1](%2)\n").arg(title, file);
    }
    const QString path = directory.filePath(QStringLiteral("report.md"));
    if (const auto written = writeFileAtomically(path.toStdString(), text.toStdString()); !written)
        return tl::unexpected<Error>(written.error());
    return path;
}

}  // namespace trainyard
