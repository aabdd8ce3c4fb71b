#include "core/integration/drive_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/expressions/enclosing_program.hpp"

namespace daelab {
namespace {

// What a step sees of a term, about: its values at both ends and at so many times in between, at multiples of the golden
// section, which meet no round time. A peak is farther off than these are apart.
constexpr int seen_within = 7;
constexpr double golden_section = 0.61803398874989485;
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
  if (!is_new) return place->second;
  if (const Expressions& drives = forms.switches().drives; !drives.empty())
    forms.derive([&](const Recording& recording) {
      for (const Expression& drive : drives)
        place->second.push_back(std::make_unique<Term>(recording.graph(), drive));
    });
  return place->second;
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
  const double first = term.at(a), last = term.at(b);
  Bounds seen{std::min(first, last), std::max(first, last)};
  for (int k = 1; k <= seen_within; ++k) {
    const double value = term.at(a + (b - a) * std::fmod(k * golden_section, 1));
    seen = hull(seen, {value, value});
  }
  isolation_.begin(term, a, b, finest_extreme * (b - a));
  for (int k = 0; k < most_extremes; ++k) {
    const auto root = isolation_.next();
    if (!root) return;
    const double t = isolation_.narrowed(*root, finest_extreme * (b - a)).before, value = term.at(t);
    const double beyond = std::max(seen.lower - value, value - seen.upper);
    if (!(beyond > seen.width()) || !(beyond > 1e-12 * std::max(std::abs(seen.lower), std::abs(seen.upper))))
      continue;
    text_ = fmt::format(
        "a term of the equations that depends on time alone is {:.3g} at t = {:.6g} and {:.3g} to {:.3g} elsewhere in a "
        "step of {:.2g} s over it: the step may not have seen it, and a shorter max_step would",
        value, t, seen.lower, seen.upper, b - a);
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
