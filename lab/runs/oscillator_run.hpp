// An oscillator run: one method on the damped oscillator over a range of Omega = omega h. No integration.
#pragma once

#include "analysis/oscillator.hpp"
#include "core/base/component_spec.hpp"
#include "core/base/status.hpp"
#include "core/integration/method.hpp"
#include "lab/runs/experiment.hpp"
#include "results/members.hpp"

namespace daelab {

struct OscillatorRunSpec {
  ComponentSpec method;
  Exact zeta = 0, from = "1/100", to = 10000;
  int points = 400;

  Options options();
};

class OscillatorRun final : public SpecifiedRun {
 public:
  /// Throws InputError under `where`.
  static std::shared_ptr<const OscillatorRun> bind(const Json& json, const std::string& where);
  const OscillatorRunSpec& spec() const { return spec_; }
  double expected_cost() const override { return spec_.points; }
  RunOutcome execute() const override;

 private:
  OscillatorRun(OscillatorRunSpec spec, std::shared_ptr<Method> method)
      : SpecifiedRun(spec.options().write()), spec_(std::move(spec)), method_(std::move(method)) {}
  OscillatorRunSpec spec_;
  std::shared_ptr<Method> method_;
};

/// What a method does to the oscillator.
struct OscillatorMeasures {
  double rho_infinity = 0, stability_limit = 0;  // infinite where they are
  OscillatorResponse ten_steps_a_period;
  std::optional<Oscillator::OvershootPowers> overshoot;
  struct Curves {
    std::vector<double> Omega, spectral_radius, period_error, damping_ratio;  // NaN where there is none
  };
  Curves curves;
};

struct OscillatorRecord {
  StatusCode status = StatusCode::ok;
  std::string cause;  // not-applicable for a method without coefficients, and why
  Property unconditionally_stable;
  std::optional<OscillatorMeasures> measures;  // where the status is ok

  bool ok() const { return status == StatusCode::ok; }
};

/// {"status", "cause", "unconditionally_stable"}, and the measures: "rho_infinity", "stability_limit",
/// "ten_steps_a_period", "overshoot", "curves".
void members(JsonMembers& json, OscillatorRecord& record);

struct OscillatorRuns {
  using Run = OscillatorRun;
  using Record = OscillatorRecord;
  static const RunKind& kind();
};

using FinishedOscillatorRun = Finished<OscillatorRun, OscillatorRecord>;

}  // namespace daelab
