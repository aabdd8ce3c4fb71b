// Mechanical models and everything that follows from them by differentiation.
//
//   M(t,q) a + C_q(t,q)^T lambda + G_v(t,q,v)^T mu = Q(t,q,v),  C(t,q) = 0,  G(t,q,v) = 0,  v = dq/dt,  a = dv/dt.
//   n coordinates, m constraints, the last p of them nonholonomic (G); lambda and mu stand in one vector of length m.
//
// Controllers and actuators have first-order states s, s' = f(t,q,v,s). They stand at the end of v, and their integrals
// at the end of q: so every formulation and every method treats them as it treats velocities.
//
// An ordinary differential equation is a model without coordinates (core/first_order_model.hpp).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/dual.hpp"
#include "core/event.hpp"
#include "core/scalar.hpp"
#include "core/sparse_matrix.hpp"

namespace daelab {

/// Which time derivative of the constraints an equation row or a residual means.
enum class Level { position, velocity, acceleration };

template <class T>
struct Energy {
  T kinetic{0}, potential{0};
  T total() const { return kinetic + potential; }
};

/// The blocks of the linearised equations, constraints at some level: row = R_q dq + R_v dv + R_a da.
template <class T>
struct MechanicalBlocks {
  Matrix<T> M, K, D;           // (n, n)
  Matrix<T> J, R_q, R_v, R_a;  // (m, n); J: C_q and G_v
};

/// The same by values on patterns, which change only with the mode of a model.
template <class T>
struct SparseBlocks {
  SparseMatrix<T> M, K, D, J, R_q, R_v, R_a;
};

/// M, Q, J and h, what accelerations are solved from; M and J by values on patterns.
template <class T>
struct SparseData {
  SparseMatrix<T> M, J;
  Vector<T> Q, h;
};

/// What formulations, explicit methods and observers see of a model. Results go to output arguments
/// of the right size; nothing is allocated. Not thread-safe: one object belongs to one run.
template <class T>
class MechanicalModel {
 public:
  virtual ~MechanicalModel() = default;

  virtual Index coordinates() const = 0;  // n
  virtual Index constraints() const = 0;  // m
  /// p: the last so many constraints have no position level.
  virtual Index nonholonomic() const { return 0; }
  /// The last so many coordinates are nothing but the integrals of first-order states, their velocities.
  virtual Index integrated_states() const { return 0; }
  virtual Vector<T> initial_q() const = 0;
  virtual Vector<T> initial_v() const = 0;

  /// M depends on neither t nor q.
  virtual bool constant_mass() const = 0;
  virtual void mass(const T& t, const Vector<T>& q, Matrix<T>& M) = 0;                         // (n, n)
  virtual void force(const T& t, const Vector<T>& q, const Vector<T>& v, Vector<T>& Q) = 0;    // (n)

  /// C and C_q in one pass. Shapes (m) and (m, n); rows of nonholonomic constraints are left as they are.
  virtual void constraint(const T& t, const Vector<T>& q, Vector<T>& C, Matrix<T>& C_q) = 0;
  /// The same by automatic differentiation even where the model has C_q by hand.
  virtual void differentiated_constraint(const T& t, const Vector<T>& q, Vector<T>& C, Matrix<T>& C_q) = 0;

  /// G and G_v into the rows of nonholonomic constraints; the others are left as they are. Shapes (m) and (m, n).
  virtual void velocity_constraint(const T& /*t*/, const Vector<T>& /*q*/, const Vector<T>& /*v*/, Vector<T>& /*G*/,
                                   Matrix<T>& /*G_v*/) {}
  /// Every constraint at its lowest level, C or G, and the directions of their reactions, C_q or G_v.
  void constraints_and_directions(const T& t, const Vector<T>& q, const Vector<T>& v, Vector<T>& C, Matrix<T>& J) {
    constraint(t, q, C, J);
    velocity_constraint(t, q, v, C, J);
  }

