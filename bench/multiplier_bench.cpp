// Multiplier solvers: one solve of A mu = b against its size, and the rowing boat over 12 s with each of them.
#include <benchmark/benchmark.h>

#include <algorithm>

#include "core/equations/formulation.hpp"
#include "core/integration/integrate.hpp"
#include "core/integration/method.hpp"
#include "core/mechanism/problem.hpp"
#include "core/solvers/dense.hpp"

namespace daelab {

void register_multiplier_benchmarks();  // called by the main function of runs_bench.cpp

namespace {

std::shared_ptr<MultiplierSolver> solver(const std::string& spec) {
  return Registry<MultiplierSolver>::instance().make(spec, "");
}

Matrix<double> random_matrix(Index rows, Index columns) { return Matrix<double>::Random(rows, columns); }

Matrix<double> orthonormal_columns(Index rows, Index columns) {
  dense::ColumnPivotedQr<double> qr(rows);
  qr.compute(random_matrix(rows, rows));
  Matrix<double> Q(rows, rows);
  qr.orthogonal_factor(Q);
  return Q.leftCols(columns);
}

// Two matrices of rank r and of the same range, with eigenvalues from 1 to 3, that differ by one of rank k: solved in
// turn they cost an updating solver k passes each time.
struct Pair {
  Matrix<double> A[2];
  Vector<double> b[2];

  Pair(Index n, Index r, Index k) {
    std::srand(1);
    const Matrix<double> U = orthonormal_columns(n, r);
    const Vector<double> spectrum = Vector<double>::LinSpaced(r, 1, 2), x = U * Vector<double>::Random(r);
    const Matrix<double> C = U * orthonormal_columns(r, k);
    A[0] = U * spectrum.asDiagonal() * U.transpose();
    A[1] = A[0] + C * Vector<double>::LinSpaced(k, 0.5, 1).asDiagonal() * C.transpose();
    for (int i : {0, 1}) b[i] = A[i] * x;
  }
};

void report(benchmark::State& state, double solves, double passes, double flops) {
  state.counters["passes"] = passes / solves;
  state.counters["flops"] = flops / solves;
}

// The first solve of each matrix, with a factorisation, is left out.
void reduced_solve(benchmark::State& state, const std::string& spec, Index n, Index r, Index k) {
  const Pair pair(n, r, k);
  const auto multipliers = solver(spec)->bind(As<double>{}, n, n);
  Vector<double> mu(n);
  const auto solve = [&](int i) { return multipliers->solve(pair.A[i], pair.b[i], mu); };
  for (int i : {0, 1})
    if (const Status status = solve(i); !status.ok()) return state.SkipWithError(status.cause.c_str());
  double passes = 0, flops = 0;
  int i = 0;
  for (auto _ : state) {
    const Status status = solve(i);
    if (!status.ok()) return state.SkipWithError(status.cause.c_str());
    benchmark::DoNotOptimize(mu.data());
    passes += multipliers->last().passes, flops += multipliers->last().flops;
    i = 1 - i;
  }
  report(state, static_cast<double>(state.iterations()), passes, flops);
}

// The saddle-point matrix as a whole, with half as many coordinates again as constraints.
void saddle_point_solve(benchmark::State& state, const std::string& spec, Index m) {
  const Index n = m + m / 2;
  std::srand(1);
  const Matrix<double> M = Matrix<double>::Identity(n, n), G = random_matrix(m, n);
  const Vector<double> f = Vector<double>::Random(n), h = Vector<double>::Random(m);
  const auto multipliers = solver(spec)->bind(As<double>{}, n, m);
  Vector<double> a(n), mu(m);
  for (auto _ : state) {
    const Status status = multipliers->solve({M, true, G, f, h}, a, mu);
    if (!status.ok()) return state.SkipWithError(status.cause.c_str());
    benchmark::DoNotOptimize(mu.data());
  }
  report(state, 1, 0, multipliers->last().flops);
}

void boat(benchmark::State& state, const std::string& spec) {
  const auto model = Registry<Problem>::instance().make("rowing-boat", "")->mechanical_model(As<double>{});
  const Index n = model->coordinates(), m = model->constraints();
  SolveStatistics solves;
  for (auto _ : state) {
    const auto multipliers = solver(spec)->bind(As<double>{}, n, m);
    const auto system = Registry<Formulation>::instance().make("baumgarte", "")->system(*model, *multipliers);
    State<double> now;
    for (Vector<double>* x : {&now.y, &now.ydot, &now.compensation}) x->setZero(system->size());
    now.y.head(n) = model->initial_q(), now.y.segment(n, n) = model->initial_v();
    Status status = system->consistent_derivatives(now.t, now.y, now.ydot);
    const auto stepper = Registry<Method>::instance().make("runge-kutta", "")->stepper(*system, {});
    if (status.ok()) status = integrate<double>(*stepper, now, 12, 1e-3, {});
    if (!status.ok()) return state.SkipWithError(status.cause.c_str());
    solves = multipliers->statistics();
  }
  report(state, static_cast<double>(solves.solves), static_cast<double>(solves.passes), solves.flops);
}

void register_solves() {
  const auto add = [](const std::string& name, auto run) {
    benchmark::RegisterBenchmark(name.c_str(), run)->Unit(benchmark::kMicrosecond);
  };
  for (Index n : {6, 12, 24, 48, 96, 200}) {
    const Index r = 2 * n / 3;
    const std::string size = "/n=" + std::to_string(n);
    add("multipliers/kkt-lu" + size, [n](benchmark::State& s) { saddle_point_solve(s, "kkt-lu", n); });
    add("multipliers/schur-cholesky" + size, [n](benchmark::State& s) { reduced_solve(s, "schur-cholesky", n, n, 2); });
    for (const char* spec : {"pivoted-cholesky", "complete-orthogonal", "svd"})
      add(std::string("multipliers/") + spec + size, [=](benchmark::State& s) { reduced_solve(s, spec, n, r, 2); });
    for (const std::string name : {"sr1-paper", "sr1"})
      for (Index k : {1, 2, 4})
        if (k <= r)
          add("multipliers/" + name + size + "/k=" + std::to_string(k),
              [=](benchmark::State& s) { reduced_solve(s, name + ":eps_abs=1e-10", n, r, k); });
  }
}

// eps_abs lies above what drift leaves of the residual at this step.
void register_boat() {
  const std::vector<std::string> problems = Registry<Problem>::instance().names();
  if (std::find(problems.begin(), problems.end(), "rowing-boat") == problems.end()) return;
  for (const std::string& name : Registry<MultiplierSolver>::instance().names()) {
    if (!solver(name)->facts().redundant_constraints) continue;
    const std::string spec = name.starts_with("sr1") ? name + ":eps_abs=1e-5" : name;
    benchmark::RegisterBenchmark(("boat/" + spec).c_str(), [spec](benchmark::State& s) {
      boat(s, spec);
    })->Unit(benchmark::kMillisecond);
  }
}

}  // namespace

void register_multiplier_benchmarks() {
  register_solves();
  register_boat();
}

}  // namespace daelab
