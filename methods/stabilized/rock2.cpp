// ROCK2 after Abdulle and Medovikov: order 2, for stiffness along the negative real axis.
//
// [AM01] Abdulle, Medovikov, Second order Chebyshev methods based on orthogonal polynomials, Numerische Mathematik 90,
// 2001, 1-18.
#include "core/integration/method.hpp"
#include "methods/stabilized/rock2_coefficients.hpp"
#include "methods/stabilized/rock_stepper.hpp"

namespace daelab {
namespace {

// As many evaluations a step as stages.
template <class T>
class Rock2Stepper final : public RockStepper<T> {
  using RockStepper<T>::now_, RockStepper<T>::y_, RockStepper<T>::slope_;

 public:
  Rock2Stepper(const StabilizedSettings& settings, System<T>& system)
      : RockStepper<T>(settings, system, 2, 2, rock2_most_stages - 2), last_slope_(Vector<T>::Zero(system.size())) {
    set_stages(settings.stages.value_or(rock2_least_stages));
  }

  Status step(const State<T>& from, const T& h, State<T>& to) override {
    if (const Status status = this->start(from, h); !status.ok()) return status;
    if (const Status status = this->choose_stages(from, h, to); !status.ok()) return status;
    T c(0);
    if (const Status status = this->recurrence(from, h, stages_ - 2, c); !status.ok()) return status;
    y_ = from.y + now_;
    if (const Status status = this->slope(from.t + c * h, y_, slope_); !status.ok()) return status;
    y_ = from.y + now_ + (h * sigma_) * slope_;
    if (const Status status = this->slope(from.t + (c + sigma_) * h, y_, last_slope_); !status.ok()) return status;
    const T last = tau_ / sigma_;
    now_ += (h * (T(2) * sigma_ - last)) * slope_ + (h * last) * last_slope_;
    now_ += from.compensation;
    return this->finish(from, h, now_, to);
  }

 private:
  double stages_for(double length) const override { return rock2_stages(length, this->settings_.max_stages); }
  double length_of(int s) const override { return rock2_length(s); }
  int stages() const override { return stages_; }
  void set_stages(int stages) override {
    const Rock2Coefficients& method = rock2_coefficients(stages);
    stages_ = stages;
    this->take_recurrence(method.mu, method.gamma);
    sigma_ = static_cast<T>(method.sigma), tau_ = static_cast<T>(method.tau);
  }
  void estimate(const State<T>& /*from*/, const T& h, const State<T>& /*to*/, Vector<T>& error) override {
    error = (h * (sigma_ - tau_ / sigma_)) * (last_slope_ - slope_);
  }

  int stages_ = 0;
  T sigma_{0}, tau_{0};
  Vector<T> last_slope_;  // (N) of Y_(s-1); slope_ is that of Y_(s-2)
};

/// The first step with a number of stages computes its coefficients. stepper() throws NotApplicable for forms without a
/// state-space form.
class Rock2 final : public Method {
 public:
  template <class Definition>
  Rock2(const Definition& definition, const std::string& /*where*/) : settings_(definition.settings()) {}
#define DAELAB_DEFINE(T)                                                                                   \
  std::unique_ptr<Stepper<T>> stepper(System<T>& system, const NewtonOptions& /*newton*/) const override { \
    return std::make_unique<Rock2Stepper<T>>(settings_, system);                                           \
  }
  DAELAB_FOR_SCALARS(DAELAB_DEFINE)
#undef DAELAB_DEFINE
  MethodForm form() const override {
    if (settings_.stages) return rock2_tableau(*settings_.stages);
    return NoForm{"the number of stages changes from step to step; with stages given it is a tableau"};
  }
  std::vector<Coefficient> coefficients() const override {
    if (!settings_.stages) return {};
    const Rock2Coefficients& method = rock2_coefficients(*settings_.stages);
    return {{"mu", "weights of h f(Y_(j-1)), j = 1, ..., s - 2", method.mu},
            {"gamma", "weights of Y_(j-1) - Y_(j-2)", method.gamma},
            {"w", "sigma and tau of the last two stages", Vector<Real100>{{method.sigma, method.tau}}}};
  }

 private:
  StabilizedSettings settings_;
};

struct Rock2Options {
  static constexpr const char* name = "rock2";
  static constexpr const char* summary =
      "Orthogonal Runge-Kutta-Chebyshev of order 2: explicit, stable on a negative real interval of length 0.81 s^2.";
  static constexpr const char* source = "Abdulle, Medovikov 2001 (Numer. Math. 90, 1); coefficients computed here";

  StabilizedSettings stages{{}, {}, rock2_most_stages};

  Options options() { return stages.options(rock2_least_stages, rock2_most_stages, rock2_most_stages); }
  StabilizedSettings settings() const { return stages; }
};
const MethodEntry<Rock2Options, Rock2> rock2_entry;

}  // namespace
}  // namespace daelab
