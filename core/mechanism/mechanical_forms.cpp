#include "core/mechanism/mechanical_forms.hpp"

#include <algorithm>

#include "core/mechanism/form_names.hpp"
#include "core/mechanism/recording_checks.hpp"

namespace daelab {
namespace {

Expressions joined(Expressions a, const Expressions& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Expressions negated(Expressions list) {
  for (Expression& x : list) x = -x;
  return list;
}

}  // namespace

// M and Q come from the energies if M is not given:  M = T_vv,  Q = T_q - T_vq v - T_vt - V_q.
MechanicalForms::MechanicalForms(Recording& r, FormFacts& facts) : recording_(r), facts_(facts) {
  const int n = facts.coordinates;
  v_and_s_ = joined(r.v, without_algebraic(r.s, r));
  for (int i = 0; i < facts_.extended; ++i)
    a_.push_back(r.graph().input(static_cast<int>(InputBlock::a), i, row_name(r, i) + (i < n ? "''" : "'")));
  for (int i = 0; i < facts_.constraints; ++i) lambda_.push_back(r.multiplier(i));
  multipliers_ = joined(lambda_, Expressions(r.s.end() - facts_.algebraic_states, r.s.end()));
  force_ = r.force;
  if (r.mass.empty() && r.kinetic_energy) {
    const Expressions momentum = gradient(*r.kinetic_energy, r.v), by_q = gradient(*r.kinetic_energy, r.q),
                      pull = gradient(r.potential_energy.value_or(Expression()), r.q);
    Expressions motion = r.q, rates = r.v;
    motion.push_back(r.t), rates.push_back(1);
    const Expressions transport = along(momentum, motion, rates);
    for (int i = 0; i < n; ++i) force_[i] += by_q[i] - pull[i] - transport[i];
    for (const auto& entry : jacobian(momentum, r.v).entries)
      mass_of_energies_.push_back({static_cast<int>(entry.row), static_cast<int>(entry.column), entry.value});
  }
  force_ = joined(force_, without_algebraic(r.rates, r));
  facts.has_linear_equations = facts_.algebraic_states == 0 && !depends_on_multipliers(r, force_);
  facts.observes_multipliers = depends_on_multipliers(r, r.observables);
  facts.algebraic_level = level_of(r, algebraic_rows());
}

std::vector<ExpressionMatrix::Entry> MechanicalForms::mass() const {
  std::vector<ExpressionMatrix::Entry> entries =
      recording_.mass.empty() ? mass_of_energies_ : recording_.mass.entries();
  for (int i = facts_.coordinates; i < facts_.extended; ++i) entries.push_back({i, i, 1});
  return entries;
}

Expressions MechanicalForms::relative_pivots() const {
  if (!recording_.mass_inverse) return {};
  Expressions pivots = recording_.mass_inverse->pivots;
  for (std::size_t i = 0; i < pivots.size(); ++i) pivots[i] = pivots[i] / recording_.mass_inverse->diagonal[i];
  return pivots;
}

// C;  C_q v + C_t;  C_q a - gamma.  G;  G;  dG/dt.
Expressions MechanicalForms::level(Level level) const {
  const Recording& r = recording_;
  Expressions motion = r.q, first = r.v;
  motion.push_back(r.t), first.push_back(1);
  if (level == Level::position) return joined(r.constraints, Expressions(facts_.nonholonomic));
  Expressions holonomic_rows = along(r.constraints, motion, first);
  if (level == Level::velocity) return joined(holonomic_rows, r.nonholonomic_constraints);
  motion = joined(motion, v_and_s_), first = joined(first, a_);
  return along(joined(holonomic_rows, r.nonholonomic_constraints), motion, first);
}

Expressions MechanicalForms::energy() const {
  return {*recording_.kinetic_energy, recording_.potential_energy.value_or(Expression())};
}

// The acceleration level at a = 0.
Expressions MechanicalForms::curvature() const {
  const Expressions zeros(a_.size()), with_a = level(Level::acceleration);
  Expressions h = substitute(with_a, a_, zeros);
  if (recording_.printed_curvature) std::ranges::copy(*recording_.printed_curvature, h.begin());
  return h;
}

// C_q in the rows of holonomic, G_v in those of nonholonomic constraints.
SparseExpressions MechanicalForms::constraint_jacobian() const {
  SparseExpressions J = jacobian(recording_.constraints, recording_.q);
  for (auto entry : jacobian(recording_.nonholonomic_constraints, recording_.v).entries) {
    entry.row += static_cast<std::uint32_t>(facts_.holonomic);
    J.entries.push_back(entry);
  }
  std::ranges::stable_sort(J.entries, {}, [](const auto& entry) { return std::pair(entry.column, entry.row); });
  return J;
}

// M a + C_q^T lambda + G_v^T mu - Q
Expressions MechanicalForms::equations_of_motion() const {
  Expressions r(facts_.extended);
  for (const auto& entry : mass()) r[entry.row] += entry.value * a_[entry.column];
  for (const auto& entry : constraint_jacobian().entries) r[entry.column] += entry.value * lambda_[entry.row];
  for (int i = 0; i < facts_.extended; ++i) r[i] -= force_[i];
  return r;
}

// g, in the rows below the constraints.
Expressions MechanicalForms::algebraic_rows() const {
  return {recording_.rates.end() - facts_.algebraic_states, recording_.rates.end()};
}

FormPart MechanicalForms::by_q(const Expressions& f, int first_row, int rows) const {
  return matrix(jacobian(f, recording_.q), rows < 0 ? static_cast<int>(f.size()) : rows, facts_.extended, first_row);
}

FormPart MechanicalForms::by_v(const Expressions& f, int first_row, int rows) const {
  return matrix(jacobian(f, v_and_s_), rows < 0 ? static_cast<int>(f.size()) : rows, facts_.extended, first_row);
}

// The linearised equations: row = R_q dq + R_v dv + R_a da.
FormParts MechanicalForms::blocks(Level level_of_rows) const {
  const int n = facts_.extended, m = facts_.constraints, l = facts_.multipliers;
  const Expressions r = equations_of_motion(), g = algebraic_rows();
  const FormPart J = matrix(constraint_jacobian(), m, n), none{m, n, {}};
  FormParts parts{square(mass(), n), by_q(r), by_v(r), J, none, none, none};
  FormPart &R_q = parts[4], &R_v = parts[5], &R_a = parts[6];
  if (level_of_rows == Level::position) {  // nonholonomic constraints have no position level
    R_q = stacked(by_q(recording_.constraints, 0, m), by_q(recording_.nonholonomic_constraints, facts_.holonomic, m));
    R_v = by_v(recording_.nonholonomic_constraints, facts_.holonomic, m);
  } else if (level_of_rows == Level::velocity) {
    R_q = by_q(level(Level::velocity)), R_v = J;
  } else {
    const Expressions rows = level(Level::acceleration);
    R_q = by_q(rows), R_v = by_v(rows), R_a = J;
  }
  FormPart Q_mu{n, l, {}};
  if (!facts_.has_linear_equations) Q_mu = matrix(jacobian(negated(force_), multipliers_), n, l);
  for (FormPart& part : FormParts{Q_mu, by_q(g), by_v(g), matrix(jacobian(g, multipliers_), l - m, l)})
    parts.push_back(std::move(part));
  return parts;
}

// Their second derivatives along the motion: v and a come with the coordinates.
FormParts MechanicalForms::to_chart(int chart) const {
  const Expressions& q = recording_.to_chart[static_cast<std::size_t>(chart)];
  const Expressions v = along(q, recording_.q, recording_.v);
  return {column(q), column(v), column(along(v, joined(recording_.q, recording_.v), joined(recording_.v, a_)))};
}

FormParts MechanicalForms::parts(FormKind kind, int detail) const {
  const Recording& r = recording_;
  const int n = facts_.extended, m = facts_.constraints;
  const auto level_of_key = static_cast<Level>(detail);
  switch (kind) {
    case FormKind::mass:
      return {square(mass(), n)};
    case FormKind::mass_pivots:
      return {column(relative_pivots())};
    case FormKind::force:
      return {column(force_)};
    case FormKind::constraint:
      return {column(r.constraints, 0, m), matrix(jacobian(r.constraints, r.q), m, n)};
    case FormKind::velocity_constraint:
      return {column(r.nonholonomic_constraints, facts_.holonomic, m),
              by_v(r.nonholonomic_constraints, facts_.holonomic, m)};
    case FormKind::level:
      return {column(level(level_of_key))};
    case FormKind::curvature:
      return {column(curvature())};
    case FormKind::jacobian:
      return {matrix(constraint_jacobian(), m, n)};
    case FormKind::level_q:
      return {by_q(level(level_of_key))};
    case FormKind::acceleration_level_v:
      return {by_v(level(Level::acceleration))};
    case FormKind::motion_jacobians: {
      const Expressions motion = equations_of_motion();
      return {by_q(motion), by_v(motion)};
    }
    case FormKind::data:
      return {square(mass(), n), column(force_), matrix(constraint_jacobian(), m, n), column(curvature())};
    case FormKind::residual:
      return {column(equations_of_motion()),
              column(joined(level_of_key == Level::position ? joined(r.constraints, r.nonholonomic_constraints)
                                                            : level(level_of_key),
                            algebraic_rows()))};
    case FormKind::levels:
      return {column(equations_of_motion()), column(joined(level(Level::position), algebraic_rows())),
              column(level(Level::velocity)),
              column(level_of_key == Level::acceleration ? level(Level::acceleration) : Expressions{}),
              matrix(constraint_jacobian(), m, n)};
    case FormKind::blocks:
      return blocks(level_of_key);
    case FormKind::to_chart:
      return to_chart(detail);
    case FormKind::energy:
      return {column(energy())};
    case FormKind::invariants:
      return {column(r.kinetic_energy ? energy() : Expressions{}), column(level(Level::position)),
              column(level(Level::velocity)), column(level(Level::acceleration))};
    default:
      return {};
  }
}

}  // namespace daelab
