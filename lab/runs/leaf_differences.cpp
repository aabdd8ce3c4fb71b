#include "lab/runs/leaf_differences.hpp"

#include <algorithm>
#include <utility>

namespace daelab {
namespace {

class Comparison {
 public:
  // False where the members are not the same.
  bool compare(const Json& like, const Json& json) {
    if (like.size() != json.size()) return false;
    for (std::size_t i = 0; i < json.items().size(); ++i) {
      const auto& [their_key, theirs] = like.items()[i];
      const auto& [key, ours] = json.items()[i];
      if (key != their_key || ours.is_object() != theirs.is_object()) return false;
      if (!ours.is_object())
        compare_leaf(theirs, ours);
      else if (!compare(theirs, ours))
        return false;
    }
    return true;
  }
  std::vector<LeafDifference> found;

 private:
  void compare_leaf(const Json& like, const Json& json) {
    if (!same_text(like, json)) found.push_back({leaf_, json});
    ++leaf_;
  }
  std::uint32_t leaf_ = 0;
};

// From the place of `next` on; counts the leaves.
void put_into(Json& json, std::uint32_t& leaf, std::vector<LeafDifference>::const_iterator& next,
              std::vector<LeafDifference>::const_iterator end) {
  for (auto& [key, value] : json.members()) {
    if (next == end) return;
    if (value.is_object())
      put_into(value, leaf, next, end);
    else if (leaf++ == next->leaf)
      value = next++->value;
  }
}

}  // namespace

bool same_text(const Json& a, const Json& b) {
  if (a.is_string() && b.is_string()) return a == b;
  if (a.is_null() && b.is_null()) return true;
  if (a.is_object() && b.is_object())
    return std::ranges::equal(a.items(), b.items(), [](const auto& x, const auto& y) {
      return x.first == y.first && same_text(x.second, y.second);
    });
  return a.dump(-1, Json::Utf8::replace) == b.dump(-1, Json::Utf8::replace);
}

std::optional<std::vector<LeafDifference>> leaf_differences(const Json& like, const Json& json) {
  Comparison comparison;
  if (!comparison.compare(like, json)) return {};
  comparison.found.shrink_to_fit();
  return std::move(comparison.found);
}

Json with_differences(Json like, const std::vector<LeafDifference>& differences) {
  std::uint32_t leaf = 0;
  auto next = differences.begin();
  put_into(like, leaf, next, differences.end());
  return like;
}

}  // namespace daelab
