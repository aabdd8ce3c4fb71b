// The symmetric rank-one method with exact line search, restarted from the pseudo-inverse where it does not come to an
// end. [Iv23, section 2, (10)]
//
// [Iv23] Ivanov, Vestnik Permskogo Universiteta, Matematika Mekhanika Informatika 1(60), 2023, 30-46.
#include "core/solvers/variable_metric.hpp"

namespace daelab {
namespace {

struct Sr1LineSearch : VariableMetricSolver<MetricUpdate::sr1> {
  static constexpr const char* name = "sr1-line-search";
  static constexpr const char* summary = "SR1 updates of the inverse with exact line search: three products a pass.";
  static constexpr const char* source = "Ivanov 2023, section 2, (10), and its references 20 to 23";

  Options options() {
    std::vector<Option> list = metric.list();
    list.push_back(option("variant", metric.variant,
                          "where an update has no bound or would not stay positive definite: plain, none without a "
                          "bound; restarted, that of a multiple of the identity; switched, BFGS"));
    return list;
  }
};
const MultiplierSolverEntry<Sr1LineSearch> sr1_line_search_entry;

}  // namespace
}  // namespace daelab
