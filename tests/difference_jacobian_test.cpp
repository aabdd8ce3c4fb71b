// Iteration matrices by differences: their blocks against the exact ones, corrections with every kind of unknowns, runs
// with both in digits and counts, and what is refused.
//
// Forward differences with a step of the root of eps are good to that root, 1.5e-8, times sizes near 1.
#include "core/equations/difference_jacobian.hpp"

#include <gmock/gmock.h>

#include "lab/runs/run.hpp"
#include "results/record_values.hpp"
#include "tests/experiment_support.hpp"
#include "tests/method_support.hpp"
#include "tests/numeric_support.hpp"
#include "tests/run_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr double root_of_eps = 1.5e-8;

struct Pair {
  explicit Pair(const std::string& problem, const std::string& formulation)
      : exact(problem, formulation), inner(problem, formulation) {
    differenced = std::make_unique<DifferencedSystem<double>>(std::move(inner.system), JacobianOptions{});
    y = exact.start.y, ydot = exact.start.ydot;
    for (Index i = 0; i < y.size(); ++i) y[i] += 0.01 * static_cast<double>(i % 3);
  }
  BoundProblem<double> exact, inner;
  std::unique_ptr<DifferencedSystem<double>> differenced;
  Vector<double> y, ydot;
};

class DifferencesOn : public testing::TestWithParam<std::string> {};

TEST_P(DifferencesOn, AreTheDerivatives) {
  Pair pair("two-link-manipulator", GetParam());
  const auto exact = pair.exact.system->linearization(), differences = pair.differenced->linearization();
  exact->evaluate(0.1, pair.y, pair.ydot), differences->evaluate(0.1, pair.y, pair.ydot);
  EXPECT_EQ(pair.differenced->evaluations(), 1);
  const Index N = pair.y.size();
  Matrix<double> F_y(N, N), F_ydot(N, N), D_y(N, N), D_ydot(N, N);
  exact->dense(F_y, F_ydot), differences->dense(D_y, D_ydot);
  const double size = 1 + F_y.cwiseAbs().maxCoeff() + pair.ydot.cwiseAbs().maxCoeff();
  EXPECT_LT((D_y - F_y).cwiseAbs().maxCoeff(), 20 * root_of_eps * size);
  EXPECT_LT((D_ydot - F_ydot).cwiseAbs().maxCoeff(), 20 * root_of_eps * size);
}

// (F_y' + kappa F_y) dy' = r, with the columns F_y of algebraic unknowns, and the same with dq = p x, dq' = w x,
// dv = w z, dv' = a z.
TEST_P(DifferencesOn, SolveForEveryKindOfUnknowns) {
  Pair pair("two-link-manipulator", GetParam());
  const auto differences = pair.differenced->linearization();
  differences->evaluate(0.1, pair.y, pair.ydot);
  const Index N = pair.y.size(), d = pair.differenced->differential(), n = pair.differenced->positions();
  Matrix<double> F_y(N, N), F_ydot(N, N);
  differences->dense(F_y, F_ydot);
  const auto residual = [&](const Vector<double>& dy, const Vector<double>& dydot) -> Vector<double> {
    return F_y * dy + F_ydot * dydot;
  };
  const auto matrix = differences->real_matrix();
  const Vector<double> r = Vector<double>::LinSpaced(N, -1, 1);
  const double kappa = 0.01;
  ASSERT_TRUE(matrix->factorize(kappa).ok());
  Vector<double> x = r, dy, dydot = Vector<double>::Zero(N);
  matrix->solve(x);
  dy = x, dy.head(d) *= kappa, dydot.head(d) = x.head(d);
  const double condition = 1 / (kappa * kappa);  // of index 3
  EXPECT_LT((residual(dy, dydot) - r).cwiseAbs().maxCoeff(), 1e-11 * condition);
  const SecondOrderWeights<double> w{3e-5, 6e-3, 0.9};
  ASSERT_TRUE(matrix->factorize(w).ok());
  x = r, matrix->solve(x);
  dy = x, dydot.setZero();
  dydot.head(n) = w.velocity * x.head(n), dydot.segment(n, n) = w.acceleration * x.segment(n, n);
  dy.head(n) *= w.position, dy.segment(n, n) *= w.velocity;
  EXPECT_LT((residual(dy, dydot) - r).cwiseAbs().maxCoeff(), 1e-11 / w.position);
}

