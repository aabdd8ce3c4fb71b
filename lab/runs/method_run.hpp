// A method run: the report card of one method (analysis/method_report.hpp). No problem, no integration.
#pragma once

#include <string>

#include "analysis/exact_coefficients.hpp"
#include "analysis/method_report.hpp"
#include "core/base/component_spec.hpp"
#include "core/base/status.hpp"
#include "lab/runs/experiment.hpp"
#include "results/members.hpp"

namespace daelab {

struct MethodRunSpec {
  ComponentSpec method;

  Options options();
};

class MethodRun final : public SpecifiedRun {
 public:
  /// Throws InputError under `where`.
  static std::shared_ptr<const MethodRun> bind(const Json& json, const std::string& where);
  const Method& method() const { return *method_; }
  RunOutcome execute() const override;
  /// The formulations: reports say what is predicted on each of them.
  Json inputs() const override;

 private:
  MethodRun(Json json, std::shared_ptr<Method> method) : SpecifiedRun(std::move(json)), method_(std::move(method)) {}
  std::shared_ptr<Method> method_;
};

struct MethodRecord {
  StatusCode status = StatusCode::ok;
  std::string cause;  // not-applicable for a method without coefficients, and why
  MethodReport report;
  ExactCoefficients coefficients;

  bool ok() const { return status == StatusCode::ok; }
};

/// {"status", "cause", "report", "coefficients"}, the last two as `daelab show method --json` prints them.
void members(JsonMembers& json, MethodRecord& record);

struct MethodRuns {
  using Run = MethodRun;
  using Record = MethodRecord;
  static const RunKind& kind();
};

using FinishedMethodRun = Finished<MethodRun, MethodRecord>;

/// "yes", "no", or nothing where it does not apply.
TableCell property_cell(const Property& property);

/// "86.03°"
std::string angle_text(double degrees);

}  // namespace daelab
