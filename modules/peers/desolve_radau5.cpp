#include <algorithm>
#include <boost/context/fiber.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>
#include <cmath>
#include <exception>
#include <limits>

#include "modules/peers/desolve_parts.hpp"
#include "modules/peers/hairer_form.hpp"

extern "C" {
using RightSide = void(const int* size, const double* t, const double* Y, double* f, void* self, void*);
using Jacobian = void(const int* size, const double* t, const double* Y, const int* lower, const int* upper, double* J,
                      const int* stride, void* self, void*);
using MassMatrix = void(const int* size, double* M, const int* stride, void* self, void*);
using StepEnd = void(const int* number, const double* t_old, const double* t, const double* Y, const double* continuous,
                     const int* length, const int* size, void* self, void*, int* go_on);
void radau5_(const int* size, RightSide*, double* t, double* Y, const double* end, double* h, double* relative,
             double* absolute, const int* are_vectors, Jacobian*, const int* has_jacobian, int* lower, int* upper,
             MassMatrix*, const int* has_mass, int* mass_lower, int* mass_upper, StepEnd*, const int* has_step_end,
             double* work, const int* work_size, int* integers, const int* integers_size, void* self, void*,
             int* outcome);
}

namespace daelab {
namespace {

namespace context = boost::context;

// RADAU5 runs to the end in one call, and says so after each step: the call has a stack of its own, on which it waits
// there until the next step is asked for.
class Radau5Integrator final : public PeerIntegrator {
 public:
  Radau5Integrator(const PeerTask& task, PeerEquations& equations, double* y, double* ydot)
      : form_(task, equations),
        y_(y),
        ydot_(ydot),
        relative_(task.relative),
        absolute_(form_.absolute_tolerances()),
        Y_(size()),
        between_(size()),
        rtol_(size()),
        atol_(size()),
        work_(work_size()),
        integers_(parameters + 3 * size()) {}
  ~Radau5Integrator() override { end_call(); }

  bool chooses_first_step() const override { return false; }
  bool knows_slope() const override { return form_.is_residual(); }

  Status restart(double t, double h) override {
    end_call();
    t_ = t, h_ = h;
    return {};
  }

  Status step(double stop, PeerStep& step) override {
    if (stop != stop_) end_call();
    if (call_)
      resume();
    else
      begin_call(stop);
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
    const bool made = call_ && form_.is_good();  // otherwise it has given up, or creeps where nothing can be evaluated
    if (made)
      take_step(stop, step);
    else
      end_call();
    step.rejected = counts_.rejected, step.failed = counts_.failed, step.iterations = counts_.iterations;
    step.factorizations = counts_.factorizations, step.back_solves = counts_.back_solves;
    counts_ = {};
    return made ? Status{} : status();
  }

  // The collocation polynomial, as its CONTR5 has it.
  bool interpolate(double t, double* y) override {
    const double root = std::sqrt(6.0), c1 = (4 - root) / 10, c2 = (4 + root) / 10, s = (t - t_) / (t_ - t_old_);
    const std::size_t n = size();
    for (std::size_t i = 0; i < n; ++i) {
      const double* const c = continuous_ + i;
      between_[i] = c[0] + s * (c[n] + (s - (c2 - 1)) * (c[2 * n] + (s - (c1 - 1)) * c[3 * n]));
    }
    form_.unpack(between_.data(), y, nullptr);
    return true;
  }

 private:
  static constexpr std::size_t parameters = 20;  // of its, at the start of both work arrays
  static constexpr std::size_t stack_size = 1 << 20;

  std::size_t size() const { return static_cast<std::size_t>(form_.size()); }
  std::size_t work_size() const {
    const std::size_t rows = static_cast<std::size_t>(form_.rows());
    return size() * (rows + 12) + rows * (1 + 3 * rows) + parameters;
  }

  void begin_call(double stop) {
    stop_ = stop;
    form_.pack(y_, ydot_, Y_.data());
    call_ = context::fiber(std::allocator_arg, context::protected_fixedsize_stack(stack_size),
                           [this](context::fiber&& program) {
                             program_ = std::move(program);
                             try {
                               call();
                             } catch (...) {  // what the equations throw must not leave this stack
                               error_ = std::current_exception();
                             }
                             return std::move(program_);
                           });
    resume();
  }
  void resume() { call_ = std::move(call_).resume(); }
  // It returns where it waits: nothing is left on its stack.
  void end_call() {
    if (!call_) return;
    is_ending_ = true;
    resume();
    is_ending_ = false;
  }

