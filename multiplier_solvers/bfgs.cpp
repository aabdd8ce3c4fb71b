// The method of Broyden, Fletcher, Goldfarb and Shanno with exact line search. [NW06, sec. 6.1]
//
// [NW06] Nocedal, Wright, Numerical Optimization, 2nd ed., Springer, 2006.
#include "core/solvers/variable_metric.hpp"

namespace daelab {
namespace {

struct Bfgs : VariableMetricSolver<MetricUpdate::bfgs> {
  static constexpr const char* name = "bfgs";
  static constexpr const char* summary = "BFGS updates of the inverse with exact line search.";
  static constexpr const char* source = "Nocedal, Wright 2006, sec. 6.1";
};
const MultiplierSolverEntry<Bfgs> bfgs_entry;

}  // namespace
}  // namespace daelab
