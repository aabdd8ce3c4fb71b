#include "lab/runs/steps.hpp"

#include <fmt/format.h>

#include "core/base/exact.hpp"
#include "core/integration/step_plan.hpp"

namespace daelab {
namespace {

// " times 1, 2, 1/2"
std::string pattern_text(const std::vector<Exact>& pattern) {
  std::string text;
  for (const Exact& ratio : pattern) text += (text.empty() ? " times " : ", ") + ratio.text();
  return text;
}

}  // namespace

std::string steps_text(const RunSpec& spec) {
  if (!spec.adaptive()) return "h = " + spec.h->text() + pattern_text(spec.step_pattern);
  return fmt::format("rtol = {}, atol = {}", tolerance_text(*spec.rtol), tolerance_text(*spec.atol));
}

std::string nearest_dividing_step(const RunSpec& spec, const Real100& length) {
  const Real100& h = spec.h->value();
  std::vector<Real100> pattern;
  for (const Exact& ratio : spec.step_pattern) pattern.push_back(ratio.value());
  const FixedSteps<Real100> steps(h, std::move(pattern));
  const StepPlan plan = steps.plan(length);
  if (!plan.shortened) return "";
  const bool without_last = plan.steps > 1 && steps.end(plan.steps) - length > length - steps.end(plan.steps - 1);
  return fraction_or_decimal(length * h / steps.end(without_last ? plan.steps - 1 : plan.steps));
}

std::string tolerance_text(const Exact& tolerance) {
  const std::string text = fmt::format("{:.3e}", tolerance.as<double>());  // 2.500e-04
  const std::size_t e = text.find('e'), last = text.find_last_not_of('0', e - 1);
  return fmt::format("{}E{}", text.substr(0, text[last] == '.' ? last : last + 1), std::stoi(text.substr(e + 1)));
}

void leave_out_steps(Json& spec) {
  const bool error_control = spec.contains("rtol") && !spec["rtol"].is_null();
  for (const char* key : {"h", "rtol", "atol", "atol_velocity", "atol_components"}) spec.erase(key);
  spec["steps"] = error_control ? "error control" : "fixed steps";
}

void require_fixed_steps(const Config& config, const std::string& where, const std::string& who) {
  for (std::size_t i = 0; i < config.runs.size(); ++i)
    if (const RunSpec& spec = integration(config, i).spec(); spec.adaptive())
      throw InputError(where, fmt::format("run '{}' has error control ({}), but {} fixed steps: give \"h\" alone, or "
                                          "use the experiment work-precision",
                                          config.labels[i], steps_text(spec), who));
}

}  // namespace daelab
