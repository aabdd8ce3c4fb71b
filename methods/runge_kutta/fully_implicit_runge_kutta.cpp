// The engine of all fully implicit Runge-Kutta methods.
//
// Implicit stages carry B (r, r), the optional explicit first stage d (r): for differential components
//   Y = e y_n + h d y'_n + h B Y'.
// Full and modified Newton solve the r N coupled equations; their matrix is factorised in double whatever
// the scalar, since a correction needs its leading digits only and the residual supplies the rest. The
// simplified iteration has one Jacobian for all stages, at their mean; with B = S diag(beta) S^-1 the transformed
// corrections S^-1 dX decouple into one system with kappa = h beta_e per eigenvalue, and of each complex pair only one
// is solved. The quasi-Newton iteration keeps that Jacobian over steps and only factorises it anew for another h.
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer, Sec. IV.8.
#include <fmt/format.h>

#include <type_traits>

#include "core/integration/pi_controller.hpp"
#include "core/solvers/sparse_lu.hpp"
#include "methods/runge_kutta/defect_estimate.hpp"
#include "methods/runge_kutta/implicit_stages.hpp"
#include "methods/runge_kutta/runge_kutta.hpp"

namespace daelab {
namespace {

template <class T, class S>
struct TransformedStage {
  std::unique_ptr<IterationMatrix<S>> matrix;
  S beta;
  Vector<S> left, right, w;  // (r), (r), (N)
};

template <class T>
class FullyImplicitRungeKutta final : public Stepper<T>, private NewtonTarget<T> {
 public:
  FullyImplicitRungeKutta(const Tableau& tableau, const Stages& s, System<T>& system, const NewtonOptions& options)
      : system_(system),
        stages_(s),
        order_(tableau.claimed_order),
        automatic_(options.name == "automatic"),
        renew_every_step_(automatic_ && system.index() == 3),
        quasi_(automatic_ || options.name == "quasi"),
        decouples_(options.name == "simplified" || options.name == "quasi"),
        settings_(options),
        quasi_newton_(settings_),
        N_(system.size()),
        differential_(system.differential()),
        r_(s.c.size()),
        explicit_first_(s.explicit_first),
        stiffly_accurate_(s.stiffly_accurate),
        reuse_(options.jacobian == "reused"),
        keeps_stages_(options.guess == "extrapolated" || (automatic_ && options.guess == "automatic")),
        chooses_guess_(keeps_stages_ && options.guess == "automatic"),
        norm_(norm_named(options.norm)),
        B_transposed_(s.B.transpose().cast<T>()),
        d_(s.d.cast<T>()),
        c_(s.c.cast<T>()),
        b_(s.b.cast<T>()),
        b0_(static_cast<T>(s.b0)),
        extrapolation_transposed_(s.extrapolation.transpose().cast<T>()),
        linearization_(system.linearization()),
        coupled_lu_(0) {
    for (Matrix<T>* stages : {&X_, &Y_, &R_, &dX_}) stages->setZero(N_, r_);
    points_.setZero(N_, 2 * r_);
    for (Vector<T>* x : {&y_, &ydot_, &F_, &increment_, &weights_}) x->setZero(N_);
    iterate_by(iteration(options.name));
    if (automatic_) quasi_newton_.settings().go_to_round_off();
  }

  std::vector<std::string> newton_options() const override {
    std::vector<std::string> names = {"test", "tolerance", "max_iterations"};
    if (!decouples_ || quasi_ || !stages_.modes.empty()) names.push_back("name");
    if (!estimate_) names.insert(names.end(), {"norm", "guess"});
    if (!quasi_ && iteration_ == Iteration::decoupled) names.push_back("jacobian");
    return names;
  }

  Index memory_size() const override { return keeps_stages_ || quasi_ ? N_ * (nodes() + 2 * points()) + 5 : 0; }

