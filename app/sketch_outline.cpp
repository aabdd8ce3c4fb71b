#include "app/sketch_outline.hpp"

#include <optional>
#include <vector>

#include "core/base/scratch_folder.hpp"
#include "core/base/write_file.hpp"
#include "core/mechanism/drawn_outline.hpp"
#include "report/figures/figure.hpp"

namespace daelab::app {

// Script and data of the drawing are not kept.
std::string sketch_of(const Problem& problem, const std::string& format) {
  const std::vector<DrawnShape> shapes = OutlineMotion(problem).at_start();
  if (shapes.empty()) return "";
  const ScratchFolder folder("daelab-sketch");
  write_figure({"sketch", problem.name(), {}, shapes}, "", folder.path(), {.formats = {format}});
  const std::optional<std::string> drawn = file_bytes(folder.path() + "/sketch." + format);
  if (!drawn) throw InputError("the drawing was not written");
  return *drawn;
}

}  // namespace daelab::app
