// Dense output: its order is that of the method where its card says so, on ordinary differential equations and on a
// mechanism; bootstrapped polynomials are exact on polynomials.
#include <gmock/gmock.h>

#include "analysis/method_report.hpp"
#include "core/integration/bootstrapped_output.hpp"
#include "core/integration/dense_output.hpp"
#include "core/integration/method.hpp"
#include "core/integration/observers.hpp"
#include "lab/runs/run.hpp"
#include "results/record_values.hpp"
#include "tests/numeric_support.hpp"
#include "tests/ode_system.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

// ---------------------------------------------------------------- the polynomials

// y' = (k - 1) t^(k - 2): the slopes between the ends are exact whatever y is.
// Coefficients amplify round-off: 90 units of it per order are allowed.
TEST(BootstrappedOutput, IsExactOnPolynomials) {
  for (const int k : {5, 6, 7, 8, 12, 20}) {
    OdeSystem<double> ode(
        1, [k](const double& t, const Vector<double>&, Vector<double>& f) { f[0] = (k - 1) * std::pow(t, k - 2); });
    const auto at = [&](double t) {
      State<double> state;
      state.t = t, state.y = Vector<double>::Constant(1, std::pow(t, k - 1)), state.ydot.setZero(1);
      EXPECT_TRUE(ode.consistent_derivatives(state.t, state.y, state.ydot).ok());
      return state;
    };
    const State<double> from = at(0.2), to = at(1.1);
    BootstrappedOutput<double> output(k, 1, 1);
    Vector<double> y(1);
    for (const double t : {0.2, 0.3, 0.61, 0.9, 1.1}) {
      const auto slope = [&](const double& s, Vector<double>& x, Vector<double>& f) {
        return ode.consistent_derivatives(s, x, f);
      };
      ASSERT_TRUE(output(from, to, t, slope, y));
      EXPECT_NEAR(y[0], std::pow(t, k - 1), 2e-14 * k) << "order " << k << ", t = " << t;
    }
  }
}

TEST(BootstrappedOutput, EvaluatesSlopesOnceForEachStep) {
  OdeSystem<double> ode = forced_oscillator<double>();
  const State<double> from = start_state<double>(ode, Vector<double>{{1.0, 0.5}});
  State<double> to = from;
  to.t = 0.1, to.y += 0.1 * from.ydot;
  int evaluations = 0;
  const auto slope = [&](const double& t, Vector<double>& y, Vector<double>& f) {
    ++evaluations;
    return ode.consistent_derivatives(t, y, f);
  };
  BootstrappedOutput<double> output(8, 2, 2);
  Vector<double> y(2);
  for (const double t : {0.02, 0.05, 0.09}) EXPECT_TRUE(output(from, to, t, slope, y));
  EXPECT_EQ(evaluations, 1 + 2 + 3 + 4);
  to.y[0] += 1;  // another end of the same step
  EXPECT_TRUE(output(from, to, 0.05, slope, y));
  EXPECT_EQ(evaluations, 2 * (1 + 2 + 3 + 4));
}

TEST(BootstrappedOutput, HasNoValueWithoutItsSlopes) {
  OdeSystem<double> ode = forced_oscillator<double>();
  const State<double> from = start_state<double>(ode, Vector<double>{{1.0, 0.5}});
  State<double> to = from;
  to.t = 0.1;
  const auto slope = [](const double&, Vector<double>&, Vector<double>&) {
    return Status{StatusCode::singular, "no slope there"};
  };
  BootstrappedOutput<double> output(6, 2, 2);
  Vector<double> y = Vector<double>::Constant(2, 7.0);
  EXPECT_FALSE(output(from, to, 0.05, slope, y));
  EXPECT_EQ(y, Vector<double>::Constant(2, 7.0));
}

// ---------------------------------------------------------------- methods

struct DenseCase {
  const char* method;
  int order;
  const char* steps;  // the longer of two step sizes, above round-off
  double most = 10;   // of errors between step ends, over those at them; Hermite polynomials: 17 to 900
  friend void PrintTo(const DenseCase& c, std::ostream* out) { *out << c.method; }
};

class DenseOutputOrder : public testing::TestWithParam<DenseCase> {};

