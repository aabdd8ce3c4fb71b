#include "experiments/measures/foreign_results.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "core/base/number_text.hpp"
#include "core/mechanism/state_names.hpp"
#include "experiments/measures/foreign_table.hpp"

namespace daelab {
namespace {

// What a column holds: the time, what tells runs apart, or an entry of a class.
struct Column {
  enum class Role { unused, time, h, rtol, entry } role = Role::unused;
  std::string kind = {};  // of an entry
  Index place = 0;
  bool has_text = false, has_fractions = false;  // of an unused one
};

using Names = std::map<std::string, Column>;

// All names that a header may use: those of trajectories, and the problem's own where they mean nothing else there.
Names names_of(const Run& run) {
  Names names{{"t", {Column::Role::time}}, {"h", {Column::Role::h}}, {"rtol", {Column::Role::rtol}}};
  const auto mechanism = run.is_ode() ? nullptr : run.problem().mechanical_model(As<double>{});
  for (const char* kind : {"a", "lambda"}) {
    const Index count = !mechanism ? 0 : *kind == 'a' ? mechanism->coordinates() : mechanism->multipliers();
    for (Index i = 0; i < count; ++i)
      names.emplace(fmt::format("{}{}", kind, i + 1), Column{Column::Role::entry, kind, i});
  }
  const StateNames states(run.problem());
  for (const char kind : {'q', 'v', 'y'}) {
    Index place = 0;
    for (const StateEntry& entry : states.of(kind)) {
      const Column column{Column::Role::entry, std::string(1, kind), place++};
      names.emplace(entry.name, column);
      if (entry.own.empty()) continue;
      names.emplace(entry.own, column);
      if (kind == 'v') names.emplace(entry.own + "'", Column{Column::Role::entry, "a", column.place});
    }
  }
  return names;
}

std::vector<std::string> keys_of(const Names& names) {
  std::vector<std::string> keys;
  for (const auto& [name, column] : names) keys.push_back(name);
  return keys;
}

// A number of any length; D is Fortran's E.
std::optional<Exact> exact_in(std::string cell) {
  std::ranges::replace_if(
      cell, [](char c) { return c == 'D' || c == 'd'; }, 'e');
  const std::optional<double> value = number_in(cell);
  return value && std::isfinite(*value) ? std::optional<Exact>(cell) : std::nullopt;
}

// 0.1 for 0.10000000000000001: what was meant where a program printed all digits of a double.
Exact shortest(const Exact& number) { return Exact(to_text(number.as<double>())); }

class Reader {
 public:
  Reader(const ForeignFile& file, const Run& run) : file_(file), run_(run), names_(names_of(run)) {
    for (const auto& [name, column] : names_)
      if (column.role == Column::Role::entry && column.place >= size_[column.kind])
        size_[column.kind] = column.place + 1;
  }

  ForeignResults read() {
    const ForeignTable table = read_foreign_table(
        file_.path, [this](const std::vector<std::string>& cells) { return std::ranges::any_of(cells, means()); });
    place_ = table.header_place;
    read_header(table.header);
    results_.unused.insert(results_.unused.end(), table.left_out.begin(), table.left_out.end());
    for (const ForeignTable::Row& row : table.rows) {
      place_ = row.place;
      read_row(row.cells);
    }
    for (std::size_t c = 0; c < columns_.size(); ++c)
      if (!columns_[c].has_text && columns_[c].has_fractions) results_.unused_numbers.push_back(table.header[c]);
    return finished();
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw InputError(fmt::format("{}: {}", place_, what)); }

  // Whether the problem has a name, or "columns" renames it.
  std::function<bool(const std::string&)> means() const {
    return [this](const std::string& name) {
      return names_.contains(name) || std::ranges::any_of(file_.columns, [&](const std::string& pair) {
               return pair.substr(0, pair.find('=')) == name;
             });
    };
  }

  void read_header(const std::vector<std::string>& header) {
    const std::vector<std::string> cells = renamed(header);
    std::set<std::string> seen;
    for (const std::string& cell : cells) {
      const auto known = names_.find(cell);
      columns_.push_back(known == names_.end() ? Column{} : known->second);
      const Column& column = columns_.back();
      if (column.role == Column::Role::unused)
        results_.unused.push_back(cell);
      else if (!seen.insert(fmt::format("{} {} {}", static_cast<int>(column.role), column.kind, column.place)).second)
        fail(fmt::format("column '{}' is there twice, perhaps under another name", cell));
    }
    if (std::ranges::none_of(columns_, [](const Column& column) { return column.role == Column::Role::entry; })) {
      const std::vector<std::string> known = keys_of(names_);
      fail(fmt::format("no column is named after an entry of a state; columns: {}{} (known: {})",
                       fmt::join(cells, ", "), cells.empty() ? "" : did_you_mean(cells.front(), known),
                       fmt::join(known, ", ")));
    }
  }

  // With the names that "columns" gives: "theirs=ours".
  std::vector<std::string> renamed(std::vector<std::string> header) {
    for (const std::string& pair : file_.columns) {
      const std::size_t equals = pair.find('=');
      const std::string theirs = pair.substr(0, equals),
                        ours = equals == std::string::npos ? "" : pair.substr(equals + 1);
      const std::vector<std::string> known = keys_of(names_);
      if (!names_.contains(ours))
        throw InputError("/columns", fmt::format("'{}': expected THEIRS=OURS{} (OURS one of {})", pair,
                                                 did_you_mean(ours, known), fmt::join(known, ", ")));
      const auto found = std::ranges::find(header, theirs);
      if (found == header.end())
        throw InputError("/columns", fmt::format("{}: no column '{}'{} (columns: {})", file_.path, theirs,
                                                 did_you_mean(theirs, header), fmt::join(header, ", ")));
      *found = ours;
    }
    return header;
  }

