// Systems with sparse factorisations against the same with dense ones: every mechanism on every level, and long chains.
#include <gmock/gmock.h>

#include "core/base/context.hpp"
#include "core/integration/integrate.hpp"
#include "core/integration/method.hpp"
#include "core/integration/observers.hpp"
#include "core/integration/singularity_watch.hpp"
#include "tests/numeric_support.hpp"
#include "tests/scalars.hpp"
#include "tests/sparse_support.hpp"

namespace daelab {
namespace TEST_FILE {

constexpr Index everything_dense = 1'000'000, everything_sparse = 0;

template <class T>
Vector<T> random_like(RandomNumbers& random, const Vector<T>& x) {
  Vector<T> y = x;
  for (T& entry : y) entry += T(random.next()) / T(8);
  return y;
}

// The patterns hold what the dense blocks hold, in the same bits.
template <class T>
void expect_same_forms(MechanicalModel<T>& model, RandomNumbers& random) {
  const Index n = model.coordinates(), m = model.constraints();
  const Vector<T> q = random_like(random, model.initial_q()), v = random_like(random, model.initial_v());
  const Vector<T> a = random.vector<T>(n), lambda = random.vector<T>(m);
  const auto expect_same = [](const SparseMatrix<T>& A, const Matrix<T>& B) {
    Matrix<T> scattered(A.rows(), A.columns());
    A.scatter(scattered);
    EXPECT_EQ(scattered, B);
  };
  for (const Level level : {Level::position, Level::velocity, Level::acceleration}) {
    MechanicalBlocks<T> dense;
    for (Matrix<T>* block : {&dense.M, &dense.K, &dense.D}) block->setZero(n, n);
    for (Matrix<T>* block : {&dense.J, &dense.R_q, &dense.R_v, &dense.R_a}) block->setZero(m, n);
    SparseBlocks<T> sparse;
    model.blocks(level, T(0), q, v, a, lambda, dense);
    model.blocks(level, T(0), q, v, a, lambda, sparse);
    expect_same(sparse.M, dense.M), expect_same(sparse.K, dense.K), expect_same(sparse.D, dense.D);
    expect_same(sparse.J, dense.J), expect_same(sparse.R_q, dense.R_q), expect_same(sparse.R_v, dense.R_v);
    expect_same(sparse.R_a, dense.R_a);
  }
  Matrix<T> M = Matrix<T>::Zero(n, n), J = Matrix<T>::Zero(m, n);
  Vector<T> Q(n), h(m);
  SparseData<T> data;
  model.data(T(0), q, v, M, Q, J, h);
  model.data(T(0), q, v, data);
  expect_same(data.M, M), expect_same(data.J, J);
  EXPECT_EQ(data.Q, Q);
  EXPECT_EQ(data.h, h);
}

// Of J x = r by both ways, |J (x - y)| relative to |J| |x|: each has a backward error of round-off.
template <class T, class S>
double difference_of_solutions(System<T>& system, const State<T>& at, const S& kappa, bool& both_failed) {
  const Index N = system.size();
  std::vector<Vector<S>> solutions;
  std::vector<StatusCode> codes;
  Matrix<T> F_y(N, N), F_ydot(N, N);
  for (const Index size : {everything_dense, everything_sparse}) {
    const DenseSizeScope forced(size);
    const auto linearization = system.linearization();
    linearization->evaluate(at.t, at.y, at.ydot);
    linearization->dense(F_y, F_ydot);
    std::unique_ptr<IterationMatrix<S>> matrix;
    if constexpr (std::is_same_v<S, T>)
      matrix = linearization->real_matrix();
    else
      matrix = linearization->complex_matrix();
    RandomNumbers random(7);
    Vector<S> x(N);
    for (S& entry : x) entry = S(T(random.next()));
    codes.push_back(matrix->factorize(kappa).code);
    if (codes.back() == StatusCode::ok) matrix->solve(x);
    solutions.push_back(x);
  }
  EXPECT_EQ(codes[0], codes[1]);
  both_failed = codes[0] != StatusCode::ok;
  if (both_failed || codes[0] != codes[1]) return 0;
  Matrix<S> J(N, N);
  for (Index j = 0; j < N; ++j)
    for (Index i = 0; i < N; ++i)
      J(i, j) = j < system.differential() ? S(F_ydot(i, j) + kappa * F_y(i, j)) : S(F_y(i, j));
  const Vector<S> difference = solutions[0] - solutions[1];
  return largest(Vector<S>(J.lazyProduct(difference))) / (largest(J) * largest(solutions[0]));
}

template <class T>
class SparseSystems : public testing::Test {};
TYPED_TEST_SUITE(SparseSystems, Scalars);

TYPED_TEST(SparseSystems, FormsOnPatternsAreTheDenseOnes) {
  RandomNumbers random(1);
  for (const std::string& name : problem_names(true)) {
    SCOPED_TRACE(name);
    const auto problem = Registry<Problem>::instance().make(name, "");
    const auto model = problem->mechanical_model(As<TypeParam>{});
    if (model->coordinates() < 100) expect_same_forms(*model, random);
  }
}

TYPED_TEST(SparseSystems, SolveAsDenseOnesForEveryMechanismAndForm) {
  using T = TypeParam;
  int compared = 0;
  for (const std::string& name : problem_names(true))
    for (const char* form : {"index-3", "index-2", "index-1", "baumgarte", "ggl", "stabilized-index-1"}) {
      SCOPED_TRACE(name + " " + form);
      if (Registry<Problem>::instance().make(name, "")->mechanical_model(As<double>{})->coordinates() > 60) continue;
      const BoundProblem<T> bound(name, form);
      for (const double h : {1e-2, 1e-5}) {
        bool failed = false;
        const double limit = 100 * static_cast<double>(epsilon<T>()) / h;  // rows of positions are divided by h
        EXPECT_LT((difference_of_solutions<T, T>(*bound.system, bound.start, T(h), failed)), limit) << h;
        EXPECT_LT((difference_of_solutions<T, std::complex<T>>(*bound.system, bound.start, {T(0.18 * h), T(0.19 * h)},
                                                               failed)),
                  limit)
            << h;
        if (!failed) ++compared;
      }
    }
  EXPECT_GT(compared, 100);  // measured 288
}

TYPED_TEST(SparseSystems, SolveAsDenseOnesForOrdinaryEquations) {
  using T = TypeParam;
  for (const std::string& name : problem_names(false)) {
    SCOPED_TRACE(name);
    if (Registry<Problem>::instance().make(name, "")->ordinary_model(As<double>{})->states() > 60) continue;
    const BoundProblem<T> bound(name, "ode");
    bool failed = false;
    const double limit = 1e2 * static_cast<double>(epsilon<T>());  // measured: less than one eps in double
    EXPECT_LT((difference_of_solutions<T, T>(*bound.system, bound.start, T(1e-4), failed)), limit);
    EXPECT_LT((difference_of_solutions<T, std::complex<T>>(*bound.system, bound.start, {T(2e-5), T(1e-5)}, failed)),
              limit);
  }
}

struct FinishedRun {
  Status status;
  Statistics statistics;
  double end_time = 0;
  Vector<double> y;
};

FinishedRun integrate_adaptively(const std::string& problem, const std::string& form, const std::string& method,
                                 double t_end) {
  const BoundProblem<double> bound(problem, form);
  const auto stepper = Registry<Method>::instance().make(method, "")->stepper(*bound.system, {});
  stepper->control({1e-4, 1e-4, 1e-4});
  State<double> state = bound.start;
  state.memory = stepper->make_memory();
  std::optional<SingularityWatch<double>> watch;
  Interruptions<double> interruptions;
  if (bound.layout.m > 0) interruptions.guards.push_back(&watch.emplace(*bound.model, false));
  const Status status = integrate_adaptive<double>(*stepper, state, t_end, 0.0, {}, &interruptions);
  return {status, stepper->statistics(), state.t, state.y};
}

// A chain of 30 links falls alike both ways: iterations stop at the same tests, so what differs is round-off, amplified
// by 1/h^2 in the multipliers.
TEST(LinkChain, ThirtyLinksFallAlikeBothWays) {
  for (const char* form : {"index-3", "index-2", "ggl", "index-1"})
    for (const char* method : {"bdf", "radau-iia:s=3", "generalized-alpha"}) {
      SCOPED_TRACE(std::string(form) + " " + method);
      FinishedRun runs[2];
      for (const int k : {0, 1}) {
        const DenseSizeScope forced(k == 0 ? everything_dense : everything_sparse);
        runs[k] = integrate_adaptively("link-chain:links=30", form, method, 0.1);
        ASSERT_TRUE(runs[k].status.ok()) << runs[k].status.cause;
      }
      EXPECT_EQ(runs[0].statistics.steps, runs[1].statistics.steps);
      EXPECT_LT(largest(runs[0].y.head(180) - runs[1].y.head(180)), 1e-9);  // measured 4.5e-12
    }
}

// Without energy to exchange with others, most links fall freely: v_y = -g t away from the hinge.
TEST(LinkChain, AThousandLinksFall) {
  for (const auto& [form, method] :
       std::vector<std::pair<std::string, std::string>>{{"index-3", "bdf"},
                                                        {"index-2", "bdf"},
                                                        {"ggl", "bdf"},
                                                        {"index-1", "bdf"},
                                                        {"index-3", "radau-iia"},
                                                        {"index-3", "generalized-alpha"}}) {
    SCOPED_TRACE(form + " " + method);
    const FinishedRun run = integrate_adaptively("link-chain:links=1000", form, method, 0.05);
    ASSERT_TRUE(run.status.ok()) << run.status.cause;
    const double t = 0.05, g = 9.81;
    EXPECT_NEAR(run.y[3 * 500 + 1], -g * t * t / 2, 1e-4);  // the tolerance: measured 9.7e-5
    EXPECT_NEAR(run.y[3000 + 3 * 500 + 1], -g * t, 1e-12);  // v is linear in t: exact, to round-off
  }
}

TEST(HeatConduction, AThousandCellsByBdfAndRadau) {
  const FinishedRun bdf = integrate_adaptively("heat-conduction:size=1000", "ode", "bdf", 0.1),
                    radau = integrate_adaptively("heat-conduction:size=1000", "ode", "radau-iia", 0.1);
  ASSERT_TRUE(bdf.status.ok()) << bdf.status.cause;
  ASSERT_TRUE(radau.status.ok()) << radau.status.cause;
  EXPECT_LT(largest(bdf.y - radau.y), 1e-3);  // ten tolerances: measured 1.2
}

// For the chain's constraints, all are independent; one written twice would not be.
TEST(LargeStart, RankOfAThousandLinks) {
  const auto problem = Registry<Problem>::instance().make("link-chain:links=1000", "");
  const auto model = problem->mechanical_model(As<double>{});
  const StartReport report = analyse_start(*model, model->initial_q(), model->initial_v());
  EXPECT_EQ(report.rank, 2000);
  EXPECT_TRUE(report.consistent());
  EXPECT_GT(report.redundancy.smallest_kept, 1e-3);  // measured 0.67
  EXPECT_EQ(fitting_multiplier_solver(report), "sparse-lu");
}

}  // namespace TEST_FILE
}  // namespace daelab
