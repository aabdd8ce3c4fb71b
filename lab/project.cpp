#include "lab/project.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <mutex>

#include "core/base/context.hpp"
#include "core/base/input_error.hpp"
#include "core/base/paths.hpp"
#include "core/documents/json_problem.hpp"
#include "core/integration/method_files.hpp"

namespace daelab {

void load_project() {
  static std::once_flag once;
  std::call_once(once, [] {
    const Context::Scope scope(Context::process());
    const std::string methods = project_path("methods");
    const bool there = std::filesystem::is_directory(methods);
    if (!there && !copies_are_read())
      throw InputError(
          fmt::format("methods, problems and experiments, which belong to the program, are not {}: set DAELAB_ROOT to "
                      "the folder that holds them, or install the program with cmake --install",
                      project_root().empty() ? "beside this program" : "in " + project_root()));
    if (there) load_method_files(methods);
    load_problem_files(project_path("problems"));
  });
}

}  // namespace daelab
