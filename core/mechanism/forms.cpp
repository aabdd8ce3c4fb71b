#include "core/mechanism/forms.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/mechanism/recorded_model.hpp"
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

FormPart stacked(FormPart a, const FormPart& b) {
  a.entries.insert(a.entries.end(), b.entries.begin(), b.entries.end());
  std::ranges::stable_sort(a.entries, {}, [](const auto& entry) { return std::pair(entry.column, entry.row); });
  return a;
}

std::shared_ptr<const SparsePattern> pattern_of(const FormPart& part) {
  auto pattern = std::make_shared<SparsePattern>();
  pattern->rows = part.rows, pattern->columns = part.columns;
  pattern->start.assign(static_cast<std::size_t>(part.columns) + 1, 0);
  for (const auto& entry : part.entries) {
    pattern->row.push_back(static_cast<int>(entry.row));
    ++pattern->start[entry.column + 1];
  }
  for (std::size_t j = 1; j < pattern->start.size(); ++j) pattern->start[j] += pattern->start[j - 1];
  return pattern;
}

}  // namespace

Forms::Forms(const std::function<void(Recording&)>& record, int mode) : recording_(graph_, mode) {
  const RecordingScope scope(graph_);
  record(recording_);
  check_recording(recording_);
  n_ = static_cast<int>(recording_.q.size());
  rates_ = recording_.rates;
  if (is_mechanical())
    derive_mechanics();
  else if (is_linearly_implicit())
    derive_implicit_rates();
  else
    differentiate_algebraic_equations();
  events_hold_multipliers_ = depends_on_multipliers(recording_, event_expressions(recording_));
}

Forms::~Forms() = default;

// M, Q and the inputs a and lambda. M and Q from the energies where M is not given:
//   M = T_vv,  Q = T_q - T_vq v - T_vt - V_q.
void Forms::derive_mechanics() {
  Recording& r = recording_;
  v_and_s_ = joined(r.v, without_algebraic(r.s, r));
  for (int i = 0; i < extended(); ++i)
    a_.push_back(graph_.input(static_cast<int>(InputBlock::a), i, name_of_row(i) + (i < n_ ? "''" : "'")));
  for (int i = 0; i < constraints(); ++i) lambda_.push_back(r.multiplier(i));
  multipliers_ = joined(lambda_, Expressions(r.s.end() - algebraic_states(), r.s.end()));
  force_ = r.force;
  if (r.mass.empty() && r.kinetic_energy) {
    const Expressions momentum = gradient(*r.kinetic_energy, r.v), by_q = gradient(*r.kinetic_energy, r.q),
                      pull = gradient(r.potential_energy.value_or(Expression()), r.q);
    Expressions motion = r.q, rates = r.v;
    motion.push_back(r.t), rates.push_back(1);
    const Expressions transport = along(momentum, motion, rates);
    for (int i = 0; i < n_; ++i) force_[i] += by_q[i] - pull[i] - transport[i];
    for (const auto& entry : jacobian(momentum, r.v).entries)
      mass_.push_back({static_cast<int>(entry.row), static_cast<int>(entry.column), entry.value});
  } else {
    mass_ = r.mass.entries();
  }
  force_ = joined(force_, without_algebraic(r.rates, r));
  has_linear_equations_ = algebraic_states() == 0 && !depends_on_multipliers(r, force_);
  observes_multipliers_ = depends_on_multipliers(r, r.observables);
  algebraic_level_ = level_of(r, algebraic_rows());
  for (int i = n_; i < extended(); ++i) mass_.push_back({i, i, 1});
  constant_mass_ = std::ranges::all_of(mass_, [](const auto& entry) { return is_constant(entry.value); });
}

// C;  C_q v + C_t;  C_q a - gamma.  G;  G;  dG/dt.
Expressions Forms::level(Level level) {
  const Recording& r = recording_;
  Expressions motion = r.q, first = r.v;
  motion.push_back(r.t), first.push_back(1);
  if (level == Level::position) return joined(r.constraints, Expressions(nonholonomic()));
  Expressions holonomic_rows = along(r.constraints, motion, first);
  if (level == Level::velocity) return joined(holonomic_rows, r.nonholonomic_constraints);
  motion = joined(motion, v_and_s_), first = joined(first, a_);
  return along(joined(holonomic_rows, r.nonholonomic_constraints), motion, first);
}

Expressions Forms::energy() const {
  return {*recording_.kinetic_energy, recording_.potential_energy.value_or(Expression())};
}

// The acceleration level at a = 0.
Expressions Forms::curvature() {
  const Expressions zeros(a_.size()), with_a = level(Level::acceleration);
  Expressions h = substitute(with_a, a_, zeros);
  if (recording_.printed_curvature) std::ranges::copy(*recording_.printed_curvature, h.begin());
  return h;
}

// C_q in the rows of holonomic, G_v in those of nonholonomic constraints.
SparseExpressions Forms::constraint_jacobian() {
  SparseExpressions J = jacobian(recording_.constraints, recording_.q);
  for (auto entry : jacobian(recording_.nonholonomic_constraints, recording_.v).entries) {
    entry.row += static_cast<std::uint32_t>(holonomic());
    J.entries.push_back(entry);
  }
  std::ranges::stable_sort(J.entries, {}, [](const auto& entry) { return std::pair(entry.column, entry.row); });
  return J;
}

