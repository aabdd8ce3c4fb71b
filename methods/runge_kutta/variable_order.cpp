#include "methods/runge_kutta/variable_order.hpp"

#include "core/solvers/quadrature.hpp"
#include "methods/runge_kutta/order_progress.hpp"
#include "methods/runge_kutta/stage_memory.hpp"
#include "methods/runge_kutta/step_end.hpp"

namespace daelab {
namespace {

// After a change so many steps pass before the next one, after one that a failure asked for more [HW99]; and on index
// 3, where a change costs rejected steps: accelerations at the start, which the estimate takes, have the old order.
constexpr int rest_after_change = 2, rest_after_failure = 10, rest_on_index_3 = 20;

// Runs of the seven-body mechanism on index 3 take more evaluations with seven stages than with five down to 1E-10.
constexpr Index most_stages_on_index_3 = 5;

// In tolerances. With a quarter of one, steps of seven stages pass that are a fiftieth as many as with three.
constexpr double most_round_off = 0.5;

// 0 where the first stage is explicit, then the nodes of the others.
Vector<Real100> nodes_of(const Stages& stages) {
  const Index first = stages.explicit_first ? 1 : 0;
  Vector<Real100> nodes = Vector<Real100>::Zero(first + stages.c.size());
  nodes.tail(stages.c.size()) = stages.c;
  return nodes;
}

Matrix<Real100> resampling(const Vector<Real100>& nodes, const Vector<Real100>& others) {
  Matrix<Real100> powers(nodes.size(), others.size());
  powers.row(0).setOnes();
  for (Index k = 1; k < powers.rows(); ++k) powers.row(k) = powers.row(k - 1).cwiseProduct(others.transpose());
  return lagrange_basis(nodes).lazyProduct(powers);
}

// What the stepper keeps in State::memory: what it has decided, the memory of the rung that made the last step, split
// into its stages and what it keeps when a step is dropped, and the rung that has kept it.
template <class T>
struct LadderMemory {
  static constexpr Index decided = 3;
  static Index size(Index passed, Index kept) { return decided + passed + kept + 1; }
  LadderMemory(auto& memory, Index kept)
      : of(memory[0]),
        next(memory[1]),
        rest(memory[2]),
        passed(memory.data() + decided),
        kept(memory.data() + memory.size() - kept - 1),
        keeper(memory[memory.size() - 1]) {}
  T& of;    // rung of the stages, counted from 1; 0: there are none
  T& next;  // rung to go on with, counted from 1; 0: the first
  T& rest;  // steps to pass before the order may change by choice
  T* passed;
  T* kept;
  T& keeper;  // rung of what is kept, counted from 1
};

template <class T>
class VariableOrderRungeKutta final : public Stepper<T> {
 public:
  VariableOrderRungeKutta(const TableauLadder& ladder, System<T>& system, const NewtonOptions& newton)
      : system_(system), coefficients_(ladder.coefficients), values_(coefficients_->values()), N_(system.size()) {
    for (const auto& prepared : ladder.rungs) {
      const Stages& stages = prepared->stages();
      if (system.index() == 3 && stages.c.size() > most_stages_on_index_3) break;
      rungs_.push_back(
          {make_fully_implicit_runge_kutta<T>(prepared, system, newton), prepared->tableau().claimed_order});
      if (system.index() >= 2 && N_ > system.differential())
        rungs_.back().round_off = static_cast<double>(epsilon<T>()) * norm_behind_coefficients(stages);
    }
    slope_.setZero(N_);
  }

  std::vector<std::string> newton_options() const override { return rungs_[0].stepper->newton_options(); }
  Index memory_size() const override { return controlled_ ? LadderMemory<T>::size(passed_size_, kept_size_) : 0; }
  Index kept_size() const override { return controlled_ ? kept_size_ + 1 : 0; }

  // A rung whose stages have round-off near these tolerances is left out, and those above it.
  void control(const Tolerances<T>& tolerances) override {
    controlled_ = true;
    error_norm_ = ErrorNorm<T>(tolerances, system_);
    for (std::size_t i = 0; i < rungs_.size(); ++i) {
      if (i > 0 && rungs_[i].round_off > most_round_off * static_cast<double>(tolerances.relative)) {
        rungs_.resize(i);
        break;
      }
      rungs_[i].stepper->control(tolerances);
      for (const Warning& warning : rungs_[i].stepper->warnings()) this->warn(warning.kind, warning.text);
    }
    facts_.assign(values_.facts.begin(), values_.facts.begin() + static_cast<long>(rungs_.size()));
    for (std::size_t i = 0; i < rungs_.size(); ++i) prepare(i);
  }

