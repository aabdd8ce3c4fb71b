// Programs of expressions: nanoseconds an operation by the interpreter and by machine code, of one lane and of four,
// and what making the code takes. The tape is that of a chain of pendulums: its energy, the gradient and its Jacobian.
#include <benchmark/benchmark.h>

#include <string>

#include "core/base/exact.hpp"
#include "core/expressions/derivative.hpp"
#include "core/expressions/graph.hpp"
#include "core/expressions/machine_code.hpp"

namespace daelab {

void register_expression_benchmarks();  // called by the main function of runs_bench.cpp

namespace {

/// Angles in block 0, velocities in block 1.
Tape chain(int links) {
  Graph graph;
  RecordingScope scope(graph);
  Expressions q, v;
  for (int i = 0; i < links; ++i) {
    q.push_back(graph.input(0, i, "q" + std::to_string(i)));
    v.push_back(graph.input(1, i, "v" + std::to_string(i)));
  }
  Expression xdot, ydot, y, energy;
  for (int i = 0; i < links; ++i) {
    const Expression length = 1 + Exact("0.1") * Expression(i);
    Expression s, c;
    sincos(q[i], s, c);
    xdot += length * c * v[i];
    ydot += length * s * v[i];
    y -= length * c;
    energy += Exact("0.5") * (xdot * xdot + ydot * ydot + Exact("0.01") * v[i] * v[i]) - Exact("9.81") * y;
  }
  const Expressions force = gradient(energy, q);
  const SparseExpressions stiffness = jacobian(force, q);
  std::vector<Output> outputs = {{energy, 0, 0}};
  for (int i = 0; i < links; ++i) outputs.push_back({force[i], 1, i});
  for (const auto& entry : stiffness.entries)
    outputs.push_back({entry.value, 2, static_cast<int>(entry.row) * links + static_cast<int>(entry.column)});
  return make_tape(graph, outputs);
}

/// Of so many things an iteration.
benchmark::Counter seconds_per(double things) {
  return {things, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert};
}

void run(benchmark::State& state, const Program<double>& program, const Tape& tape, int links, int lanes) {
  std::vector<double> q(lanes * links), v(lanes * links), energy(lanes), force(lanes * links),
      stiffness(lanes * links * links), work(program.work_size());
  for (int i = 0; i < lanes * links; ++i) q[i] = 0.1 * (i + 1), v[i] = 1.0 / (i + 1);
  const double* const inputs[] = {q.data(), v.data()};
  double* const outputs[] = {energy.data(), force.data(), stiffness.data()};
  for (auto _ : state) {
    program.run(inputs, outputs, work.data());
    benchmark::ClobberMemory();
  }
  const double operations = static_cast<double>(tape.instructions.size());
  state.counters["operations"] = operations;
  state.counters["time/operation/lane"] = seconds_per(operations * lanes);
}

void make(benchmark::State& state, const Tape& tape, int lanes, Instructions instructions) {
  for (auto _ : state) benchmark::DoNotOptimize(make_machine_code(tape, lanes, instructions));
  state.counters["time/1000 operations"] = seconds_per(static_cast<double>(tape.instructions.size()) / 1000);
}

void register_chain(int links) {
  const std::string name = "expressions/chain-" + std::to_string(links) + "/";
  const auto measured = [=](const std::string& variant, auto make_program, int lanes) {
    benchmark::RegisterBenchmark((name + variant).c_str(), [=](benchmark::State& state) {
      const Tape tape = chain(links);
      run(state, *make_program(tape), tape, links, lanes);
    });
  };
  measured(
      "interpreter", [](const Tape& tape) { return make_interpreter<double>(tape); }, 1);
  if (!machine_code_refusal().empty()) return;
  for (const Instructions instructions : {Instructions::sse2, Instructions::avx2}) {
    if (instructions == Instructions::avx2 && machine_instructions() != instructions) continue;
    const std::string set = instructions == Instructions::sse2 ? "sse2" : "avx2";
    for (const int lanes : {1, 4}) {
      const std::string variant = set + "/lanes:" + std::to_string(lanes);
      measured(
          variant, [=](const Tape& tape) { return make_machine_code(tape, lanes, instructions); }, lanes);
      benchmark::RegisterBenchmark((name + "making/" + variant).c_str(), [=](benchmark::State& state) {
        make(state, chain(links), lanes, instructions);
      })->Unit(benchmark::kMillisecond);
    }
  }
}

void sines(benchmark::State& state) {
  double angles[4] = {0.1, 1.2, -2.3, 3.4}, s[4], c[4];
  for (auto _ : state) {
    sines_and_cosines(angles, s, c);
    benchmark::DoNotOptimize(s);
    benchmark::DoNotOptimize(c);
  }
}

}  // namespace

void register_expression_benchmarks() {
  for (const int links : {4, 16, 64}) register_chain(links);
  benchmark::RegisterBenchmark("expressions/sines-and-cosines", sines);
}

}  // namespace daelab
