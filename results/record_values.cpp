#include "results/record_values.hpp"

#include "core/documents/problem_document.hpp"
#include "results/run_log.hpp"

namespace daelab {

Real50 record_number(const Json& value) {
  if (value.is_number()) return Real50(value.get<double>());
  if (value.is_string()) {
    if (const std::optional<Real50> x = as_number(value)) return *x;
    throw Json::exception("a text that is no number");
  }
  if (!value.is_null()) throw Json::exception(std::string("a number must not be ") + value.type_name());
  return std::numeric_limits<Real50>::quiet_NaN();
}

Vector<Real50> record_vector(const Json& values) {
  Vector<Real50> x(static_cast<Index>(values.size()));
  for (std::size_t i = 0; i < values.size(); ++i) x[static_cast<Index>(i)] = record_number(values[i]);
  return x;
}

std::vector<double> record_doubles(const Json& values) {
  std::vector<double> x;
  for (std::size_t i = 0; i < values.size(); ++i) x.push_back(static_cast<double>(record_number(values[i])));
  return x;
}

Json parameters(Json spec) {
  if (is_problem_document(spec)) {
    Json values = spec.value("parameters", Json::object());
    values["end_time"] = spec["end_time"];
    return values;
  }
  spec.erase("name");
  return spec;
}

}  // namespace daelab
