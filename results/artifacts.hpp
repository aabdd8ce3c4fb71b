// What an experiment hands to the report: tables and figures as data, without any layout.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json.hpp"
#include "core/mechanism/outline.hpp"
#include "results/entry.hpp"
#include "results/table_cell.hpp"

namespace daelab {

/// How a column's cells are printed.
enum class CellFormat {
  text,        // as it is
  integer,     // 2177
  scientific,  // 7.0007E-5, with `digits` significant digits
  fixed,       // 3.98, with `digits` decimals
  seconds,     // 1.23, 0.0451, 8.10E-6: in seconds, never judged
  exact        // (4 - sqrt(6))/10, also before a power: 1/7200 w^6; decimals with `digits` significant digits
};

struct Column {
  std::string label;  // plain text; a LaTeX form may be in `tex`
  std::string tex;    // "" = escape the label
  CellFormat format = CellFormat::text;
  int digits = 5;
};

struct CellPlace {
  std::size_t row = 0, column = 0;
  bool operator==(const CellPlace&) const = default;
};

struct Table {
  std::string id;       // file stem, unique in its result set: "table-1"
  std::string caption;  // what and how
  std::vector<Column> columns;
  std::vector<TableRow> rows;        // one cell per column
  std::vector<CellPlace> best = {};  // printed in bold

  bool is_best(CellPlace place) const { return std::ranges::find(best, place) != best.end(); }
};

/// How a curve is drawn.
enum class CurveStyle {
  line,
  points,
  line_points,
  reference,  // thin, dashed, grey, with its label at the line
  thin,       // solid, in the colour of its label
  filled,     // the inside of the closed path, drawn first and transparent; one path for a region of several parts or
              // with holes, led from part to part and back on the same way
  circle,     // points of this shape
  star
};
/// The texts of the styles, in the order of the enumeration.
const std::vector<std::string>& names_of(CurveStyle);

/// What tells a curve from others: {"method", "gauss, s = 2"}, {"formulation", "index-2"}, {"scalar", "50 digits"}.
struct Factor {
  std::string name, value;
  bool operator==(const Factor&) const = default;
};
void to_json(Json& json, const Factor& factor);
/// Throws InputError for members of another kind.
void from_json(const Json& json, Factor& factor);

/// A straight line fitted to a curve on logarithmic axes.
struct Fit {
  double slope = 0, half_width = 0;      // half_width: 95 %
  std::vector<std::size_t> points = {};  // that the fit used, by their number in the curve
};

/// One curve. Data either inline (x, y) or two columns of a trajectory CSV of the result set.
struct Series {
  std::string label;
  std::vector<double> x, y;
  std::string file;  // e.g. "trajectories/ab12.csv", relative to the result set; "" = inline
  std::string x_column, y_column;
  CurveStyle style = CurveStyle::line;
  std::vector<Factor> factors = {};  // what its label says, part by part; empty: not known
  std::optional<Fit> fit = {};       // only where it was decided
  std::optional<double> floor = {};  // errors at and below it are round-off, or digits that the reference lacks
};

/// One set of axes.
struct Panel {
  std::string x_label, y_label;  // plain text with unit: "time [s]"
  bool log_x = false, log_y = false;
  bool equal_axes = false;                                // same scale on both: paths in the plane
  bool zero_axes = false;                                 // thin lines x = 0 and y = 0
  std::optional<std::array<double, 2>> x_range, y_range;  // from, to, widened for equal axes; none: all points
  std::vector<Series> series;
};

/// One or more panels, stacked; or a sketch, without axes.
struct Figure {
  std::string id;  // file stem: "figure-8"
  std::string caption;
  std::vector<Panel> panels;
  std::vector<DrawnShape> sketch = {};
};

/// One of many things that a result set is about, such as a problem: a small picture in an index that leads to all
/// there is of it.
struct Card {
  std::string title;
  std::string problem;               // its name: entries about it belong to the card; "": none
  std::string line;                  // below the title
  std::vector<Factor> facts;         // by name
  std::vector<std::string> figures;  // ids; the last one is the picture
};

/// What the terminal tells of a result set, beside the page.
struct TerminalText {
  int tables = 1;                            // so many of the first ones
  std::vector<std::string> faults, remarks;  // what is wrong with what was given; what else there is to know of it
};

/// result.json of a result set: everything the report needs.
struct Artifacts {
  std::string name;  // of the config
  std::string experiment;
  std::string title;
  std::string command;  // that reproduces it
  std::vector<Table> tables;
  std::vector<Figure> figures;
  std::vector<std::string> notes;        // verdict sentences, excluded points, failed runs
  std::optional<TerminalText> terminal;  // none: the first table
  std::vector<Card> cards = {};          // of its figures
};

void to_json(Json& json, const DrawnShape& shape);
void from_json(const Json& json, DrawnShape& shape);

void to_json(Json& json, const Artifacts& artifacts);
void from_json(const Json& json, Artifacts& artifacts);

/// One judged entry of a paper or a config.
struct Judgement {
  EntryKind kind = EntryKind::claim;
  std::string id;           // "table-1/h=0.01/energy"
  std::string location;     // "Table 1, h = 0.01, H max"
  std::string table;        // group for the side-by-side tables: "Table 1"; "" = a statement
  std::string row, column;  // place in that table; "" for statements
  std::string source;       // of a check: where the literature prints it
  std::string printed;      // of claims and checks, text of the paper or the literature: "7.0007E-5"
  std::string judged_by;    // of claims and checks, what is measured for it and with our settings; "" = what it says
  std::string statement;    // of a finding, in our words
  std::string recorded;     // of a finding, the text of the number we hold to
  std::string ours;         // our number, printed alike; "-" when the run failed
  std::optional<double> number = {};  // the same, as it was computed
  std::string true_value;             // 50-digit run beside it; "" = not computed
  std::string verdict;                // results/entry.hpp
  std::string expected;               // the verdict the entry expects
  std::string reason;                 // why, in a sentence
  bool as_expected() const { return verdict == expected; }
};

void to_json(Json& json, const Judgement& judgement);
void from_json(const Json& json, Judgement& judgement);

}  // namespace daelab
