#include "lab/runs/interval_checks.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "lab/runs/steps.hpp"

namespace daelab {
namespace {

// Fixed ones of a run, which nobody waits for.
constexpr double most_steps = 1e12, most_samples = 1e6;

// A step that is cut at the end would do what the pattern is there to show.
void check_pattern(const RunSpec& spec, const Interval& interval, const std::string& where) {
  if (spec.step_pattern.empty()) return;
  if (spec.adaptive())
    throw InputError(where + "/step_pattern", "is for fixed steps: \"rtol\" and \"atol\" ask for error control");
  if (const std::string h = nearest_dividing_step(spec, interval.length()); !h.empty())
    throw InputError(where + "/step_pattern",
                     fmt::format("steps of h = {} times these do not end at t_end = {}; those of "
                                 "h = {} do",
                                 spec.h->text(), interval.end.text(), h));
}

double round_off(Scalar scalar) {
#define DAELAB_ROUND_OFF(T) \
  if (scalar == scalar_of<T>) return static_cast<double>(epsilon<T>());
  DAELAB_FOR_SCALARS(DAELAB_ROUND_OFF)
#undef DAELAB_ROUND_OFF
  throw std::logic_error("a scalar that no run has: " + name_of(scalar));
}

// Far from t = 0 the time itself is rounded: steps that are not much longer would not be of their size.
Real100 shortest_step(const RunSpec& spec, const Interval& interval) {
  return std::max(Real100(abs(interval.start)), Real100(abs(interval.end.value()))) *
         Real100(1000 * round_off(spec.scalar));
}

}  // namespace

Interval checked_interval(const Real100& t_start, const Exact& t_end, const std::string& where) {
  if (t_end.value() <= t_start)
    throw InputError(where + "/t_end",
                     fmt::format("{} is out of range; allowed: above {}", t_end.text(), constant_text(t_start)));
  return {t_start, t_end};
}

void check_step(const RunSpec& spec, const Interval& interval, const std::string& where) {
  if (!spec.h && !spec.adaptive())
    throw InputError(where, "a run needs a step size \"h\", or tolerances \"rtol\", \"atol\"");
  if (interval.length() < shortest_step(spec, interval))
    throw InputError(where + "/t_end", fmt::format("the interval {} is below round-off of the time in {}",
                                                   interval.text(), name_of(spec.scalar)));
  if (spec.h && spec.h->value() > interval.length())
    throw InputError(where + "/h",
                     fmt::format("the step {} is larger than the interval {}", spec.h->text(), interval.text()));
  check_pattern(spec, interval, where);
  if (spec.h && !spec.adaptive() && interval.length() > most_steps * spec.h->value())
    throw InputError(where + "/h", fmt::format("steps of {} are more than {:g} in the interval {}", spec.h->text(),
                                               most_steps, interval.text()));
  for (const auto& [key, size] : {std::pair{"h", spec.adaptive() ? std::nullopt : spec.h}, {"max_step", spec.max_step}})
    if (size && size->value() < shortest_step(spec, interval))
      throw InputError(fmt::format("{}/{}", where, key),
                       fmt::format("steps of {} are below round-off of the time in {}, in the interval {}",
                                   size->text(), name_of(spec.scalar), interval.text()));
  const bool detects = spec.discontinuities != Discontinuities::ignore;
  for (const auto& [key, given] :
       {std::pair{"history", spec.history}, {"max_step", spec.max_step.has_value()}, {"discontinuities", detects}})
    if (given && !spec.adaptive())
      throw InputError(fmt::format("{}/{}", where, key), "requires error control: set \"rtol\" or \"atol\"");
}

void complete_tolerances(RunSpec& spec, const Problem& problem, const std::string& where) {
  if (!spec.adaptive()) {
    if (spec.atol_velocity) throw InputError(where + "/atol_velocity", "needs \"rtol\" or \"atol\"");
    if (!spec.atol_components.is_null())
      throw InputError(where + "/atol_components", "needs \"rtol\" or \"atol\" for the other components");
    return;
  }
  if (!spec.rtol) spec.rtol = spec.atol;
  if (!spec.atol) {
    const Exact size = problem.least_size();
    spec.atol = size.value() == 1 ? *spec.rtol : Exact(fmt::format("{}*({})", size.text(), spec.rtol->text()));
  }
  if (!spec.atol_velocity) spec.atol_velocity = spec.atol;
  const double least = 10 * round_off(spec.scalar);
  if (spec.rtol->as<double>() < least)
    throw InputError(where + "/rtol", fmt::format("{} is below round-off of {}; at least {:.0e}", spec.rtol->text(),
                                                  name_of(spec.scalar), least));
}

void check_samples(const RunSpec& spec, const Interval& interval, const std::string& where) {
  if (spec.sample_every && interval.length() > most_samples * spec.sample_every->value())
    throw InputError(where + "/sample_every", fmt::format("samples every {} s are more than {:g} in the interval {}",
                                                          spec.sample_every->text(), most_samples, interval.text()));
  for (std::size_t i = 0; i < spec.samples.size(); ++i) {
    const Exact& t = spec.samples[i];
    if (t.value() < interval.start || t.value() > interval.end.value())
      throw InputError(fmt::format("{}/samples/{}", where, i),
                       fmt::format("{} is outside the interval {} to {}", t.text(), constant_text(interval.start),
                                   interval.end.text()));
    if (i > 0 && t.value() <= spec.samples[i - 1].value()) throw InputError(where + "/samples", "times must ascend");
  }
}

}  // namespace daelab
