// A linear run: one linear problem x multiplier solver x scalar, as experiments on linear problems make them.
//
// The solver named solves A0 x = b0 first, so that whatever it keeps from one solve to the next is that of the known
// system, and then A x = b. What the theory says of the symmetric rank-one iteration is measured beside it on the
// literal iteration started from the exact A0^+, whatever the solver (analysis/sr1_properties.hpp), and so are the
// steps and products of the method with line search.
#pragma once

#include "analysis/classical_sr1.hpp"
#include "analysis/sr1_properties.hpp"
#include "core/base/component_spec.hpp"
#include "core/base/exact.hpp"
#include "core/base/status.hpp"
#include "core/solvers/linear_problem.hpp"
#include "core/solvers/multiplier_solver.hpp"
#include "core/solvers/sr1.hpp"
#include "lab/runs/run_kind.hpp"
#include "results/members.hpp"

namespace daelab {

struct LinearRunSpec {
  ComponentSpec problem;
  Scalar scalar = Scalar::binary64;
  Exact eps_abs = "1e-10";
  SkipTest skip = SkipTest::eps_abs_squared;
  int max_passes = 100;
  std::optional<ComponentSpec> multiplier_solver;  // none: the iteration itself, sr1-paper with the settings above

  Options options();
};

/// What a linear run leaves behind.
struct LinearRecord {
  Json spec;  // completed specification of the run
  Scalar scalar = Scalar::binary64;
  StatusCode status = StatusCode::ok;  // of the solver
  std::string cause;
  SolveReport report;  // its last solve
  double error = 0;    // |x - A^+ b| / |A^+ b|
  Vector<Real50> x;
  Sr1Properties properties;
  ClassicalSr1 classical;  // with line search, from the same A0^+
};

void members(JsonMembers& json, Sr1Properties& properties);
void members(JsonMembers& json, LinearRecord& record);

class LinearRun final : public SpecifiedRun {
 public:
  /// Throws InputError under `where`.
  static std::shared_ptr<const LinearRun> bind(const Json& json, const std::string& where);
  const LinearRunSpec& spec() const { return spec_; }
  double expected_cost() const override { return spec_.scalar == Scalar::binary64 ? 1 : 100; }
  RunOutcome execute() const override;

 private:
  LinearRun(LinearRunSpec spec, std::shared_ptr<LinearProblem> problem, std::shared_ptr<MultiplierSolver> solver)
      : SpecifiedRun(spec.options().write()),
        spec_(std::move(spec)),
        problem_(std::move(problem)),
        solver_(std::move(solver)) {}
  LinearRunSpec spec_;
  std::shared_ptr<LinearProblem> problem_;
  std::shared_ptr<MultiplierSolver> solver_;
};

struct LinearRuns {
  using Run = LinearRun;
  using Record = LinearRecord;
  static const RunKind& kind();
};

}  // namespace daelab
