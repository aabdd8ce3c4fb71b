#include "core/documents/energy_balance.hpp"

#include <fmt/format.h>

#include <cmath>
#include <random>

#include "core/base/norm.hpp"
#include "core/expressions/derivative.hpp"
#include "core/expressions/program.hpp"
#include "core/mechanism/dense_limits.hpp"
#include "core/mechanism/recording_checks.hpp"
#include "core/solvers/sparse_rank.hpp"
#include "core/start/consistent_start.hpp"

namespace daelab {
namespace {

constexpr int points_tried = 6;
constexpr double tolerance = 1e-7;  // of a balance, relative to the sum of the sizes of its terms

// Derivatives of E = T + V, forces beside the energies, and T_vv, of a recording.
class EnergyForms {
 public:
  explicit EnergyForms(const std::function<void(Recording&)>& record) : scope_(graph_), recording_(graph_, 0) {
    record(recording_);
    Recording& r = recording_;
    for (const Expression& x : r.start_held) held_.push_back(static_cast<double>(constant_value(x)));
    if (!r.kinetic_energy) return;
    const Expression T = *r.kinetic_energy, E = T + r.potential_energy.value_or(Expression());
    depends_on_time_ = !gradient(E, std::vector{r.t}).front().is_zero();
    std::vector<Output> outputs;
    const auto put = [&](const Expressions& values, int block) {
      for (const Expression& value : values) outputs.push_back({value, block, index_[block]++});
    };
    put(gradient(E, r.q), 0), put(gradient(E, r.v), 1), put(without_algebraic(gradient(E, r.s), r), 1);
    put(r.mass.empty() ? r.force : Expressions(r.q.size()), 2);
    if (gives_mass())
      for (const Expression& momentum : gradient(T, r.v)) put(gradient(momentum, r.v), 3);
    program_ = make_interpreter<double>(make_tape(graph_, outputs));
  }

  bool has_energy() const { return program_ != nullptr; }
  bool depends_on_time() const { return depends_on_time_; }
  // M with an inverse and T are made of the same bodies, and T_vv of a long chain is a large graph.
  bool gives_mass() const { return !recording_.mass.empty() && !recording_.mass_inverse; }
  Index n() const { return static_cast<Index>(recording_.q.size()); }
  const Recording& recording() const { return recording_; }

  // v with the states at its end, multipliers with the algebraic states at theirs, as models have it.
  void evaluate(const Vector<double>& q, const Vector<double>& v, const Vector<double>& multipliers) {
    const auto t = static_cast<double>(constant_value(recording_.start_t));
    Vector<double> states(v.size() - n() + recording_.algebraic_states);
    states << v.tail(v.size() - n()), multipliers.tail(recording_.algebraic_states);
    const double* inputs[7] = {&t, q.data(), v.data(), states.data(), held_.data(), nullptr, multipliers.data()};
    E_q.setZero(n()), E_v.setZero(v.size()), force.setZero(n());
    if (gives_mass()) T_vv.setZero(n(), n());
    double* outputs[4] = {E_q.data(), E_v.data(), force.data(), T_vv.data()};
    work_.resize(program_->work_size());
    program_->run(inputs, outputs, work_.data());
  }
  Vector<double> E_q, E_v, force;
  Matrix<double> T_vv;

