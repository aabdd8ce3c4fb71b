// Residuals at several points against the same points one by one: bit by bit, with the same statistics, whether they
// are evaluated four per instruction or, where a pivot is too small, one by one.
#include "core/equations/residual_lanes.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <map>

#include "core/equations/formulation.hpp"
#include "core/expressions/program.hpp"
#include "core/mechanism/problem.hpp"
#include "tests/numeric_support.hpp"
#include "tests/random_numbers.hpp"

namespace daelab {
namespace TEST_FILE {

// More calls than are made before the program is.
constexpr int many = 1100;

struct Bound {
  Bound(const std::string& problem_spec, const std::string& form, const std::string& solver = "written-out")
      : problem(Registry<Problem>::instance().make(problem_spec, "")),
        model(problem->mechanical_model(As<double>{})),
        multipliers(multipliers_for(*model, solver)),
        system(Registry<Formulation>::instance().make(form, "")->system(*model, *multipliers)) {}

  std::shared_ptr<Problem> problem;
  std::unique_ptr<MechanicalModel<double>> model;
  std::unique_ptr<Multipliers<double>> multipliers;
  std::unique_ptr<System<double>> system;
};

// Points near the start.
struct Points {
  Points(const Bound& bound, Index count) : t(count) {
    const Index N = bound.system->size();
    Vector<double> y = Vector<double>::Zero(N), ydot = y;
    const Vector<double> start = bound.model->initial_y();
    y.head(start.size()) = start;
    EXPECT_TRUE(bound.system->consistent_start(0, y, ydot).ok());
    Y.resize(N, count), Ydot.resize(N, count), R.setZero(N, count);
    RandomNumbers numbers(7);
    for (Index i = 0; i < count; ++i) {
      t[i] = 0.01 * static_cast<double>(i);
      for (Index k = 0; k < N; ++k)
        Y(k, i) = y[k] * (1 + 1e-3 * numbers.next()), Ydot(k, i) = ydot[k] + 0.1 * numbers.next();
    }
    Ydot.bottomRows(N - bound.system->differential()).setZero();
  }

  Matrix<double> one_by_one(System<double>& system) const {
    Matrix<double> all(R.rows(), R.cols());
    Vector<double> F = Vector<double>::Zero(R.rows());
    for (Index i = 0; i < R.cols(); ++i) {
      EXPECT_TRUE(system.resolved_residual(t[i], Y.col(i), Ydot.col(i), F).ok());
      all.col(i) = F;
    }
    return all;
  }

  Vector<double> t;
  Matrix<double> Y, Ydot, R;
};

// After so many calls the program of lanes is made, if there is one.
void evaluate_often(const Bound& bound, Points& p) {
  for (int call = 0; call < many; ++call) ASSERT_TRUE(bound.system->resolved_residuals(p.t, p.Y, p.Ydot, p.R).ok());
}

bool has_program_of_lanes(const Bound& bound, const std::string& form) {
  const std::map<std::string, FormKey> keys{
      {"index-1", {FormKind::accelerations}},
      {"index-2", {FormKind::residual, static_cast<int>(Level::velocity)}},
      {"index-3", {FormKind::residual, static_cast<int>(Level::position)}},
  };
  return bound.model->forms().has_program_of_lanes(keys.at(form));
}

class ResidualsOfPoints : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!evaluates_by_machine_code()) GTEST_SKIP() << "without machine code they are evaluated one by one";
  }
};

TEST_P(ResidualsOfPoints, HaveTheBitsOfPointsOneByOne) {
  for (const char* form : {"index-1", "index-2", "index-3"})
    for (const Index count : {4, 5, 7, 8}) {
      SCOPED_TRACE(testing::Message() << form << ", " << count << " points");
      const Bound bound(GetParam(), form);
      Points p(bound, count);
      evaluate_often(bound, p);
      EXPECT_TRUE(has_program_of_lanes(bound, form));
      EXPECT_EQ(p.R, p.one_by_one(*bound.system));
    }
}

TEST_P(ResidualsOfPoints, CountsTheSameSolves) {
  const Bound bound(GetParam(), "index-1"), other(GetParam(), "index-1");
  Points p(bound, 3), q(other, 3);
  evaluate_often(bound, p);
  const long before = bound.multipliers->statistics().solves;
  bound.system->resolved_residuals(p.t, p.Y, p.Ydot, p.R);
  EXPECT_EQ(bound.multipliers->statistics().solves, before + 3);
  const long other_before = other.multipliers->statistics().solves;
  q.one_by_one(*other.system);
  EXPECT_EQ(other.multipliers->statistics().solves, other_before + 3);
  EXPECT_EQ(bound.multipliers->statistics().smallest_rank, other.multipliers->statistics().smallest_rank);
}

// The motor of motor-crank has a first-order state, at the end of the velocities.
INSTANTIATE_TEST_SUITE_P(Problems, ResidualsOfPoints,
                         testing::Values("seven-body", "two-link-manipulator", "pendulum", "slider-crank",
                                         "motor-crank", "link-chain:links=16"));

TEST(ResidualLanes, AreLeftToOneByOneWhereAPivotIsTooSmall) {
  const Bound bound("pendulum", "index-1");
  Points p(bound, 3);
  evaluate_often(bound, p);
  p.Y.col(1).head(bound.model->coordinates()).setZero();  // where C_q = 0
  EXPECT_EQ(bound.system->resolved_residuals(p.t, p.Y, p.Ydot, p.R).code, StatusCode::singular);
  EXPECT_GT(bound.multipliers->statistics().pivot_fallbacks, 0);
}

// With parameters that no other test has: programs are kept for all models of a problem.
TEST(ResidualLanes, AreForGeneratedCodeAlone) {
  const Bound bound("seven-body:torque=0.0341", "index-1", "schur-cholesky"),
      gains("seven-body:torque=0.0342", "baumgarte");
  for (const Bound* x : {&bound, &gains}) {
    Points p(*x, 4);
    evaluate_often(*x, p);
    EXPECT_FALSE(has_program_of_lanes(*x, "index-1"));
    EXPECT_EQ(p.R, p.one_by_one(*x->system));
  }
}

TEST(ResidualLanes, LeaveTheSearchForAnEquationThatFailsToPointsOneByOne) {
  const Bound bound("seven-body", "index-1");
  Points p(bound, 4);
  evaluate_often(bound, p);
  bound.model->seek_domain_error();
  p.Y(0, 2) = std::numeric_limits<double>::quiet_NaN();
  bound.system->resolved_residuals(p.t, p.Y, p.Ydot, p.R);
  EXPECT_NE(bound.model->domain_error(), "");
}

}  // namespace TEST_FILE
}  // namespace daelab
