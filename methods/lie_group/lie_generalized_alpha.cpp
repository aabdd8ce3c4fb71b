// Generalized-alpha on Lie groups [BC10, ABC15], on index 3 or with both levels of the constraints:
//
//   g_(n+1) = g_n exp(h D),  D = v_n + h [(1/2 - beta) a_n + beta a_(n+1)] - B(g_n)^T eta,
//   v_(n+1) = v_n + h [(1 - gamma) a_n + gamma a_(n+1)],
//   (1 - alpha_m) a_(n+1) + alpha_m a_n = (1 - alpha_f) v'_(n+1) + alpha_f v'_n.
//
// a_n stands for v' at t_n + (alpha_m - alpha_f) h. Started with a_0 = v'_0, the multipliers of the stabilised form
// have a first error of order 1; with a_0 = v'_0 + (alpha_m - alpha_f) h v''_0 of order 2. On index 3, where the
// constraints are no subgroup, that is not enough: the defect of D in the first step,
//
//   l = (1 - 6 beta - 3 (alpha_m - alpha_f))/6 h^2 v'' + h^2 hat(v) v'/12,
//
// must have no part along the constraints. [M B^T; B 0](dv, .) = (0, B l) gives the start velocity v_0 + dv that takes
// it out. [ABC15]
//
// [BC10] Brüls, Cardona, Journal of Computational and Nonlinear Dynamics 5(3), 2010, 031002.
// [ABC15] Arnold, Brüls, Cardona, Numerische Mathematik 129(1), 2015, 149-179, doi 10.1007/s00211-014-0633-1.
#include "core/base/makes.hpp"
#include "core/integration/constrained_method.hpp"
#include "methods/lie_group/displacement_step.hpp"

namespace daelab {
namespace {

enum class LieStart { plain, corrected, perturbed };
std::vector<std::string> names_of(LieStart) { return {"plain", "corrected", "perturbed"}; }

struct LieGeneralizedAlphaOptions : Makes<Method, "generalized-alpha"> {
  static constexpr const char* name = "lie-generalized-alpha";
  static constexpr const char* summary =
      "Generalized-alpha method on Lie groups: order 2, rho = damping at infinite frequency.";
  static constexpr const char* source = "Brüls, Cardona 2010; Arnold, Brüls, Cardona 2015";

  Exact rho = "9/10";
  EndConstraints constraints = EndConstraints::both;
  LieStart start = LieStart::corrected;

  Options options() {
    return {option("rho", rho, "spectral radius at infinity: 1 no damping, 0 annihilation", between(0, 1)),
            option("constraints", constraints,
                   "positions: index 3; both: positions and velocities, the stabilized form of index 2"),
            option("start", start,
                   "a_0; plain: v'_0; corrected: v' where a_0 stands; perturbed: the same and, on index 3, the start "
                   "velocity that keeps the order of the multipliers")};
  }
  /// In R^n.
  MethodForm form() const { return make<"generalized-alpha">({{"rho", rho.text()}}, "")->form(); }
  void validate(const std::string& where) const {
    if (start == LieStart::perturbed && constraints == EndConstraints::both)
      throw InputError(where + "/start", "perturbed is for constraints = positions; allowed here: plain, corrected");
  }
};

struct LieScheme {
  Real100 alpha_m, alpha_f, beta, gamma;

