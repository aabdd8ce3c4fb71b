#include "analysis/tableau_repair.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "analysis/coefficient_repair.hpp"
#include "analysis/entry_solver.hpp"
#include "analysis/order_conditions.hpp"
#include "core/integration/printed_tableau.hpp"

namespace daelab {
namespace {

struct Candidate {
  int rank = 0;
  double change = 0;  // relative, of an entry
  std::string what;
  Tableau tableau;
};

void exchange_weights(Tableau& t) {
  std::swap(t.b, t.b_embedded);
  std::swap(t.b_error, t.b_embedded_error);
}

// True where nothing is claimed, or nothing can be.
bool has_embedded_order(const Tableau& t, int order) {
  if (order == 0 || t.b_embedded.size() == 0) return true;
  Tableau embedded = t;
  exchange_weights(embedded);
  return has_order(embedded, order);
}

// The weights that an order is claimed of are b; `weights_name` is what the document calls them. Other weights, of the
// same stages, have an order of their own, which candidates should reach, too.
class RepairSearch {
 public:
  RepairSearch(const Tableau& t, int order, int other_order, const char* weights_name)
      : t_(t), order_(order), other_order_(other_order), weights_name_(weights_name) {
    for (Index i = 0; i < t.stages(); ++i) c_holds_ = c_holds_ && row_sum_holds(t, i);
  }

  std::vector<Candidate> run() {
    look_at_lists();
    for (const auto list : {EntryPlace::List::A, EntryPlace::List::b})
      for (const EntryPlace& place : entries_of(t_, list))
        for (const Real100& x : solved_entry(t_, place, conditions_)) add_entry(place, x);
    look_at_exchanges();
    return likeliest();
  }

 private:
  double fast_tolerance() const { return std::max(1e-9, static_cast<double>(coefficient_tolerance(t_.digits))); }
  std::string pointer(const EntryPlace& place) const {
    if (place.list == EntryPlace::List::b) return fmt::format("/{}/{}", weights_name_, place.column);
    return fmt::format("/A/{}/{}", place.row, place.column);
  }

  void keep(Candidate candidate) {
    if (conditions_.hold(candidate.tableau.A.cast<double>(), candidate.tableau.b.cast<double>()))
      add(std::move(candidate));
  }
  // Nodes that are given for the sums of rows speak against candidates with others.
  void add(Candidate candidate) {
    Tableau& t = candidate.tableau;
    const char* before = ", and with it ";
    for (Index i = 0; i < t.stages(); ++i) {
      if (row_sum_holds(t, i)) continue;
      if (!c_holds_) candidate.rank += slip::not_all;
      t.c[i] = t.A.row(i).sum();
      candidate.what += fmt::format("{}/c/{}: {}", before, i, coefficient_text(t.c[i], t_.digits));
      before = ", ";
    }
    candidates_.push_back(std::move(candidate));
  }

  void look_at_lists() {
    if (t_.b_embedded.size() == 0) return;
    Candidate exchanged{slip::whole_list, 0, "/b and /b_embedded exchanged", t_};
    exchange_weights(exchanged.tableau);
    keep(std::move(exchanged));
  }

  void add_entry(const EntryPlace& place, const Real100& x) {
    Candidate found{0, 0, "", t_};
    const Real100 old = place.in(t_);
    place.in(found.tableau) = x;
    if (t_.digits > 0) place.error_in(found.tableau) = pow(Real100(10), 1 - t_.digits);
    EntryChange change = entry_change(pointer(place), old, x, t_.digits);
    found.rank = change.likelihood, found.change = change.size, found.what = std::move(change.text);
    add(std::move(found));
  }

  void look_at_exchanges() {
    const Index s = t_.stages();
    look_at_exchanges_in(EntryPlace::List::b, 0, s);
    for (Index i = 0; i < s; ++i) {
      look_at_exchanges_in(EntryPlace::List::A, i, end_of_row(i));
      Candidate reversed{slip::digit, 0, fmt::format("/A/{}: the row reversed", i), t_};
      reverse_row(reversed.tableau, i);
      keep(std::move(reversed));
      for (Index k = 0; k < i; ++k) {
        Candidate rows{slip::digit, 0, fmt::format("/A/{} and /A/{} exchanged", k, i), t_};
        rows.tableau.A.row(i).swap(rows.tableau.A.row(k));
        if (t_.digits > 0) rows.tableau.A_error.row(i).swap(rows.tableau.A_error.row(k));
        if (rows.tableau.is_explicit() == t_.is_explicit()) keep(std::move(rows));
      }
    }
    Candidate all{slip::factor, 0, "all rows of A reversed", t_};
    for (Index i = 0; i < s; ++i) reverse_row(all.tableau, i);
    keep(std::move(all));
  }

