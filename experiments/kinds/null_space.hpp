// The result of the experiment `null-space`: equations of motion projected on the null space of C_q, along runs.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/base/scalar.hpp"
#include "core/base/status.hpp"
#include "core/solvers/null_space.hpp"
#include "results/members.hpp"

namespace daelab {

struct NullSpaceResult {
  /// As the option `basis` of methods calls them.
  static constexpr std::array<std::pair<const char*, NullSpaceBasis>, 2> bases = {
      {{"qr", NullSpaceBasis::orthogonal}, {"gauss", NullSpaceBasis::elimination}}};

  /// The largest values over the samples; not a number where one of them is not.
  struct Measures {
    double condition = 0;      // of [V^T M; C_q]
    double without_mass = 0;   // condition number of [V^T; C_q]
    double outside = 0;        // |C_q V| / (|C_q| |V|), Frobenius norms
    double orthogonality = 0;  // cosine of the angle between a column of M V and one of C_q^T, in the metric of M^-1
    double accelerations = 0;  // |a - a of the saddle-point system| / (1 + |a|)
    double nonzero_share = 0;  // of the entries of V, mean over the samples
    double flops = 0;          // additions and multiplications for V
  };
  struct Run {
    std::string label;
    StatusCode status = StatusCode::ok;
    std::string cause;
    Json spec;
    std::size_t samples = 0;
    Index coordinates = 0, constraints = 0;
    double saddle_condition = 0;
    std::array<Measures, bases.size()> of;  // in the order of `bases`
  };
  std::vector<Run> runs;
};

/// {"series": [{"label", "spec", "saddle_condition", "bases": {"qr": {"condition", ...}, ...}, ...}]}: what claims
/// point into.
void members(JsonMembers& json, NullSpaceResult& result);

}  // namespace daelab