// M a + C_q^T lambda + G_v^T mu - Q
Expressions Forms::equations_of_motion() {
  Expressions r(extended());
  for (const auto& entry : mass_) r[entry.row] += entry.value * a_[entry.column];
  for (const auto& entry : constraint_jacobian().entries) r[entry.column] += entry.value * lambda_[entry.row];
  for (int i = 0; i < extended(); ++i) r[i] -= force_[i];
  return r;
}

// g, in the rows below the constraints.
Expressions Forms::algebraic_rows() const {
  return {recording_.rates.end() - algebraic_states(), recording_.rates.end()};
}

FormPart Forms::column(const Expressions& values, int first_row, int rows) const {
  FormPart part{rows < 0 ? static_cast<int>(values.size()) : rows, 1, {}};
  for (std::size_t i = 0; i < values.size(); ++i)
    part.entries.push_back({static_cast<std::uint32_t>(first_row + static_cast<int>(i)), 0, values[i]});
  return part;
}

FormPart Forms::matrix(const SparseExpressions& values, int rows, int columns, int first_row, int first_column) const {
  FormPart part{rows, columns, values.entries};
  for (auto& entry : part.entries)
    entry.row += static_cast<std::uint32_t>(first_row), entry.column += static_cast<std::uint32_t>(first_column);
  return part;
}

FormPart Forms::by_q(const Expressions& f, int first_row, int rows) {
  return matrix(jacobian(f, recording_.q), rows < 0 ? static_cast<int>(f.size()) : rows, extended(), first_row);
}

FormPart Forms::by_v(const Expressions& f, int first_row, int rows) {
  return matrix(jacobian(f, v_and_s_), rows < 0 ? static_cast<int>(f.size()) : rows, extended(), first_row);
}

FormPart Forms::square(const std::vector<ExpressionMatrix::Entry>& entries, int size) const {
  FormPart part{size, size, {}};
  for (const auto& entry : entries)
    part.entries.push_back(
        {static_cast<std::uint32_t>(entry.row), static_cast<std::uint32_t>(entry.column), entry.value});
  std::ranges::stable_sort(part.entries, {}, [](const auto& entry) { return std::pair(entry.column, entry.row); });
  return part;
}

FormPart Forms::mass_part() const { return square(mass_, extended()); }

// The linearised equations: row = R_q dq + R_v dv + R_a da.
FormParts Forms::blocks(Level level_of_rows) {
  const int n = extended(), m = constraints(), l = multipliers();
  const Expressions r = equations_of_motion(), g = algebraic_rows();
  const FormPart J = matrix(constraint_jacobian(), m, n), none{m, n, {}};
  FormParts parts{mass_part(), by_q(r), by_v(r), J, none, none, none};
  FormPart &R_q = parts[4], &R_v = parts[5], &R_a = parts[6];
  if (level_of_rows == Level::position) {  // nonholonomic constraints have no position level
    R_q = stacked(by_q(recording_.constraints, 0, m), by_q(recording_.nonholonomic_constraints, holonomic(), m));
    R_v = by_v(recording_.nonholonomic_constraints, holonomic(), m);
  } else if (level_of_rows == Level::velocity) {
    R_q = by_q(level(Level::velocity)), R_v = J;
  } else {
    const Expressions rows = level(Level::acceleration);
    R_q = by_q(rows), R_v = by_v(rows), R_a = J;
  }
  FormPart Q_mu{n, l, {}};
  if (!has_linear_equations_) Q_mu = matrix(jacobian(negated(force_), multipliers_), n, l);
  for (FormPart& part : FormParts{Q_mu, by_q(g), by_v(g), matrix(jacobian(g, multipliers_), l - m, l)})
    parts.push_back(std::move(part));
  return parts;
}

// Their second derivatives along the motion: v and a come with the coordinates.
FormParts Forms::to_chart(int chart) {
  const Expressions& q = recording_.to_chart[static_cast<std::size_t>(chart)];
  const Expressions v = along(q, recording_.q, recording_.v);
  return {column(q), column(v), column(along(v, joined(recording_.q, recording_.v), joined(recording_.v, a_)))};
}

