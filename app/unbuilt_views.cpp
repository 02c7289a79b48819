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
        {"search",
         QT_TRANSLATE_NOOP("trainyard::UnbuiltViews",
                           "Search is not built yet. The best plans for this cluster and model will stand here, ranked, each "
                           "with the reason why it lost.")},
        {"compare", QT_TRANSLATE_NOOP("trainyard::UnbuiltViews",
                                      "Compare is not built yet. Pinned plans will stand here side by side, differences first.")},
        {"explain",
         QT_TRANSLATE_NOOP("trainyard::UnbuiltViews",
                           "Explain is not built yet. Any figure will open here as a tree of formulas with its values filled "
                           "in.")},
        {"learn",
         QT_TRANSLATE_NOOP("trainyard::UnbuiltViews",
                           "Learn is not built yet. Lessons that set up a scenario and check the answer against the live "
                           "evaluation will stand here.")},
        {"accuracy", QT_TRANSLATE_NOOP("trainyard::UnbuiltViews",
                                       "Accuracy is not built yet. Predictions beside published measurements will stand here.")},
    };
    for (const auto& [name, sentence] : kSentences)
        if (view == QLatin1String(name)) return QCoreApplication::translate("trainyard::UnbuiltViews", sentence);
    return {};
}

}  // namespace trainyard
