// The problems on which orders of methods without coefficients are measured, and what each of them tells.
//
// On all-trees no elementary differential of the rooted trees with up to six nodes vanishes, so that a method that
// fails one of these conditions alone loses order. The others add time, algebraic variables of index 1 to 3, mass
// matrices and constraints that depend on q, damping, forces in time, redundant constraints, a rotation, and stiffness.
// All of them are smooth, and the interval is 1 s.
#pragma once

#include <string>
#include <vector>

#include "core/base/json.hpp"

namespace daelab {

/// Entries of the state whose largest error is measured.
struct BatteryVariable {
  std::string name;                     // "y", "lambda"
  std::vector<std::string> components;  // classes, or single ones such as "y3"
  std::string property;                 // of audits, whose order it is: "index-2 order of z"; "": of none
};

struct BatteryItem {
  std::string name, problem;
  std::string formulation;  // "": that of the method
  std::string what;         // in words
  std::vector<BatteryVariable> variables;
};

const std::vector<BatteryItem>& battery_items();
/// Throws InputError under `where` for a name that there is not.
const BatteryItem& battery_item(const std::string& name, const std::string& where);

/// The entry of "runs" for each item and scalar: a method with all that an integration needs. `items`: their names;
/// none: all. The entry may choose steps and scalar. Throws InputError under `where` where it says what items say.
std::vector<Json> battery_entries(const Json& entry, const std::vector<std::string>& items, const std::string& where);

}  // namespace daelab
