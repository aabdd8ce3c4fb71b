// The constants of an exported problem and the forms that solvers of each language take, around its functions.
#pragma once

#include <string>
#include <vector>

#include "core/expressions/code.hpp"

namespace daelab {

struct ExportedFrame {
  std::string name, heading;  // name: an identifier; heading: a line of words
  bool is_mechanism = true, is_linearly_implicit = false;
  int n = 0, m = 0, algebraic = 0;  // coordinates or states, constraints, algebraic states (the last ones)
  std::vector<std::string> names;   // of coordinates or states
  std::vector<std::string> start;   // literals: q and v, or y
  /// First guesses of a mechanism's multipliers and the algebraic states behind them; empty: they follow from q and v
  /// by linear equations.
  std::vector<std::string> start_multipliers = {};
  std::vector<std::string> algebraic_names = {}, observable_names = {};
  std::string t_start, t_end;
  std::vector<std::string> reference = {};  // literals, in the order of `start`; empty: none is stored
  std::string known = "";                   // "proved to 47 digits"
  bool leaves_out_events = false;
  std::vector<std::string> remarks = {};  // further lines of the heading
};

std::string framed(const ExportedFrame& frame, const std::string& functions, Language language);

}  // namespace daelab
