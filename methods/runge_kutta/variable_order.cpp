#include "methods/runge_kutta/variable_order.hpp"

#include <optional>
#include <utility>

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

// What the stepper keeps in State::memory: what it has decided, and the memories of its orders.
template <class T>
struct FamilyMemory {
  std::vector<StageMemory<T>> of_order;                 // what each has left of its last step
  std::optional<std::size_t> rung_of_stages, keeper{};  // whose stages, and whose Jacobian, are those to go on from
  std::size_t next = 0;                                 // order to go on with
  int rest = 0;                                         // steps to pass before the order may change by choice
  bool operator==(const FamilyMemory&) const = default;

  void keep(const FamilyMemory& attempt) {
    keeper = attempt.keeper;
    if (keeper) of_order[*keeper].keep(attempt.of_order[*keeper]);
  }
};

template <class T>
class VariableOrderRungeKutta final : public TypedStepper<T, FamilyMemory<T>> {
 public:
  VariableOrderRungeKutta(const TableauFamily& family, System<T>& system, const NewtonOptions& newton)
      : system_(system), coefficients_(family.coefficients), values_(coefficients_->values()), N_(system.size()) {
    for (const auto& prepared : family.tableaus) {
      const Stages& stages = prepared->stages();
      if (system.index() == 3 && stages.c.size() > most_stages_on_index_3) break;
      orders_.push_back(
          {make_fully_implicit_runge_kutta<T>(prepared, system, newton), prepared->tableau().claimed_order});
      if (system.index() >= 2 && N_ > system.differential())
        orders_.back().round_off = static_cast<double>(epsilon<T>()) * norm_behind_coefficients(stages);
    }
    slope_.setZero(N_);
  }

  std::vector<std::string> newton_options() const override { return orders_[0].stepper->newton_options(); }
  HeldMemory make_memory() const override {
    if (!controlled_) return {};
    FamilyMemory<T> memory;
    for (const AtOrder& at : orders_)
      memory.of_order.push_back(at.stepper->make_memory().template as<StageMemory<T>>());
    return HeldMemory::of(std::move(memory));
  }

  // An order whose stages have round-off near these tolerances is left out, and those above it.
  void control(const Tolerances<T>& tolerances) override {
    controlled_ = true;
    error_norm_ = ErrorNorm<T>(tolerances, system_);
    for (std::size_t i = 0; i < orders_.size(); ++i) {
      if (i > 0 && orders_[i].round_off > most_round_off * static_cast<double>(tolerances.relative)) {
        orders_.resize(i);
        break;
      }
      orders_[i].stepper->control(tolerances);
      for (const Warning& warning : orders_[i].stepper->warnings()) this->warn(warning.kind, warning.text);
    }
    facts_.assign(values_.facts.begin(), values_.facts.begin() + static_cast<long>(orders_.size()));
    for (std::size_t i = 0; i < orders_.size(); ++i) prepare(i);
  }

  T first_step(const State<T>& start, const T& length) const override {
    return orders_[0].stepper->first_step(start, length);
  }

  Status step(const State<T>& from, const T& h, State<T>& to) override {
    if (!controlled_)
      return {StatusCode::not_applicable,
              "the order is chosen by estimates of the error: set rtol or atol instead of h, or choose one order"};
    used_ = rung_for(from);
    AtOrder& at = orders_[used_];
    start_from(from, at);
    std::swap(to.memory, at.memory);
    const Status status = counted(at, [&] { return at.stepper->step(at.from, h, to); });
    std::swap(to.memory, at.memory);
    store(from, to);
    return status;
  }

  StepDecision<T> judge(const State<T>& from, const T& h, State<T>& to, int failures) override {
    AtOrder& at = orders_[used_];
    at.from.control = from.control;
    std::swap(to.memory, at.memory);
    StepDecision<T> decision = counted(at, [&] { return at.stepper->judge(at.from, h, to, failures); });
    std::swap(to.memory, at.memory);
    store(from, to);
    if (decision.accepted)
      choose_next(from, h, failures, to, decision);
    else
      to.control.order = orders_[used_].order;
    return decision;
  }

  Retry<T> retry(const State<T>& from, const T& h, int failures) const override {
    return {orders_[used_].stepper->retry(from, h, failures).h, orders_[failures == 0 ? used_ : below(used_)].order};
  }

 private:
  struct AtOrder {
    std::unique_ptr<Stepper<T>> stepper;
    int order;
    double round_off = 0;                   // of slopes times h, where constraints fix the stages
    State<T> from = {};                     // of its step, with its own memory
    HeldMemory memory = {};                 // what it leaves
    std::vector<Matrix<T>> resampled = {};  // from each order
    Vector<T> upper = {}, lower = {};       // weights of OrderFacts
  };

  void prepare(std::size_t i) {
    AtOrder& at = orders_[i];
    at.from.memory = at.memory = at.stepper->make_memory();
    for (std::size_t j = 0; j < orders_.size(); ++j)
      at.resampled.push_back(values_.resampling[i][j].template cast<T>());
    at.upper = facts_[i].upper.template cast<T>(), at.lower = facts_[i].lower.template cast<T>();
  }

