// What the tests of the numerical core share: central differences in 50 digits, and a problem bound to a formulation.
#pragma once

#include <array>
#include <cctype>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/equations/formulation.hpp"
#include "core/integration/state.hpp"
#include "core/mechanism/problem.hpp"
#include "core/start/consistent_start.hpp"
#include "tests/random_numbers.hpp"

namespace daelab {

// A central difference errs by f''' step^2/6 + 1e-50/step: about 1e-32 for derivatives of size one.
// The tolerance leaves room for third derivatives up to 1e7.
inline const Real50 difference_step("1e-16");
inline const Real50 difference_tolerance("1e-25");

/// Largest |entry|; NaN when an entry is NaN.
template <class Derived>
double largest(const Eigen::MatrixBase<Derived>& expression) {
  using std::abs;
  const typename Derived::PlainObject x = expression;  // a product would be formed anew for every entry
  double result = 0;
  for (Index j = 0; j < x.cols(); ++j)
    for (Index i = 0; i < x.rows(); ++i) {
      const double entry = static_cast<double>(abs(x(i, j)));
      if (entry > result || entry != entry) result = entry;
    }
  return result;
}

/// Jacobian of a vector function at x by central differences.
template <class F>
Matrix<Real50> difference(Vector<Real50> x, F f) {
  const Vector<Real50> value = f(x);
  Matrix<Real50> J(value.size(), x.size());
  for (Index j = 0; j < x.size(); ++j) {
    const Real50 centre = x[j];
    x[j] = centre + difference_step;
    const Vector<Real50> above = f(x);
    x[j] = centre - difference_step;
    const Vector<Real50> below = f(x);
    x[j] = centre;
    J.col(j) = (above - below) / (difference_step + difference_step);
  }
  return J;
}

/// Derivative of a vector function of one number.
template <class F>
Vector<Real50> derivative(const Real50& s, F f) {
  const Vector<Real50> above = f(Real50(s + difference_step)), below = f(Real50(s - difference_step));
  return (above - below) / (difference_step + difference_step);
}

/// A mechanism that a test records.
using Record = std::function<void(Recording&)>;
template <class T>
std::unique_ptr<MechanicalModel<T>> recorded_model(Record record) {
  return as_mechanical(make_model<T>(record_problem(std::move(record))));
}

/// The multiplier solver named, for a model.
template <class T>
std::unique_ptr<Multipliers<T>> multipliers_for(const MechanicalModel<T>& model,
                                                const std::string& spec = "schur-cholesky") {
  return Registry<MultiplierSolver>::instance().make(spec, "")->bind(As<T>{}, model.coordinates(), model.constraints());
}

/// (q, v) in one vector.
template <class T>
Vector<T> joined(const Vector<T>& q, const Vector<T>& v) {
  Vector<T> y(q.size() + v.size());
  y << q, v;
  return y;
}

/// Names of the forms that mechanisms have.
inline std::vector<std::string> mechanical_formulations() {
  std::vector<std::string> names = Registry<Formulation>::instance().names();
  std::erase(names, "ode");
  return names;
}

/// Names of the problems with coordinates, or of those without, which are ordinary differential equations.
inline const std::vector<std::string>& problem_names(bool mechanisms) {
  // Once a process: it takes a model of each problem, every test is a process, and all of them ask.
  static const auto names = [] {
    std::array<std::vector<std::string>, 2> lists;
    for (const std::string& name : Registry<Problem>::instance().names())
      lists[Registry<Problem>::instance().make(name, "")->model(As<double>{})->mechanical() != nullptr].push_back(name);
    return lists;
  }();
  return names[mechanisms];
}

/// A name as gtest takes it.
inline std::string test_name_of(std::string text) {
  for (char& c : text)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return text;
}

/// A problem in one formulation, with the consistent state at its start.
template <class T>
struct BoundProblem {
  BoundProblem(const std::string& problem_spec, const std::string& formulation)
      : problem(Registry<Problem>::instance().make(problem_spec, "")),
        any_model(problem->model(As<T>{})),
        model(any_model->mechanical()),
        layout(layout_of(*any_model)),
        multipliers(Registry<MultiplierSolver>::instance()
                        .make(fitting_multiplier_solver(analyse_start(*any_model)), "")
                        ->bind(As<T>{}, layout.n, constraints_of(*any_model))),
        system(Registry<Formulation>::instance().make(formulation, "")->system(*any_model, *multipliers)) {
    layout.accelerations = system->accelerations();
    start.y.setZero(system->size()), start.ydot.setZero(system->size()), start.compensation.setZero(system->size());
    const Vector<T> given = any_model->initial_y();
    start.y.head(given.size()) = given;
    if (model != nullptr) start.y.segment(given.size(), layout.m) = model->initial_multipliers();
    const Status status = system->consistent_start(start.t, start.y, start.ydot);
    if (!status.ok()) throw std::runtime_error(status.cause);
  }

  std::shared_ptr<Problem> problem;
  std::unique_ptr<Model<T>> any_model;
  MechanicalModel<T>* model;  // null of an ordinary differential equation
  MechanicalLayout layout;
  std::unique_ptr<Multipliers<T>> multipliers;
  std::unique_ptr<System<T>> system;
  State<T> start;
};

}  // namespace daelab