  explicit LieScheme(const Real100& rho)
      : alpha_m((2 * rho - 1) / (1 + rho)), alpha_f(rho / (1 + rho)), gamma(Real100(1) / 2 + alpha_f - alpha_m) {
    const Real100 sum = gamma + Real100(1) / 2;
    beta = sum * sum / 4;
  }
};

template <class T>
struct AccelerationMemory {
  Vector<T> a;  // (n) a_n, a left one
  bool operator==(const AccelerationMemory&) const = default;
};

template <class T>
class LieGeneralizedAlpha final : public TypedStepper<T, AccelerationMemory<T>> {
 public:
  LieGeneralizedAlpha(const LieScheme& s, const LieGeneralizedAlphaOptions& options, System<T>& system,
                      MechanicalModel<T>& model, const NewtonOptions& newton)
      : system_(system),
        model_(model),
        start_(options.start),
        n_(model.coordinates()),
        m_(model.constraints()),
        alpha_m_(static_cast<T>(s.alpha_m)),
        alpha_f_(static_cast<T>(s.alpha_f)),
        beta_(static_cast<T>(s.beta)),
        gamma_(static_cast<T>(s.gamma)),
        left_(model),
        step_(model, left_, options.constraints, newton),
        g_(left_.configuration()),
        near_(g_),
        saddle_point_(n_ + m_) {
    for (Vector<T>* x : {&v_, &vdot_, &a_, &next_a_, &second_, &displacement_}) x->setZero(n_);
    for (Vector<T>* x : {&y_, &ydot_}) x->setZero(system.size());
    rhs_.setZero(n_ + m_);
    if (options.start == LieStart::perturbed)
      M_.setZero(n_, n_), B_.setZero(m_, n_), Q_.setZero(n_), h_row_.setZero(m_);
  }

  HeldMemory make_memory() const override {
    return HeldMemory::of(AccelerationMemory<T>{Vector<T>(Vector<T>::Zero(n_))});
  }
  std::vector<std::string> newton_options() const override { return {"name", "test", "tolerance", "max_iterations"}; }
  /// The past is one of left quantities, which are the same in all coordinates of a group.
  bool change_coordinates(State<T>& /*state*/, CoordinateChange<T>& /*change*/) override { return true; }

  Status step(const State<T>& from, const T& h, State<T>& to) override {
    const typename LeftModel<T>::Visit visit(left_);
    left_.load(from, g_, v_, vdot_);
    a_ = this->past(from).a;
    if (from.memory_step == T(0))
      if (const Status status = start(from, h); !status.ok()) return status;
    relate(h);
    step_.lambda = left_.layout().lambda(from.y);
    step_.D = v_ + (h / T(2)) * a_;
    step_.begin(from.t, h, g_, this->statistics_);
    if (const Status status = step_.solve(); !status.ok()) return status;
    finish(h, from, to);
    return {};
  }

 private:
  // With w: a_(n+1) = ((w - v)/h - (1/2 - beta) a)/beta.
  void relate(const T& h) {
    DisplacementRelation<T>& x = step_.relation;
    const T eta = (T(1) - alpha_m_) / (T(1) - alpha_f_);
    x.c = gamma_ / beta_, x.d = eta / beta_;
    x.r = (T(1) - x.c) * v_ + (h * (T(1) - gamma_ / (T(2) * beta_))) * a_;
    x.s = -x.d * (v_ / h + a_ / T(2)) + (a_ - alpha_f_ * vdot_) / (T(1) - alpha_f_);
  }

  void finish(const T& h, const State<T>& from, State<T>& to) {
    next_a_ = ((step_.w() - v_) / h - (T(1) / T(2) - beta_) * a_) / beta_;
    left_.store(step_.end(), step_.v(), step_.a(), to);
    to.y.tail(m_) = step_.lambda;
    this->past(to).a = next_a_;
    to.t = from.t + h;
    to.memory_step = h;
    ++this->statistics_.steps;
  }

  // h v'' by the accelerations at t +- h on the parabola through the start.
  Status second_derivative(const State<T>& from, const T& h) {
    for (const int sign : {1, -1}) {
      near_.q = g_.q, near_.held = g_.held;
      displacement_ = (T(sign) * h) * v_ + (h * h / T(2)) * vdot_;
      left_.space.move(lie::Retraction::exponential, displacement_, near_);
      left_.go_to(near_);
      y_.head(n_) = near_.q, y_.segment(n_, n_) = v_ + (T(sign) * h) * vdot_;
      y_.tail(m_) = left_.layout().lambda(from.y);
      const Status status = system_.consistent_derivatives(from.t + T(sign) * h, y_, ydot_);
      if (!status.ok()) return status;
      if (sign > 0)
        second_ = ydot_.segment(n_, n_) / T(2);
      else
        second_ -= ydot_.segment(n_, n_) / T(2);
    }
    return {};
  }