  Status step(const State<T>& from, const T& h, State<T>& to) override {
    from_ = &from;
    h_ = h;
    if (estimate_)
      error_norm_.weigh(from.y);
    else
      system_.correction_weights(h, from.y, weights_);
    start_iteration();
    const bool at_hand = factorization_at_hand();
    Status status = solve(at_hand);
    if (!status.ok() && at_hand) {  // the reused Jacobian may be what failed
      start_iteration();
      status = solve(false);
    }
    if (!status.ok() && automatic_ && !estimate_) status = solve_fully();
    if (!status.ok()) {
      factorized_h_ = T(0);
      return status;
    }
    ++this->statistics_.steps;
    return finish(to);
  }

  /// The guess is extrapolated. Unless the options name an iteration, the Jacobian is kept over steps; on index 3 it is
  /// renewed in each, because the estimate needs the constraints' directions as they are now: with old ones the
  /// velocity error off the constraints, of lower order, stays in it.
  void control(const Tolerances<T>& tolerances) override {
    if (stages_.defect_exponent == 0)
      throw NotApplicable(
          "the error is estimated by the polynomial through the slopes of the stages, and this tableau "
          "has none: nodes coincide, all stages are at the start, or tr A <= 0");
    if (automatic_) iterate_by(iteration("quasi"));
    quasi_ = iteration_ == Iteration::decoupled && quasi_;
    keeps_stages_ = true, chooses_guess_ = false;
    stretched_extrapolation_.setZero(extrapolation_transposed_.rows(), r_);
    settings_.use_error_tolerances();
    quasi_newton_.settings() = settings_;
    error_norm_ = ErrorNorm<T>(tolerances, system_);
    estimate_.emplace(stages_, system_);
    filter_ = linearization_->real_matrix();
    const bool keeps_jacobian = quasi_ ? !renew_every_step_ : reuse_;
    controller_ = PiController<T>(stages_.defect_exponent, order_, keeps_jacobian ? 1.2 : 1);
  }

  T first_step(const State<T>& start, const T& length) const override {
    return starting_step(system_, error_norm_, start, length, stages_.defect_exponent);
  }

  StepDecision<T> judge(const State<T>& from, const T& h, State<T>& to, int failures) override {
    T error = error_size(from, to);
    // Filtered once, an error of the start itself stays at its size however small the step. [HW96, eq. (8.20)]
    if (error > T(1) && (failures > 0 || controller_.at_start())) error = filtered_size(to);
    const StepDecision<T> decision = controller_.judge(error, h, failures);
    if (!decision.accepted) factorized_h_ = T(0);  // perhaps the estimate suffers from an old Jacobian
    return decision;
  }

  T retry(const State<T>& /*from*/, const T& h, int failures) override { return failures == 0 ? h / T(2) : h / T(4); }

 private:
  enum class Iteration { coupled, decoupled };

  Iteration iteration(const std::string& newton) const {
    if (stages_.modes.empty()) return Iteration::coupled;
    // On index 3, what an approximate Jacobian leaves comes back as 1/h^2 times as much; in more digits than double's
    // the coupled matrix, factorised in double, is the cheaper one.
    if (newton == "automatic" && (system_.index() == 3 || !std::is_same_v<T, double>)) return Iteration::coupled;
    return newton == "full" || newton == "modified" ? Iteration::coupled : Iteration::decoupled;
  }
  Index nodes() const { return r_ + (explicit_first_ ? 1 : 0); }

  void iterate_by(Iteration iteration) {
    iteration_ = iteration;
    if (iteration == Iteration::coupled) {
      make_coupled_matrix();
    } else if (real_.empty() && complex_.empty()) {
      for (const Eigenmode& mode : stages_.modes) add_transformed_stage(mode);
    }
  }

  void make_coupled_matrix() { coupled_rhs_.setZero(r_ * N_); }

  bool factorization_at_hand() {
    if (!quasi_) return iteration_ == Iteration::decoupled && reuse_ && factorized_h_ == h_;
    if (!estimate_) recall();
    if (renew_every_step_ || factorized_h_ == T(0) || !quasi_newton_.reusable(T(1))) return false;
    return factorized_h_ == h_ || (iteration_ == Iteration::decoupled && factorize().ok());
  }

