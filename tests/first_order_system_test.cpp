// Ordinary differential equations and index-1 DAEs as systems: blocks against the dense Jacobians, algebraic states,
// orders of every family in double and in 50 digits, dense output.
#include "core/equations/first_order_system.hpp"

#include <gmock/gmock.h>

#include "analysis/order_estimate.hpp"
#include "core/integration/extrapolation.hpp"
#include "core/integration/method.hpp"
#include "core/integration/observers.hpp"
#include "tests/numeric_support.hpp"
#include "tests/scalars.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

// Van der Pol's equation with a forcing: nonlinear, not autonomous, no symmetry that could hide an order.
void record_forced_oscillator(Recording& r) {
  r.states(2);
  r.start_s = {1, Exact("1/2")};
  const Expressions& s = r.s;
  r.rates[0] = s[1] + sin(r.t) * s[0];
  r.rates[1] = (1 - s[0] * s[0]) * s[1] - s[0] + cos(r.t);
}

// The same driven through z + z^3/3 = cos t + y1: g_z = 1 + z^2.
void record_algebraic_forcing(Recording& r) {
  r.states(3);
  r.algebraic_states = 1;
  r.start_s = {1, Exact("1/2"), 1};
  const Expressions& s = r.s;
  r.rates[0] = s[1] - s[2] * s[0];
  r.rates[1] = (1 - s[0] * s[0]) * s[1] - s[2];
  r.rates[2] = s[2] + s[2] * s[2] * s[2] / 3 - cos(r.t) - s[0];
}

// y' = z, 0 = z^2 - y.
void record_root(Recording& r) {
  r.states(2);
  r.algebraic_states = 1;
  r.start_s = {1, 1};
  r.rates = {r.s[1], r.s[1] * r.s[1] - r.s[0]};
}

template <class T>
struct Bound {
  explicit Bound(Record record)
      : model(as_ordinary(make_model<T>(record_problem(std::move(record))))), system(*model, model->index()) {
    start.y = model->initial_y();
    start.ydot.setZero(system.size()), start.compensation.setZero(system.size());
    status = system.consistent_derivatives(start.t, start.y, start.ydot);
  }
  std::unique_ptr<OrdinaryModel<T>> model;
  FirstOrderSystem<T> system;
  State<T> start;
  Status status;
};

// ---------------------------------------------------------------- blocks

TEST(FirstOrderSystem, ResidualIsZeroOnTheCompletedState) {
  Bound<double> dae(record_algebraic_forcing);
  ASSERT_TRUE(dae.status.ok()) << dae.status.cause;
  Vector<double> F(3);
  dae.system.residual(0, dae.start.y, dae.start.ydot, F);
  EXPECT_LT(largest(F), 1e-15);  // round-off
  EXPECT_EQ(dae.start.ydot[2], 0);
  EXPECT_EQ(dae.system.facts().explicit_form_refusal, "");
}

TEST(FirstOrderSystem, AlgebraicStatesThatCannotBeFoundAreAStatus) {
  Bound<double> root(record_root);
  ASSERT_TRUE(root.status.ok()) << root.status.cause;
  EXPECT_EQ(root.start.ydot[0], 1);
  root.start.y << 0, 0;  // g_z = 2 z
  const Status singular = root.system.consistent_derivatives(0, root.start.y, root.start.ydot);
  EXPECT_EQ(singular.code, StatusCode::singular);
  EXPECT_THAT(singular.cause, HasSubstr("g_z is singular"));
  root.start.y << -1, 0.3;  // z^2 = -1
  const Status none = root.system.consistent_derivatives(0, root.start.y, root.start.ydot);
  EXPECT_FALSE(none.ok());
  EXPECT_THAT(none.cause, HasSubstr("the algebraic equations: "));
}

// ---------------------------------------------------------------- orders

