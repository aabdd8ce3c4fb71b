#include "core/integration/sliding_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

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

// What is zero where forces or rates jump, or bend.
struct Zero {
  Expression function;
  bool jumps;
};
std::optional<Zero> zero_of(const NodeContents& contents) {
  const Expression a = Expression::of(contents.a);
  switch (contents.operation) {
    case Operation::less:
    case Operation::less_equal:
      return Zero{a - Expression::of(contents.b), true};
    case Operation::sign:
      return Zero{a, true};
    case Operation::abs:
      return Zero{a, false};
    case Operation::min:
    case Operation::max:
      return Zero{a - Expression::of(contents.b), false};
    default:
      return {};
  }
}

std::vector<Zero> zeros_of(const Recording& r) {
  Expressions equations = r.force;
  equations.insert(equations.end(), r.rates.begin(), r.rates.end());
  std::vector<Zero> found;
  for (const Node node : dependencies(r.graph(), equations)) {
    const NodeContents contents = r.graph()[node];  // the graph grows
    if (const auto zero = zero_of(contents); zero && is_known_at_step_ends(r, zero->function)) found.push_back(*zero);
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
    for (const auto& [x, jumps] : zeros_of(r)) {
      outputs.push_back({x, 0, static_cast<int>(outputs.size())});
      conditions_.push_back({text_of(r.graph(), x), jumps});
    }
    if (!outputs.empty()) program_ = make_program<T>(make_tape(r.graph(), outputs));
  });
  if (conditions_.empty()) return;
  values_.assign(conditions_.size(), T(0)), ahead_ = values_;
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

template <class T>
void SlidingWatch<T>::evaluate(const T& t, const Vector<T>& y, std::vector<T>& values) {
  const T *const q = y.data(), *const v = q + forms_->facts().extended, *const s = v + forms_->facts().coordinates;
  const std::array<const T*, 7> inputs{&t, q, v, s, nullptr, nullptr, nullptr};
  T* const outputs[] = {values.data()};
  program_->run(inputs.data(), outputs, work_.data());
}

template <class T>
bool SlidingWatch<T>::is_near_zero() const {
  return std::ranges::any_of(conditions_, [](const Condition& c) { return c.now <= T(close) * c.largest; });
}

// What is exactly zero keeps the sign that it had. `led_across`: ahead_ is where the slope at the start of the step led
// to.
template <class T>
void SlidingWatch<T>::count(const State<T>& from, const State<T>& to, bool led_across) {
  using std::abs;
  const auto sign_of = [](const T& x) { return (x > T(0)) - (x < T(0)); };
  for (std::size_t i = 0; i < conditions_.size(); ++i) {
    Condition& condition = conditions_[i];
    const bool was_near = condition.now <= T(close) * condition.largest;
    const T before = std::exchange(condition.now, T(abs(values_[i])));
    condition.last = std::max(condition.last, condition.now);
    condition.largest = std::max(condition.largest, condition.last);
    const int sign = sign_of(values_[i]);
    if (sign == 0) continue;
    const bool crossed = sign == -condition.sign;
    const bool returned = led_across && sign == condition.sign && sign_of(ahead_[i]) == -sign;
    if ((crossed || returned) && check_ != nullptr)
      check_->look(from, to, before / (before + (crossed ? condition.now : T(abs(ahead_[i])))), condition.text);
    if (crossed || (returned && was_near)) ++condition.changes;
    condition.sign = sign;
  }
}

template <class T>
Status SlidingWatch<T>::check(const State<T>& from, const State<T>& to) {
  if (&model_.forms() != forms_) start(to);
  if (conditions_.empty()) return {};
  const bool looks_ahead = check_ != nullptr || is_near_zero();
  if (looks_ahead) {
    y_ = from.y + T(to.t - from.t) * from.ydot;
    evaluate(to.t, y_, ahead_);
  }
  evaluate(to.t, to.y, values_);
  count(from, to, looks_ahead);
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
  if (!condition.jumps) return false;
  return condition.changes >= window / 4 ||
         (condition.changes >= window / 20 && condition.last <= T(close) * condition.largest);
}

template <class T>
Status SlidingWatch<T>::slides_along(const Condition& condition, const T& passed) const {
  return {
      StatusCode::chattering,
      fmt::format("the motion slides along {} = 0, to which the equations point from both sides: steps went over it "
                  "{} times in the last {} of them, which took {:.1e} s together. A mode ends this: a state with the "
                  "rate 0, which an event sets there, which holds the motion, and which another event sets back "
                  "(docs/events.md, rest and hold)",
                  condition.text, condition.changes, window, static_cast<double>(passed))};
}

#define DAELAB_INSTANTIATE(T) template class SlidingWatch<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
