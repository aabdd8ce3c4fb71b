#include "experiments/measures/cost.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/options.hpp"

namespace daelab {
namespace {

template <long Statistics::*member>
double statistic(const RunRecord& record) {
  return static_cast<double>(record.stats.*member);
}

double evaluations(const RunRecord& record) {
  const StateRecord& state = record.state;
  const Index states = state.q.size() + state.v.size() + state.y.size();
  return static_cast<double>(record.stats.residuals) +
         static_cast<double>(states) * static_cast<double>(record.stats.jacobians);
}

double seconds(const RunRecord& record) { return record.stats.seconds(); }

}  // namespace

const std::vector<Cost>& all_costs() {
  static const std::vector<Cost> list{
      {"steps", "steps", statistic<&Statistics::steps>},
      {"rejected", "rejected attempts", statistic<&Statistics::rejected>},
      {"residuals", "residuals", statistic<&Statistics::residuals>},
      {"jacobians", "Jacobians", statistic<&Statistics::jacobians>},
      {"factorizations", "factorisations", statistic<&Statistics::factorizations>},
      {"back_solves", "back solves", statistic<&Statistics::back_solves>},
      {"newton_iterations", "Newton iterations", statistic<&Statistics::newton_iterations>},
      {"evaluations", "evaluations", evaluations},
      {"seconds", "time [s]", seconds, true}};
  return list;
}

const Cost& cost_by_name(const std::string& name, const std::string& where) {
  const auto place =
      std::find_if(all_costs().begin(), all_costs().end(), [&](const Cost& cost) { return name == cost.name; });
  if (place == all_costs().end())
    throw InputError(where, fmt::format("no cost '{}'; there are: {}", name, cost_names()));
  return *place;
}

std::string cost_label(const Cost& cost, const RunTimes& times) {
  return cost.is_time ? times.axis_label() : cost.label;
}

std::string cost_names() {
  std::string text;
  for (const Cost& cost : all_costs()) text += (text.empty() ? "" : ", ") + std::string(cost.name);
  return text;
}

}  // namespace daelab
