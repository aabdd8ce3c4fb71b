// Tables in the shape that a config chooses, as papers have them: what runs differ in makes rows and columns, and a
// cell shows what its run reached or cost.
#pragma once

#include <string>
#include <vector>

#include "core/base/options.hpp"
#include "results/artifacts.hpp"

namespace daelab {

struct ChosenTable {
  std::string id, caption, rows = "h", columns = "method";
  std::vector<std::string> show;
  bool best = false;

  Options options();
};

/// A text of `show`: how its cells are printed, and which of them are better.
struct ShownMeasure {
  enum class Better { less, more, neither } better = Better::neither;
  CellFormat format = CellFormat::scientific;
  int digits = 3;
};

/// A run as a row or column sees it.
struct TabledRun {
  Json spec;  // with its steps
  std::string label;
  std::vector<Factor> factors;   // of the label
  std::vector<TableCell> cells;  // one for each text of `show`; none in a check
};

/// "q" of "error of q"; "" of other texts.
std::string component_of_error(const std::string& text);
/// The components whose errors these tables show.
std::vector<std::string> components_of_errors(const std::vector<ChosenTable>& tables);

/// Throws InputError under `where` for a table that shows nothing, for what no run has, and for two runs in one cell.
void check_chosen_table(const ChosenTable& table, const std::vector<TabledRun>& runs, const std::string& where);

/// A column for each text of `show` below each value of `columns`; in bold, if asked for, the best of each row. The
/// caption says what all runs share. `id` is for a table without one.
Table chosen_table(const ChosenTable& table, const std::string& id, const std::vector<ShownMeasure>& measures,
                   const std::vector<TabledRun>& runs);

}  // namespace daelab