  T first_step(const State<T>& start, const T& length) const override {
    return rungs_[0].stepper->first_step(start, length);
  }

  Status step(const State<T>& from, const T& h, State<T>& to) override {
    if (!controlled_)
      return {StatusCode::not_applicable,
              "the order is chosen by estimates of the error: set rtol or atol instead of h, or choose one order"};
    used_ = rung_for(from);
    Rung& rung = rungs_[used_];
    start_from(from, rung);
    to.memory.swap(rung.memory);
    const Status status = counted(rung, [&] { return rung.stepper->step(rung.from, h, to); });
    to.memory.swap(rung.memory);
    store(rung, from, to);
    return status;
  }

  StepDecision<T> judge(const State<T>& from, const T& h, State<T>& to, int failures) override {
    Rung& rung = rungs_[used_];
    rung.from.control = from.control;
    to.memory.swap(rung.memory);
    StepDecision<T> decision = counted(rung, [&] { return rung.stepper->judge(rung.from, h, to, failures); });
    to.memory.swap(rung.memory);
    store(rung, from, to);
    if (decision.accepted)
      choose_next(from, h, failures, to, decision);
    else
      to.control.order = rungs_[used_].order;
    return decision;
  }

  Retry<T> retry(const State<T>& from, const T& h, int failures) const override {
    return {rungs_[used_].stepper->retry(from, h, failures).h, rungs_[failures == 0 ? used_ : below(used_)].order};
  }

 private:
  struct Rung {
    std::unique_ptr<Stepper<T>> stepper;
    int order;
    double round_off = 0;                   // of slopes times h, where constraints fix the stages
    State<T> from = {};                     // of its step, with its own memory
    Vector<T> memory = {};                  // what it leaves
    std::vector<Matrix<T>> resampled = {};  // from each rung
    Index nodes = 0;                        // the explicit first stage included
    Vector<T> upper = {}, lower = {};       // weights of RungFacts
  };

  void prepare(std::size_t i) {
    Rung& rung = rungs_[i];
    const Index size = rung.stepper->memory_size(), kept = rung.stepper->kept_size();
    passed_size_ = std::max(passed_size_, size - kept), kept_size_ = std::max(kept_size_, kept);
    for (Vector<T>* x : {&rung.from.memory, &rung.memory}) x->setZero(size);
    for (std::size_t j = 0; j < rungs_.size(); ++j)
      rung.resampled.push_back(values_.resampling[i][j].template cast<T>());
    rung.nodes = values_.nodes[i].size();
    rung.upper = facts_[i].upper.template cast<T>(), rung.lower = facts_[i].lower.template cast<T>();
  }

  std::size_t below(std::size_t rung) const { return rung > 0 ? rung - 1 : 0; }
  LadderMemory<const T> memory_of(const State<T>& state) const { return {state.memory, kept_size_}; }
  LadderMemory<T> memory_of(State<T>& state) const { return {state.memory, kept_size_}; }

  // By the failed attempt before, or as the step before has decided.
  std::size_t rung_for(const State<T>& from) const {
    for (std::size_t i = 0; i < rungs_.size(); ++i)
      if (rungs_[i].order == from.control.order) return i;
    return next_of(from);
  }
  std::size_t next_of(const State<T>& from) const {
    const auto next = static_cast<int>(memory_of(from).next);
    return next == 0 ? 0 : static_cast<std::size_t>(next - 1);
  }

  auto counted(Rung& rung, const auto& call) {
    const Statistics before = rung.stepper->statistics();
    auto result = call();
    const Statistics& now = rung.stepper->statistics();
    this->statistics_.steps += now.steps - before.steps;
    this->statistics_.newton_iterations += now.newton_iterations - before.newton_iterations;
    this->statistics_.residuals += now.residuals - before.residuals;
    this->statistics_.jacobians += now.jacobians - before.jacobians;
    this->statistics_.factorizations += now.factorizations - before.factorizations;
    this->statistics_.back_solves += now.back_solves - before.back_solves;
    return result;
  }

