#include "results/told_numbers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <sstream>

#include "core/base/input_error.hpp"
#include "core/base/message.hpp"
#include "core/base/paths.hpp"
#include "results/claim_format.hpp"
#include "results/entry_values.hpp"
#include "results/printed_number.hpp"

namespace daelab {
namespace {

constexpr const char* place = "{}";

std::size_t count_places(const std::string& text) {
  std::size_t count = 0;
  for (std::size_t at = text.find(place); at != std::string::npos; at = text.find(place, at + 2)) ++count;
  return count;
}

const Json* entry_with_id(const Json& file, const std::string& id) {
  for (const EntryKind kind : entry_kinds) {
    if (!file.contains(entry_list(kind))) continue;
    for (const Json& entry : file[entry_list(kind)])
      if (entry["id"] == id) return &entry;
  }
  return nullptr;
}

// The entry whose value a number takes.
const Json* entry_of(const Json& number, const Json& teller, const Json& file) {
  return number.contains("entry") ? entry_with_id(file, number["entry"]) : &teller;
}

// A number without what is said of its printing.
Json value_in(const Json& number) {
  Json value = Json::object();
  for (const std::string& key : value_keys())
    if (number.contains(key)) value[key] = number[key];
  return value;
}

// ----- checking -----

void check_source(const Json& number, const Json& teller, const Json& file, const std::string& where) {
  if (!number.contains("of")) return check_value(value_in(number), where);
  require_text(number, "of", where);
  if (number.contains("entry")) require_text(number, "entry", where);
  const Json* entry = entry_of(number, teller, file);
  if (entry == nullptr)
    throw InputError(where + "/entry", "no entry has the id '" + number["entry"].get<std::string>() + "'");
  check_pointer(number["of"], where + "/of");
  if (!at_pointer(*entry, number["of"]).is_object())
    throw InputError(where + "/of", "the entry has no value at " + number["of"].get<std::string>());
}

void check_count(const Json& count, const std::string& where) {
  require_known_keys(count, {"entries", "expected", "kind"}, where);
  for (const auto& [key, value] : count.items()) require_text(count, key, where);
  const std::vector<std::string> names = {entry_list(EntryKind::claim), entry_list(EntryKind::finding),
                                          entry_list(EntryKind::check)};
  if (const std::string list = count["entries"]; std::find(names.begin(), names.end(), list) == names.end())
    throw InputError(where + "/entries",
                     fmt::format("no list of entries '{}'; known: {}", list, fmt::join(names, ", ")));
}

void check_number(const Json& number, const Json& teller, const Json& file, const std::string& where, bool printed) {
  if (number.is_object() && number.contains("entries")) return check_count(number, where);
  std::vector<std::string> known = value_keys();
  known.insert(known.end(), {"of", "entry", "over", "times", "as"});
  require_known_keys(number, known, where);
  check_source(number, teller, file, where);
  if (number.contains("over")) check_number(number["over"], teller, file, where + "/over", false);
  if (number.contains("times") && !number["times"].is_number())
    throw InputError(where + "/times", "must be a number, the factor before printing");
  static const std::regex pattern("0(\\.0{1,17})?(E0)?");
  if (printed && (!number.contains("as") || !number["as"].is_string() ||
                  !std::regex_match(number["as"].get<std::string>().substr(0, 30), pattern)))
    throw InputError(where, "needs \"as\", how it is printed: 0, 0.0, ... or 0E0, 0.0E0, ...");
}

// What is listed and not in the text would be forgotten there.
void check_given(const Json& teller, const std::string& key, const std::string& where) {
  const Json given = teller.value("given", Json::array());
  if (!given.is_array()) throw InputError(where + "/given", "must be an array of texts");
  for (const Json& number : given)
    if (!number.is_string() || teller.value(key, "").find(number.get<std::string>()) == std::string::npos)
      throw InputError(where + "/given", fmt::format("{} is no number in \"{}\"", number.dump(), key));
}

// ----- reading and printing -----

std::optional<double> number_in(const Json& value) {
  return value.is_object() ? as_double(value.value("order", Json())) : as_double(value);
}

class Teller {
 public:
  Teller(const Json& teller, const Json& file, ValueReader& reader, const std::string& id)
      : teller_(teller), file_(file), reader_(reader), id_(id) {}

  std::string text_of(const Json& number) const {
    if (number.contains("entries")) return std::to_string(count(number));
    const std::optional<double> value = value_of(number);
    return value ? printed(*value * number.value("times", 1.0), number["as"]) : "?";
  }

