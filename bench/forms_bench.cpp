// What a model is asked for in a step: residual of index 3, M with Q, C_q and gamma, all blocks of index 3 and of index
// 1; and what recording it, deriving all that and making its machine code takes.
#include <benchmark/benchmark.h>

#include "core/accelerations/generated_solve.hpp"
#include "core/equations/mechanical_system.hpp"
#include "core/mechanism/problem.hpp"

namespace daelab {
namespace {

template <class T>
struct Subject {
  explicit Subject(const std::string& name)
      : model(Registry<Problem>::instance().make(name, "")->mechanical_model(As<T>{})),
        n(model->coordinates()),
        m(model->constraints()),
        multipliers(Registry<MultiplierSolver>::instance().make("schur-cholesky", "")->bind(As<T>{}, n, m)),
        y(Vector<T>::Zero(2 * n + m)),
        ydot(Vector<T>::Zero(2 * n + m)) {
    y.head(n) = model->initial_q();
    for (Index i = 0; i < n; ++i) y[n + i] = ydot[i] = T(1) / T(static_cast<int>(i) + 2);
    for (Index i = 0; i < m; ++i) y[2 * n + i] = T(static_cast<int>(i) + 1) / T(8);
  }

  std::unique_ptr<MechanicalModel<T>> model;
  Index n, m;
  std::unique_ptr<Multipliers<T>> multipliers;
  Vector<T> y, ydot;
};

template <class T>
void residual(benchmark::State& state, const std::string& problem) {
  Subject<T> x(problem);
  ConstrainedSystem<T> system(*x.model, Level::position, *x.multipliers);
  Vector<T> F(x.y.size());
  for (auto _ : state) {
    system.residual(T(0), x.y, x.ydot, F);
    benchmark::DoNotOptimize(F.data());
  }
}

template <class T>
void data(benchmark::State& state, const std::string& problem) {
  Subject<T> x(problem);
  const Vector<T> q = x.y.head(x.n), v = x.y.segment(x.n, x.n);
  Matrix<T> M = Matrix<T>::Zero(x.n, x.n), J = Matrix<T>::Zero(x.m, x.n);
  Vector<T> Q(x.n), h(x.m);
  for (auto _ : state) {
    x.model->data(T(0), q, v, M, Q, J, h);
    benchmark::DoNotOptimize(M.data());
  }
}

template <class T>
void blocks(benchmark::State& state, const std::string& problem, Level level) {
  Subject<T> x(problem);
  ConstrainedSystem<T> system(*x.model, level, *x.multipliers);
  const auto linearization = system.linearization();
  for (auto _ : state) {
    linearization->evaluate(T(0), x.y, x.ydot);
    benchmark::ClobberMemory();
  }
}

void making(benchmark::State& state, const std::string& name) {
  const auto problem = Registry<Problem>::instance().make(name, "");
  const Subject<double> x(name);
  const Vector<double> q = x.y.head(x.n), v = x.y.segment(x.n, x.n), lambda = Vector<double>::Zero(x.m);
  Vector<double> balance(x.n), rows(x.m), a(x.n), mu(x.m);
  for (auto _ : state) {
    const auto model = as_mechanical(make_model<double>(record_problem(problem->recorder(), problem->start_mode())));
    SparseBlocks<double> all;
    model->residual(Level::position, 0, q, v, v, lambda, balance, rows);
    model->blocks(Level::position, 0, q, v, v, lambda, all);
    model->blocks(Level::acceleration, 0, q, v, v, lambda, all);
    GeneratedSolve<double> solve(*model, FormKind::accelerations);
    benchmark::DoNotOptimize(solve(0, q.data(), v.data(), a.data(), mu.data()));
  }
}

template <class T>
void register_forms(const std::string& problem) {
  const std::string name = "forms/" + problem + "/" + scalar_name<T>() + "/";
  const auto add = [&](const char* what, auto function) {
    benchmark::RegisterBenchmark((name + what).c_str(), function);
  };
  add("residual", [=](benchmark::State& state) { residual<T>(state, problem); });
  add("data", [=](benchmark::State& state) { data<T>(state, problem); });
  add("blocks-index-3", [=](benchmark::State& state) { blocks<T>(state, problem, Level::position); });
  add("blocks-index-1", [=](benchmark::State& state) { blocks<T>(state, problem, Level::acceleration); });
}

}  // namespace

void register_form_benchmarks();  // called by the main function of runs_bench.cpp
void register_form_benchmarks() {
  for (const char* problem : {"two-link-manipulator", "seven-body", "slider-crank"}) {
#define DAELAB_REGISTER(T) register_forms<T>(problem);
    DAELAB_FOR_SCALARS(DAELAB_REGISTER)
#undef DAELAB_REGISTER
    benchmark::RegisterBenchmark((std::string("forms/") + problem + "/making").c_str(), [=](benchmark::State& state) {
      making(state, problem);
    })->Unit(benchmark::kMillisecond);
  }
}

}  // namespace daelab
