// The engine of Rosenbrock and W-methods on F(t, y, y') = 0, in the unknowns x_i = u_i / kappa of differential and
// sum_j gamma_ij l_j of algebraic components (rosenbrock_form.hpp), kappa = gamma h:
//
//   (F_z + kappa F_y) x_i = -F(t_n + alpha_i h, y_n + sum_(j<i) a_ij kappa x_j, z_i) - h gamma_i F_t - F_z r_i,
//   z_i = omega_i z_n + gamma sum_(j<i) slope_ij x_j,   r_i = gamma sum_(j<i) rest_ij x_j - omega_i z_n.
//
// F_z, F_y, F_t are those at the start of the step, where F = 0. Where residuals are resolved, or F is y' - f, F_z r_i
// = r_i, and z_i + r_i in the place of z_i says the same. [HW96, Secs. IV.7, VI.3]
//
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/equations/time_derivative.hpp"
#include "core/integration/pi_controller.hpp"
#include "methods/rosenbrock/rosenbrock_method.hpp"

namespace daelab {
namespace {

template <class T>
class RosenbrockStepper final : public Stepper<T> {
 public:
  RosenbrockStepper(std::shared_ptr<const PreparedRosenbrock> prepared, System<T>& system)
      : prepared_(std::move(prepared)),
        tableau_(prepared_->tableau()),
        form_(prepared_->template form<T>()),
        system_(system),
        N_(system.size()),
        d_(system.differential()),
        s_(tableau_.stages()),
        carries_algebraic_(N_ > d_ && system.positions() == 0 && system.index() == 1),
        resolves_(system.positions() > 0 ? system.index() <= 1 : N_ > d_),
        time_derivative_(system),
        linearization_(system.linearization()),
        matrix_(linearization_->real_matrix()) {
    if (system.index() >= 3)
      throw NotApplicable(
          "Rosenbrock methods have order 1 on index 3, where their steps become too small; take index-2, ggl or "
          "index-1, "
          "for problems without coordinates ode:index=2 or ode:index=1");
    time_derivative_.depends_on_time();  // refuses what cannot be differentiated
    X_.setZero(N_, s_);
    for (Vector<T>* x : {&start_, &y_, &ydot_, &rest_, &F_, &F_t_, &increment_, &error_}) x->setZero(N_);
  }

  Status step(const State<T>& from, const T& h, State<T>& to) override {
    if (const Status status = make_stages(from, h); !status.ok()) return status;
    return finish(from, h, to);
  }

  void control(const Tolerances<T>& tolerances) override {
    if (form_.e.size() == 0 || tableau_.embedded_order == 0)
      throw NotApplicable(
          "no error estimate: the tableau has no embedded weights, or they claim no order; use rodas5p");
    if (const std::string text = blind_estimate_warning(prepared_->sight(), time_derivative_.depends_on_time());
        !text.empty())
      this->warn("error-estimate", text);
    error_norm_ = ErrorNorm<T>(tolerances, system_);
    exponent_ = (tableau_.order == 0 ? tableau_.embedded_order : std::min(tableau_.order, tableau_.embedded_order)) + 1;
    controller_ = PiController<T>(exponent_, tableau_.order);
  }

  T first_step(const State<T>& start, const T& length) const override {
    return starting_step(system_, error_norm_, start, length, exponent_);
  }

  /// The difference to the embedded solution, of algebraic states too.
  StepDecision<T> judge(const State<T>& from, const T& h, State<T>& to, int failures) override {
    error_.setZero();
    for (Index i = 0; i < s_; ++i)
      if (form_.e[i] != T(0)) error_ += form_.e[i] * X_.col(i);
    error_.head(d_) *= kappa_;
    error_norm_.weigh(from.y);
    NormOf<T> larger;
    larger.add(error_norm_(error_));
    if (carries_algebraic_) larger.add(error_norm_(error_, d_, N_ - d_, d_));
    return controller_.judge(larger.value(), h, failures, from.control, to.control);
  }

  /// That of the tableau, for equations of first order: of second-order ones the quintic polynomial is better.
  bool interpolate(const State<T>& from, const State<T>& to, const T& t, Vector<T>& y) override {
    if (form_.output.rows() == 0 || system_.positions() > 0) return false;
    if (const bool is_at_hand = from.t == t_ && to.t == t_ + h_ && from.y == start_;
        !is_at_hand && !make_stages(from, T(to.t - from.t)).ok())
      return false;
    const T x = (t - from.t) / h_;
    increment_.setZero();
    for (Index l = form_.output.rows() - 1; l >= 0; --l) {
      increment_ *= x;
      for (Index i = 0; i < s_; ++i) increment_ += form_.output(l, i) * X_.col(i);
    }
    y.head(d_) = (T(1) - x) * from.y.head(d_) + x * (to.y.head(d_) + ((T(1) - x) * kappa_) * increment_.head(d_));
    return true;
  }

