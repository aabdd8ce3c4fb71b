// Refuses mechanisms that are too large for forms with dense matrices.
#pragma once

#include <fmt/format.h>

#include <string>

#include "core/mechanism/dense_limits.hpp"
#include "core/mechanism/mechanical_model.hpp"

namespace daelab {

/// "" unless a form would need dense matrices of too many unknowns.
template <class T>
std::string dense_refusal(const char* form, const MechanicalModel<T>& model) {
  const Index unknowns = model.coordinates() + model.constraints();
  if (unknowns <= most_dense_unknowns) return "";
  return fmt::format("{0} needs dense matrices of at most {2} unknowns, here {1}: use ggl or index-1", form, unknowns,
                     most_dense_unknowns);
}

}  // namespace daelab