template <void (*record)(Recording&)>
Vector<Real50> exact_end() {
  Bound<Widest> bound(record);
  Vector<Widest> y = bound.start.y;
  const auto slope = [&](const Widest& t, const Vector<Widest>& at, Vector<Widest>& f) {
    y.head(bound.system.differential()) = at.head(bound.system.differential());
    f.setZero();
    EXPECT_TRUE(bound.system.consistent_derivatives(t, y, f).ok());
  };
  // Down to round-off: in double more columns would only amplify it.
  const bool is_double = std::is_same_v<Widest, double>;
  y = extrapolate<Widest>(slope, Widest(0), bound.start.y, Widest(1), is_double ? 64 : 16, is_double ? 6 : 15);
  Vector<Widest> ydot = bound.start.ydot;
  EXPECT_TRUE(bound.system.consistent_derivatives(Widest(1), y, ydot).ok());
  return y.template cast<Real50>();
}

template <void (*record)(Recording&), class T>
double observed_order(const std::string& method, int coarsest, int points) {
  static const Vector<Real50> exact = exact_end<record>();
  std::vector<OrderPoint> errors;
  for (int n = coarsest; points > 0; n *= 2, --points) {
    Bound<T> bound(record);
    const auto stepper = Registry<Method>::instance().make(method, "")->stepper(bound.system, NewtonOptions{});
    State<T> state = bound.start;
    const Status status = integrate<T>(*stepper, state, T(1), T(1) / n, {});
    EXPECT_TRUE(status.ok()) << status.cause;
    const Vector<Real50> y = state.y.template cast<Real50>();
    errors.push_back(order_point(Real50(1) / n, Real50(largest(y - exact))));
  }
  const OrderEstimate estimate = estimate_order(errors);
  EXPECT_TRUE(estimate.decided) << estimate.statement;
  return estimate.order;
}

struct OrderCase {
  std::string method;
  int order, coarsest;
  friend void PrintTo(const OrderCase& c, std::ostream* out) { *out << c.method; }
};

// The order of each family, in every component: algebraic ones satisfy g = 0 at step ends, whether the last stage is
// there or they are completed. [HW96, Sec. VI.1]
class FirstOrderMethods : public testing::TestWithParam<OrderCase> {};

TEST_P(FirstOrderMethods, HaveTheirOrderInDouble) {
  const auto& [method, order, coarsest] = GetParam();
  // Steps above round-off are not quite as small as theory wants them.
  EXPECT_NEAR((observed_order<record_forced_oscillator, double>(method, coarsest, 3)), order, 0.35);
  EXPECT_NEAR((observed_order<record_algebraic_forcing, double>(method, coarsest, 3)), order, 0.35);
}
#ifndef DAELAB_DOUBLE_ONLY
TEST_P(FirstOrderMethods, HaveTheirOrderIn50Digits) {
  // The next term leaves 0.15 of an order.
  const auto& [method, order, coarsest] = GetParam();
  EXPECT_NEAR((observed_order<record_forced_oscillator, Real50>(method, 4 * coarsest, 3)), order, 0.15);
  EXPECT_NEAR((observed_order<record_algebraic_forcing, Real50>(method, 4 * coarsest, 3)), order, 0.15);
}
#endif
INSTANTIATE_TEST_SUITE_P(Families, FirstOrderMethods,
                         testing::Values(OrderCase{"runge-kutta", 4, 16},
                                         OrderCase{"runge-kutta:tableau=dormand-prince", 5, 16},
                                         OrderCase{"radau-iia:s=3", 5, 8}, OrderCase{"gauss:s=2", 4, 8},
                                         OrderCase{"lobatto-iiic:s=3", 4, 8}, OrderCase{"pade-block:r=3", 4, 8},
                                         OrderCase{"bdf:k=3", 3, 64}, OrderCase{"adams-bashforth:k=3", 3, 64},
                                         OrderCase{"adams-pece:k=3", 3, 64}),
                         [](const auto& info) { return test_name_of(info.param.method); });

// ---------------------------------------------------------------- dense output and formulations

