// The result of the experiment `diagrams`: a work-precision diagram of each problem, by the methods that apply to it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/exact.hpp"
#include "core/mechanism/outline.hpp"
#include "experiments/kinds/work_precision.hpp"
#include "results/members.hpp"

namespace daelab {

struct DiagramsResult {
  struct Diagram {
    std::string label, problem;  // as its entry says; its name
    Json spec;                   // of the problem
    Exact t_end;                 // [s]
    std::string equations;       // "mechanism: 2 coordinates, 1 constraint"
    std::string reference;       // its source
    std::string known;           // of it: "proved to 47 digits"; "": it could not be made
    bool is_proved = false;
    std::vector<std::string> without;  // methods of the config that do not apply, or whose runs are all left out
    std::vector<DrawnShape> sketch;    // empty: the problem draws nothing
    long runs = 0, ok = 0;
    double seconds = 0;                // of the processor, of all its runs
    std::string cheapest;              // series of the cheapest run that is as accurate as asked for; "": none is
    std::optional<double> least_cost;  // of it
    WorkPrecisionResult work;

    bool has_curve() const { return ok > 1 && work.failure.empty(); }
  };
  std::vector<Diagram> diagrams;
};

/// {"problems", "without_curve", "proved": numbers, "seconds", "diagrams": [{"label", "problem", "reference", "known",
/// "runs", "ok", "seconds", "work": as of work-precision, ...}]}: what claims point into.
void members(JsonMembers& json, DiagramsResult& result);

}  // namespace daelab
