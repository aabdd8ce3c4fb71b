#include "core/export/exported_problem.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

#include "core/export/equations.hpp"
#include "core/export/exported_frame.hpp"
#include "core/mechanism/forms.hpp"
#include "core/mechanism/recorded_model.hpp"

namespace daelab {
namespace {

int block(InputBlock of) { return static_cast<int>(of); }

// q and v, y, or more inputs of a function.
using Argument = CodeFunction::Argument;
using Arguments = std::vector<Argument>;

// Makes a name that every language takes of lower-case letters, digits and hyphens.
std::string identifier(std::string name) {
  std::ranges::replace(name, '-', '_');
  return std::isalpha(static_cast<unsigned char>(name.front())) ? name : "problem_" + name;
}

class Exporter {
 public:
  Exporter(const Problem& problem, Language language)
      : problem_(problem), forms_(problem.recorded()->mode(problem.start_mode())), language_(language) {
    const Recording& r = forms_.recording();
    if (!r.missing_starts.empty()) throw InputError(r.missing_starts.front().cause);
    if (forms_.facts().is_mechanical && forms_.facts().differential_states > 0)
      throw InputError("--equations",
                       fmt::format("{} has first-order states beside its coordinates, which code of other "
                                   "languages does not hold yet",
                                   problem.name()));
    if (!r.groups.empty())
      throw InputError("--equations", fmt::format("{} has rotations as states, whose bases a run moves: they are no "
                                                  "function of time and state",
                                                  problem.name()));
    if (!r.held.empty())
      throw InputError("--equations", fmt::format("{} has a sampled controller, which is no function of time and state",
                                                  problem.name()));
  }

  std::string functions() {
    if (!forms_.facts().is_mechanical) return ordinary_functions();
    const int n = forms_.facts().coordinates, m = forms_.facts().constraints;
    const Argument multipliers{is_python(language_) ? "lam" : "lambda", block(InputBlock::lambda),
                               forms_.facts().multipliers};
    const Arguments state{
        {"t", block(InputBlock::time), 0}, {"q", block(InputBlock::q), n}, {"v", block(InputBlock::v), n}};
    Arguments all = state;
    all.push_back({"a", block(InputBlock::a), n}), all.push_back(multipliers);
    std::string text = forms_.facts().has_linear_equations ? linear_equations(state) : nonlinear_equations(all);
    FormParts levels{level(Level::position), level(Level::velocity)};
    text += function("constraints", "C = 0 and its derivative by time; of nonholonomic ones both are G", state,
                     {{"C", m, 0}, {"D", m, 0}}, levels);
    text += function("linearization", "derivatives of M a + J^T lambda - Q by q and by v", all,
                     {{"K", n, n}, {"D", n, n}}, forms_.parts({FormKind::motion_jacobians}));
    const auto acceleration = static_cast<int>(Level::acceleration);
    Arguments motion = state;
    motion.push_back(all[3]);
    text += function("row_derivatives", "derivatives of J a + h by q and by v", motion, {{"R_q", m, n}, {"R_v", m, n}},
                     {forms_.parts({FormKind::level_q, acceleration})[0],
                      forms_.parts({FormKind::acceleration_level_v, acceleration})[0]});
    if (has_energy())
      text +=
          function("energy", "kinetic and potential energy", state, {{"E", 2, 0}}, forms_.parts({FormKind::energy}));
    Arguments observed = state;
    if (multipliers.size > 0) observed.push_back(multipliers);
    return text + observables(observed);
  }

  ExportedFrame frame() const {
    const Recording& r = forms_.recording();
    ExportedFrame frame;
    frame.name = identifier(problem_.name());
    frame.is_mechanism = forms_.facts().is_mechanical, frame.is_linearly_implicit = forms_.facts().is_linearly_implicit;
    frame.n = frame.is_mechanism ? forms_.facts().coordinates : forms_.facts().states,
    frame.m = forms_.facts().constraints;
    frame.algebraic = forms_.facts().algebraic_states;
    const Expressions none;
    for (const Expressions* part : {&r.start_q, &r.start_v, frame.is_mechanism ? &none : &r.start_s})
      for (const Expression& x : *part) frame.start.push_back(literal(forms_.value(x), language_));
    if (!forms_.facts().has_linear_equations) {
      frame.start_multipliers.assign(static_cast<std::size_t>(forms_.facts().constraints), literal(0, language_));
      for (const Expression& x : r.start_s) frame.start_multipliers.push_back(literal(forms_.value(x), language_));
    }
    frame.t_start = literal(problem_.start_time(), language_);
    frame.t_end = literal(problem_.end_time().value(), language_);
    frame.names = frame.is_mechanism ? r.coordinate_names : r.state_names;
    if (frame.is_mechanism) frame.algebraic_names = r.state_names;
    frame.observable_names = r.observable_names;
    frame.leaves_out_events = !r.events.empty();
    if (!frame.is_mechanism && forms_.facts().index > 0) frame.remarks.push_back(index_text(forms_) + ".");
    return frame;
  }

 private:
  bool has_energy() const {
    const Recording& r = forms_.recording();
    return r.kinetic_energy.has_value();
  }

  FormPart level(Level at) {
    if (at != Level::position) return forms_.parts({FormKind::level, static_cast<int>(at)})[0];
    FormPart rows = forms_.parts({FormKind::residual, static_cast<int>(Level::position)})[1];
    std::erase_if(rows.entries, [&](const auto& entry) {  // algebraic equations
      return entry.row >= static_cast<std::uint32_t>(forms_.facts().constraints);
    });
    return rows;
  }

