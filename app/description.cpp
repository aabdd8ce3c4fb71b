#include "app/description.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/terminal.hpp"

namespace daelab::app {
namespace {

std::string text(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

}  // namespace

void print_description(const Json& d) {
  fmt::print("{}\n", tinted(Tint::strong, text(d["name"])));
  print_wrapped(text(d["summary"]));
  print_wrapped("Source: " + text(d["source"]), 2);
  if (d.contains("aliases"))
    fmt::print("Also called: {}\n", fmt::join(d["aliases"].get<std::vector<std::string>>(), ", "));
  if (!d["options"].empty()) fmt::print("\n{}\n", tinted(Tint::strong, "Options"));
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
    const std::string value = schema["default"].is_null() ? "automatic" : text(schema["default"]);
    fmt::print("{}", entry_text(fmt::format("  {} [{}]", name, value), text(schema["description"]) + range, 25,
                                terminal_width()));
  }
}

}  // namespace daelab::app
