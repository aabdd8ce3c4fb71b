// Weights of compositions: steps of w_1 h, ..., w_k h of a symmetric method of order 2 make one step h of a higher
// order.
//
// The logarithm of a symmetric method is h Y_1 + h^3 Y_3 + h^5 Y_5 + ..., so a composition is the product of the
// exponentials of w_i h Y_1 + (w_i h)^3 Y_3 + .... It has order p if in that product each word of letters Y_j of a sum
// of indices up to p has the coefficient 0, and 1/l! the word Y_1^l, as in exp(h Y_1): the Y_j do not commute, and
// nothing else is known of them. Of base methods of a higher order some Y_j are zero, and fewer conditions are left.
//
// [Yos90] Yoshida, Construction of higher order symplectic integrators, Physics Letters A 150, 1990, 262-268.
// [HLW06] Hairer, Lubich, Wanner, Geometric Numerical Integration, 2nd ed., Springer, 2006, Secs. III.3, V.3.
#pragma once

#include <string>
#include <vector>

#include "core/base/json.hpp"
#include "core/base/scalar.hpp"

namespace daelab {

struct CompositionScheme {
  std::string name, source;
  Vector<Real100> weights;  // (k), the same from both ends, of sum 1
  int order = 0;            // verified
  int digits = 0;           // to which the weakest weight is given; 0: all are exact
  Real100 tolerance{0};     // what the rounding of weights, or round-off, may make of a condition
};

/// What the conditions say of weights: the first order, up to `highest`, with a condition that does not hold.
struct CompositionDefect {
  int order = 0;  // of the condition; 0: there is none
  std::string word;
  Real100 residual{0};
};
inline constexpr int highest_composition_order = 10;  // that schemes may claim
/// Residuals of all conditions up to an order: polynomials in each weight, of degrees up to that order.
std::vector<Real100> composition_residuals(const Vector<Real100>& weights, int highest);
CompositionDefect composition_defect(const Vector<Real100>& weights, int highest, const Real100& tolerance);

/// Reads {"name", "order", "weights", "summary"?, "source"?}, weights as exact texts or numbers. Decimals of 14 places
/// and more are rounded ones. Throws InputError with the JSON pointer, and with the residual, for weights that are not
/// the same from both ends, that do not sum up to 1, or that have not the order.
CompositionScheme composition_scheme_from_json(const Json& json, const std::string& where);

/// The same, and nothing is asked of weights: they are what they are, shorter decimals rounded if that gives an order.
CompositionScheme composition_as_printed(const Json& json, const std::string& where);

/// The scheme of the file NAME.json in methods/geometric/, or of any file given as "@file.json". Throws InputError
/// under `where` with the known names and the nearest one.
CompositionScheme composition_scheme(const std::string& name, const std::string& where);

}  // namespace daelab
