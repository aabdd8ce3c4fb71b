// Which formulation and method reach an accuracy on a problem at the least cost, found by running them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "lab/runs/run.hpp"

namespace daelab {

/// A run that reached the digits asked for, or the one of its formulation and method that came closest.
struct Candidate {
  std::string method, formulation;  // as they are asked for; formulation "": of ordinary differential equations
  std::shared_ptr<const Run> run;
  RunRecord record;
  double digits = 0;  // correct decimals of q, or of y, relative to the largest entry; at least 0
};

struct Choice {
  std::vector<Candidate> reached;  // the cheapest one first
  std::vector<Candidate> missed;   // the most accurate one first; runs that failed are last
  std::string reference;           // what errors are measured against
  double reference_digits = 0;     // to which they are known
};

/// Is told before each formulation and method: how many are done, of how many, and which is next.
using ChoiceProgress = std::function<void(std::size_t done, std::size_t all, const std::string& next)>;

/// Runs a few methods on the formulations they suit, with tolerances that are tightened until `digits` are reached or
/// a run would cost many times the cheapest one so far. Errors are against the stored reference of the problem, else
/// against a run of radau-iia:s=5 whose own error is estimated. Throws InputError for a problem that cannot be run, and
/// if no reference can be made.
Choice choose_methods(const ComponentSpec& problem, const std::string& t_end, int digits,
                      const ChoiceProgress& progress = {});

}  // namespace daelab
