// Where the numbers of a result set come from: by their value.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "results/claims.hpp"

namespace daelab {

/// The numbers of runs and of the analysis, except settings, by value.
class StoredNumbers {
 public:
  StoredNumbers(const std::string& name, const ResultSet& set);

  /// The <value> (results/claims.hpp) of each number in a row of a table; null where none is stored. Of several places
  /// with one number that is taken which is nearest to those of the rest of the row, or has the name of its column.
  std::vector<Json> sources(const std::vector<std::optional<double>>& row,
                            const std::vector<std::string>& columns) const;

 private:
  struct Place {
    std::optional<std::size_t> run;  // none: of the analysis
    std::string pointer;
    bool operator==(const Place&) const = default;
  };
  void add(const Json& json, const Place& at);
  std::vector<Place> places_of(double value) const;
  Json selectors_of(std::size_t run) const;
  Json reference_to(const Place& place) const;
  static int nearness(const Place& place, const std::vector<Place>& row, const std::string& column);

  std::string name_;
  std::vector<Json> specs_;  // of the runs
  std::map<double, std::vector<Place>> places_;
};

}  // namespace daelab
