// The equations of a run as methods in Python see them.
#pragma once

#include <nanobind/nanobind.h>
#include <daelab/core/equations/explicit_forms.hpp>
#include <daelab/core/equations/system.hpp>

#include <memory>
#include <optional>

namespace daelab::python {

/// A failure that a function of the system reports, or a step: daelab.StepFailed in Python.
[[noreturn]] void throw_step_failed(const Status& status);

/// Belongs to a stepper; after close() every call throws InputError. Work is counted in the statistics of the stepper.
class OwnSystem {
 public:
  OwnSystem(System<double>& system, Statistics& statistics);
  ~OwnSystem();
  void close() { system_ = nullptr; }
  /// A step starts from y: what is sought by iteration is sought from its multipliers, so that a step follows from its
  /// start alone.
  void begin(const Vector<double>& y) { start_ = y; }

  // bind_own_system() says what they are.
  Index size() const { return open().size(); }
  Index differential() const { return open().differential(); }
  int index() const { return open().index(); }
  Index coordinates() const { return n_; }
  Index multipliers() const { return m_; }
  Index accelerations_at() const { return accelerations_at_; }

  nanobind::object rate(double t, nanobind::handle y);
  nanobind::tuple complete(double t, nanobind::handle y);
  nanobind::tuple accelerations(double t, nanobind::handle q, nanobind::handle v);
  nanobind::object residual(double t, nanobind::handle y, nanobind::handle ydot);
  nanobind::tuple jacobians(double t, nanobind::handle y, nanobind::handle ydot);
  nanobind::object mass(double t, nanobind::handle q);
  nanobind::object force(double t, nanobind::handle q, nanobind::handle v);
  nanobind::object constraints(double t, nanobind::handle q, nanobind::handle v);
  nanobind::object constraint_jacobian(double t, nanobind::handle q, nanobind::handle v);
  nanobind::object constraint_rates(double t, nanobind::handle q, nanobind::handle v);
  nanobind::object curvature(double t, nanobind::handle q, nanobind::handle v);
  nanobind::tuple motion_jacobians(double t, nanobind::handle q, nanobind::handle v, nanobind::handle a,
                                   nanobind::handle lambda);
  nanobind::tuple projection(double t, nanobind::handle q, nanobind::handle v);

  /// System::consistent_derivatives(), counted.
  Status find_derivatives(double t, Vector<double>& y, Vector<double>& ydot);

 private:
  struct Projector;

  System<double>& open() const;
  MechanicalModel<double>& mechanism() const;
  void complete(double t);                                                  // y_ and ydot_
  void find_constraints(double t, nanobind::handle q, nanobind::handle v);  // C_ and J_
  void read_point(nanobind::handle q, nanobind::handle v);
  nanobind::object level(Level level, double t, nanobind::handle q, nanobind::handle v);

  System<double>* system_;
  Statistics& statistics_;
  Index n_, m_, accelerations_at_;
  Vector<double> start_, y_, ydot_, F_, C_;
  Matrix<double> J_;
  std::unique_ptr<Linearization<double>> linearization_;
  std::unique_ptr<Projector> projector_;
};

void bind_own_system(nanobind::module_& module);

}  // namespace daelab::python
