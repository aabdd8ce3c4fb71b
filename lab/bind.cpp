#include "lab/bind.hpp"

#include "lab/project.hpp"

namespace daelab {

std::shared_ptr<const Run> bind(const RunSpec& spec) {
  load_project();
  return Run::of(spec);
}

}  // namespace daelab
