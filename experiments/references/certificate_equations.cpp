#include "experiments/references/certificate_equations.hpp"

#include "core/expressions/text.hpp"

namespace daelab {

Json certificate_equations(const Recording& r, const std::vector<SparseExpressions::Entry>& mass,
                           const Expressions& force) {
  Expressions all;
  for (const auto& entry : mass) all.push_back(entry.value);
  for (const Expressions* list : {&force, &r.constraints, &r.nonholonomic_constraints, &r.rates})
    all.insert(all.end(), list->begin(), list->end());
  for (const auto& entry : r.rates_mass.entries()) all.push_back(entry.value);
  const PrintedExpressions printed = print(r.graph(), all);
  auto next = printed.expressions.begin();
  const auto take = [&](std::size_t count) {
    Json list = Json::array();
    for (std::size_t i = 0; i < count; ++i) list.push_back(*next++);
    return list;
  };
  Json json = {{"kind", r.q.empty() ? "first-order" : "mechanism"},
               {"t", "t"},
               {"coordinates", r.coordinate_names},
               {"states", r.state_names},
               {"algebraic", r.algebraic_states},
               {"definitions", Json::array()},
               {"mass", Json::array()}};
  for (const auto& [name, text] : printed.definitions) json["definitions"].push_back({name, text});
  for (const auto& entry : mass) json["mass"].push_back({entry.row, entry.column, *next++});
  json["forces"] = take(force.size());
  json["constraints"] = take(r.constraints.size());
  json["nonholonomic"] = take(r.nonholonomic_constraints.size());
  json["independent"] = Json::array();
  json["rates"] = take(r.s.size());
  if (!r.rates_mass.empty()) {
    json["rates_mass"] = Json::array();
    for (const auto& entry : r.rates_mass.entries()) json["rates_mass"].push_back({entry.row, entry.column, *next++});
  }
  json["multipliers"] = Json::array();
  return json;
}

}  // namespace daelab
