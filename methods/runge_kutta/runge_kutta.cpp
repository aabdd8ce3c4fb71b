// Explicit Runge-Kutta methods by tableau: the classical fourth-order method unless another is named.
#include "methods/runge_kutta/runge_kutta.hpp"

namespace daelab {
namespace {

struct RungeKutta {
  static constexpr const char* name = "runge-kutta";
  static constexpr const char* summary = "Explicit Runge-Kutta method, classical of order 4 by default.";
  static constexpr const char* source = "Hairer, Nørsett, Wanner 1993, Sec. II.1";

  std::string tableau_name = "rk4-classical";

  Options options() {
    return {option("tableau", tableau_name,
                   "name of a tableau file of the project (NAME.json below methods/), or @file.json")};
  }

  Tableau tableau(const std::string& where) const {
    Tableau tableau = tableau_by_name(tableau_name, where + "/tableau");
    if (!tableau.is_explicit())
      throw InputError(where + "/tableau", tableau.name + " is implicit; give it as the method itself: @file.json");
    return tableau;
  }
};
const TableauEntry<RungeKutta> runge_kutta_entry;

}  // namespace
}  // namespace daelab
