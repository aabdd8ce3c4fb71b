#include "core/integration/condition_watch.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/mechanism/forms.hpp"

namespace daelab {
namespace {

// So many changes in succession, each within this part of the run of the one before, and error control is left alone:
// conditions that change again and again, as those of friction that sticks do, would cut steps of any size.
constexpr int most_close_changes = 10;
constexpr double close_part = 1e-4;
constexpr std::size_t most_changes = 1000;

}  // namespace

template <class T>
ConditionWatch<T>::ConditionWatch(Model<T>& model, System<T>& system, const T& start, const T& end)
    : model_(model),
      system_(system),
      start_(start),
      end_(end),
      layout_(layout_of(model, system.accelerations())),
      breaks_(model, start, end),
      near_(T(100) * breaks_.resolution()),
      last_change_(start) {
  functions_of_mode();
}

template <class T>
typename ConditionWatch<T>::Functions& ConditionWatch<T>::functions_of_mode() {
  Forms& forms = model_.forms();
  const auto [place, is_new] = known_.try_emplace(&forms);
  auto& found = place->second;
  if (!is_new) return found;
  const Switches& switches = forms.switches();
  if (!switches.of_motion.empty())
    forms.derive([&](const Recording& recording) {
      for (const Expression& function : switches.of_motion)
        found.push_back(std::make_unique<EnclosedStep<T>>(recording, function, layout_));
    });
  if (switches.others)
    unwatched_ =
        "a condition in the equations depends on time and on multipliers or algebraic states: it may hold "
        "within a step and not at its ends";
  return found;
}

template <class T>
std::optional<T> ConditionWatch<T>::first_change(const State<T>& from, const State<T>& to) {
  Functions& functions = functions_of_mode();
  change_.reset();
  if (functions.empty()) return {};
  const auto length = static_cast<double>(T(to.t - from.t)), near = static_cast<double>(near_);
  double first = length;
  for (const auto& function : functions) {
    function->take(from, to, model_.held());
    first = first_change(*function, near, first);
  }
  if (!(first < length - near) || changes_too_often(T(from.t + T(first)))) return {};
  change_ = {T(from.t + T(first) - breaks_.resolution()), T(from.t + T(first) + breaks_.resolution())};
  return change_->before;
}

template <class T>
bool ConditionWatch<T>::changes_too_often(const T& t) {
  close_changes_ = t - last_change_ <= T(close_part) * (end_ - start_) ? close_changes_ + 1 : 0;
  last_change_ = t;
  if (close_changes_ < most_close_changes) return false;
  if (unwatched_.empty())
    unwatched_ = fmt::format(
        "conditions that depend on time and on the motion change again and again at t = {:.6g}: "
        "there they are left to error control",
        static_cast<double>(t));
  return true;
}

// Between these times, or the later one.
template <class T>
double ConditionWatch<T>::first_change(EnclosedStep<T>& function, double begin, double end) {
  const auto finest = static_cast<double>(breaks_.resolution());
  isolation_.begin(function, begin, end, finest);
  const auto root = isolation_.next();
  if (isolation_.gave_up() && unwatched_.empty())
    unwatched_ =
        "a condition in the equations could not be enclosed over a step: it may hold within the step and not at "
        "its ends";
  return root ? isolation_.narrowed(*root, finest).after : end;
}

template <class T>
bool ConditionWatch<T>::pass(State<T>& state) {
  const bool at_change = change_ && state.t >= change_->before;
  if (at_change) state.t = std::max(state.t, change_->after);
  change_.reset();
  return breaks_.pass(state) || at_change;
}

template <class T>
Status ConditionWatch<T>::begin_anew(State<T>& state) {
  if (changes_.size() < most_changes) changes_.push_back(state.t);
  state.forget();
  return system_.consistent_start(state.t, state.y, state.ydot);
}

template <class T>
std::optional<Warning> ConditionWatch<T>::warning() const {
  const std::string& text = breaks_.unwatched().empty() ? unwatched_ : breaks_.unwatched();
  return text.empty() ? std::nullopt : std::optional(Warning{"unwatched", text});
}

#define DAELAB_INSTANTIATE(T) template class ConditionWatch<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