  // What a step leaves to the next one in State::memory: its stages, for the guess, and what the Jacobian was made of,
  // so that a copied state goes on to the same bits, whatever this stepper has done in between.
  template <class U>
  struct Memory {
    using Columns = Eigen::Map<std::conditional_t<std::is_const_v<U>, const Matrix<T>, Matrix<T>>>;
    Columns stages;              // (N, nodes)
    Columns points;              // (N, 2 points): Y and Y'
    U &jacobian_t, &jacobian_h;  // of the step it was evaluated in; h = 0: there is none
    U &rate, &round_off;         // QuasiNewton
    U& extrapolation_is_better;  // 1 or 0
  };
  template <class U>
  Memory<U> memory_at(U* x) const {
    U *points = x + N_ * nodes(), *last = points + 2 * N_ * this->points();
    return {{x, N_, nodes()}, {points, N_, 2 * this->points()}, last[0], last[1], last[2], last[3], last[4]};
  }
  Memory<const T> memory_of(const State<T>& state) const { return memory_at(state.memory.data()); }
  Memory<T> memory_of(State<T>& state) const { return memory_at(state.memory.data()); }
  // Where the Jacobian that is kept is evaluated: in each stage, or at their mean; none is kept on index 3. With error
  // control it stays with this stepper.
  Index points() const {
    if (!quasi_ || renew_every_step_ || estimate_) return 0;
    return iteration_ == Iteration::coupled ? r_ : 1;
  }

  void recall() {
    const auto memory = memory_of(*from_);
    const bool known = from_->memory_step > T(0);
    quasi_newton_.recall(known ? memory.rate : T(0), known ? memory.round_off : T(0));
    if (!known || memory.jacobian_h == T(0)) {
      factorized_h_ = T(0);
    } else if (factorized_h_ == T(0) || memory.jacobian_t != jacobian_t_ || memory.jacobian_h != jacobian_h_ ||
               memory.points != points_.leftCols(2 * points())) {
      points_.leftCols(2 * points()) = memory.points;
      jacobian_t_ = memory.jacobian_t, jacobian_h_ = memory.jacobian_h;
      if (!evaluate_jacobian().ok()) factorized_h_ = T(0);
    }
  }

  Status solve(bool at_hand) {
    if (quasi_) return quasi_newton_.solve(*this, T(at_hand ? 1 : 0), this->statistics_);
    return newton(settings_, *this, at_hand, this->statistics_);
  }

  // What `full` does: from where it starts, and with its Jacobians.
  Status solve_fully() {
    start_stages(X_);
    solves_exactly();
    NewtonSettings<T> full = settings_;
    full.full = full.quadratic = true;
    return newton(full, *this, false, this->statistics_);
  }

  // Of the coupled stages, whatever the step began with. The matrix is made when it is needed for the first time.
  void solves_exactly() {
    factorized_h_ = T(0);
    solves_coupled_ = true;
    if (coupled_rhs_.size() == 0) make_coupled_matrix();
  }

  T error_size(const State<T>& from, const State<T>& to) {
    estimate_->take_defect(from, h_, X_);
    return filtered_size(to);
  }
  // Not a number where the filter cannot be applied.
  T filtered_size(const State<T>& to) {
    IterationMatrix<T>* matrix = filter_matrix();
    if (matrix == nullptr) return std::numeric_limits<T>::quiet_NaN();
    ++this->statistics_.residuals, ++this->statistics_.back_solves;
    if (!estimate_->filter(*matrix, to).ok()) return std::numeric_limits<T>::quiet_NaN();
    return error_norm_(estimate_->error());
  }
  // For gamma h: that of a decoupled stage, where gamma is its eigenvalue, otherwise one more. Null when singular.
  IterationMatrix<T>* filter_matrix() {
    if (!solves_coupled_)
      for (auto& stage : real_)
        if (stage.beta == estimate_->gamma()) return stage.matrix.get();
    if (filter_h_ == h_) return filter_.get();
    ++this->statistics_.factorizations;
    if (!filter_->factorize(h_ * estimate_->gamma()).ok()) return nullptr;
    filter_h_ = h_;
    return filter_.get();
  }

