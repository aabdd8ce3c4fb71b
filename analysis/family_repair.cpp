#include "analysis/family_repair.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "analysis/coefficient_repair.hpp"
#include "analysis/fast_conditions.hpp"
#include "analysis/multistep.hpp"
#include "analysis/rosenbrock_conditions.hpp"
#include "methods/nystrom/nystrom_conditions.hpp"

namespace daelab {
namespace {

int order_in(const ClaimedOrders& claimed, const char* property) {
  const auto found = claimed.find(property);
  return found == claimed.end() ? 0 : found->second;
}

// What a proof says where all claims are true: each is compared with what was found.
class Reached {
 public:
  explicit Reached(const ClaimedOrders& claimed) : claimed_(claimed) {}

  void add(const char* property, const auto& found) {
    const int order = order_in(claimed_, property);
    if (order == 0 || !holds_) return;
    holds_ = found() >= order;
    texts_.push_back(fmt::format("{} {}", property, order));
  }
  std::string text() const { return holds_ ? fmt::format("{}", fmt::join(texts_, ", ")) : ""; }

 private:
  const ClaimedOrders& claimed_;
  bool holds_ = true;
  std::vector<std::string> texts_;
};

void append(std::vector<Real100>& all, std::vector<Real100> more) { all.insert(all.end(), more.begin(), more.end()); }

// Coefficients of a method and lists of them: one description writes and reads them in the same order.
class Listing {
 public:
  explicit Listing(NamedCoefficients& lists) : lists_(&lists) {}
  explicit Listing(const NamedCoefficients& lists) : from_(&lists) {}

  /// Describes the entries of a list, or writes the described values back to them.
  void take(const std::string& pointer, auto&& entries) {
    if (entries.size() == 0) return;
    if (from_ == nullptr) {
      lists_->push_back({pointer, {entries.begin(), entries.end()}});
      return;
    }
    std::ranges::copy((*from_)[next_++].entries, entries.begin());
  }
  /// Row by row, below the diagonal alone where nothing is above.
  void take_rows(const std::string& pointer, Matrix<Real100>& M, Index beyond_diagonal) {
    for (Index i = 0; i < M.rows(); ++i) {
      const Index end = std::min(M.cols(), i + beyond_diagonal);
      take(fmt::format("{}/{}", pointer, i), M.row(i).head(end));
    }
  }
  std::size_t count() const { return from_ == nullptr ? lists_->size() : next_; }

