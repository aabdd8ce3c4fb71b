// The module of Boost.Numeric.Odeint (Boost licence): controlled steppers.
#include <algorithm>
#include <boost/numeric/odeint/stepper/bulirsch_stoer.hpp>
#include <boost/numeric/odeint/stepper/controlled_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_cash_karp54.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>
#include <boost/version.hpp>
#include <cmath>
#include <limits>
#include <map>

#include "modules/peers/peer.hpp"

namespace daelab {
namespace {

namespace odeint = boost::numeric::odeint;
using Values = std::vector<double>;

struct EvaluationFailed {};  // odeint has no other way to say so

// Its default error test, |error_i| / (absolute + relative (|x_i| + |h x'_i|)), with an absolute tolerance of each
// component.
class ErrorTest {
 public:
  ErrorTest(double relative, const Values& absolute) : relative_(relative), absolute_(absolute) {}
  template <class Algebra>
  double error(Algebra&, const Values& x, const Values& xdot, Values& error, double h) const {
    double largest = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
      largest =
          std::max(largest, std::abs(error[i]) / (absolute_[i] + relative_ * (std::abs(x[i]) + std::abs(h * xdot[i]))));
    return largest;
  }

 private:
  double relative_;
  Values absolute_;
};

using StepAdjuster = odeint::default_step_adjuster<double, double>;
template <class Pair>
using Controlled = odeint::controlled_runge_kutta<Pair, ErrorTest, StepAdjuster>;
using DormandPrince = Controlled<odeint::runge_kutta_dopri5<Values>>;
using CashKarp = Controlled<odeint::runge_kutta_cash_karp54<Values>>;
using Fehlberg = Controlled<odeint::runge_kutta_fehlberg78<Values>>;
using BulirschStoer = odeint::bulirsch_stoer<Values>;

template <class Stepper>
class OdeintIntegrator final : public PeerIntegrator {
 public:
  OdeintIntegrator(const PeerTask& task, PeerEquations& equations, double* y)
      : task_(task), equations_(equations), y_(y), x_(task.size), stepper_(make(task)) {}

  bool chooses_first_step() const override { return false; }

  Status restart(double t, double h) override {
    t_ = t, h_ = h;
    std::copy_n(y_, task_.size, x_.begin());
    if constexpr (requires { stepper_.reset(); }) stepper_.reset();
    return {};
  }

  Status step(double stop, PeerStep& step) override {
    const auto rates = [this](const Values& x, Values& xdot, double t) {
      if (!equations_.rates(t, x.data(), xdot.data())) throw EvaluationFailed();
    };
    while (true) {
      const bool shortened = t_ + h_ >= stop;
      const double wanted = h_;
      double h = shortened ? stop - t_ : h_;
      if (!(h > 4 * std::numeric_limits<double>::epsilon() * std::abs(t_)))
        return {StatusCode::step_too_small, "no step is small enough for the error test"};
      if (try_step(rates, h)) {
        h_ = shortened ? std::max(wanted, h) : h;
        if (shortened) t_ = stop;
        break;
      }
      h_ = h;
      ++step.rejected;
    }
    step.t = t_, step.next = h_;
    std::copy(x_.begin(), x_.end(), y_);
    return {};
  }

 private:
  static Stepper make(const PeerTask& task) {
    if constexpr (std::is_same_v<Stepper, BulirschStoer>)
      return Stepper(*std::min_element(task.absolute.begin(), task.absolute.end()), task.relative);
    else
      return Stepper(ErrorTest(task.relative, task.absolute), StepAdjuster());
  }

  bool try_step(const auto& rates, double& h) {
    const double before = h;
    try {
      return stepper_.try_step(rates, x_, t_, h) == odeint::success;
    } catch (const EvaluationFailed&) {
      h = before / 2;
      return false;
    }
  }

  const PeerTask task_;
  PeerEquations& equations_;
  double* y_;
  Values x_;
  Stepper stepper_;
  double t_ = 0, h_ = 0;
};

template <class Stepper>
std::unique_ptr<PeerIntegrator> make_integrator(const PeerTask& task, PeerEquations& equations, double* y) {
  return std::make_unique<OdeintIntegrator<Stepper>>(task, equations, y);
}

class Odeint final : public PeerLibrary {
 public:
  std::string version() const override {
    return "Boost " + std::to_string(BOOST_VERSION / 100000) + "." + std::to_string(BOOST_VERSION / 100 % 1000);
  }
  std::unique_ptr<PeerIntegrator> integrator(const PeerTask& task, PeerEquations& equations, double* y,
                                             double* /*ydot*/) const override {
    static const std::map<std::string, decltype(&make_integrator<DormandPrince>)> steppers = {
        {"dopri5", make_integrator<DormandPrince>},
        {"cash-karp54", make_integrator<CashKarp>},
        {"fehlberg78", make_integrator<Fehlberg>},
        {"bulirsch-stoer", make_integrator<BulirschStoer>}};
    const auto stepper = steppers.find(task.variant);
    return stepper == steppers.end() ? nullptr : stepper->second(task, equations, y);
  }
};

}  // namespace
}  // namespace daelab

extern "C" const daelab::PeerLibrary* daelab_peer_library() {
  static const daelab::Odeint library;
  return &library;
}
