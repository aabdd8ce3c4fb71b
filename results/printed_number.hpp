// Our numbers beside printed ones.
#pragma once

#include <string>

namespace daelab {

/// "7.0007E-5" has 5, "0.0021" has 2.
int significant_digits(const std::string& printed);

/// "7.0007E-5": one digit before the point, no padding of the exponent.
std::string scientific(double x, int digits);

/// Our number in the style of the printed one: as many digits, with or without exponent. More than
/// a factor of 10 away from a number printed without exponent it gets one.
std::string print_alike(double ours, const std::string& printed);

/// The verdict on a claim of kind "number". k digits: the relative difference is below 10^-k.
std::string judge_number(double ours, const std::string& printed);

}  // namespace daelab