 private:
  std::optional<double> value_of(const Json& number) const {
    const std::optional<double> value = number_in(source_of(number));
    if (!value || !number.contains("over")) return value;
    const std::optional<double> divisor = value_of(number["over"]);
    return divisor && *divisor != 0 ? std::optional(*value / *divisor) : std::nullopt;
  }
  // Verdicts are those expected, or the file does not pass.
  std::size_t count(const Json& number) const {
    std::size_t result = 0;
    for (const Json& entry : file_.value(number["entries"].get<std::string>(), Json::array()))
      result += number.value("expected", entry["expected"]) == entry["expected"] &&
                number.value("kind", Json(entry.value("kind", "number"))) == Json(entry.value("kind", "number"));
    return result;
  }
  // Null where a part of a file is judged that the entry is not in.
  Json source_of(const Json& number) const {
    if (!number.contains("of")) return reader_.read(value_in(number), id_).value;
    const Json* entry = entry_of(number, teller_, file_);
    return entry != nullptr ? reader_.read(at_pointer(*entry, number["of"]), id_).value : Json();
  }
  static std::string printed(double value, const std::string& as) {
    const std::size_t point = as.find('.'), exponent = std::min(as.find('E'), as.size());
    const int decimals = point == std::string::npos ? 0 : static_cast<int>(exponent - point) - 1;
    if (!std::isfinite(value)) return "?";
    return exponent < as.size() ? scientific(value, decimals + 1) : fmt::format("{:.{}f}", value, decimals);
  }

  const Json& teller_;
  const Json& file_;
  ValueReader& reader_;
  const std::string& id_;
};

// With one blank where there are several, or an end of line.
std::string without_line_ends(const std::string& text) {
  std::string result;
  std::istringstream words(text);
  for (std::string word; words >> word;) result += (result.empty() ? "" : " ") + word;
  return result;
}

std::optional<std::string> document_text(const std::string& document) {
  std::ifstream file(project_path(document));
  if (!file) return std::nullopt;
  std::ostringstream text;
  text << file.rdbuf();
  return without_line_ends(text.str());
}

}  // namespace

void check_told_numbers(const Json& teller, const std::string& key, const Json& file, const std::string& where) {
  check_given(teller, key, where);
  const std::size_t places = count_places(teller.value(key, ""));
  const Json numbers = teller.value("numbers", Json::array());
  if (!numbers.is_array()) throw InputError(where + "/numbers", "must be an array of numbers");
  if (places != numbers.size())
    throw InputError(
        where, fmt::format("\"{}\" has {} places {{}}, and \"numbers\" has {}: one each", key, places, numbers.size()));
  for (std::size_t i = 0; i < numbers.size(); ++i)
    check_number(numbers[i], teller, file, fmt::format("{}/numbers/{}", where, i), true);
}

std::string told_text(const Json& teller, const std::string& key, const Json& file, ValueReader& reader,
                      const std::string& id) {
  const std::string text = teller.value(key, "");
  if (!teller.contains("numbers")) return text;
  const Teller told(teller, file, reader, id);
  std::string result;
  std::size_t begin = 0;
  for (const Json& number : teller["numbers"]) {
    const std::size_t at = text.find(place, begin);
    result += text.substr(begin, at - begin) + told.text_of(number);
    begin = at + 2;
  }
  return result + text.substr(begin);
}

void check_passages(const Json& passages, const Json& file, const std::string& where) {
  if (!passages.is_array()) throw InputError(where, "must be an array of passages");
  for (std::size_t i = 0; i < passages.size(); ++i) {
    const std::string at = fmt::format("{}/{}", where, i);
    require_known_keys(passages[i], {"document", "text", "numbers"}, at);
    for (const char* key : {"document", "text"}) require_text(passages[i], key, at);
    check_told_numbers(passages[i], "text", file, at);
  }
}

Json passages_schema() {
  const Json text = {{"type", "string"}};
  return {
      {"description", "texts of documents that tell numbers of the results, in the format of results/told_numbers.hpp"},
      {"type", "array"},
      {"items",
       {{"type", "object"},
        {"required", {"document", "text"}},
        {"properties",
         {{"document", text}, {"text", text}, {"numbers", {{"type", "array"}, {"items", {{"type", "object"}}}}}}},
        {"additionalProperties", false}}}};
}

std::vector<TextPassage> passages_of(const Json& paper, const ResultLookup& lookup) {
  ValueReader reader(lookup);
  std::vector<TextPassage> passages;
  std::map<std::string, std::optional<std::string>> documents;
  for (const Json& passage : paper.value("passages", Json::array())) {
    const std::string document = passage["document"];
    const auto [known, unread] = documents.try_emplace(document);
    if (unread) known->second = document_text(document);
    if (!known->second) continue;
    const std::string text = told_text(passage, "text", paper, reader, document);
    passages.push_back({document, text, known->second->find(without_line_ends(text)) != std::string::npos});
  }
  return passages;
}

}  // namespace daelab
