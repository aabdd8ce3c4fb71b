// The local equivalent trapezoidal rule: bases of the null space, the projected equations, order, constraints that
// hold to round-off, time-dependent constraints, and where the Picard iteration and redundant constraints end it.
//
// [Wang] Wang, Zhao, Pan, local equivalent index-1 discretisation of Euler-Lagrange equations.
#include "core/base/elliptic.hpp"
#include "core/solvers/dense.hpp"
#include "methods/constrained/local_trapezoidal_stepper.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "core/integration/extrapolation.hpp"
#include "core/integration/method.hpp"
#include "core/integration/observers.hpp"
#include "results/reference.hpp"
#include "tests/numeric_support.hpp"
#include "tests/scalars.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::HasSubstr;

constexpr NullSpaceBasis both_bases[] = {NullSpaceBasis::orthogonal, NullSpaceBasis::elimination};

NewtonOptions tolerance(const char* value, int max_iterations = 100) {
  NewtonOptions newton;
  newton.tolerance = Exact(value), newton.norm = Norm::max, newton.max_iterations = max_iterations;
  return newton;
}

template <class T>
struct Path {
  Status status;
  State<T> end;
  Statistics statistics;
};

template <class T>
Path<T> move(BoundProblem<T>& bound, const std::string& method, const char* h, const char* t_end,
             const NewtonOptions& newton, const std::vector<Observer<T>*>& observers = {}) {
  const auto stepper = Registry<Method>::instance().make(method, "")->stepper(*bound.system, newton);
  Path<T> path{{}, bound.start, {}};
  path.status = integrate<T>(*stepper, path.end, Exact(t_end).as<T>(), Exact(h).as<T>(), observers);
  path.statistics = stepper->statistics();
  return path;
}

std::string method(const char* projection, const char* iteration, const char* basis = "qr") {
  return fmt::format("local-trapezoidal:projection={},iteration={},basis={}", projection, iteration, basis);
}

// ---------------------------------------------------------------- projected equations

// [V^T M; C_q] a = [V^T Q; gamma] and the saddle-point system give the same accelerations, anywhere.
TEST(ProjectedEquations, AgreeWithTheSaddlePointSystem) {
  for (const char* problem : {"two-link-arm", "two-link-manipulator", "pendulum", "driven-mass:time=coordinate"}) {
    BoundProblem<double> bound(problem, "index-1");
    const Index n = bound.layout.n;
    RandomNumbers random(7);
    for (int sample = 0; sample < 50; ++sample) {
      State<double> state = bound.start;
      state.t = random.next();
      state.y.head(n) += random.vector<double>(n);
      state.y.segment(n, n) += 3 * random.vector<double>(n);
      ASSERT_TRUE(bound.system->consistent_derivatives(state.t, state.y, state.ydot).ok());
      const Vector<double> q = bound.layout.q(state.y), v = bound.layout.v(state.y);
      const Vector<double> saddle = bound.layout.a(state.ydot);
      for (const NullSpaceBasis kind : both_bases) {
        TangentEquations<double> equations(*bound.model, kind);
        ASSERT_TRUE(equations.evaluate(state.t, q, v).ok());
        Vector<double> a(n);
        equations.accelerations(a);
        // Round-off of two solvers: measured 2e-14.
        EXPECT_LT(largest(a - saddle), 1e-12 * (1 + largest(saddle))) << problem;
      }
    }
  }
}

#ifndef DAELAB_DOUBLE_ONLY
TEST(ProjectedEquations, JacobiansOfTheAccelerationsMatchDifferences) {
  using T = Real50;
  BoundProblem<T> bound("two-link-arm", "index-1");
  const Index n = bound.layout.n;
  RandomNumbers random(11);
  const Vector<T> q = bound.layout.q(bound.start.y) + random.vector<T>(n) / 4, v = random.vector<T>(n);
  TangentEquations<T> equations(*bound.model, NullSpaceBasis::orthogonal);
  const auto a_of = [&](const Vector<T>& x, const Vector<T>& w) {
    Vector<T> a(n);
    EXPECT_TRUE(equations.evaluate(T(0), x, w).ok());
    equations.accelerations(a);
    return a;
  };
  const Vector<T> a = a_of(q, v);
  Matrix<T> a_q(n, n), a_v(n, n);
  ASSERT_TRUE(equations.acceleration_jacobians(T(0), q, v, a, a_q, a_v).ok());
  EXPECT_LT(largest(a_q - difference(q, [&](const Vector<T>& x) { return a_of(x, v); })), difference_tolerance);
  EXPECT_LT(largest(a_v - difference(v, [&](const Vector<T>& w) { return a_of(q, w); })), difference_tolerance);
}
#endif

