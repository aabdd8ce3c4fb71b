// The explicit steps that BDF starts with: a past of the full order from the first step on, and after an event.
#pragma once

#include "core/base/makes.hpp"
#include "core/integration/method.hpp"

namespace daelab {

/// Of fixed steps: of a higher order than the formulas.
inline constexpr SpecText bdf_start{"runge-kutta:tableau=cooper-verner"};
/// Of restarts with error control: with an estimate, and no more stages than it takes.
inline constexpr SpecText bdf_restart{"runge-kutta:tableau=dormand-prince"};

/// What an explicit start integrates: (y' differential, y algebraic) as functions of the differential components, which
/// every form can tell.
template <class T>
class StateSpaceForm final : public System<T> {
 public:
  explicit StateSpaceForm(System<T>& system) : system_(system) {}
  Index size() const override { return system_.size(); }
  Index differential() const override { return system_.differential(); }
  int index() const override { return system_.index(); }
  Index positions() const override { return system_.positions(); }
  void residual(const T& t, const Vector<T>& y, const Vector<T>& ydot, Vector<T>& F) override {
    system_.residual(t, y, ydot, F);
  }
  std::unique_ptr<Linearization<T>> linearization() override { return system_.linearization(); }
  Status consistent_derivatives(const T& t, Vector<T>& y, Vector<T>& ydot) override {
    return system_.consistent_derivatives(t, y, ydot);
  }
  Status start_step(const T& t, const T& h, const Vector<T>& y) override { return system_.start_step(t, h, y); }
  Status project(const T& t, Vector<T>& y) override { return system_.project(t, y); }
  bool projects() const override { return system_.projects(); }
  std::string explicit_form_refusal() const override { return ""; }
  Forms* forms() override { return system_.forms(); }
  void correction_weights(const T& h, const Vector<T>& y, Vector<T>& w) const override {
    system_.correction_weights(h, y, w);
  }

 private:
  System<T>& system_;
};

}  // namespace daelab
