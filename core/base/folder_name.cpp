#include "core/base/folder_name.hpp"

#include <fmt/format.h>

#include "core/base/input_error.hpp"
#include "core/base/utf8.hpp"

namespace daelab {

void require_folder_name(const std::string& name, const std::string& where) {
  constexpr std::size_t longest = 200;  // of most file systems 255
  const bool one_line = !has_controls(name) && name.find_first_of("\t\r\n") == std::string::npos;
  if (!name.empty() && one_line && name.find_first_of("/\\") == std::string::npos && !name.starts_with(".") &&
      name.size() <= longest)
    return;
  throw InputError(where, fmt::format("names a folder: it must not contain slashes or control characters, be empty, "
                                      "begin with a dot or be longer than {} bytes",
                                      longest));
}

}  // namespace daelab
