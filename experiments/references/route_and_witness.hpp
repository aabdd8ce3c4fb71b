// What a reference is made of: states by one way at two resolutions, and by another way.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/exact.hpp"
#include "core/mechanism/problem.hpp"

namespace daelab {

/// One class of components, q, v, a, lambda or y.
struct ClassValues {
  std::string kind;
  Vector<Real50> x;
};
using FullState = std::vector<ClassValues>;
using States = std::vector<FullState>;

/// Fine and coarse results of one way to the solution, and what it is.
struct Route {
  std::string name;
  States fine, coarse;
};

/// Those of another way that confirms it. `coarse`: at twice the step, or at another tolerance.
struct Witness {
  std::string name;
  States states;
  std::optional<States> coarse;
};

struct AgreedSolution {
  Route route;
  Witness witness;
  std::string passed = {};  // events and changes of conditions on the way; "": none
};

/// For a problem without coordinates. The route is the independent one at two resolutions, otherwise Radau IIA of order
/// 21 at two tolerances. The witness is extrapolation of order 40 with constant steps, which shares nothing with the
/// methods under test; where that is unstable, because the problem is stiff, Lobatto IIIC of order 20 (Radau IIA beside
/// an independent route). Where there are events or conditions on the way that change with time, all steps end at them,
/// and the witness is Lobatto IIIC with equal steps: steps chosen by errors step over what these do not see. If that
/// would take too many of them, the steps of the witness are chosen by errors but at most 1/2000 of the time, and it
/// must pass the same. All of them agree to 20 digits of each component, to 25 with an independent route. Throws
/// InputError for times that the independent route does not reach, std::runtime_error when the ways do not agree.
AgreedSolution agreed_ode(const Problem& problem, const std::vector<Exact>& times);

/// Throws std::runtime_error once the user interrupts.
void stop_when_interrupted();

}  // namespace daelab
