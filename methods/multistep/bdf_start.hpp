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
  explicit StateSpaceForm(System<T>& system) : System<T>(facts_of(system)), system_(system) {}
  void residual(const T& t, const Vector<T>& y, const Vector<T>& ydot, Vector<T>& F) override {
    system_.residual(t, y, ydot, F);
  }
  std::unique_ptr<Linearization<T>> linearization() override { return system_.linearization(); }
  Status consistent_derivatives(const T& t, Vector<T>& y, Vector<T>& ydot) override {
    return system_.consistent_derivatives(t, y, ydot);
  }
  Status start_step(const T& t, const T& h, const Vector<T>& y) override { return system_.start_step(t, h, y); }
  Status project(const T& t, Vector<T>& y) override { return system_.project(t, y); }
  Forms* forms() override { return system_.forms(); }
  void correction_weights(const T& h, const Vector<T>& y, Vector<T>& w) const override {
    system_.correction_weights(h, y, w);
  }

 private:
  static SystemFacts facts_of(const System<T>& system) {
    return {.size = system.size(),
            .differential = system.differential(),
            .index = system.index(),
            .positions = system.positions(),
            .projects = system.projects()};
  }
  System<T>& system_;
};

}  // namespace daelab