TEST(OdeFormulation, TakesModelsWithoutCoordinatesAndNoOther) {
  const auto make = [](const char* problem, const std::string& formulation) {
    try {
      BoundProblem<double>(problem, formulation);
    } catch (const NotApplicable& refusal) {
      return std::string(refusal.what());
    }
    return std::string();
  };
  EXPECT_EQ(make("van-der-pol", "ode"), "");
  EXPECT_THAT(make("pendulum", "ode"), HasSubstr("choose one of " + mechanical_formulations().front()));
  for (const std::string& form : mechanical_formulations())
    EXPECT_THAT(make("van-der-pol", form), HasSubstr("choose ode")) << form;
}

#ifndef DAELAB_DOUBLE_ONLY
// What only engines and models in 50 digits can show.

template <class S>
void expect_solves(IterationMatrix<S>& matrix, const Matrix<S>& columns, const S& kappa) {
  ASSERT_TRUE(matrix.factorize(kappa).ok());
  RandomNumbers random(5);
  const Vector<S> x = random.vector<Real50>(columns.cols()).template cast<S>();
  Vector<S> r = columns.lazyProduct(x);
  matrix.solve(r);
  EXPECT_LT(static_cast<double>(abs(S((r - x).squaredNorm()))), 1e-90);  // round-off in 50 digits, squared
}

TEST(FirstOrderSystem, BlocksAreTheDerivativesOfTheResidual) {
  using T = Real50;
  Bound<T> dae(record_algebraic_forcing);
  EXPECT_EQ(dae.system.size(), 3);
  EXPECT_EQ(dae.system.differential(), 2);
  EXPECT_EQ(dae.system.index(), 1);
  EXPECT_EQ(dae.system.positions(), 0);
  RandomNumbers random(3);
  const Vector<T> y = random.vector<T>(3), ydot = random.vector<T>(3);
  const T t = T(3) / 10;
  Matrix<T> F_y(3, 3), F_ydot(3, 3);
  const auto linearization = dae.system.linearization();
  linearization->evaluate(t, y, ydot);
  linearization->dense(F_y, F_ydot);
  const auto residual = [&](const Vector<T>& at, const Vector<T>& slope) {
    Vector<T> F(3);
    dae.system.residual(t, at, slope, F);
    return F;
  };
  EXPECT_LT(largest(F_y - difference(y, [&](const Vector<T>& x) { return residual(x, ydot); })), difference_tolerance);
  EXPECT_LT(largest(F_ydot - difference(ydot, [&](const Vector<T>& x) { return residual(y, x); })),
            difference_tolerance);

  const T kappa = T(1) / 8;
  Matrix<T> columns = F_ydot + kappa * F_y;
  columns.col(2) = F_y.col(2);
  expect_solves<T>(*linearization->real_matrix(), columns, kappa);
  using Complex = std::complex<T>;
  const Complex c(kappa, kappa / 3);
  Matrix<Complex> complex_columns(3, 3);
  for (Index j = 0; j < 3; ++j)
    for (Index i = 0; i < 3; ++i)
      complex_columns(i, j) = j < 2 ? Complex(F_ydot(i, j)) + c * F_y(i, j) : Complex(F_y(i, j));
  expect_solves<Complex>(*linearization->complex_matrix(), complex_columns, c);
}

// Between steps of a method without dense output of its own: order 4, algebraic states completed.
TEST(FirstOrderSampler, IsOfOrderFour) {
  using T = Real50;
  const T at = T(1) / 5;
  const auto sample = [&](int n) {
    Bound<T> bound(record_algebraic_forcing);
    const auto stepper = Registry<Method>::instance().make("gauss:s=6", "")->stepper(bound.system, NewtonOptions{});
    State<T> state = bound.start;
    Sampler<T> sampler(*bound.model, bound.system, {at}, stepper.get());
    EXPECT_TRUE(integrate<T>(*stepper, state, T(1), T(1) / n, {&sampler}).ok());
    return sampler.samples().front().y;
  };
  const Vector<T> exact = sample(40);  // a step end
  // 0.2 is as far from both ends of its step with 8 and 32 steps.
  const double coarse = largest(sample(8) - exact), fine = largest(sample(32) - exact);
  EXPECT_NEAR(std::log(coarse / fine) / std::log(4), 4, 0.2);
}

#endif

}  // namespace TEST_FILE
}  // namespace daelab
