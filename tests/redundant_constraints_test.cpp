// Redundant constraints: a mass on a wire whose constraint is written once, or three times in different
// scalings. Motion and reaction are the same in every formulation; the multipliers are one of many.
#include <gmock/gmock.h>

#include "core/integration/integrate.hpp"
#include "core/integration/method.hpp"
#include "tests/numeric_support.hpp"

namespace daelab {
namespace TEST_FILE {

Record wire(Index copies) {
  return [copies](Recording& r) {
    r.coordinates({"x", "y"});
    r.start_q = {1, 0}, r.start_v = {0, 1};
    r.mass(0, 0) = r.mass(1, 1) = 2;
    r.force[1] = -10;
    for (int i = 0; i < copies; ++i) r.constraints.push_back((square(r.q[0]) + square(r.q[1]) - 1) * (1 + 2 * i));
  };
}

template <class T>
struct Outcome {
  Vector<T> q, v, reaction, lambda;
};

template <class T>
Outcome<T> run(Index copies, const std::string& solver, const std::string& formulation, const std::string& method) {
  const auto model = recorded_model<T>(wire(copies));
  const auto multipliers = multipliers_for<T>(*model, solver);
  const auto system = Registry<Formulation>::instance().make(formulation, "")->system(*model, *multipliers);
  State<T> state;
  for (Vector<T>* x : {&state.y, &state.ydot, &state.compensation}) x->setZero(system->size());
  state.y.head(2) = model->initial_q(), state.y.segment(2, 2) = model->initial_v();
  EXPECT_TRUE(system->consistent_derivatives(state.t, state.y, state.ydot).ok());
  const auto stepper = Registry<Method>::instance().make(method, "")->stepper(*system, {});
  const Status status = integrate<T>(*stepper, state, T(1) / 2, T(1) / 64, {});
  EXPECT_TRUE(status.ok()) << status.cause;
  Vector<T> C(copies);
  Matrix<T> C_q(copies, 2);
  model->constraint(state.t, state.y.head(2), C, C_q);
  const Vector<T> lambda = state.y.tail(copies);
  return {state.y.head(2), state.y.segment(2, 2), Vector<T>(C_q.transpose() * lambda), lambda};
}

struct Way {
  const char *formulation, *method;
};
constexpr Way ways[] = {{"index-1", "runge-kutta"},     {"index-1", "radau-iia:s=3"}, {"index-1", "pade-block:r=3"},
                        {"baumgarte", "radau-iia:s=3"}, {"index-2", "radau-iia:s=3"}, {"index-2", "pade-block:r=3"},
                        {"index-3", "radau-iia:s=3"}};

template <class T>
void compare(double tolerance) {
  for (const Way& way : ways) {
    const auto once = run<T>(1, "schur-cholesky", way.formulation, way.method);
    for (const char* solver : {"pivoted-cholesky", "complete-orthogonal", "svd"}) {
      SCOPED_TRACE(std::string(way.formulation) + " " + way.method + " " + solver);
      const auto thrice = run<T>(3, solver, way.formulation, way.method);
      EXPECT_LT(largest(thrice.q - once.q), tolerance);
      EXPECT_LT(largest(thrice.v - once.v), tolerance);
      // On index 3 round-off of the multipliers is amplified by 1/h^2.
      EXPECT_LT(largest(thrice.reaction - once.reaction), 1e4 * tolerance);
    }
  }
}

// Bounds are round-off of the multipliers: in double, measured 5e-14 in v and 5e-11 in reactions.
TEST(RedundantConstraints, MotionAndReactionAreThoseOfIndependentOnes) { compare<double>(1e-12); }
#ifndef DAELAB_DOUBLE_ONLY
TEST(RedundantConstraints, AlsoInFiftyDigits) { compare<Real50>(1e-44); }
#endif

// mu = G (G^T G)^-1 ... : along (1, 3, 5) when it is the one of least norm, on one row when it is basic.
TEST(RedundantConstraints, SolversChooseTheirMultipliers) {
  const auto least = run<double>(3, "complete-orthogonal", "index-1", "radau-iia:s=3");
  // Round-off: measured 4.4e-15.
  EXPECT_NEAR(least.lambda[1] / least.lambda[0], 3, 1e-13);
  EXPECT_NEAR(least.lambda[2] / least.lambda[0], 5, 1e-13);
  const auto basic = run<double>(3, "pivoted-cholesky", "index-1", "radau-iia:s=3");
  EXPECT_NEAR(basic.lambda[0], 0, 1e-15);  // round-off of a Newton correction
  EXPECT_NEAR(basic.lambda[1], 0, 1e-15);
  EXPECT_NE(basic.lambda[2], 0);  // the row with the largest diagonal of A
}

}  // namespace TEST_FILE
}  // namespace daelab