  /// The constraints differentiated `level` times along a motion with velocity v and acceleration a:
  /// C;  C_q v + C_t;  C_q a - gamma with gamma = -(C_q v)_q v - 2 C_tq v - C_tt. Nonholonomic ones: 0; G; dG/dt.
  /// Shape (m).
  virtual void constraint_level(Level level, const T& t, const Vector<T>& q, const Vector<T>& v,
                                const Vector<T>& a, Vector<T>& r) = 0;

  /// The acceleration level at a = 0: h = -gamma in C_q a + h = 0. Shape (m).
  virtual void curvature(const T& t, const Vector<T>& q, const Vector<T>& v, Vector<T>& h) = 0;

  /// Derivative of constraint_level with respect to q. Shape (m, n).
  virtual void constraint_level_q(Level level, const T& t, const Vector<T>& q, const Vector<T>& v,
                                  const Vector<T>& a, Matrix<T>& R_q) = 0;
  /// Derivative of the acceleration level with respect to v: twice the velocity level's q-derivative, but for
  /// nonholonomic constraints. Shape (m, n).
  virtual void acceleration_level_v(const T& t, const Vector<T>& q, const Vector<T>& v, const Vector<T>& a,
                                    Matrix<T>& R_v) = 0;

  /// K and D, the derivatives of M a + C_q^T lambda + G_v^T mu - Q with respect to q and v. Shapes (n, n).
  virtual void balance_jacobians(const T& t, const Vector<T>& q, const Vector<T>& v,
                                 const Vector<T>& a, const Vector<T>& lambda, Matrix<T>& K,
                                 Matrix<T>& D) = 0;

  /// What accelerations are solved from: M, Q, the directions J of the reactions, C_q and G_v, and h = -gamma. In one pass.
  virtual void data(const T& t, const Vector<T>& q, const Vector<T>& v, Matrix<T>& M, Vector<T>& Q, Matrix<T>& J,
                    Vector<T>& h) {
    mass(t, q, M), force(t, q, v, Q);
    constraints_and_directions(t, q, v, h, J);
    curvature(t, q, v, h);
  }
  /// M a + C_q^T lambda + G_v^T mu - Q (n), and the constraints at a level (m). In one pass.
  virtual void residual(Level level, const T& t, const Vector<T>& q, const Vector<T>& v, const Vector<T>& a,
                        const Vector<T>& lambda, Vector<T>& balance, Vector<T>& row) {(void)level,(void)t,(void)q,(void)v,(void)a,(void)lambda,(void)balance,(void)row; }
  /// All blocks of that, in one pass.
  virtual void blocks(Level level, const T& t, const Vector<T>& q, const Vector<T>& v, const Vector<T>& a,
                      const Vector<T>& lambda, MechanicalBlocks<T>& blocks) {(void)level,(void)t,(void)q,(void)v,(void)a,(void)lambda,(void)blocks; }

  /// data() and blocks() on patterns. Patterns and sizes are set here: the first call, and the first one in a new mode,
  /// allocate.
  virtual void data(const T& t, const Vector<T>& q, const Vector<T>& v, SparseData<T>& data) {
    Matrix<T> M = Matrix<T>::Zero(coordinates(), coordinates()), J = Matrix<T>::Zero(constraints(), coordinates());
    data.Q.resize(coordinates()), data.h.resize(constraints());
    this->data(t, q, v, M, data.Q, J, data.h);
    set_full(M, data.M), set_full(J, data.J);
  }
  virtual void blocks(Level level, const T& t, const Vector<T>& q, const Vector<T>& v, const Vector<T>& a,
                      const Vector<T>& lambda, SparseBlocks<T>& blocks) {
    const Index n = coordinates(), m = constraints();
    MechanicalBlocks<T> x;
    for (Matrix<T>* block : {&x.M, &x.K, &x.D}) block->setZero(n, n);
    for (Matrix<T>* block : {&x.J, &x.R_q, &x.R_v, &x.R_a}) block->setZero(m, n);
    this->blocks(level, t, q, v, a, lambda, x);
    set_full(x.M, blocks.M), set_full(x.K, blocks.K), set_full(x.D, blocks.D), set_full(x.J, blocks.J);
    set_full(x.R_q, blocks.R_q), set_full(x.R_v, blocks.R_v), set_full(x.R_a, blocks.R_a);
  }

