#include <algorithm>
#include <array>
#include <cmath>

#include "core/integration/explicit_stepper.hpp"
#include "methods/taylor/solution_series.hpp"
#include "methods/taylor/taylor_method.hpp"

namespace daelab {
namespace {

// The real stability limit of R(z) = 1 + z + ... + z^N/N!, as the tableau has it that adds its terms as Horner does.
double stability_limit(int order) {
  Matrix<double> A = Matrix<double>::Zero(order, order);
  for (int i = 1; i < order; ++i) A(i, i - 1) = 1.0 / (order + 1 - i);
  return real_stability_limit(A, Vector<double>::Unit(order, order - 1));
}

template <class T>
class TaylorStepper final : public ExplicitStepper<T> {
 public:
  TaylorStepper(const TaylorSettings& settings, System<T>& system)
      : ExplicitStepper<T>(system, 0),
        system_(system),
        settings_(settings),
        order_(settings.order.value_or(taylor_order(static_cast<double>(epsilon<T>())))),
        series_(std::make_unique<SolutionSeries<T>>(system, order_)),
        sum_(Vector<T>::Zero(system.size())) {
    allocate();
  }

  Status step(const State<T>& from, const T& h, State<T>& to) override {
    if (const Status status = this->start(from, h); !status.ok()) return status;
    const Matrix<T>* c = nullptr;
    if (const Status status = expand(from, c); !status.ok()) return status;
    rise(*c, h);
    sum_ += from.compensation;
    return this->finish(from, h, sum_, to);
  }

  void control(const Tolerances<T>& tolerances) override {
    error_norm_ = ErrorNorm<T>(tolerances, system_);
    const T tolerance = tolerances.relative > T(0) ? tolerances.relative : tolerances.absolute;
    if (!settings_.order) order_ = taylor_order(static_cast<double>(std::max(tolerance, epsilon<T>())));
    series_->set_order(order_);
    allocate();
    this->watch_stiffness(stability_limit(order_));
  }
  T first_step(const State<T>& start, const T& length) const override {
    Matrix<T> c(system_.differential(), order_ + 1);
    if (!series_->expand(start.t, start.y, c).ok()) return length / T(10000);
    ErrorNorm<T> norm = error_norm_;
    norm.weigh(start.y);
    return std::min(length, fitting_step(norm, c));
  }
  StepDecision<T> judge(const State<T>& from, const T& h, State<T>& to, int /*failures*/) override {
    to.control = from.control;
    StepDecision<T> decision{false, T(h / T(4)), T(0), order_, order_ - 1};
    const Matrix<T>* c = nullptr;
    if (!expand(from, c).ok()) return decision;
    error_norm_.weigh(from.y);
    const T defect = end_defect(*c, h, to);
    decision.error = std::max(last_terms(*c, h), defect);
    decision.accepted = decision.error <= T(1);
    if (!decision.accepted) {
      // Where the series does not see what is ahead, its own choice is too long.
      const T fitting = fitting_step(error_norm_, *c);
      decision.h = defect <= T(1) ? fitting : std::min(decision.h, fitting);
      return decision;
    }
    decision.h = next_step(h, to);
    return this->watched(decision, h, to);
  }

  /// The polynomial.
  bool interpolate(const State<T>& from, const State<T>& /*to*/, const T& t, Vector<T>& y) override {
    const Matrix<T>* c = nullptr;
    if (!expand(from, c).ok()) return false;
    rise(*c, T(t - from.t));
    const Index differential = system_.differential();
    y.head(differential) = from.y.head(differential) + sum_.head(differential);
    return true;
  }

 private:
  struct Expansion {
    const Forms* forms = nullptr;  // null: there is none
    T t{0};
    Vector<T> y;
    Matrix<T> coefficients;
  };

  void allocate() {
    for (Expansion& x : expansions_) {
      x.forms = nullptr;
      x.y.setZero(system_.size());
      x.coefficients.setZero(system_.differential(), order_ + 1);
    }
  }

