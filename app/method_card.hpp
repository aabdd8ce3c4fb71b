// The report card of a method, as JSON and for reading.
#pragma once

#include "core/integration/method.hpp"

namespace daelab::app {

/// All of analysis/method_report.hpp, and "coefficients".
Json method_card(const Method& method);

void print_method_card(const Json& card);

}  // namespace daelab::app