class ConditionMeter final : public Observer<double> {
 public:
  ConditionMeter(MechanicalModel<double>& model, NullSpaceBasis kind)
      : layout_{model.coordinates(), model.constraints()}, equations_(model, kind) {}
  void start(const State<double>& state) override { step(state, state); }
  void step(const State<double>& /*from*/, const State<double>& to) override {
    ASSERT_TRUE(equations_.evaluate(to.t, layout_.q(to.y), layout_.v(to.y)).ok());
    const Vector<double> s = dense::singular_values(equations_.matrix());
    worst = std::max(worst, s[0] / s[s.size() - 1]);
  }
  double worst = 0;

 private:
  MechanicalLayout layout_;
  TangentEquations<double> equations_;
};

// The paper prints no numbers; 6.35 and 6.53 come out for the arm's whole motion.
// Bounds are half a unit of these digits.
TEST(ProjectedEquations, AreWellConditionedAlongTheMotion) {
  BoundProblem<double> bound("two-link-arm", "index-1");
  ConditionMeter orthogonal(*bound.model, NullSpaceBasis::orthogonal), gauss(*bound.model, NullSpaceBasis::elimination);
  const NewtonOptions newton = tolerance("1e-10");
  ASSERT_TRUE(move<double>(bound, "local-trapezoidal", "1/100", "5", newton, {&orthogonal, &gauss}).status.ok());
  EXPECT_NEAR(orthogonal.worst, 6.35, 0.005);
  EXPECT_NEAR(gauss.worst, 6.53, 0.005);
}

// ---------------------------------------------------------------- order

// log2 of the ratio of the errors of (q, v) at t = 1/2 with h and h/2, against the stored reference.
template <class T>
double observed_order(const std::string& method, const char* h, const char* half, const char* eps) {
  BoundProblem<T> bound("two-link-arm", "index-1");
  const auto reference = find_reference(bound.problem->spec(), "0.5");
  if (!reference) throw std::runtime_error("store a reference of two-link-arm at t = 0.5");
  const auto error = [&](const char* step) {
    const auto path = move<T>(bound, method, step, "0.5", tolerance(eps));
    EXPECT_TRUE(path.status.ok()) << path.status.cause;
    const Vector<Real50> q = bound.layout.q(path.end.y).template cast<Real50>(),
                         v = bound.layout.v(path.end.y).template cast<Real50>();
    return std::max(largest(q - reference->q), largest(v - reference->v));
  };
  return std::log2(error(h) / error(half));
}

struct Variant {
  const char *projection, *iteration;
};
class EveryVariant : public testing::TestWithParam<Variant> {};
INSTANTIATE_TEST_SUITE_P(LocalTrapezoidal, EveryVariant,
                         testing::Values(Variant{"frozen", "picard"}, Variant{"frozen", "newton"},
                                         Variant{"refreshed", "picard"}, Variant{"refreshed", "newton"}),
                         [](const auto& info) {
                           return fmt::format("{}_{}", info.param.projection, info.param.iteration);
                         });

// Measured within 0.002 in double; in 50 digits steps are four times as long.
TEST_P(EveryVariant, HasOrderTwoInBothScalars) {
  const std::string m = method(GetParam().projection, GetParam().iteration);
  EXPECT_NEAR(observed_order<double>(m, "1/400", "1/800", "1e-13"), 2, 0.01);
#ifndef DAELAB_DOUBLE_ONLY
  EXPECT_NEAR(observed_order<Real50>(m, "1/100", "1/200", "1e-20"), 2, 0.02);
#endif
}

