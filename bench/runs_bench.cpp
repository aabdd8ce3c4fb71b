// Whole runs: the two-link manipulator over 10 s with h = 0.01 (1000 steps), by Newton iteration.
// The paper's own time for index 1, r = 4 is 5.89 s [Li19, table 1]; the aim here is below 10 ms.
#include <benchmark/benchmark.h>

#include <stdexcept>

#include "core/base/paths.hpp"
#include "core/equations/formulation.hpp"
#include "core/integration/integrate.hpp"
#include "core/integration/method_files.hpp"
#include "core/mechanism/problem.hpp"

namespace daelab {

void register_multiplier_benchmarks();  // multiplier_bench.cpp
void register_adaptive_benchmarks();    // adaptive_bench.cpp
void register_lab_benchmarks();         // lab_bench.cpp
void register_expression_benchmarks();  // expressions_bench.cpp
void register_acceleration_benchmarks();
void register_form_benchmarks();  // forms_bench.cpp

namespace {

template <class T>
void run_two_link(benchmark::State& state, const std::string& formulation, const std::string& method,
                  const std::string& newton_spec) {
  NewtonOptions newton;
  newton.options().read(parse_spec(newton_spec, "newton"), "newton");
  const auto problem = Registry<Problem>::instance().make("two-link-manipulator", "");
  const auto model = problem->mechanical_model(As<T>{});
  const auto multipliers = Registry<MultiplierSolver>::instance()
                               .make("schur-cholesky", "")
                               ->bind(As<T>{}, model->coordinates(), model->constraints());
  const auto system = Registry<Formulation>::instance().make(formulation, "")->system(*model, *multipliers);
  const auto stepper = Registry<Method>::instance().make(method, "")->stepper(*system, newton);
  State<T> begin;
  for (Vector<T>* x : {&begin.y, &begin.ydot, &begin.compensation}) x->setZero(system->size());
  begin.y << model->initial_q(), model->initial_v(), Vector<T>::Zero(model->constraints());
  if (!system->consistent_derivatives(begin.t, begin.y, begin.ydot).ok())
    throw std::runtime_error("inconsistent start");
  for (auto _ : state) {
    State<T> now = begin;
    const Status status = integrate<T>(*stepper, now, T(10), T(1) / T(100), {});
    if (!status.ok()) state.SkipWithError(status.cause.c_str());
    benchmark::DoNotOptimize(now.y.data());
  }
  const Statistics& work = stepper->statistics();
  state.counters["newton/step"] = static_cast<double>(work.newton_iterations) / static_cast<double>(work.steps);
  state.counters["factorizations/step"] = static_cast<double>(work.factorizations) / static_cast<double>(work.steps);
}

void register_runs() {
  const struct {
    const char *name, *formulation, *method, *newton;
  } cases[] = {
      {"index-1/full", "index-1", "pade-block:r=4", "full"},
      {"index-1/full-as-printed", "index-1", "pade-block:r=4", "full:tolerance=1e-3,norm=max"},
      {"index-1/modified", "index-1", "pade-block:r=4", "modified"},
      {"index-1/simplified", "index-1", "pade-block:r=4", "simplified"},
      {"index-1/simplified-extrapolated", "index-1", "pade-block:r=4", "simplified:guess=extrapolated"},
      {"index-1/simplified-reused", "index-1", "pade-block:r=4", "simplified:guess=extrapolated,jacobian=reused"},
      {"index-1/simplified-1e-10", "index-1", "pade-block:r=4", "simplified:guess=extrapolated,tolerance=1e-10"},
      {"index-1/simplified-reused-1e-10", "index-1", "pade-block:r=4",
       "simplified:guess=extrapolated,jacobian=reused,tolerance=1e-10"},
      {"index-1/simplified-reused-1e-8", "index-1", "pade-block:r=4",
       "simplified:guess=extrapolated,jacobian=reused,tolerance=1e-8"},
      {"index-1/automatic", "index-1", "pade-block:r=4", "automatic"},
      {"index-2/automatic", "index-2", "pade-block:r=4", "automatic"},
      {"index-2/full", "index-2", "pade-block:r=4", "full"},
      {"index-2/modified", "index-2", "pade-block:r=4", "modified"},
      {"index-2/simplified", "index-2", "pade-block:r=4", "simplified:guess=extrapolated"},
      {"index-3/automatic", "index-3", "pade-block:r=4", "automatic"},
      {"index-3/full", "index-3", "pade-block:r=4", "full"},
      {"index-3/modified", "index-3", "pade-block:r=4", "modified"},
      {"index-3/simplified", "index-3", "pade-block:r=4", "simplified:guess=extrapolated"},
      {"index-1/radau-4", "index-1", "radau-iia:s=4", "simplified:guess=extrapolated"},
      {"index-1/rk4", "index-1", "runge-kutta", "automatic"},
  };
  for (const auto& c : cases)
    benchmark::RegisterBenchmark(("two-link/" + std::string(c.name)).c_str(), [c](benchmark::State& state) {
      run_two_link<double>(state, c.formulation, c.method, c.newton);
    })->Unit(benchmark::kMillisecond);
}

// One evaluation of what a stage needs: the price of automatic differentiation.
void evaluations(benchmark::State& state, const std::string& what, const std::string& problem_name) {
  const auto problem = Registry<Problem>::instance().make(problem_name, "");
  const auto model = problem->mechanical_model(As<double>{});
  const Index n = model->coordinates(), m = model->constraints();
  Vector<double> q = model->initial_q(), v = Vector<double>::Ones(n), a = v, lambda = Vector<double>::Ones(m), C(m);
  Matrix<double> C_q(m, n), K(n, n), D(n, n), M = Matrix<double>::Zero(n, n);
  for (auto _ : state) {
    if (what == "mass") model->mass(0, q, M);
    if (what == "force") model->force(0, q, v, a);
    if (what == "constraint") model->constraint_level(Level::position, 0, q, v, a, C);
    if (what == "jacobian") model->constraint(0, q, C, C_q);
    if (what == "acceleration") model->constraint_level(Level::acceleration, 0, q, v, a, C);
    if (what == "acceleration_q") model->constraint_level_q(Level::acceleration, 0, q, v, a, C_q);
    if (what == "balance") model->motion_jacobians(0, q, v, a, lambda, K, D);
    benchmark::DoNotOptimize(C.data());
    benchmark::ClobberMemory();
  }
}
void register_evaluations() {
  for (const char* problem : {"two-link-manipulator", "seven-body", "slider-crank"})
    for (const char* what : {"mass", "force", "constraint", "jacobian", "acceleration", "acceleration_q", "balance"})
      benchmark::RegisterBenchmark((std::string("evaluations/") + problem + "/" + what).c_str(),
                                   [=](benchmark::State& state) { evaluations(state, what, problem); });
}

}  // namespace
}  // namespace daelab

int main(int argc, char** argv) {
  daelab::load_method_files(daelab::project_path("methods"));
  daelab::register_runs();
  daelab::register_evaluations();
  daelab::register_multiplier_benchmarks();
  daelab::register_adaptive_benchmarks();
  daelab::register_lab_benchmarks();
  daelab::register_expression_benchmarks();
  daelab::register_acceleration_benchmarks();
  daelab::register_form_benchmarks();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