  std::string linear_equations(const Arguments& state) {
    const int n = forms_.facts().coordinates, m = forms_.facts().constraints;
    const bool one_case = language_ == Language::fortran;  // which reads q and Q as one name
    return function("model", "M a + J^T lambda = Q, J a + h = 0", state,
                    {{one_case ? "mass" : "M", n, n}, {one_case ? "force" : "Q", n, 0}, {"J", m, n}, {"h", m, 0}},
                    forms_.parts({FormKind::data}));
  }

  // What determines a, lambda and z, and its derivative by them.
  std::string nonlinear_equations(const Arguments& all) {
    const int n = forms_.facts().coordinates, l = forms_.facts().multipliers;
    const FormKey residual{FormKind::residual, static_cast<int>(Level::acceleration)};
    return function("equations", "M a + J^T lambda - Q, and J a + h with the algebraic equations below", all,
                    {{"balance", n, 0}, {"rows", l, 0}}, forms_.parts(residual)) +
           function("equations_jacobian", "their derivative by (a, lambda)", all, {{"matrix", n + l, n + l}},
                    {saddle_point()});
  }

  // [ M  J^T - Q_lambda; J  0; 0  g_lambda ], lambda with the algebraic states.
  FormPart saddle_point() {
    const FormParts blocks = forms_.parts({FormKind::blocks, static_cast<int>(Level::acceleration)});
    const auto n = static_cast<std::uint32_t>(forms_.facts().coordinates),
               m = static_cast<std::uint32_t>(forms_.facts().constraints);
    std::map<std::pair<std::uint32_t, std::uint32_t>, Expression> sums;
    return forms_.derive([&](const Recording&) {
      const FormPart &M = blocks[0], &J = blocks[3], &R_a = blocks[6], &Q_mu = blocks[7], &g_mu = blocks[10];
      for (const auto& x : M.entries) sums[{x.row, x.column}] += x.value;
      for (const auto& x : J.entries) sums[{x.column, n + x.row}] += x.value;
      for (const auto& x : Q_mu.entries) sums[{x.row, n + x.column}] += x.value;
      for (const auto& x : R_a.entries) sums[{n + x.row, x.column}] += x.value;
      for (const auto& x : g_mu.entries) sums[{n + m + x.row, n + x.column}] += x.value;
      FormPart part;
      for (const auto& [place, value] : sums) part.entries.push_back({place.first, place.second, value});
      return part;
    });
  }

  std::string observables(const Arguments& arguments) {
    const int count = static_cast<int>(forms_.recording().observables.size());
    if (count == 0) return "";
    return function("observables", fmt::format("{}", fmt::join(forms_.recording().observable_names, ", ")), arguments,
                    {{"values", count, 0}}, forms_.parts({FormKind::observables}));
  }

  std::string ordinary_functions() {
    const int k = forms_.facts().states;
    const Arguments state{{"t", block(InputBlock::time), 0}, {"y", block(InputBlock::s), k}};
    const bool is_implicit = forms_.facts().is_linearly_implicit;
    const char* const meaning = is_implicit ? "f of M y' = f" : "f: y' of differential states, 0 of algebraic ones";
    return (is_implicit
                ? function("mass", "M of M y' = f", state, {{"matrix", k, k}}, forms_.parts({FormKind::rates_mass}))
                : "") +
           function("rates", meaning, state, {{"f", k, 0}}, forms_.parts({FormKind::rates})) +
           function("jacobian", "its derivative by y", state, {{"J", k, k}}, forms_.parts({FormKind::rates_s})) +
           observables(state);
  }

  std::string function(const std::string& name, const std::string& comment, const Arguments& arguments,
                       std::vector<CodeFunction::Result> results, const FormParts& parts) {
    CodeFunction code{name, comment, arguments, std::move(results), {}};
    for (std::size_t k = 0; k < parts.size(); ++k)
      for (const SparseExpressions::Entry& entry : parts[k].entries)
        code.entries.push_back(
            {static_cast<int>(k), static_cast<int>(entry.row), static_cast<int>(entry.column), entry.value});
    if (forms_.facts().is_mechanical && forms_.facts().algebraic_states > 0) put_behind_multipliers(code);
    return code_of(forms_.recording().graph(), code, language_);
  }

  // Code has the algebraic states of mechanisms behind the multipliers, as systems have them.
  void put_behind_multipliers(CodeFunction& code) {
    forms_.derive([&](const Recording& r) {
      Expressions places, values;
      for (int i = 0; i < forms_.facts().algebraic_states; ++i)
        places.push_back(r.graph().input(block(InputBlock::lambda), forms_.facts().constraints + i,
                                         r.state_names[static_cast<std::size_t>(i)]));
      for (const CodeEntry& entry : code.entries) values.push_back(entry.value);
      values = substitute(values, r.s, places);
      for (std::size_t k = 0; k < values.size(); ++k) code.entries[k].value = values[k];
    });
  }

  const Problem& problem_;
  Forms& forms_;
  Language language_;
};

}  // namespace

std::string exported_problem(const Problem& problem, Language language,
                             const std::optional<ExportedReference>& reference, const std::string& heading,
                             const Vector<double>& start) {
  require_expressions(problem, "export");
  Exporter exporter(problem, language);
  const std::string functions = exporter.functions();
  ExportedFrame frame = exporter.frame();
  frame.heading = heading;
  if (start.size() > 0) {
    frame.start.clear();
    for (const double x : start) frame.start.push_back(literal(Real100(x), language));
    frame.remarks.push_back("The start is that of runs: states that the equations determine are moved onto them.");
  }
  if (reference) {
    frame.known = reference->known;
    for (const Real50& x : reference->y) frame.reference.push_back(literal(Real100(x), language));
  }
  return framed(frame, functions, language);
}

}  // namespace daelab
