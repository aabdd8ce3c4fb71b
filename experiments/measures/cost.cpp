#include "experiments/measures/cost.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/exact.hpp"

namespace daelab {
namespace {

double count(const Json& record, const char* key) { return record["stats"][key].get<double>(); }

template <const char* key>
double statistic(const Json& record) {
  return count(record, key);
}

double evaluations(const Json& record) {
  std::size_t states = 0;
  for (const char* kind : {"q", "v", "y"}) states += record.value(kind, Json::array()).size();
  return count(record, "residuals") + static_cast<double>(states) * count(record, "jacobians");
}

constexpr char steps[] = "steps", rejected[] = "rejected", residuals[] = "residuals", jacobians[] = "jacobians",
               factorizations[] = "factorizations", back_solves[] = "back_solves", iterations[] = "newton_iterations",
               seconds[] = "cpu_seconds";

}  // namespace

const std::vector<Cost>& all_costs() {
  static const std::vector<Cost> list{{"steps", "steps", statistic<steps>},
                                      {"rejected", "rejected attempts", statistic<rejected>},
                                      {"residuals", "residuals", statistic<residuals>},
                                      {"jacobians", "Jacobians", statistic<jacobians>},
                                      {"factorizations", "factorisations", statistic<factorizations>},
                                      {"back_solves", "back solves", statistic<back_solves>},
                                      {"newton_iterations", "Newton iterations", statistic<iterations>},
                                      {"evaluations", "evaluations", evaluations},
                                      {"seconds", "CPU time [s]", statistic<seconds>}};
  return list;
}

const Cost& cost_by_name(const std::string& name, const std::string& where) {
  const auto place =
      std::find_if(all_costs().begin(), all_costs().end(), [&](const Cost& cost) { return name == cost.name; });
  if (place == all_costs().end())
    throw InputError(where, fmt::format("no cost '{}'; there are: {}", name, cost_names()));
  return *place;
}

std::string cost_names() {
  std::string text;
  for (const Cost& cost : all_costs()) text += (text.empty() ? "" : ", ") + std::string(cost.name);
  return text;
}

}  // namespace daelab
