#include "methods/peers/peer_stepper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/integration/bootstrapped_output.hpp"
#include "core/integration/large_mechanism.hpp"
#include "core/integration/pi_controller.hpp"
#include "methods/peers/peer_equations.hpp"

namespace daelab {
namespace {

// Accelerations are eliminated at each evaluation, algebraic states of first-order equations need iterations there.
bool takes_residuals(const Peer& peer, const System<double>& system) {
  if (peer.form != PeerForm::either) return peer.form == PeerForm::implicit_form;
  return !system.facts().explicit_form_refusal.empty() ||
         (system.positions() == 0 && system.size() > system.differential());
}

std::string refusal(const Peer& peer, System<double>& system) {
  if (system.facts().depends_on_step_size)
    return "the code chooses the sizes of its steps, and these equations hang on them: give them a value of their own";
  if (system.projects() && peer.keeps_past)
    return "the code keeps its past, which would be off the constraints: use a form that does not project";
  if (peer.form == PeerForm::explicit_form) return system.facts().explicit_form_refusal;
  if (system.index() > peer.highest_index)
    return "the code is made for index 1 and for Hessenberg systems of index 2: use index-2, ggl or index-1";
  return "";
}

// Absolute tolerances of the first n components. [core/integration/step_control.hpp]
std::vector<double> absolute_tolerances(const Tolerances<double>& tolerances, Index positions, Index n) {
  std::vector<double> absolute(static_cast<std::size_t>(n), tolerances.absolute);
  if (positions > 0) std::fill(absolute.begin() + positions, absolute.end(), tolerances.absolute_velocity);
  for (const auto& [place, value] : tolerances.absolute_of)
    if (place < n) absolute[static_cast<std::size_t>(place)] = value;
  return absolute;
}

struct PeerMemory {
  long number = 0;  // of the state that the code is at
  bool operator==(const PeerMemory&) const = default;
};

class PeerStepper final : public TypedStepper<double, PeerMemory> {
 public:
  PeerStepper(const Peer& peer, System<double>& system)
      : TypedStepper<double, PeerMemory>({.chooses_steps = true, .is_multistep = peer.keeps_past}),
        peer_(peer),
        library_(peer_library(peer.module, peer.package)),
        system_(system),
        is_implicit_(takes_residuals(peer, system)),
        d_(system.differential()),
        y_(Vector<double>::Zero(is_implicit_ ? system.size() : d_)),
        ydot_(y_),
        between_(y_) {
    if (const std::string text = refusal(peer, system); !text.empty()) throw NotApplicable(text);
    if (peer.matrices == PeerMatrices::dense) refuse_large(peer.code.c_str(), system.size());
    if (is_implicit_)
      residuals_ = std::make_unique<ResidualEquations>(system, statistics_, peer.matrices != PeerMatrices::of_daelab);
    else
      rates_ = std::make_unique<RateEquations>(system, statistics_);
  }

  HeldMemory make_memory() const override { return HeldMemory::of(PeerMemory()); }

  void control(const Tolerances<double>& tolerances) override {
    norm_ = ErrorNorm<double>(tolerances, system_);
    const PeerTask task{peer_.code,
                        peer_.variant,
                        static_cast<std::size_t>(y_.size()),
                        static_cast<std::size_t>(d_),
                        is_implicit_,
                        system_.index(),
                        static_cast<std::size_t>(system_.positions()),
                        system_.has_plain_velocities(),
                        tolerances.relative,
                        absolute_tolerances(tolerances, system_.positions(), y_.size())};
    code_ = library_.integrator(task, equations(), y_.data(), ydot_.data());
    if (code_ == nullptr)
      throw NotApplicable(fmt::format("{} has no {} {}", library_.version(), peer_.code, peer_.variant));
  }

  Status step_towards(const State<double>& from, const double& stop, State<double>& to) override {
    if (const Status status = go_to(from, stop); !status.ok()) return status;
    if (const Status status = make_step(from.y, stop, to); !status.ok()) return status;
    leave(from, to);
    return {};
  }

  Status step(const State<double>& from, const double& h, State<double>& to) override {
    const double end = from.t + h;
    if (const Status status = go_to(from, end); !status.ok()) return status;
    const long steps = statistics_.steps;
    to.y = from.y;
    while (t_ < end)
      if (const Status status = make_step(to.y, end, to); !status.ok()) return status;
    statistics_.steps = steps + 1;
    leave(from, to);
    return {};
  }

  StepDecision<double> judge(const State<double>&, const double& h, State<double>&, int) override {
    StepDecision<double> decision{true, h};
    decision.order = order_;
    return decision;
  }

  bool interpolate(const State<double>& from, const State<double>& to, const double& t, Vector<double>& y) override {
    if (is_at(to) && code_->interpolate(t, between_.data())) {
      y.head(d_) = between_.head(d_);
      return true;
    }
    if (rates_ == nullptr || !needs_bootstrapping(peer_.order, system_.positions() > 0)) return false;
    if (!dense_output_) dense_output_.emplace(peer_.order, system_.size(), d_);
    const auto slope = [this](const double& at, Vector<double>& x, Vector<double>& f) {
      return rates_->complete(at, x, f);
    };
    return (*dense_output_)(from, to, t, slope, y);
  }

 private:
  SystemEquations& equations() { return is_implicit_ ? static_cast<SystemEquations&>(*residuals_) : *rates_; }

