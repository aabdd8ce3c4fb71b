#include "core/integration/hidden_crossings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/mechanism/forms.hpp"
#include "core/mechanism/ordinary_model.hpp"
#include "core/mechanism/switches.hpp"

namespace daelab {
namespace {

// Intervals shorter than this part of a step are not divided any further.
constexpr double finest_part_of_step = 1e-10;
constexpr std::size_t kept_free = 256;

}  // namespace

template <class T>
HiddenCrossings<T>::HiddenCrossings(Model<T>& model, const MechanicalLayout& layout) : model_(model), layout_(layout) {
  OrdinaryModel<T>* const ordinary = model.ordinary();
  solves_between_ = ordinary != nullptr && ordinary->is_linearly_implicit() && ordinary->index() > 0;
  roots_.reserve(kept_free), between_.reserve(kept_free), times_.reserve(kept_free);
  functions_of_mode();
}

// Null for functions that cannot be enclosed.
template <class T>
typename HiddenCrossings<T>::Functions& HiddenCrossings<T>::functions_of_mode() {
  Forms& forms = model_.forms();
  const auto [place, is_new] = known_.try_emplace(&forms);
  auto& functions = place->second;
  if (is_new)
    forms.derive([&](const Recording& recording) {
      for (const RecordedEvent& event : recording.events) {
        const bool is_enclosed = !solves_between_ && is_of_motion(recording, event.function);
        functions.push_back(is_enclosed ? std::make_unique<EnclosedStep<T>>(recording, event.function, layout_)
                                        : nullptr);
      }
    });
  return functions;
}

template <class T>
bool HiddenCrossings<T>::encloses_all() {
  return std::ranges::all_of(functions_of_mode(), [](const auto& function) { return function != nullptr; });
}

template <class T>
void HiddenCrossings<T>::give_up(const T& t) {
  if (unwatched_.empty())
    unwatched_ = fmt::format(
        "functions of events that depend on multipliers or algebraic states change too fast for the step from t = "
        "{:.6g} on: they may have passed zero and come back. max_step is the cure",
        static_cast<double>(t));
}

template <class T>
const std::vector<T>& HiddenCrossings<T>::times(const State<T>& from, const State<T>& to, int parts,
                                                const std::vector<Look>& looks, const T& together) {
  Functions& functions = functions_of_mode();
  between_.clear(), times_.clear();
  const auto near = static_cast<double>(together);
  for (std::size_t i = 0; i < functions.size(); ++i) {
    if (!looks[i].watched || functions[i] == nullptr) continue;
    EnclosedStep<T>& function = *functions[i];
    function.take(from, to, model_.held());
    find_roots(function, std::max(near / 8, finest_part_of_step * function.length()), near);
    add_between(parts, function.length(), looks[i].sign, near);
    if (isolation_.gave_up() && unwatched_.empty())
      unwatched_ = fmt::format(
          "the function of event '{}' could not be enclosed in the step from t = {:.6g} on: it may "
          "have passed zero and come back",
          model_.events()[i].name, static_cast<double>(from.t));
  }
  for (int part = 1; part < parts; ++part) times_.push_back(T(from.t + (to.t - from.t) * part / parts));
  for (const double t : between_) times_.push_back(T(from.t + T(t)));
  if (!between_.empty()) std::sort(times_.begin(), times_.end());
  times_.push_back(to.t);
  return times_;
}

// Those right at the begin are of the event that the step began with.
template <class T>
void HiddenCrossings<T>::find_roots(EnclosedStep<T>& function, double finest, double together) {
  roots_.clear();
  isolation_.begin(function, 0, function.length(), finest);
  while (const auto found = isolation_.next()) {
    const RootIsolation::Root root = isolation_.narrowed(*found, finest);
    if (root.after > together) roots_.push_back(root);
  }
}

// Once between one root and the next, where no part ends there; before the first one where the sign is another than is
// known.
template <class T>
void HiddenCrossings<T>::add_between(int parts, double length, int sign, double together) {
  const auto part_ends_within = [&](double a, double b) {
    return std::floor((b - together) / length * parts) > std::floor((a + together) / length * parts);
  };
  for (std::size_t k = 0; k < roots_.size(); ++k) {
    const double a = k == 0 ? 0 : roots_[k - 1].after, b = roots_[k].before;
    if (k == 0 && sign == (roots_[0].falls ? 1 : -1)) continue;
    if (b - a > 2 * together && !part_ends_within(a, b)) between_.push_back(a + (b - a) / 2);
  }
}

#define DAELAB_INSTANTIATE(T) template class HiddenCrossings<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
