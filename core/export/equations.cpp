#include "core/export/equations.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/export/latex_lines.hpp"
#include "core/expressions/latex.hpp"
#include "core/mechanism/forms.hpp"
#include "core/mechanism/recorded_model.hpp"

namespace daelab {
namespace {

// Digits of a formula that people look at; text is read back, so it has all digits.
constexpr int shown_digits = 17;

// Collects left sides and expressions, prints all expressions together, and hands the texts back in their groups.
class EquationWriter {
 public:
  /// index: what is said of it; "": nothing.
  EquationWriter(const Recording& recording, Notation notation, std::string index)
      : r_(recording), notation_(notation), index_(std::move(index)) {}

  std::vector<EquationGroup> written() {
    add_energies();
    add_mass_and_forces();
    add_constraints();
    add_rates();
    add_sampled();
    add_charts();
    add_events();
    add_observables();
    add_start();
    return with_texts();
  }

 private:
  bool is_latex() const { return notation_ == Notation::latex; }
  std::string shown(const std::string& name) const { return is_latex() ? latex_name(name) : name; }
  std::string quoted(const std::string& name) const { return is_latex() ? "\\text{" + name + "}" : name; }
  std::string indexed(const std::string& letter, int i, int j) const {
    return is_latex() ? fmt::format("{}_{{{},{}}}", letter, i + 1, j + 1)
                      : fmt::format("{}[{},{}]", letter, i + 1, j + 1);
  }

  void group(const std::string& title) { groups_.push_back({title, {}}); }
  void add(const std::string& left, const Expression& right) {
    groups_.back().equations.push_back({left, ""});
    expressions_.push_back(right);
  }

  void add_energies() {
    if (!r_.kinetic_energy) return;
    group("Energies");
    add("T", *r_.kinetic_energy);
    add("V", r_.potential_energy.value_or(Expression()));
  }
  void add_mass_and_forces() {
    if (r_.q.empty()) return;
    if (!r_.mass.empty()) {
      group("Mass matrix, upper triangle without zeros");
      for (const auto& [i, j, entry] : r_.mass.entries())
        if (i <= j) add(indexed("M", i, j), entry);
    }
    if (std::ranges::all_of(r_.force, &Expression::is_zero)) return;
    group(r_.mass.empty() ? "Forces beside those of the energies" : "Forces");
    for (std::size_t i = 0; i < r_.force.size(); ++i)
      if (!r_.force[i].is_zero())
        add(is_latex() ? fmt::format("Q_{{{}}}", latex_name(r_.coordinate_names[i]))
                       : "Q[" + r_.coordinate_names[i] + "]",
            r_.force[i]);
  }
  void add_constraints() {
    if (!r_.constraints.empty()) group("Constraints, 0 = C");
    for (std::size_t i = 0; i < r_.constraints.size(); ++i) add(shown("C" + std::to_string(i + 1)), r_.constraints[i]);
    if (!r_.nonholonomic_constraints.empty()) group("Nonholonomic constraints, 0 = G");
    for (std::size_t i = 0; i < r_.nonholonomic_constraints.size(); ++i)
      add(shown("G" + std::to_string(i + 1)), r_.nonholonomic_constraints[i]);
  }
  void add_rates() {
    const std::size_t differential = r_.s.size() - static_cast<std::size_t>(r_.algebraic_states);
    const bool is_implicit = !r_.rates_mass.empty();
    if (is_implicit) group("Matrix of the rates, M y' = f, without zeros" + index_);
    for (const auto& [i, j, entry] : r_.rates_mass.entries()) add(indexed("M", i, j), entry);
    if (differential > 0) group(is_implicit ? "Right sides" : "Rates");
    for (std::size_t i = 0; i < differential; ++i)
      add(is_implicit ? right_side(i) : shown(r_.state_names[i] + "'"), r_.rates[i]);
    if (r_.algebraic_states > 0) group("Algebraic equations" + index_);
    for (std::size_t i = differential; i < r_.s.size(); ++i) add("0", r_.rates[i]);
  }
  std::string right_side(std::size_t i) const {
    return is_latex() ? fmt::format("f_{{{}}}", latex_name(r_.state_names[i])) : "f[" + r_.state_names[i] + "]";
  }
  void add_sampled() {
    if (r_.sampling_period.is_zero()) return;
    group("Sampled");
    add(quoted("period"), r_.sampling_period);
    for (std::size_t i = 0; i < r_.held.size(); ++i)
      if (!same(r_.held[i], r_.sampled[i])) add(shown(r_.held_names[i]), r_.sampled[i]);
  }
  void add_charts() {
    for (std::size_t k = 0; k < r_.to_chart.size(); ++k) {
      if (r_.charts < 2) return;
      group("Coordinates of chart " + std::to_string(k));
      for (std::size_t i = 0; i < r_.to_chart[k].size(); ++i)
        add(shown("r" + std::to_string(i + 1)), r_.to_chart[k][i]);
    }
  }
  void add_events() {
    for (const RecordedEvent& recorded : r_.events) {
      const Event& event = recorded.event;
      group("Event " + event.name + ": " + sentence(event));
      add(is_latex() ? "g" : "function", recorded.function);
      add_changes(r_.coordinate_names, "", r_.q, recorded.after.q);
      add_changes(r_.coordinate_names, "'", r_.v, recorded.after.v);
      add_changes(r_.state_names, "", r_.s, recorded.after.s);
      add_changes(r_.held_names, "", r_.held, recorded.after.held);
      if (!same(recorded.after.mode, Expression(r_.mode))) add(quoted("mode after"), recorded.after.mode);
    }
  }
  static std::string sentence(const Event& event) {
    const char* crossing = event.crossing == Crossing::falling  ? "falls to zero"
                           : event.crossing == Crossing::rising ? "rises to zero"
                                                                : "crosses zero";
    const char* consequence = event.consequence == Consequence::observe  ? "observed"
                              : event.consequence == Consequence::stop   ? "stop"
                              : event.consequence == Consequence::jump   ? "jump"
                              : event.consequence == Consequence::impact ? "impact"
                                                                         : "next chart";
    return fmt::format("its function {}, {}", crossing, consequence);
  }
  void add_changes(const std::vector<std::string>& names, const char* mark, const Expressions& before,
                   const Expressions& after) {
    for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i)
      if (!same(before[i], after[i])) add(shown(names[i] + mark) + (is_latex() ? "^{+}" : " after"), after[i]);
  }
  void add_observables() {
    if (!r_.observables.empty()) group("Observables");
    for (std::size_t i = 0; i < r_.observables.size(); ++i)
      add(is_latex() ? latex_name(r_.observable_names[i]) : r_.observable_names[i], r_.observables[i]);
  }
  void add_start() {
    group("Start");
    if (!r_.start_t.is_zero()) add("t", r_.start_t);
    add_values(r_.coordinate_names, "", r_.start_q);
    add_values(r_.coordinate_names, "'", r_.start_v);
    add_values(r_.state_names, "", r_.start_s);
    add_values(r_.held_names, "", r_.start_held);
  }
  void add_values(const std::vector<std::string>& names, const char* mark, const Expressions& values) {
    for (std::size_t i = 0; i < std::min(names.size(), values.size()); ++i) add(shown(names[i] + mark), values[i]);
  }

