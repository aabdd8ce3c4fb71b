// The one file that sees valijson: it takes longer to compile than most of the others together with what they do.
#include "lab/runs/json_schema.hpp"

#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

namespace daelab {
namespace {

// valijson reads nlohmann's values.
nlohmann::json to_nlohmann(const Json& json) { return nlohmann::json::parse(json.dump()); }

}  // namespace

struct JsonSchema::Rules {
  valijson::Schema schema;
};

JsonSchema::JsonSchema(const Json& schema) {
  auto rules = std::make_unique<Rules>();
  valijson::SchemaParser().populateSchema(valijson::adapters::NlohmannJsonAdapter(to_nlohmann(schema)), rules->schema);
  rules_ = std::move(rules);
}
JsonSchema::~JsonSchema() = default;

std::string JsonSchema::violation(const Json& document) const {
  const nlohmann::json checked = to_nlohmann(document);
  valijson::Validator validator;
  valijson::ValidationResults results;
  if (validator.validate(rules_->schema, valijson::adapters::NlohmannJsonAdapter(checked), &results)) return "";
  valijson::ValidationResults::Error error;
  std::string message;
  while (results.popError(error)) {  // the last one names the innermost place
    message.clear();
    for (const std::string& part : error.context) message += part;
    message += ": " + error.description;
  }
  return message;
}

}  // namespace daelab
