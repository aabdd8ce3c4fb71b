#include "core/mechanism/first_order_forms.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <stdexcept>

namespace daelab {
namespace {

// A row of a constant matrix, reduced by the independent rows before it, and the sum of rows that it is.
struct ReducedRow {
  std::map<int, Real100> entries, sum;
};

void subtract(std::map<int, Real100>& from, const std::map<int, Real100>& row, const Real100& factor,
              const Real100& zero) {
  for (const auto& [place, value] : row) {
    Real100& entry = from[place];
    entry -= factor * value;
    if (abs(entry) <= zero) from.erase(place);
  }
}

Real100 largest(const std::map<int, Real100>& row) {
  Real100 size = 0;
  for (const auto& [place, value] : row) size = std::max(size, Real100(abs(value)));
  return size;
}

// Gaussian elimination, row by row, without changing their order.
class RowElimination {
 public:
  /// For a row that the ones before make: the sum of rows, itself with the factor 1, that vanishes. Empty: independent.
  std::map<int, Real100> vanishing_sum(int number, std::map<int, Real100> entries) {
    const Real100 zero = largest(entries) * Real100("1e-80");
    ReducedRow row{std::move(entries), {{number, 1}}};
    // Those before are without each other's pivots up to their own, so one pass in their order is enough.
    for (const auto& [pivot, other] : independent_) {
      const auto entry = row.entries.find(pivot);
      if (entry == row.entries.end()) continue;
      const Real100 factor = entry->second / other.entries.at(pivot);
      row.entries.erase(entry);
      auto rest = other.entries;
      rest.erase(pivot);
      subtract(row.entries, rest, factor, zero);
      subtract(row.sum, other.sum, factor, 0);
    }
    if (row.entries.empty()) return row.sum;
    const auto pivot = std::ranges::max_element(row.entries, {}, [](const auto& x) { return Real100(abs(x.second)); });
    independent_.emplace_back(pivot->first, std::move(row));
    return {};
  }

