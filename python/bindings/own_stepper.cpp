#include "own_stepper.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <tuple>

#include "conversion.hpp"
#include "interruption.hpp"
#include "numbers.hpp"

namespace nb = nanobind;

namespace daelab::python {
namespace {

nb::object own_methods() { return nb::module_::import_("daelab.own_methods"); }

struct Failure {
  StatusCode code;
  std::string cause, traceback;
};

// Call with the lock. Only an Exception is a failure of the method: others, as KeyboardInterrupt, go on.
Failure failure_of(nb::python_error& error, const std::string& name) {
  if (!error.matches(PyExc_Exception)) throw;
  const auto [status, cause, traceback] = nb::cast<std::tuple<std::string, std::string, std::string>>(
      own_methods().attr("failure_of")(name, error.value()));
  return {status_code(status).value_or(StatusCode::method_failed), cause, traceback};
}

}  // namespace

KeptThreadState::KeptThreadState() {
  if (PyGILState_GetThisThreadState() != nullptr) return;
  state_ = PyGILState_Ensure();
  kept_ = PyEval_SaveThread();
}

KeptThreadState::~KeptThreadState() {
  if (kept_ == nullptr) return;
  PyEval_RestoreThread(kept_);
  PyGILState_Release(state_);
}

// Hidden as objects of Python are.
struct [[gnu::visibility("hidden")]] OwnStepper::Objects {
  nb::object system, step, state_type, layout;
  OwnSystem* equations = nullptr;  // of system
};

void OwnStepper::Release::operator()(Objects* objects) const {
  const Locked lock;
  objects->equations->close();
  delete objects;
}

OwnStepper::OwnStepper(System<double>& system, const std::string& name, const std::string& version, const Json& options)
    : system_(system),
      name_(name),
      equations_(new OwnSystem(system, statistics_)),
      n_(system.positions()),
      m_(equations_->multipliers()),
      error_(Vector<double>::Zero(system.size())) {
  const Locked lock;
  python_.reset(new Objects);
  python_->system = nb::cast(equations_, nb::rv_policy::take_ownership), python_->equations = equations_;
  try {
    make(version, options);
  } catch (nb::python_error& error) {
    throw NotApplicable(failure_of(error, name_).cause);
  }
}

void OwnStepper::make(const std::string& version, const Json& options) {
  const nb::object object = own_methods().attr("make_stepper")(version, object_of(options));
  memory_size_ = nb::cast<Index>(own_methods().attr("memory_size_of")(object, python_->system));
  facts_.is_multistep = memory_size_ > 0;
  error_order_ = nb::cast<std::optional<int>>(own_methods().attr("error_order_of")(object));
  python_->step = object.attr("step");
  python_->state_type = own_methods().attr("State");
  python_->layout = nb::make_tuple(n_, m_, equations_->accelerations_at());
}

Status OwnStepper::step(const State<double>& from, const double& h, State<double>& to) {
  if (Status status = system_.start_step(from.t, h, from.y); !status.ok()) return status;
  const Locked lock;
  try {
    return take_step(from, h, to);
  } catch (nb::python_error& error) {
    return failure(error);
  } catch (const InputError& error) {
    return {StatusCode::method_failed, name_ + ".step: " + error.message()};
  }
}

Status OwnStepper::failure(nb::python_error& error) {
  const Failure found = failure_of(error, name_);
  if (!found.traceback.empty()) warn("python-traceback", found.traceback);
  return {found.code, found.cause};
}

Status OwnStepper::take_step(const State<double>& from, double h, State<double>& to) {
  equations_->begin(from.y);
  nb::object result = python_->step(python_->system, state_of(from), h);
  to.t = from.t + h, to.y = from.y, to.ydot = from.ydot;
  to.compensation.setZero();
  if (error_order_) {
    if (!nb::isinstance<nb::tuple>(result) || nb::len(result) != 2)
      throw InputError("", "with error_order it must return a pair, the new state and the estimate of its error");
    read_error(result[1]);
    result = nb::borrow(result[0]);
  }
  Given given;
  read_result(result, to, given);
  if (memory_size_ > 0) {
    if (!given.memory) throw InputError("", "it must return \"memory\" as it states a memory_size");
    to.memory_step = h;
  }
  const Status status = finish(given, to);
  if (status.ok()) ++statistics_.steps;
  return status;
}

nb::object OwnStepper::state_of(const State<double>& state) const {
  const nb::object memory = state.memory_step == 0 ? nb::none() : array_of(past(state).values);
  return python_->state_type(state.t, array_of(state.y), array_of(state.ydot), memory, state.memory_step,
                             python_->layout);
}

void OwnStepper::read_result(nb::handle result, State<double>& to, Given& given) {
  if (nb::isinstance(result, python_->state_type)) {
    if (!nb::hasattr(result, "_given"))
      throw InputError("", "it returned the state that it was given; state.moved(q=..., v=...) makes a new one");
    return read_parts(nb::cast<nb::dict>(result.attr("_given")), to, given);
  }
  if (nb::isinstance<nb::dict>(result)) return read_parts(nb::borrow<nb::dict>(result), to, given);
  if (nb::isinstance<nb::tuple>(result) && n_ > 0) return read_tuple(nb::borrow<nb::tuple>(result), to, given);
  if (!result.is_none()) return read_part("y", result, to, given);
  throw InputError("", n_ > 0 ? "it returned None; allowed: (q, v), (q, v, a, lambda), y, a dict of these, a State"
                              : "it returned None; allowed: y, a dict, a State");
}

void OwnStepper::read_tuple(const nb::tuple& parts, State<double>& to, Given& given) {
  const std::size_t count = nb::len(parts);
  if (count != 2 && count != 4)
    throw InputError("", "it returned " + std::to_string(count) +
                             " values; allowed: (q, v), (q, v, a, lambda), a dict of these, a State");
  const char* const names[] = {"q", "v", "a", "lambda"};
  for (std::size_t i = 0; i < count; ++i) read_part(names[i], parts[i], to, given);
}

void OwnStepper::read_parts(const nb::dict& parts, State<double>& to, Given& given) {
  // The whole comes before its parts.
  for (const char* whole : {"y", "ydot"})
    if (parts.contains(whole)) read_part(whole, parts[whole], to, given);
  for (const auto& [key, value] : parts) {
    const std::string name = nb::cast<std::string>(nb::str(key));
    if (name != "y" && name != "ydot") read_part(name, value, to, given);
  }
}

void OwnStepper::read_part(const std::string& name, nb::handle value, State<double>& to, Given& given) {
  if (name == "y") {
    read_numbers(value, "y", to.y.data(), to.y.size()), given.y = true;
  } else if (name == "ydot") {
    read_numbers(value, "ydot", to.ydot.data(), to.ydot.size()), given.ydot = true;
  } else if (name == "memory" && memory_size_ > 0) {
    read_numbers(value, "memory", past(to).values.data(), memory_size_), given.memory = true;
  } else if (n_ > 0 && name == "q") {
    read_numbers(value, "q", to.y.data(), n_), given.q = true;
  } else if (n_ > 0 && name == "v") {
    read_numbers(value, "v", to.y.data() + n_, n_), given.v = true;
  } else if (n_ > 0 && name == "a") {
    put_accelerations(value, to), given.a = true;
  } else if (n_ > 0 && (name == "lambda" || name == "lambda_")) {
    read_numbers(value, "lambda", to.y.data() + 2 * n_, m_), given.lambda = true;
  } else {
    throw InputError("", "it returned '" + name + "'; allowed: " + (n_ > 0 ? "q, v, a, lambda, " : "") + "y, ydot" +
                             (memory_size_ > 0 ? ", memory" : "; memory where it states a memory_size"));
  }
}

void OwnStepper::put_accelerations(nb::handle value, State<double>& to) const {
  read_numbers(value, "a", to.ydot.data() + n_, n_);
  if (const Index at = equations_->accelerations_at(); at > 0) to.y.segment(at, n_) = to.ydot.segment(n_, n_);
}

void OwnStepper::read_error(nb::handle error) {
  const Index all = system_.differential();
  if (n_ > 0 && nb::isinstance<nb::tuple>(error) && nb::len(error) == 2) {
    read_numbers(error[0], "the error of q", error_.data(), n_);
    read_numbers(error[1], "the error of v", error_.data() + n_, n_);
  } else {
    read_numbers(error, "the error", error_.data(), all);
  }
}

// What the step has not said of the new state follows from the equations.
Status OwnStepper::finish(const Given& given, State<double>& to) {
  if (!given.y && n_ > 0 && !(given.q && given.v)) throw InputError("", "it must return q and v, or y");
  if (!given.y && n_ == 0) throw InputError("", "it must return y");
  const bool says_rates = given.ydot || (given.a && (given.y || given.lambda || m_ == 0));
  if (says_rates && !given.ydot && n_ > 0) to.ydot.head(n_) = to.y.segment(n_, n_);
  if (system_.projects() || !says_rates) {
    if (Status status = system_.project(to.t, to.y); !status.ok()) return status;
    return equations_->find_derivatives(to.t, to.y, to.ydot);
  }
  return {};
}

void OwnStepper::control(const Tolerances<double>& tolerances) {
  if (!error_order_) throw NotApplicable(name_ + " states no error_order: it takes fixed steps only");
  error_norm_ = ErrorNorm<double>(tolerances, system_);
  controller_.emplace(*error_order_ + 1, *error_order_);
}

double OwnStepper::first_step(const State<double>& start, const double& length) const {
  return starting_step(system_, error_norm_, start, length, *error_order_ + 1);
}

StepDecision<double> OwnStepper::judge(const State<double>& from, const double& h, State<double>& to, int failures) {
  error_norm_.weigh(from.y);
  return controller_->judge(error_norm_(error_), h, failures, from.control, to.control);
}

}  // namespace daelab::python
