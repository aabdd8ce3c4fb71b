// Forms in local coordinates, null-space and coordinate-partitioning: every method is the method on the coordinates,
// all levels of the constraints hold, orders are those without constraints, and what has no coordinates is refused.
//
// [PR91] Potra, Rheinboldt, Mechanics of Structures and Machines 19(1), 1991, 1-18.
#include "core/equations/local_coordinates_system.hpp"

#include <gmock/gmock.h>

#include "core/integration/integrate.hpp"
#include "tests/drift_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

const std::vector<std::string> local_forms{"null-space", "null-space:weights=mass", "coordinate-partitioning"};

// Positions leave 2 units of round-off alone, and Newton's last correction rounds q; velocities are solved for once, by
// a matrix whose condition adds to that.
TEST(LocalCoordinates, KeepAllLevelsAtRoundOff) {
  for (const std::string& form : local_forms)
    for (const char* method : {"runge-kutta", "adams-bashforth:k=4", "extrapolation", "rkc", "gauss:s=2",
                               "radau-iia:s=2", "kvaerno-3", "bdf:k=3", "generalized-alpha"})
      for (const auto& [problem, h, end] :
           {std::tuple{"pendulum", 0.02, 2.0}, std::tuple{"two-link-manipulator", 0.01, 0.5},
            std::tuple{"seven-body", 2e-5, 1e-3}, std::tuple{"car-axis", 2e-3, 0.1}}) {
        SCOPED_TRACE(fmt::format("{} on {}, {}", method, problem, form));
        const RoundOff<double> found = drift({problem, form, method, h, end});
        EXPECT_LE(found.position, 4);
        EXPECT_LE(found.velocity, 16);
      }
}

// In 1.5 s the pendulum turns past both axes, so that either coordinate is dependent for a while; bdf and
// adams-bashforth look back over the changes.
TEST(LocalCoordinates, HaveTheOrdersOfOrdinaryEquations) {
  struct Case {
    const char* method;
    double order;
    std::vector<int> counts;
  };
  const std::vector<Case> cases{{"semi-implicit-euler", 1, {800, 1600, 3200}},
                                {"runge-kutta", 4, {100, 200, 400}},
                                {"adams-bashforth:k=3", 3, {400, 800, 1600}},
                                {"radau-iia:s=2", 3, {100, 200, 400}},
                                {"gauss:s=2", 4, {40, 80, 160}},
                                {"kvaerno-3", 3, {50, 100, 200}},
                                {"bdf:k=2", 2, {800, 1600, 3200}},
                                {"bdf:k=3", 3, {800, 1600, 3200}},
                                {"generalized-alpha", 2, {800, 1600, 3200}}};
  for (const std::string& form : local_forms)
    for (const char* problem : {"pendulum", "two-link-manipulator"})
      for (const Case& c : cases) {
        const double end = problem == std::string("pendulum") ? 1.5 : 0.5;
        EXPECT_NEAR(observed_order(problem, form, c.method, end, c.counts), c.order, 0.3)
            << c.method << " on " << problem << ", " << form;
      }
}

// The pendulum of length 1 by hand in the coordinate s = b q, w = b v with b^T N = 0, q = q_0 + B^+ (s - s_0) + N eta.
struct HandMade {
  Vector<double> b, N;
  // (q, v) with b q = s, b v = w on the circle, next to q.
  void lift(double s, double w, Vector<double>& q, Vector<double>& v) const {
    q += b * (s - b.dot(q)) / b.squaredNorm();
    for (int i = 0; i < 50; ++i) q -= N * ((q.squaredNorm() - 1) / (2 * q.dot(N)));
    v += b * (w - b.dot(v)) / b.squaredNorm();
    v -= N * (q.dot(v) / q.dot(N));
  }
};

