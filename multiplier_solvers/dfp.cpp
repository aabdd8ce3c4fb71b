// The method of Davidon, Fletcher and Powell with exact line search. [NW06, sec. 6.1]
//
// [NW06] Nocedal, Wright, Numerical Optimization, 2nd ed., Springer, 2006.
#include "core/solvers/variable_metric.hpp"

namespace daelab {
namespace {

struct Dfp : VariableMetricSolver<MetricUpdate::dfp> {
  static constexpr const char* name = "dfp";
  static constexpr const char* summary = "DFP updates of the inverse with exact line search.";
  static constexpr const char* source = "Nocedal, Wright 2006, sec. 6.1";
};
const MultiplierSolverEntry<Dfp> dfp_entry;

}  // namespace
}  // namespace daelab
