#include "methods/stabilized/runge_kutta_chebyshev.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace daelab {
namespace {

// T_j and its derivatives at x, by the three-term recurrence.
template <class T>
class Chebyshev {
 public:
  explicit Chebyshev(const T& x) : x_(x), before_{T(1), T(0), T(0)}, now_{x, T(1), T(0)} {}
  int degree() const { return degree_; }
  const T& value() const { return now_.value; }
  const T& first() const { return now_.first; }
  const T& second() const { return now_.second; }

  void advance() {
    const Values next{T(2) * x_ * now_.value - before_.value, T(2) * (now_.value + x_ * now_.first) - before_.first,
                      T(2) * (T(2) * now_.first + x_ * now_.second) - before_.second};
    before_ = now_, now_ = next;
    ++degree_;
  }
  Chebyshev at_degree(int degree) const {
    Chebyshev result = *this;
    while (result.degree_ < degree) result.advance();
    return result;
  }

 private:
  struct Values {
    T value, first, second;
  };
  T x_;
  Values before_, now_;
  int degree_ = 1;
};

// Increments D_j = Y_j - y_n:  D_j = mu D_(j-1) + nu D_(j-2) + h (slope F_(j-1) + start F_0).
template <class T>
struct Stage {
  T mu, nu, slope, start;
  T next_node(const T& c, const T& c_before) const { return mu * c + nu * c_before + slope + start; }
};

// The method with s stages, one after another: first(), then next() for j = 2, ..., s.
template <class T>
class RkcStages {
 public:
  RkcStages(int stages, const T& damping) : count_(stages), w0_(T(1) + damping / T(stages * stages)), polynomial_(w0_) {
    const Chebyshev<T> last = polynomial_.at_degree(stages);
    w1_ = last.first() / last.second();
  }
  int count() const { return count_; }

  Stage<T> first() {
    polynomial_ = Chebyshev<T>(w0_).at_degree(2);
    b_ = b_before_ = b();
    a_ = T(1) - b_ * w0_;
    return {T(0), T(0), b_ * w1_, T(0)};
  }
  Stage<T> next() {
    const T b_next = b(), ratio = T(2) * b_next / b_;
    const Stage<T> stage{ratio * w0_, -b_next / b_before_, ratio * w1_, -a_ * ratio * w1_};
    a_ = T(1) - b_next * polynomial_.value();
    b_before_ = b_, b_ = b_next;
    polynomial_.advance();
    return stage;
  }

 private:
  T b() const { return polynomial_.second() / (polynomial_.first() * polynomial_.first()); }
  int count_;
  T w0_, w1_;
  Chebyshev<T> polynomial_;
  T a_{0}, b_{0}, b_before_{0};  // of the stages j - 1, j - 1, j - 2
};

template <class T>
class Rkc final : public StabilizedStepper<T> {
 public:
  Rkc(const RkcSettings& settings, System<T>& system)
      : StabilizedStepper<T>(settings, system, 3, 2),
        damping_(settings.damping.as<T>()),
        stages_(settings.stages.value_or(2), damping_),
        before_(Vector<T>::Zero(system.size())),
        now_(before_),
        y_(before_),
        slope_(before_) {}

  Status step(const State<T>& from, const T& h, State<T>& to) override {
    if (const Status status = this->start(from, h); !status.ok()) return status;
    if (const Status status = this->choose_stages(from, h, to); !status.ok()) return status;
    Stage<T> stage = stages_.first();
    before_.setZero();
    now_ = (h * stage.slope) * from.ydot;
    T c_before(0), c = stage.slope;
    for (int j = 2; j <= stages_.count(); ++j) {
      y_ = from.y + now_;
      const Status status = this->slope(from.t + c * h, y_, slope_);
      if (!status.ok()) return status;
      stage = stages_.next();
      before_ = stage.nu * before_ + stage.mu * now_;
      before_ += (h * stage.slope) * slope_;
      before_ += (h * stage.start) * from.ydot;
      before_.swap(now_);
      c_before = std::exchange(c, stage.next_node(c, c_before));
    }
    now_ += from.compensation;
    return this->finish(from, h, now_, to);
  }

 private:
  double stages_for(double length) const override { return rkc_stages(length, static_cast<double>(damping_)); }
  double length_of(int s) const override { return (s * s - 1) / 1.5 * (1 - static_cast<double>(damping_) / 7.5); }
  int stages() const override { return stages_.count(); }
  void set_stages(int stages) override { stages_ = RkcStages<T>(stages, damping_); }
  void estimate(const State<T>& from, const T& h, const State<T>& to, Vector<T>& error) override {
    error = (T(2) * h / T(5)) * (from.ydot + to.ydot);
    error -= (T(4) / T(5)) * (to.y - from.y);
  }

  T damping_;
  RkcStages<T> stages_;
  Vector<T> before_, now_, y_, slope_;  // (N) D_(j-2), D_(j-1), Y_(j-1), F_(j-1)
};

}  // namespace

double rkc_stages(double length, double damping) {
  return std::max(std::ceil(std::sqrt(1 + 1.5 * length / (1 - damping / 7.5))), 2.0);  // not a number stays it
}

Tableau rkc_tableau(int stages, const Real100& damping) {
  Tableau tableau;
  tableau.name = fmt::format("rkc, {} stages", stages);
  tableau.claimed_order = 2;
  RkcStages<Real100> member(stages, damping);
  Matrix<Real100> D = Matrix<Real100>::Zero(stages + 1, stages);  // row j: D_j / h by the slopes F_0, F_1, ...
  D(1, 0) = member.first().slope;
  for (int j = 2; j <= stages; ++j) {
    const Stage<Real100> stage = member.next();
    for (int i = 0; i < stages; ++i) D(j, i) = stage.mu * D(j - 1, i) + stage.nu * D(j - 2, i);
    D(j, j - 1) += stage.slope;
    D(j, 0) += stage.start;
  }
  tableau.A = D.topRows(stages);
  tableau.b = D.row(stages).transpose();
  tableau.c = tableau.A.rowwise().sum();
  return tableau;
}

MethodForm RungeKuttaChebyshev::form() const {
  if (settings_.stages) return rkc_tableau(*settings_.stages, settings_.damping.value());
  return NoForm{"the number of stages changes from step to step; with stages given it is a tableau"};
}

std::vector<Method::Coefficient> RungeKuttaChebyshev::coefficients() const {
  if (!settings_.stages) return {};
  const int s = *settings_.stages;
  Vector<Real100> mu(s), nu(s), slope(s), start(s);
  RkcStages<Real100> member(s, settings_.damping.value());
  for (int j = 1; j <= s; ++j) {
    const Stage<Real100> stage = j == 1 ? member.first() : member.next();
    mu[j - 1] = stage.mu, nu[j - 1] = stage.nu, slope[j - 1] = stage.slope, start[j - 1] = stage.start;
  }
  return {{"mu", "weights of Y_(j-1), j = 1, ..., s", mu},
          {"nu", "weights of Y_(j-2)", nu},
          {"mu~", "weights of h F_(j-1)", slope},
          {"gamma~", "weights of h F_0", start}};
}

#define DAELAB_INSTANTIATE(T)                                                                               \
  std::unique_ptr<Stepper<T>> RungeKuttaChebyshev::stepper(System<T>& system, const NewtonOptions&) const { \
    return std::make_unique<Rkc<T>>(settings_, system);                                                     \
  }
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
