// Methods as runs name them.
#pragma once

#include <memory>
#include <string>

#include "core/base/paths.hpp"
#include "core/integration/method.hpp"
#include "core/integration/method_files.hpp"

namespace daelab {

/// A method by its specification, tableaus of the project among them.
inline std::shared_ptr<Method> method_of(const std::string& spec) {
  [[maybe_unused]] static const bool with_tableaus = (load_method_files(project_path("methods")), true);
  return Registry<Method>::instance().make(spec, "");
}

}  // namespace daelab
