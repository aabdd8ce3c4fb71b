#include "core/mechanism/pivot_choice.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/expressions/program.hpp"

namespace daelab {
namespace {

// How far from the start entries are looked at, relative to 1 + |q_i|: the start, its neighbourhood, and as far as
// angles turn. Off the constraints, which the entries do not know of.
constexpr std::array<double, 8> distances{0, 0.03, 0.1, 0.1, 0.3, 0.3, 1, 1};

// The stable sequence comes first where it saves so much; otherwise the definite one, which fails nowhere, is alone.
constexpr double worthwhile = 0.8;

// Numbers from -1 to 1, the same on every machine: multiples of the golden ratio, by their fraction.
class Scatter {
 public:
  double next() {
    constexpr double golden_ratio = 0.6180339887498949;
    fraction_ += golden_ratio;
    fraction_ -= std::floor(fraction_);
    return 2 * fraction_ - 1;
  }

 private:
  double fraction_ = 0;
};

}  // namespace

std::size_t most_operations(std::size_t rows) { return std::max<std::size_t>(20000, 100 * rows); }

SaddlePointExpressions saddle_point(const MechanicalForms& forms) {
  const auto n = static_cast<std::uint32_t>(forms.facts().extended);
  SaddlePointExpressions system{n + static_cast<std::size_t>(forms.facts().constraints), n, {}};
  for (const auto& entry : forms.mass())
    if (entry.row >= entry.column)
      system.entries.push_back(
          {static_cast<std::uint32_t>(entry.row), static_cast<std::uint32_t>(entry.column), entry.value});
  for (const auto& entry : forms.constraint_jacobian().entries)
    system.entries.push_back({n + entry.row, entry.column, entry.value});
  return system;
}

std::vector<std::vector<double>> sample(const Recording& recording,
                                        const std::vector<SparseExpressions::Entry>& entries) {
  const Graph& graph = recording.graph();
  std::vector<Output> outputs;
  for (const auto& entry : entries) outputs.push_back({entry.value, 0, static_cast<int>(outputs.size())});
  const auto program = make_interpreter<double>(make_tape(graph, outputs));
  std::vector<double> work(program->work_size()), values(entries.size()), t(1);
  std::array<std::vector<double>, 4> blocks;
  const std::array starts{&recording.start_q, &recording.start_v, &recording.start_s, &recording.start_held};
  std::vector<std::vector<double>> samples;
  const auto start_time = static_cast<double>(graph.constant_value(recording.start_t.node()));
  Scatter scatter;
  for (const double distance : distances) {
    t[0] = start_time + distance;
    for (std::size_t k = 0; k < blocks.size(); ++k) {
      blocks[k].clear();
      for (const Expression& start : *starts[k]) {
        const auto x = static_cast<double>(graph.constant_value(start.node()));
        blocks[k].push_back(x + distance * scatter.next() * (1 + std::abs(x)));
      }
    }
    const double* const inputs[] = {t.data(),         blocks[0].data(), blocks[1].data(), blocks[2].data(),
                                    blocks[3].data(), nullptr,          nullptr};
    double* const results[] = {values.data()};
    program->run(inputs, results, work.data());
    if (std::ranges::all_of(values, [](double x) { return std::isfinite(x); }))
      samples.push_back(values);
    else if (distance == 0)
      return {};
  }
  return samples;
}

std::vector<ChosenPivots> pivot_sequences(const Recording& recording, const SaddlePointExpressions& system) {
  const std::vector<std::vector<double>> samples = sample(recording, system.entries);
  const auto choose = [&](PivotRule rule) {
    return choose_pivots(system, samples, rule, most_operations(system.rows));
  };
  const auto definite = choose(PivotRule::definite);
  auto free = choose(PivotRule::stable);
  if (!definite && !free) free = choose(PivotRule::tolerable);
  const bool is_cheaper = free && (!definite || static_cast<double>(free->operations) <
                                                    worthwhile * static_cast<double>(definite->operations));
  std::vector<ChosenPivots> sequences;
  if (is_cheaper) sequences.push_back(*free);
  if (definite) sequences.push_back(*definite);
  return sequences;
}

}  // namespace daelab
