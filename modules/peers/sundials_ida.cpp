#include <ida/ida.h>
#include <sunlinsol/sunlinsol_klu.h>

#include <algorithm>

#include "modules/peers/free_multipliers.hpp"
#include "modules/peers/sundials_parts.hpp"

namespace daelab {
namespace {

PeerEquations& equations_of(void* user_data) { return *static_cast<PeerEquations*>(user_data); }

int residual(double t, N_Vector y, N_Vector ydot, N_Vector F, void* user_data) {
  return equations_of(user_data).residual(t, N_VGetArrayPointer(y), N_VGetArrayPointer(ydot), N_VGetArrayPointer(F))
             ? 0
             : 1;
}

// F_y + c F_y': factorised by the program, nothing is put into the matrix.
int factorize_matrix(double t, double c, N_Vector y, N_Vector ydot, N_Vector, SUNMatrix, void* user_data, N_Vector,
                     N_Vector, N_Vector) {
  PeerEquations& equations = equations_of(user_data);
  if (!equations.linearize(t, N_VGetArrayPointer(y), N_VGetArrayPointer(ydot))) return 1;
  return equations.factorize(1 / c) ? 0 : 1;
}

// The same for KLU.
int fill_matrix(double t, double c, N_Vector y, N_Vector ydot, N_Vector, SUNMatrix A, void* user_data, N_Vector,
                N_Vector, N_Vector) {
  PeerSparseMatrix matrix;
  if (!equations_of(user_data).sparse_jacobian(t, N_VGetArrayPointer(y), N_VGetArrayPointer(ydot), c, matrix)) return 1;
  copy_entries(matrix, A);
  return 0;
}

SundialsSolver solver_of(const PeerTask& task) {
  return task.variant == "klu" ? SundialsSolver::klu : SundialsSolver::of_program;
}

// On index 2 multipliers are left out of the error test, and their weight in that of the iteration is nothing:
// round-off of the constraints comes back in them over h, and first steps are tiny.
class IdaIntegrator final : public PeerIntegrator {
 public:
  IdaIntegrator(const PeerTask& task, PeerEquations& equations, double* y, double* ydot)
      : solver_(solver_of(task)),
        parts_(task.index > 1 ? with_free_multipliers(task) : task, equations, solver_),
        kinds_(task.size, 0),
        y_(parts_.vector(y)),
        ydot_(parts_.vector(ydot)),
        task_(task),
        equations_(equations),
        memory_(IDACreate(parts_.context())) {
    std::fill_n(kinds_.begin(), task.differential, 1);
  }
  ~IdaIntegrator() override { IDAFree(&memory_); }

  bool chooses_first_step() const override { return true; }

  Status restart(double t, double /*h*/) override {
    counts_.restart(), factorizations_ = 0;
    const int flag = is_initialized_ ? reinitialize(t) : initialize(t);
    is_initialized_ = true;
    return flag < 0 ? counts_.status(flag) : Status{};
  }

  Status step(double stop, PeerStep& step) override {
    IDASetStopTime(memory_, stop);
    const int flag = IDASolve(memory_, stop, &step.t, y_, ydot_, IDA_ONE_STEP);
    count(step);
    if (flag < 0) return counts_.status(flag);
    IDAGetLastOrder(memory_, &step.order);
    IDAGetCurrentStep(memory_, &step.next);
    return {};
  }

  bool interpolate(double t, double* y) override {
    N_VSetArrayPointer(y, between_);
    return IDAGetDky(memory_, t, 0, between_) >= 0;
  }

 private:
  int initialize(double t) {
#if SUNDIALS_VERSION_MAJOR < 7
    IDASetErrHandlerFn(
        memory_, [](int, const char*, const char*, char*, void*) {}, nullptr);  // messages are ours
#endif
    if (const int flag = IDAInit(memory_, residual, t, y_, ydot_); flag < 0) return flag;
    IDASetUserData(memory_, &equations_);
    IDASVtolerances(memory_, task_.relative, parts_.absolute_tolerances());
    IDASetId(memory_, parts_.vector(kinds_.data()));
    IDASetSuppressAlg(memory_, task_.index > 1 ? SUNTRUE : SUNFALSE);
    if (const int flag = IDASetLinearSolver(memory_, parts_.solver(), parts_.matrix()); flag < 0) return flag;
    return IDASetJacFn(memory_, solver_ == SundialsSolver::klu ? fill_matrix : factorize_matrix);
  }

  // The pattern of the matrix may be another one, of another mode of the model.
  int reinitialize(double t) {
    if (solver_ == SundialsSolver::klu) SUNLinSol_KLUReInit(parts_.solver(), parts_.matrix(), 0, SUNKLU_REINIT_PARTIAL);
    return IDAReInit(memory_, t, y_, ydot_);
  }

  void count(PeerStep& step) {
    counts_.take(memory_, step);
    if (solver_ != SundialsSolver::klu) return;
    long factorizations = 0;
    IDAGetNumLinSolvSetups(memory_, &factorizations);
    step.factorizations = factorizations - factorizations_, step.back_solves = step.iterations;
    factorizations_ = factorizations;
  }

  const SundialsSolver solver_;
  SundialsParts parts_;
  std::vector<double> kinds_;  // 1: differential, 0: algebraic
  N_Vector y_, ydot_, between_ = parts_.vector(nullptr);
  const PeerTask task_;
  PeerEquations& equations_;
  bool is_initialized_ = false;
  void* memory_;
  SundialsCounts counts_{
      {IDAGetNumErrTestFails, IDAGetNumStepSolveFails, IDAGetNumNonlinSolvIters, IDAGetReturnFlagName}};
  long factorizations_ = 0;  // by KLU so far
};

}  // namespace

std::unique_ptr<PeerIntegrator> ida_integrator(const PeerTask& task, PeerEquations& equations, double* y,
                                               double* ydot) {
  return std::make_unique<IdaIntegrator>(task, equations, y, ydot);
}

}  // namespace daelab
