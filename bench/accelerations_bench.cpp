// Accelerations and multipliers: one solve by generated code, against the solver that would do it
// otherwise, and four points per instruction; and the time per link of a chain, which should not grow with the chain.
#include <benchmark/benchmark.h>

#include "core/accelerations/generated_solve.hpp"
#include "core/equations/mechanical_system.hpp"
#include "core/mechanism/problem.hpp"

namespace daelab {

void register_acceleration_benchmarks();  // called by the main function of runs_bench.cpp

namespace {

void solve(benchmark::State& state, const std::string& problem, const std::string& solver) {
  const auto model = Registry<Problem>::instance().make(problem, "")->mechanical_model(As<double>{});
  const auto multipliers = Registry<MultiplierSolver>::instance()
                               .make(solver, "")
                               ->bind(As<double>{}, model->coordinates(), model->constraints());
  AccelerationSolver<double> accelerations(*model, *multipliers);
  const Vector<double> q = model->initial_q(), v = model->initial_v();
  Vector<double> a(model->coordinates()), lambda(model->constraints());
  for (auto _ : state) {
    if (const Status status = accelerations.solve(0, q, v, a, lambda); !status.ok())
      return state.SkipWithError(status.cause.c_str());
    benchmark::DoNotOptimize(a.data());
    benchmark::ClobberMemory();
  }
  state.counters["fallbacks"] = static_cast<double>(multipliers->statistics().pivot_fallbacks);
}

// 3 coordinates and 2 constraints a link.
void solve_chain(benchmark::State& state) {
  solve(state, "link-chain:links=" + std::to_string(state.range(0)), "written-out");
  state.counters["time/link"] = {static_cast<double>(state.range(0)),
                                 benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert};
}

// Generated code at four points.
void solve_four(benchmark::State& state, const std::string& problem) {
  const auto model = Registry<Problem>::instance().make(problem, "")->mechanical_model(As<double>{});
  GeneratedSolve<double> solve(*model, FormKind::accelerations);
  const Lanes q = model->initial_q().transpose().replicate(lane_count, 1),
              v = model->initial_v().transpose().replicate(lane_count, 1);
  const Vector<double> t = Vector<double>::Zero(lane_count);
  Lanes a(lane_count, model->coordinates()), lambda(lane_count, model->constraints());
  model->forms().program_of_lanes({FormKind::accelerations});
  for (auto _ : state) {
    solve.at_lanes(t.data(), q.data(), v.data(), a.data(), lambda.data());
    benchmark::DoNotOptimize(a.data());
    benchmark::ClobberMemory();
  }
}

// The machine code of that program alone.
void make_four(benchmark::State& state, const std::string& name) {
  const auto problem = Registry<Problem>::instance().make(name, "");
  for (auto _ : state) {
    state.PauseTiming();
    const auto model = as_mechanical(make_model<double>(record_problem(problem->recorder(), problem->start_mode())));
    model->forms().program<double>({FormKind::accelerations});
    state.ResumeTiming();
    benchmark::DoNotOptimize(&model->forms().program_of_lanes({FormKind::accelerations}));
  }
}

GeneratedOutcome first_solve(MechanicalModel<double>& model, const Vector<double>& q, const Vector<double>& v) {
  Vector<double> a(model.coordinates()), lambda(model.constraints());
  return GeneratedSolve<double>(model, FormKind::accelerations)(0, q.data(), v.data(), a.data(), lambda.data());
}

// Recording, choice of pivots, elimination and machine code, until the first result is there.
void make(benchmark::State& state, const std::string& name) {
  const auto problem = Registry<Problem>::instance().make(name, "");
  for (auto _ : state) {  // anew, not the one of this process
    const auto model = as_mechanical(make_model<double>(record_problem(problem->recorder(), problem->start_mode())));
    benchmark::DoNotOptimize(first_solve(*model, model->initial_q(), model->initial_v()));
  }
}

}  // namespace

void register_acceleration_benchmarks() {
  for (const char* problem :
       {"two-link-manipulator", "seven-body", "seven-body-absolute", "slider-crank", "n-four-bar",
        "link-chain:links=16", "link-chain:links=64", "link-chain:links=256", "link-chain:links=1000"}) {
    const std::string name = std::string("accelerations/") + problem + "/";
    for (const char* solver : {"written-out", "schur-cholesky"})
      benchmark::RegisterBenchmark((name + solver).c_str(),
                                   [=](benchmark::State& state) { solve(state, problem, solver); });
    benchmark::RegisterBenchmark((name + "four-points").c_str(),
                                 [=](benchmark::State& state) { solve_four(state, problem); });
    benchmark::RegisterBenchmark((name + "making-four").c_str(), [=](benchmark::State& state) {
      make_four(state, problem);
    })->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark((name + "making").c_str(), [=](benchmark::State& state) {
      make(state, problem);
    })->Unit(benchmark::kMillisecond);
  }
  benchmark::RegisterBenchmark("accelerations/link-chain", solve_chain)
      ->RangeMultiplier(4)
      ->Range(16, 256)
      ->Arg(1000)
      ->Arg(10000);
}

}  // namespace daelab
