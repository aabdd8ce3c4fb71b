#include <algorithm>

#include "modules/peers/desolve_parts.hpp"
#include "modules/peers/free_multipliers.hpp"

extern "C" {
using Residual = void(const double* t, const double* y, const double* ydot, const double* c, double* F, int* outcome,
                      void* self, void*);
using IterationMatrix = void(const double* t, const double* y, const double* ydot, double* P, const double* c,
                             void* self, void*);
using Preconditioner = void();
void ddaspk_(Residual*, const int* size, double* t, double* y, double* ydot, const double* end, int* info,
             double* relative, double* absolute, int* outcome, double* work, const int* work_size, int* integers,
             const int* integers_size, void* self, void*, IterationMatrix*, Preconditioner*);
void ddatrp_(const double* t_reached, const double* t, double* y, double* ydot, const int* size, const int* order,
             const double* differences, const double* steps);
}

namespace daelab {
namespace {

// Multipliers are free: on index 2 round-off of the constraints comes back in them over h, on index 1 what is left of
// the iteration asks for three times the steps. Algebraic components of other equations of index 1 are tested.
bool is_free(const PeerTask& task) { return task.index > 1 || task.positions > 0; }

// One step a call. deSolve's own scaling of unknowns by powers of h is off.
class DaspkIntegrator final : public PeerIntegrator {
 public:
  DaspkIntegrator(const PeerTask& task, PeerEquations& equations, double* y, double* ydot)
      : equations_(equations),
        size_(static_cast<int>(task.size)),
        y_(y),
        ydot_(ydot),
        relative_(task.relative),
        absolute_(is_free(task) ? with_free_multipliers(task).absolute : task.absolute),
        rtol_(task.size),
        atol_(task.size),
        between_(2 * task.size),
        F_y_(task.size * task.size),
        F_ydot_(task.size * task.size),
        work_(50 + task.size * (9 + task.size)),
        integers_(40 + task.size) {}

  bool chooses_first_step() const override { return true; }

  Status restart(double t, double /*h*/) override {
    t_ = t;
    std::fill(std::begin(info_), std::end(info_), 0);
    info_[1] = info_[2] = info_[3] = info_[4] = 1;  // a tolerance each; a step a call; to an end; our Jacobian
    info_[20] = size_;
    std::fill(rtol_.begin(), rtol_.end(), relative_);
    std::copy(absolute_.begin(), absolute_.end(), atol_.begin());
    std::fill(integers_.begin(), integers_.end(), 0);
    counts_ = {};
    return {};
  }

  Status step(double stop, PeerStep& step) override {
    // The least step it makes is round-off of the output time: one that no step reaches, for steps double at most.
    const double end = info_[0] == 0 ? stop : std::min(stop, t_ + 4 * work_[2]);
    work_[0] = stop;
    const int work_size = static_cast<int>(work_.size()), integers_size = static_cast<int>(integers_.size());
    int outcome = 0;
    ddaspk_(residual, &size_, &t_, y_, ydot_, &end, info_, rtol_.data(), atol_.data(), &outcome, work_.data(),
            &work_size, integers_.data(), &integers_size, this, nullptr, iteration_matrix, no_preconditioner);
    count(step);
    step.t = t_, step.next = work_[2], step.order = integers_[7];
    return outcome > 0 ? Status{} : status(outcome);
  }

  bool interpolate(double t, double* y) override {
    const double* const differences = work_.data() + 50 + 3 * size_;
    ddatrp_(&work_[3], &t, between_.data(), between_.data() + size_, &size_, &integers_[7], differences, &work_[38]);
    std::copy_n(between_.begin(), size_, y);
    return true;
  }

 private:
  static DaspkIntegrator& of(void* self) { return *static_cast<DaspkIntegrator*>(self); }
  static void residual(const double* t, const double* y, const double* ydot, const double*, double* F, int* outcome,
                       void* self, void*) {
    if (!of(self).equations_.residual(*t, y, ydot, F)) *outcome = -1;  // a smaller step
  }
  // Where there is none it gets a singular one, for which it makes the step smaller.
  static void iteration_matrix(const double* t, const double* y, const double* ydot, double* P, const double* c,
                               void* self, void*) {
    DaspkIntegrator& integrator = of(self);
    std::vector<double>&F_y = integrator.F_y_, &F_ydot = integrator.F_ydot_;
    const bool is_good = integrator.equations_.jacobians(*t, y, ydot, F_y.data(), F_ydot.data());
    for (std::size_t i = 0; i < F_y.size(); ++i) P[i] = is_good ? F_y[i] + *c * F_ydot[i] : 0;
  }
  static void no_preconditioner() {}

  // Its counts are those since the start.
  void count(PeerStep& step) {
    const long errors = integers_[13], failed = integers_[14], iterations = integers_[18], matrices = integers_[12];
    step.rejected = errors + failed - counts_.rejected, step.failed = failed - counts_.failed;
    step.iterations = step.back_solves = iterations - counts_.iterations;
    step.factorizations = matrices - counts_.factorizations;
    counts_.rejected = errors + failed, counts_.failed = failed, counts_.iterations = iterations;
    counts_.factorizations = matrices;
  }

  static Status status(int outcome) {
    switch (outcome) {
      case -2:
      case -3:
        return {StatusCode::step_too_small, "the tolerances ask for more than double precision has (DASPK)"};
      case -6:
        return {StatusCode::step_too_small, "the error test failed again and again (DASPK)"};
      case -7:
      case -9:
        return {StatusCode::newton_diverged, "the iteration failed again and again (DASPK)"};
      case -8:
        return {StatusCode::singular, "the matrix is singular (DASPK)"};
      case -10:
      case -11:
        return {StatusCode::non_finite, "the equations cannot be evaluated (DASPK)"};
      default:
        return {StatusCode::not_applicable, "DASPK refuses to work: an interval or a tolerance is too small"};
    }
  }

  PeerEquations& equations_;
  const int size_;
  double *y_, *ydot_;
  const double relative_;
  const std::vector<double> absolute_;
  std::vector<double> rtol_, atol_, between_, F_y_, F_ydot_, work_;
  std::vector<int> integers_;
  int info_[25] = {};
  double t_ = 0;
  PeerStep counts_;  // so far
};

}  // namespace

std::unique_ptr<PeerIntegrator> daspk_integrator(const PeerTask& task, PeerEquations& equations, double* y,
                                                 double* ydot) {
  return std::make_unique<DaspkIntegrator>(task, equations, y, ydot);
}

}  // namespace daelab
