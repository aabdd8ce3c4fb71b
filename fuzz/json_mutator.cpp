#include "fuzz/json_mutator.hpp"

#include <algorithm>
#include <vector>

#include "core/base/json.hpp"

namespace daelab::fuzzing {
namespace {

class Mutation {
 public:
  Mutation(Json& document, std::mt19937& random, const ChangeText& change_text)
      : document_(document), random_(random), change_text_(change_text) {
    collect(document_);
  }

  void apply() {
    Json& place = *places_[below(places_.size())];
    switch (below(9)) {
      case 0:
        place = strange_value();
        break;
      case 1:
        place = Json(*places_[below(places_.size())]);
        break;
      case 2:
        remove_from(place);
        break;
      case 3:
        add_to(place);
        break;
      case 4:
        rename_in(place);
        break;
      case 5:
        place = Json::array({Json(place), Json(place)});
        break;
      case 6:
        place = place.is_string() ? Json::try_parse(place.get<std::string>()).value_or(Json()) : Json(place.dump());
        break;
      default:
        change(place);
    }
  }

 private:
  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_); }

  void collect(Json& json) {
    places_.push_back(&json);
    if (json.is_array() || json.is_object())
      for (std::size_t i = 0; i < json.size(); ++i) collect(entry(json, i));
  }

  static Json& entry(Json& json, std::size_t i) { return json.is_object() ? json.members()[i].second : json[i]; }

  Json strange_value() {
    static const std::vector<Json> values = [] {
      Json deep = 1;
      for (int i = 0; i < 150; ++i) deep = Json::array({deep});
      return std::vector<Json>{Json(),
                               true,
                               false,
                               0,
                               1,
                               -1,
                               2,
                               3,
                               1000,
                               2147483647,
                               -2147483648LL,
                               9223372036854775807LL,
                               18446744073709551615ULL,
                               0.5,
                               -0.0,
                               1e-320,
                               1e308,
                               1e16,
                               "",
                               "0",
                               "1/3",
                               "-1",
                               "1e99999",
                               "1e-400",
                               "sqrt(2)",
                               "nan",
                               "../x",
                               "@/dev/null",
                               "name:a=b",
                               "\u03c0",
                               std::string(3000, 'x'),
                               Json::array(),
                               Json::object(),
                               deep};
    }();
    return values[below(values.size())];
  }

  void remove_from(Json& place) {
    if (place.empty() || !(place.is_object() || place.is_array())) return;
    const std::size_t gone = below(place.size());
    if (place.is_object()) return place.erase(std::string(place.items()[gone].first));
    Json rest = Json::array();
    for (std::size_t i = 0; i < place.size(); ++i)
      if (i != gone) rest.push_back(place[i]);
    place = rest;
  }

  void add_to(Json& place) {
    const Json value = below(2) == 0 ? strange_value() : Json(*places_[below(places_.size())]);
    if (place.is_array()) place.push_back(Json(value));
    if (place.is_object()) place[some_key()] = value;
  }

  // Its value under the name of another key.
  void rename_in(Json& place) {
    if (!place.is_object() || place.empty()) return;
    const std::string key = place.items()[below(place.size())].first;
    const Json value = place[key];
    const std::string other = some_key();  // before places are gone
    place.erase(key);
    place[other] = value;
  }

  std::string some_key() {
    std::vector<std::string> keys{"x"};
    for (const Json* json : places_)
      if (json->is_object())
        for (const auto& [key, value] : json->items()) keys.push_back(key);
    return keys[below(keys.size())];
  }

  void change(Json& place) {
    if (place.is_string()) {
      const std::string text = change_text_(place.get<std::string>());
      // Only what JSON can hold.
      place = Json::parse(Json(text).dump(-1, Json::Utf8::replace));
    } else if (place.is_number_integer()) {
      place = place.get<double>() + static_cast<double>(below(7)) - 3;
      if (below(2) == 0) place = static_cast<long>(below(100));
    } else if (place.is_number()) {
      place = place.get<double>() * (below(2) == 0 ? 10 : -0.1);
    } else if (place.is_array() && place.size() > 1) {
      std::swap(place[below(place.size())], place[below(place.size())]);
    } else {
      place = strange_value();
    }
  }

  Json& document_;
  std::mt19937& random_;
  const ChangeText& change_text_;
  std::vector<Json*> places_;
};

std::optional<std::string> mutate_document(const std::string& text, std::mt19937& random,
                                           const ChangeText& change_text) {
  std::optional<Json> document = Json::try_parse(text);
  if (!document || !(document->is_array() || document->is_object())) return {};
  for (int i = 0; i < 3 && (i == 0 || random() % 2 == 0); ++i) Mutation(*document, random, change_text).apply();
  return document->dump(-1, Json::Utf8::replace);
}

}  // namespace

std::optional<std::string> mutate_json(const std::string& input, std::mt19937& random, const ChangeText& change_text) {
  if (auto changed = mutate_document(input, random, change_text)) return changed;
  std::vector<std::pair<std::size_t, std::size_t>> lines;  // begin and length of lines that hold a document
  for (std::size_t begin = 0; begin < input.size();) {
    const std::size_t end = std::min(input.find('\n', begin), input.size());
    if (input[begin] == '{' || input[begin] == '[') lines.emplace_back(begin, end - begin);
    begin = end + 1;
  }
  if (lines.empty()) return {};
  const auto [begin, length] = lines[random() % lines.size()];
  const auto changed = mutate_document(input.substr(begin, length), random, change_text);
  if (!changed) return {};
  return input.substr(0, begin) + *changed + input.substr(begin + length);
}

}  // namespace daelab::fuzzing
