// The number that the runs of a config differ in: at a JSON pointer of their specifications, or a parameter of their
// problems by its name, which may be another one from problem to problem: links of one chain, N of another.
#pragma once

#include <string>
#include <vector>

#include "lab/runs/run.hpp"

namespace daelab {

class SweptParameter {
 public:
  /// Reads "/problem/stiffness", "links" or ["links", "N"]. Throws InputError under `where` for anything else.
  SweptParameter(const Json& given, const std::string& where);

  /// JSON Schema of what the constructor takes.
  static Json schema();

  /// Names of parameters, not a pointer: values are counted in whole numbers where all are whole.
  bool is_named() const { return !names_.empty(); }
  /// What axes call it.
  std::string label() const;
  /// Throws InputError where a run has no such number, or one that has no place on logarithmic axes; `called` is the
  /// label of the run.
  void check(const Run& run, const std::string& called) const;
  /// Value in a run that was checked.
  double value_of(const Json& spec) const;
  /// Takes it out of a specification, for groups of runs.
  void leave_out(Json& spec) const;

 private:
  std::string where_, pointer_;
  std::vector<std::string> names_;

  /// "" where the specification has none.
  std::string place_in(const Json& spec) const;
  [[noreturn]] void refuse(const Json& spec, const std::string& called) const;
};

}  // namespace daelab
