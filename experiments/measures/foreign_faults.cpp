#include "experiments/measures/foreign_faults.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "core/base/input_error.hpp"

namespace daelab {
namespace {

constexpr double half_turn = 57.29577951308232;  // degrees of a radian
// Between m and mm, cm, km; kN and MN; radians and degrees.
constexpr double unit_factors[] = {1e3, 1e-3, 1e2, 1e-2, 1e6, 1e-6, half_turn, 1 / half_turn};
constexpr double near_unit = 0.2;  // errors of theirs beside it
constexpr double doubtful = 20;    // times the reference, or less than a twentieth
constexpr std::size_t most_names = 6;

std::string listed(const std::vector<std::string>& names) {
  const std::size_t shown = std::min(names.size(), most_names);
  return fmt::format("{}{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                     shown < names.size() ? fmt::format(" and {} more", names.size() - shown) : "");
}

const char* verb(std::size_t count) { return count == 1 ? "is" : "are"; }

// An entry of the end states of all runs beside that of the reference.
struct Entry {
  std::string name;
  double exact = 0, size = 0;  // the largest entry of its class
  std::vector<double> theirs;  // coarse to fine

  bool in_all(const std::function<bool(double)>& is) const { return std::ranges::all_of(theirs, is); }
  bool is_leading() const {
    return size > 0 && in_all([&](double x) { return std::abs(x - exact) >= size / 2; });
  }
  /// Times the reference, of all runs.
  std::optional<double> unit_factor() const {
    if (exact == 0 || !is_leading()) return {};
    for (const double factor : unit_factors)
      if (in_all([&](double x) { return std::abs(std::abs(x / exact) / factor - 1) < near_unit; })) return factor;
    return {};
  }
  bool has_other_sign() const {
    return is_leading() && in_all([&](double x) { return std::abs(x + exact) < 0.05 * std::abs(x - exact); });
  }
  bool is_doubtful() const {
    if (!(std::abs(exact) > 1e-6) || theirs.back() == 0) return false;
    const double ratio = std::abs(theirs.back() / exact);
    return ratio > doubtful || ratio < 1 / doubtful;
  }
};

std::vector<Entry> entries_of(const ForeignResults& table, const std::map<std::string, Vector<Real50>>& reference) {
  std::vector<Entry> entries;
  for (const auto& [kind, exact] : reference)
    for (Index i = 0; i < exact.size(); ++i) {
      Entry entry{fmt::format("{}{}", kind, i + 1), static_cast<double>(exact[i]), 0, {}};
      for (Index k = 0; k < exact.size(); ++k)
        entry.size = std::max(entry.size, std::abs(static_cast<double>(exact[k])));
      for (const ForeignRun& run : table.runs)
        if (const auto found = run.states.back().classes.find(kind);
            found != run.states.back().classes.end() && i < found->second.size())
          entry.theirs.push_back(static_cast<double>(found->second[i]));
      const bool known = !entry.theirs.empty() && entry.in_all([](double x) { return !std::isnan(x); });
      if (known) entries.push_back(std::move(entry));
    }
  return entries;
}

// "q1, q2 are 1000 times the reference": one sentence for entries of one factor.
void add_factors(const std::vector<Entry>& entries, ForeignFaults& faults) {
  std::map<double, std::vector<const Entry*>> by_factor;
  std::vector<std::string> signs, far;
  for (const Entry& entry : entries)
    if (const std::optional<double> factor = entry.unit_factor())
      by_factor[*factor].push_back(&entry);
    else if (entry.has_other_sign())
      signs.push_back(entry.name);
    else if (entry.is_doubtful())
      far.push_back(fmt::format("{} ({:.3g} times)", entry.name, entry.theirs.back() / entry.exact));
  for (const auto& [factor, all] : by_factor) {
    std::vector<std::string> names;
    for (const Entry* entry : all) names.push_back(entry->name);
    const bool degrees = factor == half_turn;
    faults.wrong.push_back(fmt::format("{} {} {:.3g} times the reference: {}", listed(names), verb(names.size()),
                                       all.front()->theirs.back() / all.front()->exact,
                                       degrees ? "degrees where radians are meant?" : "in other units?"));
  }
  if (!signs.empty())
    faults.wrong.push_back(
        fmt::format("{} {} the reference with the other sign; ours is that of M a + C_q^T lambda = Q, v = q'",
                    listed(signs), verb(signs.size())));
  if (!far.empty()) faults.notes.push_back(fmt::format("far from the reference: {}", listed(far)));
}

// Entries of states, which a method always has; accelerations and multipliers many do not give.
bool is_of_state(const std::string& entry) { return entry.find_first_of("qvy") == 0; }

void add_columns(const ForeignResults& table, ForeignFaults& faults) {
  std::vector<std::string> lacking;
  std::ranges::copy_if(table.lacking, std::back_inserter(lacking), is_of_state);
  // As many columns as entries of the state, or "lam1" for "lambda1": a slip in the name of what is not given.
  const bool may_be_states = !lacking.empty() && lacking.size() <= table.unused_numbers.size();
  const std::vector<std::string>& wanted = may_be_states ? lacking : table.lacking;
  std::vector<std::string> meant;
  for (const std::string& column : table.unused_numbers)
    if (may_be_states || (column.size() > 2 && !nearest_name(column, wanted).empty())) meant.push_back(column);
  if (!meant.empty())
    faults.wrong.push_back(fmt::format(
        "columns that name nothing of the problem: {}; entries without a column: {}; --columns {}={} names one",
        listed(meant), listed(wanted), meant.front(), wanted.front()));
  std::vector<std::string> others;
  for (const std::string& column : table.unused)
    if (std::ranges::find(meant, column) == meant.end()) others.push_back(column);
  if (!others.empty())
    faults.notes.push_back(fmt::format("columns that name nothing of the problem are left out: {}", listed(others)));
}

// Steps are as long as the step size, or several of them where not each was written; the last one may be cut off.
void add_times(const ForeignResults& table, ForeignFaults& faults) {
  for (const ForeignRun& run : table.runs) {
    if (!run.h) continue;
    const double h = run.h->as<double>();
    for (std::size_t i = 1; i + 1 < run.states.size(); ++i) {
      const auto apart = static_cast<double>(Real50(run.states[i].t - run.states[i - 1].t));
      if (apart > 0.999 * h) continue;
      faults.notes.push_back(fmt::format(
          "rows are {:.6g} s apart at t = {:.6g} s under the step size h = {}: is h that of their steps? The "
          "methods beside take it",
          apart, static_cast<double>(run.states[i].t), run.h->text()));
      break;
    }
  }
}

}  // namespace

ForeignFaults faults_of(const std::string& name, const ForeignResults& table,
                        const std::map<std::string, Vector<Real50>>& reference) {
  ForeignFaults faults;
  add_factors(entries_of(table, reference), faults);
  add_columns(table, faults);
  add_times(table, faults);
  for (auto* texts : {&faults.wrong, &faults.notes})
    for (std::string& text : *texts) text = name + ": " + text;
  if (!table.lacking.empty())
    faults.notes.push_back(fmt::format("{} lacks {}: errors are of what is there", name, listed(table.lacking)));
  return faults;
}

}  // namespace daelab