// One step of the classical Runge-Kutta method on s' = w, w' = b a(q, v): the same step, except for rounding.
TEST(LocalCoordinates, AStepIsThatOfTheMethodOnTheCoordinates) {
  for (const std::string& form : {std::string("null-space"), std::string("coordinate-partitioning")}) {
    const BoundProblem<double> bound("pendulum", form);
    const auto stepper = Registry<Method>::instance().make("runge-kutta", "")->stepper(*bound.system, {});
    State<double> state = bound.start, next = state;
    const double h = 0.1;
    for (int k = 0; k < 3; ++k) {  // to a point that is nothing special
      ASSERT_TRUE(stepper->step(state, h, next).ok());
      std::swap(state, next);
    }
    ASSERT_TRUE(stepper->step(state, h, next).ok());
    const Vector<double> q0 = state.y.head(2), v0 = state.y.segment(2, 2);
    HandMade hand;
    hand.N = q0;
    if (form == "coordinate-partitioning")
      hand.N = std::abs(q0[0]) > std::abs(q0[1]) ? Vector<double>::Unit(2, 0) : Vector<double>::Unit(2, 1);
    hand.b = Vector<double>(2);
    hand.b << -hand.N[1], hand.N[0];
    BoundProblem<double> plain("pendulum", "index-1");
    const auto slope = [&](double s, double w) {
      Vector<double> q = q0, v = v0;
      hand.lift(s, w, q, v);
      State<double> at = plain.start;
      at.y.head(2) = q, at.y.segment(2, 2) = v;
      EXPECT_TRUE(plain.system->consistent_derivatives(at.t, at.y, at.ydot).ok());
      return hand.b.dot(Vector<double>(at.ydot.segment(2, 2)));
    };
    const double s = hand.b.dot(q0), w = hand.b.dot(v0);
    const double a1 = slope(s, w), w2 = w + h / 2 * a1, a2 = slope(s + h / 2 * w, w2), w3 = w + h / 2 * a2,
                 a3 = slope(s + h / 2 * w2, w3), w4 = w + h * a3, a4 = slope(s + h * w3, w4);
    Vector<double> q = q0, v = v0;
    hand.lift(s + h / 6 * (w + 2 * w2 + 2 * w3 + w4), w + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4), q, v);
    EXPECT_LT(largest(q - next.y.head(2)), 1e-15) << form;
    EXPECT_LT(largest(v - next.y.segment(2, 2)), 1e-14) << form;
  }
}

// A point off the constraints by a little, with the y' and multipliers of its lift: blocks of index 1 are those of a
// solution there. Differences of step 1e-6 in double err by about 1e-9 of the derivatives, which are up to 1e2.
template <class F>
Matrix<double> coarse_difference(Vector<double> x, F f) {
  const double step = 1e-6;
  Matrix<double> J(f(x).size(), x.size());
  for (Index j = 0; j < x.size(); ++j) {
    const double centre = x[j];
    x[j] = centre + step;
    const Vector<double> above = f(x);
    x[j] = centre - step;
    J.col(j) = (above - f(x)) / (2 * step);
    x[j] = centre;
  }
  return J;
}

TEST(LocalCoordinates, JacobiansMatchDifferences) {
  for (const std::string& form : local_forms)
    for (const char* problem : {"pendulum", "two-link-manipulator", "rowing-boat", "knife-edge"}) {
      SCOPED_TRACE(form + ", " + problem);
      const BoundProblem<double> bound(problem, form);
      System<double>& system = *bound.system;
      const Index N = system.size(), d = system.differential();
      Vector<double> y = bound.start.y, ydot = bound.start.ydot;
      const bool redundant = problem == std::string("rowing-boat");
      if (!redundant) y.head(d) += 1e-3 * RandomNumbers(3).vector<double>(d);
      ASSERT_TRUE(system.start_step(bound.start.t, 0.1, y).ok());
      ASSERT_TRUE(system.consistent_derivatives(bound.start.t, y, ydot).ok());
      Matrix<double> F_y(N, N), F_ydot(N, N);
      const auto linearization = system.linearization();
      linearization->evaluate(bound.start.t, y, ydot);
      linearization->dense(F_y, F_ydot);
      const auto F = [&](const Vector<double>& at, const Vector<double>& slope) {
        Vector<double> f(N);
        system.residual(bound.start.t, at, slope, f);
        return f;
      };
      // Of redundant multipliers, which of them changes is left out: they move nothing.
      const Index rows = redundant ? d : N;
      const Matrix<double> expected = coarse_difference(y, [&](const auto& x) { return F(x, ydot); });
      EXPECT_LT(largest((F_y - expected).topRows(rows)), 1e-6 * largest(F_y));
      EXPECT_LT(largest(F_ydot - coarse_difference(ydot, [&](const auto& x) { return F(y, x); })), 1e-8);
    }
}

// Rows that follow from others: as many coordinates as without them, all rows hold, and the motion is the known one.
TEST(LocalCoordinates, TakeRedundantConstraints) {
  for (const std::string& form : local_forms)
    for (const char* method : {"runge-kutta", "radau-iia:s=2", "bdf:k=3"})
      for (const auto& [problem, h, end] : {std::tuple{"bricard", 0.01, 0.4}, std::tuple{"rowing-boat", 0.01, 0.3}}) {
        SCOPED_TRACE(fmt::format("{} on {}, {}", method, problem, form));
        const RoundOff<double> found = drift({problem, form, method, h, end});
        EXPECT_LE(found.position, 8);
        EXPECT_LE(found.velocity, 32);
      }
}

TEST(LocalCoordinates, ImposeNonholonomicConstraints) { expect_nonholonomic_motions(local_forms); }

// States of controllers are velocities beside the constraints.
TEST(LocalCoordinates, LeaveFirstOrderStatesAlone) {
  for (const std::string& form : local_forms)
    for (const char* method : {"runge-kutta", "radau-iia:s=2"}) {
      const RoundOff<double> found = drift({"motor-crank", form, method, 1e-4, 0.05});
      EXPECT_LE(found.position, 4) << form << ", " << method;
    }
}