  virtual Index states() const { return 0; }            // k, with the algebraic ones
  virtual Index algebraic_states() const { return 0; }  // the last so many have no derivative
  virtual Vector<T> initial_s() const { return {}; }
  /// f of the differential states, then g of the algebraic ones. Shape (k).
  virtual void rates(const T& /*t*/, const Vector<T>& /*q*/, const Vector<T>& /*v*/, const Vector<T>& /*s*/,
                     Vector<T>& /*r*/) {}
  /// Their derivative with respect to s. Shape (k, k).
  virtual void rates_s(const T& /*t*/, const Vector<T>& /*q*/, const Vector<T>& /*v*/, const Vector<T>& /*s*/,
                       Matrix<T>& /*R_s*/) {}
  virtual void rates_s(const T& t, const Vector<T>& q, const Vector<T>& v, const Vector<T>& s, SparseMatrix<T>& R_s) {
    Matrix<T> dense = Matrix<T>::Zero(states(), states());
    rates_s(t, q, v, s, dense);
    set_full(dense, R_s);
  }

  virtual std::vector<Event> events() const { return {}; }
  /// One function of each event; shape (number of events).
  virtual void event_functions(const T& /*t*/, const Vector<T>& /*q*/, const Vector<T>& /*v*/, Vector<T>& /*g*/) {}
  /// The velocities, positions and forces after an event.
  virtual void carry_out(Index /*event*/, const T& /*t*/, Vector<T>& /*q*/, Vector<T>& /*v*/) {}
  /// Discrete-time blocks: sample() sets their outputs at the multiples of this period; 0: there are none.
  virtual T sampling_period() const { return T(0); }
  virtual void sample(const T& /*t*/, const Vector<T>& /*q*/, const Vector<T>& /*v*/) {}

  /// Sets of coordinates for the same motion, each singular elsewhere. A run starts, and is recorded, in chart 0.
  virtual Index charts() const { return 1; }
  virtual Index chart() const { return 0; }
  virtual void set_chart(Index /*chart*/) {}
  /// (q, v, a) of the present chart in another one, q on the branch next to `near`; nothing is set.
  virtual void to_chart(Index /*chart*/, const Vector<T>& /*near*/, Vector<T>& /*q*/, Vector<T>& /*v*/,
                        Vector<T>& /*a*/) {}

  virtual bool has_energy() const = 0;
  virtual Energy<T> energy(const T& t, const Vector<T>& q, const Vector<T>& v) = 0;

  /// Named quantities to plot and compare, e.g. tip_x.
  /// Of models without coordinates, their states stand in the place of v.
  virtual std::vector<std::string> observable_names() const = 0;
  virtual void observables(const T& t, const Vector<T>& q, const Vector<T>& v, Vector<T>& out) = 0;

 private:
  static void set_full(const Matrix<T>& A, SparseMatrix<T>& x) {
    if (x.pattern->entries() != A.size()) x.take(SparsePattern::full(A.rows(), A.cols()));
    x.values = A.reshaped();
  }
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
///   Index nonholonomic() const;
///   template <class S> void velocity_constraint(const S& t, const Vector<S>& q, const Vector<S>& v, Vector<S>& G) const;
///     nonholonomic constraints beside the constraints(), G of their number;
///   Index states() const;  Vector<T> initial_s() const;
///   template <class S> void rates(const S& t, const Vector<S>& q, const Vector<S>& v, const Vector<S>& s, Vector<S>& r) const;
///     first-order states s' = r. force() gets them as its argument after v then. q, v and a carry them at their ends;
///   void constraint_jacobian(const T& t, const Vector<T>& q, Vector<T>& C, Matrix<T>& C_q) const:
///     a cheaper C_q by hand, checked against differentiation by the contract test; as a template on the scalar it also
///     gives (C_q^T lambda)_q, in one pass instead of n;
///   void constraint_curvature(const T& t, const Vector<T>& q, const Vector<T>& v, Vector<T>& h) const:
///     a cheaper acceleration level at a = 0 by hand, checked likewise;
///   std::vector<Event> events() const;
///   void event_functions(const T& t, const Vector<T>& q, const Vector<T>& v, Vector<T>& g) const;
///   void carry_out(Index event, const T& t, Vector<T>& q, Vector<T>& v);  what the event changes; not const: it may
///     change the model's mode, which the forces depend on. Models hold a mode of their own, as they come from the problem;
///   T sampling_period() const;  void sample(const T& t, const Vector<T>& q, const Vector<T>& v);
///     not const either: it keeps the outputs of discrete-time blocks;
///   Index charts() const, chart() const;  void set_chart(Index chart);
///   template <class S> void to_chart(Index chart, const Vector<S>& q, Vector<S>& r) const;
///   Vector<T> periods(Index chart) const;  2 pi for angles, 0 for coordinates without a period;
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

