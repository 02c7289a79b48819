#pragma once

#include <string>

#include "core/base/error.h"
#include "core/engine/evaluation.h"
#include "core/plan/scenario.h"

namespace trainyard {

/// Many evaluations as a table (RFC 4180): one row per scenario, SI units as in the contract, empty where a figure is absent.
[[nodiscard]] std::string batchCsvHeading();
[[nodiscard]] std::string batchCsvRow(const std::string& file, const Scenario& scenario, const Evaluation& evaluation);
[[nodiscard]] std::string batchCsvRow(const std::string& file, const Error& error);

/// A field as it stands in a CSV file: quoted where it must be.
[[nodiscard]] std::string csvField(std::string_view text);

}  // namespace trainyard