// Bounds of drift are round-off, in double five times what was measured.
TEST_P(EveryVariant, KeepsConstraintsAtRoundOffInBothScalars) {
  const std::string m = method(GetParam().projection, GetParam().iteration);
  BoundProblem<double> bound("two-link-arm", "index-1");
  DriftObserver<double> drift(*bound.model);
  ASSERT_TRUE(move<double>(bound, m, "1/100", "5", tolerance("1e-8"), {&drift}).status.ok());
  EXPECT_LT(drift.position, 2e-15);
  EXPECT_LT(drift.velocity, 1e-14);
  EXPECT_NEAR(drift.energy_error, 4.5e-2, 0.6e-2);  // 4.5e-2 frozen, 5.0e-2 refreshed
#ifndef DAELAB_DOUBLE_ONLY
  BoundProblem<Real50> wide("two-link-arm", "index-1");
  DriftObserver<Real50> wide_drift(*wide.model);
  ASSERT_TRUE(move<Real50>(wide, m, "1/50", "0.2", tolerance("1e-26"), {&wide_drift}).status.ok());
  EXPECT_LT(wide_drift.position, Real50("1e-48"));
  EXPECT_LT(wide_drift.velocity, Real50("1e-47"));
#endif
}

// The iteration changes how the equations of a step are solved, not what they are; nor does the basis.
// Bounds are round-off of 500 steps, and for the iteration 100 tolerances.
TEST_P(EveryVariant, ReachesTheSameTrajectoryWithEitherBasis) {
  BoundProblem<double> bound("two-link-arm", "index-1");
  const auto end = [&](const std::string& m) { return move<double>(bound, m, "1/100", "5", tolerance("1e-12")).end.y; };
  const Vector<double> qr = end(method(GetParam().projection, GetParam().iteration));
  const Vector<double> gauss = end(method(GetParam().projection, GetParam().iteration, "gauss"));
  EXPECT_LT(largest((qr - gauss).head(6)), 1e-14);
  EXPECT_LT(largest((qr - gauss).segment(6, 6)), 1e-13);  // rates up to 8 rad/s
  const Vector<double> picard = end(method(GetParam().projection, "picard"));
  EXPECT_LT(largest((qr - picard).head(12)), 1e-10);
}

// Each step errs by h^3 q'''/12, which B of the start and of the end project differently by O(h): O(h^4) a step,
// O(h^3) in all, so both have the same leading error.
TEST(LocalTrapezoidal, ReadingsOfTheAlgorithmDifferByThirdOrder) {
  const auto difference_at = [](const char* h) {
    BoundProblem<double> bound("two-link-arm", "index-1");
    const auto end = [&](const char* projection) {
      return move<double>(bound, method(projection, "newton"), h, "1", tolerance("1e-13")).end.y;
    };
    return largest((end("frozen") - end("refreshed")).head(12));
  };
  const double coarse = difference_at("1/200"), fine = difference_at("1/400");
  EXPECT_GT(fine, 1e-7);                           // the tolerance is 1e-13
  EXPECT_NEAR(std::log2(coarse / fine), 3, 0.02);  // measured 3.0008
}

// ---------------------------------------------------------------- constraints that depend on time

// A point mass on a rod of length 1 whose pivot is moved, x_p = sin(2t)/2: one degree of freedom beside the drive.
void record_driven_pendulum(Recording& r) {
  r.coordinates({"x", "y"});
  r.start_q = {0, -1}, r.start_v = {1, 0};
  r.mass(0, 0) = r.mass(1, 1) = 1;
  r.force[1] = -10;
  r.constraints = {(square(r.q[0] - sin(2 * r.t) / 2) + square(r.q[1]) - 1) / 2};
}

