#include "core/base/input_error.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace daelab {
namespace {

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// Optimal string alignment: insert, delete, replace, and swap of neighbours cost one each.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) now[j] = std::min(now[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(now);
  }
  return last[b.size()];
}

}  // namespace

InputError InputError::in(const std::string& document) const {
  return InputError(document + (size_of_where_ == 0 ? "" : ": ") + where(), message());
}

std::string nearest_name(const std::string& name, const std::vector<std::string>& candidates) {
  std::string nearest;
  // A third of the letters wrong, plus one, is still a slip; replacing every letter never is.
  std::size_t limit = name.empty() ? 0 : std::min(name.size() / 3 + 1, name.size() - 1);
  bool found = false;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(lower_case(name), lower_case(candidate));
    if (distance > limit || (found && distance == limit)) continue;
    nearest = candidate;
    limit = distance;
    found = true;
  }
  if (found || name.size() < 3) return nearest;
  for (const std::string& candidate : candidates)  // or the beginning of a longer name
    if (lower_case(candidate).starts_with(lower_case(name))) return candidate;
  return nearest;
}

std::string did_you_mean(const std::string& name, const std::vector<std::string>& candidates) {
  const std::string near = nearest_name(name, candidates);
  return near.empty() ? "" : "; did you mean '" + near + "'?";
}

}  // namespace daelab
