// The order that results of a program show, as the subject of an audit: errors at several step sizes.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace daelab {

struct MeasuredErrors {
  std::string file;
  std::vector<double> h;
  std::vector<std::pair<std::string, std::vector<double>>> quantities;  // errors of each at every h

  std::string text() const;  // "u, v at 6 step sizes from 0.05 to 0.0015625"
};

/// A CSV file with the column h, all others errors of a quantity. Throws InputError that names the file.
MeasuredErrors read_measured_errors(const std::string& file);

struct MeasuredOrder {
  /// The lowest of all quantities; nothing where that of one is not decided, or not within 1/4 of a whole number. 0
  /// where errors stand still.
  std::optional<int> order;
  std::string proof;  // "measured: h from 0.05 to 0.0015625: order 1.00 ± 0.02 (u), 0.99 ± 0.03 (v)"
};

MeasuredOrder measured_order(const MeasuredErrors& errors);

}  // namespace daelab
