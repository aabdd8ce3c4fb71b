#include <arkode/arkode_arkstep.h>

#include <cctype>

#include "modules/peers/sundials_parts.hpp"

namespace daelab {
namespace {

PeerEquations& equations_of(void* user_data) { return *static_cast<PeerEquations*>(user_data); }

int rates(double t, N_Vector y, N_Vector ydot, void* user_data) {
  return equations_of(user_data).rates(t, N_VGetArrayPointer(y), N_VGetArrayPointer(ydot)) ? 0 : 1;
}

// 1 - gamma J, with the Jacobian at hand where that will do.
int iteration_matrix(double t, N_Vector y, N_Vector ydot, SUNMatrix, SUNMatrix, sunbooleantype will_do,
                     sunbooleantype* is_new, double gamma, void* user_data, N_Vector, N_Vector, N_Vector) {
  PeerEquations& equations = equations_of(user_data);
  *is_new = will_do ? SUNFALSE : SUNTRUE;
  if (!will_do && !equations.linearize(t, N_VGetArrayPointer(y), N_VGetArrayPointer(ydot))) return 1;
  return equations.factorize(gamma) ? 0 : 1;
}

// "dormand-prince-7-4-5" -> "ARKODE_DORMAND_PRINCE_7_4_5"
std::string name_in_library(const std::string& table) {
  std::string name = "ARKODE_";
  for (const char c : table) name += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

class ArkodeIntegrator final : public PeerIntegrator {
 public:
  ArkodeIntegrator(const PeerTask& task, PeerEquations& equations, double* y)
      : parts_(task, equations), y_(parts_.vector(y)), task_(task), equations_(equations) {}
  ~ArkodeIntegrator() override { ARKStepFree(&memory_); }

  bool chooses_first_step() const override { return true; }

  Status restart(double t, double h) override {
    counts_.restart();
    const ARKRhsFn fe = is_implicit_ ? nullptr : rates, fi = is_implicit_ ? rates : nullptr;
    const int flag = memory_ == nullptr ? initialize(t, fe, fi) : ARKStepReInit(memory_, fe, fi, t, y_);
    ARKStepSetInitStep(memory_, h);
    return flag < 0 ? counts_.status(flag) : Status{};
  }

  Status step(double stop, PeerStep& step) override {
    ARKStepSetStopTime(memory_, stop);
    const int flag = ARKStepEvolve(memory_, stop, y_, &step.t, ARK_ONE_STEP);
    counts_.take(memory_, step);
    if (flag < 0) return counts_.status(flag);
    ARKStepGetCurrentStep(memory_, &step.next);
    return {};
  }

  bool interpolate(double t, double* y) override {
    N_VSetArrayPointer(y, between_);
    return ARKStepGetDky(memory_, t, 0, between_) >= 0;
  }

 private:
  int initialize(double t, ARKRhsFn fe, ARKRhsFn fi) {
    memory_ = ARKStepCreate(fe, fi, t, y_, parts_.context());
#if SUNDIALS_VERSION_MAJOR < 7
    ARKStepSetErrHandlerFn(
        memory_, [](int, const char*, const char*, char*, void*) {}, nullptr);  // messages are ours
#endif
    ARKStepSetUserData(memory_, &equations_);
    ARKStepSVtolerances(memory_, task_.relative, parts_.absolute_tolerances());
    const std::string name = name_in_library(task_.variant);
    const char *implicit_one = is_implicit_ ? name.c_str() : "ARKODE_DIRK_NONE",
               *explicit_one = is_implicit_ ? "ARKODE_ERK_NONE" : name.c_str();
    if (const int flag = ARKStepSetTableName(memory_, implicit_one, explicit_one); flag < 0) return flag;
    if (!is_implicit_) return 0;
    if (const int flag = ARKStepSetLinearSolver(memory_, parts_.solver(), parts_.matrix()); flag < 0) return flag;
    return ARKStepSetLinSysFn(memory_, iteration_matrix);
  }

  SundialsParts parts_;
  N_Vector y_, between_ = parts_.vector(nullptr);
  const PeerTask task_;
  PeerEquations& equations_;
  bool is_implicit_ = task_.code == "arkode-dirk";
  void* memory_ = nullptr;
  SundialsCounts counts_{
      {ARKStepGetNumErrTestFails, ARKStepGetNumStepSolveFails, ARKStepGetNumNonlinSolvIters, ARKStepGetReturnFlagName}};
};

}  // namespace

std::unique_ptr<PeerIntegrator> arkode_integrator(const PeerTask& task, PeerEquations& equations, double* y,
                                                  double* /*ydot*/) {
  return std::make_unique<ArkodeIntegrator>(task, equations, y);
}

}  // namespace daelab
