// Runs beyond lists in a config: ranges of values, and values drawn at random, the same ones on every machine.
//
//   "h": {"from": "1e-3", "to": "1e-1", "count": 21, "spacing": "log"}     as a list of 21 step sizes
//   "draws": {"count": 1000, "seed": 7, "values": {
//     "/problem/length": {"normal": ["1", "0.01"]}, "/start/q/x": {"uniform": ["-0.1", "0.1"]}}}
//
// Each value of a draw becomes a key of its run, rounded to double and written as decimal text: the run has its own
// specification and key, and depends on no generator.
#pragma once

#include <string>
#include <vector>

#include "core/base/options.hpp"

namespace daelab {

enum class Spacing { linear, log };
std::vector<std::string> names_of(Spacing);

/// Values from one to another, both ends among them.
struct ValueRange {
  Exact from, to;
  int count = 2;
  Spacing spacing = Spacing::linear;

  /// Whether a value of a config is meant as one: an object with "from", "to" and "count".
  static bool is_meant(const Json& value);
  Options options();
  /// Texts of decimals, `count` of them. Throws InputError under `where` for bounds that the spacing does not allow.
  std::vector<Json> values(const std::string& where) const;
};

class DrawnValue;

/// The runs of a grid with draws, or of a grid alone. Only one that is asked for is there as JSON.
class DrawnRuns {
 public:
  explicit DrawnRuns(std::vector<Json> grid);
  DrawnRuns(std::vector<Json> grid, std::vector<DrawnValue> drawn, std::size_t count, std::string where);
  ~DrawnRuns();
  DrawnRuns(DrawnRuns&&) noexcept;
  DrawnRuns& operator=(DrawnRuns&&) noexcept;

  std::size_t size() const { return grid_.size() * count_; }
  /// Throws InputError under `where` for a place that the run does not have.
  Json operator[](std::size_t i) const;

 private:
  std::vector<Json> grid_;
  std::vector<DrawnValue> drawn_;           // places
  std::vector<std::vector<double>> table_;  // values of each place
  std::size_t count_ = 1;
  std::string where_;
};

/// "draws" of a run.
struct Draws {
  int count = 0, seed = 0;
  Json values;  // {"/problem/length": {"normal": ["1", "0.01"]}}

  Options options();
  /// Each run of the grid with each of the draws, run by run of the grid. Draw k of a place follows from seed, place
  /// and k alone: more draws, or more places, leave those there are as they were, and runs of several methods have the
  /// same ones. Throws InputError under `where` for anything but distributions, and for places that a run does not
  /// have.
  DrawnRuns applied(std::vector<Json> grid, const std::string& where) const;
};

/// JSON Schema of both.
Json range_schema();
Json draws_schema();

}  // namespace daelab
