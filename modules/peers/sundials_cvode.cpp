#include <cvode/cvode.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "modules/peers/sundials_parts.hpp"

namespace daelab {
namespace {

PeerEquations& equations_of(void* user_data) { return *static_cast<PeerEquations*>(user_data); }

int rates(double t, N_Vector y, N_Vector ydot, void* user_data) {
  return equations_of(user_data).rates(t, N_VGetArrayPointer(y), N_VGetArrayPointer(ydot)) ? 0 : 1;
}

// 1 - gamma J, with the Jacobian at hand where that will do.
int iteration_matrix(double t, N_Vector y, N_Vector ydot, SUNMatrix, sunbooleantype will_do, sunbooleantype* is_new,
                     double gamma, void* user_data, N_Vector, N_Vector, N_Vector) {
  PeerEquations& equations = equations_of(user_data);
  *is_new = will_do ? SUNFALSE : SUNTRUE;
  if (!will_do && !equations.linearize(t, N_VGetArrayPointer(y), N_VGetArrayPointer(ydot))) return 1;
  return equations.factorize(gamma) ? 0 : 1;
}

class CvodeIntegrator final : public PeerIntegrator {
 public:
  CvodeIntegrator(const PeerTask& task, PeerEquations& equations, double* y, double* ydot)
      : parts_(task, equations),
        y_(parts_.vector(y)),
        ydot_(parts_.vector(ydot)),
        task_(task),
        equations_(equations),
        is_adams_(task.variant == "adams"),
        memory_(CVodeCreate(is_adams_ ? CV_ADAMS : CV_BDF, parts_.context())) {}
  ~CvodeIntegrator() override {
    CVodeFree(&memory_);
    if (iteration_ != nullptr) SUNNonlinSolFree(iteration_);
  }

  bool chooses_first_step() const override { return true; }
  bool knows_slope() const override { return true; }

  Status restart(double t, double /*h*/) override {
    counts_.restart();
    const int flag = is_initialized_ ? CVodeReInit(memory_, t, y_) : initialize(t);
    is_initialized_ = true;
    return flag < 0 ? counts_.status(flag) : Status{};
  }

  Status step(double stop, PeerStep& step) override {
    CVodeSetStopTime(memory_, stop);
    const int flag = CVode(memory_, stop, y_, &step.t, CV_ONE_STEP);
    counts_.take(memory_, step);
    if (flag < 0) return counts_.status(flag);
    CVodeGetLastOrder(memory_, &step.order);
    CVodeGetCurrentStep(memory_, &step.next);
    CVodeGetDky(memory_, step.t, 1, ydot_);
    return {};
  }

  bool interpolate(double t, double* y) override {
    N_VSetArrayPointer(y, between_);
    return CVodeGetDky(memory_, t, 0, between_) >= 0;
  }

 private:
  int initialize(double t) {
#if SUNDIALS_VERSION_MAJOR < 7
    CVodeSetErrHandlerFn(
        memory_, [](int, const char*, const char*, char*, void*) {}, nullptr);  // messages are ours
#endif
    if (const int flag = CVodeInit(memory_, rates, t, y_); flag < 0) return flag;
    CVodeSetUserData(memory_, &equations_);
    CVodeSVtolerances(memory_, task_.relative, parts_.absolute_tolerances());
    if (is_adams_) {
      iteration_ = SUNNonlinSol_FixedPoint(y_, 0, parts_.context());
      return CVodeSetNonlinearSolver(memory_, iteration_);
    }
    if (const int flag = CVodeSetLinearSolver(memory_, parts_.solver(), parts_.matrix()); flag < 0) return flag;
    return CVodeSetLinSysFn(memory_, iteration_matrix);
  }

  SundialsParts parts_;
  N_Vector y_, ydot_, between_ = parts_.vector(nullptr);
  const PeerTask task_;
  PeerEquations& equations_;
  bool is_adams_, is_initialized_ = false;
  void* memory_;
  SUNNonlinearSolver iteration_ = nullptr;
  SundialsCounts counts_{
      {CVodeGetNumErrTestFails, CVodeGetNumStepSolveFails, CVodeGetNumNonlinSolvIters, CVodeGetReturnFlagName}};
};

}  // namespace

std::unique_ptr<PeerIntegrator> cvode_integrator(const PeerTask& task, PeerEquations& equations, double* y,
                                                 double* ydot) {
  return std::make_unique<CvodeIntegrator>(task, equations, y, ydot);
}

}  // namespace daelab