  // The series about a state. Those of the two states asked for last are kept: they are the ends of a step.
  Status expand(const State<T>& at, const Matrix<T>*& coefficients) {
    const Forms* const forms = system_.forms();
    const auto is_there = [&](const Expansion& x) { return x.forms == forms && x.t == at.t && x.y == at.y; };
    if (!is_there(expansions_[last_])) last_ = 1 - last_;
    Expansion& x = expansions_[last_];
    coefficients = &x.coefficients;
    if (is_there(x)) return {};
    x.forms = nullptr;
    this->count_evaluations(order_);
    if (const Status status = series_->expand(at.t, at.y, x.coefficients); !status.ok()) return status;
    x.forms = forms, x.t = at.t, x.y = at.y;
    return {};
  }

  // sum_ := sum_(k > 0) c_k h^k
  void rise(const Matrix<T>& c, const T& h) {
    auto sum = sum_.head(c.rows());
    sum = c.col(order_);
    for (int k = order_ - 1; k > 0; --k) sum = h * sum + c.col(k);
    sum *= h;
  }

  T last_terms(const Matrix<T>& c, const T& h) const {
    using std::abs, std::pow;
    const T size = abs(h), power = pow(size, order_ - 1);
    return std::max(T(error_norm_(c.col(order_ - 1)) * power), T(error_norm_(c.col(order_)) * power * size));
  }
  // h (p'(h) - y'), over N + 1: where nothing jumps, the first term left out.
  T end_defect(const Matrix<T>& c, const T& h, const State<T>& to) {
    using std::abs;
    auto slope = sum_.head(c.rows());
    slope = T(order_) * c.col(order_);
    for (int k = order_ - 1; k > 0; --k) slope = h * slope + T(k) * c.col(k);
    slope -= to.ydot.head(c.rows());
    return error_norm_(sum_) * abs(h) / T(order_ + 1);
  }
  T fitting_step(const ErrorNorm<T>& norm, const Matrix<T>& c) const {
    using std::pow;
    T fitting = std::numeric_limits<T>::max();
    for (int k = order_ - 1; k <= order_; ++k)
      if (const T size = norm(c.col(k)); size > T(0)) fitting = std::min(fitting, T(pow(size, T(T(-1) / T(k)))));
    return T(std::exp(-0.7 / (order_ - 1))) * fitting;
  }
  T next_step(const T& h, const State<T>& at) {
    const Matrix<T>* c = nullptr;
    if (!expand(at, c).ok()) return h;
    error_norm_.weigh(at.y);
    return std::min(T(10) * h, fitting_step(error_norm_, *c));
  }

  System<T>& system_;
  TaylorSettings settings_;
  int order_;
  std::unique_ptr<SolutionSeries<T>> series_;
  ErrorNorm<T> error_norm_;
  std::array<Expansion, 2> expansions_;
  std::size_t last_ = 0;
  Vector<T> sum_;  // (N)
};

constexpr const char* no_tableau = "its weights are derivatives of f: no tableau has them";

}  // namespace

int taylor_order(double tolerance) { return std::max(2, static_cast<int>(std::ceil(1 - std::log(tolerance) / 2))); }

MethodForm TaylorMethod::form() const { return NoForm{no_tableau}; }

DenseOrder TaylorMethod::dense_order() const {
  const int order = settings_.order.value_or(2) + 1;
  return {order, order, order,
          settings_.order ? "the Taylor polynomial of the step"
                          : "the Taylor polynomial of the step, at least; its degree follows the tolerance"};
}

PredictedOrders TaylorMethod::predicted_orders(const FormulationTraits& formulation,
                                               const FormOrders& /*orders*/) const {
  if (!formulation.state_space) return PredictedOrders::only_with_state_space();
  if (formulation.stabilized)
    return PredictedOrders::unknown("the series are those of the form that is not stabilised");
  if (!settings_.order) return PredictedOrders::unknown("its order follows the tolerance: ask with order=N");
  return PredictedOrders::everywhere(*settings_.order, "Taylor's theorem: the first term left out is of order N + 1");
}

#define DAELAB_INSTANTIATE(T)                                                                        \
  std::unique_ptr<Stepper<T>> TaylorMethod::stepper(System<T>& system, const NewtonOptions&) const { \
    return std::make_unique<TaylorStepper<T>>(settings_, system);                                    \
  }
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
