#include "methods/runge_kutta/iterated_lobatto.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "core/integration/explicit_stepper.hpp"
#include "core/integration/pi_controller.hpp"

namespace daelab {
namespace {

// Passes that contract at this rate take least evaluations for a given time: a faster rate is paid by shorter steps. Of
// the rates tried, 0.1 to 0.4.
constexpr double aimed_rate = 0.2;
// After an iteration that diverged, 0.7 of its step size is trusted, and 2 % more after each step: a stiff problem
// costs an attempt in vain every twenty steps, not every third.
constexpr double below_divergence = 0.7, fading = 1.02;

// The slopes of the step before.
template <class T>
struct PackMemory {
  Vector<T> first;  // (components) of its explicit stage
  std::vector<Pack<T>> packs;
  T trusted_size{0};  // step size up to which the iteration is trusted to converge; 0: it has not diverged yet
  bool operator==(const PackMemory&) const = default;
  void keep(const PackMemory& attempt) { trusted_size = attempt.trusted_size; }
};

template <class T>
class IteratedLobattoStepper final : public TypedStepper<T, PackMemory<T>, ExplicitStepper<T>> {
 public:
  IteratedLobattoStepper(std::shared_ptr<const PreparedLobatto> prepared, System<T>& system,
                         const NewtonOptions& newton)
      : TypedStepper<T, PackMemory<T>, ExplicitStepper<T>>(system, prepared->tableau().claimed_order),
        prepared_(std::move(prepared)),
        system_(system),
        settings_(newton),
        unscaled_(prepared_->template rounded<T>()),
        scaled_(unscaled_),
        is_second_order_(system.has_plain_velocities()),
        components_(is_second_order_ ? system.positions() : system.differential()),
        offset_(is_second_order_ ? components_ : 0),
        algebraic_(system.size() - system.differential()),
        controller_(prepared_->tableau().embedded_order + 1, prepared_->tableau().claimed_order) {
    settings_.set_tolerance(epsilon<T>());
    const auto packs = static_cast<std::size_t>(unscaled_.pack_count());
    X_.assign(packs, Pack<T>::Zero(pack_lanes, components_));
    end_.setZero(pack_lanes, components_), t_.setZero(pack_lanes);
    for (Matrix<T>* x : {&Y_, &F_}) x->setZero(pack_lanes, system.size());
    for (const Pack<T>& X : X_) packs_of_step_.push_back(X.data());
    past_packs_.resize(packs);
    for (Vector<T>* x : {&y_, &increment_, &difference_, &weights_}) x->setZero(system.size());
  }

  std::vector<std::string> newton_options() const override { return {"tolerance", "max_iterations"}; }
  HeldMemory make_memory() const override {
    const std::vector<Pack<T>> packs(X_.size(), Pack<T>::Zero(pack_lanes, components_));
    return HeldMemory::of(PackMemory<T>{Vector<T>::Zero(components_), packs});
  }

  Status step(const State<T>& from, const T& h, State<T>& to) override {
    if (const Status status = iterate(from, h); !status.ok()) return failed(status, from, h, to);
    sum_increment(from);
    return end_step(from, h, to);
  }

  /// The estimate takes no slope at the step end, which is evaluated only if the step passes.
  Status attempt(const State<T>& from, const T& h, State<T>& to) override {
    if (const Status status = iterate(from, h); !status.ok()) return failed(status, from, h, to);
    sum_increment(from);
    error_ = error_norm_(difference_);
    if (!(error_ > T(1))) return end_step(from, h, to);
    this->past(to).trusted_size = this->past(from).trusted_size;
    return this->give_up(from, h, increment_, to);
  }

  void control(const Tolerances<T>& tolerances) override {
    error_norm_ = ErrorNorm<T>(of_estimate(tolerances), system_);
    is_controlled_ = true;
    this->watch_stiffness(0.4 * aimed_rate / prepared_->contraction());
  }
  T first_step(const State<T>& start, const T& length) const override {
    return starting_step(system_, error_norm_, start, length, prepared_->tableau().embedded_order + 1);
  }
  StepDecision<T> judge(const State<T>& from, const T& h, State<T>& to, int failures) override {
    StepDecision<T> decision = controller_.judge(error_, h, failures, from.control, to.control);
    T most = h * factor_to_aimed_rate();
    if (const T& trusted = this->past(to).trusted_size; trusted > T(0)) most = std::min(most, trusted);
    const bool contraction_limits = most < decision.h;
    decision.h = std::min(decision.h, most);
    // Sizes go up and down there: a mean of them shows stiffness.
    if (decision.accepted) limited_size_ = T(0.8) * limited_size_ + (contraction_limits ? T(T(0.2) * h) : T(0));
    return this->watched(decision, limited_size_, to);
  }
  Retry<T> retry(const State<T>& /*from*/, const T& h, int failures) const override {
    return {h * (failures == 0 ? std::min(T(0.5), factor_to_aimed_rate()) : T(0.25))};
  }

