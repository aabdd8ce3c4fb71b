// The trapezoidal rule on the local equivalent index-1 system, with the choices its paper leaves open as options.
//
// [Wang] Wang, Zhao, Pan, local equivalent index-1 discretisation of Euler-Lagrange equations (Qingdao University).
#include "core/integration/constrained_method.hpp"
#include "methods/constrained/local_trapezoidal_stepper.hpp"

namespace daelab {
namespace {

struct LocalTrapezoidal {
  static constexpr const char* name = "local-trapezoidal";
  static constexpr const char* summary =
      "Trapezoidal rule on the null space of C_q with position and velocity constraints imposed; order 2, no drift.";
  static constexpr const char* source = "Wang, Zhao, Pan, eqs. (3.7a) to (3.8b), (4.2), (4.6), (4.7)";

  enum class Basis { qr, gauss };
  enum class Projection { frozen, refreshed };
  enum class Iteration { picard, newton };
  friend std::vector<std::string> names_of(Basis) { return {"qr", "gauss"}; }
  friend std::vector<std::string> names_of(Projection) { return {"frozen", "refreshed"}; }
  friend std::vector<std::string> names_of(Iteration) { return {"picard", "newton"}; }

  Basis basis = Basis::qr;
  Projection projection = Projection::frozen;
  Iteration iteration = Iteration::picard;

  Options options() {
    return {option("basis", basis, "null space V of C_q: orthogonal, or by elimination (the same trajectory)"),
            option("projection", projection,
                   "V^T M of the step's start (4.4), or of the current iterate as step (2) of the algorithm has it"),
            option("iteration", iteration,
                   "picard: accelerations of the last iterate (3.8); newton: their derivatives too, for long steps and "
                   "stiff forces. The run's \"newton\" gives test, norm, tolerance and max_iterations")};
  }

  LocalTrapezoidalScheme scheme() const {
    return {basis == Basis::qr ? NullSpaceBasis::orthogonal : NullSpaceBasis::elimination,
            projection == Projection::refreshed, iteration == Iteration::newton};
  }
};

class LocalTrapezoidalMethod final : public ConstrainedMethodOf<LocalTrapezoidalMethod> {
 public:
  LocalTrapezoidalMethod(LocalTrapezoidal definition, const std::string& /*where*/) : scheme_(definition.scheme()) {}
  MethodForm form() const override {
    Tableau rule;
    rule.name = "implicit trapezoidal rule";
    rule.A = Matrix<Real100>::Zero(2, 2), rule.b = Vector<Real100>::Constant(2, Real100(1) / 2);
    rule.A.row(1) = rule.b.transpose();
    rule.c = Vector<Real100>::Unit(2, 1);
    return rule;
  }
  PredictedOrders predicted_orders(const FormulationTraits& formulation, const FormOrders& orders) const override {
    return orders_on_manifold(formulation, orders.order,
                              "trapezoidal rule in coordinates of the constraint manifold: Wang, Zhao, Pan");
  }

 private:
  const char* needs() const override { return "the scheme needs mass, force and constraints of a mechanical system"; }
  friend ConstrainedMethodOf<LocalTrapezoidalMethod>;
  template <class T>
  std::unique_ptr<Stepper<T>> bound(System<T>& system, MechanicalModel<T>& model, const NewtonOptions& newton) const {
    return make_local_trapezoidal<T>(scheme_, system, model, newton);
  }

  LocalTrapezoidalScheme scheme_;
};

const MethodEntry<LocalTrapezoidal, LocalTrapezoidalMethod> local_trapezoidal_entry;

}  // namespace
}  // namespace daelab
