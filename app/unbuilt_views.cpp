#include "app/unbuilt_views.h"

#include <QCoreApplication>
#include <utility>

namespace trainyard {

QString unbuiltSentence(const QString& view) {
    static constexpr std::pair<const char*, const char*> kSentences[] = {
        {"scaling",
         QT_TRANSLATE_NOOP("trainyard::UnbuiltViews",
                           "Scaling is not built yet. Strong and weak scaling and sweeps of sequence, batch, bandwidth and "
                           "hardware will stand here as curves, with published measurements as points.")},
    };
    for (const auto& [name, sentence] : kSentences)
        if (view == QLatin1String(name)) return QCoreApplication::translate("trainyard::UnbuiltViews", sentence);
    return {};
}

}  // namespace trainyard
