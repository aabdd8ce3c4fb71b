#include "app/description.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace daelab::app {
namespace {

std::string text(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

}  // namespace

void print_description(const Json& d) {
  fmt::print("{}\n{}\nSource: {}\n", text(d["name"]), text(d["summary"]), text(d["source"]));
  if (d.contains("aliases"))
    fmt::print("Also called: {}\n", fmt::join(d["aliases"].get<std::vector<std::string>>(), ", "));
  if (!d["options"].empty()) fmt::print("\nOptions\n");
  for (const auto& [name, schema] : d["options"].items()) {
    std::string range;
    const Json& type = schema.contains("anyOf") ? schema["anyOf"][0] : schema;
    if (type.contains("enum"))
      range = fmt::format(" ({})", fmt::join(type["enum"].get<std::vector<std::string>>(), ", "));
    if (type.contains("exclusiveMinimum"))
      range = fmt::format(" (above {}{})", type["exclusiveMinimum"].dump(),
                          type.contains("maximum") ? " to " + type["maximum"].dump() : "");
    if (type.contains("minimum") && type.contains("maximum"))
      range = fmt::format(" ({} to {})", type["minimum"].dump(), type["maximum"].dump());
    else if (type.contains("minimum"))
      range = " (at least " + type["minimum"].dump() + ")";
    fmt::print("  {:<16} default {:<18} {}{}\n", name, text(schema["default"]), text(schema["description"]), range);
  }
}

}  // namespace daelab::app