  std::vector<EquationGroup> with_texts() {
    const PrintedExpressions printed =
        print(r_.graph(), expressions_,
              {.notation = notation_, .digits = is_latex() ? shown_digits : 0, .operations_inline = 12});
    std::vector<EquationGroup> result;
    if (!printed.definitions.empty()) {
      result.push_back({"Abbreviations", {}});
      for (const auto& [name, text] : printed.definitions) result.back().equations.push_back({name, text});
    }
    std::size_t next = 0;
    for (EquationGroup& group : groups_) {
      for (Equation& equation : group.equations) equation.right = printed.expressions[next++];
      result.push_back(std::move(group));
    }
    return result;
  }

  const Recording& r_;
  Notation notation_;
  std::string index_;
  std::vector<EquationGroup> groups_;
  Expressions expressions_;
};

// Lines of an align* environment that fit in the 345 pt of a page of the class article, whose digits have 5 pt.
std::string latex_equation(const Equation& equation) {
  constexpr double line = 62, indent = 2;
  const std::vector<std::string> lines =
      latex_lines(equation.right, line - latex_width(equation.left), line - indent - latex_width(equation.left));
  return fmt::format("  {} &= {}", equation.left, fmt::join(lines, " \\\\\n    &\\quad {} "));
}

}  // namespace

std::string index_text(const Forms& forms) {
  return fmt::format("Index {}, by the equations of {}", forms.facts().index,
                     forms.first_order()->algebraic_equations());
}

std::vector<EquationGroup> equations_of(const Problem& problem, Notation notation) {
  return equations_of(problem, notation, problem.recorder());
}

std::vector<EquationGroup> equations_of(const Problem& problem, Notation notation,
                                        const std::function<void(Recording&)>& recorder) {
  require_expressions(problem, "write");
  const Forms& forms = problem.recorded()->mode(problem.start_mode());
  if (const auto& missing = forms.recording().missing_starts; !missing.empty()) throw InputError(missing.front().cause);
  std::string index = forms.facts().is_mechanical || forms.facts().index == 0 ? "" : index_text(forms);
  if (!index.empty()) index.front() = 'i', index = "; " + index;
  Graph graph;
  const RecordingScope scope(graph);
  Recording recording(graph, problem.start_mode());
  recorder(recording);
  return EquationWriter(recording, notation, std::move(index)).written();
}

std::string page_of(const std::vector<EquationGroup>& groups, Notation notation) {
  std::string page;
  for (const EquationGroup& group : groups) {
    if (!page.empty()) page += "\n";
    if (notation == Notation::text) {
      page += group.title + "\n";
      for (const auto& [left, right] : group.equations) page += fmt::format("  {} = {}\n", left, right);
      continue;
    }
    page += "% " + group.title + "\n\\begin{align*}\n";
    for (std::size_t i = 0; i < group.equations.size(); ++i)
      page += latex_equation(group.equations[i]) + (i + 1 < group.equations.size() ? " \\\\\n" : "\n");
    page += "\\end{align*}\n";
  }
  return page;
}

std::vector<std::string> constraint_texts(const Problem& problem) {
  Graph graph;
  const RecordingScope scope(graph);
  Recording recording(graph, problem.start_mode());
  problem.recorder()(recording);
  std::vector<std::string> texts;
  for (const Expressions* list : {&recording.constraints, &recording.nonholonomic_constraints})
    for (const Expression& x : *list) texts.push_back(text_of(graph, x, {.digits = 6}));
  return texts;
}

}  // namespace daelab
