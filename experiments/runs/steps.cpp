#include "experiments/runs/steps.hpp"

#include <fmt/format.h>

#include "core/base/exact.hpp"
#include "core/integration/step_plan.hpp"

namespace daelab {

std::string steps_text(const RunSpec& spec) {
  if (!spec.adaptive()) return "h = " + spec.h->text();
  return fmt::format("rtol = {}, atol = {}", tolerance_text(*spec.rtol), tolerance_text(*spec.atol));
}

std::string nearest_dividing_step(const RunSpec& spec) {
  const Real100 &h = spec.h->value(), &t_end = spec.t_end->value();
  if (!plan_steps(t_end, h).shortened) return "";
  return fraction_or_decimal(t_end / std::max(Real100(1), Real100(round(t_end / h))));
}

std::string tolerance_text(const Exact& tolerance) {
  const std::string text = fmt::format("{:.3e}", tolerance.as<double>());  // 2.500e-04
  const std::size_t e = text.find('e'), last = text.find_last_not_of('0', e - 1);
  return fmt::format("{}E{}", text.substr(0, text[last] == '.' ? last : last + 1), std::stoi(text.substr(e + 1)));
}

void leave_out_steps(Json& spec) {
  const bool error_control = spec.contains("rtol") && !spec["rtol"].is_null();
  for (const char* key : {"h", "rtol", "atol", "atol_velocity"}) spec.erase(key);
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