 private:
  std::vector<std::pair<int, ReducedRow>> independent_;  // by the columns of their pivots
};

}  // namespace

FirstOrderForms::FirstOrderForms(const Recording& recording, FormFacts& facts)
    : recording_(recording), facts_(facts), rates_(recording.rates) {
  if (facts.is_linearly_implicit)
    derive_implicit_rates();
  else
    differentiate_algebraic_equations();
}

FormParts FirstOrderForms::parts(FormKind kind, int detail) const {
  const int k = facts_.states;
  switch (kind) {
    case FormKind::rates:
      return {column(rates(detail))};
    case FormKind::rates_s:
      return {matrix(jacobian(rates(detail), recording_.s), k, k)};
    case FormKind::rates_mass:
      return {square(mass_, k)};
    case FormKind::rates_mass_s:
      return {rates_mass_s()};
    case FormKind::implicit_rates:
      return implicit_rates();
    case FormKind::hidden_constraints:
      return {column(hidden()), matrix(jacobian(hidden(), recording_.s), facts_.hidden_constraints, k)};
    default:
      return {};
  }
}

// d/dt g(t, s) = g_s f + g_t as long as g has no algebraic states. More derivatives than `most` no problem of
// Hessenberg form needs: the equation is left as it is then, and g_z is singular.
void FirstOrderForms::differentiate_algebraic_equations() {
  constexpr std::size_t most = 4;
  std::size_t most_derivatives = 0;
  const Recording& r = recording_;
  const auto split = r.s.end() - r.algebraic_states;
  const Expressions z(split, r.s.end());
  Expressions motion(r.s.begin(), split), rates(r.rates.begin(), r.rates.end() - r.algebraic_states);
  motion.push_back(r.t), rates.push_back(1);
  for (int i = 0; i < r.algebraic_states; ++i) {
    Expressions chain{r.rates[motion.size() - 1 + static_cast<std::size_t>(i)]};
    while (chain.size() <= most && jacobian({&chain.back(), 1}, z).entries.empty())
      chain.push_back(along({&chain.back(), 1}, motion, rates).front());
    if (chain.size() > most + 1) chain.resize(1);
    most_derivatives = std::max(most_derivatives, chain.size() - 1);
    facts_.hidden_constraints += static_cast<int>(chain.size()) - 1;
    derivatives_.push_back(std::move(chain));
  }
  facts_.index = r.algebraic_states == 0 ? 0 : static_cast<int>(most_derivatives) + 1;
}

Expressions FirstOrderForms::rates(int differentiations) const {
  Expressions rates = rates_;
  const std::size_t differential = rates.size() - derivatives_.size();
  for (std::size_t i = 0; i < derivatives_.size(); ++i)
    rates[differential + i] =
        derivatives_[i][std::min(derivatives_[i].size() - 1, static_cast<std::size_t>(differentiations))];
  return rates;
}

Expressions FirstOrderForms::hidden() const {
  Expressions hidden = constraint_rates();
  for (const Expressions& chain : derivatives_) hidden.insert(hidden.end(), chain.begin(), chain.end() - 1);
  return hidden;
}

std::string FirstOrderForms::hidden_constraint(Index i) const {
  constexpr const char* derivatives[] = {"", "the first derivative of ", "the second derivative of ",
                                         "the third derivative of "};
  const auto name = [&](std::size_t state, std::size_t times) {
    return fmt::format("{}the equation of {}", derivatives[times], recording_.state_names[state]);
  };
  auto place = static_cast<std::size_t>(i);
  if (place < facts_.constraint_rows.size()) return name(static_cast<std::size_t>(facts_.constraint_rows[place]), 0);
  place -= facts_.constraint_rows.size();
  std::size_t state = recording_.s.size() - derivatives_.size();
  for (const Expressions& chain : derivatives_) {
    if (place + 1 < chain.size()) return name(state, place);
    place -= chain.size() - 1, ++state;
  }
  throw std::logic_error("no such hidden constraint");
}

std::string FirstOrderForms::algebraic_equations() const {
  std::vector<std::string> list;
  for (const int row : facts_.constraint_rows) list.push_back(recording_.state_names[static_cast<std::size_t>(row)]);
  const std::size_t differential = recording_.s.size() - derivatives_.size();
  for (std::size_t i = 0; i < derivatives_.size(); ++i) {
    const std::size_t times = derivatives_[i].size() - 1;
    list.push_back(recording_.state_names[differential + i]);
    if (times > 0) list.back() += fmt::format(" (differentiated {} time{})", times, times == 1 ? "" : "s");
  }
  return fmt::format("{}", fmt::join(list, ", "));
}

// A sum of rows of a constant matrix that vanishes takes the place of the last of them, right side included:
// equations without derivatives are seen by structure then. Matrices that change are taken as they are.
void FirstOrderForms::derive_implicit_rates() {
  mass_ = recording_.rates_mass.entries();
  std::vector<std::map<int, Real100>> rows(recording_.s.size());
  const bool is_constant_mass = std::ranges::all_of(mass_, [](const auto& entry) { return is_constant(entry.value); });
  for (const auto& entry : mass_)
    rows[static_cast<std::size_t>(entry.row)].emplace(entry.column,
                                                      is_constant_mass ? constant_value(entry.value) : Real100(1));
  RowElimination elimination;
  for (int i = 0; i < facts_.states; ++i) {
    std::map<int, Real100>& row = rows[static_cast<std::size_t>(i)];
    if (is_constant_mass && !row.empty())
      if (const auto sum = elimination.vanishing_sum(i, row); !sum.empty()) {
        row.clear();
        Expression& rate = rates_[static_cast<std::size_t>(i)] = {};
        for (const auto& [other, factor] : sum)
          rate += Expression(factor) * recording_.rates[static_cast<std::size_t>(other)];
      }
    if (row.empty()) facts_.constraint_rows.push_back(i);
  }
  std::erase_if(mass_, [&](const auto& entry) { return rows[static_cast<std::size_t>(entry.row)].empty(); });
  for (int i = 0; i < facts_.states; ++i)
    sdot_.push_back(recording_.graph().input(static_cast<int>(InputBlock::a), i,
                                             recording_.state_names[static_cast<std::size_t>(i)] + "'"));
  facts_.hidden_constraints = static_cast<int>(facts_.constraint_rows.size());
  facts_.index = facts_.constraint_rows.empty() ? 0 : 1;
}

// f_i of the equations without derivatives.
Expressions FirstOrderForms::constraint_rates() const {
  Expressions list;
  for (const int row : facts_.constraint_rows) list.push_back(rates_[static_cast<std::size_t>(row)]);
  return list;
}

// (M s')_s
FormPart FirstOrderForms::rates_mass_s() const {
  Expressions momenta(recording_.s.size());
  for (const auto& entry : mass_)
    momenta[static_cast<std::size_t>(entry.row)] += entry.value * sdot_[static_cast<std::size_t>(entry.column)];
  return matrix(jacobian(momenta, recording_.s), facts_.states, facts_.states);
}

// W s' = b: M s' = f, and the time derivative of 0 = -f_i.
FormParts FirstOrderForms::implicit_rates() const {
  const Expressions constraints = constraint_rates();
  FormPart W = square(mass_, facts_.states);
  for (const auto& entry : jacobian(constraints, recording_.s).entries)
    W.entries.push_back({static_cast<std::uint32_t>(facts_.constraint_rows[entry.row]), entry.column, -entry.value});
  std::ranges::stable_sort(W.entries, {}, [](const auto& entry) { return std::pair(entry.column, entry.row); });
  Expressions b = rates_;
  for (std::size_t i = 0; i < constraints.size(); ++i)
    b[static_cast<std::size_t>(facts_.constraint_rows[i])] =
        gradient(constraints[i], std::vector{recording_.t}).front();
  return {W, column(b)};
}

}  // namespace daelab
