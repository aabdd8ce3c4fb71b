// The one file that sees valijson: it takes longer to compile than most of the others together with what they do.
#include "experiments/validate.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

namespace daelab {

std::string schema_error(const Json& schema, const Json& document) {
  using valijson::adapters::NlohmannJsonAdapter;
  const auto rules = nlohmann::json::parse(schema.dump()), checked = nlohmann::json::parse(document.dump());
  valijson::Schema parsed;
  valijson::SchemaParser().populateSchema(NlohmannJsonAdapter(rules), parsed);
  valijson::Validator validator;
  valijson::ValidationResults results;
  if (validator.validate(parsed, NlohmannJsonAdapter(checked), &results)) return "";
  valijson::ValidationResults::Error error;
  std::string message;
  while (results.popError(error))  // the last error names the innermost place
    message = fmt::format("{}: {}", fmt::join(error.context, ""), error.description);
  return message;
}

}  // namespace daelab
