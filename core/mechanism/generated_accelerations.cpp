#include "core/mechanism/generated_accelerations.hpp"

#include <algorithm>
#include <optional>

#include "core/mechanism/form_names.hpp"
#include "core/mechanism/pivot_choice.hpp"

namespace daelab {
namespace {

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

GeneratedAccelerations watched(const Recording& recording, const SaddlePointExpressions& system,
                               const ChosenPivots& sequence, const SymbolicSolution& solution) {
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
    return row_name(recording, static_cast<int>(row));
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
std::optional<GeneratedAccelerations> by_mass_inverse(const MechanicalForms& forms) {
  const MassInverse& inverse = *forms.recording().mass_inverse;
  const auto n = static_cast<std::size_t>(forms.facts().coordinates),
             m = static_cast<std::size_t>(forms.facts().constraints);
  const auto apply = [&](const Expressions& b) {  // the rows of states have M = 1
    Expressions x = inverse.apply({b.begin(), b.begin() + static_cast<std::ptrdiff_t>(n)});
    x.insert(x.end(), b.begin() + static_cast<std::ptrdiff_t>(n), b.end());
    return x;
  };
  std::vector<Expressions> J(m, Expressions(static_cast<std::size_t>(forms.facts().extended)));
  for (const auto& entry : forms.constraint_jacobian().entries) J[entry.row][entry.column] = entry.value;
  std::vector<Expressions> responses;  // rows of J M^-1
  for (const Expressions& row : J) responses.push_back(apply(row));
  SaddlePointExpressions S{m, m, {}};
  for (std::uint32_t i = 0; i < m; ++i)
    for (std::uint32_t j = 0; j <= i; ++j)
      if (const Expression x = product(J[i], responses[j]); !x.is_zero()) S.entries.push_back({i, j, x});
  std::vector<SparseExpressions::Entry> entries = S.entries;
  for (std::uint32_t i = 0; i < n; ++i) entries.push_back({i, i, inverse.pivots[i]});
  std::vector<std::vector<double>> samples = sample(forms.recording(), entries);
  const std::vector<double> least = least_values(samples, S.entries.size(), n);
  const auto sequence = choose_pivots(S, samples, PivotRule::definite, most_operations(m));
  if (!sequence || !std::ranges::all_of(least, [](double x) { return x > 0; })) return {};

  GeneratedAccelerations result{apply(forms.force()), {}, PivotRule::definite, {}, {}, {}, sequence->operations};
  Expressions excess = forms.curvature();
  for (std::size_t i = 0; i < m; ++i) excess[i] += product(J[i], result.a);
  const SymbolicSolution solution = eliminate(S, excess, *sequence);
  result.lambda = solution.x;
  for (std::size_t k = 0; k < m; ++k)
    for (std::size_t i = 0; i < result.a.size(); ++i) result.a[i] -= responses[k][i] * result.lambda[k];
  for (std::size_t i = 0; i < n; ++i)
    watch(result, inverse.pivots[i], trust_in_mass * least[i], row_name(forms.recording(), static_cast<int>(i)));
  for (std::size_t k = 0; k < m; ++k)
    watch(result, solution.pivots[k], sequence->least[k], "lambda" + std::to_string(sequence->pivots[k].first + 1));
  return result;
}

// What takes the place of the inputs of the recording.
struct OtherPoint {
  Expressions inputs, values;
  Expression weight;
};

Expressions at(const OtherPoint& there, const Expressions& f) { return substitute(f, there.inputs, there.values); }

OtherPoint other_point(Graph& graph, const Recording& r) {
  int index = 0;
  const auto input = [&](const std::string& name) { return graph.input(other_point_block, index++, name); };
  OtherPoint there;
  const auto add = [&](const Expression& x, const std::string& name) {
    there.inputs.push_back(x), there.values.push_back(input(name));
  };
  there.weight = input("h");
  add(r.t, "t*");
  for (std::size_t i = 0; i < r.q.size(); ++i) add(r.q[i], r.coordinate_names[i] + "*");
  for (std::size_t i = 0; i < r.v.size(); ++i) add(r.v[i], r.coordinate_names[i] + "'*");
  return there;
}

}  // namespace

std::vector<GeneratedAccelerations> generated_accelerations(const MechanicalForms& forms) {
  std::vector<GeneratedAccelerations> list;
  if (!forms.facts().has_linear_equations) return list;
  if (forms.recording().mass_inverse) {
    if (auto result = by_mass_inverse(forms)) list.push_back(std::move(*result));
    return list;
  }
  const SaddlePointExpressions system = saddle_point(forms);
  for (const ChosenPivots& sequence : pivot_sequences(forms.recording(), system)) {
    Expressions right_hand_side = forms.force();
    for (const Expression& h : forms.curvature()) right_hand_side.push_back(-h);
    list.push_back(watched(forms.recording(), system, sequence, eliminate(system, right_hand_side, sequence)));
  }
  return list;
}

// [ M J^T; J* 0 ] (a, lambda) = (Q, -(J* v* + C_t*) / h), where * is the other point.
std::vector<GeneratedAccelerations> generated_accelerations_between(const MechanicalForms& forms) {
  const Recording& r = forms.recording();
  std::vector<GeneratedAccelerations> list;
  if (!forms.facts().has_linear_equations || forms.facts().nonholonomic > 0 || r.mass_inverse || !r.start_held.empty())
    return list;
  SaddlePointExpressions system = saddle_point(forms);
  const std::vector<ChosenPivots> sequences = pivot_sequences(r, system);
  const OtherPoint there = other_point(r.graph(), r);
  Expressions upper;
  for (const auto& entry : system.entries) upper.push_back(entry.value);
  const Expressions lower = at(there, upper);
  for (std::size_t k = 0; k < system.entries.size(); ++k)
    if (system.entries[k].row >= system.definite) system.entries[k].value = lower[k];
  Expressions right_hand_side = forms.force();
  for (const Expression& rate : at(there, forms.level(Level::velocity)))
    right_hand_side.push_back(-rate / there.weight);
  for (const ChosenPivots& sequence : sequences)
    list.push_back(watched(r, system, sequence, eliminate(system, upper, right_hand_side, sequence)));
  return list;
}

}  // namespace daelab
