#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

namespace trainyard::test {

/// What the document breaks of a JSON Schema (draft 7), a line each, or nothing.
inline std::string schemaComplaints(const nlohmann::json& rules, const nlohmann::json& document) {
    valijson::Schema schema;
    valijson::SchemaParser parser(valijson::SchemaParser::kDraft7);
    parser.populateSchema(valijson::adapters::NlohmannJsonAdapter(rules), schema);
    valijson::Validator validator;
    valijson::ValidationResults results;
    if (validator.validate(schema, valijson::adapters::NlohmannJsonAdapter(document), &results)) return {};
    std::string text;
    valijson::ValidationResults::Error error;
    while (results.popError(error)) {
        for (const std::string& step : error.context) text += step;
        text += ": " + error.description + "\n";
    }
    return text.empty() ? "not valid" : text;
}

}  // namespace trainyard::test