// th'' = -10 sin th - x_p'' cos th, th(0) = 0, th'(0) = 0: the mass starts with the pivot's velocity.
Vector<Real50> driven_pendulum_solution(const Real50& t) {
  using T = Real50;
  const auto slope = [](const T& s, const Vector<T>& y, Vector<T>& f) {
    f[0] = y[1], f[1] = -10 * sin(y[0]) + 2 * sin(2 * s) * cos(y[0]);
  };
  const Vector<T> y = extrapolate<T>(slope, T(0), Vector<T>{{T(0), T(0)}}, t, 40, 10);
  return Vector<T>{{sin(2 * t) / 2 + sin(y[0]), -cos(y[0]), cos(2 * t) + cos(y[0]) * y[1], sin(y[0]) * y[1]}};
}

TEST_P(EveryVariant, FollowsATimeDependentConstraint) {
  const auto model = recorded_model<double>(record_driven_pendulum);
  const auto multipliers = multipliers_for<double>(*model);
  ConstrainedSystem<double> system(*model, Level::acceleration, *multipliers);
  State<double> start;
  start.y = Vector<double>{{0, -1, 1, 0, 0}};
  start.ydot = start.compensation = Vector<double>::Zero(5);
  ASSERT_TRUE(system.consistent_derivatives(start.t, start.y, start.ydot).ok());
  const Vector<double> exact = driven_pendulum_solution(Real50(1)).cast<double>();
  const auto error = [&](double h) {
    const std::string m = method(GetParam().projection, GetParam().iteration);
    const auto stepper = Registry<Method>::instance().make(m, "")->stepper(system, tolerance("1e-13"));
    DriftObserver<double> drift(*model);
    State<double> state = start;
    EXPECT_TRUE(integrate<double>(*stepper, state, 1.0, h, {&drift}).ok());
    // Drift is round-off of values near one: measured 1.3e-16.
    EXPECT_LT(drift.position, 2e-15);
    EXPECT_LT(drift.velocity, 1e-14);
    return largest(state.y.head(4) - exact);
  };
  EXPECT_NEAR(std::log2(error(1.0 / 200) / error(1.0 / 400)), 2, 0.02);  // measured within 4e-4
}

TEST(TimeAsParameter, KeepsThePrescribedMotion) {
  BoundProblem<double> bound("driven-mass", "index-1");
  const auto path = move<double>(bound, "local-trapezoidal", "1/50", "1", tolerance("1e-12"));
  ASSERT_TRUE(path.status.ok());
  EXPECT_NEAR(path.end.y[0], std::sin(2.0) / 2, 1e-15);  // no freedom is left, hence no truncation error
  EXPECT_NEAR(path.end.y[1], std::cos(2.0), 1e-15);
  EXPECT_NEAR(path.end.y[2], 2 * std::sin(2.0), 1e-14);  // lambda = -x''
}

// As the paper reduces it, the "time" is pushed by the constraint: E(2 t~ | k^2 = 1/2) = 2 t, t~(1) = 1.205.
TEST(TimeAsCoordinate, IsNotTheTime) {
  BoundProblem<double> bound("driven-mass:time=coordinate", "index-1");
  const auto defect = [&](const char* h) {
    const auto path = move<double>(bound, "local-trapezoidal", h, "1", tolerance("1e-12"));
    EXPECT_TRUE(path.status.ok());
    EXPECT_NEAR(path.end.y[1], 1.205, 0.0005);  // half a unit of the digits above
    return elliptic_second(std::sqrt(0.5), 2 * path.end.y[1]) - 2;
  };
  EXPECT_NEAR(std::log2(defect("1/500") / defect("1/1000")), 2, 0.01);  // only the truncation error
  const auto exact = bound.problem->independent_solution(Real50(1), 50);
  EXPECT_NEAR(elliptic_second(std::sqrt(0.5), 2 * static_cast<double>(exact->q[1])), 2, 1e-14);
}

// ---------------------------------------------------------------- where it ends

