// What every registered mechanism must satisfy: what is derived from its recording is the derivative of what it says,
// and the motion is one. A new problem is tested by existing. (Ordinary differential equations: ode_contract_test.cpp.)
#include <gmock/gmock.h>

#include "core/integration/method.hpp"
#include "core/integration/observers.hpp"
#include "core/start/consistent_start.hpp"
#include "lab/runs/run.hpp"
#include "results/record_values.hpp"
#include "results/reference.hpp"
#include "tests/numeric_support.hpp"

#ifndef DAELAB_DOUBLE_ONLY  // its models are in 50 digits
namespace daelab {
namespace TEST_FILE {

using T = Real50;

constexpr Level levels[] = {Level::position, Level::velocity, Level::acceleration};

struct FullState;

template <class Scalar>
Index charts_of(Model<Scalar>& model) {
  return model.charted() != nullptr ? model.charted()->charts() : 1;
}

class EveryProblem : public testing::TestWithParam<std::string> {
 protected:
  EveryProblem()
      : problem(Registry<Problem>::instance().make(GetParam(), "")),
        model(problem->mechanical_model(As<T>{})),
        n(model->coordinates()),
        m(model->constraints()) {
    // A point off the constraints, where nothing cancels by accident.
    RandomNumbers random(4711);
    t = T(random.next() + 2) / 4;
    q = model->initial_q() + random.vector<T>(n) / 8;
    v = model->initial_v();
    v = v / T(std::max(1.0, largest(v))) + random.vector<T>(n);  // of size one: differences err by its fifth power
    a = random.vector<T>(n);
    lambda = random.vector<T>(m);
  }

  Vector<T> level(Level level, const T& s, const Vector<T>& x, const Vector<T>& w, const Vector<T>& b) const {
    Vector<T> r(m);
    model->constraint_level(level, s, x, w, b, r);
    return r;
  }
  // Every constraint at its lowest level, and the constraint Jacobian.
  struct ConstraintJacobian {
    Vector<T> C;
    Matrix<T> J;
  };
  ConstraintJacobian constraint_jacobian(const T& s, const Vector<T>& x, const Vector<T>& w) const {
    ConstraintJacobian result{Vector<T>::Zero(m), Matrix<T>::Zero(m, n)};
    model->constraints_and_jacobian(s, x, w, result.C, result.J);
    return result;
  }
  // M a + C_q^T lambda + G_v^T mu - Q, of its parts.
  Vector<T> balance(const Vector<T>& x, const Vector<T>& w) const {
    Matrix<T> M(n, n);
    Vector<T> Q(n);
    model->mass(t, x, M);
    model->force(t, x, w, Q);
    return M * a + constraint_jacobian(t, x, w).J.transpose() * lambda - Q;
  }
  // The rows of constraints beside it: nonholonomic ones are at their own, not the position level.
  Vector<T> rows(Level l, const Vector<T>& x, const Vector<T>& w, const Vector<T>& b) const {
    Vector<T> forces(n), row(m);
    model->residual(l, t, x, w, b, lambda, forces, row);
    return row;
  }
  // At the time of reference; relative: each class by its own size.
  double distance(const FullState& x, const FullState& y, bool relative = false) const;

