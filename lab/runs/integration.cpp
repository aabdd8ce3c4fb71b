#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "analysis/predicted_order.hpp"
#include "core/base/context.hpp"
#include "core/base/norm.hpp"
#include "core/integration/algebraic_warning.hpp"
#include "core/integration/drift_warning.hpp"
#include "core/integration/error_jumps.hpp"
#include "core/start/consistent_start.hpp"
#include "core/start/hidden_constraints.hpp"
#include "lab/runs/end_error.hpp"
#include "lab/runs/end_warnings.hpp"
#include "lab/runs/integration.hpp"
#include "lab/runs/recorded.hpp"
#include "results/reference.hpp"

// Carrying out a run: system, start, observers, the way to the end time, and the record of it.
namespace daelab {
namespace {

template <class T>
std::unique_ptr<Model<T>> model_of(const Run& run) {
  auto model = run.problem().model(As<T>{});
  run.start().put_into(*model);
  return model;
}

template <class T>
State<T> initial_state(Model<T>& model, const System<T>& system) {
  State<T> state;
  state.t = model.initial_t();
  state.y.setZero(system.size()), state.ydot.setZero(system.size()), state.compensation.setZero(system.size());
  const Vector<T> y = model.initial_y();
  state.y.head(y.size()) = y;
  if (const MechanicalModel<T>* const mechanism = model.mechanical())
    state.y.segment(y.size(), mechanism->multipliers()) = mechanism->initial_multipliers();
  return state;
}

// Derivatives and algebraic components at the start; where they are not finite, the equation is named.
template <class T>
Status complete_start(Model<T>& model, System<T>& system, State<T>& state) {
  Status status = system.consistent_start(state.t, state.y, state.ydot);
  if (status.ok() && !(max_norm(state.ydot) <= std::numeric_limits<T>::max()))
    status = {StatusCode::non_finite, "the derivatives at the start are not finite"};
  if (status.code != StatusCode::non_finite) return status;
  model.seek_domain_error();
  system.consistent_start(state.t, state.y, state.ydot);
  if (const std::string equation = model.domain_error(); !equation.empty()) status.cause += "; " + equation;
  return status;
}

// Consistent (q, v, a, lambda), or what the spec asks for instead; what was found of a mechanism goes to `found`.
template <class T>
Status start_run(const Run& run, Model<T>& model, System<T>& system, State<T>& state,
                 std::optional<StartRecord>& found) {
  const StartAnalysis analysis = run.spec().start.analysis;
  MechanicalModel<T>* const mechanism = model.mechanical();
  if (mechanism == nullptr) {
    if (analysis == StartAnalysis::project)
      if (Status status = project_onto_hidden_constraints(*model.ordinary(), state.y,
                                                          run.start().weights_of_states<T>(state.y.size()));
          !status.ok())
        return status;
    return complete_start(model, system, state);
  }
  const Index n = mechanism->coordinates();
  Vector<T> q = state.y.head(n), v = state.y.segment(n, n);
  const StartReport report = analyse_start(*mechanism, q, v);
  if (analysis == StartAnalysis::project) {
    if (Status status = project_start(*mechanism, q, v, run.start().weights<T>(n)); !status.ok()) return status;
    state.y.head(n) = q, state.y.segment(n, n) = v;
  }
  found = {report.position_residual, report.velocity_residual, report.rank};
  Status status = complete_start(model, system, state);
  if (!status.ok() && report.rank < report.constraints)
    status.cause = fmt::format(
        "{} (rank {} of {} constraints at the start: redundant constraints or a singular "
        "configuration)",
        status.cause, report.rank, report.constraints);
  if (analysis == StartAnalysis::zero_acceleration) state.ydot.segment(n, n).setZero();
  Vector<T> a = state.ydot.segment(n, n);
  run.start().put_accelerations(*mechanism, q, v, a);
  state.ydot.segment(n, n) = a;
  return status;
}

template <class T>
std::vector<T> sample_times(const Run& run) {
  const RunSpec& spec = run.spec();
  std::vector<T> times;
  for (const Exact& t : spec.samples) times.push_back(t.as<T>());
  if (!spec.sample_every) return times;
  // The end belongs to the samples also where 100 digits round it away, as for 1/10 over 1/50.
  const Real100 every = spec.sample_every->value(), length = run.length();
  for (long k = 0; k * every < length - every / 1000; ++k)
    times.push_back(static_cast<T>(Real100(run.t_start() + k * every)));
  if (const Real100 count = length / every; abs(count - round(count)) < Real100("1e-3"))
    times.push_back(run.t_end().as<T>());
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

void refuse_other_formulations(const Method& method, const Formulation& formulation) {
  const std::vector<std::string> allowed = method.formulations();
  if (!allowed.empty() && std::ranges::find(allowed, formulation.name()) == allowed.end())
    throw NotApplicable(fmt::format("{} is for {}", method.name(), fmt::join(allowed, ", ")));
}

}  // namespace

template <class T>
Integration<T>::Integration(const Run& run, RunListener* listener)
    : run_(run),
      listener_(listener),
      spec_(run.spec()),
      times_(sample_times<T>(run)),
      model_(model_of<T>(run)),
      layout_(layout_of(*model_)),
      multipliers_(run.multiplier_solver().bind(As<T>{}, layout_.n, constraints_of(*model_))),
      system_(make_system()),
      state_(initial_state(*model_, *system_)),
      drift_(*model_, system_->accelerations()),
      observers_{&drift_} {
  layout_.accelerations = system_->accelerations();
  if (spec_.trajectory > 0) trajectory_.emplace(*model_, spec_.trajectory, system_->accelerations());
  if (!spec_.invariants.empty())
    observers_.push_back(&invariants_.emplace(*model_, spec_.invariants, system_->accelerations()));
  if (spec_.history) observers_.push_back(&history_);
}

template <class T>
Run::Outcome Integration<T>::carry_out() {
  const Stopwatch stopwatch;
  guarded([this] {
    status_ = set_up();
    if (status_.ok()) status_ = advance();
  });
  if (!refused_) guarded([this] { collect(); });
  static_cast<RunTime&>(record_.stats) = stopwatch.time();
  describe();
  return {std::move(record_), trajectory_ ? trajectory_->csv() : "", status_.code == StatusCode::interrupted};
}

template <class T>
void Integration<T>::guarded(auto&& part) {
  try {
    part();
  } catch (const NotApplicable& refusal) {
    status_ = {StatusCode::not_applicable, refusal.what()};
    refused_ = true;
  }
}

template <class T>
std::unique_ptr<System<T>> Integration<T>::make_system() {
  auto system = run_.formulation().system(*model_, *multipliers_);
  if (spec_.jacobian.source == JacobianSource::exact) return system;
  auto differenced = std::make_unique<DifferencedSystem<T>>(std::move(system), spec_.jacobian);
  differenced_ = differenced.get();
  return differenced;
}

// To the start of the run.
template <class T>
Status Integration<T>::set_up() {
  refuse_other_formulations(run_.method(), run_.formulation());
  stepper_ = run_.method().stepper(*system_, spec_.newton);
  if (spec_.adaptive()) {
    stepper_->control(tolerances());
    observers_.push_back(&accumulation_.emplace(spec_.rtol->as<double>()));
  }
  if (trajectory_) record_trajectory();
  sampler_.emplace(*model_, *system_, times_, stepper_.get());
  if (!times_.empty()) observers_.push_back(&*sampler_);
  if (listener_ != nullptr) observers_.push_back(&announcer_.emplace(*stepper_, run_, *listener_));
  if (listener_ != nullptr && listener_->follows_states()) follow_states();
  const Status status = start_run(run_, *model_, *system_, state_, record_.start);
  start_size_ = largest_value(*model_, state_);
  watch_.emplace(*model_, *system_, *stepper_, static_cast<T>(run_.length()));
  interruptions_.watch = &*watch_;
  interruptions_.detect_discontinuities = spec_.discontinuities != Discontinuities::ignore;
  jumps_ = jump_indicator();
  interruptions_.jumps = jumps_.get();
  interruptions_.model = model_.get();
  if (spec_.adaptive()) limit_steps();
  if (spec_.max_steps) interruptions_.max_steps = static_cast<long>(spec_.max_steps->as<double>());
  watch_singular_positions();
  growth_.emplace(*system_, [this] { return run_.method().stepper(*system_, spec_.newton); });
  if (!spec_.adaptive()) interruptions_.guards.push_back(&*growth_);
  if (spec_.adaptive()) watch_conditions();
  return status;
}

// By what error estimates do not see.
template <class T>
void Integration<T>::limit_steps() {
  interruptions_.conditions = &conditions_.emplace(*model_, *system_, state_.t, run_.t_end().as<T>());
  interruptions_.guards.push_back(&drives_.emplace(*model_));
  if (spec_.max_step) interruptions_.max_step = spec_.max_step->as<T>();
}

// Conditions of the motion alone: error control meets these.
template <class T>
void Integration<T>::watch_conditions() {
  if (!stepper_->chooses_steps() && !stepper_->is_multistep())
    crossings_.emplace(*system_, tolerances(), [this] { return run_.method().stepper(*system_, spec_.newton); });
  interruptions_.guards.push_back(
      &sliding_.emplace(*model_, run_.t_end().as<T>(), crossings_ ? &*crossings_ : nullptr));
}

template <class T>
void Integration<T>::record_trajectory() {
  if (times_.empty() || listener_ == nullptr || !listener_->trajectory_at_samples())
    observers_.push_back(&*trajectory_);
  else
    observers_.push_back(&rows_.emplace(
        *model_, *system_, times_, stepper_.get(), [this](const State<T>& state) { trajectory_->start(state); },
        Chart::present));
}

template <class T>
void Integration<T>::follow_states() {
  states_.emplace(*model_, *system_, layout_, *listener_);
  const std::vector<double> times = listener_->times();
  if (times.empty())
    observers_.push_back(&*states_);
  else
    observers_.push_back(&followed_.emplace(*model_, *system_, std::vector<T>(times.begin(), times.end()),
                                            stepper_.get(),
                                            [this](const State<T>& state) { states_->pass_on(state); }));
}

template <class T>
void Integration<T>::watch_singular_positions() {
  if (spec_.singular != Singular::ignore && SingularityWatch<T>::watches(*model_))
    interruptions_.guards.push_back(&singularity_.emplace(*model_, spec_.singular == Singular::stop));
  if (spec_.singular != Singular::restart || !singularity_) return;
  refuse_restart();
  observers_.push_back(&restart_.emplace(*model_->mechanical(), *system_, *singularity_));
  interruptions_.restart = &*restart_;
}

template <class T>
void Integration<T>::refuse_restart() const {
  if (!spec_.adaptive()) throw NotApplicable("singular = restart is for runs with error control: set rtol or atol");
  if (model_->mechanical() == nullptr) throw NotApplicable("singular = restart is for constraints of mechanisms");
  if (!model_->mechanical()->groups().empty())
    throw NotApplicable("singular = restart is not for rotations as states, whose coordinates change on the way");
}

// Null where three failures alone tell of a jump.
template <class T>
std::unique_ptr<JumpIndicator<T>> Integration<T>::jump_indicator() const {
  switch (spec_.discontinuities) {
    case Discontinuities::ignore:
    case Discontinuities::detect:
      return nullptr;
    case Discontinuities::watch_force:
      return quantity_jumps(WatchedQuantity::force);
    case Discontinuities::watch_jacobian:
      return quantity_jumps(WatchedQuantity::jacobian);
    case Discontinuities::watch_differences:
      return std::make_unique<ErrorJumps<T>>();
  }
  return nullptr;
}

// Throws NotApplicable where there is no mechanism.
template <class T>
std::unique_ptr<JumpIndicator<T>> Integration<T>::quantity_jumps(WatchedQuantity quantity) const {
  if (model_->mechanical() == nullptr)
    throw NotApplicable("discontinuities = " + name_of(spec_.discontinuities) +
                        " is for mechanisms: ordinary differential equations have neither forces nor constraints");
  return std::make_unique<QuantityJumps<T>>(*model_->mechanical(), quantity, system_->accelerations());
}

template <class T>
Tolerances<T> Integration<T>::tolerances() const {
  Tolerances<T> tolerances{spec_.rtol->as<T>(), spec_.atol->as<T>(), spec_.atol_velocity->as<T>()};
  for (const NamedValue& x : run_.atol_components()) tolerances.absolute_of.emplace_back(x.place, x.value.as<T>());
  return tolerances;
}

template <class T>
FixedSteps<T> Integration<T>::fixed_steps() const {
  std::vector<T> pattern;
  for (const Exact& ratio : spec_.step_pattern) pattern.push_back(ratio.as<T>());
  return FixedSteps<T>(spec_.h->as<T>(), std::move(pattern));
}

template <class T>
Status Integration<T>::advance() {
  if (!spec_.adaptive())
    return integrate<T>(*stepper_, state_, run_.t_end().as<T>(), fixed_steps(), observers_, &interruptions_);
  const T first = spec_.h ? spec_.h->as<T>() : T(0);
  return integrate_adaptive<T>(*stepper_, state_, run_.t_end().as<T>(), first, observers_, &interruptions_);
}

// Theory is asked where it decides, since it may take longer than a short run.
// Where stability limits the steps errors are damped: of 134 such runs one is more than 10 tolerances off
// (docs/trust.md).
template <class T>
std::optional<Warning> Integration<T>::accumulation_warning() {
  const auto is_stiff = [](const Warning& warning) { return warning.kind == "stiff"; };
  if (!accumulation_ || std::ranges::any_of(stepper_->warnings(), is_stiff)) return {};
  if (accumulation_->hangs_on_order())
    if (const auto order = counted_order_of_q(run_.method(), run_.equations())) accumulation_->limit_order(*order);
  return accumulation_->warning();
}

template <class T>
void Integration<T>::collect() {
  record_.multipliers = multipliers_->statistics();  // of the run, before a last solve looks at its end
  if (!watch_->idle() || interruptions_.detect_discontinuities)
    record_.events = recorded(*watch_, interruptions_.discontinuities);
  static_cast<Statistics&>(record_.stats) = stepper_->statistics();
  collect_warnings();
  if (!status_.ok() || !spec_.adaptive()) return;
  if (const auto text = drift_warning(*system_, state_, tolerances())) record_.warnings.push_back({"drift", *text});
  if (const auto text = algebraic_warning(*system_, state_, tolerances()))
    record_.warnings.push_back({"algebraic", *text});
}

template <class T>
void Integration<T>::collect_warnings() {
  record_.warnings = stepper_->warnings();
  if (const auto accumulation = accumulation_warning()) record_.warnings.push_back(*accumulation);
  if (const std::string text = NewtonOptions::without_effect(run_.json()["newton"], stepper_->newton_options());
      !text.empty())
    record_.warnings.push_back({"newton", fmt::format("no effect on this method: the Newton option {}", text)});
  if (differenced_ != nullptr && differenced_->evaluations() == 0)
    record_.warnings.push_back({"jacobian", "no effect on this method: jacobian = differences; it evaluates none"});
  const double end = largest_value(*model_, state_);
  for (const auto& warning : {atol_warning(run_, std::max(start_size_, end)), mass_warning(*model_, state_)})
    if (warning) record_.warnings.push_back(*warning);
  for (const auto& warning : {watch_->warning(), conditions_ ? conditions_->warning() : std::nullopt})
    if (warning) record_.warnings.push_back(*warning);
  for (const Guard<T>* guard : interruptions_.guards)
    if (const auto warning = guard->warning()) record_.warnings.push_back(*warning);
  if (interruptions_.restart != nullptr)
    if (const auto warning = interruptions_.restart->warning()) record_.warnings.push_back(*warning);
}

// In the first chart, whichever the run ended in.
template <class T>
void Integration<T>::describe() {
  record_.spec = run_.json(), record_.scalar = spec_.scalar;
  record_.status = status_.code, record_.cause = status_.cause;
  record_.reaction = reaction(*model_, layout_, state_);
  if (!spec_.observables.empty()) record_.observables = observed(*model_, state_, spec_.observables);
  to_first_chart(*model_, *system_, state_);
  record_.state = recorded(*model_, layout_, state_);
  record_.max = maxima(*model_, drift_, run_.problem().conserves_energy());
  if (status_.ok() && state_.t == run_.t_end().as<T>()) record_.error = end_error(run_, model_->forms(), record_.state);
  if (refused_) record_.multipliers = multipliers_->statistics();
  record_.multipliers_note = record_.multipliers.note(constraints_of(*model_));
  if (!times_.empty()) {
    record_.samples.emplace();
    if (sampler_ && !refused_)
      for (const State<T>& sample : sampler_->samples()) record_.samples->push_back(recorded(*model_, layout_, sample));
  }
  if (invariants_) {
    record_.invariants.emplace();
    for (const ErrorBlockWriter& errors : invariants_->errors()) record_.invariants->push_back(errors.blocks());
  }
  if (spec_.history) record_.history = recorded(history_.rows());
}

#define DAELAB_INSTANTIATE(T) template class Integration<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

Run::Outcome Run::integrate(RunListener* listener) const {
  const Context::Scope scope(context_ != nullptr ? *context_ : Context::current());
#define DAELAB_RUN(T) \
  if (spec_.scalar == scalar_of<T>) return Integration<T>(*this, listener).carry_out();
  DAELAB_FOR_SCALARS(DAELAB_RUN)
#undef DAELAB_RUN
  throw std::logic_error("a scalar that no run has: " + name_of(spec_.scalar));
}

}  // namespace daelab
