// Times of runs in tables and captions: what was measured, and how.
#pragma once

#include <string>
#include <vector>

#include "results/artifacts.hpp"
#include "results/run_record.hpp"

namespace daelab {

/// Times of the runs that a table or a figure shows.
class RunTimes {
 public:
  void add(const RunTime& time) { times_.push_back(time), repeated_ += time.repeats > 0; }

  /// "CPU time [s]"; "wall time [s]" where runs were repeated.
  std::string axis_label() const;
  /// How they were measured, inside a sentence: "CPU time, measured once", "wall time, the least of 5 repeats alone on
  /// a core, ...".
  std::string words() const;

  /// A column of times, where runs were repeated another of their spread.
  void add_columns(Table& table) const;
  void add_cells(TableRow& row, const RunTime& time) const;

 private:
  enum class Repeated { none, some, all };
  Repeated repeated() const;

  std::vector<RunTime> times_;
  std::size_t repeated_ = 0;  // how many of them
};

/// The format of a column of times in seconds, with its unit in the label: "CPU [s]".
Column time_column(const std::string& label);

}  // namespace daelab