  Index coordinates() const override { return n(); }
  Index constraints() const override { return m(); }
  Index nonholonomic() const override {
    if constexpr (has_nonholonomic())
      return model_.nonholonomic();
    else
      return 0;
  }
  Index integrated_states() const override {
    if constexpr (has_states())
      return model_.states();
    else
      return 0;
  }
  Vector<T> initial_q() const override {
    Vector<T> q = Vector<T>::Zero(n());
    q.head(model_.coordinates()) = model_.initial_q();
    return q;
  }
  Vector<T> initial_v() const override {
    Vector<T> v(n());
    v.head(model_.coordinates()) = model_.initial_v();
    if constexpr (has_states()) v.tail(model_.states()) = model_.initial_s();
    return v;
  }

  bool constant_mass() const override { return has_constant_mass(); }
  void mass(const T& t, const Vector<T>& q, Matrix<T>& M) override {
    M.setZero();
    model_.template mass<T>(t, q, M);
    for (Index i = n() - integrated_states(); i < n(); ++i) M(i, i) = T(1);
  }
  void force(const T& t, const Vector<T>& q, const Vector<T>& v, Vector<T>& Q) override {
    Q.setZero();
    evaluate_force(t, q, v, Q, plain_);
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
    for (Index i = 0; i < holonomic(); ++i) C[i] = gradient_.C[i].v;
  }
  void velocity_constraint(const T& t, const Vector<T>& q, const Vector<T>& v, Vector<T>& G, Matrix<T>& G_v) override {
    if (nonholonomic() == 0) return;
    for (Index first = 0; first < n(); first += N) {
      for (Index i = 0; i < n(); ++i) gradient_.q[i] = q[i], gradient_.v[i] = seed(v[i], i - first);
      evaluate_velocity_constraint(Gradient(t), gradient_);
      read_nonholonomic(first, G_v, [](const Gradient& g) -> const Gradient& { return g; }, gradient_);
    }
    for (Index i = 0; i < nonholonomic(); ++i) G[holonomic() + i] = gradient_.G[i].v;
  }

  void constraint_level(Level level, const T& t, const Vector<T>& q, const Vector<T>& v,
                        const Vector<T>& a, Vector<T>& r) override {
    if (level == Level::position) {
      r.setZero();
      model_.template constraint<T>(t, q, r);
    } else if (level == Level::velocity) {
      for (Index i = 0; i < n(); ++i) line_.q[i] = along(q[i], v[i]);
      evaluate_constraint(along(t, T(1)), line_);
      for (Index i = 0; i < holonomic(); ++i) r[i] = line_.C[i].d[0];
    } else {
      for (Index i = 0; i < n(); ++i) jet_.q[i] = along(along(q[i], v[i]), along(v[i], a[i]));
      evaluate_constraint(along(along(t, T(1)), along(T(1), T(0))), jet_);
      for (Index i = 0; i < holonomic(); ++i) r[i] = jet_.C[i].d[0].d[0];
    }
    if (level != Level::position) nonholonomic_level(level, t, q, v, a, r);
  }

