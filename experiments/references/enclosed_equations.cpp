#include "experiments/references/enclosed_equations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/expressions/constant_text.hpp"
#include "core/expressions/program.hpp"
#include "core/expressions/text.hpp"
#include "core/mechanism/forms.hpp"
#include "experiments/references/balls_program.hpp"
#include "experiments/references/certificate_equations.hpp"
#include "experiments/references/full_pivots.hpp"

namespace daelab {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw InputError("--problem", "no enclosures for " + why); }

Expressions joined(Expressions a, const Expressions& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// Builds the task in a graph of its own.
class Builder {
 public:
  Builder(const Problem& problem, const StartValues& start)
      : forms_(problem.recorder(), problem.start_mode()), r_(forms_.recording()), start_(start) {
    refuse_others();
    n_ = r_.q.size();
    algebraic_ = static_cast<std::size_t>(r_.algebraic_states);
    differential_ = r_.s.size() - algebraic_;
  }

  EnclosedEquations built() {
    read_mass_and_force();
    result_.equations = forms_.derive([&](const Recording& r) { return certificate_equations(r, mass_, force_); });
    name_unknowns();
    read_start();
    const RecordingScope scope(balls_.graph());
    make_inputs();
    translate();
    if (n_ > 0)
      build_mechanism();
    else
      build_first_order();
    watch_events();
    build_program();
    return std::move(result_);
  }

 private:
  void refuse_others() const {
    const FormFacts& facts = forms_.facts();
    if (!r_.groups.empty()) refuse("coordinates on Lie groups");
    if (!r_.held.empty()) refuse("problems with discrete-time blocks");
    if (facts.is_mechanical && facts.algebraic_states > 0) refuse("algebraic states beside coordinates");
    if (!facts.has_linear_equations) refuse("forces that depend on multipliers");
    if (!r_.rates_mass.empty() && r_.algebraic_states > 0) refuse("algebraic states beside a matrix of the rates");
  }

  // As recorded, or from the energies.
  void read_mass_and_force() {
    if (n_ == 0) return;
    const FormParts mass = forms_.parts({FormKind::mass}), force = forms_.parts({FormKind::force});
    for (const auto& entry : mass[0].entries)
      if (entry.row <= entry.column && entry.column < n_) mass_.push_back(entry);
    force_.resize(n_);
    for (const auto& entry : force[0].entries)
      if (entry.row < n_) force_[entry.row] = entry.value;
  }

  void name_unknowns() {
    std::vector<std::string>& names = result_.task.names;
    names = r_.coordinate_names;
    for (const std::string& name : r_.coordinate_names) names.push_back(name + "'");
    names.insert(names.end(), r_.state_names.begin(), r_.state_names.end());
    result_.task.algebraic = static_cast<int>(algebraic_);
    result_.coordinates = n_;
  }

  void read_start() {
    std::vector<std::string>& given = result_.task.given;
    const auto add = [&](const Expressions& list) {
      forms_.values(list, [&](std::size_t, const Real100& value) {
        given.push_back(constant_text(value)), start_values_.push_back(static_cast<double>(value));
      });
    };
    add(r_.start_q), add(r_.start_v), add(r_.start_s);
    for (const auto& missing : r_.missing_starts) missing_.push_back(place_of(missing.kind, missing.index));
    for (const NamedValue& x : start_.values) {
      const std::size_t place = place_in_unknowns(static_cast<std::size_t>(x.place));
      given[place] = constant_text(x.value.value()), start_values_[place] = x.value.as<double>();
      std::erase(missing_, place);
    }
    if (!missing_.empty()) throw InputError(r_.missing_starts.front().cause);
    Json lists = {{"q", Json::array()}, {"v", Json::array()}, {"s", Json::array()}};
    for (std::size_t i = 0; i < given.size(); ++i) lists[i < n_ ? "q" : i < 2 * n_ ? "v" : "s"].push_back(given[i]);
    result_.given = lists;
    Real100 t;
    forms_.values({r_.start_t}, [&](std::size_t, const Real100& value) { t = value; });
    result_.task.t_start = t.str(40);
    if (Exact(result_.task.t_start).value() != t) refuse("start times that are no decimals");
    start_t_ = static_cast<double>(t);
  }
  std::size_t place_of(char kind, std::size_t i) const { return (kind == 'q' ? 0 : kind == 'v' ? n_ : 2 * n_) + i; }
  // From places in (q, integrals of states, v, states).
  std::size_t place_in_unknowns(std::size_t place) const {
    if (n_ == 0 || place < n_) return place;
    return place - differential_;
  }

  void make_inputs() {
    t_ = balls_.input(BallBlock::time, 0, "t");
    balls_.stands_for(static_cast<int>(InputBlock::time), 0, t_);
    const std::vector<std::string>& names = result_.task.names;
    for (std::size_t i = 0; i < names.size(); ++i) {
      x_.push_back(balls_.input(BallBlock::unknown, static_cast<int>(i), names[i]));
      dx_.push_back(balls_.input(BallBlock::direction, static_cast<int>(i), "d" + names[i]));
      const InputBlock block = i < n_ ? InputBlock::q : i < 2 * n_ ? InputBlock::v : InputBlock::s;
      const std::size_t first = i < n_ ? 0 : i < 2 * n_ ? n_ : 2 * n_;
      balls_.stands_for(static_cast<int>(block), static_cast<int>(i - first), x_[i]);
    }
  }
  Expressions part(const Expressions& x, std::size_t first, std::size_t count) const {
    const auto begin = x.begin() + static_cast<std::ptrdiff_t>(first);
    return {begin, begin + static_cast<std::ptrdiff_t>(count)};
  }
  Expressions in_balls(const Expressions& list) { return balls_.translated(r_.graph(), list); }

  void translate() {
    Expressions entries;
    for (auto& entry : mass_) entries.push_back(entry.value);
    entries = in_balls(entries);
    for (std::size_t i = 0; i < mass_.size(); ++i) mass_[i].value = entries[i];
    force_ = in_balls(force_);
    constraints_ = in_balls(r_.constraints), nonholonomic_ = in_balls(r_.nonholonomic_constraints);
    rates_ = in_balls(r_.rates);
    for (const auto& entry : r_.rates_mass.entries())
      rates_mass_.push_back({entry.row, entry.column, in_balls({entry.value})[0]});
  }

  // Values of expressions at the start.
  std::vector<double> at_start(const Expressions& list) {
    std::vector<Output> outputs;
    for (std::size_t i = 0; i < list.size(); ++i) outputs.push_back({list[i], 0, static_cast<int>(i)});
    const auto program = make_interpreter<double>(make_tape(balls_.graph(), outputs));
    const std::vector<double> zeros(x_.size());
    std::vector<double> values(list.size()), work(program->work_size());
    const double* inputs[] = {&start_t_, start_values_.data(), zeros.data(), balls_.constant_values().data()};
    double* results[] = {values.data()};
    program->run(inputs, results, work.data());
    return values;
  }
  Matrix<double> at_start(const SparseExpressions& A) {
    Expressions list;
    for (const auto& entry : A.entries) list.push_back(entry.value);
    const std::vector<double> values = at_start(list);
    Matrix<double> result = Matrix<double>::Zero(static_cast<Index>(A.rows), static_cast<Index>(A.columns));
    for (std::size_t i = 0; i < values.size(); ++i) result(A.entries[i].row, A.entries[i].column) = values[i];
    return result;
  }

  void build_mechanism() {
    const Expressions q = part(x_, 0, n_), v = part(x_, n_, n_), s = part(x_, 2 * n_, differential_);
    const std::size_t holonomic = constraints_.size(), all = holonomic + nonholonomic_.size();
    SparseExpressions J = jacobian(joined(constraints_, Expressions(nonholonomic_.size())), q);
    SparseExpressions G_v = jacobian(joined(Expressions(holonomic), nonholonomic_), v);
    const SparseExpressions C_q = J;
    J.entries.insert(J.entries.end(), G_v.entries.begin(), G_v.entries.end());
    J.rows = all, J.columns = n_;
    const Matrix<double> values = at_start(J);
    result_.independent = full_pivots(values, 1e-9).rows, result_.constraints = all;
    result_.equations["independent"] = result_.independent;
    std::vector<int> place(all, -1);  // among independent rows
    for (std::size_t i = 0; i < result_.independent.size(); ++i)
      place[static_cast<std::size_t>(result_.independent[i])] = static_cast<int>(i);
    const Expressions motion = joined(q, {t_}), first = joined(v, {1});
    const Expressions levels = joined(along(constraints_, motion, first), nonholonomic_);
    const Expressions h = along(levels, joined(motion, s), joined(first, rates_));
    for (const auto& entry : mass_) {
      const int row = static_cast<int>(entry.row), column = static_cast<int>(entry.column);
      add_entry(row, column, entry.value);
      if (row != column) add_entry(column, row, entry.value);
    }
    right_ = force_;
    for (const auto& entry : J.entries) {
      const int row = place[entry.row], column = static_cast<int>(entry.column);
      if (row < 0) continue;
      add_entry(static_cast<int>(n_) + row, column, entry.value),
          add_entry(column, static_cast<int>(n_) + row, entry.value);
    }
    for (const int row : result_.independent) right_.push_back(-h[static_cast<std::size_t>(row)]);
    using Kind = EnclosureEquations::Rate::Kind;
    for (std::size_t i = 0; i < n_; ++i) rate(Kind::unknown, n_ + i);
    for (std::size_t i = 0; i < n_; ++i) rate(Kind::solved, i);
    for (const Expression& f : rates_) rate(Kind::result, 0, f);
    start_conditions(C_q, values, levels, place);
  }

  // Positions that the constraints determine, and velocities.
  void start_conditions(const SparseExpressions& C_q, const Matrix<double>& J, const Expressions& levels,
                        const std::vector<int>& place) {
    Expressions start, redundant;
    std::vector<std::string> start_names, redundant_names;
    const auto holonomic = static_cast<Index>(constraints_.size());
    const auto add = [&](const Expression& x, bool is_independent, const std::string& name) {
      (is_independent ? start : redundant).push_back(x),
          (is_independent ? start_names : redundant_names).push_back(name);
    };
    Matrix<double> positions = at_start(C_q).topRows(holonomic), velocities = J;
    for (std::size_t i = 0; i < place.size(); ++i) {
      const bool is_independent = place[i] >= 0, is_holonomic = i < constraints_.size();
      const std::string name =
          is_holonomic ? fmt::format("C{}", i + 1) : fmt::format("G{}", i + 1 - constraints_.size());
      if (is_holonomic) add(constraints_[i], is_independent, name);
      add(levels[i], is_independent, is_holonomic ? name + "'" : name);
      if (is_independent) continue;
      if (is_holonomic) positions.row(static_cast<Index>(i)).setZero();
      velocities.row(static_cast<Index>(i)).setZero();
    }
    for (const int column : full_pivots(positions, 1e-12).columns) result_.task.determined.push_back(column);
    for (const int column : full_pivots(velocities, 1e-12).columns)
      result_.task.determined.push_back(static_cast<int>(n_) + column);
    result_.task.start = conditions(start, start_names);
    result_.task.redundant = conditions(redundant, redundant_names);
    name_fixed();
  }

  void build_first_order() {
    using Kind = EnclosureEquations::Rate::Kind;
    const Expressions differential = part(x_, 0, differential_), algebraic = part(x_, differential_, algebraic_);
    const Expressions f = part(rates_, 0, differential_);
    Expressions start;
    if (!rates_mass_.empty()) {
      build_linearly_implicit(start);
    } else {
      for (const Expression& x : f) rate(Kind::result, 0, x);
      const Expressions motion = joined(differential, {t_}), first = joined(f, {1});
      Expressions determining;
      for (Expression g : part(rates_, differential_, algebraic_)) {
        for (int order = 0; jacobian(Expressions{g}, algebraic).entries.empty(); ++order) {
          if (order == 4) refuse("algebraic equations without algebraic states in four derivatives");
          start.push_back(g), g = along(Expressions{g}, motion, first)[0];
        }
        determining.push_back(g);
      }
      for (const auto& entry : jacobian(determining, algebraic).entries)
        add_entry(static_cast<int>(entry.row), static_cast<int>(entry.column), entry.value);
      for (const Expression& x : along(determining, motion, first)) right_.push_back(-x);
      for (std::size_t i = 0; i < algebraic_; ++i) rate(Kind::solved, i);
      result_.task.determining = conditions(determining, std::vector<std::string>(algebraic_, "g"));
      start = joined(start, determining);
    }
    const SparseExpressions J = jacobian(start, x_);
    Matrix<double> values = at_start(J);
    for (const int column : determined_states(values)) result_.task.determined.push_back(column);
    result_.task.start = conditions(start, std::vector<std::string>(start.size(), "g"));
    name_fixed();
  }
  // Algebraic states, and as many others as there are further conditions.
  std::vector<int> determined_states(const Matrix<double>& J) const {
    const auto rows = J.rows(), hidden = rows - static_cast<Index>(algebraic_);
    std::vector<int> columns;
    if (hidden > 0) columns = full_pivots(J.topLeftCorner(hidden, static_cast<Index>(differential_)), 1e-12).columns;
    for (std::size_t i = 0; i < algebraic_; ++i) columns.push_back(static_cast<int>(differential_ + i));
    return columns;
  }

  // M s' = f; rows without entries are differentiated.
  void build_linearly_implicit(Expressions& start) {
    using Kind = EnclosureEquations::Rate::Kind;
    std::vector<bool> has_entries(rates_.size());
    for (const auto& [row, column, value] : rates_mass_) {
      has_entries[static_cast<std::size_t>(row)] = true;
      add_entry(row, column, value);
    }
    right_ = rates_;
    for (std::size_t i = 0; i < rates_.size(); ++i) {
      rate(Kind::solved, i);
      if (has_entries[i]) continue;
      start.push_back(rates_[i]);
      for (const auto& entry : jacobian(Expressions{rates_[i]}, x_).entries)
        add_entry(static_cast<int>(i), static_cast<int>(entry.column), entry.value);
      right_[i] = -along(Expressions{rates_[i]}, Expressions{t_}, Expressions{1})[0];
    }
  }

  void add_entry(int row, int column, const Expression& value) { matrix_.push_back({row, column, value}); }
  void rate(EnclosureEquations::Rate::Kind kind, std::size_t index, const Expression& value = {}) {
    result_.task.equations.rates.push_back({kind, static_cast<int>(index)}), rate_values_.push_back(value);
  }

  void watch_events() {
    for (const RecordedEvent& recorded : r_.events) {
      if (recorded.event.consequence == Consequence::observe) continue;
      watched_.push_back(in_balls({recorded.function})[0]);
      result_.task.equations.watched.push_back({0, fmt::format("the event '{}' may take place", recorded.event.name)});
    }
  }

  // Values and derivatives along the direction, in one program.
  void build_program() {
    Expressions values = rate_values_;
    for (const auto& entry : matrix_) values.push_back(entry.value);
    values = joined(values, right_);
    const Expressions derivatives = along(values, x_, dx_);
    std::vector<EnclosureSlot> slots;
    EnclosureEquations& equations = result_.task.equations;
    equations.program = balls_.program(joined(joined(values, derivatives), watched_), slots);
    std::size_t i = 0;
    const auto at = [&](std::size_t k) { return std::pair(slots[k], slots[k + values.size()]); };
    for (auto& rate : equations.rates) std::tie(rate.value, rate.along) = at(i++);
    for (const auto& entry : matrix_) {
      const auto [value, slope] = at(i++);
      equations.matrix.push_back({entry.row, entry.column, value, slope});
    }
    for (std::size_t k = 0; k < right_.size(); ++k, ++i)
      equations.right.push_back(slots[i]), equations.along.push_back(slots[i + values.size()]);
    for (std::size_t k = 0; k < watched_.size(); ++k) equations.watched[k].value = slots[2 * values.size() + k];
  }

  EnclosureConditions conditions(const Expressions& list, std::vector<std::string> names) {
    EnclosureConditions result;
    const SparseExpressions J = jacobian(list, x_);
    Expressions all = list;
    for (const auto& entry : J.entries) all.push_back(entry.value);
    std::vector<EnclosureSlot> slots;
    result.program = balls_.program(all, slots);
    result.residuals.assign(slots.begin(), slots.begin() + static_cast<std::ptrdiff_t>(list.size()));
    for (std::size_t i = 0; i < J.entries.size(); ++i)
      result.jacobian.push_back(
          {static_cast<int>(J.entries[i].row), static_cast<int>(J.entries[i].column), slots[list.size() + i]});
    result.names = std::move(names);
    return result;
  }

  void name_fixed() {
    if (result_.task.determined.size() != result_.task.start.residuals.size())
      refuse("a start where the constraints do not determine as many values as there are equations");
    std::ranges::sort(result_.task.determined);
    for (std::size_t i = 0; i < x_.size(); ++i)
      if (!std::ranges::binary_search(result_.task.determined, static_cast<int>(i)))
        result_.fixed.push_back(result_.task.names[i]);
  }

  Forms forms_;
  const Recording& r_;
  const StartValues& start_;
  std::size_t n_ = 0, differential_ = 0, algebraic_ = 0;
  std::vector<double> start_values_;
  std::vector<std::size_t> missing_;
  double start_t_ = 0;
  BallGraph balls_;
  Expression t_;
  Expressions x_, dx_;
  std::vector<SparseExpressions::Entry> mass_;  // upper triangle
  Expressions force_, constraints_, nonholonomic_, rates_;
  std::vector<ExpressionMatrix::Entry> rates_mass_, matrix_;
  Expressions right_, rate_values_, watched_;
  EnclosedEquations result_;
};

}  // namespace

EnclosedEquations enclosed_equations(const Problem& problem, const StartValues& start) {
  require_expressions(problem, "enclose");
  return Builder(problem, start).built();
}

}  // namespace daelab