INSTANTIATE_TEST_SUITE_P(Forms, DifferencesOn, testing::Values("index-1", "index-2", "index-3", "ggl", "baumgarte"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// The filter of velocities takes out the same part.
TEST(DifferenceJacobian, FiltersVelocitiesAsTheExactOne) {
  Pair pair("two-link-manipulator", "index-3");
  const auto exact = pair.exact.system->linearization(), differences = pair.differenced->linearization();
  exact->evaluate(0.1, pair.y, pair.ydot), differences->evaluate(0.1, pair.y, pair.ydot);
  const auto one = exact->real_matrix(), other = differences->real_matrix();
  ASSERT_TRUE(one->factorize(0.01).ok() && other->factorize(0.01).ok());
  Vector<double> x = Vector<double>::LinSpaced(pair.y.size(), -1, 1), filtered = x;
  one->make_tangential(x), other->make_tangential(filtered);
  EXPECT_LT((x - filtered).cwiseAbs().maxCoeff(), 1e-5);  // the root of eps over kappa, and some
  EXPECT_GT((Vector<double>::LinSpaced(pair.y.size(), -1, 1) - filtered).cwiseAbs().maxCoeff(), 0.1);
}

Json pendulum(const std::string& method, const std::string& formulation) {
  return {{"problem", "pendulum"}, {"formulation", formulation}, {"method", method}, {"t_end", "1"}, {"rtol", "1e-6"}};
}

// The result is that of the exact Jacobian to within what steps at this tolerance leave, with about as many iterations:
// the matrix decides how fast the iteration converges, and nothing else. On index 1 more, because the residual is not
// resolved: measured 1.63 to 1.76 times as many.
TEST(DifferenceJacobian, GivesTheSameResultsAtTheSameCounts) {
  for (const char* method : {"bdf", "generalized-alpha", "radau-iia:s=3", "kvaerno-3"})
    for (const char* formulation : {"index-3", "ggl", "index-1"}) {
      if (std::string(method) == "kvaerno-3" && std::string(formulation) == "index-3") continue;
      Json spec = pendulum(method, formulation);
      const Json exact = record_of_run(spec);
      spec["jacobian"] = "differences";
      const Json differences = record_of_run(spec);
      ASSERT_EQ(differences["status"], "ok") << method << ", " << formulation << ": " << differences["cause"];
      EXPECT_LT(largest(record_vector(exact["q"]) - record_vector(differences["q"])), 1e-4) << method << formulation;
      EXPECT_LT(differences["stats"]["newton_iterations"].get<double>(),
                (std::string(formulation) == "index-1" ? 2 : 1.2) * exact["stats"]["newton_iterations"].get<double>())
          << method << ", " << formulation;
    }
}

TEST(DifferenceJacobian, IsAnOptionOfRuns) {
  Json spec = pendulum("bdf", "index-3");
  EXPECT_FALSE(Run::bind(spec, "")->json().contains("jacobian"));
  spec["jacobian"] = "exact";
  EXPECT_FALSE(Run::bind(spec, "")->json().contains("jacobian"));
  spec["jacobian"] = "differences:step=1e-6,scale=1/100";
  EXPECT_EQ(Run::bind(spec, "")->json()["jacobian"],
            (Json{{"name", "differences"}, {"step", "1e-6"}, {"scale", "1/100"}}));
}

TEST(DifferenceJacobian, RefusesStepsOfZero) {
  for (const auto& [jacobian, message] : {std::pair("differences:step=0", "/jacobian/step"),
                                          {"differences:scale=0", "/jacobian/scale"},
                                          {"differences:step=-1e-8", "above 0"},
                                          {"difference", "differences"},
                                          {"differences:size=1", "/jacobian/size"}}) {
    Json spec = pendulum("bdf", "index-3");
    spec["jacobian"] = jacobian;
    EXPECT_THAT(input_error_of([&] { Run::bind(spec, ""); }), HasSubstr(message));
  }
}

TEST(DifferenceJacobian, SaysWhereItHasNoEffect) {
  Json spec = pendulum("runge-kutta:tableau=dormand-prince", "index-1");
  spec["jacobian"] = "differences";
  EXPECT_THAT(record_of_run(spec)["warnings"].dump(), HasSubstr("jacobian = differences"));
  spec["method"] = "bdf";
  EXPECT_THAT(record_of_run(spec)["warnings"], IsEmpty());
}

}  // namespace TEST_FILE
}  // namespace daelab
