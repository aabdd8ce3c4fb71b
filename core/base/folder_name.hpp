// Names that become folders.
#pragma once

#include <string>

namespace daelab {

/// Throws InputError, naming the place, for a text that is not the name of one folder below another: empty, with
/// slashes or control characters, beginning with a dot, or longer than file systems take.
void require_folder_name(const std::string& name, const std::string& where);

}  // namespace daelab
