// Iteration matrices of small mechanisms: a factorisation, and a solution with it.
#include <benchmark/benchmark.h>

#include "core/equations/formulation.hpp"
#include "core/mechanism/problem.hpp"

namespace daelab {
namespace {

struct Matrices {
  Matrices(const std::string& name, const std::string& form)
      : problem(Registry<Problem>::instance().make(name, "")),
        model(problem->mechanical_model(As<double>{})),
        multipliers(Registry<MultiplierSolver>::instance()
                        .make("written-out", "")
                        ->bind(As<double>{}, model->coordinates(), model->constraints())),
        system(Registry<Formulation>::instance().make(form, "")->system(*model, *multipliers)),
        linearization(system->linearization()) {
    const Index n = model->coordinates();
    Vector<double> y = Vector<double>::Zero(system->size()), ydot = y;
    y.head(n) = model->initial_q(), y.segment(n, n) = model->initial_v();
    benchmark::DoNotOptimize(system->consistent_derivatives(0, y, ydot).ok());
    linearization->evaluate(0, y, ydot);
  }

  std::shared_ptr<Problem> problem;
  std::unique_ptr<MechanicalModel<double>> model;
  std::unique_ptr<Multipliers<double>> multipliers;
  std::unique_ptr<System<double>> system;
  std::unique_ptr<Linearization<double>> linearization;
};

template <class S>
std::unique_ptr<IterationMatrix<S>> matrix_of(Linearization<double>& linearization) {
  if constexpr (std::is_same_v<S, double>)
    return linearization.real_matrix();
  else
    return linearization.complex_matrix();
}

// Code of factors is generated after a thousand solutions or more.
template <class S>
void measure(benchmark::State& state, const std::string& problem, const std::string& form, bool solves) {
  const Matrices matrices(problem, form);
  const auto matrix = matrix_of<S>(*matrices.linearization);
  Vector<S> r(matrices.system->size());
  const auto factorize = [&] { benchmark::DoNotOptimize(matrix->factorize(S(1e-3)).ok()); };
  const auto solve = [&] {
    r.setOnes();
    matrix->solve(r);
    benchmark::DoNotOptimize(r.data());
  };
  for (int k = 0; k < 20'000; ++k) factorize(), solve();
  for (auto _ : state) solves ? solve() : factorize();
}

const int registered = [] {
  for (const std::string problem : {"seven-body", "two-link-manipulator"})
    for (const std::string form : {"index-1", "index-2", "ggl"})
      for (const bool solves : {false, true}) {
        const std::string what = "matrices/" + problem + "/" + form + (solves ? "/solution" : "/factorisation");
        using Complex = std::complex<double>;
        benchmark::RegisterBenchmark((what + "/real").c_str(), measure<double>, problem, form, solves);
        benchmark::RegisterBenchmark((what + "/complex").c_str(), measure<Complex>, problem, form, solves);
      }
  return 0;
}();

}  // namespace
}  // namespace daelab
