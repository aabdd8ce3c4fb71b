// The coefficients of a method as text, exact where they have a closed form.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/base/json.hpp"
#include "core/integration/method.hpp"

namespace daelab {

/// In the notation of the method's source, and its tableau.
struct ExactCoefficients {
  struct Entry {
    std::string exact, decimal;  // "(4 - sqrt(6))/10", 20 digits
  };
  using Rows = std::vector<std::vector<Entry>>;
  std::vector<std::pair<std::string, Rows>> list;  // by symbol

  /// Null where there is no such symbol.
  const Rows* find(const std::string& symbol) const;
};

ExactCoefficients exact_coefficients(const Method& method);

/// symbol -> rows of {"exact", "decimal"}.
void to_json(Json& json, const ExactCoefficients& coefficients);
void from_json(const Json& json, ExactCoefficients& coefficients);
void to_json(Json& json, const ExactCoefficients::Entry& entry);
void from_json(const Json& json, ExactCoefficients::Entry& entry);

}  // namespace daelab