  // What it is told of its arguments it changes: tolerances, bandwidths, the size of the step.
  void call() {
    std::fill(rtol_.begin(), rtol_.end(), relative_);
    std::copy(absolute_.begin(), absolute_.end(), atol_.begin());
    std::fill_n(work_.begin(), parameters, 0.0);
    std::fill_n(integers_.begin(), parameters, 0);
    integers_[1] = std::numeric_limits<int>::max();  // steps
    const auto of_index = form_.of_index();
    std::copy(of_index.begin(), of_index.end(), integers_.begin() + 4);
    integers_[8] = form_.shifted(), integers_[9] = form_.shift();
    const int size = form_.size(), yes = 1, has_mass = form_.is_residual() ? 1 : 0;
    const int work_size = static_cast<int>(work_.size()), integers_size = static_cast<int>(integers_.size());
    int lower = form_.rows(), upper = lower, mass_lower = 0, mass_upper = 0;
    double h = h_;
    radau5_(&size, right_side, &t_, Y_.data(), &stop_, &h, rtol_.data(), atol_.data(), &yes, jacobian, &yes, &lower,
            &upper, no_mass, &has_mass, &mass_lower, &mass_upper, step_end, &yes, work_.data(), &work_size,
            integers_.data(), &integers_size, this, nullptr, &outcome_);
    count();
  }

  static Radau5Integrator& of(void* self) { return *static_cast<Radau5Integrator*>(self); }
  static void right_side(const int*, const double* t, const double* Y, double* f, void* self, void*) {
    of(self).form_.right_side(*t, Y, f);
  }
  static void jacobian(const int*, const double* t, const double* Y, const int*, const int*, double* J,
                       const int* stride, void* self, void*) {
    of(self).form_.jacobian(*t, Y, J, *stride);
  }
  static void no_mass(const int* size, double* M, const int* stride, void*, void*) {
    for (int i = 0; i < *size; ++i) M[i * *stride] = 0;
  }
  // t is in a common block, which other threads write: its argument of radau5_ is read instead.
  static void step_end(const int* number, const double* t_old, const double*, const double*, const double* continuous,
                       const int*, const int*, void* self, void*, int* go_on) {
    if (*number == 1) return;  // the start
    Radau5Integrator& integrator = of(self);
    integrator.t_old_ = *t_old, integrator.continuous_ = continuous;
    integrator.program_ = std::move(integrator.program_).resume();
    *go_on = integrator.is_ending_ ? -1 : 1;
  }

  void take_step(double stop, PeerStep& step) {
    form_.unpack(Y_.data(), y_, ydot_);
    const double round_off = 4 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t_), std::abs(stop));
    const bool arrived = stop - t_ <= round_off;
    if (!arrived || t_ - t_old_ > h_) h_ = t_ - t_old_;  // not what was cut to end there
    step.t = t_, step.next = h_;
    if (arrived) end_call();
  }

  // It leaves its counts when it returns. Of attempts that failed it counts those whose error was too large after the
  // first step only; in the first one they are taken for failed iterations.
  void count() {
    const long attempts = integers_[15], accepted = integers_[16], errors = integers_[17];
    const long rejected = std::max(0L, attempts - accepted - (outcome_ < 0 ? 1 : 0));
    counts_.rejected += rejected, counts_.failed += std::max(0L, rejected - errors);
    counts_.iterations += integers_[19];
    counts_.factorizations += 2L * integers_[18];  // a real and a complex matrix
    counts_.back_solves += 2L * integers_[19] + attempts;
  }

  Status status() const {
    switch (outcome_) {
      case -1:
        return {StatusCode::not_applicable,
                "RADAU5 refuses the tolerances: relative ones must be above 1e-15, absolute ones above 0"};
      case -4:
        return {StatusCode::singular, "the matrix could not be factorised again and again (RADAU5)"};
      default:
        return {StatusCode::step_too_small, "no step is small enough for the error test or the iteration (RADAU5)"};
    }
  }

  HairerForm form_;
  double *y_, *ydot_;
  const double relative_;
  const std::vector<double> absolute_;
  std::vector<double> Y_, between_, rtol_, atol_, work_;
  std::vector<int> integers_;
  double t_ = 0, t_old_ = 0, stop_ = 0, h_ = 0;
  const double* continuous_ = nullptr;  // in work_, of the last step
  int outcome_ = 0;
  PeerStep counts_;  // that no step was told yet
  bool is_ending_ = false;
  std::exception_ptr error_;
  context::fiber call_, program_;  // where each of them waits
};

}  // namespace

std::unique_ptr<PeerIntegrator> radau5_integrator(const PeerTask& task, PeerEquations& equations, double* y,
                                                  double* ydot) {
  return std::make_unique<Radau5Integrator>(task, equations, y, ydot);
}

}  // namespace daelab
