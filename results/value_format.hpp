// The format of the values that entries refer to (claims.hpp): what its checks, its readers and its visitors share.
#pragma once

#include <string>
#include <vector>

#include "core/base/json.hpp"

namespace daelab {

/// The keys of a <value>.
const std::vector<std::string>& value_keys();

/// Whether a specification has the settings of selectors such as {"/h": "0.01"}. Numbers match by value.
bool selects(const Json& selectors, const Json& spec);

/// "/h=0.01 /scalar=double"
std::string selector_text(const Json& selectors);

/// What "take" makes of a column of a trajectory, x_0 to x_n, and its name.
enum class Take { first, last, least, largest, least_change, largest_change };
std::vector<std::string> names_of(Take);

/// Both throw InputError.
void check_pointer(const Json& text, const std::string& where);
void check_value(const Json& value, const std::string& where);

/// `visit` gets a <value>, what it is divided by and what its expression is made of, with their places.
void visit_value(auto& value, const std::string& where, const auto& visit) {
  visit(value, where);
  if (!value.is_object()) return;
  if (value.contains("over")) visit_value(value["over"], where + "/over", visit);
  if (!value.contains("with") || !value["with"].is_object()) return;
  for (const auto& [name, of] : value["with"].items()) visit_value(value["with"][name], where + "/with/" + name, visit);
}

/// The same for every <value> of an entry.
void for_each_value(auto& entry, const std::string& where, const auto& visit) {
  if (!entry.is_object()) return;
  for (const char* key : {"value", "true_value"})
    if (entry.contains(key)) visit_value(entry[key], where + "/" + key, visit);
  for (const char* key : {"values", "numbers"}) {
    if (!entry.contains(key) || !entry[key].is_array()) continue;
    for (std::size_t k = 0; k < entry[key].size(); ++k)
      visit_value(entry[key][k], where + "/" + key + "/" + std::to_string(k), visit);
  }
}

}  // namespace daelab
