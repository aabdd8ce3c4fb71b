// Differential-algebraic equations of index 2 and 3 in Hessenberg form: their index, start and orders.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/documents/json_problem.hpp"
#include "core/mechanism/problem.hpp"
#include "core/start/hidden_constraints.hpp"
#include "experiments/measures/observed_orders.hpp"
#include "lab/runs/run.hpp"
#include "tests/experiment_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

std::shared_ptr<Problem> problem_of(const Json& spec) { return Registry<Problem>::instance().make(spec, "/problem"); }

Json pendulum_as_states() {  // index 3, of first order
  return Json::parse(R"json({
    "name": "swing", "states": {"x": "u", "y": "v", "u": "-2*x*l", "v": "-1 - 2*y*l"},
    "algebraic": {"l": "x^2 + y^2 = 1"}, "start": {"x": "1"}, "end_time": "1"})json");
}

TEST(Hessenberg, TheIndexIsFoundOnTheGraph) {
  EXPECT_EQ(problem_of("ascher-petzold")->ordinary_model(As<double>{})->index(), 2);
  EXPECT_EQ(problem_of("jay")->ordinary_model(As<double>{})->index(), 3);
  EXPECT_EQ(problem_of("chemical-akzo-nobel")->ordinary_model(As<double>{})->index(), 1);
  EXPECT_EQ(problem_of("robertson")->ordinary_model(As<double>{})->index(), 0);
  const auto model = problem_of(pendulum_as_states())->ordinary_model(As<double>{});
  EXPECT_EQ(model->index(), 3);
  EXPECT_EQ(model->hidden_constraints(), 2);
  EXPECT_EQ(model->algebraic_equations(), "l (differentiated 2 times)");
}

// x = 1, y = 0, u = 0, v = 3: x^2 + y^2 - 1, its derivatives 2(x u + y v) and, with u' and v',
// 2(u^2 + v^2 + x u' + y v') = 2(9 - 2 l), l = 7.
TEST(Hessenberg, DerivativesAreThoseByHand) {
  const auto model = problem_of(pendulum_as_states())->ordinary_model(As<double>{});
  const Vector<double> s{{1, 0, 0, 3, 7}};
  Vector<double> r(5), H(2);
  Matrix<double> H_s(2, 5), expected(2, 5);
  model->rates(0, s, 0, r);
  EXPECT_EQ(r[4], 0);
  model->rates(0, s, 1, r);
  EXPECT_EQ(r[4], 0);
  model->rates(0, s, 2, r);
  EXPECT_EQ(r[4], 2 * (9 - 2 * 7));
  model->hidden_constraints(0, s, H, H_s);
  expected << 2, 0, 0, 0, 0, 0, 6, 2, 0, 0;
  EXPECT_EQ(H, Vector<double>::Zero(2));
  EXPECT_EQ(H_s, expected);
}

// Bounds are round-off of values near one.
TEST(Hessenberg, StartsAreProjectedByTheLeastChange) {
  const auto model = problem_of(pendulum_as_states())->ordinary_model(As<double>{});
  Vector<double> s{{1.2, 0, 0, 1, 0}};
  ASSERT_TRUE(project_onto_hidden_constraints(*model, s).ok());
  EXPECT_LT(hidden_residuals(*model, s).norm(), 1e-14);
  EXPECT_LT((s - Vector<double>{{1, 0, 0, 1, 0}}).norm(), 1e-14);  // the velocity is tangential already
  s = Vector<double>{{1.2, 0.1, 0.3, 1, 0}};
  ASSERT_TRUE(project_onto_hidden_constraints(*model, s).ok());
  EXPECT_LT(hidden_residuals(*model, s).norm(), 1e-14);
}

// Errors of the states at the end.
Vector<double> end_errors(Json spec, const Json& h) {
  spec["h"] = h;
  const auto run = Run::bind(spec, "");
  const RunRecord record = run->execute().record;
  EXPECT_EQ(record.status, StatusCode::ok) << record.cause;
  const Vector<Real50> exact = run->problem().independent_solution(run->t_end().as<Real50>(), 50)->s;
  return (record.state.y - exact).cwiseAbs().cast<double>();
}

double order(const Json& spec, Index state) {
  return std::log2(end_errors(spec, "1/20")[state] / end_errors(spec, "1/40")[state]);
}

// Of this build.
std::vector<std::string> scalars() {
  std::vector<std::string> names;
#define DAELAB_NAME(T) names.push_back(scalar_name<T>());
  DAELAB_FOR_SCALARS(DAELAB_NAME)
#undef DAELAB_NAME
  return names;
}

// In every scalar: at these steps errors of double are far from round-off.
class HessenbergOrders : public testing::TestWithParam<std::string> {};

