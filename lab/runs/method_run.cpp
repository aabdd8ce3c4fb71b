#include "lab/runs/method_run.hpp"

#include <fmt/format.h>

#include "core/equations/formulation.hpp"
#include "core/integration/method.hpp"
#include "results/record_values.hpp"

namespace daelab {
Options MethodRunSpec::options() { return {option("method", method, "method")}; }

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
  Json record = MethodRecord{none ? StatusCode::not_applicable : StatusCode::ok, none ? none->reason : "",
                             method_report(*method_), exact_coefficients(*method_)};
  record["spec"] = json();
  return {std::move(record)};
}

void members(JsonMembers& json, MethodRecord& record) {
  json("status", record.status)("cause", record.cause)("report", record.report)("coefficients", record.coefficients);
}

const RunKind& MethodRuns::kind() { return run_kind_of<MethodRun, MethodRunSpec>(); }

TableCell property_cell(const Property& property) {
  if (!property.applicable) return nullptr;
  return property.holds ? "yes" : "no";
}

std::string angle_text(double degrees) { return degrees == 90 ? "90°" : fmt::format("{:.2f}°", degrees); }

}  // namespace daelab
