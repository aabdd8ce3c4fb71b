// The report card of a method, for reading.
#pragma once

#include "analysis/exact_coefficients.hpp"
#include "analysis/method_report.hpp"

namespace daelab::app {

void print_method_card(const MethodReport& report, const ExactCoefficients& coefficients);

}  // namespace daelab::app
