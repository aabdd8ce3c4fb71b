#include "modules/peers/radau_integrator.hpp"

#include <sanitizer/asan_interface.h>

#include <algorithm>
#include <boost/context/fiber.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>
#include <cmath>
#include <exception>
#include <limits>

namespace daelab {
namespace {

namespace context = boost::context;

/// What AddressSanitizer noted of the frames on a stack goes with its memory: libraries may be loaded there next.
class Stack {
 public:
  explicit Stack(std::size_t size) : memory_(size) {}
  context::stack_context allocate() { return memory_.allocate(); }
  void deallocate(context::stack_context& stack) {
    ASAN_UNPOISON_MEMORY_REGION(static_cast<char*>(stack.sp) - stack.size, stack.size);
    memory_.deallocate(stack);
  }

 private:
  context::protected_fixedsize_stack memory_;
};

class RadauIntegrator final : public PeerIntegrator {
 public:
  RadauIntegrator(std::unique_ptr<RadauCode> code, const PeerTask& task, PeerEquations& equations, double* y,
                  double* ydot)
      : code_(std::move(code)),
        form_(task, equations),
        y_(y),
        ydot_(ydot),
        relative_(task.relative),
        absolute_(form_.absolute_tolerances()),
        Y_(size()),
        between_(size()),
        rtol_(size()),
        atol_(size()),
        work_(work_size()),
        integers_(parameters + (2 + (stages() - 1) / 2) * size()) {}
  ~RadauIntegrator() override { end_call(); }

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

  // The collocation polynomial in Newton's form, as their CONTR5 and CONTRA have it.
  bool interpolate(double t, double* y) override {
    const std::size_t n = size();
    const int stages = code_->stages();
    const double s = 1 + (t - t_) / (t_ - t_old_);
    for (std::size_t i = 0; i < n; ++i) {
      double value = continuous_[i + static_cast<std::size_t>(stages) * n];
      for (int k = stages - 1; k >= 0; --k)
        value = continuous_[i + static_cast<std::size_t>(k) * n] + (s - code_->nodes()[stages - k]) * value;
      between_[i] = value;
    }
    form_.unpack(between_.data(), y, nullptr);
    return true;
  }

 private:
  static constexpr std::size_t parameters = 20;  // of its, at the start of both work arrays
  static constexpr std::size_t stack_size = 1 << 20;

  std::size_t size() const { return static_cast<std::size_t>(form_.size()); }
  std::size_t stages() const { return static_cast<std::size_t>(code_->most_stages()); }
  std::size_t work_size() const {
    const std::size_t rows = static_cast<std::size_t>(form_.rows());
    return size() * (rows + 3 * stages() + 3) + rows * (1 + stages() * rows) + parameters;
  }

  void begin_call(double stop) {
    stop_ = stop;
    form_.pack(y_, ydot_, Y_.data());
    call_ = context::fiber(std::allocator_arg, Stack(stack_size), [this](context::fiber&& program) {
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
  void resume() {
    const auto lock = code_->enter();
    call_ = std::move(call_).resume();
    code_->leave();
  }
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
    double h = h_;
    RadauArguments arguments{.form = &form_,
                             .integrator = this,
                             .step_end = step_end,
                             .t = &t_,
                             .Y = Y_.data(),
                             .end = &stop_,
                             .h = &h,
                             .relative = rtol_.data(),
                             .absolute = atol_.data(),
                             .work = work_.data(),
                             .work_size = static_cast<int>(work_.size()),
                             .integers = integers_.data(),
                             .integers_size = static_cast<int>(integers_.size()),
                             .outcome = &outcome_};
    code_->solve(arguments);
    count();
  }

  // t is in a common block, which other threads write: the argument of the call is read instead.
  static void step_end(const int* number, const double* t_old, const double*, const double*, const double* continuous,
                       const int*, const int*, void*, void* self, int* go_on) {
    if (*number == 1) return;  // the start
    RadauIntegrator& integrator = *static_cast<RadauIntegrator*>(self);
    integrator.t_old_ = *t_old, integrator.continuous_ = continuous;
    integrator.program_ = std::move(integrator.program_).resume();
    *go_on = integrator.is_ending_ ? -1 : 1;
  }

  void take_step(double stop, PeerStep& step) {
    form_.unpack(Y_.data(), y_, ydot_);
    const double round_off = 4 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t_), std::abs(stop));
    const bool arrived = stop - t_ <= round_off;
    if (!arrived || t_ - t_old_ > h_) h_ = t_ - t_old_;  // not what was cut to end there
    step.t = t_, step.next = h_, step.order = 2 * code_->stages() - 1;
    if (arrived) end_call();
  }

  // It leaves its counts when it returns. Of attempts that failed it counts those whose error was too large after the
  // first step only; in the first one they are taken for failed iterations.
  void count() {
    const long attempts = integers_[15], accepted = integers_[16], errors = integers_[17];
    const long rejected = std::max(0L, attempts - accepted - (outcome_ < 0 ? 1 : 0));
    counts_.rejected += rejected, counts_.failed += std::max(0L, rejected - errors);
    counts_.iterations += integers_[19];
    counts_.factorizations += static_cast<long>(code_->matrices()) * integers_[18];
    counts_.back_solves += static_cast<long>(code_->matrices()) * integers_[19] + attempts;
  }

  Status status() const {
    const std::string name = std::string(" (") + code_->name() + ")";
    switch (outcome_) {
      case -1:
        return {StatusCode::not_applicable,
                "the code refuses the tolerances: relative ones must be above 1e-15, absolute ones above 0" + name};
      case -4:
        return {StatusCode::singular, "the matrix could not be factorised again and again" + name};
      default:
        return {StatusCode::step_too_small, "no step is small enough for the error test or the iteration" + name};
    }
  }

  std::unique_ptr<RadauCode> code_;
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

std::unique_ptr<PeerIntegrator> radau_integrator(std::unique_ptr<RadauCode> code, const PeerTask& task,
                                                 PeerEquations& equations, double* y, double* ydot) {
  return std::make_unique<RadauIntegrator>(std::move(code), task, equations, y, ydot);
}

}  // namespace daelab