  void add_transformed_stage(const Eigenmode& mode) {
    if (mode.real) {
      real_.push_back({linearization_->real_matrix(), static_cast<T>(mode.beta.real()), mode.left.real().cast<T>(),
                       mode.right.real().cast<T>(), Vector<T>(N_)});
      return;
    }
    using Complex = std::complex<T>;
    const auto round = [](const Vector<std::complex<Real100>>& x) {
      Vector<Complex> y(x.size());
      for (Index i = 0; i < x.size(); ++i) y[i] = Complex(static_cast<T>(x[i].real()), static_cast<T>(x[i].imag()));
      return y;
    };
    complex_.push_back({linearization_->complex_matrix(),
                        Complex(static_cast<T>(mode.beta.real()), static_cast<T>(mode.beta.imag())), round(mode.left),
                        round(mode.right), Vector<Complex>(N_)});
  }

  void start_iteration() {
    guess();
    solves_coupled_ = iteration_ == Iteration::coupled;
  }
  void guess() {
    const bool same_step = from_->memory_step == h_, has_memory = from_->memory_step > T(0);
    const bool extrapolates = !chooses_guess_ || (has_memory && memory_of(*from_).extrapolation_is_better == T(1));
    if (keeps_stages_ && extrapolates && (same_step || (estimate_ && has_memory))) {
      if (!same_step) extrapolate_to(h_ / from_->memory_step);
      X_ = memory_of(*from_).stages.lazyProduct(same_step ? extrapolation_transposed_ : stretched_extrapolation_);
    } else {
      start_stages(X_);
    }
  }
  // stretched(j, i): value at 1 + ratio c_i of the Lagrange polynomial of node j of the last step.
  void extrapolate_to(const T& ratio) {
    const Index first = explicit_first_ ? 1 : 0, nodes = r_ + first;
    const auto node = [&](Index j) { return j < first ? T(0) : c_[j - first]; };
    for (Index i = 0; i < r_; ++i)
      for (Index j = 0; j < nodes; ++j) {
        T& value = stretched_extrapolation_(j, i);
        value = T(1);
        for (Index k = 0; k < nodes; ++k)
          if (k != j) value *= (T(1) + ratio * c_[i] - node(k)) / (node(j) - node(k));
      }
  }
  // The unknowns as they are at the start of the step.
  void start_values(auto&& x) const {
    x.head(differential_) = from_->ydot.head(differential_);
    x.tail(N_ - differential_) = from_->y.tail(N_ - differential_);
  }

  void start_stages(Matrix<T>& stages) const {
    for (Index i = 0; i < r_; ++i) start_values(stages.col(i));
  }

  // Y = y + (compensation + h d y' + h B Y'): the increment is summed before it meets y.
  void stage_values() {
    for (Index i = 0; i < r_; ++i) {
      auto increment = Y_.col(i).head(differential_);
      increment = from_->compensation.head(differential_);
      if (explicit_first_) increment += (h_ * d_[i]) * from_->ydot.head(differential_);
      for (Index j = 0; j < r_; ++j) increment += (h_ * B_transposed_(j, i)) * X_.col(j).head(differential_);
      if (i == r_ - 1) increment_.head(differential_) = increment;
      increment += from_->y.head(differential_);
      Y_.col(i).tail(N_ - differential_) = X_.col(i).tail(N_ - differential_);
    }
  }

  void load_stage(Index i) {
    y_ = Y_.col(i);
    ydot_ = X_.col(i);
    ydot_.tail(N_ - differential_).setZero();
  }

