// Ordinary differential equations, and differential-algebraic ones of index 1 in explicit form, as models without
// coordinates: s' = f(t, s), 0 = g(t, s).
#pragma once

#include <algorithm>

#include "core/mechanical_model.hpp"

namespace daelab {

/// Fills in the Jacobian of a model written as a template on the scalar.
///
/// Model has T-typed parameters and
///   Index states() const;
///   Vector<T> initial_s() const;
///   template <class S> void rates(const S& t, const Vector<S>& s, Vector<S>& r) const;
/// with outputs that come in as zeros, f first, then g, and optionally
///   Index algebraic_states() const (0): the last so many states have no derivative; their r is g;
///   static constexpr int directions: partial derivatives carried per pass (default 4);
///   static std::vector<std::string> observable_names();
///   template <class S> void observables(const S& t, const Vector<S>& s, Vector<S>& out) const.
template <class Model, class T>
class FirstOrderModel final : public MechanicalModel<T> {
 public:
  explicit FirstOrderModel(Model model) : model_(std::move(model)) {
    s_.setZero(states()), r_.setZero(states());
  }

  Index states() const override { return model_.states(); }
  Index algebraic_states() const override {
    if constexpr (requires { model_.algebraic_states(); })
      return model_.algebraic_states();
    else
      return 0;
  }
  Vector<T> initial_s() const override { return model_.initial_s(); }
  void rates(const T& t, const Vector<T>& /*q*/, const Vector<T>& /*v*/, const Vector<T>& s, Vector<T>& r) override {
    r.setZero();
    model_.template rates<T>(t, s, r);
  }
  void rates_s(const T& t, const Vector<T>& /*q*/, const Vector<T>& /*v*/, const Vector<T>& s,
               Matrix<T>& R_s) override {
    const Index k = states();
    for (Index i = 0; i < k; ++i) s_[i] = Gradient(s[i]);
    for (Index first = 0; first < k; first += N) {
      const Index count = std::min<Index>(N, k - first);
      for (Index j = 0; j < count; ++j) s_[first + j].d[j] = T(1);
      for (Gradient& x : r_) x = Gradient();
      model_.template rates<Gradient>(Gradient(t), s_, r_);
      for (Index j = 0; j < count; ++j) {
        for (Index i = 0; i < k; ++i) R_s(i, first + j) = r_[i].d[j];
        s_[first + j].d[j] = T(0);
      }
    }
  }

  Index coordinates() const override { return 0; }
  Index constraints() const override { return 0; }
  Vector<T> initial_q() const override { return Vector<T>(0); }
  Vector<T> initial_v() const override { return Vector<T>(0); }
  bool constant_mass() const override { return true; }
  bool has_energy() const override { return false; }
  Energy<T> energy(const T&, const Vector<T>&, const Vector<T>&) override { return {}; }
  std::vector<std::string> observable_names() const override {
    if constexpr (requires { Model::observable_names(); })
      return Model::observable_names();
    else
      return {};
  }
  void observables(const T& t, const Vector<T>& /*q*/, const Vector<T>& s, Vector<T>& out) override {
    if constexpr (requires { Model::observable_names(); }) model_.template observables<T>(t, s, out);
  }

  // Empty blocks: nothing to write.
  void mass(const T&, const Vector<T>&, Matrix<T>&) override {}
  void force(const T&, const Vector<T>&, const Vector<T>&, Vector<T>&) override {}
  void constraint(const T&, const Vector<T>&, Vector<T>&, Matrix<T>&) override {}
  void differentiated_constraint(const T&, const Vector<T>&, Vector<T>&, Matrix<T>&) override {}
  void constraint_level(Level, const T&, const Vector<T>&, const Vector<T>&, const Vector<T>&, Vector<T>&) override {}
  void curvature(const T&, const Vector<T>&, const Vector<T>&, Vector<T>&) override {}
  void constraint_level_q(Level, const T&, const Vector<T>&, const Vector<T>&, const Vector<T>&,
                          Matrix<T>&) override {}
  void acceleration_level_v(const T&, const Vector<T>&, const Vector<T>&, const Vector<T>&, Matrix<T>&) override {}
  void balance_jacobians(const T&, const Vector<T>&, const Vector<T>&, const Vector<T>&, const Vector<T>&, Matrix<T>&,
                         Matrix<T>&) override {}

 private:
  static constexpr int directions() {
    if constexpr (requires { Model::directions; })
      return Model::directions;
    else
      return 4;
  }
  static constexpr int N = directions();
  using Gradient = Dual<T, N>;

  Model model_;
  Vector<Gradient> s_, r_;
};

}  // namespace daelab