  bool is_at(const State<double>& state) const { return state.memory_step != 0 && past(state).number == number_; }

  // The code goes on where it is, or starts there.
  Status go_to(const State<double>& from, double stop) {
    if (is_at(from) && t_ == from.t) return {};
    take(from.y, from.ydot);
    t_ = from.t;
    if (code_->chooses_first_step()) return code_->restart(t_, 0);
    const double length = stop - from.t;
    return code_->restart(t_, std::min(length, starting_step(system_, norm_, from, length, peer_.order)));
  }

  void take(const Vector<double>& y, const Vector<double>& ydot) {
    y_ = y.head(y_.size());
    ydot_ = ydot.head(y_.size());
  }

  Status make_step(const Vector<double>& start, double stop, State<double>& to) {
    if (const Status status = system_.start_step(t_, stop - t_, start); !status.ok()) return status;
    PeerStep step;
    step.t = t_;
    equations().take_failure();  // of earlier steps
    const Status status = code_->step(stop, step);
    statistics_.rejected += step.rejected, statistics_.failed += step.failed;
    statistics_.newton_iterations += step.iterations;
    statistics_.factorizations += step.factorizations, statistics_.back_solves += step.back_solves;
    if (!status.ok()) return explained(status);
    if (!(step.t > t_)) return {StatusCode::step_too_small, "the code makes steps that do not change the time"};
    ++statistics_.steps;
    const double round_off = 4 * epsilon<double>() * std::max(std::abs(t_), std::abs(stop));
    t_ = stop - step.t <= round_off ? stop : step.t;
    order_ = step.order > 0 ? step.order : peer_.order;
    to.t = t_;
    return finish(step, stop, to);
  }

  // What the code says, and why the equations failed where they did.
  Status explained(Status status) {
    number_ = 0;  // it cannot go on
    const Status cause = equations().take_failure();
    if (!cause.ok()) status = {cause.code, fmt::format("{}; {}", status.cause, cause.cause)};
    return status;
  }

  Status finish(const PeerStep& step, double stop, State<double>& to) {
    to.y.head(y_.size()) = y_;
    if (is_implicit_) {
      to.ydot.setZero();
      to.ydot.head(d_) = ydot_.head(d_);
      return {};
    }
    if (system_.projects()) return project(step, to);
    if (!code_->knows_slope() || t_ == stop) return rates_->complete(t_, to.y, to.ydot);
    to.ydot.setZero();
    to.ydot.head(d_) = ydot_;
    to.y.tail(to.y.size() - d_) = rates_->algebraic();
    return {};
  }

  // A one-step code goes on from there with the step size it wanted.
  Status project(const PeerStep& step, State<double>& to) {
    if (const Status status = system_.project(t_, to.y); !status.ok()) return status;
    if (const Status status = rates_->complete(t_, to.y, to.ydot); !status.ok()) return status;
    take(to.y, to.ydot);
    return code_->restart(t_, step.next);
  }

  void leave(const State<double>& from, State<double>& to) {
    past(to).number = number_ = ++numbers_;
    to.memory_step = to.t - from.t;
    to.compensation.setZero();
  }

  Peer peer_;
  const PeerLibrary& library_;
  System<double>& system_;
  bool is_implicit_;
  Index d_;
  Vector<double> y_, ydot_, between_;  // of the code
  std::unique_ptr<RateEquations> rates_;
  std::unique_ptr<ResidualEquations> residuals_;
  std::unique_ptr<PeerIntegrator> code_;
  ErrorNorm<double> norm_;
  std::optional<BootstrappedOutput<double>> dense_output_;
  double t_ = 0;
  long numbers_ = 0, number_ = 0;  // of the last state, and of the one that the code is at; 0: none
  int order_ = 0;
};

}  // namespace

const PeerLibrary& peer_library(const std::string& module, const std::string& package) {
  const auto library =
      reinterpret_cast<PeerLibraryFunction*>(module_symbol(module, peer_library_symbol, package));  // NOLINT
  return *library();
}

std::string peer_version(const std::string& module, const std::string& package, const std::string& asked) {
  const std::string version = peer_library(module, package).version();
  if (asked != automatic_version && asked != version)
    throw InputError(fmt::format("version: '{}' is asked for, and this machine has {}", asked, version));
  return version;
}

DenseOrder PeerMethod::dense_order() const {
  if (peer_.interpolates == 0) return bootstrapped_order(peer_.order);
  return {peer_.interpolates, peer_.interpolates, peer_.interpolates,
          "the code's own interpolant, at its highest order"};
}

Option peer_version_option(std::string& version) {
  return option("version", version, "of the library; automatic: the one that there is");
}

template <>
std::unique_ptr<Stepper<double>> peer_stepper(const Peer& peer, System<double>& system) {
  return std::make_unique<PeerStepper>(peer, system);
}

#ifndef DAELAB_DOUBLE_ONLY
template <>
std::unique_ptr<Stepper<Real50>> peer_stepper(const Peer& /*peer*/, System<Real50>& /*system*/) {
  throw NotApplicable("the code works in double precision only");
}
#endif

#define DAELAB_INSTANTIATE(T)                                                                      \
  std::unique_ptr<Stepper<T>> PeerMethod::stepper(System<T>& system, const NewtonOptions&) const { \
    return peer_stepper<T>(peer_, system);                                                         \
  }
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