  void curvature(const T& t, const Vector<T>& q, const Vector<T>& v, Vector<T>& h) override {
    if constexpr (requires { model_.constraint_curvature(t, q, v, h); }) {
      model_.constraint_curvature(t, q, v, h);
      nonholonomic_level(Level::acceleration, t, q, v, zero_, h);
    } else {
      constraint_level(Level::acceleration, t, q, v, zero_, h);
    }
  }

  void constraint_level_q(Level level, const T& t, const Vector<T>& q, const Vector<T>& v,
                          const Vector<T>& a, Matrix<T>& R_q) override {
    if (level == Level::position) {
      R_q.setZero();
      return constraint(t, q, plain_.C, R_q);
    }
    for (Index first = 0; first < n(); first += N)
      if (level == Level::velocity)
        velocity_level_q(first, t, q, v, R_q);
      else
        acceleration_level_q(first, t, q, v, a, R_q);
  }

  void acceleration_level_v(const T& t, const Vector<T>& q, const Vector<T>& v, const Vector<T>& a,
                            Matrix<T>& R_v) override {
    for (Index first = 0; first < n(); first += N) {
      velocity_level_q(first, t, q, v, R_v);
      nonholonomic_acceleration_v(first, t, q, v, a, R_v);
    }
    R_v.topRows(holonomic()) *= T(2);
  }

  void balance_jacobians(const T& t, const Vector<T>& q, const Vector<T>& v, const Vector<T>& a,
                         const Vector<T>& lambda, Matrix<T>& K, Matrix<T>& D) override {
    K.setZero();
    for (Index first = 0; first < n(); first += N) {
      for (Index i = 0; i < n(); ++i) gradient_.q[i] = seed(q[i], i - first), gradient_.v[i] = v[i];
      subtract_force_gradient(t, first, K);
      if constexpr (!has_constant_mass()) add_inertia_gradient(t, first, a, K);
      if (holonomic() > 0) add_reaction_gradient(t, first, q, lambda, K);
      for (Index i = 0; i < n(); ++i) line_gradient_.q[i] = LineGradient(seed(q[i], i - first));
      for (Index i = 0; i < n(); ++i) line_gradient_.v[i] = LineGradient(Gradient(v[i]));
      add_nonholonomic_reaction_gradient(t, first, lambda, K);
    }
    D.setZero();
    for (Index first = 0; first < n(); first += N) {
      for (Index i = 0; i < n(); ++i) gradient_.q[i] = q[i], gradient_.v[i] = seed(v[i], i - first);
      subtract_force_gradient(t, first, D);
      for (Index i = 0; i < n(); ++i) line_gradient_.q[i] = LineGradient(Gradient(q[i]));
      for (Index i = 0; i < n(); ++i) line_gradient_.v[i] = LineGradient(seed(v[i], i - first));
      add_nonholonomic_reaction_gradient(t, first, lambda, D);
    }
  }