 private:
  Graph graph_;
  RecordingScope scope_;
  Recording recording_;
  bool depends_on_time_ = false;
  int index_[4] = {0, 0, 0, 0};
  std::unique_ptr<Program<double>> program_;
  std::vector<double> work_, held_;
};

std::string point_text(const Recording& r, const Vector<double>& q, const Vector<double>& v) {
  std::string text = "at ";
  for (std::size_t i = 0; i < std::min<std::size_t>(r.q.size(), 3); ++i)
    text += fmt::format("{}{} = {:.4g}, {}' = {:.4g}", i > 0 ? ", " : "", r.coordinate_names[i],
                        q[static_cast<Index>(i)], r.coordinate_names[i], v[static_cast<Index>(i)]);
  return text + (r.q.size() > 3 ? ", ..." : "");
}

std::string mass_contradiction(const EnergyForms& forms, const Matrix<double>& M, const std::string& at) {
  for (Index i = 0; i < forms.n(); ++i)
    for (Index j = 0; j < forms.n(); ++j)
      if (const double given = M(i, j), derived = forms.T_vv(i, j);
          !(std::abs(given - derived) <= tolerance * (M.cwiseAbs().maxCoeff() + std::abs(derived))))
        return fmt::format(
            "the mass matrix and the kinetic energy contradict each other: row {}, column {} is {:.8g}, the second "
            "derivative of the kinetic energy {:.8g} {}",
            i + 1, j + 1, given, derived, at);
  return "";
}

// A point on the constraints with its accelerations.
struct Point {
  Vector<double> q, v, a, lambda;
};

// Moves a large mechanism onto its constraints by Newton's method with sparse matrices. False: it failed, as it does
// where constraints are redundant.
bool move_sparsely(MechanicalModel<double>& model, Vector<double>& q, Vector<double>& v) {
  constexpr int most_iterations = 20;
  if (model.constraints() == 0) return true;
  const double t = model.initial_t();
  const Vector<double> a = Vector<double>::Zero(v.size());
  Vector<double> position(model.constraints()), velocity(model.constraints());
  SparseMatrix<double> J;
  RowSpan rows;
  const auto correct = [&](Vector<double>& violation, Vector<double>& moved) {
    rows.solve_gram(violation);
    J.add_transposed_product(violation, moved, -1.0);
  };
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    model.constraint_level(Level::position, t, q, v, a, position);
    model.constraint_level(Level::velocity, t, q, v, a, velocity);
    if (max_norm(position) <= StartReport::consistency_tolerance * (1 + max_norm(q)) &&
        max_norm(velocity) <= StartReport::consistency_tolerance * (1 + max_norm(v)))
      return true;
    model.jacobian(t, q, v, J);
    if (!rows.factorize(J).ok()) return false;
    correct(position, q), correct(velocity, v);
  }
  return false;
}

// Moves the start by (dq, dv) and then onto the constraints. Large mechanisms are moved less where that fails.
bool find_point(MechanicalModel<double>& model, bool is_large, const Vector<double>& dq, const Vector<double>& dv,
                Point& x) {
  const Vector<double> q = model.initial_q(), v = model.initial_v() + dv;
  if (is_large)
    for (const double part : {1.0, 0.1, 0.01, 0.001})
      if (x.q = q + part * dq, x.v = v; move_sparsely(model, x.q, x.v)) return true;
  x.q = q + dq, x.v = v;
  return project_start(model, x.q, x.v).ok();
}

bool solve(MechanicalModel<double>& model, Point& x) {
  x.a.setZero(x.v.size()), x.lambda.setZero(model.multipliers());
  return solve_accelerations(model, model.initial_t(), x.q, x.v, x.a, x.lambda).ok() && x.a.allFinite() &&
         x.lambda.allFinite();
}

// dE/dt, as far as coordinates and velocities change it and by first-order states, the power of forces and reactions,
// and the sum of the sizes of all terms.
struct Powers {
  double of_energy, of_states, of_forces, scale;
};

Powers powers(MechanicalModel<double>& model, const EnergyForms& forms, const Point& x) {
  SparseMatrix<double> J;
  model.jacobian(model.initial_t(), x.q, x.v, J);
  const Index n = forms.n();
  Vector<double> J_v = Vector<double>::Zero(J.rows());
  J.add_product(x.v, J_v, 1.0);
  const Vector<double> lambda = x.lambda.head(J.rows());
  const auto size = [](const Vector<double>& a, const Vector<double>& b) { return a.cwiseAbs().dot(b.cwiseAbs()); };
  const Index states = x.v.size() - n;
  const Vector<double> v = x.v.head(n), a = x.a.head(n), rates = x.a.tail(states);
  const Vector<double> E_v = forms.E_v.head(n), E_s = forms.E_v.tail(states);
  return {forms.E_q.dot(v) + E_v.dot(a), E_s.dot(rates), forms.force.dot(v) - lambda.dot(J_v),
          size(forms.E_q, v) + size(forms.E_v, x.a) + size(forms.force, v) + size(lambda, J_v)};
}

}  // namespace

EnergyBalance try_energy_balance(const std::function<void(Recording&)>& record, MechanicalModel<double>& model) {
  EnergyForms forms(record);
  EnergyBalance result;
  if (!forms.has_energy() || forms.depends_on_time()) return result;
  result.conserved = true;
  std::mt19937 random(20240501);
  const auto deviate = [&] { return 2.0 * random() / std::mt19937::max() - 1; };
  const Vector<double> q0 = model.initial_q(), v0 = model.initial_v();
  const bool is_large = q0.size() + model.multipliers() > largest_dense_mechanism;  // one point may take n^3 operations
  for (int k = 0; k < points_tried && !(is_large && result.points > 0); ++k) {
    const Vector<double> dq = q0.unaryExpr([&](double q) { return 0.1 * (std::abs(q) + 0.1) * deviate(); });
    const Vector<double> dv = v0.unaryExpr([&](double v) { return (std::abs(v) + 0.5) * deviate(); });
    Point x;
    if (!find_point(model, is_large, dq, dv, x) || !solve(model, x)) continue;
    forms.evaluate(x.q, x.v, x.lambda);
    const Powers power = powers(model, forms, x);
    if (!std::isfinite(power.of_energy) || !std::isfinite(power.of_forces)) continue;
    ++result.points;
    const std::string at = point_text(forms.recording(), x.q, x.v);
    if (forms.gives_mass()) {
      Matrix<double> M(model.coordinates(), model.coordinates());
      model.mass(model.initial_t(), x.q, M);
      if (result.contradiction = mass_contradiction(forms, M, at); !result.contradiction.empty()) return result;
    }
    if (std::abs(power.of_energy + power.of_states) > tolerance * power.scale) result.conserved = false;
    if (std::abs(power.of_energy - power.of_forces) <= tolerance * power.scale) continue;
    result.contradiction = fmt::format(
        "the energies contradict the equations of motion: the energy changes by {:.8g} per unit of "
        "time, forces beside it and reactions do work of {:.8g} {}",
        power.of_energy, power.of_forces, at);
    return result;
  }
  if (result.points == 0) result.conserved = false;
  return result;
}

}  // namespace daelab
