// What show prints of any component.
#pragma once

#include <string>

#include "app/commands.hpp"
#include "core/base/registry.hpp"

namespace daelab::app {

/// {"name", "summary", "source", "options", "aliases"?}. Throws InputError for options that the component does not
/// have.
template <class Kind>
Json description(const std::string& spec) {
  const std::string name = Registry<Kind>::instance().make(spec, Kind::kind)->name();  // checks the options given
  const auto& entry = Registry<Kind>::instance().find(name, Kind::kind);
  Json result{{"name", entry.name}, {"summary", entry.summary}, {"source", entry.source}, {"options", entry.options()}};
  if (!entry.aliases.empty()) result["aliases"] = entry.aliases;
  return result;
}

void print_description(const Json& description);
int show_problem(const ShowArguments& arguments);

}  // namespace daelab::app
