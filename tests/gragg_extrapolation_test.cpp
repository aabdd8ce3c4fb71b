// The extrapolated midpoint rule: orders of its tableau, the tableau against the engine, exactness, refusals.
//
// [HNW93] Hairer, Nørsett, Wanner, Solving Ordinary Differential Equations I, 2nd ed., Springer, 1993, Sec. II.9.
#include <gmock/gmock.h>

#include "analysis/order_conditions.hpp"
#include "analysis/stability.hpp"
#include "core/integration/integrate.hpp"
#include "core/integration/method.hpp"
#include "methods/extrapolation/gragg_extrapolation.hpp"
#include "methods/runge_kutta/runge_kutta.hpp"
#include "tests/numeric_support.hpp"
#include "tests/ode_system.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;
using testing::StartsWith;
using testing::ThrowsMessage;

TEST(GraggExtrapolation, HasTheOrdersOfItsColumns) {
  for (int order = 2; order <= 8; order += 2)
    for (const bool smoothing : {false, true}) {
      SCOPED_TRACE(std::to_string(order) + (smoothing ? " smoothed" : ""));
      Tableau tableau = gragg_tableau({order, smoothing});
      const int columns = order / 2;
      EXPECT_EQ(tableau.stages(), columns * columns + 1 + (smoothing ? columns : 0));
      EXPECT_TRUE(tableau.is_explicit());
      EXPECT_EQ(order_report(tableau, order).order, order);
      if (columns == 1) continue;
      tableau.b = tableau.b_embedded;
      EXPECT_EQ(order_report(tableau, order).order, order - 2);
    }
}

// Without smoothing two steps of the midpoint rule are the explicit midpoint method; T_22 has the weights -1/3 and 4/3.
TEST(GraggExtrapolation, IsRationalAsDerivedByHand) {
  const Tableau midpoint = gragg_tableau({2, false});
  EXPECT_EQ(exact_text(midpoint.A(1, 0)), "1/2");
  EXPECT_EQ(exact_text(midpoint.b[1]), "1");
  const Tableau four = gragg_tableau({4, false});
  // Row 2: h/4 f0, then Y_2 = h/2 f(Y_1), Y_3 = h/4 f0 + h/2 f(Y_2), S_2 = h/2 (f(Y_1) + f(Y_3)).
  const char* b[] = {"0", "-1/3", "2/3", "0", "2/3"};
  const char* A3[] = {"0", "0", "1/2", "0", "0"};
  const char* A4[] = {"1/4", "0", "0", "1/2", "0"};
  for (Index j = 0; j < 5; ++j) {
    EXPECT_EQ(exact_text(four.b[j]), b[j]) << j;
    EXPECT_EQ(exact_text(four.A(3, j)), A3[j]) << j;
    EXPECT_EQ(exact_text(four.A(4, j)), A4[j]) << j;
  }
  EXPECT_TRUE(stability_function(gragg_tableau({8, false})).is_rational());
}

TEST(GraggExtrapolation, RefusesWhatItCannotDo) {
  EXPECT_THAT([] { Registry<Method>::instance().make("extrapolation:order=7", "/method"); },
              ThrowsMessage<InputError>(StartsWith("/method/order: is 7, must be even: 6 or 8")));
  EXPECT_THAT([] { Registry<Method>::instance().make("extrapolation:order=22", "/method"); },
              ThrowsMessage<InputError>(HasSubstr("2 to 20")));
  OdeSystem<double> ode = forced_oscillator<double>();
  EXPECT_THAT(
      [&] {
        Registry<Method>::instance().make("extrapolation:order=2", "")->stepper(ode, {})->control({1e-6, 1e-6, 1e-6});
      },
      ThrowsMessage<NotApplicable>(HasSubstr("no error estimate at order 2")));
}

#ifndef DAELAB_DOUBLE_ONLY
// What only engines and models in 50 digits can show.

TEST(GraggExtrapolation, IsItsTableau) {
  OdeSystem<Real50> ode = forced_oscillator<Real50>();
  const State<Real50> start = start_state<Real50>(ode, Vector<Real50>::Ones(2));
  for (const char* spec : {"extrapolation:order=2", "extrapolation:order=6", "extrapolation:order=12",
                           "extrapolation:order=2,smoothing=true", "extrapolation:order=6,smoothing=true"}) {
    State<Real50> by_engine = start, by_tableau = start;
    const auto method = Registry<Method>::instance().make(spec, "");
    const RungeKuttaMethod tableau(std::get<Tableau>(method->form()));
    ASSERT_TRUE(integrate<Real50>(*method->stepper(ode, {}), by_engine, Real50(1), Real50(1) / 4, {}).ok());
    ASSERT_TRUE(integrate<Real50>(*tableau.stepper(ode, {}), by_tableau, Real50(1), Real50(1) / 4, {}).ok());
    EXPECT_LT(largest(by_engine.y - by_tableau.y), 1e-44) << spec;  // round-off in 50 digits
  }
}

// y' = p t^(p-1): the quadrature of order 20 integrates it in one step up to p = 20.
TEST(GraggExtrapolation, OfOrderTwentyIntegratesPolynomials) {
  for (const int p : {1, 12, 20, 21}) {
    OdeSystem<Real50> ode(1,
                          [p](const Real50& t, const Vector<Real50>&, Vector<Real50>& f) { f[0] = p * pow(t, p - 1); });
    State<Real50> state = start_state<Real50>(ode, Vector<Real50>::Zero(1));
    ASSERT_TRUE(integrate<Real50>(*Registry<Method>::instance().make("extrapolation:order=20", "")->stepper(ode, {}),
                                  state, Real50(1), Real50(1), {})
                    .ok());
    const double error = static_cast<double>(abs(state.y[0] - 1));
    EXPECT_EQ(error < 1e-40, p <= 20) << p << ": " << error;
  }
}

// Thirty digits with steps of 1/20 and more: what a high order is for.
TEST(GraggExtrapolation, ReachesThirtyDigits) {
  OdeSystem<Real50> ode = forced_oscillator<Real50>();
  State<Real50> state = start_state<Real50>(ode, Vector<Real50>{{Real50(1), Real50(1) / 2}});
  const Vector<Real50> exact = ode_solution(ode, state.y, Real50(1));
  const auto stepper = Registry<Method>::instance().make("extrapolation:order=20", "")->stepper(ode, {});
  stepper->control({Real50("1e-30"), Real50("1e-30"), Real50("1e-30")});
  ASSERT_TRUE(integrate_adaptive<Real50>(*stepper, state, Real50(1), Real50(0), {}).ok());
  EXPECT_LT(largest(state.y - exact), 1e-29);  // ten tolerances
  EXPECT_LT(stepper->statistics().steps, 60);  // three times the 20 of 1/20
}

#endif

}  // namespace TEST_FILE
}  // namespace daelab
