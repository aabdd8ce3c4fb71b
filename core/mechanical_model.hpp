// Mechanical models and everything that follows from them by differentiation.
//
//   M(t,q) a + C_q(t,q)^T lambda = Q(t,q,v),  C(t,q) = 0,  v = dq/dt,  a = dv/dt.
//   n coordinates, m constraints.
//
// Beside them a model may have k first-order states s, the last of them algebraic: s' = f(t,q,v,s) and 0 = g(t,q,v,s).
// An ordinary differential equation is a model with states alone (core/first_order_model.hpp).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/dual.hpp"
#include "core/scalar.hpp"

namespace daelab {

/// Which time derivative of the constraints an equation row or a residual means.
enum class Level { position, velocity, acceleration };

template <class T>
struct Energy {
  T kinetic{0}, potential{0};
  T total() const { return kinetic + potential; }
};

/// What formulations, explicit methods and observers see of a model. Results go to output arguments
/// of the right size; nothing is allocated. Not thread-safe: one object belongs to one run.
template <class T>
class MechanicalModel {
 public:
  virtual ~MechanicalModel() = default;

  virtual Index coordinates() const = 0;  // n
  virtual Index constraints() const = 0;  // m
  virtual Vector<T> initial_q() const = 0;
  virtual Vector<T> initial_v() const = 0;

  /// M depends on neither t nor q.
  virtual bool constant_mass() const = 0;
  virtual void mass(const T& t, const Vector<T>& q, Matrix<T>& M) = 0;                         // (n, n)
  virtual void force(const T& t, const Vector<T>& q, const Vector<T>& v, Vector<T>& Q) = 0;    // (n)

  /// C and C_q in one pass. Shapes (m) and (m, n).
  virtual void constraint(const T& t, const Vector<T>& q, Vector<T>& C, Matrix<T>& C_q) = 0;
  /// The same by automatic differentiation even where the model has C_q by hand.
  virtual void differentiated_constraint(const T& t, const Vector<T>& q, Vector<T>& C, Matrix<T>& C_q) = 0;

  /// The constraints differentiated `level` times along a motion with velocity v and acceleration a:
  /// C;  C_q v + C_t;  C_q a - gamma with gamma = -(C_q v)_q v - 2 C_tq v - C_tt. Shape (m).
  virtual void constraint_level(Level level, const T& t, const Vector<T>& q, const Vector<T>& v,
                                const Vector<T>& a, Vector<T>& r) = 0;

  /// The acceleration level at a = 0: h = -gamma in C_q a + h = 0. Shape (m).
  virtual void curvature(const T& t, const Vector<T>& q, const Vector<T>& v, Vector<T>& h) = 0;

  /// Derivative of constraint_level with respect to q. Shape (m, n). (With respect to v it is C_q at
  /// the velocity level and twice the velocity level's q-derivative at the acceleration level.)
  virtual void constraint_level_q(Level level, const T& t, const Vector<T>& q, const Vector<T>& v,
                                  const Vector<T>& a, Matrix<T>& R_q) = 0;

  /// K = (M a + C_q^T lambda - Q)_q and D = -Q_v. Shapes (n, n).
  virtual void balance_jacobians(const T& t, const Vector<T>& q, const Vector<T>& v,
                                 const Vector<T>& a, const Vector<T>& lambda, Matrix<T>& K,
                                 Matrix<T>& D) = 0;

  virtual Index states() const { return 0; }            // k, with the algebraic ones
  virtual Index algebraic_states() const { return 0; }  // the last so many have no derivative
  virtual Vector<T> initial_s() const { return {}; }
  /// f of the differential states, then g of the algebraic ones. Shape (k).
  virtual void rates(const T& /*t*/, const Vector<T>& /*q*/, const Vector<T>& /*v*/, const Vector<T>& /*s*/,
                     Vector<T>& /*r*/) {}
  /// Their derivative with respect to s. Shape (k, k).
  virtual void rates_s(const T& /*t*/, const Vector<T>& /*q*/, const Vector<T>& /*v*/, const Vector<T>& /*s*/,
                       Matrix<T>& /*R_s*/) {}

  virtual bool has_energy() const = 0;
  virtual Energy<T> energy(const T& t, const Vector<T>& q, const Vector<T>& v) = 0;

