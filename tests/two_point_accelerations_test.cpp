// Accelerations whose multipliers satisfy the velocity constraints at another point: by generated code and factorised.
#include <gmock/gmock.h>

#include "core/accelerations/two_point_accelerations.hpp"
#include "core/base/paths.hpp"
#include "core/documents/json_problem.hpp"
#include "core/mechanism/forms.hpp"
#include "tests/expression_support.hpp"
#include "tests/numeric_support.hpp"
#include "tests/random_saddle_point.hpp"
#include "tests/scalars.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

// Round-off, and what pivots make of it: as of the symmetric elimination, generated_solve_test.cpp.
TEST(TwoSidedElimination, SolvesRandomSystemsByThePivotsOfSymmetricOnes) {
  int pairs = 0;
  for (unsigned seed = 1; seed <= 200; ++seed)
    for (const PivotRule rule : {PivotRule::definite, PivotRule::stable, PivotRule::tolerable}) {
      RandomSaddlePoint system(seed, 1 + seed % 9, seed % (2 + seed % 9), RandomSaddlePoint::Kind::two_sided);
      const auto sequence = choose_pivots(system.A, system.samples(), rule, 1000000);
      if (!sequence && rule == PivotRule::stable) continue;  // may ask too much of a matrix
      ASSERT_TRUE(sequence) << "seed " << seed << " rule " << static_cast<int>(rule);
      for (const Pivot& pivot : sequence->pivots) pairs += pivot.first != pivot.second;
      EXPECT_LT(system.residual<double>(*sequence), 1e-12) << "seed " << seed;
      EXPECT_LT(system.residual<Real50>(*sequence), 1e-46) << "seed " << seed;
    }
  EXPECT_GT(pairs, 100) << "pivots of two rows are among them";
}

template <class T>
struct Points {
  MotionPoint<T> at, constrained;
  T weight;
};

// The start, and where its velocities and accelerations of 1 lead in h.
template <class T>
Points<T> points_of(const MechanicalModel<T>& model, const T& h) {
  const Vector<T> q = model.initial_q(), v = model.initial_v();
  return {{T(0), q, v}, {h, q + h * v, v + Vector<T>::Constant(v.size(), h)}, h / T(3)};
}

// By a dense matrix and its own pivots.
template <class T>
Vector<T> expected_accelerations(MechanicalModel<T>& model, const Points<T>& p) {
  const Index n = model.coordinates(), m = model.constraints();
  Matrix<T> M(n, n), J(m, n);
  Vector<T> Q(n), h(m), rate(m), b(n + m);
  DenseLu<T> lu(n + m);
  model.data(p.at.t, p.at.q, p.at.v, M, Q, J, h);
  lu.matrix().setZero();
  lu.matrix().topLeftCorner(n, n) = M;
  lu.matrix().topRightCorner(n, m) = J.transpose();
  model.data(p.constrained.t, p.constrained.q, p.constrained.v, M, b, J, h);
  lu.matrix().bottomLeftCorner(m, n) = J;
  model.constraint_level(Level::velocity, p.constrained.t, p.constrained.q, p.constrained.v, Vector<T>::Zero(n), rate);
  b.resize(n + m);
  b << Q, -rate / p.weight;
  EXPECT_TRUE(lu.factorize().ok());
  lu.solve(b);
  return b.head(n);
}

template <class T>
void expect_accelerations(const char* problem, bool generated) {
  const auto model = Registry<Problem>::instance().make(problem, "")->mechanical_model(As<T>{});
  EXPECT_EQ(model->forms().generated_accelerations_between().empty(), !generated) << problem;
  TwoPointAccelerations<T> accelerations(*model);
  Vector<T> a(model->coordinates());
  for (const char* h : {"1/100000", "1/1000"}) {
    const Points<T> points = points_of<T>(*model, Exact(h).as<T>());
    ASSERT_TRUE(accelerations.solve(points.at, points.constrained, points.weight, a).ok()) << problem;
    const Vector<T> expected = expected_accelerations<T>(*model, points);
    // Up to 1e5 units by the condition, as in generated_solve_test.cpp.
    EXPECT_LE(largest(Vector<T>(a - expected)), 1e5 * static_cast<double>(epsilon<T>()) * largest(expected))
        << problem << " h = " << h;
  }
}

// Masses that change, constraints that depend on time, as many constraints as coordinates, none, a large chain; where a
// recording has its own way to M^-1, or discrete-time blocks, matrices are factorised.
TEST(TwoPointAccelerations, AgreeWithADenseFactorization) {
  load_problem_files(project_path("problems"));  // joint-chain
  for (const auto& [problem, generated] : {std::pair{"pendulum", true},
                                           {"two-link-manipulator", true},
                                           {"seven-body", true},
                                           {"car-axis", true},
                                           {"driven-crank", true},
                                           {"oscillator-chain", true},
                                           {"link-chain:links=200", true},
                                           {"seven-body-joints", false},
                                           {"joint-chain:N=8", false},
                                           {"motor-crank:controller=sampled", false},
                                           {"motor-crank", true}}) {
#define DAELAB_EXPECT(T) expect_accelerations<T>(problem, generated);
    DAELAB_FOR_SCALARS(DAELAB_EXPECT)
#undef DAELAB_EXPECT
  }
}

TEST(TwoPointAccelerations, DependentConstraintsAreSingular) {
  const auto model = Registry<Problem>::instance().make("rowing-boat", "")->mechanical_model(As<double>{});
  TwoPointAccelerations<double> accelerations(*model);
  Vector<double> a(model->coordinates());
  const Points<double> points = points_of<double>(*model, 0.01);
  const Status status = accelerations.solve(points.at, points.constrained, points.weight, a);
  EXPECT_EQ(status.code, StatusCode::singular);
  EXPECT_THAT(status.cause, HasSubstr("dependent constraints"));
}

// The pendulum a quarter of a turn on: its rod at both points is orthogonal, the first pivots are exact, the last one
// vanishes.
TEST(TwoPointAccelerations, PointsThatHaveNothingInCommonAreSingular) {
  const auto model = Registry<Problem>::instance().make("pendulum", "")->mechanical_model(As<double>{});
  TwoPointAccelerations<double> accelerations(*model);
  Vector<double> a(2);
  MotionPoint<double> at{0, Vector<double>{{1, 0}}, Vector<double>{{0, 0}}}, there = at;
  there.q = Vector<double>{{0, 1}};
  EXPECT_EQ(accelerations.solve(at, there, 0.01, a).code, StatusCode::singular);
}

}  // namespace TEST_FILE
}  // namespace daelab
