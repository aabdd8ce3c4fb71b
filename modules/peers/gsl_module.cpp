// The module of the GNU Scientific Library (GPL): ordinary differential equations by gsl_odeiv2.
#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <gsl/gsl_version.h>

#include <algorithm>
#include <map>

#include "modules/peers/peer.hpp"

namespace daelab {
namespace {

class GslIntegrator final : public PeerIntegrator {
 public:
  GslIntegrator(const gsl_odeiv2_step_type* type, const PeerTask& task, PeerEquations& equations, double* y)
      : task_(task), equations_(equations), y_(y) {
    gsl_set_error_handler_off();  // messages are ours
    // relative |y_i| + 1 absolute_i
    driver_ = gsl_odeiv2_driver_alloc_scaled_new(&system_, type, 1, 1, task.relative, 1, 0, task_.absolute.data());
  }
  ~GslIntegrator() override { gsl_odeiv2_driver_free(driver_); }

  bool chooses_first_step() const override { return false; }

  Status restart(double t, double h) override {
    gsl_odeiv2_driver_reset(driver_);
    t_ = t, h_ = h, rejected_ = 0;
    return {};
  }

  Status step(double stop, PeerStep& step) override {
    const int status = gsl_odeiv2_evolve_apply(driver_->e, driver_->c, driver_->s, &system_, &t_, stop, &h_, y_);
    const long rejected = static_cast<long>(driver_->e->failed_steps);
    step.rejected = rejected - rejected_, rejected_ = rejected;
    step.t = t_, step.next = h_, step.order = static_cast<int>(gsl_odeiv2_step_order(driver_->s));
    if (status == GSL_SUCCESS) return {};
    return {StatusCode::step_too_small,
            std::string("no step is small enough for the error test or the iteration (") + gsl_strerror(status) + ")"};
  }

 private:
  static int rates(double t, const double y[], double ydot[], void* self) {
    return static_cast<GslIntegrator*>(self)->equations_.rates(t, y, ydot) ? GSL_SUCCESS : GSL_FAILURE;
  }
  // None of the steppers that are offered looks at df/dt.
  static int jacobian(double t, const double y[], double* J, double by_t[], void* self) {
    const auto integrator = static_cast<GslIntegrator*>(self);
    std::fill_n(by_t, integrator->task_.size, 0.0);
    return integrator->equations_.jacobian(t, y, J) ? GSL_SUCCESS : GSL_FAILURE;
  }

  const PeerTask task_;
  PeerEquations& equations_;
  double* y_;
  gsl_odeiv2_system system_{rates, jacobian, task_.size, this};
  gsl_odeiv2_driver* driver_;
  double t_ = 0, h_ = 0;
  long rejected_ = 0;  // so far
};

class Gsl final : public PeerLibrary {
 public:
  std::string version() const override { return std::string("GSL ") + gsl_version; }
  std::unique_ptr<PeerIntegrator> integrator(const PeerTask& task, PeerEquations& equations, double* y,
                                             double* /*ydot*/) const override {
    static const std::map<std::string, const gsl_odeiv2_step_type*> steppers = {
        {"rkf45", gsl_odeiv2_step_rkf45},    {"rkck", gsl_odeiv2_step_rkck},     {"rk8pd", gsl_odeiv2_step_rk8pd},
        {"rk2imp", gsl_odeiv2_step_rk2imp},  {"rk4imp", gsl_odeiv2_step_rk4imp}, {"msbdf", gsl_odeiv2_step_msbdf},
        {"msadams", gsl_odeiv2_step_msadams}};
    const auto stepper = steppers.find(task.variant);
    if (stepper == steppers.end()) return nullptr;
    return std::make_unique<GslIntegrator>(stepper->second, task, equations, y);
  }
};

}  // namespace
}  // namespace daelab

extern "C" const daelab::PeerLibrary* daelab_peer_library() {
  static const daelab::Gsl library;
  return &library;
}