TEST(PicardIteration, DivergesForLongStepsAndNewtonDoesNot) {
  for (const char* h : {"0.15", "0.2"}) {
    BoundProblem<double> bound("two-link-arm", "index-1");
    const auto picard = move<double>(bound, "local-trapezoidal", h, "2", tolerance("1e-10", 500));
    EXPECT_EQ(picard.status.code, StatusCode::newton_diverged);
    EXPECT_THAT(picard.status.cause, AllOf(HasSubstr("Picard"), HasSubstr("iteration = newton")));
    const auto newton = move<double>(bound, "local-trapezoidal:iteration=newton", h, "2", tolerance("1e-10"));
    EXPECT_TRUE(newton.status.ok()) << newton.status.cause;
    EXPECT_LT(newton.statistics.newton_iterations, 6 * newton.statistics.steps);  // measured 5.4 a step
  }
}

// Counts have one decimal: bounds are half a unit of it.
TEST(PicardIteration, TakesTheMoreIterationsTheSmallerTheTolerance) {
  BoundProblem<double> bound("two-link-arm", "index-1");
  const std::pair<const char*, double> counts[] = {
      {"1e-4", 3.6}, {"1e-6", 4.8}, {"1e-8", 6.0}, {"1e-10", 7.2}, {"1e-12", 8.4}};
  for (const auto& [eps, expected] : counts) {
    NewtonOptions newton = tolerance(eps);
    newton.norm = Norm::two;
    const Statistics s = move<double>(bound, "local-trapezoidal", "1/100", "2", newton).statistics;
    EXPECT_NEAR(static_cast<double>(s.newton_iterations) / static_cast<double>(s.steps), expected, 0.051) << eps;
  }
}

// Corrections that shrink by less than a half each still have to meet the tolerance.
TEST(PicardIteration, GoesOnWhileItConvergesSlowly) {
  for (const char* eps : {"1e-10", "1e-12"}) {
    BoundProblem<double> bound("two-link-arm", "index-1");
    const auto end = [&](const char* iteration) {
      const auto path = move<double>(bound, method("refreshed", iteration), "0.15", "1.5", tolerance(eps, 500));
      EXPECT_TRUE(path.status.ok()) << path.status.cause;
      return Vector<double>(path.end.y.head(12));
    };
    EXPECT_LT(largest(end("picard") - end("newton")), 100 * std::stod(eps));  // over ten steps: measured 5e-11
  }
}

TEST(LocalTrapezoidal, StopsOnTheResidualToo) {
  BoundProblem<double> bound("two-link-arm", "index-1");
  NewtonOptions newton = tolerance("1e-12");
  newton.test = NewtonTest::residual;
  const auto by_residual = move<double>(bound, "local-trapezoidal", "1/100", "1", newton);
  ASSERT_TRUE(by_residual.status.ok()) << by_residual.status.cause;
  const auto by_increment = move<double>(bound, "local-trapezoidal", "1/100", "1", tolerance("1e-12"));
  // The residual is to be below 1e-12: measured 1.8e-11.
  EXPECT_LT(largest((by_residual.end.y - by_increment.end.y).head(12)), 1e-9);
  // One iteration less to confirm.
  EXPECT_LT(by_residual.statistics.newton_iterations, by_increment.statistics.newton_iterations);
}

TEST(LocalTrapezoidal, NamesRedundantConstraints) {
  for (const char* basis : {"qr", "gauss"}) {
    BoundProblem<double> bound("rowing-boat", "index-1");
    const auto path = move<double>(bound, method("frozen", "picard", basis), "1/1000", "0.01", tolerance("1e-8"));
    EXPECT_EQ(path.status.code, StatusCode::singular);
    EXPECT_THAT(path.status.cause, AllOf(HasSubstr("rank 4 of 6"), HasSubstr("redundant constraints")));
  }
}

// It would leave out the feedback, the attraction and the projection of the other forms that have a(q, v).
TEST(LocalTrapezoidal, NeedsIndexOne) {
  for (const char* formulation : {"index-2", "index-3", "baumgarte", "penalty", "projected"}) {
    SCOPED_TRACE(formulation);
    BoundProblem<double> bound("two-link-arm", formulation);
    EXPECT_THROW(Registry<Method>::instance().make("local-trapezoidal", "")->stepper(*bound.system, NewtonOptions{}),
                 NotApplicable);
  }
}

}  // namespace TEST_FILE
}  // namespace daelab
