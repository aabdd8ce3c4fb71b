#include "lab/runs/component.hpp"

#include <fmt/format.h>

#include <optional>
#include <regex>

#include "core/mechanism/problem.hpp"

namespace daelab {
namespace {

std::optional<ComponentName> parse(const std::string& text) {
  static const std::regex form("(q|v|a|lambda|y)([1-9][0-9]{0,8})?");
  std::smatch parts;
  if (!std::regex_match(text, parts, form)) return {};
  return ComponentName{parts[1], parts[2].matched ? std::stol(parts[2]) - 1 : -1};
}

void check_place(const std::string& text, const ComponentName& name, Model<double>& model, const std::string& where) {
  const MechanicalModel<double>* const mechanism = model.mechanical();
  const bool is_ode = mechanism == nullptr;
  const Index states = is_ode ? model.ordinary()->states() : mechanism->integrated_states();
  if (name.kind == "y" ? states == 0 : is_ode)
    throw InputError(where, fmt::format("there is no {}: {}", text,
                                        is_ode ? "the state of an ordinary differential equation is y"
                                               : "the state of a mechanism is q, v, a and lambda"));
  const Index size = name.kind == "y"        ? states
                     : name.kind == "lambda" ? mechanism->multipliers()
                                             : mechanism->coordinates() - states;
  if (name.place >= size)
    throw InputError(where, fmt::format("there is no {}: {} has {} components", text, name.kind, size));
}

}  // namespace

const std::vector<std::string>& common_classes(const Config& config, const std::string& where) {
  const std::vector<std::string>& classes = integration(config, 0).classes();
  for (std::size_t i = 1; i < config.runs.size(); ++i)
    if (integration(config, i).classes() != classes)
      throw InputError(where,
                       "ordinary differential equations (y), mechanisms (q, v, a, lambda) and mechanisms with "
                       "first-order states (y beside them) have no errors in common: put them in two configs");
  return classes;
}

ComponentName component_or_class(const std::string& text, const std::string& where) {
  if (const auto name = parse(text)) return *name;
  throw InputError(
      where,
      fmt::format("'{}' is not a component; allowed: q, v, a, lambda, y, or one of them with a number, such as q3",
                  text));
}

std::string class_tex(const std::string& kind) { return kind == "lambda" ? "$\\lambda$" : fmt::format("${}$", kind); }

ComponentName component_name(const std::string& text, const std::string& where) {
  if (const auto name = parse(text); name && name->place >= 0) return *name;
  throw InputError(where,
                   fmt::format("'{}' is not a component; write q, v, a, lambda or y and a number, such as q3", text));
}

void check_component(const std::string& text, Model<double>& model, const std::string& where) {
  check_place(text, component_name(text, where), model, where);
}

void check_components(const std::vector<std::string>& components, const Run& run, const std::string& where) {
  if (components.empty()) throw InputError(where, "names no component");
  const auto model = run.problem().model(As<double>{});
  for (const std::string& text : components) check_place(text, component_or_class(text, where), *model, where);
}

}  // namespace daelab
