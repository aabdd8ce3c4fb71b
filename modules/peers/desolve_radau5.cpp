#include <cmath>

#include "modules/peers/desolve_parts.hpp"
#include "modules/peers/radau_integrator.hpp"

extern "C" {
using Jacobian = void(const int* size, const double* t, const double* Y, const int* lower, const int* upper, double* J,
                      const int* stride, void* form, void*);
daelab::RadauRoutine<Jacobian> radau5_;
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
  void solve(RadauArguments& arguments) override { arguments.hand_to(radau5_, jacobian); }

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
