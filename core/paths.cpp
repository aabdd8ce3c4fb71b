#include "core/paths.hpp"

#include <cstdlib>

namespace daelab {

std::string project_root() {
  const char* root = std::getenv("DAELAB_ROOT");
  return root && *root ? root : DAELAB_SOURCE_DIR;
}

}  // namespace daelab
