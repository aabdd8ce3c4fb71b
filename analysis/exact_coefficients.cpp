#include "analysis/exact_coefficients.hpp"

#include <algorithm>

#include "core/base/exact.hpp"

namespace daelab {
namespace {

// A rounded coefficient as its decimals: the fraction that they are says nothing, unless it is a short one.
std::string coefficient_text(const Real100& x, int digits) {
  std::string text = exact_text(x);
  return digits == 0 || static_cast<int>(text.size()) < digits ? text : to_text(x, digits);
}

ExactCoefficients::Rows exact_rows(const Matrix<Real100>& values, int digits) {
  ExactCoefficients::Rows rows(static_cast<std::size_t>(values.rows()));
  for (Index i = 0; i < values.rows(); ++i)
    for (Index j = 0; j < values.cols(); ++j)
      rows[static_cast<std::size_t>(i)].push_back({coefficient_text(values(i, j), digits), to_text(values(i, j), 20)});
  return rows;
}

}  // namespace

const ExactCoefficients::Rows* ExactCoefficients::find(const std::string& symbol) const {
  const auto place = std::ranges::find_if(list, [&](const auto& entry) { return entry.first == symbol; });
  return place == list.end() ? nullptr : &place->second;
}

ExactCoefficients exact_coefficients(const Method& method) {
  std::vector<Method::Coefficient> all = method.coefficients();
  const MethodForm form = method.form();
  int digits = 0;
  if (const auto* tableau = std::get_if<Tableau>(&form)) {
    digits = tableau->digits;
    all.push_back({"A", "Runge-Kutta matrix", tableau->A});
    all.push_back({"b", "Runge-Kutta weights", tableau->b});
    all.push_back({"c", "Runge-Kutta nodes", tableau->c});
  }
  ExactCoefficients coefficients;
  for (const auto& c : all) {
    const bool names_it_twice = coefficients.find(c.symbol);  // nodes of a block and of its tableau
    coefficients.list.emplace_back(names_it_twice ? c.symbol + "_runge_kutta" : c.symbol, exact_rows(c.values, digits));
  }
  return coefficients;
}

void to_json(Json& json, const ExactCoefficients& coefficients) {
  json = Json::object();
  for (const auto& [symbol, rows] : coefficients.list) json[symbol] = rows;
}

void from_json(const Json& json, ExactCoefficients& coefficients) {
  coefficients.list.clear();
  for (const auto& [symbol, rows] : json.items())
    coefficients.list.emplace_back(symbol, rows.get<ExactCoefficients::Rows>());
}

void to_json(Json& json, const ExactCoefficients::Entry& entry) {
  json = {{"exact", entry.exact}, {"decimal", entry.decimal}};
}

void from_json(const Json& json, ExactCoefficients::Entry& entry) { entry = {json.at("exact"), json.at("decimal")}; }

}  // namespace daelab
