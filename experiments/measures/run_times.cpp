#include "experiments/measures/run_times.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace daelab {

Column time_column(const std::string& label) { return {label + " [s]", "", CellFormat::seconds, 3}; }

RunTimes::Repeated RunTimes::repeated() const {
  if (repeated_ == 0) return Repeated::none;
  return repeated_ == times_.size() ? Repeated::all : Repeated::some;
}

std::string RunTimes::axis_label() const {
  switch (repeated()) {
    case Repeated::none:
      return "CPU time [s]";
    case Repeated::all:
      return "wall time [s]";
    default:
      return "time [s]";
  }
}

std::string RunTimes::words() const {
  if (repeated() == Repeated::none) return "CPU time, measured once";
  int fewest = 0, most = 0;
  double spread = 1;
  for (const RunTime& time : times_) {
    if (time.repeats == 0) continue;
    fewest = fewest == 0 ? time.repeats : std::min(fewest, time.repeats);
    most = std::max(most, time.repeats), spread = std::max(spread, time.spread);
  }
  return fmt::format(
      "wall time, the least of {}{} repeats alone on a core, of which the longest took up to {:.2f} times as long{}",
      fewest == most ? "" : fmt::format("{} to ", fewest), most, spread,
      repeated() == Repeated::all ? "" : "; CPU time, measured once, of runs without repeats");
}

void RunTimes::add_columns(Table& table) const {
  table.columns.push_back(time_column(repeated() == Repeated::none ? "CPU" : "Time"));
  if (repeated() != Repeated::none) table.columns.push_back({"max/min", "", CellFormat::fixed, 2});
}

void RunTimes::add_cells(TableRow& row, const RunTime& time) const {
  row.push_back(time.seconds());
  if (repeated() != Repeated::none) row.push_back(time.repeats > 0 ? TableCell(time.spread) : TableCell());
}

}  // namespace daelab