  Index end_of_row(Index i) const { return t_.is_explicit() ? i : t_.stages(); }

  void reverse_row(Tableau& t, Index i) const {
    const Index end = end_of_row(i);
    t.A.row(i).head(end) = t_.A.row(i).head(end).reverse();
    if (t_.digits > 0) t.A_error.row(i).head(end) = t_.A_error.row(i).head(end).reverse();
  }

  void look_at_exchanges_in(EntryPlace::List list, Index i, Index end) {
    for (Index k = 0; k < end; ++k)
      for (Index j = 0; j < k; ++j) {
        const EntryPlace first{list, i, j}, second{list, i, k};
        if (first.in(t_) == second.in(t_)) continue;
        Candidate found{slip::exchange, 0, fmt::format("{} and {} exchanged", pointer(first), pointer(second)), t_};
        std::swap(first.in(found.tableau), second.in(found.tableau));
        if (t_.digits > 0) std::swap(first.error_in(found.tableau), second.error_in(found.tableau));
        keep(std::move(found));
      }
  }

  // What was found in double, proved; those first that reach all that is claimed.
  std::vector<Candidate> likeliest() {
    for (Candidate& candidate : candidates_)
      if (!has_embedded_order(candidate.tableau, other_order_)) candidate.rank += slip::not_all;
    std::ranges::stable_sort(candidates_, {}, [](const Candidate& c) { return std::pair(c.rank, c.change); });
    std::vector<Candidate> found;
    constexpr std::size_t most = 3;
    for (const Candidate& candidate : candidates_) {
      if (found.size() == most || (!found.empty() && candidate.rank > found.front().rank)) break;
      if (has_order(candidate.tableau, order_)) found.push_back(candidate);
    }
    return found;
  }

  const Tableau& t_;
  int order_, other_order_;
  const char* weights_name_;
  bool c_holds_ = true;
  FastConditions conditions_{order_, fast_tolerance()};
  std::vector<Candidate> candidates_;
};

// c for the sums of rows, where the conditions hold without time.
Candidate with_row_sums(const Tableau& t) {
  Candidate found{slip::whole_list, 0, "", t};
  for (Index i = 0; i < t.stages(); ++i) {
    if (row_sum_holds(t, i)) continue;
    found.tableau.c[i] = t.A.row(i).sum();
    found.what += fmt::format("{}/c/{}: {} in the place of {}, the sum of row {} of A", found.what.empty() ? "" : "; ",
                              i, coefficient_text(found.tableau.c[i], t.digits), coefficient_text(t.c[i], t.digits), i);
  }
  return found;
}

std::vector<Repair> with_goals_reached(std::vector<Candidate> candidates, const RepairGoal& goal) {
  std::vector<Repair> repairs;
  for (Candidate& candidate : candidates) {
    std::vector<std::string> reached;
    const Tableau& t = candidate.tableau;
    if (goal.order > 0 && has_order(t, goal.order)) reached.push_back(fmt::format("order {}", goal.order));
    if (goal.embedded_order > 0 && t.b_embedded.size() > 0 && has_embedded_order(t, goal.embedded_order))
      reached.push_back(fmt::format("embedded order {}", goal.embedded_order));
    repairs.push_back({fmt::format("{}: {}", candidate.what, fmt::join(reached, ", ")), std::move(candidate.tableau)});
  }
  return repairs;
}

// Trees of more nodes are too many for a search.
constexpr int most_nodes_of_search = 10;

}  // namespace

std::vector<Repair> nearest_repairs(const Tableau& tableau, const RepairGoal& goal) {
  if (std::max(goal.order, goal.embedded_order) > most_nodes_of_search) return {};
  const bool main_holds = has_order(tableau, goal.order);
  if (!main_holds) return with_goals_reached(RepairSearch(tableau, goal.order, goal.embedded_order, "b").run(), goal);
  const Candidate nodes = with_row_sums(tableau);
  if (!nodes.what.empty()) return with_goals_reached({nodes}, goal);
  if (has_embedded_order(tableau, goal.embedded_order)) return {};
  Tableau exchanged = tableau;
  exchange_weights(exchanged);
  std::vector<Candidate> found = RepairSearch(exchanged, goal.embedded_order, goal.order, "b_embedded").run();
  for (Candidate& candidate : found) exchange_weights(candidate.tableau);
  return with_goals_reached(std::move(found), goal);
}

}  // namespace daelab
