#include "methods/geometric/discrete_gradient_equations.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "methods/geometric/discrete_gradients.hpp"

namespace daelab {

std::vector<std::string> names_of(DiscreteGradient) { return {"decomposed", "joint", "chain-rule", "midpoint-rule"}; }

namespace {

constexpr int number_of(StepInput block) { return static_cast<int>(block); }

Expressions joined(Expressions a, const Expressions& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Expressions column_of(const FormPart& part) {
  Expressions values(static_cast<std::size_t>(part.rows));
  for (const auto& entry : part.entries) values[entry.row] = entry.value;
  return values;
}

// Expressions of one graph in another, input by input.
class GraphCopy {
 public:
  GraphCopy(const Graph& from, Graph& to) : from_(from), to_(to) {}

  Expression operator()(const Expression& x) {
    for (const Node node : dependencies(from_, std::array{x}))
      if (!images_.contains(node)) images_[node] = image(node);
    return Expression::of(images_.at(x.node()));
  }
  Expressions operator()(const Expressions& list) {
    Expressions result;
    for (const Expression& x : list) result.push_back((*this)(x));
    return result;
  }

 private:
  Node image(Node node) {
    const NodeContents& contents = from_[node];
    if (contents.operation == Operation::constant) return to_.constant(from_.constant_value(node));
    if (contents.operation == Operation::input) {
      const Input& input = from_.input_of(node);
      return to_.input(input.block, input.index, input.name).node();
    }
    const std::array<Node, 3> of = operands(contents);
    std::array<Node, 3> mapped{};
    for (std::size_t i = 0; i < static_cast<std::size_t>(operand_count(contents.operation)); ++i)
      mapped[i] = images_.at(of[i]);
    return to_.make(contents.operation, mapped[0], mapped[1], mapped[2]);
  }

  const Graph& from_;
  Graph& to_;
  std::unordered_map<Node, Node> images_;
};

// What the equations of a step are made of, in a graph of their own: that of the recording serves all runs of a problem
// and is not to grow with each of them.
struct Parts {
  Parts(Forms& forms, Level level, Graph& graph) : mass(forms.parts({FormKind::mass})[0]) {
    const Expressions given_force = column_of(forms.parts({FormKind::force})[0]),
                      given_rows = column_of(forms.parts({FormKind::level, static_cast<int>(level)})[0]),
                      energy = column_of(forms.parts({FormKind::energy})[0]);
    forms.derive([&](const Recording& r) {
      GraphCopy copy(r.graph(), graph);
      t = copy(r.t), q = copy(r.q), v = copy(r.v);
      constraints = copy(r.constraints), force = copy(given_force), rows = copy(given_rows);
      kinetic = copy(energy[0]), potential = copy(energy[1]);
      for (auto& entry : mass.entries) entry.value = copy(entry.value);
      return 0;
    });
  }
  FormPart mass;
  Expression t;
  Expressions q, v, constraints, force, rows;
  Expression kinetic, potential;
};

class StepEquations {
 public:
  StepEquations(const Parts& parts, Level level, DiscreteGradient gradient)
      : parts_(parts), level_(level), gradient_(gradient), n_(parts.q.size()) {
    h_ = input(StepInput::sizes, static_cast<int>(StepSize::h), "h");
    end_time_ = input(StepInput::sizes, static_cast<int>(StepSize::end_time), "t1");
    for (std::size_t i = 0; i < n_; ++i) {
      u_.push_back(input(StepInput::u, static_cast<int>(i), "u"));
      a_.push_back(input(StepInput::a, static_cast<int>(i), "a"));
    }
    for (std::size_t i = 0; i < parts.rows.size(); ++i) lambda_.push_back(multiplier(i));
    positions_ = points(parts.q, u_), state_ = points(joined(parts.q, parts.v), joined(u_, a_));
  }

  Expressions unknowns() const { return joined(joined(u_, a_), lambda_); }
  Expressions residual() const { return joined(joined(velocities(), motion()), constraints()); }

 private:
  Expression input(StepInput block, int index, const char* name) const {
    return Graph::current().input(number_of(block), index, name);
  }
  Expression multiplier(std::size_t i) const {
    return Graph::current().input(static_cast<int>(InputBlock::lambda), static_cast<int>(i), "lambda");
  }
  TwoPoints points(const Expressions& x, const Expressions& rates) const {
    TwoPoints result{x, x, {}, input(StepInput::sizes, static_cast<int>(StepSize::least), "least")};
    for (std::size_t i = 0; i < x.size(); ++i) result.end.push_back(x[i] + h_ * rates[i]);
    return result;
  }
  // f at the middle of positions, with these velocities.
  Expressions at_middle(const Expressions& f, const Expressions& v) const {
    return substitute(f, state_.x, joined(positions_.middle(), v));
  }
  Expressions middle_velocity() const {
    const Expressions middle = state_.middle();
    return {middle.begin() + static_cast<std::ptrdiff_t>(n_), middle.end()};
  }

  // What the discrete gradient of the energy has beside the gradient at the midpoint, by q and by v; entries of v may
  // be missing, which are zero.
  Expressions correction() const {
    switch (gradient_) {
      case DiscreteGradient::joint:
        return gonzalez_correction(parts_.kinetic + parts_.potential, state_);
      case DiscreteGradient::decomposed: {
        Expressions sum = gonzalez_correction(parts_.kinetic, state_);
        const Expressions of_potential = gonzalez_correction(parts_.potential, positions_);
        for (std::size_t i = 0; i < n_; ++i) sum[i] += of_potential[i];
        return sum;
      }
      case DiscreteGradient::chain_rule: {
        const Expression energy = parts_.kinetic + parts_.potential;
        Expressions D = chain_rule_gradient(energy, state_);
        const Expressions at_midpoint = substitute(gradient(energy, state_.x), state_.x, state_.middle());
        for (std::size_t i = 0; i < D.size(); ++i) D[i] -= at_midpoint[i];
        return D;
      }
      case DiscreteGradient::midpoint_rule:
        break;
    }
    return Expressions(2 * n_);
  }

  // M(qm) u = T_v(qm, vm) + correction by v.
  Expressions velocities() const {
    const Expressions momentum = at_middle(gradient(parts_.kinetic, parts_.v), middle_velocity());
    Expressions rows = mass_times(u_);
    const Expressions excess = correction();
    for (std::size_t i = 0; i < n_; ++i) rows[i] -= momentum[i] + excess[n_ + i];
    return rows;
  }
  // M(qm) a + G^T lambda = Q(qm, u) + T_q(qm, u) - T_q(qm, vm) - correction by q.
  Expressions motion() const {
    const Expressions kinetic_by_q = gradient(parts_.kinetic, parts_.q);
    const Expressions with_u = at_middle(joined(parts_.force, kinetic_by_q), u_),
                      with_vm = at_middle(kinetic_by_q, middle_velocity()), excess = correction(),
                      reactions = multiplied_constraints();
    Expressions rows = mass_times(a_);
    for (std::size_t i = 0; i < n_; ++i)
      rows[i] -= with_u[i] + (with_u[n_ + i] - with_vm[i]) - excess[i] - reactions[i];
    return rows;
  }
  Expressions mass_times(const Expressions& x) const {
    Expressions entries;
    for (const auto& entry : parts_.mass.entries) entries.push_back(entry.value);
    entries = at_middle(entries, u_);
    Expressions rows(n_);
    for (std::size_t k = 0; k < entries.size(); ++k)
      rows[parts_.mass.entries[k].row] += entries[k] * x[parts_.mass.entries[k].column];
    return rows;
  }

  // G^T lambda: with constraints of positions that of their discrete gradient, so that multipliers do no work.
  Expressions multiplied_constraints() const {
    Expression sum, not_quadratic;
    for (std::size_t i = 0; i < parts_.constraints.size(); ++i) {
      const Expression term = lambda_[i] * parts_.constraints[i];
      sum += term;
      if (!is_quadratic(parts_.constraints[i], parts_.q)) not_quadratic += term;
    }
    Expressions G = substitute(gradient(sum, parts_.q), positions_.x, positions_.middle());
    if (level_ != Level::position || gradient_ == DiscreteGradient::midpoint_rule) return G;
    if (gradient_ == DiscreteGradient::chain_rule) return chain_rule_gradient(sum, positions_);
    const Expressions excess = gonzalez_correction(not_quadratic, positions_);
    for (std::size_t i = 0; i < n_; ++i) G[i] += excess[i];
    return G;
  }
  // C(t1, q1)/h, or G(qm) u + C_t.
  Expressions constraints() const {
    if (level_ == Level::velocity) return at_middle(parts_.rows, u_);
    Expressions rows = substitute(parts_.rows, joined(positions_.x, {parts_.t}), joined(positions_.end, {end_time_}));
    for (Expression& row : rows) row = row / h_;
    return rows;
  }

  const Parts& parts_;
  const Level level_;
  const DiscreteGradient gradient_;
  const std::size_t n_;
  Expression h_, end_time_;
  Expressions u_, a_, lambda_;
  TwoPoints positions_, state_;
};

std::vector<Output> outputs_of(const Expressions& list) {
  std::vector<Output> outputs;
  for (std::size_t i = 0; i < list.size(); ++i) outputs.push_back({list[i], 0, static_cast<int>(i)});
  return outputs;
}

}  // namespace

template <class T>
StepPrograms<T> make_step_programs(Forms& forms, Level level, DiscreteGradient gradient) {
  Graph graph;
  const Parts parts(forms, level, graph);
  const RecordingScope scope(graph);
  const StepEquations equations(parts, level, gradient);
  const Expressions residual = equations.residual(), x = equations.unknowns();
  const SparseExpressions slopes = jacobian(residual, x);
  const int size = static_cast<int>(x.size());
  Expressions entries;
  for (const auto& entry : slopes.entries) entries.push_back(entry.value);
  return {make_program<T>(make_tape(graph, outputs_of(residual))),
          make_program<T>(make_tape(graph, outputs_of(entries))), pattern_of(matrix(slopes, size, size))};
}

#define DAELAB_INSTANTIATE(T) template StepPrograms<T> make_step_programs<T>(Forms&, Level, DiscreteGradient);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
