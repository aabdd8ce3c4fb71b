#include "lab/bind.hpp"

#include "lab/project.hpp"

namespace daelab {

std::shared_ptr<const Run> bind(const RunSpec& spec) {
  load_project();
  return Run::of(spec);
}

std::shared_ptr<const Run> bind(const RunSpec& spec, const Context& context) {
  load_project();
  return Run::of(spec, "", &context);
}

}  // namespace daelab
