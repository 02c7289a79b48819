#pragma once

#include <QString>
#include <memory>
#include <utility>

#include "core/plan/scenario.h"
#include "core/plan/scenario_numbers.h"
#include "widgets/document/plan_document.h"

namespace trainyard {

/// One edit: copies the scenario, lets `change` alter the copy, makes it current.
template <class Change>
void editScenario(PlanDocument& document, const QString& text, Change&& change) {
    auto next = std::make_shared<Scenario>(*document.snapshot());
    std::forward<Change>(change)(*next);
    document.edit(std::move(next), text);
}

}  // namespace trainyard
