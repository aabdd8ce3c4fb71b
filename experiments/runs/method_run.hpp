// A method run: the report card of one method (analysis/method_report.hpp). No problem, no integration.
#pragma once

#include <string>

#include "analysis/method_report.hpp"
#include "core/base/options.hpp"
#include "experiments/runs/run_kind.hpp"

namespace daelab {

struct MethodRunSpec {
  Json method;

  Options options();
};

class MethodRun final : public BoundRun {
 public:
  /// Throws InputError under `where`.
  static std::shared_ptr<const MethodRun> bind(const Json& json, const std::string& where);
  const Method& method() const { return *method_; }
  /// Record: "status" and "cause" (not-applicable for a method without coefficients, and why), "report", as `daelab
  /// show method --json` prints it, and its "coefficients".
  RunOutcome execute() const override;
  /// The formulations: reports say what is predicted on each of them.
  Json inputs() const override;

 private:
  MethodRun(Json json, std::shared_ptr<Method> method) : BoundRun(std::move(json)), method_(std::move(method)) {}
  std::shared_ptr<Method> method_;
};

struct MethodRuns {
  using Run = MethodRun;
  using Record = Json;
  static const RunKind& kind();
};

/// "yes", "no", or null where it does not apply.
Json property_cell(const Json& property);

/// "86.03°"
std::string angle_text(double degrees);

}  // namespace daelab
