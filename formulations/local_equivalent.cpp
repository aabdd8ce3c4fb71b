// The local equivalent system of the equations of motion, for every method:
//
//   A^T (x' - g(x)) = 0,  f(x) = 0,   x = (q, v),  g = (v, a),  f = (C, C_q v + C_t),  A^T = diag(V^T M, V^T M)  [Wang,
//   (3.4a), (3.4b), (4.4)]
//
// with V a basis of the null space of C_q at one point; the third part, (3.4c), follows. V^T M takes local coordinates
// out of positions and velocities, and it leaves out the directions M^-1 C_q^T: what a method makes of the system is
// what it makes of these coordinates, core/equations/local_coordinates_system.hpp. The trapezoidal rule makes [Wang,
// (3.7a), (3.7b)] of it, the method local-trapezoidal. A of each step's start is null-space:weights=mass.
//
// [Wang] Wang, Zhao, Pan, local equivalent index-1 discretisation of Euler-Lagrange equations (Qingdao University).
#include "core/equations/formulation.hpp"
#include "core/equations/local_coordinates_system.hpp"

namespace daelab {
namespace {

struct LocalEquivalent {
  static constexpr const char* name = "local-equivalent";
  static constexpr const char* summary =
      "Equations of motion times V^T M of the null space of C_q, with both levels of the constraints; any method.";
  static constexpr const char* source = "Wang, Zhao, Pan, eqs. (3.4a), (3.4b), (4.4)";

  BasisPoint A = BasisPoint::step;

  Options options() {
    return {option("A", A,
                   "V^T M of the start of each step, or of the start of the motion, as long as the constraints and it "
                   "determine all coordinates")};
  }
  FormulationTraits traits() const { return local_coordinates_traits; }

  template <class T>
  std::string refusal(MechanicalModel<T>& model) const {
    if (A == BasisPoint::start && model.charts() > 1)
      return "A = start: the coordinates of the mechanism change on the way; A = step takes any";
    return local_coordinates_refusal(model);
  }
  template <class T>
  std::unique_ptr<System<T>> system(MechanicalModel<T>& model, Multipliers<T>& multipliers) const {
    return std::make_unique<LocalCoordinatesSystem<T>>(model, LocalBasis::tangent_by_mass, multipliers, A);
  }
};
const FormulationEntry<LocalEquivalent> local_equivalent_entry;

}  // namespace
}  // namespace daelab