 private:
  Status make_stages(const State<T>& from, const T& h) {
    t_ = from.t, h_ = h, kappa_ = form_.gamma * h;
    start_ = from.y;
    if (const Status status = system_.start_step(from.t, h, from.y); !status.ok()) return status;
    linearization_->evaluate(from.t, from.y, from.ydot);
    ++this->statistics_.jacobians, ++this->statistics_.factorizations;
    if (const Status status = matrix_->factorize(kappa_); !status.ok()) return status;
    if (!resolves_) linearization_->coupled(F_y_, F_ydot_);
    depends_on_time_ = time_derivative_.depends_on_time();
    if (depends_on_time_)
      if (const Status status =
              time_derivative_.evaluate(*linearization_, from.t, from.y, from.ydot, F_t_, this->statistics_);
          !status.ok())
        return status;
    for (Index i = 0; i < s_; ++i)
      if (const Status status = make_stage(from, i); !status.ok()) return status;
    return {};
  }

  Status make_stage(const State<T>& from, Index i) {
    y_ = from.y;
    sum(form_.a, i, increment_);
    y_.head(d_) += kappa_ * increment_.head(d_);
    y_.tail(N_ - d_) += increment_.tail(N_ - d_);
    const T t = from.t + form_.c[i] * h_;
    set_slopes(from, i);
    ++this->statistics_.residuals, ++this->statistics_.back_solves;
    if (const Status status = system_.resolved_residual(t, y_, ydot_, F_); !status.ok()) return status;
    if (depends_on_time_) F_ += (h_ * form_.d[i]) * F_t_;
    if (!resolves_) F_ydot_.add_product(rest_, F_, T(1));
    matrix_->solve(F_);
    X_.col(i) = -F_;
    return {};
  }

  // z_i and r_i, or their sum in the place of z_i.
  void set_slopes(const State<T>& from, Index i) {
    if (resolves_) {
      sum(form_.gamma_inverse, i, ydot_);
      ydot_.head(d_) *= form_.gamma;
    } else {
      sum(form_.slope, i, ydot_), sum(form_.rest, i, rest_);
      ydot_.head(d_) = form_.gamma * ydot_.head(d_) + form_.omega[i] * from.ydot.head(d_);
      rest_.head(d_) = form_.gamma * rest_.head(d_) - form_.omega[i] * from.ydot.head(d_);
      rest_.tail(N_ - d_).setZero();
    }
    ydot_.tail(N_ - d_).setZero();
  }

  // result := sum_(j<i) A_ij x_j
  void sum(const Matrix<T>& A, Index i, Vector<T>& result) const {
    result.setZero();
    for (Index j = 0; j < i; ++j)
      if (A(i, j) != T(0)) result += A(i, j) * X_.col(j);
  }

  Status finish(const State<T>& from, const T& h, State<T>& to) {
    increment_.setZero();
    for (Index i = 0; i < s_; ++i)
      if (form_.m[i] != T(0)) increment_ += form_.m[i] * X_.col(i);
    to.y.tail(N_ - d_) = from.y.tail(N_ - d_) + increment_.tail(N_ - d_);
    increment_.head(d_) = from.compensation.head(d_) + kappa_ * increment_.head(d_);
    add_increment(from, increment_, d_, to);
    to.t = from.t + h, to.memory_step = h;
    ++this->statistics_.steps;
    if (carries_algebraic_) return take_slope(to);
    if (const Status status = system_.project(to.t, to.y); !status.ok()) return status;
    ++this->statistics_.residuals;
    return system_.consistent_derivatives(to.t, to.y, to.ydot);
  }

  // y' = f of differential states, with the algebraic ones as the step has them.
  Status take_slope(State<T>& to) {
    to.ydot.setZero();
    ++this->statistics_.residuals;
    system_.residual(to.t, to.y, to.ydot, F_);
    to.ydot.head(d_) = -F_.head(d_);
    return {};
  }

  std::shared_ptr<const PreparedRosenbrock> prepared_;
  const RosenbrockTableau& tableau_;
  const RosenbrockForm<T>& form_;
  System<T>& system_;
  Index N_, d_, s_;  // d_: differential components
  // Algebraic states are part of the method; otherwise they are functions of the differential components.
  bool carries_algebraic_;
  bool resolves_;  // F_z is the identity, of differential components
  TimeDerivative<T> time_derivative_;
  std::unique_ptr<Linearization<T>> linearization_;
  std::unique_ptr<IterationMatrix<T>> matrix_;
  SparseMatrix<T> F_y_, F_ydot_;  // unless resolves_

  ErrorNorm<T> error_norm_;  // of error control, as the next two
  PiController<T> controller_{1, 1};
  int exponent_ = 0;

  T t_{0}, h_{0}, kappa_{0};  // of the stages at hand
  bool depends_on_time_ = false;
  Matrix<T> X_;                                                      // (N, s)
  Vector<T> start_, y_, ydot_, rest_, F_, F_t_, increment_, error_;  // (N)
};

}  // namespace

template <class T>
std::unique_ptr<Stepper<T>> make_rosenbrock_stepper(std::shared_ptr<const PreparedRosenbrock> tableau,
                                                    System<T>& system) {
  return std::make_unique<RosenbrockStepper<T>>(std::move(tableau), system);
}

#define DAELAB_INSTANTIATE(T)                                                                                \
  template std::unique_ptr<Stepper<T>> make_rosenbrock_stepper<T>(std::shared_ptr<const PreparedRosenbrock>, \
                                                                  System<T>&);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
