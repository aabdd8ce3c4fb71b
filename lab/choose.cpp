#include "lab/choose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <span>

#include "experiments/measures/accuracy.hpp"
#include "experiments/measures/accuracy_check.hpp"
#include "lab/project.hpp"

namespace daelab {
namespace {

struct Pair {
  const char *formulation, *method;  // formulation "": the only one of ordinary differential equations
};

constexpr Pair of_mechanisms[] = {{"index-1", "dormand-prince"},
                                  {"index-1", "verner-87"},
                                  {"index-1", "variable-adams"},
                                  {"index-1", "bdf"},
                                  {"index-1", "radau-iia:s=3"},
                                  {"index-2", "half-explicit"},
                                  {"index-2", "bdf"},
                                  {"index-2", "radau-iia:s=3"},
                                  {"ggl", "bdf"},
                                  {"ggl", "radau-iia:s=3"},
                                  {"index-3", "radau-iia:s=3"},
                                  {"index-3", "generalized-alpha"}};
constexpr Pair of_ordinary_equations[] = {
    {"", "dormand-prince"}, {"", "verner-87"}, {"", "variable-adams"}, {"", "bdf"}, {"", "radau-iia:s=3"},
    {"", "radau-iia:s=5"},  {"", "rkc"}};

// A run that costs more than the best one so far by this factor, beyond a moment that nobody notices, is given up.
constexpr double patience = 20, moment = 0.05;
constexpr int most_tightenings = 3;

std::string power_of_ten(double exponent) { return fmt::format("1e-{}", std::lround(exponent)); }

std::shared_ptr<const Run> run_of(const ComponentSpec& problem, const std::string& t_end, const Pair& pair,
                                  double digits) {
  RunSpec spec;
  spec.problem = problem, spec.method = pair.method;
  if (*pair.formulation != '\0') spec.formulation = ComponentSpec(pair.formulation);
  if (!t_end.empty()) spec.t_end = Exact(t_end);
  spec.rtol = Exact(power_of_ten(digits)), spec.atol = spec.rtol;
  return Run::of(std::move(spec));
}

// Ends a run that takes too long by an exception of its own.
class Deadline final : public RunListener {
 public:
  struct Passed {};
  explicit Deadline(double seconds) : end_(Clock::now() + std::chrono::duration<double>(seconds)) {}
  void reached(double, double, double) override {
    if (Clock::now() > end_) throw Passed();
  }
  void warned(const Warning&) override {}

 private:
  using Clock = std::chrono::steady_clock;
  std::chrono::time_point<Clock, std::chrono::duration<double>> end_;
};

double digits_of(const RunRecord& record, const ReferenceSolution& reference, const std::string& kind) {
  Real50 size = 0;
  for (const Real50& x : reference.of(kind)) size = std::max(size, Real50(abs(x)));
  const Real50 error = error_of(record, reference, kind);
  if (error == 0) return HUGE_VAL;
  return std::max(0., -static_cast<double>(Real50(log10(size > 0 ? Real50(error / size) : error))));
}

// The stored one, else a run whose error a second one with half its tolerance estimates.
ReferenceSolution reference_of(const Run& probe, Choice& choice) {
  const std::string kind = probe.classes().front();
  if (probe.references().find(probe.t_end())) {
    ReferenceSolution stored = reference_solution(probe, nullptr);
    choice.reference = stored.text(), choice.reference_digits = stored.log10_floor ? -*stored.log10_floor : 16;
    return stored;
  }
  RunSpec spec = probe.spec();
  spec.method = "radau-iia:s=5", spec.rtol = Exact("1e-12"), spec.atol = spec.rtol, spec.atol_velocity.reset();
  const auto run = Run::of(std::move(spec)), finer = run_of_half_tolerance(*run);
  const RunRecord record = run->integrate().record, second = finer->integrate().record;
  if (!second.ok() || !record.ok())
    throw InputError("--problem", fmt::format("no reference of it is stored, and {} on {} cannot make one: {}",
                                              run->spec().method.text(), run->formulation_text(),
                                              record.ok() ? second.cause : record.cause));
  ReferenceSolution reference;
  for (const std::string& each : run->classes()) reference.classes[each] = second.state.of(each);
  choice.reference = fmt::format("a run of {} on {}, rtol = 5e-13", run->spec().method.text(), run->formulation_text());
  choice.reference_digits = digits_of(record, reference, kind);
  return reference;
}

// Tightens the tolerance until the digits are there; what came closest otherwise.
std::optional<Candidate> best_of(const ComponentSpec& problem, const std::string& t_end, const Pair& pair, int digits,
                                 const ReferenceSolution& reference, double least_seconds) {
  std::optional<Candidate> best;
  double tolerance = std::max(2, digits - 1);
  for (int k = 0; k <= most_tightenings && tolerance <= 14; ++k) {
    Candidate now;
    now.method = pair.method, now.formulation = pair.formulation;
    try {
      now.run = run_of(problem, t_end, pair, tolerance);
      Deadline deadline(patience * least_seconds + moment);
      now.record = now.run->integrate(&deadline).record;
    } catch (const InputError&) {
      return best;  // the formulation is not one for this problem
    } catch (const Deadline::Passed&) {
      return best;
    }
    if (now.record.status == StatusCode::not_applicable) return best;
    if (now.record.ok()) now.digits = digits_of(now.record, reference, now.run->classes().front());
    if (!best || now.digits >= best->digits) best = now;
    if (best->digits >= digits) return best;
    tolerance += std::clamp(std::ceil(digits - now.digits), 1., 3.);
  }
  return best;
}

bool is_cheaper(const Candidate& a, const Candidate& b) { return a.record.stats.seconds() < b.record.stats.seconds(); }

}  // namespace

Choice choose_methods(const ComponentSpec& problem, const std::string& t_end, int digits,
                      const ChoiceProgress& progress) {
  load_project();
  Choice choice;
  const auto probe = run_of(problem, t_end, {"", "radau-iia:s=3"}, digits);
  const ReferenceSolution reference = reference_of(*probe, choice);
  if (choice.reference_digits < digits)
    throw InputError("--digits", fmt::format("{} are more than the {:.1f} to which the solution is known, by {}",
                                             digits, choice.reference_digits, choice.reference));
  const std::span<const Pair> pairs =
      probe->is_ode() ? std::span<const Pair>(of_ordinary_equations) : std::span<const Pair>(of_mechanisms);
  double least = HUGE_VAL;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (progress) progress(i, pairs.size(), fmt::format("{} {}", pairs[i].method, pairs[i].formulation));
    const double seconds = std::isfinite(least) ? least : 1;
    auto found = best_of(problem, t_end, pairs[i], digits, reference, seconds);
    if (!found) continue;
    if (found->digits < digits) {
      choice.missed.push_back(std::move(*found));
      continue;
    }
    least = std::min(least, found->record.stats.seconds());
    choice.reached.push_back(std::move(*found));
  }
  // Timed again, all in a warm process: the first run of a problem makes its programs.
  for (Candidate& candidate : choice.reached) {
    const RunRecord again = candidate.run->integrate().record;
    if (again.stats.seconds() < candidate.record.stats.seconds()) candidate.record = again;
  }
  std::ranges::stable_sort(choice.reached, is_cheaper);
  std::ranges::stable_sort(choice.missed, std::ranges::greater(), &Candidate::digits);
  return choice;
}

}  // namespace daelab
