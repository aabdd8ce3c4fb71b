#include "experiments/component.hpp"

#include <fmt/format.h>

#include <regex>

#include "core/json.hpp"

namespace daelab {

ComponentName component_name(const std::string& text, const std::string& where) {
  static const std::regex form("(q|v|a|lambda)([1-9][0-9]{0,8})");
  std::smatch parts;
  if (!std::regex_match(text, parts, form))
    throw InputError(where,
                     fmt::format("'{}' is no component; write q, v, a or lambda and a number, such as q3", text));
  return {parts[1], std::stol(parts[2]) - 1};
}

void check_component(const std::string& text, const MechanicalModel<double>& model, const std::string& where) {
  const ComponentName name = component_name(text, where);
  const Index size = name.kind == "lambda" ? model.constraints() : model.coordinates();
  if (name.place >= size)
    throw InputError(where, fmt::format("there is no {}: {} has {} components", text, name.kind, size));
}

}  // namespace daelab