  // The state as the rung left it, or as it would have: with the polynomial through the stages of another one, and
  // without a Jacobian.
  void start_from(const State<T>& from, Rung& rung) {
    const auto memory = memory_of(from);
    const Index kept = rung.stepper->kept_size(), passed = rung.memory.size() - kept;
    const T name = T(static_cast<int>(used_) + 1);
    rung.from.t = from.t, rung.from.y = from.y, rung.from.ydot = from.ydot;
    rung.from.compensation = from.compensation;
    rung.from.memory_step = from.memory_step, rung.from.control = from.control;
    if (memory.of == name) {
      rung.from.memory.head(passed) = Eigen::Map<const Vector<T>>(memory.passed, passed);
    } else if (memory.of != T(0)) {
      const Matrix<T>& weights = rung.resampled[static_cast<std::size_t>(static_cast<int>(memory.of) - 1)];
      const Eigen::Map<const Matrix<T>> stages(memory.passed, N_, weights.rows());
      Eigen::Map<Matrix<T>>(rung.from.memory.data(), N_, weights.cols()) = stages.lazyProduct(weights);
    }
    if (memory.keeper == name)
      rung.from.memory.tail(kept) = Eigen::Map<const Vector<T>>(memory.kept, kept);
    else
      rung.from.memory.tail(kept).setZero();
  }

  void store(const Rung& rung, const State<T>& from, State<T>& to) {
    auto memory = memory_of(to);
    const auto before = memory_of(from);
    const Index kept = rung.stepper->kept_size(), passed = rung.memory.size() - kept;
    const T name = T(static_cast<int>(used_) + 1);
    memory.of = memory.next = memory.keeper = name;
    memory.rest = before.rest;
    Eigen::Map<Vector<T>>(memory.passed, passed) = rung.memory.head(passed);
    Eigen::Map<Vector<T>>(memory.kept, kept) = rung.memory.tail(kept);
  }

  void choose_next(const State<T>& from, const T& h, int failures, State<T>& to, StepDecision<T>& decision) {
    auto memory = memory_of(to);
    const bool lowered = used_ < next_of(from);
    int rest = lowered ? rest_after_failure : std::max(static_cast<int>(memory_of(from).rest) - 1, 0);
    memory.next = T(static_cast<int>(used_) + 1);
    if (rest == 0) {
      const RungChoice choice = choose_rung(facts_, used_, decay_of(from, h, to, decision), failures == 0);
      if (choice.rung != used_) {
        rest = system_.index() == 3 ? rest_on_index_3 : rest_after_change;
        decision.h *= T(failures > 0 ? std::min(choice.ratio, 1.0) : choice.ratio);
        to.control.error = 0;  // that of another order; and slopes at the start are as good as the old one makes them
        memory.next = T(static_cast<int>(choice.rung) + 1);
      }
    }
    memory.rest = T(rest);
  }

  ShownDecay decay_of(const State<T>& from, const T& h, const State<T>& to, const StepDecision<T>& decision) {
    const Rung& rung = rungs_[used_];
    error_norm_.weigh(from.y);
    const Index implicit = rung.upper.size(), first = rung.nodes - implicit;
    const Eigen::Map<const Matrix<T>> slopes(memory_of(to).passed + N_ * first, N_, implicit);
    const auto size = [&](const Vector<T>& weights) {
      slope_ = slopes.lazyProduct(weights);
      return static_cast<double>(T(h * error_norm_(slope_)));
    };
    return {static_cast<double>(decision.error), size(rung.upper), size(rung.lower)};
  }

  System<T>& system_;
  std::vector<Rung> rungs_;
  std::shared_ptr<const LadderCoefficients> coefficients_;
  const LadderCoefficients::Values& values_;
  std::vector<RungFacts> facts_;  // of the rungs left in
  std::size_t used_ = 0;
  Index N_;
  bool controlled_ = false;
  Index passed_size_ = 0, kept_size_ = 0;  // the largest of any rung
  ErrorNorm<T> error_norm_;
  Vector<T> slope_;
};

}  // namespace

const LadderCoefficients::Values& LadderCoefficients::values() const {
  return values_.get([this] {
    Values values;
    for (const auto& rung : rungs_) {
      values.facts.emplace_back(rung->stages());
      values.nodes.push_back(nodes_of(rung->stages()));
    }
    for (const auto& to : values.nodes) {
      std::vector<Matrix<Real100>>& of_rung = values.resampling.emplace_back();
      for (const auto& from : values.nodes) of_rung.push_back(resampling(from, to));
    }
    return values;
  });
}

template <class T>
std::unique_ptr<Stepper<T>> make_variable_order_runge_kutta(const TableauLadder& ladder, System<T>& system,
                                                            const NewtonOptions& newton) {
  return std::make_unique<VariableOrderRungeKutta<T>>(ladder, system, newton);
}

#define DAELAB_INSTANTIATE(T)                                                                               \
  template std::unique_ptr<Stepper<T>> make_variable_order_runge_kutta<T>(const TableauLadder&, System<T>&, \
                                                                          const NewtonOptions&);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