// Radau IIA of s = 3 stages on index 3: 2 s - 1 in y of g(y), s in z, s - 1 in u. On index 2: 2 s - 1, and s at least
// in the algebraic state. Differentiated to index 1: 2 s - 1. Bounds are half a unit: errors at 1/20 and 1/40 have
// orders within 0.2 of those at 1/160. [HW96, Table VII.4.1; Jay 1993]
TEST_P(HessenbergOrders, OfRadauAreThoseOfTheory) {
  const auto radau = [](const char* problem, const char* formulation) {
    return Json{{"problem", problem},
                {"method", "radau-iia:s=3"},
                {"newton", "full"},
                {"formulation", formulation},
                {"scalar", GetParam()}};
  };
  EXPECT_NEAR(order(radau("jay", "ode"), 0), 5, 0.5);
  EXPECT_NEAR(order(radau("jay", "ode"), 2), 3, 0.5);
  EXPECT_NEAR(order(radau("jay", "ode"), 4), 2, 0.5);
  EXPECT_NEAR(order(radau("jay", "ode:index=2"), 2), 5, 0.5);
  EXPECT_GT(order(radau("jay", "ode:index=2"), 4), 2.5);
  EXPECT_GT(order(radau("ascher-petzold", "ode"), 0), 4.5);
  EXPECT_GT(order(radau("ascher-petzold", "ode"), 2), 2.5);
  EXPECT_NEAR(order(radau("jay", "ode:index=1"), 4), 5, 0.5);
}

INSTANTIATE_TEST_SUITE_P(Scalars, HessenbergOrders, testing::ValuesIn(scalars()),
                         [](const auto& info) { return info.param; });

TEST(Hessenberg, ErrorControlHoldsItsTolerance) {
  for (const char* problem : {"jay", "ascher-petzold"}) {
    Json spec = {{"problem", problem}, {"method", "radau-iia:s=3"}, {"rtol", "1e-6"}};
    const auto run = Run::bind(spec, "");
    const RunRecord record = run->execute().record;
    EXPECT_EQ(record.status, StatusCode::ok) << record.cause;
    const Vector<Real50> exact = run->problem().independent_solution(1, 50)->s;
    const Index first = 2;  // y of jay and of ascher-petzold; what multiplies g is less accurate by h and h^2
    EXPECT_LT((record.state.y - exact).head(first).cwiseAbs().maxCoeff(), 1e-6)
        << problem;  // the tolerance: measured 8e-8
    EXPECT_LT(record.stats.steps, 200) << problem;
  }
}

TEST(Hessenberg, TheoryKnowsTheIndex) {
  const auto expected = [](const Json& problem, const char* formulation) {
    const Json spec = {{"problem", problem}, {"method", "radau-iia:s=3"}, {"formulation", formulation}, {"h", "1/20"}};
    return expected_orders(*Run::bind(spec, "")).of.at("y");
  };
  EXPECT_EQ(expected("ascher-petzold", "ode"), 3);
  EXPECT_EQ(expected("jay", "ode"), 2);
  EXPECT_EQ(expected("jay", "ode:index=2"), 3);
  EXPECT_EQ(expected("jay", "ode:index=1"), 5);
}

TEST(Hessenberg, ExplicitMethodsTakeTheDifferentiatedEquations) {
  Json spec = {{"problem", "jay"}, {"method", "runge-kutta"}, {"formulation", "ode:index=1"}};
  EXPECT_NEAR(order(spec, 0), 4, 0.5);  // half a unit, as above
  spec["formulation"] = "ode", spec["h"] = "1/20";
  const RunRecord record = Run::bind(spec, "")->execute().record;
  EXPECT_EQ(record.status, StatusCode::not_applicable);
  EXPECT_THAT(record.cause, HasSubstr("ode:index=1"));
}

std::string refusal(const Json& spec) {
  return input_error_of([&] { Run::bind(spec, ""); });
}

TEST(Hessenberg, WhatCannotBeIsRefused) {
  EXPECT_THAT(
      refusal({{"problem", "ascher-petzold"}, {"method", "radau-iia"}, {"formulation", "ode:index=3"}, {"h", "1/10"}}),
      HasSubstr("the problem has index 2: index=3 is not allowed; allowed: 1 to 2"));
  Json problem = pendulum_as_states();
  problem["start"]["u"] = "1/10";
  EXPECT_THAT(refusal({{"problem", problem}, {"method", "radau-iia"}, {"h", "1/10"}}),
              HasSubstr("hidden constraints of index 3: the first derivative of the equation of l by 2.00e-01"));
  EXPECT_EQ(refusal({{"problem", problem}, {"method", "radau-iia"}, {"h", "1/10"}, {"start", "project"}}),
            "no InputError");
}

// y' = z1 + z2, 0 = y - t, 0 = y + t: no derivative tells z1 from z2.
TEST(Hessenberg, OtherFormsAreNamed) {
  const Json problem = Json::parse(R"json({"name": "other", "states": {"y": "z1 + z2"},
    "algebraic": {"z1": "y - t", "z2": "y + t"}, "end_time": "1"})json");
  const auto run = Run::bind({{"problem", problem}, {"method", "radau-iia"}, {"h", "1/10"}}, "");
  const RunRecord record = run->execute().record;
  EXPECT_EQ(record.status, StatusCode::singular);
  EXPECT_THAT(record.cause, HasSubstr("z1 (differentiated 1 time), z2 (differentiated 1 time) do not determine"));
  EXPECT_THAT(record.cause, HasSubstr("Hessenberg form"));
}

}  // namespace TEST_FILE
}  // namespace daelab
