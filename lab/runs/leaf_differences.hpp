// Places at which one JSON object differs from another of the same members.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/json.hpp"

namespace daelab {

/// A value of another object than `like`. Leaves, which are all values but objects, are counted in the order of `like`.
struct LeafDifference {
  std::uint32_t leaf;
  Json value;
};

/// What is written in another way in `json` than in `like`: 1 and 1.0 differ. Nothing where objects in them have other
/// members, or in another order.
std::optional<std::vector<LeafDifference>> leaf_differences(const Json& like, const Json& json);
/// `json` of the call that found them.
Json with_differences(Json like, const std::vector<LeafDifference>& differences);

/// Both are written in the same way.
bool same_text(const Json& a, const Json& b);

}  // namespace daelab
