// Long chains: what a link costs, for 16 to 1000 of them. Residual, blocks, and one factorisation with one solution,
// dense and sparse.
#include <benchmark/benchmark.h>

#include "core/base/context.hpp"
#include "core/equations/formulation.hpp"
#include "core/mechanism/problem.hpp"
#include "core/start/consistent_start.hpp"

namespace daelab {
namespace {

struct Chain {
  explicit Chain(Index links)
      : problem(Registry<Problem>::instance().make(Json{{"name", "link-chain"}, {"links", links}}, "")),
        model(problem->mechanical_model(As<double>{})),
        n(model->coordinates()),
        m(model->constraints()),
        multipliers(Registry<MultiplierSolver>::instance().make("sparse-lu", "")->bind(As<double>{}, n, m)),
        q(model->initial_q()),
        v(Vector<double>::Constant(n, 0.1)),
        a(Vector<double>::Constant(n, 0.2)),
        lambda(Vector<double>::Constant(m, 0.3)) {}

  std::shared_ptr<Problem> problem;
  std::unique_ptr<MechanicalModel<double>> model;
  Index n, m;
  std::unique_ptr<Multipliers<double>> multipliers;
  Vector<double> q, v, a, lambda;
};

void per_link(benchmark::State& state) {
  state.counters["per_link"] = benchmark::Counter(static_cast<double>(state.iterations() * state.range(0)),
                                                  benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void residual(benchmark::State& state) {
  Chain chain(state.range(0));
  Vector<double> balance(chain.n), rows(chain.m);
  const auto evaluate = [&] {
    chain.model->residual(Level::position, 0, chain.q, chain.v, chain.a, chain.lambda, balance, rows);
  };
  evaluate();  // makes the form
  for (auto _ : state) evaluate();
  per_link(state);
}

void blocks(benchmark::State& state) {
  Chain chain(state.range(0));
  SparseBlocks<double> x;
  const auto evaluate = [&] { chain.model->blocks(Level::position, 0, chain.q, chain.v, chain.a, chain.lambda, x); };
  evaluate();
  for (auto _ : state) evaluate();
  per_link(state);
}

void accelerations(benchmark::State& state) {
  Chain chain(state.range(0));
  AccelerationSolver<double> solver(*chain.model, *chain.multipliers);
  const auto solve = [&] { return solver.solve(0, chain.q, chain.v, chain.a, chain.lambda).ok(); };
  solve();
  for (auto _ : state) benchmark::DoNotOptimize(solve());
  per_link(state);
}

// One factorisation and one solution of the iteration matrix of index 3.
void factorization(benchmark::State& state) {
  const Context context{.largest_dense_size = state.range(1) == 0 ? 0 : 1'000'000};
  const Context::Scope scope(context);
  Chain chain(state.range(0));
  ConstrainedSystem<double> system(*chain.model, Level::position, *chain.multipliers);
  Vector<double> y(system.size()), ydot = Vector<double>::Zero(system.size()), r = ydot;
  y << chain.q, chain.v, chain.lambda;
  ydot.segment(chain.n, chain.n) = chain.a;
  const auto linearization = system.linearization();
  linearization->evaluate(0, y, ydot);
  const auto matrix = linearization->real_matrix();
  benchmark::DoNotOptimize(matrix->factorize(1e-2).ok());  // chooses pivots
  for (auto _ : state) {
    r.setOnes();
    benchmark::DoNotOptimize(matrix->factorize(1e-2).ok());
    matrix->solve(r);
  }
  per_link(state);
}

BENCHMARK(residual)->Name("large/residual")->RangeMultiplier(4)->Range(16, 1024)->Arg(1000);
BENCHMARK(blocks)->Name("large/blocks")->RangeMultiplier(4)->Range(16, 1024)->Arg(1000);
BENCHMARK(accelerations)->Name("large/accelerations")->RangeMultiplier(4)->Range(16, 1024)->Arg(1000);
BENCHMARK(factorization)
    ->Name("large/factorization")
    ->ArgNames({"links", "dense"})
    ->ArgsProduct({{2, 4, 6, 8, 10, 12, 16, 32}, {0, 1}})
    ->ArgsProduct({{64, 256, 1000}, {0}});

}  // namespace
}  // namespace daelab
