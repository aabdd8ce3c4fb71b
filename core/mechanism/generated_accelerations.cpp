// Accelerations by symbolic elimination: which pivots, and where they are looked at before they are chosen.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/mechanism/forms.hpp"

namespace daelab {
namespace {

// How far from the start entries are looked at, relative to 1 + |q_i|: the start, its neighbourhood, and as far as
// angles turn. Off the constraints, which the entries do not know of.
constexpr std::array<double, 8> distances{0, 0.03, 0.1, 0.1, 0.3, 0.3, 1, 1};

// Generated code of a factorisation with more operations than this is read from memory once a call: loops do as well.
std::size_t most_operations(std::size_t rows) { return std::max<std::size_t>(20000, 100 * rows); }

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

Expression product(const Expressions& a, const Expressions& b) {
  Expression sum;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// The threshold of a pivot of M as part of its least sample, as for those of rule `definite`.
constexpr double trust_in_mass = 1e-8;

// The smallest value of each entry from `first` on; 0 where there are no samples.
std::vector<double> least_values(const std::vector<std::vector<double>>& samples, std::size_t first,
                                 std::size_t count) {
  std::vector<double> least(count, samples.empty() ? 0 : std::numeric_limits<double>::max());
  for (const std::vector<double>& sample : samples)
    for (std::size_t i = 0; i < count; ++i) least[i] = std::min(least[i], sample[first + i]);
  return least;
}

void watch(GeneratedAccelerations& x, const Expression& pivot, double least, const std::string& row) {
  if (is_constant(pivot)) return;
  x.pivots.push_back(pivot), x.least.push_back(least), x.rows.push_back(row);
}

}  // namespace

// [ M J^T; J 0 ], of M the lower triangle.
SaddlePointExpressions Forms::saddle_point() {
  const auto n = static_cast<std::uint32_t>(extended());
  SaddlePointExpressions system{n + static_cast<std::size_t>(constraints()), n, {}};
  for (const auto& entry : mass_)
    if (entry.row >= entry.column)
      system.entries.push_back(
          {static_cast<std::uint32_t>(entry.row), static_cast<std::uint32_t>(entry.column), entry.value});
  for (const auto& entry : constraint_jacobian().entries)
    system.entries.push_back({n + entry.row, entry.column, entry.value});
  return system;
}

// Their values at points around the start, at other times; points where not all are finite are left out. Nothing where
// the start is one of those.
std::vector<std::vector<double>> Forms::sample(const std::vector<SparseExpressions::Entry>& entries) const {
  std::vector<Output> outputs;
  for (const auto& entry : entries) outputs.push_back({entry.value, 0, static_cast<int>(outputs.size())});
  const auto program = make_interpreter<double>(make_tape(graph_, outputs));
  std::vector<double> work(program->work_size()), values(entries.size()), t(1);
  std::array<std::vector<double>, 4> blocks;
  const std::array starts{&recording_.start_q, &recording_.start_v, &recording_.start_s, &recording_.start_held};
  std::vector<std::vector<double>> samples;
  const auto start_time = static_cast<double>(graph_.constant_value(recording_.start_t.node()));
  Scatter scatter;
  for (const double distance : distances) {
    t[0] = start_time + distance;
    for (std::size_t k = 0; k < blocks.size(); ++k) {
      blocks[k].clear();
      for (const Expression& start : *starts[k]) {
        const auto x = static_cast<double>(graph_.constant_value(start.node()));
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

GeneratedAccelerations Forms::eliminated(const SaddlePointExpressions& system, const ChosenPivots& sequence) {
  Expressions right_hand_side = force_;
  for (const Expression& h : curvature()) right_hand_side.push_back(-h);
  return watched(system, sequence, eliminate(system, right_hand_side, sequence));
}

GeneratedAccelerations Forms::watched(const SaddlePointExpressions& system, const ChosenPivots& sequence,
                                      const SymbolicSolution& solution) {
  const auto n = static_cast<std::ptrdiff_t>(system.definite);
  GeneratedAccelerations result{{solution.x.begin(), solution.x.begin() + n},
                                {solution.x.begin() + n, solution.x.end()},
                                sequence.rule,
                                {},
                                {},
                                {},
                                sequence.operations};
  const auto name = [&](std::uint32_t row) {
    if (row >= system.definite) return "lambda" + std::to_string(row - system.definite + 1);
    return name_of_row(static_cast<int>(row));
  };
  for (std::size_t k = 0; k < sequence.pivots.size(); ++k) {
    const auto [first, second] = sequence.pivots[k];
    watch(result, solution.pivots[k], sequence.least[k],
          first == second ? name(first) : name(first) + " and " + name(second));
  }
  return result;
}

// The way of recordings that know M^-1:  S lambda = J a0 + h,  a = a0 - M^-1 J^T lambda,  with M a0 = Q and
// S = J M^-1 J^T. Nothing where M or S is not positive definite at the start or near it.
std::optional<GeneratedAccelerations> Forms::by_mass_inverse() {
  const MassInverse& inverse = *recording_.mass_inverse;
  const auto n = static_cast<std::size_t>(n_), m = static_cast<std::size_t>(constraints());
  const auto apply = [&](const Expressions& b) {  // the rows of states have M = 1
    Expressions x = inverse.apply({b.begin(), b.begin() + n_});
    x.insert(x.end(), b.begin() + n_, b.end());
    return x;
  };
  std::vector<Expressions> J(m, Expressions(static_cast<std::size_t>(extended())));
  for (const auto& entry : constraint_jacobian().entries) J[entry.row][entry.column] = entry.value;
  std::vector<Expressions> responses;  // rows of J M^-1
  for (const Expressions& row : J) responses.push_back(apply(row));
  SaddlePointExpressions S{m, m, {}};
  for (std::uint32_t i = 0; i < m; ++i)
    for (std::uint32_t j = 0; j <= i; ++j)
      if (const Expression x = product(J[i], responses[j]); !x.is_zero()) S.entries.push_back({i, j, x});
  std::vector<SparseExpressions::Entry> watched = S.entries;
  for (std::uint32_t i = 0; i < n; ++i) watched.push_back({i, i, inverse.pivots[i]});
  std::vector<std::vector<double>> samples = sample(watched);
  const std::vector<double> least = least_values(samples, S.entries.size(), n);
  const auto sequence = choose_pivots(S, samples, PivotRule::definite, most_operations(m));
  if (!sequence || !std::ranges::all_of(least, [](double x) { return x > 0; })) return {};

  GeneratedAccelerations result{apply(force_), {}, PivotRule::definite, {}, {}, {}, sequence->operations};
  Expressions excess = curvature();
  for (std::size_t i = 0; i < m; ++i) excess[i] += product(J[i], result.a);
  const SymbolicSolution solution = eliminate(S, excess, *sequence);
  result.lambda = solution.x;
  for (std::size_t k = 0; k < m; ++k)
    for (std::size_t i = 0; i < result.a.size(); ++i) result.a[i] -= responses[k][i] * result.lambda[k];
  for (std::size_t i = 0; i < n; ++i)
    watch(result, inverse.pivots[i], trust_in_mass * least[i], name_of_row(static_cast<int>(i)));
  for (std::size_t k = 0; k < m; ++k)
    watch(result, solution.pivots[k], sequence->least[k], "lambda" + std::to_string(sequence->pivots[k].first + 1));
  return result;
}

const std::vector<GeneratedAccelerations>& Forms::make_generated_accelerations() {
  if (generated_accelerations_) return *generated_accelerations_;
  generated_accelerations_.emplace();
  if (!is_mechanical() || !has_linear_equations_) return *generated_accelerations_;
  if (recording_.mass_inverse) {
    if (auto result = by_mass_inverse()) generated_accelerations_->push_back(std::move(*result));
    return *generated_accelerations_;
  }
  const SaddlePointExpressions system = saddle_point();
  for (const ChosenPivots& sequence : pivot_sequences(system))
    generated_accelerations_->push_back(eliminated(system, sequence));
  return *generated_accelerations_;
}

// One or two, the cheaper one first.
std::vector<ChosenPivots> Forms::pivot_sequences(const SaddlePointExpressions& system) const {
  const std::vector<std::vector<double>> samples = sample(system.entries);
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

const std::vector<GeneratedAccelerations>& Forms::generated_accelerations() {
  const std::lock_guard lock(mutex_);
  const RecordingScope scope(graph_);
  return make_generated_accelerations();
}

}  // namespace daelab
