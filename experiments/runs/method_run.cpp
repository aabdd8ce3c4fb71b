#include "experiments/runs/method_run.hpp"

#include <fmt/format.h>

#include "core/equations/formulation.hpp"
#include "core/integration/method.hpp"

namespace daelab {
Options MethodRunSpec::options() {
  return {option("method", method, "method: name:key=value, @file.json or an object with \"name\"",
                 {{"type", {"string", "object"}}})};
}

std::shared_ptr<const MethodRun> MethodRun::bind(const Json& json, const std::string& where) {
  MethodRunSpec spec;
  spec.options().read(json, where);
  if (!json.contains("method")) throw InputError(where, "a method run needs a \"method\"");
  auto method = Registry<Method>::instance().make(spec.method, where + "/method");
  spec.method = method->spec();
  return std::shared_ptr<const MethodRun>(new MethodRun(spec.options().write(), std::move(method)));
}

Json MethodRun::inputs() const { return Registry<Formulation>::instance().names(); }

RunOutcome MethodRun::execute() const {
  const MethodForm form = method_->form();
  const auto* none = std::get_if<NoForm>(&form);
  return {{{"status", to_string(none ? StatusCode::not_applicable : StatusCode::ok)},
           {"cause", none ? none->reason : ""},
           {"report", method_report(*method_)},
           {"coefficients", exact_coefficients(*method_)},
           {"spec", json()}}};
}

const RunKind& MethodRuns::kind() { return run_kind_of<MethodRun, MethodRunSpec>(); }

Json property_cell(const Json& property) {
  if (!property["applicable"].get<bool>()) return nullptr;
  return property["holds"].get<bool>() ? "yes" : "no";
}

std::string angle_text(double degrees) { return degrees == 90 ? "90°" : fmt::format("{:.2f}°", degrees); }

}  // namespace daelab