  std::size_t below(std::size_t at) const { return at > 0 ? at - 1 : 0; }

  // By the failed attempt before, or as the step before has decided.
  std::size_t rung_for(const State<T>& from) const {
    for (std::size_t i = 0; i < orders_.size(); ++i)
      if (orders_[i].order == from.control.order) return i;
    return this->past(from).next;
  }

  auto counted(AtOrder& at, const auto& call) {
    const Statistics before = at.stepper->statistics();
    auto result = call();
    const Statistics& now = at.stepper->statistics();
    this->statistics_.steps += now.steps - before.steps;
    this->statistics_.newton_iterations += now.newton_iterations - before.newton_iterations;
    this->statistics_.residuals += now.residuals - before.residuals;
    this->statistics_.jacobians += now.jacobians - before.jacobians;
    this->statistics_.factorizations += now.factorizations - before.factorizations;
    this->statistics_.back_solves += now.back_solves - before.back_solves;
    return result;
  }

  // The state as the order left it, or as it would have: with the polynomial through the stages of another one, and
  // without a Jacobian.
  void start_from(const State<T>& from, AtOrder& at) {
    const FamilyMemory<T>& memory = this->past(from);
    StageMemory<T>& own = at.from.memory.template as<StageMemory<T>>();
    at.from.t = from.t, at.from.y = from.y, at.from.ydot = from.ydot;
    at.from.compensation = from.compensation;
    at.from.memory_step = from.memory_step, at.from.control = from.control;
    if (memory.rung_of_stages == used_)
      own.stages = memory.of_order[used_].stages;
    else if (const auto& of = memory.rung_of_stages)
      own.stages = memory.of_order[*of].stages.lazyProduct(at.resampled[*of]);
    if (memory.keeper == used_)
      own.jacobian = memory.of_order[used_].jacobian;
    else
      own.jacobian.forget();
  }

  void store(const State<T>& from, State<T>& to) {
    FamilyMemory<T>& memory = this->past(to);
    memory.rung_of_stages = memory.keeper = memory.next = used_;
    memory.rest = this->past(from).rest;
    memory.of_order[used_] = orders_[used_].memory.template as<StageMemory<T>>();
  }

  void choose_next(const State<T>& from, const T& h, int failures, State<T>& to, StepDecision<T>& decision) {
    FamilyMemory<T>& memory = this->past(to);
    const bool lowered = used_ < this->past(from).next;
    memory.rest = lowered ? rest_after_failure : std::max(this->past(from).rest - 1, 0);
    memory.next = used_;
    if (memory.rest == 0) {
      const OrderChoice choice = choose_order(facts_, used_, decay_of(from, h, to, decision), failures == 0);
      if (choice.place != used_) {
        memory.rest = system_.index() == 3 ? rest_on_index_3 : rest_after_change;
        decision.h *= T(failures > 0 ? std::min(choice.ratio, 1.0) : choice.ratio);
        to.control.error = 0;  // that of another order; and slopes at the start are as good as the old one makes them
        memory.next = choice.place;
      }
    }
  }

  ShownDecay decay_of(const State<T>& from, const T& h, const State<T>& to, const StepDecision<T>& decision) {
    const AtOrder& at = orders_[used_];
    error_norm_.weigh(from.y);
    const auto slopes = this->past(to).of_order[used_].stages.rightCols(at.upper.size());
    const auto size = [&](const Vector<T>& weights) {
      slope_ = slopes.lazyProduct(weights);
      return static_cast<double>(T(h * error_norm_(slope_)));
    };
    return {static_cast<double>(decision.error), size(at.upper), size(at.lower)};
  }

  System<T>& system_;
  std::vector<AtOrder> orders_;
  std::shared_ptr<const FamilyCoefficients> coefficients_;
  const FamilyCoefficients::Values& values_;
  std::vector<OrderFacts> facts_;  // of the orders left in
  std::size_t used_ = 0;
  Index N_;
  bool controlled_ = false;
  ErrorNorm<T> error_norm_;
  Vector<T> slope_;
};

}  // namespace

const FamilyCoefficients::Values& FamilyCoefficients::values() const {
  return values_.get([this] {
    Values values;
    for (const auto& tableau : tableaus_) {
      values.facts.emplace_back(tableau->stages());
      values.nodes.push_back(nodes_of(tableau->stages()));
    }
    for (const auto& to : values.nodes) {
      std::vector<Matrix<Real100>>& of_order = values.resampling.emplace_back();
      for (const auto& from : values.nodes) of_order.push_back(resampling(from, to));
    }
    return values;
  });
}

template <class T>
std::unique_ptr<Stepper<T>> make_variable_order_runge_kutta(const TableauFamily& family, System<T>& system,
                                                            const NewtonOptions& newton) {
  return std::make_unique<VariableOrderRungeKutta<T>>(family, system, newton);
}

#define DAELAB_INSTANTIATE(T)                                                                               \
  template std::unique_ptr<Stepper<T>> make_variable_order_runge_kutta<T>(const TableauFamily&, System<T>&, \
                                                                          const NewtonOptions&);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
