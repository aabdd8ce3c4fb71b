// Residuals at several points together against the same points one by one: bit by bit, with the same statistics, and
// left to these where pivots are not trusted.
#include "core/equations/residuals_together.hpp"

#include <gtest/gtest.h>

#include "core/equations/formulation.hpp"
#include "core/expressions/program.hpp"
#include "core/model/problem.hpp"
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

bool together(const Bound& bound, Points& p) {
  bool were = false;
  for (int call = 0; call < many; ++call) were = bound.system->resolved_residuals(p.t, p.Y, p.Ydot, p.R);
  return were;
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
      ASSERT_TRUE(together(bound, p));
      EXPECT_EQ(p.R, p.one_by_one(*bound.system));
    }
}

TEST_P(ResidualsOfPoints, CountsTheSameSolves) {
  const Bound bound(GetParam(), "index-1"), other(GetParam(), "index-1");
  Points p(bound, 3), q(other, 3);
  ASSERT_TRUE(together(bound, p));
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

TEST(ResidualsTogether, AreLeftToOneByOneWherePivotsAreNotTrusted) {
  if (!evaluates_by_machine_code()) GTEST_SKIP();
  const Bound bound("pendulum", "index-1");
  Points p(bound, 3);
  ASSERT_TRUE(together(bound, p));
  p.Y.col(1).head(bound.model->coordinates()).setZero();  // where C_q = 0
  EXPECT_FALSE(bound.system->resolved_residuals(p.t, p.Y, p.Ydot, p.R));
}

TEST(ResidualsTogether, AreForTheModelsOwnEliminationAlone) {
  const Bound bound("seven-body", "index-1", "schur-cholesky"), gains("seven-body", "baumgarte");
  for (const Bound* x : {&bound, &gains}) {
    Points p(*x, 4);
    EXPECT_FALSE(together(*x, p));
  }
}

TEST(ResidualsTogether, AreNotAskedForWhereAnEquationThatFailsIsLookedFor) {
  if (!evaluates_by_machine_code()) GTEST_SKIP();
  const Bound bound("seven-body", "index-1");
  Points p(bound, 4);
  ASSERT_TRUE(together(bound, p));
  bound.model->seek_domain_error();
  EXPECT_FALSE(bound.system->resolved_residuals(p.t, p.Y, p.Ydot, p.R));
  bound.model->domain_error();
  EXPECT_TRUE(bound.system->resolved_residuals(p.t, p.Y, p.Ydot, p.R));
}

}  // namespace
}  // namespace daelab
