#include "own_system.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <daelab/core/solvers/multiplier_solver.hpp>
#include <daelab/core/start/consistent_start.hpp>

#include "numbers.hpp"

namespace nb = nanobind;

namespace daelab::python {

void throw_step_failed(const Status& status) {
  const nb::object type = nb::module_::import_("daelab._errors").attr("StepFailed");
  PyErr_SetObject(type.ptr(), type(to_string(status.code), status.cause).ptr());
  throw nb::python_error();
}

namespace {

void require(const Status& status) {
  if (!status.ok()) throw_step_failed(status);
}

}  // namespace

// Onto the constraints whichever form the run integrates, so by a multiplier solver of its own.
struct OwnSystem::Projector {
  explicit Projector(MechanicalModel<double>& model)
      : solver(Registry<MultiplierSolver>::instance().make(fitting_multiplier_solver(analyse_start(model)), "")),
        multipliers(solver->bind(As<double>{}, model.coordinates(), model.constraints())),
        system(model, {}, *multipliers) {}

  std::shared_ptr<MultiplierSolver> solver;
  std::unique_ptr<Multipliers<double>> multipliers;
  ProjectedSystem<double> system;
};

OwnSystem::OwnSystem(System<double>& system, Statistics& statistics)
    : system_(&system),
      statistics_(statistics),
      n_(system.positions()),
      m_(0),
      accelerations_at_(system.accelerations()),
      start_(Vector<double>::Zero(system.size())),
      y_(start_),
      ydot_(y_),
      F_(y_) {
  if (n_ == 0) return;
  m_ = system.size() - 2 * n_;
  if (auto* const model = system.mechanical_model()) m_ = std::min(m_, model->multipliers());
}
OwnSystem::~OwnSystem() = default;

System<double>& OwnSystem::open() const {
  if (system_ == nullptr) throw InputError("", "this system belongs to a run that has ended");
  return *system_;
}

MechanicalModel<double>& OwnSystem::mechanism() const {
  if (auto* const model = open().mechanical_model()) return *model;
  throw_step_failed(
      {StatusCode::not_applicable, n_ == 0 ? "the problem is an ordinary differential equation: there is no mechanism"
                                           : "this formulation keeps the blocks of its mechanism to itself"});
}

Status OwnSystem::find_derivatives(double t, Vector<double>& y, Vector<double>& ydot) {
  ++statistics_.residuals;
  if (open().index() > 0 || n_ > 0) ++statistics_.factorizations, ++statistics_.back_solves;
  return open().consistent_derivatives(t, y, ydot);
}

void OwnSystem::complete(double t) {
  ydot_.setZero();
  require(find_derivatives(t, y_, ydot_));
}

nb::object OwnSystem::rate(double t, nb::handle y) {
  read_numbers(y, "y", y_.data(), open().size());
  complete(t);
  return array_of(ydot_);
}

nb::tuple OwnSystem::complete(double t, nb::handle y) {
  read_numbers(y, "y", y_.data(), open().size());
  complete(t);
  return nb::make_tuple(array_of(y_), array_of(ydot_));
}

void OwnSystem::read_point(nb::handle q, nb::handle v) {
  mechanism();
  read_numbers(q, "q", y_.data(), n_);
  read_numbers(v, "v", y_.data() + n_, n_);
  y_.tail(size() - 2 * n_) = start_.tail(size() - 2 * n_);
}

nb::tuple OwnSystem::accelerations(double t, nb::handle q, nb::handle v) {
  read_point(q, v);
  complete(t);
  return nb::make_tuple(array_of(ydot_.data() + n_, n_), array_of(y_.data() + 2 * n_, m_));
}

nb::object OwnSystem::residual(double t, nb::handle y, nb::handle ydot) {
  read_numbers(y, "y", y_.data(), open().size());
  read_numbers(ydot, "ydot", ydot_.data(), open().size());
  ++statistics_.residuals;
  open().residual(t, y_, ydot_, F_);
  return array_of(F_);
}

nb::tuple OwnSystem::jacobians(double t, nb::handle y, nb::handle ydot) {
  read_numbers(y, "y", y_.data(), open().size());
  read_numbers(ydot, "ydot", ydot_.data(), open().size());
  ++statistics_.jacobians;
  if (!linearization_) linearization_ = open().linearization();
  linearization_->evaluate(t, y_, ydot_);
  Matrix<double> F_y(size(), size()), F_ydot(size(), size());
  linearization_->dense(F_y, F_ydot);
  return nb::make_tuple(array_of(F_y), array_of(F_ydot));
}

nb::object OwnSystem::mass(double t, nb::handle q) {
  Matrix<double> M = Matrix<double>::Zero(n_, n_);
  mechanism().mass(t, numbers_of(q, "q", n_), M);
  return array_of(M);
}

nb::object OwnSystem::force(double t, nb::handle q, nb::handle v) {
  Vector<double> Q(n_);
  mechanism().force(t, numbers_of(q, "q", n_), numbers_of(v, "v", n_), Q);
  return array_of(Q);
}

void OwnSystem::find_constraints(double t, nb::handle q, nb::handle v) {
  MechanicalModel<double>& model = mechanism();
  C_.setZero(model.constraints()), J_.setZero(model.constraints(), n_);
  if (v.is_none() && model.nonholonomic() > 0) throw InputError("", "v is needed: there are nonholonomic constraints");
  const Vector<double> at = numbers_of(q, "q", n_);
  model.constraints_and_jacobian(t, at, v.is_none() ? Vector<double>(Vector<double>::Zero(n_)) : numbers_of(v, "v", n_),
                                 C_, J_);
}

nb::object OwnSystem::constraints(double t, nb::handle q, nb::handle v) {
  find_constraints(t, q, v);
  return array_of(C_);
}

nb::object OwnSystem::constraint_jacobian(double t, nb::handle q, nb::handle v) {
  find_constraints(t, q, v);
  return array_of(J_);
}

nb::object OwnSystem::level(Level level, double t, nb::handle q, nb::handle v) {
  MechanicalModel<double>& model = mechanism();
  Vector<double> row = Vector<double>::Zero(model.constraints());
  const Vector<double> zero = Vector<double>::Zero(n_);
  model.constraint_level(level, t, numbers_of(q, "q", n_), numbers_of(v, "v", n_), zero, row);
  return array_of(row);
}

nb::object OwnSystem::constraint_rates(double t, nb::handle q, nb::handle v) { return level(Level::velocity, t, q, v); }
nb::object OwnSystem::curvature(double t, nb::handle q, nb::handle v) { return level(Level::acceleration, t, q, v); }

nb::tuple OwnSystem::motion_jacobians(double t, nb::handle q, nb::handle v, nb::handle a, nb::handle lambda) {
  Matrix<double> K = Matrix<double>::Zero(n_, n_), D = K;
  mechanism().motion_jacobians(t, numbers_of(q, "q", n_), numbers_of(v, "v", n_), numbers_of(a, "a", n_),
                               numbers_of(lambda, "lambda_", m_), K, D);
  return nb::make_tuple(array_of(K), array_of(D));
}

nb::tuple OwnSystem::projection(double t, nb::handle q, nb::handle v) {
  read_point(q, v);
  if (!projector_) projector_ = std::make_unique<Projector>(mechanism());
  Vector<double> y = Vector<double>::Zero(projector_->system.size());
  y.head(2 * n_) = y_.head(2 * n_);
  require(projector_->system.project(t, y));
  return nb::make_tuple(array_of(y.data(), n_), array_of(y.data() + n_, n_));
}

void bind_own_system(nb::module_& module) {
  nb::class_<OwnSystem>(
      module, "System",
      "The equations of a run, as a step of a method written in Python sees them: F(t, y, ydot) = 0 of the formulation "
      "of "
      "the run, and the mechanism behind it. n coordinates, m multipliers, N entries of y. Valid during the run. What "
      "cannot be computed raises daelab.StepFailed.")
      .def_prop_ro("size", &OwnSystem::size, "N")
      .def_prop_ro("differential", &OwnSystem::differential, "The first so many entries of y are differential.")
      .def_prop_ro("index", &OwnSystem::index, "Differentiation index of the form, 0 to 3.")
      .def_prop_ro("coordinates", &OwnSystem::coordinates, "n; 0 for first-order equations.")
      .def_prop_ro("multipliers", &OwnSystem::multipliers, "m")
      .def("rate", &OwnSystem::rate, nb::arg("t"), nb::arg("y"),
           "ydot that follows from the differential part of y, shape (N,); zero for algebraic entries. The multipliers "
           "of "
           "a mechanism are found by the multiplier solver of the run.")
      .def("complete", nb::overload_cast<double, nb::handle>(&OwnSystem::complete), nb::arg("t"), nb::arg("y"),
           "The same with the algebraic entries that belong to it: (y, ydot), shapes (N,).")
      .def("accelerations", &OwnSystem::accelerations, nb::arg("t"), nb::arg("q"), nb::arg("v"),
           "(a, lambda) of a mechanism, shapes (n,) and (m,), by the multiplier solver of the run; of forms with "
           "feedback "
           "or penalty what these make of them.")
      .def("residual", &OwnSystem::residual, nb::arg("t"), nb::arg("y"), nb::arg("ydot"), "F(t, y, ydot), shape (N,).")
      .def("jacobians", &OwnSystem::jacobians, nb::arg("t"), nb::arg("y"), nb::arg("ydot"),
           "dF/dy and dF/dydot, shapes (N, N).")
      .def("mass", &OwnSystem::mass, nb::arg("t"), nb::arg("q"), "M, shape (n, n).")
      .def("force", &OwnSystem::force, nb::arg("t"), nb::arg("q"), nb::arg("v"),
           "Q in M a + C_q^T lambda = Q, shape (n,).")
      .def("constraints", &OwnSystem::constraints, nb::arg("t"), nb::arg("q"), nb::arg("v") = nb::none(),
           "C, shape (m,); of nonholonomic constraints, the last ones, G, which needs v.")
      .def("C_q", &OwnSystem::constraint_jacobian, nb::arg("t"), nb::arg("q"), nb::arg("v") = nb::none(),
           "The constraint Jacobian, shape (m, n); of nonholonomic constraints G_v, which needs v.")
      .def("constraint_rates", &OwnSystem::constraint_rates, nb::arg("t"), nb::arg("q"), nb::arg("v"),
           "C_q v + C_t, and G, shape (m,).")
      .def("curvature", &OwnSystem::curvature, nb::arg("t"), nb::arg("q"), nb::arg("v"),
           "-gamma in C_q a - gamma = 0, shape (m,).")
      .def("balance_jacobians", &OwnSystem::motion_jacobians, nb::arg("t"), nb::arg("q"), nb::arg("v"), nb::arg("a"),
           nb::arg("lambda_"), "K and D, the derivatives of M a + C_q^T lambda - Q by q and v, shapes (n, n).")
      .def("projection", &OwnSystem::projection, nb::arg("t"), nb::arg("q"), nb::arg("v"),
           "(q, v) moved onto the constraints, the nearest in the norm of the mass matrix, shapes (n,).");
}

}  // namespace daelab::python
