// Formulas and steps of algorithms that a paper prints, compared in exact fractions with what they follow from:
// Jacobians with the derivatives of the equations that they belong to, formulas of HHT with the motions that they are
// exact on, formulas of differences with interpolation, and steps of algorithms with the equations that they carry out.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/exact.hpp"

namespace daelab {

/// By their numbers in [Ren20]; jacobian_84 is the one after (84).
enum class PrintedFormula {
  parameters_21,     // gamma and beta of HHT
  states_22,         // q_(n+1) and v_(n+1) by the accelerations
  accelerations_23,  // at n - alpha and n + 1 - alpha
  balance_24,        // the equations of motion at n + 1 - alpha, with (25)
  error_34,          // the constant c of the error c h^2 x, for rho
  jacobian_33,       // of (32): generalized-alpha on index 3
  jacobian_39,       // of (38): generalized-alpha on index 2
  jacobian_79,       // of (78): BDF on index 3
  jacobian_84,       // of (84): BDF on index 2
  resampling_54,     // differences on another grid: R U
  involution_55,     // U U = I
  recursion_59,      // differences at the next point, changing steps
  prediction_61,     // the predicted value, with (58)
  derivative_63,     // the derivative at the next point, with (58), (64)
  truncation_64,     // its error for a polynomial of degree k + 1
  algorithm_2,       // step 1: the relaxation factor with a new Jacobian
  algorithm_3,       // step 5 h: the step after a second failure, which the text after (36) halves
  algorithm_4        // step 5 f: differences of velocities, which (59) gives
};
std::vector<std::string> names_of(PrintedFormula);

/// What a formula is compared for.
struct FormulaCase {
  PrintedFormula formula = PrintedFormula::jacobian_33;
  bool mended = false;         // with its misprints mended
  bool variable_mass = false;  // of Jacobians: M depends on q
  int k = 3;                   // of differences: order
  Exact rho = "4/5";           // of error_34: a fraction
};

struct FormulaCheck {
  bool agrees = false;
  std::vector<std::string> differing;  // blocks "1,2" of Jacobians, entries of others
  std::optional<double> value;         // of what is a number
};

FormulaCheck check_formula(const FormulaCase& of);

}  // namespace daelab
