// A run: one problem x formulation x method x step size or tolerance x scalar. The unit that is scheduled and stored.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/equations/formulation.hpp"
#include "core/integration/method.hpp"
#include "core/mechanism/problem.hpp"
#include "lab/runs/config.hpp"
#include "lab/runs/run_kind.hpp"
#include "lab/runs/run_spec.hpp"
#include "results/reference.hpp"
#include "results/run_record.hpp"

namespace daelab {

struct Context;

/// The numbers of a StateRecord where they are, valid during a call.
struct StateView {
  double t;
  std::span<const double> q, v, a, lambda, y;
};

/// Is told of a run while it is made. It may stop the run by throwing: what it throws leaves integrate().
class RunListener {
 public:
  virtual ~RunListener() = default;
  /// After each attempt at a step: the run is at t, on its way from t_start to t_end.
  virtual void reached(double t, double t_start, double t_end) = 0;
  /// As soon as the method knows of it.
  virtual void warned(const Warning& warning) = 0;
  /// Whether it wants stepped(): records of states cost as much as cheap steps.
  virtual bool follows_states() const { return false; }
  /// Times at which it wants stepped() instead of at step ends, by dense output [s]: ascending, within the run. A
  /// specification need not have them: states do not depend on who looks.
  virtual std::vector<double> times() const { return {}; }
  /// Whether the rows of a trajectory are at the samples of the run, where it has some, instead of at step ends.
  virtual bool trajectory_at_samples() const { return false; }
  /// At the start and after each accepted step, or at times(), in the first chart of the problem: for runs in double,
  /// and for those in other scalars.
  virtual void stepped(const StateView& /*state*/) {}
  virtual void stepped(const StateRecord& /*state*/) {}
};

/// A completed specification with the components it names, each made once.
class Run final : public SpecifiedRun {
 public:
  /// Completes a specification: names resolved, automatic values replaced by what they stand for. Throws InputError
  /// under `where` for one that no run can be made of: values out of range, unknown names, inconsistent initial values.
  /// It is bound in `context` and carried out in it, whichever thread asks; null: in that of the thread, both times.
  static std::shared_ptr<const Run> of(RunSpec spec, const std::string& where = "", const Context* context = nullptr);
  /// Overload for a specification in JSON.
  static std::shared_ptr<const Run> bind(const Json& json, const std::string& where);
  /// For the runs of a config, which share what they have in common: a RunBuilder.
  static std::unique_ptr<RunBinder> binder();

  const RunSpec& spec() const { return spec_; }
  /// The start time of the problem [s].
  const Real100& t_start() const { return parts_->t_start; }
  const Exact& t_end() const { return *spec_.t_end; }
  /// From the start to the end time, above 0 [s].
  Real100 length() const { return t_end().value() - t_start(); }
  /// "index-1", "baumgarte:alpha=10"
  std::string formulation_text() const { return spec_.formulation->text(); }
  const Problem& problem() const { return *parts_->problem; }
  const Formulation& formulation() const { return *parts_->formulation; }
  /// Traits of what the formulation makes of the problem.
  const FormulationTraits& equations() const { return parts_->equations; }
  const Method& method() const { return *parts_->method; }
  const MultiplierSolver& multiplier_solver() const { return *parts_->multiplier_solver; }
  /// For its start, in place of the problem's own.
  const StartValues& start() const { return parts_->start; }
  /// Absolute tolerances of single components.
  const std::vector<NamedValue>& atol_components() const { return parts_->atol_components; }
  /// As they were when the run was bound; none for a start of its own.
  const References& references() const { return parts_->references; }

  /// The classes of entries of its states: y of ordinary differential equations, otherwise q, v, a, lambda, and y of
  /// first-order states beside them.
  const std::vector<std::string>& classes() const { return parts_->classes; }
  bool is_ode() const { return classes().front() == "y"; }

  /// Carries it out, until its context is interrupted. A failed run is a record with its status and cause; the
  /// trajectory is CSV, "" unless asked for.
  struct Outcome {
    RunRecord record;
    std::string trajectory;
    bool interrupted = false;
  };
  Outcome integrate(RunListener* listener = nullptr) const;

  Json inputs() const override;
  double expected_cost() const override;
  RunOutcome execute() const override;

 private:
  friend class RunBuilder;
  struct Components {
    std::shared_ptr<Problem> problem;
    std::shared_ptr<Formulation> formulation;
    std::shared_ptr<Method> method;
    std::shared_ptr<MultiplierSolver> multiplier_solver;
  };
  struct NamedParts {
    StartValues start;
    std::vector<NamedValue> atol_components;
  };
  /// What runs share whose specifications differ in nothing that it depends on.
  struct Parts : Components, NamedParts {
    Real100 t_start;
    FormulationTraits equations;
    std::vector<std::string> classes;
    References references;
  };
  Run(RunSpec spec, Json json, std::shared_ptr<const Parts> parts);

  RunSpec spec_;
  std::shared_ptr<const Parts> parts_;
  const Context* context_ = nullptr;
};

/// Time integrations: what the runs of an experiment are unless it says otherwise.
struct Integrations {
  using Run = daelab::Run;
  using Record = RunRecord;
  static const RunKind& kind();
};

/// The i-th run of a config of time integrations.
const Run& integration(const Config& config, std::size_t i);

}  // namespace daelab