  void read_row(const std::vector<std::string>& cells) {
    if (cells.size() != columns_.size())
      fail(fmt::format("{} cells in a table of {} columns", cells.size(), columns_.size()));
    ForeignState state;
    for (const auto& [kind, size] : size_)
      state.classes[kind] = Vector<Real50>::Constant(size, std::numeric_limits<Real50>::quiet_NaN());
    state.t = Real50(run_.t_end().value());
    std::optional<Exact> h = file_.h, rtol = file_.rtol;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      if (columns_[c].role == Column::Role::unused) {
        const std::optional<double> value = number_in(cells[c]);
        columns_[c].has_text |= !value, columns_[c].has_fractions |= value && *value != std::round(*value);
        continue;
      }
      const std::optional<Exact> number = exact_in(cells[c]);
      if (!number) fail(fmt::format("column {}: '{}' is not a finite number", c + 1, cells[c]));
      switch (columns_[c].role) {
        case Column::Role::time:
          state.t = number->as<Real50>();
          break;
        case Column::Role::h:
          h = shortest(*number);
          break;
        case Column::Role::rtol:
          rtol = shortest(*number);
          break;
        case Column::Role::entry:
          state.classes[columns_[c].kind][columns_[c].place] = number->as<Real50>();
          break;
        case Column::Role::unused:
          break;
      }
    }
    add(std::move(state), h, rtol);
  }

  void add(ForeignState state, const std::optional<Exact>& h, const std::optional<Exact>& rtol) {
    for (const auto& [name, value] : {std::pair("h", h), {"rtol", rtol}})
      if (value && value->value() <= 0) fail(fmt::format("{} = {} must be positive", name, value->text()));
    const Real50 end(run_.t_end().value());
    if (state.t > end + slack())
      fail(fmt::format("t = {:.10g} is beyond the end, t = {} s", static_cast<double>(state.t), run_.t_end().text()));
    const auto same = [](const std::optional<Exact>& a, const std::optional<Exact>& b) {
      return a.has_value() == b.has_value() && (!a || a->value() == b->value());
    };
    auto of_run =
        std::ranges::find_if(results_.runs, [&](const ForeignRun& r) { return same(r.h, h) && same(r.rtol, rtol); });
    if (of_run == results_.runs.end()) of_run = results_.runs.insert(of_run, ForeignRun{h, rtol, {}});
    if (!of_run->states.empty() && state.t <= of_run->states.back().t)
      fail(
          fmt::format("t = {:.10g} comes after t = {:.10g}: rows of a run go forward in time; several runs in a file "
                      "need a column h or rtol",
                      static_cast<double>(state.t), static_cast<double>(of_run->states.back().t)));
    of_run->states.push_back(std::move(state));
  }

  ForeignResults finished() {
    if (results_.runs.empty()) throw InputError(file_.path + ": no rows below the header");
    for (const ForeignRun& run : results_.runs) require_end(run);
    std::ranges::stable_sort(results_.runs, [](const ForeignRun& a, const ForeignRun& b) {
      return a.h && b.h ? a.h->value() > b.h->value() : a.rtol && b.rtol && a.rtol->value() > b.rtol->value();
    });
    const ForeignState& state = results_.runs.front().states.front();
    for (const auto& [kind, entries] : state.classes)
      for (Index i = 0; i < entries.size(); ++i)
        if (entries[i] != entries[i]) results_.lacking.push_back(fmt::format("{}{}", kind, i + 1));
    return std::move(results_);
  }

  void require_end(const ForeignRun& run) const {
    const Real50 end(run_.t_end().value());
    if (abs(Real50(run.states.back().t - end)) <= slack()) return;
    throw InputError(
        fmt::format("{}: {} last state is of t = {:.10g} s, not of the end, t = {} s; give --t-end to judge "
                    "another time",
                    file_.path,
                    run.h      ? "of the run with h = " + run.h->text() + " the"
                    : run.rtol ? "of the run with rtol = " + run.rtol->text() + " the"
                               : "the",
                    static_cast<double>(run.states.back().t), run_.t_end().text()));
  }

  // Times that were summed up step by step are equal to this.
  Real50 slack() const { return Real50(1e-9) * Real50(run_.length()); }

  const ForeignFile& file_;
  const Run& run_;
  Names names_;
  std::map<std::string, Index> size_;  // of the classes
  std::string place_;                  // of what is read now, for errors
  std::vector<Column> columns_;
  ForeignResults results_;
};

}  // namespace

Options ForeignFile::options() {
  return {option("path", path, "table of states, relative to the config"),
          option("label", label, "how tables and legends name its runs; empty: the file's name"),
          option("h", h, "step size of its rows [s], where no column says it", positive()),
          option("rtol", rtol, "their relative tolerance, where no column says it", positive()),
          option("columns", columns, "names of its columns that are not ours, as THEIRS=OURS")};
}

bool ForeignState::has(const std::string& kind) const {
  const auto found = classes.find(kind);
  return found != classes.end() && found->second.size() > 0 && !found->second.hasNaN();
}

ForeignResults read_foreign_results(const ForeignFile& file, const Run& run) { return Reader(file, run).read(); }

}  // namespace daelab
