#include "experiments/runs/method_run.hpp"

#include <fmt/format.h>

#include "analysis/method_report.hpp"
#include "core/equations/formulation.hpp"
#include "core/integration/method.hpp"

namespace daelab {
namespace {

Json resolve_method_run(const Json& run, const std::string& where) {
  MethodRunSpec spec;
  spec.options().read(run, where);
  if (!run.contains("method")) throw InputError(where, "a method run needs a \"method\"");
  spec.method = Registry<Method>::instance().make(spec.method, where + "/method")->spec();
  return spec.options().write();
}

RunOutcome carry_out_method_run(const Json& resolved) {
  const auto method = Registry<Method>::instance().make(resolved["method"], "/method");
  const MethodReport report = method_report(*method);
  const MethodForm form = method->form();
  const auto* none = std::get_if<NoForm>(&form);
  RunOutcome outcome;
  outcome.record = {{"status", to_string(none ? StatusCode::not_applicable : StatusCode::ok)},
                    {"cause", none ? none->reason : ""},
                    {"report", report},
                    {"coefficients", exact_coefficients(*method)},
                    {"spec", resolved}};
  return outcome;
}

Json schema_of_method_run() { return MethodRunSpec{}.options().schema(); }
double cost_of_method_run(const Json& /*spec*/) { return 1; }
// Reports say what is predicted on each of them.
Json inputs_of_method_run(const Json& /*spec*/) { return Registry<Formulation>::instance().names(); }

}  // namespace

Options MethodRunSpec::options() {
  return {option("method", method, "method: name:key=value, @file.json or an object with \"name\"",
                 {{"type", {"string", "object"}}})};
}

const RunKind& method_runs() {
  static const RunKind kind{resolve_method_run, carry_out_method_run, schema_of_method_run, cost_of_method_run,
                            inputs_of_method_run};
  return kind;
}

Json property_cell(const Json& property) {
  if (!property["applicable"].get<bool>()) return nullptr;
  return property["holds"].get<bool>() ? "yes" : "no";
}

std::string angle_text(double degrees) { return degrees == 90 ? "90°" : fmt::format("{:.2f}°", degrees); }

}  // namespace daelab