  Status start(const State<T>& from, const T& h) {
    a_ = vdot_;
    if (start_ == LieStart::plain) return {};
    if (const Status status = second_derivative(from, h); !status.ok()) return status;
    a_ += (alpha_m_ - alpha_f_) * second_;
    return start_ == LieStart::perturbed && m_ > 0 ? perturb(from, h) : Status{};
  }

  Status perturb(const State<T>& from, const T& h) {
    displacement_ = vdot_;
    left_.space.bracket(v_, displacement_);
    const T weight = (T(1) - T(6) * beta_ - T(3) * (alpha_m_ - alpha_f_)) / T(6);
    displacement_ = (h * h / T(12)) * displacement_ + (weight * h) * second_;
    left_.go_to(g_);
    model_.data(from.t, g_.q, v_, M_, Q_, B_, h_row_);
    Matrix<T>& A = saddle_point_.matrix();
    A.setZero();
    A.topLeftCorner(n_, n_) = M_, A.topRightCorner(n_, m_) = B_.transpose(), A.bottomLeftCorner(m_, n_) = B_;
    if (const Status status = saddle_point_.factorize(); !status.ok()) return status;
    rhs_.head(n_).setZero();
    rhs_.tail(m_).noalias() = B_.lazyProduct(displacement_);
    saddle_point_.solve(rhs_);
    v_ += rhs_.head(n_);
    return {};
  }

  System<T>& system_;
  MechanicalModel<T>& model_;
  LieStart start_;
  Index n_, m_;
  T alpha_m_, alpha_f_, beta_, gamma_;
  LeftModel<T> left_;
  DisplacementStep<T> step_;
  Configuration<T> g_, near_;
  DenseLu<T> saddle_point_;
  Vector<T> v_, vdot_, a_, next_a_, second_, displacement_;  // (n); second_: h v''
  Vector<T> y_, ydot_, rhs_;
  Matrix<T> M_, B_;  // of a perturbed start
  Vector<T> Q_, h_row_;
};

class LieGeneralizedAlphaMethod final : public ConstrainedMethod {
 public:
  LieGeneralizedAlphaMethod(const LieGeneralizedAlphaOptions& options, const std::string& where)
      : options_(options), scheme_(options.rho.value()) {
    options.validate(where);
  }
  Level natural_level() const override { return Level::position; }
  MethodForm form() const override { return options_.form(); }
  std::vector<Coefficient> coefficients() const override {
    const auto number = [](const Real100& x) { return Matrix<Real100>(Matrix<Real100>::Constant(1, 1, x)); };
    return {{"alpha_m", "weight of a_n against a_(n+1)", number(scheme_.alpha_m)},
            {"alpha_f", "weight of v'_n against v'_(n+1)", number(scheme_.alpha_f)},
            {"beta", "weight of a_(n+1) in the displacement", number(scheme_.beta)},
            {"gamma", "weight of a_(n+1) in the velocity", number(scheme_.gamma)}};
  }
  PredictedOrders predicted_orders(const FormulationTraits& formulation, const FormOrders& /*orders*/) const override {
    if (!formulation.imposes_only(Level::position) || formulation.stabilized)
      return PredictedOrders::unknown("it imposes the levels of the constraints itself, on index-3");
    if (options_.rho.value() == 1)
      return PredictedOrders::unknown("without damping no theorem: errors of the multipliers do not fade");
    return PredictedOrders::everywhere(2, "Arnold, Brüls, Cardona 2015, after the first steps");
  }

 private:
  const char* needs() const override { return "the method needs mass, force and constraints of a mechanical system"; }
#define DAELAB_DEFINE(T)                                                                                      \
  std::unique_ptr<Stepper<T>> bind(System<T>& system, MechanicalModel<T>& model, const NewtonOptions& newton) \
      const override {                                                                                        \
    require_group_step(system, model);                                                                        \
    return std::make_unique<LieGeneralizedAlpha<T>>(scheme_, options_, system, model, newton);                \
  }
  DAELAB_FOR_SCALARS(DAELAB_DEFINE)
#undef DAELAB_DEFINE

  LieGeneralizedAlphaOptions options_;
  LieScheme scheme_;
};
const MethodEntry<LieGeneralizedAlphaOptions, LieGeneralizedAlphaMethod> lie_generalized_alpha_entry;

}  // namespace
}  // namespace daelab
