#include "methods/multistep/order_selection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daelab {
namespace {

// [Ren20, table 1]: largest growth of a step of order j; order 1 is not bounded. The table ends with order 5; that of 6
// is the bound of zero-stability for constant growth (bdf_limits), rounded down.
constexpr double growth_cap[] = {0, std::numeric_limits<double>::infinity(), 2.6, 1.9, 1.5, 1.2, 1.04};
// [Ren20, table 2]: s_k of Skelboe's test, k = 3, 4, 5. Every growing mode of order 6 has a ratio above 1.03.
constexpr double skelboe[] = {0, 0, 0, 0.59, 0.65, 0.89, 1};

// |nabla^first| >= |nabla^(first + 1)| >= ... >= |nabla^last|
bool falls(const DifferenceSizes& sizes, int first, int last) {
  for (int j = first; j < last; ++j)
    if (!(sizes.nabla[j] >= sizes.nabla[j + 1])) return false;
  return true;
}

}  // namespace

double DifferenceSizes::E(int j) const {
  return std::pow(error[j] * nabla[j + 1] + std::numeric_limits<double>::epsilon(), 1.0 / (j + 1));
}

const std::vector<std::string>& OrderSelector::names() {
  static const std::vector<std::string> names{"plain",   "difsub",   "dassl",          "skelboe",
                                              "stewart", "combined", "skelboe-stewart"};
  return names;
}

OrderSelector::OrderSelector(const std::string& name, int highest, bool growth_caps)
    : rule_(static_cast<Rule>(std::find(names().begin(), names().end(), name) - names().begin())),
      highest_(highest),
      growth_caps_(growth_caps) {}

int OrderSelector::lowest_difference(int k) const {
  if (rule_ == Rule::plain) return std::min(k, 2);  // E_1 looks at nabla^2
  return rule_ == Rule::dassl ? std::max(k - 1, 1) : k;
}

double OrderSelector::ratio(const DifferenceSizes& sizes, int j) const {
  const int k = sizes.order;
  double ratio;
  if (rule_ == Rule::plain)
    ratio = 0.8 / sizes.E(j);
  else if (rule_ == Rule::dassl)
    ratio = std::pow(2.0, -1.0 / (j + 1)) / sizes.E(j);
  else  // [Ren20, eq. (85)]
    ratio = 1 / ((j < k ? 1.3 : j == k ? 1.2 : 1.4) * sizes.E(j));
  return growth_caps_ ? std::min(ratio, growth_cap[j]) : ratio;
}

// Skelboe: differences that grow as a mode of the unstable formula of order k makes them grow.
bool OrderSelector::must_lower(const DifferenceSizes& sizes) const {
  const int k = sizes.order;
  if (rule_ != Rule::skelboe && rule_ != Rule::combined && rule_ != Rule::skelboe_stewart) return false;
  return k >= 3 && skelboe[k] * sizes.nabla[k] <= sizes.nabla[k + 1];
}

bool OrderSelector::may_raise(const DifferenceSizes& sizes) const {
  const int k = sizes.order;
  if (k >= highest_) return false;
  if (rule_ == Rule::dassl) return falls(sizes, std::max(k - 1, 1), k + 2);
  if (rule_ == Rule::combined) return falls(sizes, k, k + 2);
  if (rule_ == Rule::stewart || rule_ == Rule::skelboe_stewart)
    return sizes.growth * sizes.nabla[k + 2] < std::max(sizes.nabla[k + 1], 0.9 * sizes.nabla[k]);
  return true;
}

// The order with the largest step; k, where another one does not gain.
StepChoice OrderSelector::best(const DifferenceSizes& sizes, int lowest, int highest) const {
  StepChoice choice{highest, ratio(sizes, highest)};
  for (int j = highest - 1; j >= lowest; --j)
    if (const double r = ratio(sizes, j); r > choice.ratio) choice = {j, r};
  return choice;
}

StepChoice OrderSelector::next(const DifferenceSizes& sizes) const {
  const int k = sizes.order;
  if (must_lower(sizes)) return {k - 1, ratio(sizes, k - 1)};
  StepChoice choice = best(sizes, rule_ == Rule::plain ? 1 : std::max(k - 1, 1), k);
  if (!may_raise(sizes)) return choice;
  if (const double r = ratio(sizes, k + 1); r > choice.ratio) choice = {k + 1, r};
  return choice;
}

StepChoice OrderSelector::again(const DifferenceSizes& sizes) const {
  const int k = sizes.order;
  StepChoice choice{k, ratio(sizes, k)};
  if (must_lower(sizes))
    choice = {k - 1, ratio(sizes, k - 1)};
  else if (rule_ != Rule::combined)  // which keeps the order [Ren20, algorithm 4, step 5 h]
    choice = best(sizes, rule_ == Rule::plain ? 1 : std::max(k - 1, 1), k);
  choice.ratio = std::min(choice.ratio, 1.0);
  return choice;
}

}  // namespace daelab
