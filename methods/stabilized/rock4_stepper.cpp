#include "methods/stabilized/rock4_stepper.hpp"

#include <cmath>

#include "methods/stabilized/rock_stepper.hpp"

namespace daelab {
namespace {

template <class T>
class Rock4Stepper final : public RockStepper<T> {
  using RockStepper<T>::now_, RockStepper<T>::y_, RockStepper<T>::slope_;

 public:
  Rock4Stepper(const StabilizedSettings& settings, System<T>& system)
      : RockStepper<T>(settings, system, 4, 4, rock4_most_stages - 4),
        A_(4, 4),
        b_(4),
        error_(5),
        slopes_(Matrix<T>::Zero(system.size(), 4)) {
    set_stages(settings.stages.value_or(rock4_least_stages));
  }

  Status step(const State<T>& from, const T& h, State<T>& to) override {
    if (const Status status = this->start(from, h); !status.ok()) return status;
    if (const Status status = this->choose_stages(from, h, to); !status.ok()) return status;
    T c(0);
    if (const Status status = this->recurrence(from, h, stages_ - 4, c); !status.ok()) return status;
    for (Index i = 0; i < 4; ++i) {
      y_ = from.y + now_;
      T c_stage = c;
      for (Index j = 0; j < i; ++j) {
        y_ += (h * A_(i, j)) * slopes_.col(j);
        c_stage += A_(i, j);
      }
      const Status status = this->slope(from.t + c_stage * h, y_, slope_);
      if (!status.ok()) return status;
      slopes_.col(i) = slope_;
    }
    for (Index i = 0; i < 4; ++i) now_ += (h * b_[i]) * slopes_.col(i);
    now_ += from.compensation;
    return this->finish(from, h, now_, to);
  }

 private:
  double stages_for(double length) const override { return rock4_stages(length, this->settings_.max_stages); }
  double length_of(int s) const override { return 0.35 * s * s - 2.8; }
  int stages() const override { return stages_; }
  void set_stages(int stages) override {
    const Rock4Coefficients& method = rock4_coefficients(stages);
    stages_ = stages;
    this->take_recurrence(method.mu, method.gamma);
    A_ = method.A.template cast<T>();
    b_ = method.b.template cast<T>();
    error_ = method.error.template cast<T>();
  }
  void estimate(const State<T>& /*from*/, const T& h, const State<T>& to, Vector<T>& error) override {
    error = (h * error_[4]) * to.ydot;
    for (Index i = 0; i < 4; ++i) error += (h * error_[i]) * slopes_.col(i);
  }

  int stages_ = 0;
  Matrix<T> A_;
  Vector<T> b_, error_;
  Matrix<T> slopes_;  // (N, 4) of the finishing method
};

}  // namespace

double rock4_stages(double length, int most) {
  const double least = std::max(std::ceil(std::sqrt((length + 2.8) / 0.35)), double(rock4_least_stages));
  const double spacing = std::floor(least / 10), listed = spacing < 2 ? least : spacing * std::ceil(least / spacing);
  return std::min(listed, std::max(least, double(most)));
}

MethodForm Rock4::form() const {
  if (settings_.stages) return rock4_tableau(*settings_.stages);
  return NoForm{"the number of stages changes from step to step; with stages given it is a tableau"};
}

std::vector<Method::Coefficient> Rock4::coefficients() const {
  if (!settings_.stages) return {};
  const Rock4Coefficients& method = rock4_coefficients(*settings_.stages);
  return {{"mu", "weights of h f(Y_(j-1)), j = 1, ..., s - 4", method.mu},
          {"gamma", "weights of Y_(j-1) - Y_(j-2)", method.gamma},
          {"a", "weights of the finishing method", method.A},
          {"b", "weights of its result", method.b},
          {"e", "weights of the estimate, the last one of the slope at the step end", method.error}};
}

#define DAELAB_INSTANTIATE(T)                                                                 \
  std::unique_ptr<Stepper<T>> Rock4::stepper(System<T>& system, const NewtonOptions&) const { \
    return std::make_unique<Rock4Stepper<T>>(settings_, system);                              \
  }
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
