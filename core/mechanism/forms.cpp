#include "core/mechanism/forms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

#include "core/base/status.hpp"
#include "core/mechanism/domain_error.hpp"
#include "core/mechanism/form_names.hpp"
#include "core/mechanism/recording_checks.hpp"

namespace daelab {
namespace {

// Has `record` fill in a recording, so that what needs its sizes can be made after it.
Recording& filled(Recording& recording, const std::function<void(Recording&)>& record) {
  const RecordingScope scope(recording.graph());
  record(recording);
  check_recording(recording);
  return recording;
}

}  // namespace

Forms::Forms(const std::function<void(Recording&)>& record, int mode, std::shared_ptr<const GivenForms> given)
    : given_(std::move(given)), recording_(graph_, mode), facts_(filled(recording_, record)) {
  const RecordingScope scope(graph_);
  if (facts_.is_mechanical)
    mechanical_.emplace(recording_, facts_);
  else
    first_order_.emplace(recording_, facts_);
  facts_.events_hold_multipliers = depends_on_multipliers(recording_, event_expressions(recording_));
}

FormParts Forms::make_parts(const FormKey& key) {
  const Recording& r = recording_;
  switch (key.kind) {
    case FormKind::accelerations: {
      const GeneratedAccelerations& x = make_eliminations(false)[static_cast<std::size_t>(key.detail)];
      return {column(x.a), column(x.lambda), column(x.pivots)};
    }
    case FormKind::accelerations_between: {
      const GeneratedAccelerations& x = make_eliminations(true)[static_cast<std::size_t>(key.detail)];
      return {column(x.a), column(x.pivots)};
    }
    case FormKind::event_functions: {
      Expressions functions;
      for (const RecordedEvent& event : r.events) functions.push_back(event.function);
      return {column(functions)};
    }
    case FormKind::jump: {
      const Jump& after = r.events[static_cast<std::size_t>(key.detail)].after;
      const Expressions s = mechanical_ ? without_algebraic(after.s, r) : after.s;
      Expressions v_and_s = after.v;
      v_and_s.insert(v_and_s.end(), s.begin(), s.end());
      return {column(after.q), column(v_and_s), column(after.held), column({after.mode})};
    }
    case FormKind::sampled:
      return {column(r.sampled)};
    case FormKind::observables:
      return {column(r.observables)};
    default:
      return mechanical_ ? mechanical_->parts(key.kind, key.detail) : first_order_->parts(key.kind, key.detail);
  }
}

FormParts Forms::parts(const FormKey& key) {
  const std::lock_guard lock(mutex_);
  const RecordingScope scope(graph_);
  return make_parts(key);
}

const Forms::Eliminations& Forms::make_eliminations(bool between) {
  std::optional<Eliminations>& list = between ? generated_between_ : generated_;
  if (list) return *list;
  if (!mechanical_ || given_) return list.emplace();
  return list.emplace(between ? daelab::generated_accelerations_between(*mechanical_)
                              : daelab::generated_accelerations(*mechanical_));
}

const Forms::Eliminations& Forms::eliminations(bool between) {
  const std::lock_guard lock(mutex_);
  const RecordingScope scope(graph_);
  return make_eliminations(between);
}

Tape Forms::tape_of(const FormKey& key) {
  const RecordingScope scope(graph_);
  const FormParts parts = make_parts(key);
  keep_patterns(key, parts);
  return make_tape(graph_, outputs_of(parts, key.layout));
}

void Forms::keep_patterns(const FormKey& key, const FormParts& parts) {
  if (key.layout == PartLayout::sparse && !patterns_.contains(key))
    for (const FormPart& part : parts) patterns_[key].push_back(pattern_of(part));
}

template <class T>
std::unique_ptr<Program<T>> Forms::make_program(const FormKey& key) {
  if (!given_) return daelab::make_program<T>(tape_of(key));
  if constexpr (std::is_same_v<T, double>) {
    keep_patterns(key, given_->parts(key.kind, key.detail));
    return given_->program(key.kind, key.detail);
  } else {
    throw NotApplicable("the problem is given by functions, which compute in double");
  }
}

template <class T>
const Program<T>& Forms::program(const FormKey& key) {
  const std::lock_guard lock(mutex_);
  return programs_.program<T>(key, [&] { return make_program<T>(key); });
}

const Program<double>& Forms::program_of_lanes(const FormKey& key) {
  const std::lock_guard lock(mutex_);
  return programs_.program_of_lanes(key, [&] { return tape_of(key); });
}

bool Forms::has_program_of_lanes(const FormKey& key) const {
  const std::lock_guard lock(mutex_);
  return programs_.has_program_of_lanes(key);
}

const std::vector<std::shared_ptr<const SparsePattern>>& Forms::patterns(FormKind kind, int detail) const {
  const std::lock_guard lock(mutex_);
  return patterns_.at({kind, detail, PartLayout::sparse});
}

const Switches& Forms::switches() {
  const std::lock_guard lock(mutex_);
  const RecordingScope scope(graph_);
  if (!switches_) switches_.emplace(switches_of(recording_));
  return *switches_;
}

bool Forms::has_constant_mass() {
  std::call_once(looked_at_mass_, [this] {
    const std::lock_guard lock(mutex_);
    const RecordingScope scope(graph_);
    has_constant_mass_ = mechanical_ && std::ranges::all_of(mechanical_->mass(),
                                                            [](const auto& entry) { return is_constant(entry.value); });
  });
  return has_constant_mass_;
}

Real100 Forms::value(const Expression& constant) const {
  const std::lock_guard lock(mutex_);  // another thread may be deriving a form: the graph grows
  return graph_.constant_value(constant.node());
}

template <class T>
std::string Forms::domain_error(const FormKey& key, const T* const* inputs) {
  if constexpr (std::is_same_v<T, double>)
    if (given_) return given_->domain_error(inputs);
  const std::lock_guard lock(mutex_);
  const RecordingScope scope(graph_);
  const FormParts parts = make_parts(key);
  for (std::size_t part = 0; part < parts.size(); ++part) {
    Expressions values;
    for (const auto& entry : parts[part].entries) values.push_back(entry.value);
    const DomainError error = find_domain_error<T>(graph_, values, inputs);
    if (error.expression < 0) continue;
    const int row = static_cast<int>(parts[part].entries[static_cast<std::size_t>(error.expression)].row);
    return fmt::format("{}: {}", row_name(recording_, facts_, key.kind, part, row), error.operation);
  }
  return "";
}

#define DAELAB_INSTANTIATE(T)                                       \
  template const Program<T>& Forms::program<T>(const FormKey& key); \
  template std::string Forms::domain_error<T>(const FormKey& key, const T* const* inputs);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
