#include "results/contents.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <vector>

#include "core/base/json_kind.hpp"
#include "core/base/message.hpp"

namespace daelab {
namespace {

struct NumberedPart {
  const char *word, *list;  // "Section", and the list of its numbers
};
constexpr NumberedPart numbered_parts[] = {
    {"Section", "sections"}, {"Table", "tables"}, {"Figure", "figures"}, {"Formula", "formulas"}};
constexpr const char* named_parts = "parts";

std::vector<std::string> names_in(const Json& contents, const char* list) {
  return contents.value(list, std::vector<std::string>());
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<std::string> parts_of(const std::string& location) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin < location.size();) {
    const std::size_t end = std::min(location.find(", ", begin), location.size());
    parts.push_back(location.substr(begin, end - begin));
    begin = end + 2;
  }
  return parts;
}

// "Lemma 6" -> "Lemma": what begins so is a part of the paper. "" for names without a number.
std::string numbered_word(const std::string& name) {
  const std::size_t space = name.find(' ');
  const bool number = space != std::string::npos && space + 1 < name.size() &&
                      std::isdigit(static_cast<unsigned char>(name[space + 1])) != 0;
  return number ? name.substr(0, space) : "";
}

[[noreturn]] void refuse(const std::string& where, const std::string& part, const std::string& name,
                         const std::vector<std::string>& known) {
  throw InputError(where, known.empty()
                              ? fmt::format("the paper has no '{}', nor any other of its kind", without_middle(part))
                              : fmt::format("the paper has no '{}'{} (its contents name {})", without_middle(part),
                                            did_you_mean(name, known), fmt::join(known, ", ")));
}

// Whether the part names a place of the paper. Throws for one that the paper does not have.
bool is_place(const std::string& part, const Json& contents, const std::string& where) {
  const std::vector<std::string> names = names_in(contents, named_parts);
  if (contains(names, part)) return true;
  const std::string word = part.substr(0, part.find(' '));
  for (const NumberedPart& numbered : numbered_parts) {
    if (word != numbered.word) continue;
    std::string name = part.size() > word.size() ? part.substr(word.size() + 1) : "";
    if (name.starts_with("(") && name.ends_with(")")) name = name.substr(1, name.size() - 2);
    const std::vector<std::string> known = names_in(contents, numbered.list);
    if (!contains(known, name)) refuse(where, part, name, known);
    return true;
  }
  std::vector<std::string> alike;
  std::copy_if(names.begin(), names.end(), std::back_inserter(alike),
               [&](const std::string& name) { return numbered_word(name) == word; });
  if (!alike.empty()) refuse(where, part, part, alike);
  return false;
}

}  // namespace

void check_contents(const Json& contents, const std::string& where) {
  std::vector<std::string> known;
  for (const NumberedPart& numbered : numbered_parts) known.emplace_back(numbered.list);
  known.emplace_back(named_parts);
  for (const auto& [list, names] : require(JsonKind::object, contents, where).items()) {
    const std::string place = where + "/" + list;
    if (!contains(known, list))
      throw InputError(place,
                       fmt::format("unknown key{} (known: {})", did_you_mean(list, known), fmt::join(known, ", ")));
    require(JsonKind::list, names, place);
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::string at = fmt::format("{}/{}", place, i);
      const std::string name = require(JsonKind::text, names[i], at);
      if (name.empty() || name.find(',') != std::string::npos)
        throw InputError(at, "must be a name without a comma, which separates the parts of a location");
    }
  }
}

void check_location(const std::string& location, const Json& contents, bool needs_place, const std::string& where) {
  bool found = !needs_place;
  for (const std::string& part : parts_of(location)) found = is_place(part, contents, where) || found;
  if (found) return;
  std::vector<std::string> names = names_in(contents, named_parts);
  throw InputError(where,
                   fmt::format("'{}' names no place of the paper: needs \"Section ...\", \"Table ...\", \"Figure "
                               "...\", \"Formula (...)\" or one of its parts{}{}",
                               without_middle(location), names.empty() ? "" : ": ", fmt::join(names, ", ")));
}

}  // namespace daelab