  Status linearize() override {
    stage_values();
    jacobian_t_ = from_->t, jacobian_h_ = h_;
    if (solves_coupled_) {
      points_.leftCols(r_) = Y_, points_.rightCols(r_) = X_;
    } else {
      const T mean = T(1) / T(r_);
      points_.col(0) = mean * Y_.rowwise().sum(), points_.col(1) = mean * X_.rowwise().sum();
    }
    return evaluate_jacobian();
  }

  Status linearize_exactly() override {
    solves_exactly();
    return linearize();
  }

  // At the points, of the step jacobian_h_ from jacobian_t_.
  Status evaluate_jacobian() {
    filter_h_ = T(0);
    return solves_coupled_ ? evaluate_coupled() : evaluate_decoupled();
  }

  // The i-th of `count`.
  void load_point(Index i, Index count) {
    y_ = points_.col(i);
    ydot_ = points_.col(count + i);
    ydot_.tail(N_ - differential_).setZero();
  }

  Status evaluate_decoupled() {
    load_point(0, 1);
    const T mean = T(1) / T(r_);
    linearization_->evaluate(jacobian_t_ + mean * c_.sum() * jacobian_h_, y_, ydot_);
    ++this->statistics_.jacobians;
    return factorize();
  }

  Status factorize() {
    filter_h_ = T(0);
    this->statistics_.factorizations += static_cast<long>(real_.size() + complex_.size());
    factorized_h_ = h_;
    for (auto& stage : real_)
      if (Status status = stage.matrix->factorize(h_ * stage.beta); !status.ok()) return status;
    for (auto& stage : complex_)
      if (Status status = stage.matrix->factorize(h_ * stage.beta); !status.ok()) return status;
    return {};
  }

  // Block (i, j) of the coupled stages is h B_ij F_y, on the diagonal with F_y', and F_y alone for algebraic
  // components.
  Status evaluate_coupled() {
    for (Index i = 0; i < r_; ++i) {
      load_point(i, r_);
      linearization_->evaluate(jacobian_t_ + c_[i] * jacobian_h_, y_, ydot_);
      linearization_->coupled(F_y_, F_ydot_);
      if (i == 0) {
        arrange_coupled_matrix();
        coupled_lu_.clear();
      }
      add_stage(i);
    }
    this->statistics_.jacobians += r_;
    ++this->statistics_.factorizations;
    const Status status = coupled_lu_.factorize();
    factorized_h_ = status.ok() && iteration_ == Iteration::coupled ? jacobian_h_ : T(0);
    return status;
  }
  void arrange_coupled_matrix() {
    if (F_y_.pattern == coupled_pattern_) return;
    coupled_pattern_ = F_y_.pattern;
    coupled_lu_ = BlockLu<double>(r_ * N_);
    for (Index i = 0; i < r_; ++i) {
      for (Index j = 0; j < r_; ++j) coupled_lu_.add(F_y_.pattern, i * N_, j * N_);
      coupled_lu_.add(F_ydot_.pattern, i * N_, i * N_);
    }
    coupled_lu_.complete();
  }
  void add_stage(Index i) {
    std::size_t block = static_cast<std::size_t>(i * (r_ + 1));
    for (Index j = 0; j < r_; ++j) {
      const double factor = static_cast<double>(T(jacobian_h_ * B_transposed_(j, i))), algebraic = i == j ? 1 : 0;
      coupled_lu_.accumulate_entries(block++, F_y_, [&](Index, Index column, const T& value) {
        return (column < differential_ ? factor : algebraic) * static_cast<double>(value);
      });
    }
    coupled_lu_.accumulate_entries(block, F_ydot_,
                                   [](Index, Index, const T& value) { return static_cast<double>(value); });
  }

  Status evaluate() override {
    stage_values();
    this->statistics_.residuals += r_;
    for (Index i = 0; i < r_; ++i) {
      load_stage(i);
      const T t = from_->t + c_[i] * h_;
      if (solves_coupled_)
        system_.residual(t, y_, ydot_, F_);
      else if (Status status = system_.resolved_residual(t, y_, ydot_, F_); !status.ok())
        return status;
      R_.col(i) = F_;
    }
    return {};
  }