 private:
  // The estimate falls with h^s, the error of a step with h^(2s - 1): as radau.f does, this makes a tolerance of the
  // estimate from one of the error, and iterates to less than that leaves. [HW99]
  Tolerances<T> of_estimate(Tolerances<T> tolerances) {
    using std::pow;
    const T exponent = T(prepared_->tableau().embedded_order + 1) / T(prepared_->tableau().claimed_order + 1);
    const T given = tolerances.relative > T(0) ? tolerances.relative : tolerances.absolute;
    const T aimed = T(0.1) * pow(given, exponent), factor = aimed / given;
    const T left = std::min(T(0.03), T(pow(aimed, T(1) / exponent - T(1))));
    settings_.use_error_tolerances();
    settings_.set_tolerance(std::max(left, T(T(10) * epsilon<T>() / aimed)));
    settings_.floor = std::min(settings_.floor, T(T(100) * settings_.tolerance));
    tolerances.relative *= factor, tolerances.absolute *= factor, tolerances.absolute_velocity *= factor;
    for (auto& [place, absolute] : tolerances.absolute_of) absolute *= factor;
    return tolerances;
  }

  // Leaves the slopes of the stages in X_, and the stages of the last pack in Y_.
  Status iterate(const State<T>& from, const T& h) {
    if (const Status status = this->start(from, h); !status.ok()) return status;
    prepare(from, h);
    rate_ = T(0);
    T previous(0);
    for (int count = 1; count <= settings_.max_iterations; ++count) {
      T change(0);
      for (std::size_t p = 0; p < X_.size(); ++p)
        if (const Status status = this->pass(from, p, change); !status.ok()) return status;
      ++this->statistics_.newton_iterations;
      if (!(change <= std::numeric_limits<T>::max()))
        return {StatusCode::non_finite, "a slope of a stage is not finite"};
      if (change <= settings_.tolerance) return {};
      if (count > 1) {
        rate_ = change / previous;
        if (change >= previous) return change <= settings_.floor ? Status{} : diverged(change, count);
        if (change * change <= settings_.tolerance * (previous - change)) return {};
      }
      previous = change;
    }
    return diverged(previous, settings_.max_iterations);
  }

  Status diverged(const T& change, int passes) const {
    return {StatusCode::newton_diverged,
            fmt::format("the fixed-point iteration does not converge: last change {:.1e} after {} passes, tolerance "
                        "{:.1e}; smaller steps may help, or an implicit method where the problem is stiff",
                        static_cast<double>(change), passes, static_cast<double>(settings_.tolerance))};
  }

  void prepare(const State<T>& from, const T& h) {
    if (h != h_) scaled_.scale(unscaled_, h);
    h_ = h;
    if (is_controlled_) {
      error_norm_.weigh(from.y);
      weights_ = h * error_norm_.inverse_weights();
    } else {
      system_.correction_weights(h, from.y, weights_);
    }
    predict(from, h);
  }

  StepSlopes<T> slopes_of_step(const State<T>& from) const {
    return {components_, from.ydot.data() + offset_, packs_of_step_.data()};
  }

  void predict(const State<T>& from, const T& h) {
    if (from.memory_step > T(0)) {
      const PackMemory<T>& past = this->past(from);
      scaled_.next.set_ratio(h / from.memory_step);
      for (std::size_t p = 0; p < X_.size(); ++p) past_packs_[p] = past.packs[p].data();
      const StepSlopes<T> past_slopes{components_, past.first.data(), past_packs_.data()};
      for (std::size_t p = 0; p < X_.size(); ++p) scaled_.next[p](past_slopes, X_[p].data());
    } else {
      const auto slope = from.ydot.segment(offset_, components_).transpose();
      for (Pack<T>& X : X_) X.rowwise() = slope;
    }
  }

  // One pass over the stages of a pack; `change`: no less than what its slopes change by, in tolerances.
  Status pass(const State<T>& from, std::size_t p, T& change) {
    t_ = (scaled_.packs[p].c.array() + from.t).matrix();
    stage_values(from, p, Y_.data(), Y_.data() + pack_lanes * offset_);
    Y_.rightCols(algebraic_).rowwise() = from.y.tail(algebraic_).transpose();
    const Index count = unscaled_.lanes(static_cast<Index>(p));
    if (const Status status = this->slopes(t_, Y_, F_, count); !status.ok()) return status;
    change = std::max(change, renew(F_.data() + pack_lanes * offset_, weights_.data() + offset_, X_[p]));
    return {};
  }

  void stage_values(const State<T>& from, std::size_t p, T* q, T* v) {
    const StagePack<T>& pack = scaled_.packs[p];
    const T *const lost = from.compensation.data(), *const y = from.y.data();
    if (is_second_order_)
      pack.second_order_stages(slopes_of_step(from), lost, y, q, v);
    else
      pack.A.stages(slopes_of_step(from), lost, y, v);
  }

