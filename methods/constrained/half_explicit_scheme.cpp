#include "methods/constrained/half_explicit_scheme.hpp"

#include <vector>

#include "core/base/exact.hpp"

namespace daelab {
namespace {

using Rows = std::vector<std::vector<Exact>>;

// Rows of A from the second one on, b, the embedded weights and their order; of `constrained` the rows between the
// first and the last one, where they are not the rows of A that follow.
struct Coefficients {
  Rows below;
  std::vector<Exact> embedded;
  int embedded_order;
  Rows constrained = {};
};

// The explicit Euler method, the trapezoidal rule on the slopes at both ends beside it.
Coefficients of_order_1() { return {{{1}}, {0, "1/2", "1/2"}, 2}; }

// The explicit midpoint rule, the explicit Euler method beside it.
Coefficients of_order_2() { return {{{"1/2"}, {0, 1}}, {0, 0, 1, 0}, 1}; }

// [BH93]; the embedded weights form a family with two parameters, which are chosen so that each elementary differential
// of order 3 enters the estimate.
Coefficients of_order_3() { return {{{"1/3"}, {-1, 2}, {0, "3/4", "1/4"}}, {0, "9/16", "3/16", "1/8", "1/8"}, 2}; }

// HEM4 [BH93]. The weights of order 3 are b and multiples of one vector; here stage 5 drops out.
Coefficients of_order_4() {
  return {{{"3/10"},
           {"(1 + sqrt(6))/30", "(11 - 4 sqrt(6))/30"},
           {"(-79 - 31 sqrt(6))/150", "(-1 - 4 sqrt(6))/30", "(24 + 11 sqrt(6))/25"},
           {"(14 + 5 sqrt(6))/6", "(-8 + 7 sqrt(6))/6", "(-9 - 7 sqrt(6))/4", "(9 - sqrt(6))/4"},
           {0, 0, "(16 - sqrt(6))/36", "(16 + sqrt(6))/36", "1/9"}},
          {0, 0, "(9 + sqrt(6))/18", "(9 - sqrt(6))/18", 0, "-1/6", "1/6"},
          3};
}

// The pair of Dormand and Prince, partitioned [Mur97; Arn98]. With nodes d_i = sum_j constrained_ij, no weight of stage
// 2 from row 3 on, and
//
//   sum_j constrained_ij c_j^(k-1) = d_i^k / k,   k = 1, 2, 3,
//
// multipliers are exact up to order 2 in every stage. What is left of all conditions of order 5, and of the embedded
// ones of order 4, are three equations for the next error of the multipliers: they determine d_4 = 4/5 and leave d_5
// free, which is c_5 here: of the values tried, it leaves fewest conditions of order 6 violated.
Coefficients of_order_5() {
  return {{{"1/5"},
           {"3/40", "9/40"},
           {"44/45", "-56/15", "32/9"},
           {"19372/6561", "-25360/2187", "64448/6561", "-212/729"},
           {"9017/3168", "-355/33", "46732/5247", "49/176", "-5103/18656"},
           {"35/384", 0, "500/1113", "125/192", "-2187/6784", "11/84"}},
          {"5179/57600", 0, "7571/16695", "393/640", "-92097/339200", "187/2100", 0, "1/40"},
          4,
          {{"3/40", "9/40"},
           {"9/80", 0, "27/80"},
           {"2/45", 0, "128/225", "14/75"},
           {"1688/19683", 0, "488960/1043199", "3160/6561", "-632/4293"}}};
}

Coefficients coefficients(int order) {
  switch (order) {
    case 1:
      return of_order_1();
    case 2:
      return of_order_2();
    case 3:
      return of_order_3();
    case 4:
      return of_order_4();
    default:
      return of_order_5();
  }
}

}  // namespace

HalfExplicitScheme half_explicit_scheme(int order) {
  const Coefficients given = coefficients(order);
  const Index s = static_cast<Index>(given.below.size());
  HalfExplicitScheme scheme;
  Tableau& tableau = scheme.tableau;
  Matrix<Real100>& constrained = scheme.constrained;
  tableau.name = "half-explicit of order " + std::to_string(order);
  tableau.claimed_order = order;
  tableau.A.setZero(s, s), tableau.b.setZero(s), constrained.setZero(s, s);
  const auto fill = [](const std::vector<Exact>& entries, auto&& row) {
    for (std::size_t j = 0; j < entries.size(); ++j) row[static_cast<Index>(j)] = entries[j].value();
  };
  for (Index i = 0; i + 1 < s; ++i) fill(given.below[static_cast<std::size_t>(i)], tableau.A.row(i + 1));
  fill(given.below.back(), tableau.b);
  tableau.c = tableau.A.rowwise().sum();
  if (given.constrained.empty()) constrained.topRows(s - 1) = tableau.A.bottomRows(s - 1);
  for (std::size_t i = 0; i < given.constrained.size(); ++i)
    fill(given.constrained[i], constrained.row(static_cast<Index>(i) + 1));
  constrained.row(s - 1) = tableau.b.transpose();
  scheme.embedded.setZero(s + 2);
  fill(given.embedded, scheme.embedded);
  scheme.embedded_order = given.embedded_order;
  return scheme;
}

}  // namespace daelab
