// Stored references of registered mechanisms: reached by two methods, and by independent motions.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "core/integration/method.hpp"
#include "core/integration/observers.hpp"
#include "core/mechanism/group_charts.hpp"
#include "core/start/consistent_start.hpp"
#include "lab/runs/run.hpp"
#include "results/record_values.hpp"
#include "results/reference.hpp"
#include "tests/numeric_support.hpp"
#include "tests/problem_contract_support.hpp"

namespace daelab {
namespace TEST_FILE {

using T = Real50;

#ifndef DAELAB_DOUBLE_ONLY  // its models are in 50 digits
// A second, or the whole motion where that is shorter.
class ProblemWithRoute : public EveryProblem {
 protected:
  const Exact time = problem->end_time().value() < 1 ? problem->end_time() : Exact(1);

  // This moment, or a later one with no event nearby.
  T between_events(T s, const T& distance) const {
    for (const ExactEvent& event : problem->exact_events(time.as<T>(), 50).value_or(std::vector<ExactEvent>()))
      if (abs(event.t - s) <= 2 * distance) s = event.t + 3 * distance;
    return s;
  }
};

FullState full_state(const ReferenceState& r) { return {r.q, r.v, r.a, r.lambda, r.y}; }

FullState run(const Json& problem, const char* method, const char* formulation, const Exact& t_end, int steps) {
  const std::string h = fmt::format("({})/{}", t_end.text(), steps);
  const Json record = Run::bind({{"problem", problem},
                                 {"formulation", formulation},
                                 {"method", method},
                                 {"h", h},
                                 {"t_end", t_end.text()},
                                 {"scalar", "real50"},
                                 {"newton", "automatic:tolerance=1e-30,guess=extrapolated"}},
                                "")
                          ->execute()
                          .record;
  EXPECT_EQ(record["status"], "ok") << record["cause"];
  return {record_vector(record["q"]), record_vector(record["v"]), record_vector(record["a"]),
          record_vector(record["lambda"]), record.contains("y") ? record_vector(record["y"]) : Vector<T>()};
}

// Two runs of a hundred steps in 50 digits take minutes in absolute coordinates of several bodies.
class SmallProblemWithRoute : public ProblemWithRoute {};

// The stored state is reached by two methods that share neither formulation nor coefficients. The error of
// the fine run is less than its distance to the coarse run (a quarter of it already at order two), and that
// distance must be small enough to prove something.
TEST_P(SmallProblemWithRoute, TwoMethodsReachTheStoredReference) {
  const std::optional<ReferenceState> reference = find_reference(problem->spec(), time);
  ASSERT_TRUE(reference) << "store one: results/reference/" << GetParam() << ".json";
  struct Way {
    const char *method, *formulation;
  };
  for (const Way& way : {Way{"radau-iia:s=5", "index-1"}, Way{"pade-block:r=5,nodes=lobatto", "index-2"}}) {
    SCOPED_TRACE(way.method);
    const FullState coarse = run(problem->spec(), way.method, way.formulation, time, 100);
    const FullState fine = run(problem->spec(), way.method, way.formulation, time, 200);
    const double change = distance(coarse, fine, true);
    EXPECT_LT(distance(fine, full_state(*reference), true), std::max(change, 1e-45));  // round-off where both are exact
    EXPECT_LT(change, 1e-4);
  }
}

// Stored digits against the route, computed anew at its own resolution.
TEST_P(ProblemWithRoute, IndependentSolutionAgreesWithTheStoredReference) {
  const T t_end = time.as<T>();
  const std::optional<Motion> motion = problem->independent_solution(t_end, 50);
  ASSERT_TRUE(motion);
  const std::optional<ReferenceState> reference = find_reference(problem->spec(), time);
  ASSERT_TRUE(reference);
  Vector<T> b = motion->a, mu = motion->lambda;
  if (b.size() == 0) {  // otherwise events have changed the forces, which the model does not know
    b.setZero(n), mu.setZero(m);
    Vector<T> place = motion->q;
    from_reported(*model, place);
    ASSERT_TRUE(solve_accelerations(*model, t_end, place, motion->v, b, mu).ok());
  }
  const Index states = model->integrated_states();
  const FullState state{motion->q.head(n - states), motion->v.head(n - states), b.head(n - states), mu,
                        motion->v.tail(states)};
  // To the digits that are known.
  EXPECT_LT(distance(state, full_state(*reference)), std::pow(10.0, -reference->digits_trusted));
  EXPECT_LT(largest(state.lambda - reference->lambda), std::pow(10.0, -reference->digits_trusted));  // of least norm
  // Digits of the largest entry: enough for orders in 50 digits down to errors of 1e-24 of it.
  const double size = std::max({1.0, largest(state.v), largest(state.a), largest(state.lambda)});
  EXPECT_GE(reference->digits_trusted + std::log10(size), 25);
}

// The independent motion satisfies the constraints, has v as its derivative, and a as that of v where it is given.
TEST_P(ProblemWithRoute, IndependentSolutionIsAMotion) {
  // A wider step: the route itself is good to some 40 digits, so 1e-12 leaves 1e-28 and h^2/6 1e-25.
  const T step = time.as<T>() * T("1e-12"), s = between_events(time.as<T>() * 3 / 10, step);
  // Rotations as coordinates about the bases at s.
  Vector<T> base = problem->independent_solution(s, 50)->q;
  from_reported(*model, base);
  const auto at = [&](const T& instant) {
    Motion motion = *problem->independent_solution(instant, 50);
    Vector<T> held = model->held(), none = Vector<T>::Zero(n);
    from_reported(model->groups(), held, motion.q);
    change_bases(model->groups(), held, model->held(), motion.q, motion.v, none);
    return motion;
  };
  const Motion motion = at(s), after = at(s + step), before = at(s - step);
  const Vector<T> none = Vector<T>::Zero(n);
  // Bounds are rounding of 50 digits.
  EXPECT_LT(largest(level(Level::position, s, motion.q, motion.v, none)), 1e-45);
  EXPECT_LT(largest(level(Level::velocity, s, motion.q, motion.v, none)), 1e-45);
  const Vector<T> slope = (after.q - before.q) / (2 * step);
  EXPECT_LT(largest(slope - motion.v), 1e-16);  // third derivatives up to 1e9
  if (motion.a.size() > 0) {
    EXPECT_LT(largest((after.v - before.v) / (2 * step) - motion.a), 1e-16);
  }
}

std::vector<std::string> problems_with_route(Index most_unknowns) {
  std::vector<std::string> names;
  for (const std::string& name : problem_names(true)) {
    const auto problem = Registry<Problem>::instance().make(name, "");
    if (problem->independent_route().empty()) continue;
    const auto model = problem->mechanical_model(As<double>{});
    if (model->coordinates() + model->constraints() <= most_unknowns) names.push_back(name);
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, ProblemWithRoute, testing::ValuesIn(problems_with_route(1000)),
                         name_of_problem_test);
INSTANTIATE_TEST_SUITE_P(Catalogue, SmallProblemWithRoute, testing::ValuesIn(problems_with_route(20)),
                         name_of_problem_test);
#endif

}  // namespace TEST_FILE
}  // namespace daelab
