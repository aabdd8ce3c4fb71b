#include "core/integration/sliding_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/expressions/tape.hpp"
#include "core/expressions/text.hpp"
#include "core/mechanism/forms.hpp"

namespace daelab {
namespace {

bool is_known_at_step_ends(const Recording& r, const Expression& x) {
  const Graph& graph = r.graph();
  const int differential = static_cast<int>(r.s.size()) - (r.q.empty() ? 0 : r.algebraic_states);
  const std::vector<Node> nodes = dependencies(graph, std::array{x});
  const auto known = [&](Node node) {
    if (graph[node].operation != Operation::input) return true;
    const Input& input = graph.input_of(node);
    const auto block = static_cast<InputBlock>(input.block);
    return block < InputBlock::s || (block == InputBlock::s && input.index < differential);
  };
  const auto moves = [&](Node node) {
    return graph[node].operation == Operation::input &&
           graph.input_of(node).block != static_cast<int>(InputBlock::time);
  };
  return std::ranges::all_of(nodes, known) && std::ranges::any_of(nodes, moves);
}

// What is zero where forces or rates jump.
Expressions jumps_of(const Recording& r) {
  Expressions equations = r.force, found;
  equations.insert(equations.end(), r.rates.begin(), r.rates.end());
  const Graph& graph = r.graph();
  for (const Node node : dependencies(graph, equations)) {
    const NodeContents contents = graph[node];  // the graph grows
    const bool compares = contents.operation == Operation::less || contents.operation == Operation::less_equal;
    if (!compares && contents.operation != Operation::sign) continue;
    const Expression a = Expression::of(contents.a), x = compares ? a - Expression::of(contents.b) : a;
    if (is_known_at_step_ends(r, x)) found.push_back(x);
  }
  return found;
}

}  // namespace

template <class T>
void SlidingWatch<T>::enter_mode() {
  forms_ = &model_.forms();
  conditions_.clear();
  forms_->derive([this](const Recording& r) {
    std::vector<Output> outputs;
    for (const Expression& x : jumps_of(r)) {
      outputs.push_back({x, 0, static_cast<int>(outputs.size())});
      conditions_.push_back({text_of(r.graph(), x)});
    }
    if (!outputs.empty()) program_ = make_program<T>(make_tape(r.graph(), outputs));
  });
  if (conditions_.empty()) return;
  values_.assign(conditions_.size(), T(0));
  work_.resize(program_->work_size());
}

template <class T>
void SlidingWatch<T>::begin_window(const T& t) {
  steps_ = 0, window_start_ = t;
  for (Condition& condition : conditions_) condition.changes = 0, condition.last = T(0);
}

template <class T>
void SlidingWatch<T>::start(const State<T>& state) {
  enter_mode();
  begin_window(state.t);
}

// What is exactly zero keeps the sign that it had.
template <class T>
void SlidingWatch<T>::evaluate(const State<T>& state) {
  using std::abs;
  const T *const q = state.y.data(), *const v = q + forms_->extended(), *const s = v + forms_->coordinates();
  const std::array<const T*, 7> inputs{&state.t, q, v, s, nullptr, nullptr, nullptr};
  T* const outputs[] = {values_.data()};
  program_->run(inputs.data(), outputs, work_.data());
  for (std::size_t i = 0; i < conditions_.size(); ++i) {
    Condition& condition = conditions_[i];
    condition.last = std::max(condition.last, T(abs(values_[i])));
    condition.largest = std::max(condition.largest, condition.last);
    const int sign = (values_[i] > T(0)) - (values_[i] < T(0));
    if (sign == 0) continue;
    if (sign == -condition.sign) ++condition.changes;
    condition.sign = sign;
  }
}

template <class T>
Status SlidingWatch<T>::check(const State<T>& /*from*/, const State<T>& to) {
  if (&model_.forms() != forms_) start(to);
  if (conditions_.empty()) return {};
  evaluate(to);
  if (++steps_ < window) return {};
  const T passed = to.t - window_start_;
  const bool arrives = T(window) * (end_ - to.t) <= T(too_many) * passed;
  for (const Condition& condition : conditions_)
    if (!arrives && slides(condition)) return slides_along(condition, passed);
  begin_window(to.t);
  return {};
}

template <class T>
bool SlidingWatch<T>::slides(const Condition& condition) const {
  return condition.changes >= window / 4 ||
         (condition.changes >= window / 20 && condition.last <= T(close) * condition.largest);
}

template <class T>
Status SlidingWatch<T>::slides_along(const Condition& condition, const T& passed) const {
  return {StatusCode::chattering,
          fmt::format("the motion slides along {} = 0, to which the equations point from both sides: its sign changed "
                      "{} times in the last {} steps, which took {:.1e} s together. A mode ends this: a state with the "
                      "rate 0, which an event sets there, which holds the motion, and which another event sets back "
                      "(docs/events.md, rest and hold)",
                      condition.text, condition.changes, window, static_cast<double>(passed))};
}

#define DAELAB_INSTANTIATE(T) template class SlidingWatch<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