  void correct(const T& relaxation) override {
    if (solves_coupled_)
      correct_coupled();
    else
      correct_decoupled();
    X_ -= relaxation * dX_;
  }

  void correct_coupled() {
    coupled_rhs_ = R_.reshaped().template cast<double>();
    coupled_lu_.solve(coupled_rhs_);
    dX_.reshaped() = coupled_rhs_.template cast<T>();
    ++this->statistics_.back_solves;
  }

  void correct_decoupled() {
    dX_.setZero();
    for (auto& stage : real_) {
      transform(stage);
      for (Index i = 0; i < r_; ++i) dX_.col(i) += stage.right[i] * stage.w;
    }
    for (auto& stage : complex_) {
      transform(stage);
      for (Index i = 0; i < r_; ++i)
        for (Index k = 0; k < N_; ++k)
          dX_(k, i) += stage.right[i].real() * stage.w[k].real() - stage.right[i].imag() * stage.w[k].imag();
    }
    this->statistics_.back_solves += static_cast<long>(real_.size() + complex_.size());
  }

  // w := matrix^-1 (row of S^-1 applied to the residuals)
  template <class S>
  void transform(TransformedStage<T, S>& stage) {
    for (Index k = 0; k < N_; ++k) {
      S sum(0);
      for (Index i = 0; i < r_; ++i) sum += stage.left[i] * R_(k, i);
      stage.w[k] = sum;
    }
    stage.matrix->solve(stage.w);
  }

  T residual_size() override { return size(R_, false); }
  T correction_size() override { return estimate_ ? size_in_tolerances() : size(dX_, true); }

  // Where positions are down to their round-off, velocities are too: on index 3 to 1/h times as much.
  T size_in_tolerances() const {
    const bool index_3 = system_.index() == 3;
    const T round_off = T(100) * epsilon<T>() * error_norm_.positions(from_->y);
    NormOf<T> norm;
    for (Index i = 0; i < r_; ++i) {
      const T positions = h_ * error_norm_.positions(dX_.col(i));
      norm.add(index_3 && positions <= round_off ? positions : T(h_ * error_norm_(dX_.col(i))));
    }
    return norm.value();
  }

  T size(const Matrix<T>& stages, bool scale) const {
    const bool weighted = scale && norm_ == Norm::scaled;
    NormOf<T> norm(norm_);
    for (Index i = 0; i < r_; ++i)
      for (Index k = 0; k < N_; ++k) norm.add(weighted ? T(weights_[k] * stages(k, i)) : stages(k, i));
    return norm.value();
  }

  Status finish(State<T>& to) {
    stage_values();
    const State<T>& from = *from_;
    to.t = from.t + h_;
    if (!stiffly_accurate_) {
      auto increment = increment_.head(differential_);
      increment = from.compensation.head(differential_);
      if (explicit_first_) increment += (h_ * b0_) * from.ydot.head(differential_);
      for (Index i = 0; i < r_; ++i) increment += (h_ * b_[i]) * X_.col(i).head(differential_);
    }
    to.y.head(differential_) = from.y.head(differential_) + increment_.head(differential_);
    to.compensation.head(differential_) =
        increment_.head(differential_) - (to.y.head(differential_) - from.y.head(differential_));
    if (memory_size() > 0) remember(to);
    if (!stiffly_accurate_) return system_.consistent_derivatives(to.t, to.y, to.ydot);
    to.y.tail(N_ - differential_) = X_.col(r_ - 1).tail(N_ - differential_);
    to.ydot.head(differential_) = X_.col(r_ - 1).head(differential_);
    return {};
  }

