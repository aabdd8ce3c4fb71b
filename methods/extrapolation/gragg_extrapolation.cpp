#include "methods/extrapolation/gragg_extrapolation.hpp"

#include <fmt/format.h>

#include "core/integration/explicit_stepper.hpp"
#include "core/integration/pi_controller.hpp"

namespace daelab {
namespace {

// Of S_first, ..., S_(columns-1), counted from 0; those before have weight zero.
Vector<Real100> extrapolation_weights(int first, int columns) {
  Vector<Real100> w = Vector<Real100>::Zero(columns);
  for (int i = first; i < columns; ++i) {
    w[i] = 1;
    for (int j = first; j < columns; ++j)
      if (j != i) w[i] *= Real100((i + 1) * (i + 1)) / ((i + 1) * (i + 1) - (j + 1) * (j + 1));
  }
  return w;
}

template <class T>
class Gragg final : public ExplicitStepper<T> {
 public:
  Gragg(const ExtrapolationSettings& settings, std::shared_ptr<const Once<double>> stability_limit, System<T>& system)
      : ExplicitStepper<T>(system, settings.order),
        system_(system),
        settings_(settings),
        stability_limit_(std::move(stability_limit)),
        columns_(settings.order / 2),
        smoothing_(settings.smoothing),
        weights_(extrapolation_weights(0, columns_).template cast<T>()),
        differences_((extrapolation_weights(0, columns_) - extrapolation_weights(1, columns_)).template cast<T>()),
        controller_(settings.order - 1, settings.order),
        before_(Vector<T>::Zero(system.size())),
        now_(before_),
        y_(before_),
        slope_(before_),
        sum_(before_),
        error_(before_) {}

  Status step(const State<T>& from, const T& h, State<T>& to) override {
    if (const Status status = this->start(from, h); !status.ok()) return status;
    sum_ = from.compensation;
    error_.setZero();
    for (int i = 0; i < columns_; ++i) {
      const Status status = midpoint(from, h, 2 * (i + 1));
      if (!status.ok()) return status;
      sum_ += weights_[i] * now_;
      error_ += differences_[i] * now_;
    }
    return this->finish(from, h, sum_, to);
  }

  void control(const Tolerances<T>& tolerances) override {
    if (columns_ == 1) throw NotApplicable("no error estimate at order 2; use order 4 or higher");
    error_norm_ = ErrorNorm<T>(tolerances, system_);
    this->watch_stiffness(stability_limit_->get([this] {
      const Tableau tableau = gragg_tableau(settings_);
      return real_stability_limit(tableau.A.template cast<double>(), tableau.b.template cast<double>());
    }));
  }
  T first_step(const State<T>& start, const T& length) const override {
    return starting_step(system_, error_norm_, start, length, 2 * columns_ - 1);
  }
  StepDecision<T> judge(const State<T>& from, const T& h, State<T>& to, int failures) override {
    error_norm_.weigh(from.y);
    return this->watched(controller_.judge(error_norm_(error_), h, failures, from.control, to.control), h, to);
  }

 private:
  // Leaves S - y_n in now_.
  Status midpoint(const State<T>& from, const T& H, int n) {
    const T h = H / T(n);
    before_.setZero();
    now_ = h * from.ydot;
    for (int k = 1; k < n; ++k) {
      const Status status = slope_at(from, T(k) * h);
      if (!status.ok()) return status;
      before_ += (h + h) * slope_;
      before_.swap(now_);
    }
    if (!smoothing_) return {};
    const Status status = slope_at(from, H);
    now_ = (before_ + now_ + h * slope_) / T(2);
    return status;
  }
  Status slope_at(const State<T>& from, const T& after) {
    y_ = from.y + now_;
    return this->slope(from.t + after, y_, slope_);
  }

  System<T>& system_;
  ExtrapolationSettings settings_;
  std::shared_ptr<const Once<double>> stability_limit_;
  int columns_;
  bool smoothing_;
  Vector<T> weights_, differences_;  // (columns) w_i, and minus those of the column before
  PiController<T> controller_;
  ErrorNorm<T> error_norm_;
  Vector<T> before_, now_, y_, slope_, sum_, error_;  // (N) Y_(k-1) - y_n, Y_k - y_n, ...
};

// Rows of coefficients of h f at the stages, in the order the engine evaluates them.
class TableauBuilder {
 public:
  explicit TableauBuilder(const ExtrapolationSettings& settings) : settings_(settings) {
    const int columns = settings.order / 2;
    const int stages = columns * columns + 1 + (settings.smoothing ? columns : 0);
    A_ = Matrix<Real100>::Zero(stages, stages);
    S_ = Matrix<Real100>::Zero(columns, stages);
    for (int i = 0; i < columns; ++i) add_midpoint(i, 2 * (i + 1));
  }

  Tableau tableau() const {
    const int columns = settings_.order / 2;
    Tableau t;
    t.name = fmt::format("extrapolation of order {}{}", settings_.order, settings_.smoothing ? ", smoothed" : "");
    t.A = A_;
    t.b = S_.transpose() * extrapolation_weights(0, columns);
    t.c = A_.rowwise().sum();
    t.claimed_order = settings_.order;
    if (columns == 1) return t;
    t.b_embedded = S_.transpose() * extrapolation_weights(1, columns);
    t.embedded_order = settings_.order - 2;
    return t;
  }

 private:
  void add_midpoint(int i, int n) {
    const Real100 h = Real100(1) / n;
    Vector<Real100> before = Vector<Real100>::Zero(A_.cols()), now = before;
    now[0] = h;
    for (int k = 1; k < n; ++k) {
      A_.row(++stage_) = now.transpose();
      before[stage_] += h + h;
      before.swap(now);
    }
    if (settings_.smoothing) {
      A_.row(++stage_) = now.transpose();
      now = (before + now) / Real100(2);
      now[stage_] += h / 2;
    }
    S_.row(i) = now.transpose();
  }

  ExtrapolationSettings settings_;
  Index stage_ = 0;        // the last one
  Matrix<Real100> A_, S_;  // (stages, stages), (columns, stages)
};

}  // namespace

Tableau gragg_tableau(const ExtrapolationSettings& settings) { return TableauBuilder(settings).tableau(); }

DenseOrder GraggExtrapolation::dense_order() const { return bootstrapped_order(settings_.order); }

std::vector<Method::Coefficient> GraggExtrapolation::coefficients() const {
  const int columns = settings_.order / 2;
  std::vector<Coefficient> list{
      {"w", "weights of the midpoint results with 2, 4, 6, ... steps", extrapolation_weights(0, columns)}};
  if (columns > 1)
    list.push_back({"w_embedded", "weights of the column before the last", extrapolation_weights(1, columns)});
  return list;
}

#define DAELAB_INSTANTIATE(T)                                                                              \
  std::unique_ptr<Stepper<T>> GraggExtrapolation::stepper(System<T>& system, const NewtonOptions&) const { \
    return std::make_unique<Gragg<T>>(settings_, stability_limit_, system);                                \
  }
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