// Largest errors of the pendulum's (q, v) at the middle of its steps and at their ends.
std::pair<double, double> pendulum_errors(const std::string& method, const Real100& h) {
  const auto problem = Registry<Problem>::instance().make("pendulum", "");
  Json samples = Json::array();
  for (int i = 1; i * h / 2 <= 1; ++i) samples.push_back(to_text(Real100(i * h / 2), 40));
  const Json record = Run::bind({{"problem", "pendulum"},
                                 {"formulation", "index-1"},
                                 {"method", method},
                                 {"h", to_text(h, 40)},
                                 {"t_end", "1"},
                                 {"samples", samples}},
                                "")
                          ->execute()
                          .record;
  EXPECT_EQ(record["status"], "ok") << record["cause"];
  double between = 0, ends = 0;
  for (std::size_t i = 0; i < record["samples"].size(); ++i) {
    const Json& sample = record["samples"][i];
    const Motion exact = *problem->independent_solution(Real50(Real100((i + 1) * h / 2)), 40);
    double& worst = i % 2 == 0 ? between : ends;
    worst =
        std::max({worst, largest(record_vector(sample["q"]) - exact.q), largest(record_vector(sample["v"]) - exact.v)});
  }
  return {between, ends};
}

// Errors between step ends are at most so many times those at them; the order is that of two steps, which are not
// small.
TEST_P(DenseOutputOrder, IsThatOfTheMethod) {
  const auto& [method, order, steps, most] = GetParam();
  const DenseOrder stated = Registry<Method>::instance().make(method, "")->dense_order();
  EXPECT_GE(std::min({stated.q, stated.v, stated.y}), order);
  const Real100 h = 1 / Exact(steps).value();
  const auto coarse = pendulum_errors(method, h), fine = pendulum_errors(method, h / 2);
  EXPECT_LT(coarse.first, most * coarse.second);
  EXPECT_LT(fine.first, most * fine.second);
  EXPECT_GT(std::log2(coarse.first / fine.first), order - 0.6);
}

INSTANTIATE_TEST_SUITE_P(Explicit, DenseOutputOrder,
                         testing::Values(DenseCase{"runge-kutta:tableau=dverk", 6, "10"},
                                         DenseCase{"runge-kutta:tableau=fehlberg-78", 7, "10"},
                                         DenseCase{"runge-kutta:tableau=verner-87", 8, "8"},
                                         DenseCase{"runge-kutta:tableau=cooper-verner", 8, "8"},
                                         DenseCase{"extrapolation:order=8", 8, "6"},
                                         DenseCase{"extrapolation:order=10", 10, "6"},
                                         DenseCase{"taylor:order=6", 6, "10"}, DenseCase{"adams-pece:k=6", 6, "50"},
                                         DenseCase{"adams-variable:k=5", 6, "50"}, DenseCase{"pirk:s=4", 6, "10", 15},
                                         DenseCase{"pirk", 8, "8", 15}));

// Of ordinary differential equations the cubic Hermite polynomial is of order 4: Dormand's and Prince's method has 5.
TEST(DenseOutputOrder, IsThatOfTheMethodOnOrdinaryDifferentialEquations) {
  const auto error = [](const char* steps) {
    OdeSystem<double> ode = forced_oscillator<double>();
    OdeSystem<Real50> oracle = forced_oscillator<Real50>();
    const double h = 1 / std::atof(steps);
    const State<double> from = start_state<double>(ode, Vector<double>{{1.0, 0.5}});
    State<double> to = from;
    const auto stepper = Registry<Method>::instance().make("runge-kutta:tableau=dormand-prince", "")->stepper(ode, {});
    EXPECT_TRUE(stepper->step(from, h, to).ok());
    Vector<double> y(2);
    EXPECT_TRUE(stepper->interpolate(from, to, h / 2, y));
    const Vector<Real50> exact = ode_solution(oracle, Vector<Real50>{{Real50(1), Real50(1) / 2}}, Real50(h / 2));
    return largest(y.cast<Real50>() - exact);
  };
  EXPECT_GT(std::log2(error("16") / error("32")), 4.8);  // measured 5.03
}

// ---------------------------------------------------------------- what cards say

TEST(DenseOutputOrder, StandsOnTheCard) {
  const auto card = [](const char* method) {
    return Json(method_report(*Registry<Method>::instance().make(method, "")))["dense_output"];
  };
  EXPECT_EQ(card("runge-kutta:tableau=fehlberg-78")["v"],
            Registry<Method>::instance().make("runge-kutta:tableau=fehlberg-78", "")->dense_order().v);
  EXPECT_THAT(card("runge-kutta:tableau=fehlberg-78")["how"].get<std::string>(), HasSubstr("Enright"));
  const Json hermite = card("radau-iia:s=3"), bdf = card("bdf:k=3");
  EXPECT_EQ(hermite["q"], 6);
  EXPECT_EQ(hermite["v"], 5);
  EXPECT_EQ(hermite["y"], 4);
  EXPECT_THAT(hermite["how"].get<std::string>(), HasSubstr("quintic"));
  for (const char* kind : {"q", "v", "y"}) EXPECT_EQ(bdf[kind], 3) << kind;
}

}  // namespace TEST_FILE
}  // namespace daelab
