#include <cmath>

#include "modules/peers/desolve_parts.hpp"
#include "modules/peers/radau_integrator.hpp"

extern "C" {
using RightSide = void(const int* size, const double* t, const double* Y, double* f, void*, void*);
using Jacobian = void(const int* size, const double* t, const double* Y, const int* lower, const int* upper, double* J,
                      const int* stride, void*, void*);
using MassMatrix = void(const int* size, double* M, const int* stride, void*, void*);
void radau5_(const int* size, RightSide*, double* t, double* Y, const double* end, double* h, double* relative,
             double* absolute, const int* are_vectors, Jacobian*, const int* has_jacobian, int* lower, int* upper,
             MassMatrix*, const int* has_mass, int* mass_lower, int* mass_upper, daelab::RadauArguments::StepEnd*,
             const int* has_step_end, double* work, const int* work_size, int* integers, const int* integers_size,
             void*, void*, int* outcome);
}

namespace daelab {
namespace {

class Radau5 final : public RadauCode {
 public:
  const char* name() const override { return "RADAU5"; }
  int most_stages() const override { return 3; }
  int matrices() const override { return 2; }
  int stages() const override { return 3; }
  const double* nodes() const override { return nodes_.data(); }
  void solve(RadauArguments& a) override {
    radau5_(&a.size, RadauArguments::right_side, a.t, a.Y, a.end, a.h, a.relative, a.absolute, &a.yes, jacobian, &a.yes,
            &a.lower, &a.upper, RadauArguments::no_mass, &a.has_mass, &a.mass_lower, &a.mass_upper, a.step_end, &a.yes,
            a.work, &a.work_size, a.integers, &a.integers_size, a.form, a.integrator, a.outcome);
  }

 private:
  static void jacobian(const int*, const double* t, const double* Y, const int*, const int*, double* J,
                       const int* stride, void* form, void*) {
    static_cast<HairerForm*>(form)->jacobian(*t, Y, J, *stride);
  }
  const std::array<double, 4> nodes_{0, (4 - std::sqrt(6.0)) / 10, (4 + std::sqrt(6.0)) / 10, 1};
};

}  // namespace

std::unique_ptr<PeerIntegrator> radau5_integrator(const PeerTask& task, PeerEquations& equations, double* y,
                                                  double* ydot) {
  return radau_integrator(std::make_unique<Radau5>(), task, equations, y, ydot);
}

}  // namespace daelab
