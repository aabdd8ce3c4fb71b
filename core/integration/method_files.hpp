// Methods that are data: files of coefficients, without a compiler.
#pragma once

#include <string>

namespace daelab {

/// Registers every *.json of a folder and of the folders in it under the name it gives; what the coefficients mean is
/// known to the family that accepts such documents. Files that hold weights alone are left out: a composition names
/// them. Throws InputError unless the text is JSON, and for names that are taken; coefficients are read and verified
/// when the method is made, for 15 tableaus take as long as everything else at program start.
void load_method_files(const std::string& folder);

}  // namespace daelab