 private:
  NamedCoefficients* lists_ = nullptr;
  const NamedCoefficients* from_ = nullptr;
  std::size_t next_ = 0;
};

// 0: strictly lower triangular; 1: lower triangular; the number of columns: full.
Index beyond_diagonal(const Matrix<Real100>& M) {
  Index beyond = 0;
  for (Index i = 0; i < M.rows(); ++i)
    for (Index j = i; j < M.cols(); ++j)
      if (M(i, j) != 0) beyond = std::max(beyond, j == i ? Index(1) : M.cols());
  return beyond;
}

/// `list(method, listing)` describes where the coefficients of a method are.
template <class Of>
std::vector<std::string> repairs(const Of& method, int digits, int order, const auto& list, const auto& exchangeable,
                                 const auto& residuals, const auto& proved) {
  RepairProblem problem;
  problem.digits = digits, problem.order = std::max(order, 1), problem.exchangeable = exchangeable;
  Of copy = method;
  Listing listing(problem.lists);
  list(copy, listing);
  const auto with = [&](const NamedCoefficients& lists) {
    Of changed = method;
    Listing reading(lists);
    list(changed, reading);
    return changed;
  };
  problem.residuals = [&](const NamedCoefficients& lists, int up_to) { return residuals(with(lists), up_to); };
  problem.proved = [&](const NamedCoefficients& lists) { return proved(with(lists)); };
  return nearest_changes(problem);
}

using ListPairs = std::vector<std::pair<std::size_t, std::size_t>>;

// ----- Rosenbrock methods -----

void list_rosenbrock(RosenbrockTableau& t, Listing& listing) {
  listing.take_rows("/alpha", t.alpha, 0);
  listing.take_rows("/gamma", t.gamma, 0);
  listing.take("/weights", t.b), listing.take("/embedded_weights", t.b_embedded);
}

std::vector<std::string> rosenbrock_repairs(const RosenbrockTableau& t, const ClaimedOrders& claimed) {
  // Order on index 1 takes that on ordinary equations.
  const int order = std::max(order_in(claimed, "order"), order_in(claimed, "index-1 order")),
            embedded = std::max(order_in(claimed, "embedded order"), order_in(claimed, "embedded index-1 order"));
  const FastConditions conditions(std::max(order, embedded), 0);
  const bool has_embedded = t.b_embedded.size() > 0;
  const auto residuals = [&](const RosenbrockTableau& tableau, int up_to) {
    const Matrix<Real100> beta = tableau.beta();
    std::vector<Real100> all = conditions.residuals(beta, tableau.alpha, tableau.b, std::min(order, up_to));
    if (has_embedded)
      append(all, conditions.residuals(beta, tableau.alpha, tableau.b_embedded, std::min(embedded, up_to)));
    return all;
  };
  const auto proved = [&](const RosenbrockTableau& tableau) {
    const RosenbrockOrders found = rosenbrock_orders(tableau, false);
    const RosenbrockOrders beside = has_embedded ? rosenbrock_orders(tableau, true) : RosenbrockOrders{};
    Reached reached(claimed);
    reached.add("order", [&] { return found.ordinary; }), reached.add("index-1 order", [&] { return found.index_1; });
    reached.add("order as W-method", [&] { return found.w; });
    reached.add("embedded order", [&] { return beside.ordinary; });
    reached.add("embedded index-1 order", [&] { return beside.index_1; });
    return reached.text();
  };
  NamedCoefficients lists;
  RosenbrockTableau copy = t;
  Listing listing(lists);
  list_rosenbrock(copy, listing);
  ListPairs exchangeable;
  if (has_embedded) exchangeable.emplace_back(lists.size() - 2, lists.size() - 1);
  return repairs(t, t.digits, std::max(order, embedded), list_rosenbrock, exchangeable, residuals, proved);
}

// ----- Nyström and partitioned methods -----

// Positions and velocities are moved in turn.
bool is_splitting(const PartitionedPair& pair) {
  for (Index i = 0; i < pair.b.size(); ++i)
    for (Index j = 0; j < pair.b.size(); ++j)
      if (pair.A(i, j) != (j < i ? pair.b[j] : Real100(0)) || pair.A_hat(i, j) != (j <= i ? pair.b_hat[j] : Real100(0)))
        return false;
  return true;
}

void list_splitting(NystromTableau& t, Listing& listing) {
  PartitionedPair& pair = *t.pair;
  const Index s = pair.b.size();
  listing.take("/kicks", pair.b_hat);
  listing.take("/drifts", pair.b.head(pair.b[s - 1] == 0 ? s - 1 : s));
  for (Index i = 0; i < s; ++i) {
    pair.A.row(i).head(i) = pair.b.head(i).transpose();
    pair.A_hat.row(i).head(i + 1) = pair.b_hat.head(i + 1).transpose();
  }
  take_pair(pair, t);
}

void list_halves(NystromTableau& t, Listing& listing) {
  PartitionedPair& pair = *t.pair;
  listing.take_rows("/positions/A", pair.A, beyond_diagonal(pair.A)), listing.take("/positions/b", pair.b);
  listing.take_rows("/velocities/A", pair.A_hat, beyond_diagonal(pair.A_hat));
  listing.take("/velocities/b", pair.b_hat);
  take_pair(pair, t);
}

void list_nystrom(NystromTableau& t, Listing& listing) {
  listing.take("/c", t.c), listing.take_rows("/A_bar", t.A_bar, beyond_diagonal(t.A_bar));
  if (t.A.size() > 0) listing.take_rows("/A", t.A, beyond_diagonal(t.A));
  listing.take("/b_bar", t.b_bar), listing.take("/b", t.b);
  listing.take("/b_bar_embedded", t.b_bar_embedded), listing.take("/b_embedded", t.b_embedded);
}

std::vector<std::string> nystrom_repairs(const NystromTableau& t, const ClaimedOrders& claimed) {
  const int order = order_in(claimed, "order"), embedded = order_in(claimed, "embedded order"),
            separable = order_in(claimed, "separable order");
  const bool velocities = has_stage_velocities(t), has_embedded = t.b_embedded.size() > 0;
  if (std::max({order, embedded, separable}) > highest_nystrom_order) return {};
  const auto residuals = [&](const NystromTableau& tableau, int up_to) {
    std::vector<Real100> all = nystrom_residuals(tableau, std::min(order, up_to), velocities);
    if (has_embedded)
      append(all, nystrom_residuals(tableau, std::min(embedded, up_to), velocities, NystromWeights::embedded));
    if (!tableau.pair) return all;
    all.push_back(tableau.pair->b.sum() - 1);
    append(all, separable_residuals(tableau, std::min(separable, up_to)));
    return all;
  };
  const auto proved = [&](const NystromTableau& tableau) -> std::string {
    if (positions_off(tableau) != 0) return "";
    Reached reached(claimed);
    reached.add("order", [&] { return order_before(nystrom_defect(tableau, order, velocities), order); });
    if (has_embedded)
      reached.add("embedded order", [&] {
        return order_before(nystrom_defect(tableau, embedded, velocities, NystromWeights::embedded), embedded);
      });
    if (tableau.pair)
      reached.add("separable order", [&] { return order_before(separable_defect(tableau, separable), separable); });
    return reached.text();
  };
  const auto list = !t.pair ? list_nystrom : is_splitting(*t.pair) ? list_splitting : list_halves;
  ListPairs exchangeable;
  if (t.pair && is_splitting(*t.pair) && t.pair->b[t.stages() - 1] != 0) exchangeable.emplace_back(0, 1);
  return repairs(t, t.digits, std::max({order, embedded, separable}), list, exchangeable, residuals, proved);
}

// ----- multistep formulas -----

void list_multistep(MultistepForm& form, Listing& listing) {
  listing.take("/alpha", form.formula.alpha), listing.take("/beta", form.formula.beta);
}

// sum_j alpha_j x_j^q = q sum_j beta_j x_j^(q-1), x_j = 1 - j. [HNW93, theorem III.2.4]
std::vector<Real100> multistep_residuals(const MultistepFormula& formula, int order) {
  std::vector<Real100> all;
  for (int q = 0; q <= order; ++q) {
    Real100 sum = 0;
    for (Index j = 0; j < formula.alpha.size(); ++j) {
      const Real100 x = 1 - static_cast<int>(j);
      sum += formula.alpha[j] * (q == 0 ? Real100(1) : pow(x, q));
      if (q > 0) sum -= q * formula.beta[j] * (q == 1 ? Real100(1) : pow(x, q - 1));
    }
    all.push_back(sum);
  }
  return all;
}

std::vector<std::string> multistep_repairs(const MultistepForm& form, const ClaimedOrders& claimed) {
  const int order = order_in(claimed, "order");
  const auto residuals = [](const MultistepForm& changed, int up_to) {
    return multistep_residuals(changed.formula, up_to);
  };
  const auto proved = [&](const MultistepForm& changed) -> std::string {
    if (changed.formula.alpha[0] == 0 || !zero_stable(changed).holds) return "";
    Reached reached(claimed);
    reached.add("order", [&] { return multistep_order(changed).order; });
    return reached.text();
  };
  return repairs(form, 0, order, list_multistep, ListPairs{}, residuals, proved);
}

// All claims together, and where no slip explains them, that of the order alone.
std::vector<std::string> with_fewer_claims(const ClaimedOrders& claimed, const auto& search) {
  std::vector<std::string> found = search(claimed);
  const auto order = claimed.find("order");
  if (!found.empty() || order == claimed.end() || claimed.size() == 1) return found;
  return search(ClaimedOrders{*order});
}

}  // namespace

std::vector<std::string> family_repairs(const MethodForm& form, const ClaimedOrders& claimed) {
  return with_fewer_claims(claimed, [&](const ClaimedOrders& orders) -> std::vector<std::string> {
    if (const auto* rosenbrock = std::get_if<RosenbrockTableau>(&form)) return rosenbrock_repairs(*rosenbrock, orders);
    if (const auto* nystrom = std::get_if<NystromTableau>(&form)) return nystrom_repairs(*nystrom, orders);
    if (const auto* multistep = std::get_if<MultistepForm>(&form); multistep && !multistep->predictor)
      return multistep_repairs(*multistep, orders);
    return {};
  });
}

std::vector<std::string> family_repairs(const CompositionScheme& scheme, const ClaimedOrders& claimed) {
  const int order = order_in(claimed, "order");
  if (order == 0 || order > highest_composition_order) return {};
  const auto list = [](CompositionScheme& s, Listing& listing) { listing.take("/weights", s.weights); };
  const auto residuals = [](const CompositionScheme& s, int up_to) { return composition_residuals(s.weights, up_to); };
  const auto proved = [&](const CompositionScheme& s) {
    Reached reached(claimed);
    reached.add("order", [&] {
      const CompositionDefect defect = composition_defect(s.weights, order, s.tolerance);
      return defect.order == 0 ? order : defect.order - 1;
    });
    return reached.text();
  };
  return repairs(scheme, scheme.digits, order, list, ListPairs{}, residuals, proved);
}

}  // namespace daelab
