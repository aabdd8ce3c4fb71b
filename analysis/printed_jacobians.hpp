// The Jacobians that [Ren20] prints for its discretised equations, against their derivatives in exact fractions, on a
// mechanism of two coordinates and one constraint that has every term they have.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098.
#pragma once

#include <string>
#include <vector>

namespace daelab::printed {

/// The blocks "row,column" in which the printed matrix is not the derivative. `variable_mass`: M depends on q.
std::vector<std::string> jacobian_33(bool variable_mass);
std::vector<std::string> jacobian_39(bool variable_mass, bool mended);
std::vector<std::string> jacobian_79(bool variable_mass);
/// That after (84).
std::vector<std::string> jacobian_84(bool variable_mass, bool mended);

}  // namespace daelab::printed
