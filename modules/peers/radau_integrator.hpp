// RADAU5 and its successor RADAU as integrators: they run to the end in one call, and say so after each step. The call
// has a stack of its own, on which it waits there until the next step is asked for.
#pragma once

#include <array>
#include <mutex>

#include "modules/peers/hairer_form.hpp"

namespace daelab {

/// RADAU5 and RADAU in their Fortran calling form, which tells them apart by the routine for Jacobians alone.
using RadauRightSide = void(const int* size, const double* t, const double* Y, double* f, void* form, void*);
using RadauMassMatrix = void(const int* size, double* M, const int* stride, void*, void*);
using RadauStepEnd = void(const int* number, const double* t_old, const double* t, const double* Y,
                          const double* continuous, const int* length, const int* size, void* form, void* integrator,
                          int* go_on);
template <class Jacobian>
using RadauRoutine = void(const int* size, RadauRightSide*, double* t, double* Y, const double* end, double* h,
                          double* relative, double* absolute, const int* are_vectors, Jacobian*,
                          const int* has_jacobian, int* lower, int* upper, RadauMassMatrix*, const int* has_mass,
                          int* mass_lower, int* mass_upper, RadauStepEnd*, const int* has_step_end, double* work,
                          const int* work_size, int* integers, const int* integers_size, void* form, void* integrator,
                          int* outcome);

/// What is handed to a code. Arguments of Fortran, which it may change.
struct RadauArguments {
  HairerForm* form;
  void* integrator;
  RadauStepEnd* step_end;
  double *t, *Y, *end, *h, *relative, *absolute, *work;
  int work_size;
  int* integers;
  int integers_size;
  int* outcome;

  int size = form->size(), yes = 1, no = 0;
  int has_mass = form->is_residual() ? 1 : 0;
  int lower = form->rows(), upper = lower, mass_lower = 0, mass_upper = 0;

  template <class Jacobian>
  void hand_to(RadauRoutine<Jacobian>* code, Jacobian* jacobian) {
    code(&size, right_side, t, Y, end, h, relative, absolute, &yes, jacobian, &yes, &lower, &upper, no_mass, &has_mass,
         &mass_lower, &mass_upper, step_end, &yes, work, &work_size, integers, &integers_size, form, integrator,
         outcome);
  }

 private:
  static void right_side(const int*, const double* t, const double* Y, double* f, void* form, void*) {
    static_cast<HairerForm*>(form)->right_side(*t, Y, f);
  }
  static void no_mass(const int* size, double* M, const int* stride, void*, void*) {
    for (int i = 0; i < *size; ++i) M[i * *stride] = 0;
  }
};

/// What tells the codes apart.
class RadauCode {
 public:
  virtual ~RadauCode() = default;
  virtual const char* name() const = 0;
  virtual int most_stages() const = 0;
  /// Matrices that its count of factorisations takes for one.
  virtual int matrices() const = 0;
  virtual void solve(RadauArguments& arguments) = 0;

  /// Around all it does up to the next step end: one at a time where common blocks hold more than constants.
  virtual std::unique_lock<std::mutex> enter() { return {}; }
  virtual void leave() {}
  /// Stages of the last step.
  virtual int stages() const = 0;
  /// 0 and the nodes of these stages; the last one is 1.
  virtual const double* nodes() const = 0;
};

std::unique_ptr<PeerIntegrator> radau_integrator(std::unique_ptr<RadauCode> code, const PeerTask& task,
                                                 PeerEquations& equations, double* y, double* ydot);

}  // namespace daelab
