#include "core/base/makes.hpp"

namespace daelab {

std::vector<std::string> names_in_spec(const char* spec) {
  std::vector<std::string> names;
  const Json object = parse_spec(spec, "");
  for (const auto& [key, value] : object.items())
    if (value.is_string()) names.push_back(value.get<std::string>());
  return names;
}

Json spec_with(const char* spec, const Json& options) {
  Json object = parse_spec(spec, "");
  object.update(options);
  return object;
}

}  // namespace daelab