FormParts Forms::make_parts(const FormKey& key) {
  const Recording& r = recording_;
  const int n = extended(), m = constraints();
  const auto level_of_key = static_cast<Level>(key.detail);
  switch (key.kind) {
    case FormKind::mass:
      return {mass_part()};
    case FormKind::force:
      return {column(force_)};
    case FormKind::constraint:
      return {column(r.constraints, 0, m), matrix(jacobian(r.constraints, r.q), m, n)};
    case FormKind::velocity_constraint:
      return {column(r.nonholonomic_constraints, holonomic(), m), by_v(r.nonholonomic_constraints, holonomic(), m)};
    case FormKind::level:
      return {column(level(level_of_key))};
    case FormKind::curvature:
      return {column(curvature())};
    case FormKind::level_q:
      return {by_q(level(level_of_key))};
    case FormKind::acceleration_level_v:
      return {by_v(level(Level::acceleration))};
    case FormKind::motion_jacobians: {
      const Expressions motion = equations_of_motion();
      return {by_q(motion), by_v(motion)};
    }
    case FormKind::data:
      return {mass_part(), column(force_), matrix(constraint_jacobian(), m, n), column(curvature())};
    case FormKind::accelerations: {
      const GeneratedAccelerations& x = make_generated_accelerations()[static_cast<std::size_t>(key.detail)];
      return {column(x.a), column(x.lambda), column(x.pivots)};
    }
    case FormKind::accelerations_between: {
      const GeneratedAccelerations& x = make_generated_accelerations_between()[static_cast<std::size_t>(key.detail)];
      return {column(x.a), column(x.pivots)};
    }
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
    case FormKind::rates:
      return {column(rates(key.detail))};
    case FormKind::rates_s:
      return {matrix(jacobian(rates(key.detail), r.s), states(), states())};
    case FormKind::rates_mass:
      return {square(rates_mass_, states())};
    case FormKind::rates_mass_s:
      return {rates_mass_s()};
    case FormKind::implicit_rates:
      return implicit_rates();
    case FormKind::hidden_constraints:
      return {column(hidden()), matrix(jacobian(hidden(), r.s), hidden_constraints(), states())};
    case FormKind::event_functions: {
      Expressions functions;
      for (const RecordedEvent& event : r.events) functions.push_back(event.function);
      return {column(functions)};
    }
    case FormKind::jump: {
      const Jump& after = r.events[static_cast<std::size_t>(key.detail)].after;
      const Expressions s = is_mechanical() ? without_algebraic(after.s, r) : after.s;
      return {column(after.q), column(joined(after.v, s)), column(after.held), column({after.mode})};
    }
    case FormKind::sampled:
      return {column(r.sampled)};
    case FormKind::to_chart:
      return to_chart(key.detail);
    case FormKind::energy:
      return {column(energy())};
    case FormKind::invariants:
      return {column(r.kinetic_energy ? energy() : Expressions{}), column(level(Level::position)),
              column(level(Level::velocity)), column(level(Level::acceleration))};
    case FormKind::observables:
      return {column(r.observables)};
  }
  return {};
}

FormParts Forms::parts(const FormKey& key) {
  const std::lock_guard lock(mutex_);
  const RecordingScope scope(graph_);
  return make_parts(key);
}

template <>
Forms::Programs<double>& Forms::programs() {
  return double_programs_;
}
template <>
Forms::Programs<Real50>& Forms::programs() {
  return real50_programs_;
}

const Switches& Forms::switches() {
  const std::lock_guard lock(mutex_);
  const RecordingScope scope(graph_);
  if (!switches_) switches_ = std::make_unique<const Switches>(switches_of(recording_));
  return *switches_;
}

template <class T>
const Program<T>& Forms::program(const FormKey& key) {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<Program<T>>& program = programs<T>()[key];
  if (program) return *program;
  const RecordingScope scope(graph_);
  program = make_program<T>(make_tape(graph_, make_outputs(key)));
  return *program;
}

const Program<double>& Forms::program_of_four(const FormKey& key) {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<Program<double>>& program = programs_of_four_[key];
  if (program) return *program;
  const RecordingScope scope(graph_);
  program = make_program_of_four(make_tape(graph_, make_outputs(key)));
  return *program;
}

bool Forms::has_program_of_four(const FormKey& key) const {
  const std::lock_guard lock(mutex_);
  return programs_of_four_.contains(key);
}

const std::vector<Output>& Forms::make_outputs(const FormKey& key) {
  const auto [place, is_new] = outputs_.try_emplace(key);
  std::vector<Output>& outputs = place->second;
  if (!is_new) return outputs;
  const FormParts parts = make_parts(key);
  if (key.layout == PartLayout::sparse)
    for (const FormPart& part : parts) patterns_[key].push_back(pattern_of(part));
  for (std::size_t block = 0; block < parts.size(); ++block)
    for (std::size_t k = 0; k < parts[block].entries.size(); ++k) {
      const auto& entry = parts[block].entries[k];
      const std::size_t place_in_block =
          key.layout == PartLayout::sparse ? k : entry.row + entry.column * static_cast<std::size_t>(parts[block].rows);
      outputs.push_back({entry.value, static_cast<int>(block), static_cast<int>(place_in_block)});
    }
  return outputs;
}

const std::vector<Output>& Forms::outputs(const FormKey& key) const {
  const std::lock_guard lock(mutex_);
  return outputs_.at(key);
}

const std::vector<std::shared_ptr<const SparsePattern>>& Forms::patterns(FormKind kind, int detail) const {
  const std::lock_guard lock(mutex_);
  return patterns_.at({kind, detail, PartLayout::sparse});
}

Real100 Forms::value(const Expression& constant) const {
  const std::lock_guard lock(mutex_);  // another thread may be deriving a form: the graph grows
  return graph_.constant_value(constant.node());
}

#define DAELAB_INSTANTIATE(T) template const Program<T>& Forms::program<T>(const FormKey& key);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