  Status failed(const Status& status, const State<T>& from, const T& h, State<T>& to) {
    const bool diverges = status.code == StatusCode::newton_diverged;
    this->past(to).trusted_size = diverges ? T(below_divergence) * h : this->past(from).trusted_size;
    return status;
  }

  // The increments, and their differences to those of the embedded method.
  void sum_increment(const State<T>& from) {
    scaled_.end(slopes_of_step(from), end_.data());
    const auto v = from.y.segment(offset_, components_);
    increment_.segment(offset_, components_) =
        end_.row(0).transpose() + from.compensation.segment(offset_, components_);
    difference_.segment(offset_, components_) = end_.row(2).transpose();
    if (!is_second_order_) return;
    increment_.head(components_) = end_.row(1).transpose() + (h_ * v + from.compensation.head(components_));
    difference_.head(components_) = end_.row(3).transpose();
  }

  // The last stage is the step end, and its slope the one there, as far as the iteration goes: round-off of a step,
  // which fixed steps ask of it, is more in accelerations, by 1/h.
  Status end_step(const State<T>& from, const T& h, State<T>& to) {
    y_.tail(algebraic_) = Y_.row(pack_lanes - 1).tail(algebraic_).transpose();
    const Status status =
        is_controlled_ ? this->finish_at_stage(from, h, increment_, y_, to) : this->finish(from, h, increment_, to);
    if (!status.ok()) return status;
    if (is_controlled_ && !system_.projects()) {
      if (is_second_order_) to.ydot.head(components_) = to.y.segment(offset_, components_);
      to.ydot.segment(offset_, components_) = X_.back().row(pack_lanes - 1).transpose();
    }
    PackMemory<T>& memory = this->past(to);
    memory.first = from.ydot.segment(offset_, components_), memory.packs = X_;
    const T trusted = T(fading) * this->past(from).trusted_size;
    memory.trusted_size = trusted < T(100) * h ? trusted : T(0);
    to.memory_step = h;
    return {};
  }

  // A pass contracts with h, of second-order equations mostly with its square.
  T factor_to_aimed_rate() const {
    using std::sqrt;
    const T least(0.1);
    if (rate_ <= T(aimed_rate)) return std::numeric_limits<T>::max();
    const T factor = T(aimed_rate) / rate_;
    return std::max(least, is_second_order_ ? T(sqrt(factor)) : factor);
  }

  std::shared_ptr<const PreparedLobatto> prepared_;
  System<T>& system_;
  NewtonSettings<T> settings_;
  const LobattoPacks<T>& unscaled_;
  LobattoPacks<T> scaled_;  // by h_
  bool is_second_order_;
  Index components_;  // of the slopes that are iterated: accelerations, or all of y'
  Index offset_;      // where they are in y'
  Index algebraic_;   // components of y, the last ones
  PiController<T> controller_;
  ErrorNorm<T> error_norm_;
  bool is_controlled_ = false;

  T limited_size_{0};                                 // mean of step sizes that contraction limits
  T h_{0}, rate_{0}, error_{0};                       // rate: of contraction in the last step; 0: it took one pass
  std::vector<Pack<T>> X_;                            // slopes
  std::vector<const T*> packs_of_step_, past_packs_;  // where they are, and those of the step before
  Pack<T> end_;                                       // sums of the step end
  Vector<T> t_;                                       // of a pack: times, stages and their slopes in a pass
  Matrix<T> Y_, F_;                                   // (lanes, N)
  Vector<T> y_, increment_, difference_, weights_;
};

constexpr const char* not_fixed = "the slopes of its stages are iterated until they no longer change";

}  // namespace

MethodForm IteratedLobatto::form() const { return NoForm{not_fixed}; }

DenseOrder IteratedLobatto::dense_order() const { return bootstrapped_order(order()); }

std::vector<Method::Coefficient> IteratedLobatto::coefficients() const {
  const Tableau& t = prepared_->tableau();
  return {{"c", "nodes", t.c},
          {"A", "weights of the stages", t.A},
          {"b_embedded", "weights of the embedded method", t.b_embedded}};
}

PredictedOrders IteratedLobatto::predicted_orders(const FormulationTraits& formulation,
                                                  const FormOrders& /*orders*/) const {
  if (!formulation.state_space) return PredictedOrders::only_with_state_space();
  return PredictedOrders::everywhere(order(), "that of Lobatto IIIA, which the iteration solves (HW96, Table IV.5.7)");
}

#define DAELAB_INSTANTIATE(T)                                                                                  \
  std::unique_ptr<Stepper<T>> IteratedLobatto::stepper(System<T>& system, const NewtonOptions& newton) const { \
    return std::make_unique<IteratedLobattoStepper<T>>(prepared_, system, newton);                             \
  }
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