  /// Named quantities to plot and compare, e.g. tip_x.
  virtual std::vector<std::string> observable_names() const = 0;
  virtual void observables(const T& t, const Vector<T>& q, const Vector<T>& v, Vector<T>& out) = 0;
};

/// Fills in all derivatives of a model written as templates on the scalar.
///
/// Model has T-typed parameters and
///   Index coordinates() const, constraints() const;
///   Vector<T> initial_q() const, initial_v() const;
///   template <class S> void mass(const S& t, const Vector<S>& q, Matrix<S>& M) const;
///   template <class S> void force(const S& t, const Vector<S>& q, const Vector<S>& v, Vector<S>& Q) const;
///   template <class S> void constraint(const S& t, const Vector<S>& q, Vector<S>& C) const;
/// with outputs that come in as zeros, and optionally
///   void constraint_jacobian(const T& t, const Vector<T>& q, Vector<T>& C, Matrix<T>& C_q) const:
///     a cheaper C_q by hand, checked against differentiation by the contract test; as a template on the scalar it also
///     gives (C_q^T lambda)_q, in one pass instead of n;
///   void constraint_curvature(const T& t, const Vector<T>& q, const Vector<T>& v, Vector<T>& h) const:
///     a cheaper acceleration level at a = 0 by hand, checked likewise;
///   template <class S> Energy<S> energy(const S& t, const Vector<S>& q, const Vector<S>& v) const;
///   static std::vector<std::string> observable_names();
///   template <class S> void observables(const S& t, const Vector<S>& q, const Vector<S>& v, Vector<S>& out) const;
///   static constexpr int directions: partial derivatives carried per pass (default 6);
///   static constexpr bool constant_mass: M depends on neither t nor q.
template <class Model, class T>
class DifferentiatedModel final : public MechanicalModel<T> {
 public:
  explicit DifferentiatedModel(Model model) : model_(std::move(model)) {
    resize(plain_), resize(gradient_), resize(line_), resize(line_gradient_), resize(jet_),
        resize(jet_gradient_);
    zero_.setZero(n());
    if constexpr (!has_constant_mass()) mass_.setZero(n(), n());
    if constexpr (differentiates_jacobian()) jacobian_.setZero(m(), n());
  }

  Index coordinates() const override { return model_.coordinates(); }
  Index constraints() const override { return model_.constraints(); }
  Vector<T> initial_q() const override { return model_.initial_q(); }
  Vector<T> initial_v() const override { return model_.initial_v(); }

  bool constant_mass() const override { return has_constant_mass(); }
  void mass(const T& t, const Vector<T>& q, Matrix<T>& M) override {
    M.setZero();
    model_.template mass<T>(t, q, M);
  }
  void force(const T& t, const Vector<T>& q, const Vector<T>& v, Vector<T>& Q) override {
    Q.setZero();
    model_.template force<T>(t, q, v, Q);
  }

  void constraint(const T& t, const Vector<T>& q, Vector<T>& C, Matrix<T>& C_q) override {
    if constexpr (requires { model_.constraint_jacobian(t, q, C, C_q); })
      model_.constraint_jacobian(t, q, C, C_q);
    else
      differentiated_constraint(t, q, C, C_q);
  }
  void differentiated_constraint(const T& t, const Vector<T>& q, Vector<T>& C, Matrix<T>& C_q) override {
    for (Index first = 0; first < n(); first += N) {
      for (Index i = 0; i < n(); ++i) gradient_.q[i] = seed(q[i], i - first);
      evaluate_constraint(Gradient(t), gradient_);
      read_gradient(first, C_q, [](const Gradient& c) -> const Gradient& { return c; }, gradient_);
    }
    for (Index i = 0; i < m(); ++i) C[i] = gradient_.C[i].v;
  }

  void constraint_level(Level level, const T& t, const Vector<T>& q, const Vector<T>& v,
                        const Vector<T>& a, Vector<T>& r) override {
    if (level == Level::position) {
      r.setZero();
      model_.template constraint<T>(t, q, r);
    } else if (level == Level::velocity) {
      for (Index i = 0; i < n(); ++i) line_.q[i] = along(q[i], v[i]);
      evaluate_constraint(along(t, T(1)), line_);
      for (Index i = 0; i < m(); ++i) r[i] = line_.C[i].d[0];
    } else {
      for (Index i = 0; i < n(); ++i) jet_.q[i] = along(along(q[i], v[i]), along(v[i], a[i]));
      evaluate_constraint(along(along(t, T(1)), along(T(1), T(0))), jet_);
      for (Index i = 0; i < m(); ++i) r[i] = jet_.C[i].d[0].d[0];
    }
  }