  std::shared_ptr<Problem> problem;
  std::unique_ptr<MechanicalModel<T>> model;
  Index n, m;
  T t;
  Vector<T> q, v, a, lambda;
};

TEST_P(EveryProblem, ConstraintJacobianMatchesDifferences) {
  Vector<T> C = Vector<T>::Zero(m);
  Matrix<T> C_q = Matrix<T>::Zero(m, n);
  model->constraint(t, q, C, C_q);
  EXPECT_LT(largest(C - level(Level::position, t, q, v, a)), 1e-48);  // rounding of 50 digits
  EXPECT_LT(largest(C_q - difference(q, [&](const Vector<T>& x) { return level(Level::position, t, x, v, a); })),
            difference_tolerance);
}

// C and C_q, below them G and G_v.
// Bounds are rounding of 50 digits.
TEST_P(EveryProblem, DirectionsOfReactionsMatchDifferences) {
  const auto [C, J] = constraint_jacobian(t, q, v);
  const Index h = m - model->nonholonomic();
  EXPECT_LT(largest(C.head(h) - level(Level::position, t, q, v, a).head(h)), 1e-48);
  EXPECT_LT(largest(C.tail(m - h) - level(Level::velocity, t, q, v, a).tail(m - h)), 1e-48);
  EXPECT_LT(largest(J - difference(v, [&](const Vector<T>& w) { return level(Level::velocity, t, q, w, a); })),
            difference_tolerance);
}

// Along q + v s + a s^2/2 the velocity level is dC/ds, and G; the acceleration level is its derivative.
TEST_P(EveryProblem, ConstraintLevelsAreTimeDerivatives) {
  const auto along = [&](Level l) {
    return [&, l](const T& s) { return level(l, t + s, q + v * s + a * (s * s / 2), v + a * s, a); };
  };
  const Index h = m - model->nonholonomic();
  EXPECT_LT(largest(level(Level::velocity, t, q, v, a).head(h) - derivative(T(0), along(Level::position)).head(h)),
            difference_tolerance);
  EXPECT_LT(largest(level(Level::acceleration, t, q, v, a) - derivative(T(0), along(Level::velocity))),
            difference_tolerance);
}

TEST_P(EveryProblem, ConstraintLevelDerivativesMatchDifferences) {
  Matrix<T> V_q(m, n), R_q(m, n), R_v(m, n);
  for (Level l : levels) {
    model->constraint_level_q(l, t, q, v, a, R_q);
    EXPECT_LT(largest(R_q - difference(q, [&](const Vector<T>& x) { return level(l, t, x, v, a); })),
              difference_tolerance)
        << static_cast<int>(l);
  }
  // With respect to v: twice the velocity level's q-derivative, but of dG/dt.
  model->acceleration_level_v(t, q, v, a, R_v);
  EXPECT_LT(largest(R_v - difference(v, [&](const Vector<T>& w) { return level(Level::acceleration, t, q, w, a); })),
            difference_tolerance);
  const Index h = m - model->nonholonomic();
  model->constraint_level_q(Level::velocity, t, q, v, a, V_q);
  EXPECT_LT(largest(T(2) * V_q.topRows(h) - R_v.topRows(h)), 1e-45);  // round-off of two formulas
}

// What solvers see as h = -gamma is the acceleration level at a = 0.
TEST_P(EveryProblem, CurvatureMatchesTheAccelerationLevel) {
  Vector<T> h(m);
  model->curvature(t, q, v, h);
  EXPECT_LT(largest(h - level(Level::acceleration, t, q, v, Vector<T>::Zero(n))), 1e-47);  // round-off
}

TEST_P(EveryProblem, BalanceJacobiansMatchDifferences) {
  Matrix<T> K(n, n), D(n, n);
  model->motion_jacobians(t, q, v, a, lambda, K, D);
  EXPECT_LT(largest(K - difference(q, [&](const Vector<T>& x) { return balance(x, v); })), difference_tolerance);
  EXPECT_LT(largest(D - difference(v, [&](const Vector<T>& w) { return balance(q, w); })), difference_tolerance);
}

// What is evaluated in one pass is what its parts are, up to the round-off of numbers of this size.
void expect_equal(const auto& together, const auto& alone, const char* what) {
  EXPECT_LT(largest(together - alone), 1e-47 * (1 + largest(alone))) << what;
}

TEST_P(EveryProblem, DataAndResidualsAreTheirParts) {
  Matrix<T> M(n, n), M_alone(n, n), J(m, n);
  Vector<T> Q(n), Q_alone(n), h(m), h_alone(m), forces(n), row(m);
  model->data(t, q, v, M, Q, J, h);
  model->mass(t, q, M_alone), model->force(t, q, v, Q_alone), model->curvature(t, q, v, h_alone);
  expect_equal(M, M_alone, "M");
  expect_equal(Q, Q_alone, "Q");
  expect_equal(J, constraint_jacobian(t, q, v).J, "J");
  expect_equal(h, h_alone, "h");
  const Index holonomic = m - model->nonholonomic();
  for (Level l : levels) {
    model->residual(l, t, q, v, a, lambda, forces, row);
    // Rounding of 50 digits.
    EXPECT_LT(largest(forces - balance(q, v)), 1e-46 * (1 + largest(M) + largest(J) + largest(Q)));
    expect_equal(row.head(holonomic), level(l, t, q, v, a).head(holonomic), "C");
    const Level own = std::max(l, Level::velocity);
    expect_equal(row.tail(m - holonomic), level(own, t, q, v, a).tail(m - holonomic), "G");
  }
}

TEST_P(EveryProblem, BlocksAreDerivatives) {
  MechanicalBlocks<T> x;
  for (Matrix<T>* block : {&x.M, &x.K, &x.D}) block->resize(n, n);
  for (Matrix<T>* block : {&x.J, &x.R_q, &x.R_v, &x.R_a}) block->resize(m, n);
  Matrix<T> M(n, n), K(n, n), D(n, n);
  model->mass(t, q, M);
  model->motion_jacobians(t, q, v, a, lambda, K, D);
  for (Level l : levels) {
    SCOPED_TRACE(static_cast<int>(l));
    model->blocks(l, t, q, v, a, lambda, x);
    expect_equal(x.M, M, "M");
    expect_equal(x.K, K, "K");
    expect_equal(x.D, D, "D");
    expect_equal(x.J, constraint_jacobian(t, q, v).J, "J");
    EXPECT_LT(largest(x.R_q - difference(q, [&](const auto& at) { return rows(l, at, v, a); })), difference_tolerance);
    EXPECT_LT(largest(x.R_v - difference(v, [&](const auto& at) { return rows(l, q, at, a); })), difference_tolerance);
    EXPECT_LT(largest(x.R_a - difference(a, [&](const auto& at) { return rows(l, q, v, at); })), difference_tolerance);
  }
}

TEST_P(EveryProblem, MassIsSymmetricAndPositiveDefinite) {
  Matrix<T> M(n, n);
  model->mass(t, q, M);
  EXPECT_EQ(M, M.transpose());
  // Elimination without pivoting: positive definite exactly when every pivot is positive.
  for (Index k = 0; k < n; ++k) {
    ASSERT_GT(M(k, k), 0) << k;
    for (Index i = k + 1; i < n; ++i) M.row(i).tail(n - k) -= (M(i, k) / M(k, k)) * M.row(k).tail(n - k);
  }
}

// First-order states have themselves, at the end of v, for velocities; their integrals at the end of q are free.
TEST_P(EveryProblem, NothingDependsOnTheIntegralsOfStates) {
  const Index states = model->integrated_states();
  Matrix<T> M(n, n), K(n, n), D(n, n), R_q(m, n);
  model->mass(t, q, M);
  EXPECT_EQ(M.bottomRightCorner(states, states), Matrix<T>(Matrix<T>::Identity(states, states)));
  EXPECT_EQ(largest(M.topRightCorner(n - states, states)), 0);
  model->motion_jacobians(t, q, v, a, lambda, K, D);
  EXPECT_EQ(largest(K.rightCols(states)), 0);
  EXPECT_EQ(largest(constraint_jacobian(t, q, v).J.rightCols(states)), 0);
  model->constraint_level_q(Level::acceleration, t, q, v, a, R_q);
  EXPECT_EQ(largest(R_q.rightCols(states)), 0);
}

// In every chart the accelerations are those of the first one, brought there; and back again nothing has changed.
// Bounds are rounding of 50 digits, with four or five digits for the transformation.
TEST_P(EveryProblem, ChartsHaveTheSameMotion) {
  const T start(0);
  const Vector<T> q0 = model->initial_q(), v0 = model->initial_v();
  Vector<T> a0(n), there(n);
  ASSERT_TRUE(solve_accelerations(*model, start, q0, v0, a0, lambda).ok());
  const T energy = model->energy(start, q0, v0).total();
  for (Index chart = 1; chart < charts_of(*model); ++chart) {
    Vector<T> x = q0, w = v0, b = a0;
    model->charted()->to_chart(chart, x, x, w, b);
    model->charted()->set_chart(chart);
    ASSERT_TRUE(solve_accelerations(*model, start, x, w, there, lambda).ok());
    EXPECT_LT(largest(there - b), 1e-45) << chart;
    if (model->has_energy()) {
      EXPECT_LT(abs(model->energy(start, x, w).total() - energy), T("1e-46")) << chart;
    }
    model->charted()->to_chart(0, q0, x, w, b);
    EXPECT_LT(std::max({largest(x - q0), largest(w - v0), largest(b - a0)}), 1e-45) << chart;
    model->charted()->set_chart(0);
  }
}

TEST_P(EveryProblem, StartIsConsistentWithTheRankStated) {
  const StartReport report = analyse_start<T>(*model, model->initial_q(), model->initial_v());
  EXPECT_LT(report.position_residual, 1e-48);  // round-off: parameters are exact
  EXPECT_LT(report.velocity_residual, 1e-48);
  EXPECT_EQ(report.rank, m - problem->redundant_constraints());
}

// Gauss with ten stages errs by about (w h)^20/1e30, w the fastest rate: with h = 1/200, or 1/2500 of the problem's own
// time where that is less, far below the limit, which is what is left to index-1 drift and round-off.
// The limit is 1e-30.
TEST_P(EveryProblem, EnergyAndConstraintsStayPut) {
  const BoundProblem<T> bound(GetParam(), "index-1");
  NewtonOptions newton;
  newton.guess = NewtonGuess::extrapolated;
  const auto stepper = Registry<Method>::instance().make("gauss:s=10", "")->stepper(*bound.system, newton);
  State<T> state = bound.start;
  DriftObserver<T> drift(*bound.model);
  const T h = std::min(T(T(1) / 200), T(problem->end_time().as<T>() / 2500));
  EventWatch<T> watch(*bound.model, *bound.system, *stepper, 5 * h);
  Interruptions<T> interruptions{&watch};
  const Status status = integrate<T>(*stepper, state, 5 * h, h, {&drift}, &interruptions);
  ASSERT_TRUE(status.ok()) << status.cause;
  if (model->has_energy() && problem->conserves_energy()) {
    EXPECT_LT(drift.energy_error, T("1e-30"));
  }
  EXPECT_LT(drift.position, T("1e-30"));
  EXPECT_LT(drift.velocity, T("1e-30"));
  EXPECT_LT(drift.acceleration, T("1e-30"));
}

TEST_P(EveryProblem, ModelsOfBothScalarsAgree) {
  const auto narrow = problem->mechanical_model(As<double>{});
  const Vector<double> x = model->initial_q().cast<double>(), w = model->initial_v().cast<double>();
  EXPECT_EQ(narrow->coordinates(), n);
  EXPECT_EQ(narrow->constraints(), m);
  EXPECT_EQ(narrow->nonholonomic(), model->nonholonomic());
  EXPECT_EQ(narrow->integrated_states(), model->integrated_states());
  EXPECT_EQ(narrow->events().size(), model->events().size());
  EXPECT_EQ(charts_of(*narrow), charts_of(*model));
  EXPECT_EQ(narrow->sampling_period(), static_cast<double>(model->sampling_period()));
  // Conversion to double: four eps.
  EXPECT_LT(largest(narrow->initial_q() - x), 1e-15 * (1 + largest(x)));
  EXPECT_LT(largest(narrow->initial_v() - w), 1e-15 * (1 + largest(w)));
  EXPECT_EQ(narrow->observable_names(), model->observable_names());
}

// ---------------------------------------------------------------- references

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

// q, v and a of the coordinates, y of first-order states beside them.
struct FullState {
  Vector<T> q, v, a, lambda, y;
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

// States of two formulations differ in the many possible multipliers of redundant constraints, but
// not in the reaction, C_q^T lambda + G_v^T mu.
double EveryProblem::distance(const FullState& x, const FullState& y, bool relative) const {
  const auto reaction = [&](const FullState& state) {
    Vector<T> all_q = Vector<T>::Zero(n), all_v = Vector<T>::Zero(n);
    all_q.head(state.q.size()) = state.q, all_v << state.v, state.y;
    const T reached = std::min(T(1), problem->end_time().as<T>());
    return Vector<T>(constraint_jacobian(reached, all_q, all_v).J.transpose().lazyProduct(state.lambda));
  };
  const auto part = [&](const Vector<T>& ours, const Vector<T>& theirs) {
    return largest(ours - theirs) / (relative ? 1 + largest(theirs) : 1);
  };
  const double motion =
      std::max({part(x.q, y.q), part(x.v, y.v), part(x.a, y.a), part(x.y, y.y), part(reaction(x), reaction(y))});
  return problem->redundant_constraints() > 0 ? motion : std::max(motion, part(x.lambda, y.lambda));
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
    ASSERT_TRUE(solve_accelerations(*model, t_end, motion->q, motion->v, b, mu).ok());
  }
  const Index states = model->integrated_states();
  const FullState state{motion->q.head(n - states), motion->v.head(n - states), b.head(n - states), mu,
                        motion->v.tail(states)};
  // To the digits that are certified.
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
  const auto at = [&](const T& instant) { return *problem->independent_solution(instant, 50); };
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

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryProblem, testing::ValuesIn(problem_names(true)), test_name);
INSTANTIATE_TEST_SUITE_P(Catalogue, ProblemWithRoute, testing::ValuesIn(problems_with_route(1000)), test_name);
INSTANTIATE_TEST_SUITE_P(Catalogue, SmallProblemWithRoute, testing::ValuesIn(problems_with_route(20)), test_name);

}  // namespace TEST_FILE
}  // namespace daelab
#endif
