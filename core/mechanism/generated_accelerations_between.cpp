// Accelerations whose multipliers satisfy the velocity constraints at another point, by symbolic elimination.
#include "core/mechanism/forms.hpp"

namespace daelab {
namespace {

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

// [ M J^T; J* 0 ] (a, lambda) = (Q, -(J* v* + C_t*) / h), where * is the other point.
const std::vector<GeneratedAccelerations>& Forms::make_generated_accelerations_between() {
  if (generated_accelerations_between_) return *generated_accelerations_between_;
  generated_accelerations_between_.emplace();
  if (!is_mechanical() || !has_linear_equations_ || nonholonomic() > 0 || recording_.mass_inverse ||
      !recording_.start_held.empty())
    return *generated_accelerations_between_;
  SaddlePointExpressions system = saddle_point();
  const std::vector<ChosenPivots> sequences = pivot_sequences(system);
  const OtherPoint there = other_point(graph_, recording_);
  Expressions upper;
  for (const auto& entry : system.entries) upper.push_back(entry.value);
  const Expressions lower = at(there, upper);
  for (std::size_t k = 0; k < system.entries.size(); ++k)
    if (system.entries[k].row >= system.definite) system.entries[k].value = lower[k];
  Expressions right_hand_side = force_;
  for (const Expression& rate : at(there, level(Level::velocity))) right_hand_side.push_back(-rate / there.weight);
  for (const ChosenPivots& sequence : sequences)
    generated_accelerations_between_->push_back(
        watched(system, sequence, eliminate(system, upper, right_hand_side, sequence)));
  return *generated_accelerations_between_;
}

const std::vector<GeneratedAccelerations>& Forms::generated_accelerations_between() {
  const std::lock_guard lock(mutex_);
  const RecordingScope scope(graph_);
  return make_generated_accelerations_between();
}

}  // namespace daelab