  void curvature(const T& t, const Vector<T>& q, const Vector<T>& v, Vector<T>& h) override {
    if constexpr (requires { model_.constraint_curvature(t, q, v, h); })
      model_.constraint_curvature(t, q, v, h);
    else
      constraint_level(Level::acceleration, t, q, v, zero_, h);
  }

  void constraint_level_q(Level level, const T& t, const Vector<T>& q, const Vector<T>& v,
                          const Vector<T>& a, Matrix<T>& R_q) override {
    if (level == Level::position) return constraint(t, q, plain_.C, R_q);
    for (Index first = 0; first < n(); first += N)
      if (level == Level::velocity)
        velocity_level_q(first, t, q, v, R_q);
      else
        acceleration_level_q(first, t, q, v, a, R_q);
  }

  void balance_jacobians(const T& t, const Vector<T>& q, const Vector<T>& v, const Vector<T>& a,
                         const Vector<T>& lambda, Matrix<T>& K, Matrix<T>& D) override {
    K.setZero();
    for (Index first = 0; first < n(); first += N) {
      for (Index i = 0; i < n(); ++i) gradient_.q[i] = seed(q[i], i - first), gradient_.v[i] = v[i];
      subtract_force_gradient(t, first, K);
      if constexpr (!has_constant_mass()) add_inertia_gradient(t, first, a, K);
      if (m() > 0) add_reaction_gradient(t, first, q, lambda, K);
    }
    D.setZero();
    for (Index first = 0; first < n(); first += N) {
      for (Index i = 0; i < n(); ++i) gradient_.q[i] = q[i], gradient_.v[i] = seed(v[i], i - first);
      subtract_force_gradient(t, first, D);
    }
  }

  bool has_energy() const override {
    return requires(const Model& model, T t, Vector<T> x) { model.template energy<T>(t, x, x); };
  }
  Energy<T> energy(const T& t, const Vector<T>& q, const Vector<T>& v) override {
    if constexpr (requires(const Model& model, T s, Vector<T> x) { model.template energy<T>(s, x, x); })
      return model_.template energy<T>(t, q, v);
    else
      return {};
  }
  std::vector<std::string> observable_names() const override {
    if constexpr (requires { Model::observable_names(); })
      return Model::observable_names();
    else
      return {};
  }
  void observables(const T& t, const Vector<T>& q, const Vector<T>& v, Vector<T>& out) override {
    if constexpr (requires { Model::observable_names(); })
      model_.template observables<T>(t, q, v, out);
  }

 private:
  static constexpr int directions() {
    if constexpr (requires { Model::directions; })
      return Model::directions;
    else
      return 6;
  }
  static constexpr bool has_constant_mass() {
    if constexpr (requires { Model::constant_mass; })
      return Model::constant_mass;
    else
      return false;
  }
  static constexpr bool differentiates_jacobian() {
    return requires(const Model& model, Gradient t, Vector<Gradient> x, Matrix<Gradient> J) {
      model.constraint_jacobian(t, x, x, J);
    };
  }
  static constexpr int N = directions();
  using Gradient = Dual<T, N>;                          // f and N partial derivatives
  using Line = Dual<T, 1>;                              // f and df/dt along a motion
  using LineGradient = Dual<Gradient, 1>;               // the same with N partial derivatives of both
  using Jet = Dual<Line, 1>;                            // up to d2f/dt2
  using JetGradient = Dual<Dual<Gradient, 1>, 1>;       // up to d2f/dt2 with partial derivatives

  template <class S>
  struct Work {
    Vector<S> q, v, Q, C;
  };
  template <class S>
  void resize(Work<S>& work) {
    work.q.setZero(n()), work.v.setZero(n()), work.Q.setZero(n()), work.C.setZero(m());
  }

  Index n() const { return model_.coordinates(); }
  Index m() const { return model_.constraints(); }

