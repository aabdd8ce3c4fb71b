// Explicit methods on Lie groups by their coefficients, and their orders by ordered trees:
//
//   g_i = g_n exp(h x^1_i) exp(h x^2_i) ...,   v_i = v(t_n + c_i h, g_i),   g_(n+1) = g_n exp(h x^1) exp(h x^2) ...,
//   x = sum_j a_j k_j + sum_jl w_jl h [k_j, k_l]
//
// with k_j = v_j, or of Runge-Kutta-Munthe-Kaas methods k_j = T^-1(h x_j) v_j, in closed form or by the first powers of
// the series. The first factor acts first. Commutators are those of g' = g v; those of u' = A(t, u) u have the other
// sign.
//
// [MK98] Munthe-Kaas, Runge-Kutta methods on Lie groups, BIT 38(1), 1998, 92-111: with p - 2 powers and more the order
//        p of the tableau in R^n holds on Lie groups.
// [Owr06] Owren, Order conditions for commutator-free Lie group methods, Journal of Physics A 39, 2006, 5585-5599.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json.hpp"
#include "core/integration/tableau.hpp"

namespace daelab {

/// One exponential.
struct LieExponent {
  struct Commutator {
    Index first = 0, second = 0;
    Real100 weight = 0;
  };
  Vector<Real100> weights;  // of all slopes
  std::vector<Commutator> commutators = {};
};
using LieProduct = std::vector<LieExponent>;

struct LieScheme {
  static constexpr int closed_form = std::numeric_limits<int>::max();

  std::vector<LieProduct> stages;
  LieProduct step;
  Tableau in_space;                         // what it is in R^n
  std::optional<int> inverse_tangent = {};  // powers of hat(w) in T^-1(w), or closed_form; nothing: k_j = v_j
  Real100 tolerance{"1e-80"};               // what rounded coefficients may make of a condition
};

/// The sums of all exponentials of a scheme, whose commutators vanish in R^n; digits of rounded coefficients, or 0.
Tableau tableau_in_space(const LieScheme& scheme, int digits);

/// An explicit tableau on coordinates of the first kind.
LieScheme munthe_kaas_scheme(const Tableau& tableau, int inverse_tangent);

/// Highest order whose conditions can be checked.
inline constexpr int highest_lie_order = 6;

/// The largest defect of the lowest order up to `highest` whose conditions do not hold within the tolerance; order 0:
/// none.
struct LieOrderDefect {
  int order = 0;
  std::string trees;  // a word of ordered trees: [] one vertex, [[]] one above it, [][] the product of two
  Real100 residual = 0;
};
/// The equation g' = g v with v(g), or with v(t, g) at the times of the stages.
enum class LieEquation { autonomous, with_time };
LieOrderDefect lie_order_defect(const LieScheme& scheme, int highest, LieEquation equation);

/// What methods on Lie groups say of themselves.
class LieGroupMethod {
 public:
  virtual ~LieGroupMethod() = default;
  virtual LieScheme lie_scheme() const = 0;
};

}  // namespace daelab
