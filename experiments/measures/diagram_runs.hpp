// Runs of work-precision diagrams: of each problem those of the methods that apply to it, over tolerances, and runs to
// compare them with where no reference is stored.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/component_spec.hpp"
#include "core/base/json.hpp"
#include "core/base/options.hpp"
#include "lab/runs/run.hpp"

namespace daelab {

/// A method on a form: drawn for the problems that both apply to.
struct DiagramMethod {
  ComponentSpec formulation, method;

  Options options();
};

/// A method on its form: as runs write both, with all options, and as it is called here.
struct NamedMethod {
  std::string method, formulation, name;
  bool of_mechanisms = true;

  bool is_of(const Run& run) const;
};

/// "bdf, ggl"; of equations without coordinates, which have one form, "bdf".
std::vector<NamedMethod> named(const std::vector<DiagramMethod>& methods);

/// Runs to leave out, such as long ones that would show nothing.
struct LeftOutRuns {
  std::vector<std::string> problems;  // labels; none: all
  Json runs = Json::object();
  std::string reason;

  Options options();
  void check(const std::string& where) const;
  bool has(const std::string& problem, const Json& spec) const;
};

/// The entries that an entry of a config stands for: of each problem that it names one for every method that applies,
/// labelled with the problem, and two of its own reference if none is stored. What a method refuses at the first
/// step is left out, so that no run ends as `not-applicable`. Throws InputError under `where` for an entry that names
/// methods itself or no tolerances, and for a problem that no method applies to.
std::vector<Json> diagram_entries(const Json& entry, const std::vector<DiagramMethod>& methods,
                                  const std::vector<LeftOutRuns>& left_out, const std::string& where);

/// The label of runs that are compared with, from that of the runs of the problem.
std::string reference_label(const std::string& label);

}  // namespace daelab