  std::vector<Event> events() const override {
    if constexpr (has_events())
      return model_.events();
    else
      return {};
  }
  void event_functions(const T& t, const Vector<T>& q, const Vector<T>& v, Vector<T>& g) override {
    if constexpr (has_events()) model_.event_functions(t, q, v, g);
  }
  void carry_out(Index event, const T& t, Vector<T>& q, Vector<T>& v) override {
    if constexpr (requires { model_.carry_out(event, t, q, v); }) model_.carry_out(event, t, q, v);
  }
  T sampling_period() const override {
    if constexpr (requires { model_.sampling_period(); })
      return model_.sampling_period();
    else
      return T(0);
  }
  void sample(const T& t, const Vector<T>& q, const Vector<T>& v) override {
    if constexpr (requires { model_.sample(t, q, v); }) model_.sample(t, q, v);
  }
  Index charts() const override {
    if constexpr (has_charts())
      return model_.charts();
    else
      return 1;
  }
  Index chart() const override {
    if constexpr (has_charts())
      return model_.chart();
    else
      return 0;
  }
  void set_chart(Index chart) override {
    if constexpr (has_charts()) model_.set_chart(chart);
  }
  // The second derivative of the new coordinates along the motion: v and a come with them.
  void to_chart(Index chart, const Vector<T>& near, Vector<T>& q, Vector<T>& v, Vector<T>& a) override {
    if constexpr (has_charts()) {
      using std::round;
      for (Index i = 0; i < n(); ++i) jet_.q[i] = along(along(q[i], v[i]), along(v[i], a[i]));
      jet_.v = jet_.q;
      model_.template to_chart<Jet>(chart, jet_.q, jet_.v);
      const Vector<T> periods = model_.periods(chart);
      for (Index i = 0; i < n(); ++i) {
        q[i] = jet_.v[i].v.v, v[i] = jet_.v[i].d[0].v, a[i] = jet_.v[i].d[0].d[0];
        if (periods[i] > T(0)) q[i] += periods[i] * round(T((near[i] - q[i]) / periods[i]));
      }
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
  static constexpr bool has_nonholonomic() {
    return requires(const Model& model) { model.nonholonomic(); };
  }
  static constexpr bool has_states() {
    return requires(const Model& model) { model.states(); };
  }
  static constexpr bool has_events() {
    return requires(const Model& model) { model.events(); };
  }
  static constexpr bool has_charts() {
    return requires(const Model& model) { model.charts(); };
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
    Vector<S> q, v, Q, C, G, s, rates;
  };
  template <class S>
  void resize(Work<S>& work) {
    for (Vector<S>* x : {&work.q, &work.v, &work.Q}) x->setZero(n());
    work.C.setZero(m()), work.G.setZero(nonholonomic());
    for (Vector<S>* x : {&work.s, &work.rates}) x->setZero(integrated_states());
  }

  Index n() const { return model_.coordinates() + integrated_states(); }
  Index m() const { return model_.constraints() + nonholonomic(); }
  Index holonomic() const { return model_.constraints(); }

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
  template <class S>
  void evaluate_velocity_constraint(const S& t, Work<S>& work) {
    for (S& g : work.G) g = S();
    if constexpr (has_nonholonomic()) model_.template velocity_constraint<S>(t, work.q, work.v, work.G);
  }
  // Forces, and behind them the rates of the states. Q comes in as zeros.
  template <class S>
  void evaluate_force(const S& t, const Vector<S>& q, const Vector<S>& v, Vector<S>& Q, Work<S>& work) {
    if constexpr (has_states()) {
      work.s = v.tail(model_.states());
      for (S& r : work.rates) r = S();
      model_.template force<S>(t, q, v, work.s, Q);
      model_.template rates<S>(t, q, v, work.s, work.rates);
      Q.tail(model_.states()) = work.rates;
    } else {
      model_.template force<S>(t, q, v, Q);
    }
  }
  // Columns first .. first+N-1 of a Jacobian, from the gradient that `part` picks of each result.
  template <class S, class Part>
  void read_gradient(Index first, Matrix<T>& J, Part part, const Work<S>& work) {
    for (Index k = 0; k < std::min<Index>(N, n() - first); ++k)
      for (Index i = 0; i < holonomic(); ++i) J(i, first + k) = part(work.C[i]).d[k];
  }
  template <class S, class Part>
  void read_nonholonomic(Index first, Matrix<T>& J, Part part, const Work<S>& work) {
    for (Index k = 0; k < std::min<Index>(N, n() - first); ++k)
      for (Index i = 0; i < nonholonomic(); ++i) J(holonomic() + i, first + k) = part(work.G[i]).d[k];
  }

  // G, or dG/dt along the motion, into the last rows.
  void nonholonomic_level(Level level, const T& t, const Vector<T>& q, const Vector<T>& v, const Vector<T>& a,
                          Vector<T>& r) {
    if (nonholonomic() == 0) return;
    for (Index i = 0; i < n(); ++i) line_.q[i] = along(q[i], v[i]), line_.v[i] = along(v[i], a[i]);
    evaluate_velocity_constraint(along(t, T(1)), line_);
    for (Index i = 0; i < nonholonomic(); ++i)
      r[holonomic() + i] = level == Level::velocity ? line_.G[i].v : line_.G[i].d[0];
  }
  // d/dv of dG/dt = G_v a + G_q v + G_t.
  void nonholonomic_acceleration_v(Index first, const T& t, const Vector<T>& q, const Vector<T>& v, const Vector<T>& a,
                                   Matrix<T>& R_v) {
    if (nonholonomic() == 0) return;
    for (Index i = 0; i < n(); ++i) {
      const Gradient vi = seed(v[i], i - first);
      line_gradient_.q[i] = along(Gradient(q[i]), vi);
      line_gradient_.v[i] = along(vi, Gradient(a[i]));
    }
    evaluate_velocity_constraint(along(Gradient(t), Gradient(T(1))), line_gradient_);
    read_nonholonomic(first, R_v, [](const LineGradient& g) -> const Gradient& { return g.d[0]; }, line_gradient_);
  }

  void velocity_level_q(Index first, const T& t, const Vector<T>& q, const Vector<T>& v,
                        Matrix<T>& R_q) {
    for (Index i = 0; i < n(); ++i)
      line_gradient_.q[i] = along(seed(q[i], i - first), Gradient(v[i]));
    evaluate_constraint(along(Gradient(t), Gradient(T(1))), line_gradient_);
    read_gradient(first, R_q, [](const LineGradient& c) -> const Gradient& { return c.d[0]; },
                  line_gradient_);
    if (nonholonomic() == 0) return;
    for (Index i = 0; i < n(); ++i) gradient_.q[i] = seed(q[i], i - first), gradient_.v[i] = v[i];
    evaluate_velocity_constraint(Gradient(t), gradient_);
    read_nonholonomic(first, R_q, [](const Gradient& g) -> const Gradient& { return g; }, gradient_);
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
    if (nonholonomic() == 0) return;
    for (Index i = 0; i < n(); ++i) {
      line_gradient_.q[i] = along(seed(q[i], i - first), Gradient(v[i]));
      line_gradient_.v[i] = along(Gradient(v[i]), Gradient(a[i]));
    }
    evaluate_velocity_constraint(along(Gradient(t), Gradient(T(1))), line_gradient_);
    read_nonholonomic(first, R_q, [](const LineGradient& g) -> const Gradient& { return g.d[0]; }, line_gradient_);
  }

  void subtract_force_gradient(const T& t, Index first, Matrix<T>& J) {
    for (Gradient& x : gradient_.Q) x = Gradient();
    evaluate_force(Gradient(t), gradient_.q, gradient_.v, gradient_.Q, gradient_);
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
          for (Index c = 0; c < holonomic(); ++c) K(i, first + k) += lambda[c] * jacobian_(c, i).d[k];
      return;
    }
    for (Index j = 0; j < n(); ++j) line_gradient_.q[j] = LineGradient(seed(q[j], j - first));
    for (Index i = 0; i < n(); ++i) {
      line_gradient_.q[i].d[0] = Gradient(T(1));
      evaluate_constraint(LineGradient(t), line_gradient_);
      line_gradient_.q[i].d[0] = Gradient(T(0));
      for (Index k = 0; k < std::min<Index>(N, n() - first); ++k)
        for (Index c = 0; c < holonomic(); ++c) K(i, first + k) += lambda[c] * line_gradient_.C[c].d[0].d[k];
    }
  }
  // Row i of the gradient of G_v^T mu: that of the derivative of mu^T G along v_i, with the seeds line_gradient_ has.
  void add_nonholonomic_reaction_gradient(const T& t, Index first, const Vector<T>& lambda, Matrix<T>& J) {
    if (nonholonomic() == 0) return;
    for (Index i = 0; i < n(); ++i) {
      line_gradient_.v[i].d[0] = Gradient(T(1));
      evaluate_velocity_constraint(LineGradient(Gradient(t)), line_gradient_);
      line_gradient_.v[i].d[0] = Gradient(T(0));
      for (Index k = 0; k < std::min<Index>(N, n() - first); ++k)
        for (Index c = 0; c < nonholonomic(); ++c)
          J(i, first + k) += lambda[holonomic() + c] * line_gradient_.G[c].d[0].d[k];
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
