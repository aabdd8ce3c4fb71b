#include "core/equations/formulation.hpp"

namespace daelab {
namespace {

// Formulations, with their default options, whose traits satisfy `fits`.
std::vector<std::string> names_of(auto&& fits) {
  const auto& registry = Registry<Formulation>::instance();
  std::vector<std::string> names;
  for (const std::string& name : registry.names())
    if (fits(registry.make(name, "")->traits())) names.push_back(name);
  return names;
}

std::string the_only_one(const std::vector<std::string>& names) {
  if (names.size() != 1)
    throw std::logic_error(fmt::format("one standard formulation is needed for each level, not: {}",
                                       names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
  return names.front();
}

}  // namespace

std::string standard_formulation(Level level) {
  return the_only_one(names_of([&](const FormulationTraits& t) { return t.standard && t.imposes_only(level); }));
}

std::string standard_ordinary_formulation() {
  return the_only_one(names_of([](const FormulationTraits& t) { return t.standard && !t.of_mechanisms; }));
}

std::vector<std::string> mechanical_formulations() {
  return names_of([](const FormulationTraits& t) { return t.of_mechanisms; });
}

std::vector<std::string> nonlinear_formulations() {
  return names_of([](const FormulationTraits& t) { return t.of_mechanisms && !t.needs_linear_equations; });
}

std::vector<std::string> state_space_formulations() {
  return names_of([](const FormulationTraits& t) { return t.of_mechanisms && t.state_space; });
}

}  // namespace daelab
