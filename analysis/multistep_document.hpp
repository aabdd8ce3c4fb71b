// Linear multistep formulas as JSON documents, as their text prints them.
#pragma once

#include <string>

#include "core/base/json.hpp"
#include "core/integration/method_form.hpp"

namespace daelab {

/// Lists alpha and beta without the options of a registered method.
bool is_multistep_document(const Json& json);

/// {"name"?, "alpha", "beta", "predictor": {"alpha", "beta"}?, "one_leg"?, ...}: the weights of y_(n+1), y_n, ... and
/// of h f_(n+1), h f_n, ..., newest first; shorter lists end with zeros. Nothing that the document claims is asked for.
///
/// Decimals of eight places and more are rounded to them if conditions say so: numbers within one unit of the last
/// place are taken that fulfil as many order conditions as can be met, the nearest of them. Those of a formula that its
/// order determines are its fractions. Throws InputError with the place.
MultistepForm multistep_as_printed(const Json& json, const std::string& where);

}  // namespace daelab