  void remember(State<T>& to) {
    auto memory = memory_of(to);
    if (explicit_first_) start_values(memory.stages.col(0));
    memory.stages.rightCols(r_) = X_;
    if (chooses_guess_) memory.extrapolation_is_better = T(extrapolation_would_have_been_better() ? 1 : 0);
    if (quasi_ && !estimate_) {
      memory.rate = quasi_newton_.rate(), memory.round_off = quasi_newton_.round_off();
      const bool kept = points() > 0 && factorized_h_ != T(0);
      memory.jacobian_t = jacobian_t_, memory.jacobian_h = kept ? jacobian_h_ : T(0);
      if (kept) memory.points = points_.leftCols(2 * points());
    }
    to.memory_step = h_;
  }

  // Which start would have been closer to the stages of the step just made: that is the one to take for the next.
  bool extrapolation_would_have_been_better() {
    if (from_->memory_step != h_) return false;
    dX_ = memory_of(*from_).stages.lazyProduct(extrapolation_transposed_) - X_;
    const T extrapolated = size(dX_, true);
    start_stages(dX_);
    dX_ -= X_;
    return extrapolated < size(dX_, true);
  }

  System<T>& system_;
  Stages stages_;
  int order_;
  bool automatic_, renew_every_step_, quasi_, decouples_;
  NewtonSettings<T> settings_;
  QuasiNewton<T> quasi_newton_;
  Index N_, differential_, r_;
  bool explicit_first_, stiffly_accurate_, reuse_;
  bool keeps_stages_, chooses_guess_;  // for the next guess
  Iteration iteration_ = Iteration::coupled;
  bool solves_coupled_ = true;  // in this step
  Norm norm_;
  Matrix<T> B_transposed_;
  Vector<T> d_, c_, b_;
  T b0_;
  Matrix<T> extrapolation_transposed_, stretched_extrapolation_;
  std::unique_ptr<Linearization<T>> linearization_;
  BlockLu<double> coupled_lu_;
  std::shared_ptr<const SparsePattern> coupled_pattern_;  // that it is made for
  Vector<double> coupled_rhs_;
  std::vector<TransformedStage<T, T>> real_;
  std::vector<TransformedStage<T, std::complex<T>>> complex_;
  T factorized_h_{0};  // step size of the factorisations at hand; 0 = none
  Matrix<T> points_;   // (N, 2 r) Y and Y' that the Jacobian at hand was evaluated at, from the left on
  T jacobian_t_{0}, jacobian_h_{0};

  // With error control:
  std::optional<DefectEstimate<T>> estimate_;
  ErrorNorm<T> error_norm_;
  PiController<T> controller_{1, 1};
  std::unique_ptr<IterationMatrix<T>> filter_;  // where no stage has the matrix of the estimate
  T filter_h_{0};                               // its step size; 0 = none

  const State<T>* from_ = nullptr;
  T h_{0};
  Matrix<T> X_, Y_, R_, dX_;  // (N, r): unknowns, stage values, residuals, correction
  SparseMatrix<T> F_y_, F_ydot_;
  Vector<T> y_, ydot_, F_, increment_, weights_;
};

}  // namespace

template <class T>
std::unique_ptr<Stepper<T>> make_fully_implicit_runge_kutta(const Tableau& tableau, System<T>& system,
                                                            const NewtonOptions& newton) {
  const Stages stages = implicit_stages(tableau);
  if (stages.singular && system.index() >= 2)
    throw NotApplicable(
        fmt::format("{}: its coefficient matrix of the implicit stages is singular, so the Newton matrix of an "
                    "index-{} system is singular for every step size; use an ODE or index-1 formulation",
                    tableau.name, system.index()));
  return std::make_unique<FullyImplicitRungeKutta<T>>(tableau, stages, system, newton);
}

#define DAELAB_INSTANTIATE(T)                                                                         \
  template std::unique_ptr<Stepper<T>> make_fully_implicit_runge_kutta<T>(const Tableau&, System<T>&, \
                                                                          const NewtonOptions&);
DAELAB_INSTANTIATED_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
