#include "methods/geometric/symmetric_base.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/integration/symmetric_method.hpp"

namespace daelab {
namespace {

bool is_symmetric(const Method& method) {
  const auto* const known = dynamic_cast<const SymmetricMethod*>(&method);
  return known != nullptr && known->is_symmetric();
}

std::vector<std::string> symmetric_methods(const std::string& itself) {
  std::vector<std::string> names;
  for (const std::string& name : Registry<Method>::instance().names())
    if (name != itself && is_symmetric(*Registry<Method>::instance().make(name, ""))) names.push_back(name);
  return names;
}

}  // namespace

std::shared_ptr<Method> symmetric_base(const Json& spec, const std::string& itself, const std::string& needed_for,
                                       const std::string& where) {
  std::shared_ptr<Method> base = Registry<Method>::instance().make(spec, where);
  if (!is_symmetric(*base))
    throw InputError(where, fmt::format("{} is not symmetric, or not known to be, and {}: choose one of {}",
                                        base->name(), needed_for, fmt::join(symmetric_methods(itself), ", ")));
  return base;
}

}  // namespace daelab