// Of thousands of steps, each within the tolerance.
TEST(LocalCoordinates, WorkUnderErrorControl) {
  const ConstrainedMotion exact = known_motion("pendulum", Real50(5));
  for (const std::string& form : local_forms)
    for (const char* method :
         {"runge-kutta:tableau=dormand-prince", "radau-iia:s=3", "kvaerno-3", "bdf", "generalized-alpha"}) {
      SCOPED_TRACE(form + ", " + method);
      const BoundProblem<double> bound("pendulum", form);
      const auto stepper = Registry<Method>::instance().make(method, "")->stepper(*bound.system, {});
      const double tolerance = 1e-7;
      stepper->control({tolerance, tolerance, tolerance});
      RoundOff<double> observer(bound);
      State<double> state = bound.start;
      const Status status = integrate_adaptive<double>(*stepper, state, 5.0, 0.0, {&observer});
      ASSERT_TRUE(status.ok()) << status.cause;
      const PerComponent errors = errors_of(motion_of(state, bound.layout), exact);
      EXPECT_LT(errors[0], 5000 * tolerance);
      EXPECT_LE(observer.position, 4);
      EXPECT_LE(observer.velocity, 16);
    }
}

TEST(LocalCoordinates, RefuseMechanismsWithoutDegreesOfFreedom) {
  for (const std::string& form : local_forms) {
    const auto formulation = Registry<Formulation>::instance().make(form, "");
    const auto driven = Registry<Problem>::instance().make("driven-crank", "")->model(As<double>{});
    EXPECT_THAT(formulation->refusal(*driven), HasSubstr("no independent coordinates: 5 of the 5 constraints"));
    const auto ordinary = Registry<Problem>::instance().make("van-der-pol", "")->model(As<double>{});
    EXPECT_THAT(formulation->refusal(*ordinary), HasSubstr("is a formulation of mechanical systems"));
    const auto free = Registry<Problem>::instance().make("pleiades", "")->model(As<double>{});
    EXPECT_EQ(formulation->refusal(*free), "");
  }
}

// All links on one line: a rank is lost, and a coordinate appears. n-four-bar comes there at th = pi/2.
TEST(LocalCoordinates, StopAtSingularPositions) {
  for (const std::string& form : local_forms) {
    const BoundProblem<double> bound("n-four-bar", form);
    Vector<double> y = bound.start.y;
    ASSERT_TRUE(bound.system->start_step(0.0, 0.1, y).ok());
    // V_i from (i, 0) to (i + 1, 0) and H_i from there to (i + 1, 0): th = pi/2 of the default chain of two windows.
    const double x[] = {0.5, 1.5, 1.5, 2.5, 2.5};
    for (Index k = 0; k < 5; ++k) y[3 * k] = x[k], y[3 * k + 1] = 0, y[3 * k + 2] = 0;
    const Status status = bound.system->start_step(1.0, 0.1, y);
    EXPECT_EQ(status.code, StatusCode::singular) << form;
    EXPECT_THAT(status.cause, HasSubstr("the rank of the constraints is 12 at t = 1, and was 14 before"));
  }
}

// A step that throws the mass of the pendulum off the circle, where no dependent coordinate is left.
TEST(LocalCoordinates, SayWhyAStepFails) {
  for (const std::string& form : local_forms) {
    const BoundProblem<double> bound("pendulum:vx=0,vy=-1", form);
    const auto stepper =
        Registry<Method>::instance().make("runge-kutta:tableau=explicit-euler", "")->stepper(*bound.system, {});
    State<double> state = bound.start;
    const Status status = integrate<double>(*stepper, state, 1000.0, 100.0, {});
    EXPECT_THAT(status.code, testing::AnyOf(StatusCode::newton_diverged, StatusCode::singular)) << form;
    EXPECT_THAT(status.cause, HasSubstr("local coordinates: ")) << form;
  }
}

TEST(LocalCoordinates, NeedAMassMatrixOnlyWhereItWeighs) {
  const auto record = [](Recording& r) {  // a unit complex number turning: no mass of its own, sum of squares 1
    r.coordinates(2);
    r.start_q = {1, 0}, r.start_v = {0, 1};
    r.mass(0, 0) = 1;
    r.constraints = {r.q[0] * r.q[0] + r.q[1] * r.q[1] - 1};
  };
  const auto model = recorded_model<double>(record);
  LocalCoordinates<double> by_distance(*model, LocalBasis::tangent), by_mass(*model, LocalBasis::tangent_by_mass);
  EXPECT_TRUE(by_distance.choose(0.0, model->initial_q(), model->initial_v()).ok());
  const Status status = by_mass.choose(0.0, model->initial_q(), model->initial_v());
  EXPECT_EQ(status.code, StatusCode::singular);
  EXPECT_THAT(status.cause, HasSubstr("weights = identity"));
}

}  // namespace TEST_FILE
}  // namespace daelab