  static Gradient seed(const T& value, Index k) {
    Gradient x(value);
    if (k >= 0 && k < N) x.d[k] = T(1);
    return x;
  }
  template <class S>
  static Dual<S, 1> along(const S& value, const S& slope) {
    Dual<S, 1> x(value);
    x.d[0] = slope;
    return x;
  }
  template <class S>
  void evaluate_constraint(const S& t, Work<S>& work) {
    for (S& c : work.C) c = S();
    model_.template constraint<S>(t, work.q, work.C);
  }
  // Columns first .. first+N-1 of a Jacobian, from the gradient that `part` picks of each result.
  template <class S, class Part>
  void read_gradient(Index first, Matrix<T>& J, Part part, const Work<S>& work) {
    for (Index k = 0; k < std::min<Index>(N, n() - first); ++k)
      for (Index i = 0; i < m(); ++i) J(i, first + k) = part(work.C[i]).d[k];
  }

  void velocity_level_q(Index first, const T& t, const Vector<T>& q, const Vector<T>& v,
                        Matrix<T>& R_q) {
    for (Index i = 0; i < n(); ++i)
      line_gradient_.q[i] = along(seed(q[i], i - first), Gradient(v[i]));
    evaluate_constraint(along(Gradient(t), Gradient(T(1))), line_gradient_);
    read_gradient(first, R_q, [](const LineGradient& c) -> const Gradient& { return c.d[0]; },
                  line_gradient_);
  }
  void acceleration_level_q(Index first, const T& t, const Vector<T>& q, const Vector<T>& v,
                            const Vector<T>& a, Matrix<T>& R_q) {
    for (Index i = 0; i < n(); ++i)
      jet_gradient_.q[i] = along(along(seed(q[i], i - first), Gradient(v[i])),
                                 along(Gradient(v[i]), Gradient(a[i])));
    evaluate_constraint(along(along(Gradient(t), Gradient(T(1))), along(Gradient(T(1)), Gradient(T(0)))),
                        jet_gradient_);
    read_gradient(first, R_q, [](const JetGradient& c) -> const Gradient& { return c.d[0].d[0]; },
                  jet_gradient_);
  }

  void subtract_force_gradient(const T& t, Index first, Matrix<T>& J) {
    for (Gradient& x : gradient_.Q) x = Gradient();
    model_.template force<Gradient>(Gradient(t), gradient_.q, gradient_.v, gradient_.Q);
    for (Index k = 0; k < std::min<Index>(N, n() - first); ++k)
      for (Index i = 0; i < n(); ++i) J(i, first + k) -= gradient_.Q[i].d[k];
  }
  void add_inertia_gradient(const T& t, Index first, const Vector<T>& a, Matrix<T>& K) {
    mass_.setZero();
    model_.template mass<Gradient>(Gradient(t), gradient_.q, mass_);
    for (Index k = 0; k < std::min<Index>(N, n() - first); ++k)
      for (Index j = 0; j < n(); ++j)
        for (Index i = 0; i < n(); ++i) K(i, first + k) += mass_(i, j).d[k] * a[j];
  }
  // Row i of (C_q^T lambda)_q: the gradient of the derivative of lambda^T C along q_i.
  void add_reaction_gradient(const T& t, Index first, const Vector<T>& q, const Vector<T>& lambda,
                             Matrix<T>& K) {
    if constexpr (differentiates_jacobian()) {
      model_.constraint_jacobian(Gradient(t), gradient_.q, gradient_.C, jacobian_);
      for (Index k = 0; k < std::min<Index>(N, n() - first); ++k)
        for (Index i = 0; i < n(); ++i)
          for (Index c = 0; c < m(); ++c) K(i, first + k) += lambda[c] * jacobian_(c, i).d[k];
      return;
    }
    for (Index j = 0; j < n(); ++j) line_gradient_.q[j] = LineGradient(seed(q[j], j - first));
    for (Index i = 0; i < n(); ++i) {
      line_gradient_.q[i].d[0] = Gradient(T(1));
      evaluate_constraint(LineGradient(t), line_gradient_);
      line_gradient_.q[i].d[0] = Gradient(T(0));
      for (Index k = 0; k < std::min<Index>(N, n() - first); ++k)
        for (Index c = 0; c < m(); ++c) K(i, first + k) += lambda[c] * line_gradient_.C[c].d[0].d[k];
    }
  }

  Model model_;
  Work<T> plain_;
  Work<Gradient> gradient_;
  Work<Line> line_;
  Work<LineGradient> line_gradient_;
  Work<Jet> jet_;
  Work<JetGradient> jet_gradient_;
  Matrix<Gradient> mass_, jacobian_;
  Vector<T> zero_;
};

}  // namespace daelab
