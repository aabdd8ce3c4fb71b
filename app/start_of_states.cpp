#include "app/start_of_states.hpp"

#include <fmt/format.h>

#include "app/run_arguments.hpp"
#include "app/terminal.hpp"
#include "core/base/norm.hpp"
#include "core/equations/linearly_implicit_system.hpp"
#include "core/mechanism/state_names.hpp"
#include "core/start/consistent_start.hpp"
#include "core/start/hidden_constraints.hpp"
#include "core/start/over_determined.hpp"

namespace daelab::app {
namespace {

struct StartOfStates {
  Vector<double> y, ydot;
  Vector<double> residuals;  // of hidden constraints, by the values given
  bool projected = false;
  double correction = 0;  // the largest change by the projection
  Status status;
};

StartOfStates analysed(OrdinaryModel<double>& model, const StartValues& values) {
  StartOfStates start;
  values.put_into<double>(model);
  start.y = model.initial_y(), start.ydot.setZero(start.y.size());
  start.residuals = hidden_residuals(model, start.y);
  if (!(max_norm(start.residuals) <= StartReport::consistency_tolerance)) {
    const Vector<double> given = start.y;
    start.status = project_onto_hidden_constraints(model, start.y, values.weights_of_states<double>(start.y.size()));
    start.projected = start.status.ok();
    if (const std::string text = over_determined(model, values, given, start.y); start.projected && !text.empty())
      throw InputError(option_name("fix"), text);
    start.correction = max_norm(Vector<double>(start.y - given));
  }
  if (start.status.ok())
    start.status =
        make_ordinary_system(model, model.index())->consistent_derivatives(model.initial_t(), start.y, start.ydot);
  return start;
}

Json start_json(const Problem& problem, const OrdinaryModel<double>& model, const StartOfStates& start) {
  const auto list = [](const Vector<double>& x) { return Json(std::vector<double>(x.begin(), x.end())); };
  Json hidden = Json::array();
  for (Index i = 0; i < start.residuals.size(); ++i)
    hidden.push_back({{"constraint", model.hidden_constraint(i)}, {"residual", std::abs(start.residuals[i])}});
  return {{"problem", problem.spec()},    {"status", to_string(start.status.code)},
          {"cause", start.status.cause},  {"t", model.initial_t()},
          {"index", model.index()},       {"hidden_constraints", hidden},
          {"projected", start.projected}, {"correction", start.correction},
          {"y", list(start.y)},           {"ydot", start.status.ok() ? list(start.ydot) : Json()}};
}

void print(const Problem& problem, const OrdinaryModel<double>& model, const StartOfStates& start) {
  const auto line = [](const std::string& what, const std::string& text) {
    fmt::print("{}", entry_text(what, text, 20, terminal_width()));
  };
  print_wrapped(spec_text(problem.spec()) + (start.projected ? "; its start, projected" : "; its start"), 2);
  if (!start.status.ok())
    line("status", fmt::format("{}: {}", tinted(Tint::bad, to_string(start.status.code)), start.status.cause));
  fmt::print("\n  {:<10} {:>17} {:>17}\n", "", "y", "y'");
  const Index differential = model.states() - model.algebraic_states();
  for (const StateEntry& entry : StateNames(problem).of('y')) {
    fmt::print("  {:<10} {:>17.10g}", entry.own.empty() ? entry.name : entry.own, start.y[entry.place]);
    if (start.status.ok() && entry.place < differential) fmt::print(" {:>17.10g}", start.ydot[entry.place]);
    fmt::print("\n");
  }
  fmt::print("\n");
  line("index", std::to_string(model.index()));
  for (Index i = 0; i < start.residuals.size(); ++i)
    line(i == 0 ? "residuals, as given" : "",
         fmt::format("{:.3g} of {}", std::abs(start.residuals[i]), model.hidden_constraint(i)));
  if (start.projected) line("largest correction", fmt::format("{:.6g}", start.correction));
}

}  // namespace

int start_of_states(const Problem& problem, OrdinaryModel<double>& model, const StartValues& values, bool json) {
  const StartOfStates start = analysed(model, values);
  if (json)
    fmt::print("{}\n", start_json(problem, model, start).dump(2));
  else
    print(problem, model, start);
  return start.status.ok() ? 0 : 1;
}

}  // namespace daelab::app
