// Results of other programs: states by name in a table, of one or several runs; as text:
//
//   h,t,q1,q2,v1,v2          a header with names of the problem, then a row per state; "," or ";" or blanks between
//   0.01,1,0.2,0.9,3.1,-0.4  cells; lines that begin with # are comments, except a header that numpy writes so
//
// or as arrays (experiments/measures/foreign_table.hpp).
//
// Columns: t [s]; h [s] or rtol, by which the rows of several runs are told apart; entries of states under the names
// of trajectories or of the problem (core/mechanism/state_names.hpp), a1, ..., lambda1, ... Numbers may have any number
// of digits and an exponent as Fortran writes it, 1.0D-3.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/options.hpp"
#include "lab/runs/run.hpp"

namespace daelab {

/// A table, and what it does not say itself.
struct ForeignFile {
  std::string path, label;
  std::optional<Exact> h, rtol;
  std::vector<std::string> columns;

  Options options();
};

struct ForeignState {
  Real50 t = 0;
  std::map<std::string, Vector<Real50>> classes;  // q, v, a, lambda, y; entries the table lacks are NaN

  /// All entries of a class are known.
  bool has(const std::string& kind) const;
};

/// Rows with the same step size or tolerance, by ascending time.
struct ForeignRun {
  std::optional<Exact> h, rtol;
  std::vector<ForeignState> states;
};

struct ForeignResults {
  std::vector<ForeignRun> runs;             // coarse to fine
  std::vector<std::string> lacking;         // entries of states that no column gives
  std::vector<std::string> unused;          // columns that name nothing of the problem
  std::vector<std::string> unused_numbers;  // those among them that could be entries: no texts, and no counts
};

/// The states that a table holds of the problem of a run. Throws InputError with file, line or row and column for cells
/// that are no finite numbers, times out of order or beyond the end of the run, runs without a state there, columns
/// given twice and names that the problem does not have.
ForeignResults read_foreign_results(const ForeignFile& file, const Run& run);

}  // namespace daelab
