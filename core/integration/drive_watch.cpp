#include "core/integration/drive_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/expressions/enclosing_program.hpp"

namespace daelab {
namespace {

// A term that steps follow is near its extreme in this part of a step before and behind it: a quarter turn of a sine is
// 16 such parts. Off by more than a share of what it ranges over in the step, the extreme is a peak that no step
// follows.
constexpr double near_part = 1.0 / 16, share = 0.5;
constexpr int looked_at_parts = 8;
constexpr double finest_extreme = 1e-6;  // of a step
constexpr int most_extremes = 20;        // in a step: a term with more is no pulse

}  // namespace

// Encloses the derivative of the term.
template <class T>
class DriveWatch<T>::Term final : public EnclosedFunction {
 public:
  Term(const Graph& graph, const Expression& function)
      : drive_(graph, function), value_(drive_.graph, drive_.value), slope_(drive_.graph, drive_.slope) {}

  Enclosure over(double a, double b) override { return enclose(slope_, a, b); }
  double at(double t) { return enclose(value_, t, t).value.middle(); }

 private:
  static Enclosure enclose(EnclosingProgram& program, double a, double b) {
    for (const auto& input : program.inputs()) program.set(input, {{a, b}, {1, 1}});
    return program.run();
  }
  Drive drive_;
  EnclosingProgram value_, slope_;
};

template <class T>
DriveWatch<T>::DriveWatch(Model<T>& model) : model_(model) {
  terms_of_mode();
}
template <class T>
DriveWatch<T>::~DriveWatch() = default;

template <class T>
typename DriveWatch<T>::Terms& DriveWatch<T>::terms_of_mode() {
  Forms& forms = model_.forms();
  const auto [place, is_new] = known_.try_emplace(&forms);
  auto& terms = place->second;
  if (!is_new) return terms;
  if (const Expressions& drives = forms.switches().drives; !drives.empty())
    forms.derive([&](const Recording& recording) {
      for (const Expression& drive : drives) terms.push_back(std::make_unique<Term>(recording.graph(), drive));
    });
  return terms;
}

template <class T>
Status DriveWatch<T>::check(const State<T>& from, const State<T>& to) {
  if (!text_.empty()) return {};
  const auto a = static_cast<double>(from.t), b = static_cast<double>(to.t);
  for (const auto& term : terms_of_mode())
    if (text_.empty() && term->over(a, b).value.contains(0)) look_for_peak(*term, a, b);
  return {};
}

template <class T>
void DriveWatch<T>::look_for_peak(Term& term, double a, double b) {
  Bounds range{term.at(a), term.at(a)};
  const auto look_at = [&](double t) {
    const double value = term.at(t);
    range = hull(range, {value, value});
    return value;
  };
  for (int part = 1; part <= looked_at_parts; ++part) look_at(a + (b - a) * part / looked_at_parts);
  isolation_.begin(term, a, b, finest_extreme * (b - a));
  for (int k = 0; k < most_extremes; ++k) {
    const auto root = isolation_.next();
    if (!root) return;
    const double t = isolation_.narrowed(*root, finest_extreme * (b - a)).before, near = near_part * (b - a);
    const double value = look_at(t), before = look_at(std::max(a, t - near)), behind = look_at(std::min(b, t + near));
    if (!(std::min(std::abs(value - before), std::abs(value - behind)) > share * range.width())) continue;
    text_ = fmt::format(
        "a term of the equations that depends on time alone is {:.3g} at t = {:.6g}, {:.3g} and {:.3g} just before and "
        "behind, in a step of {:.2g} s over it: the step may not have seen it, and a shorter max_step would",
        value, t, before, behind, b - a);
    return;
  }
}

template <class T>
std::optional<Warning> DriveWatch<T>::warning() const {
  return text_.empty() ? std::nullopt : std::optional(Warning{"unwatched", text_});
}

#define DAELAB_INSTANTIATE(T) template class DriveWatch<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
