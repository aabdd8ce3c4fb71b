// The forms of a mechanism by functions of double.
#pragma once

#include "core/mechanism/function_derivatives.hpp"
#include "core/mechanism/given_forms.hpp"

namespace daelab {

std::shared_ptr<const GivenForms> forms_of_functions(MechanismFunctions functions);

}  // namespace daelab
