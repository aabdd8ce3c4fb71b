// BLieDF: backward difference formulas of order 1 and 2 on Lie groups [WA21], on index 3 or with both levels of the
// constraints:
//
//   g_(n+1) = g_n exp(h D),   w_n = D + B(g_n)^T eta,
//   k = 2:  v_(n+1) = 3/2 w_n - 1/2 w_(n-1),   h v'_(n+1) = 3/2 v_(n+1) - 2 v_n + 1/2 v_(n-1),
//   k = 1:  v_(n+1) = w_n,                     h v'_(n+1) = v_(n+1) - v_n.
//
// The first step, and one of another size than the step before, is one of k = 1. In R^n velocities are those of BDF.
//
// [WA21] Wieloch, Arnold, BDF integrators for constrained mechanical systems on Lie groups, Journal of Computational
//        and Applied Mathematics 387, 2021, 112517.
#include "core/base/makes.hpp"
#include "core/integration/constrained_method.hpp"
#include "methods/lie_group/displacement_step.hpp"

namespace daelab {
namespace {

struct BLieDfOptions : Makes<Method, "bdf"> {
  static constexpr const char* name = "blie-df";
  static constexpr const char* summary = "BDF of order 1 and 2 on Lie groups, with fixed steps.";
  static constexpr const char* source = "Wieloch, Arnold 2021";

  int k = 2;
  EndConstraints constraints = EndConstraints::both;

  Options options() {
    return {option("k", k, "order, and number of steps of the formula", between(1, 2)),
            option("constraints", constraints,
                   "positions: index 3; both: positions and velocities, the stabilized form of index 2")};
  }
  /// In R^n.
  MethodForm form() const { return make<"bdf">({{"k", k}}, "")->form(); }
};

template <class T>
struct DisplacementMemory {
  Vector<T> w, v;  // (n) w_(n-1) and v_(n-1), left ones
  bool operator==(const DisplacementMemory&) const = default;
};

template <class T>
class BLieDf final : public TypedStepper<T, DisplacementMemory<T>> {
 public:
  BLieDf(const BLieDfOptions& options, System<T>& system, MechanicalModel<T>& model, const NewtonOptions& newton)
      : Stepper_(StepperFacts{.is_multistep = options.k > 1}),
        k_(options.k),
        n_(model.coordinates()),
        m_(model.constraints()),
        left_(model),
        step_(model, left_, options.constraints, newton),
        g_(left_.configuration()) {
    (void)system;
    for (Vector<T>* x : {&v_, &a_}) x->setZero(n_);
  }

  HeldMemory make_memory() const override {
    return HeldMemory::of(DisplacementMemory<T>{Vector<T>::Zero(n_), Vector<T>::Zero(n_)});
  }
  std::vector<std::string> newton_options() const override { return {"name", "test", "tolerance", "max_iterations"}; }
  /// The past is one of left quantities, which are the same in all coordinates of a group.
  bool change_coordinates(State<T>& /*state*/, CoordinateChange<T>& /*change*/) override { return true; }

  Status step(const State<T>& from, const T& h, State<T>& to) override {
    const typename LeftModel<T>::Visit visit(left_);
    left_.load(from, g_, v_, a_);
    relate(from, h);
    step_.lambda = left_.layout().lambda(from.y);
    step_.D = v_ + (h / T(2)) * a_;
    step_.begin(from.t, h, g_, this->statistics_);
    if (const Status status = step_.solve(); !status.ok()) return status;
    left_.store(step_.end(), step_.v(), step_.a(), to);
    to.y.tail(m_) = step_.lambda;
    this->past(to).w = step_.w(), this->past(to).v = v_;
    to.t = from.t + h;
    to.memory_step = h;
    ++this->statistics_.steps;
    return {};
  }

 private:
  using Stepper_ = TypedStepper<T, DisplacementMemory<T>>;

  void relate(const State<T>& from, const T& h) {
    DisplacementRelation<T>& x = step_.relation;
    if (k_ == 1 || from.memory_step != h) {
      x.c = x.d = T(1);
      x.r.setZero();
      x.s = -v_ / h;
      return;
    }
    const DisplacementMemory<T>& past = this->past(from);
    const T half = T(1) / T(2);
    x.c = T(3) * half, x.d = x.c * x.c;
    x.r = -half * past.w;
    x.s = (x.c * x.r - T(2) * v_ + half * past.v) / h;
  }

  int k_;
  Index n_, m_;
  LeftModel<T> left_;
  DisplacementStep<T> step_;
  Configuration<T> g_;
  Vector<T> v_, a_;
};

class BLieDfMethod final : public ConstrainedMethod {
 public:
  BLieDfMethod(const BLieDfOptions& options, const std::string& /*where*/) : options_(options) {}
  Level natural_level() const override { return Level::position; }
  MethodForm form() const override { return options_.form(); }
  PredictedOrders predicted_orders(const FormulationTraits& formulation, const FormOrders& /*orders*/) const override {
    if (!formulation.imposes_only(Level::position) || formulation.stabilized)
      return PredictedOrders::unknown("it imposes the levels of the constraints itself, on index-3");
    return PredictedOrders::everywhere(options_.k, "Wieloch, Arnold 2021, after the first steps");
  }

 private:
  const char* needs() const override { return "the method needs mass, force and constraints of a mechanical system"; }
#define DAELAB_DEFINE(T)                                                                                      \
  std::unique_ptr<Stepper<T>> bind(System<T>& system, MechanicalModel<T>& model, const NewtonOptions& newton) \
      const override {                                                                                        \
    require_group_step(system, model);                                                                        \
    return std::make_unique<BLieDf<T>>(options_, system, model, newton);                                      \
  }
  DAELAB_FOR_SCALARS(DAELAB_DEFINE)
#undef DAELAB_DEFINE

  BLieDfOptions options_;
};
const MethodEntry<BLieDfOptions, BLieDfMethod> blie_df_entry;

}  // namespace
}  // namespace daelab
