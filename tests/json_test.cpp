// JSON values behave like nlohmann's: the same texts, the same errors, the same meaning of braces.
#include "core/base/json.hpp"

#include <gmock/gmock.h>

#include <bit>
#include <functional>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "core/base/utf8.hpp"
#include "core/base/write_file.hpp"
#include "results/provenance.hpp"
#include "tests/temporary_folder.hpp"

namespace daelab {
namespace {

using Reference = nlohmann::ordered_json;
using namespace std::string_literals;

// ----- what both say -----

// A template: nlohmann's constructors must not even be tried on our values (3.11.3 does not compile then).
template <class Value>
std::string text_of(const Value& value) {
  if constexpr (std::is_arithmetic_v<Value>)
    return std::to_string(value);
  else if constexpr (std::same_as<Value, std::string>)
    return value;
  else
    return value.dump();
}

// The result of `work` as text, or its error.
template <class Value, class Work>
std::string outcome(const std::string& document, const Work& work) {
  try {
    Value json = Value::parse(document);
    return text_of(work(json));
  } catch (const std::exception& error) {
    return "error: "s + error.what();
  }
}

// `work` on either type of value.
template <class Work>
void same(const std::string& document, const Work& work) {
  EXPECT_EQ(outcome<Json>(document, work), outcome<Reference>(document, work)) << document;
}

constexpr const char* documents[] = {"null",
                                     "true",
                                     "7",
                                     "-7",
                                     "0.5",
                                     "\"x\"",
                                     "[]",
                                     "{}",
                                     "[1, [2], \"3\", null]",
                                     R"({"a": 1, "b": {"c": [true, 2.5]}, "0": "zero", "-": {}})"};

template <class Work>
void same_for_all(const Work& work) {
  for (const char* document : documents) same(document, work);
}

// ----- random documents -----

class Writer {
 public:
  explicit Writer(unsigned seed) : random_(seed) {}
  std::string object(int depth) {
    std::string text;
    for (int i = below(5); i > 0; --i) text += (text.empty() ? "" : ",") + string() + ":" + value(depth - 1);
    return "{" + text + "}";
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  std::string string() {
    static constexpr const char* texts[] = {"a", "b", "c/d",     "~",    "",
                                            "0", "é", "\\u0001", "\\\"", "long text, too long to be short"};
    return "\"" + std::string(texts[below(std::size(texts))]) + "\"";
  }
  std::string number() {
    static constexpr const char* numbers[] = {"0",
                                              "-0",
                                              "-0.0",
                                              "1",
                                              "1.0",
                                              "-17",
                                              "0.1",
                                              "1e22",
                                              "1e-300",
                                              "2.5e-5",
                                              "9223372036854775807",
                                              "-9223372036854775808",
                                              "18446744073709551615",
                                              "18446744073709551616",
                                              "3.141592653589793",
                                              "5e-324",
                                              "123456.789"};
    return numbers[below(std::size(numbers))];
  }
  std::string value(int depth) {
    switch (below(depth > 0 ? 7 : 4)) {
      case 0:
        return below(3) ? number() : "null";
      case 1:
        return number();
      case 2:
        return string();
      case 3:
        return below(2) ? "true" : "false";
      case 4:
        return object(depth);
      default: {
        std::string text;
        for (int i = below(4); i > 0; --i) text += (text.empty() ? "" : ",") + value(depth - 1);
        return "[" + text + "]";
      }
    }
  }
  std::mt19937 random_;
};

class RandomDocuments : public testing::TestWithParam<unsigned> {
 protected:
  std::string first = Writer(GetParam()).object(4), second = Writer(GetParam() + 1).object(4);
};

TEST_P(RandomDocuments, AreReadAndWrittenAlike) {
  const Json json = Json::parse(first);
  const Reference reference = Reference::parse(first);
  EXPECT_EQ(json.dump(), reference.dump());
  EXPECT_EQ(json.dump(2), reference.dump(2));
  EXPECT_EQ(json.flatten().dump(), reference.flatten().dump());
  EXPECT_EQ(json.sorted().dump(), nlohmann::json(reference).dump());
  EXPECT_EQ(Json::parse(json.dump(1)), json);
  const Json copy = json;
  EXPECT_EQ(copy, json);
}

TEST_P(RandomDocuments, ChangeAlike) {
  const auto with_other = [&](auto json, const auto& change) {
    change(json, decltype(json)::parse(second));
    return json.dump();
  };
  const auto same_change = [&](const auto& change) {
    EXPECT_EQ(with_other(Json::parse(first), change), with_other(Reference::parse(first), change)) << first << second;
  };
  same_change([](auto& json, const auto& other) { json.update(other); });
  same_change([](auto& json, const auto& other) { json.merge_patch(other); });
  same_change([](auto& json, const auto& other) { json = json.diff(json, other); });
  same_change([](auto& json, const auto& other) {
    for (const auto& [key, value] : other.items()) json.erase(key);
  });
  same_change([](auto& json, const auto& other) { json = json == other; });
}

TEST_P(RandomDocuments, AreFoundByPointerAlike) {
  const Json json = Json::parse(first);
  const Reference reference = Reference::parse(first);
  const Json flat = json.flatten(), other_flat = Json::parse(second).flatten();
  for (const auto& [pointer, value] : flat.items()) {
    const Json& found = json.at(Json::json_pointer(pointer));
    EXPECT_TRUE(found == value || found.empty()) << pointer;
    EXPECT_EQ(Json::json_pointer(pointer).to_string(), pointer);
  }
  for (const auto& [pointer, value] : other_flat.items())
    EXPECT_EQ(json.contains(Json::json_pointer(pointer)), reference.contains(Reference::json_pointer(pointer)))
        << pointer;
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomDocuments, testing::Range(0u, 60u));

// ----- text -----

TEST(JsonText, BadTextFailsAlike) {
  for (const char* text : {"", "{", "[1,]", "{\"a\" 1}", "1e400", "-1e400", "nul", "\"\\x\"", "\"\xff\"", "[1] 2"}) {
    same(text, [](auto& json) { return json; });
    EXPECT_EQ(Json::try_parse(text).has_value(), !Reference::parse(text, nullptr, false).is_discarded()) << text;
  }
}

TEST(JsonText, ParseErrorsNameTheByte) {
  try {
    Json::parse("[1, x]");
    FAIL();
  } catch (const Json::parse_error& error) {
    EXPECT_EQ(error.byte, 5u);
  }
}

TEST(JsonText, OfTwoEqualKeysTheLastWins) {
  same(R"({"a": 1, "b": 2, "a": 3})", [](auto& json) { return json; });
}

TEST(JsonText, InvalidUtf8IsRefusedOrReplaced) {
  const Json json = "a\xff"s;
  const Reference reference = "a\xff"s;
  EXPECT_THROW((void)json.dump(), Json::type_error);
  EXPECT_EQ(json.dump(-1, Json::Utf8::replace), reference.dump(-1, ' ', false, Reference::error_handler_t::replace));
}

// What needs no escape is written without nlohmann.
TEST(JsonText, EveryByteAtEveryPlaceIsWrittenAsByNlohmann) {
  for (std::size_t size = 1; size <= 19; ++size)
    for (std::size_t place = 0; place < size; ++place)
      for (int byte = 0; byte < 256; ++byte) {
        std::string text(size, 'a');
        text[place] = static_cast<char>(byte);
        ASSERT_EQ(Json(text).dump(-1, Json::Utf8::replace),
                  Reference(text).dump(-1, ' ', false, Reference::error_handler_t::replace))
            << byte << " at " << place << " of " << size;
      }
}

TEST(JsonText, NumbersThatAreNone) {
  EXPECT_EQ(Json(std::numeric_limits<double>::quiet_NaN()).dump(), "null");
  EXPECT_EQ(Json(std::numeric_limits<double>::infinity()).dump(), "null");
}

// ----- braces -----

// The same braces for both types: as initializer, as argument, as member.
#define EXPECT_SAME_BRACES(...)                                                       \
  do {                                                                                \
    const Json json = __VA_ARGS__;                                                    \
    const Reference reference = __VA_ARGS__;                                          \
    EXPECT_EQ(json.dump(), reference.dump());                                         \
    const Json direct __VA_ARGS__;                                                    \
    const Reference reference_direct __VA_ARGS__;                                     \
    EXPECT_EQ(direct.dump(), reference_direct.dump());                                \
    Json member;                                                                      \
    Reference reference_member;                                                       \
    member["x"] = __VA_ARGS__;                                                        \
    reference_member["x"] = __VA_ARGS__;                                              \
    EXPECT_EQ(member.dump(), reference_member.dump());                                \
    Json list = Json::array();                                                        \
    Reference reference_list = Reference::array();                                    \
    list.push_back(__VA_ARGS__);                                                      \
    reference_list.push_back(__VA_ARGS__);                                            \
    EXPECT_EQ(list.dump(), reference_list.dump());                                    \
    EXPECT_EQ(Json::array(__VA_ARGS__).dump(), Reference::array(__VA_ARGS__).dump()); \
  } while (false)

TEST(JsonBraces, MeanTheSame) {
  EXPECT_SAME_BRACES({1, 2, 3});
  EXPECT_SAME_BRACES({{"a", 1}});
  EXPECT_SAME_BRACES({{"a", 1}, {"b", {1, 2}}});
  EXPECT_SAME_BRACES({{"a", 1}, {"b", {1, 2}}, 3});
  EXPECT_SAME_BRACES({"a", 1});
  EXPECT_SAME_BRACES({"a", "b"});
  EXPECT_SAME_BRACES({{"a", "b"}});
  EXPECT_SAME_BRACES({{"a", "b"}, {"c", "d"}});
  EXPECT_SAME_BRACES({{"a", {"b", "c"}}});
  EXPECT_SAME_BRACES({{"a", {{"b", "c"}}}});
  EXPECT_SAME_BRACES({{"a", {{"b", nullptr}, {"c", true}}}, {"d", {}}});
  EXPECT_SAME_BRACES({{{"a", 1}}});
  EXPECT_SAME_BRACES({{{"a", 1}}, {{"b", 2}}});
  EXPECT_SAME_BRACES({nullptr});
  EXPECT_SAME_BRACES({0.5, -1, 7u, 1L, true, "x", std::string("y")});
  EXPECT_SAME_BRACES({{"a", 1}, {"a", 2}});
  EXPECT_SAME_BRACES({{1, 2}, {3, 4}});
  EXPECT_SAME_BRACES({{"list", std::vector<std::string>{"a", "b"}}, {"numbers", std::vector<double>{1, 0.5}}});
}

// A value in braces is a list of one.
TEST(JsonBraces, AroundAValue) {
  const Json json = {{"a", 1}};
  const Reference reference = {{"a", 1}};
  EXPECT_EQ((Json{json}).dump(), (Reference{reference}).dump());
  EXPECT_EQ(Json(json).dump(), Reference(reference).dump());
  const Json copied = {json};
  const Reference reference_copied = {reference};
  EXPECT_EQ(copied.dump(), reference_copied.dump());
  EXPECT_EQ((Json{json, json}).dump(), (Reference{reference, reference}).dump());
  EXPECT_EQ((Json{{"x", json}}).dump(), (Reference{{"x", reference}}).dump());
  EXPECT_EQ((Json{{json}}).dump(), (Reference{{reference}}).dump());
  EXPECT_EQ((Json{{"x", {json}}}).dump(), (Reference{{"x", {reference}}}).dump());
  EXPECT_EQ((Json{Json("x"), Json()}).dump(), (Reference{Reference("x"), Reference()}).dump());
  EXPECT_EQ((Json{{"x", Json::array()}}).dump(), (Reference{{"x", Reference::array()}}).dump());
  EXPECT_EQ((Json{Json::array()}).dump(), (Reference{Reference::array()}).dump());
  EXPECT_EQ(Json{}.dump(), Reference{}.dump());
}

TEST(JsonBraces, ObjectsAndListsOnDemand) {
  EXPECT_EQ(Json::object({{"a", 1}}).dump(), R"({"a":1})");
  EXPECT_EQ(Json::array({{"a", 1}}).dump(), R"([["a",1]])");
  EXPECT_EQ(Json::object().dump(), "{}");
  EXPECT_THROW(Json::object({1, 2}), Json::type_error);
  Json object = {{"a", 1}};
  Reference reference = {{"a", 1}};
  object.push_back({"b", 2}), reference.push_back({"b", 2});
  EXPECT_EQ(object.dump(), reference.dump());
}

// ----- reading -----

TEST(JsonValues, AreReadAlike) {
  same_for_all([](auto& json) { return json.template get<bool>(); });
  same_for_all([](auto& json) { return json.template get<int>(); });
  same_for_all([](auto& json) { return json.template get<std::int64_t>(); });
  same_for_all([](auto& json) { return json.template get<std::size_t>(); });
  same_for_all([](auto& json) { return json.template get<double>(); });
  same_for_all([](auto& json) { return json.template get<std::string>(); });
  same_for_all([](auto& json) { return json.template get<std::vector<double>>().size(); });
  same_for_all([](auto& json) { return json.template get<std::vector<std::string>>().size(); });
  same_for_all([](auto& json) { return std::string(json.type_name()); });
  same_for_all([](auto& json) { return json.size(); });
  same_for_all([](auto& json) { return json.empty(); });
  same_for_all([](auto& json) {
    return json.is_null() + 2 * json.is_boolean() + 4 * json.is_number() + 8 * json.is_number_integer() +
           16 * json.is_number_unsigned() + 32 * json.is_number_float() + 64 * json.is_string() +
           128 * json.is_array() + 256 * json.is_object();
  });
}

TEST(JsonValues, AreFoundAlike) {
  same_for_all([](auto& json) { return json.at("a"); });
  same_for_all([](auto& json) { return json.at("b").at("c").at(1); });
  same_for_all([](auto& json) { return json.at(0); });
  same_for_all([](auto& json) { return json.at(99); });
  same_for_all([](auto& json) { return json["new"]; });
  same_for_all([](auto& json) { return json[1]; });
  same_for_all([](auto& json) { return json.value("a", 5); });
  same_for_all([](auto& json) { return json.value("0", "text"); });
  same_for_all([](auto& json) { return json.contains("a"); });
  same_for_all([](auto& json) { return json.find("b") != json.end(); });
}

TEST(JsonValues, AreFoundByPointerAlike) {
  for (const char* pointer : {"", "/a", "/b/c/1", "/b/c/01", "/b/c/x", "/b/c/1x", "/b/c/-", "/b/c/99", "/0", "/1",
                              "/1/0", "/", "/b/c/99999999999999999999", "/a/x", "a", "/~", "/~2", "/~01", "/-"}) {
    same_for_all([=](auto& json) {
      using Value = std::remove_cvref_t<decltype(json)>;
      return json.at(typename Value::json_pointer(pointer));
    });
    same_for_all([=](auto& json) {
      using Value = std::remove_cvref_t<decltype(json)>;
      return json.contains(typename Value::json_pointer(pointer));
    });
    if (std::string_view(pointer).ends_with("99999")) continue;  // asks for as much memory
    same_for_all([=](auto& json) {
      using Value = std::remove_cvref_t<decltype(json)>;
      json[typename Value::json_pointer(pointer)] = 1;
      return json;
    });
  }
}

TEST(JsonValues, ChangeAlike) {
  same_for_all([](auto& json) {
    json.push_back(1);
    return json;
  });
  same_for_all([](auto& json) {
    json.emplace_back(1);
    return json;
  });
  same_for_all([](auto& json) {
    json["a"] = "new";
    return json;
  });
  same_for_all([](auto& json) {
    json[2] = 2;
    return json;
  });
  same_for_all([](auto& json) { return json.erase("a"); });
  same_for_all([](auto& json) {
    json.update({{"a", 2}, {"z", 3}});
    return json;
  });
  same_for_all([](auto& json) {
    json.update(1);
    return json;
  });
  same_for_all([](auto& json) {
    auto moved = std::move(json);
    return json;
  });
  same_for_all([](auto& json) {
    json = json["b"];
    return json;
  });
}

// Not defined for nlohmann's value.
TEST(JsonValues, WhatIsNotThereIsToldWithoutChange) {
  const Json json = {{"a", {1}}};
  EXPECT_THAT([&] { (void)json["b"]; },
              testing::ThrowsMessage<Json::out_of_range>("[json.exception.out_of_range.403] key 'b' not found"));
  EXPECT_THROW((void)json["a"][1], Json::out_of_range);
  EXPECT_THROW((void)json[Json::json_pointer("/a/7")], Json::out_of_range);
}

TEST(JsonValues, ConvertWithoutAsking) {
  const Json json = {{"text", "x"}, {"number", 2.5}, {"whole", 3}, {"list", {1, 2}}};
  const std::string text = json["text"];
  const double number = json["number"];
  const int whole = json["whole"];
  const std::vector<double> list = json["list"];
  EXPECT_EQ(text, "x");
  EXPECT_EQ(number, 2.5);
  EXPECT_EQ(whole, 3);
  EXPECT_THAT(list, testing::ElementsAre(1, 2));
}

// ----- comparison and iteration -----

TEST(JsonValues, AreEqualAlike) {
  for (const char* a : {"1", "1.0", "-1", "18446744073709551615", "\"1\"", "true", "null", "[1]", "[1.0]", "{}", "[]",
                        R"({"a": 1, "b": 2})", R"({"b": 2, "a": 1})"})
    for (const char* b : {"1", "1.0", "-1", "18446744073709551615", "\"1\"", "true", "null", "[1]", "{}", "[]",
                          R"({"a": 1.0, "b": 2})"})
      for (const auto& compare : {0, 1, 2}) {
        const auto result = [=](const auto& x, const auto& y) {
          return compare == 0 ? x == y : compare == 1 ? x < y : x >= y;
        };
        EXPECT_EQ(result(Json::parse(a), Json::parse(b)), result(Reference::parse(a), Reference::parse(b)))
            << a << " " << b;
      }
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(Json(nan) == Json(nan));
  EXPECT_TRUE(Json(2) == 2.0 && Json("x") == "x" && Json("x") != "y"s && Json() == nullptr && Json(1) != "1");
}

TEST(JsonValues, AreWalkedAlike) {
  same_for_all([](auto& json) {
    std::string text;
    for (const auto& [key, value] : json.items()) text += key + "=" + value.dump() + ";";
    for (const auto& value : json) text += value.dump();
    return text;
  });
  Json json = {{"a", 1}, {"b", 2}};
  for (auto [key, value] : json.items()) value = key;
  for (Json& value : json) value = value.get<std::string>() + "!";
  EXPECT_EQ(json.dump(), R"({"a":"a!","b":"b!"})");
  EXPECT_EQ(json.find("b").key(), "b");
}

TEST(JsonPointers, AreBuiltFromTokens) {
  const Json::json_pointer pointer = Json::json_pointer("/a") / "b/c" / 3;
  EXPECT_EQ(pointer.to_string(), "/a/b~1c/3");
  EXPECT_EQ(pointer.parent_pointer().to_string(), "/a/b~1c");
  EXPECT_EQ(pointer.parent_pointer().back(), "b/c");
  EXPECT_EQ(Json::json_pointer().parent_pointer().to_string(), "");
  EXPECT_THROW(Json::json_pointer().back(), Json::out_of_range);
}

// ----- text from outside -----

// What reading a file with this text objects to, without the path.
std::string objection(const std::string& text) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/file.json";
  write_file(path, text);
  try {
    return read_json_file(path).dump();
  } catch (const InputError& error) {
    return std::string(error.what()).substr(path.size());
  }
}

TEST(JsonFiles, NumbersBeyondDoubleAreNamedWithTheirPlace) {
  EXPECT_EQ(objection("1e400"), ": the number 1e400 is beyond the range of double");
  EXPECT_EQ(objection(R"({"runs": [{"h": 1}, {"h": [0.1, {}, [], -1e400]}]})"),
            ": /runs/1/h/3: the number -1e400 is beyond the range of double");
  EXPECT_EQ(objection(R"({"a/b": {"c": [1, 2]}, "d": 1)" + std::string(400, '0') + "}"),
            ": /d: the number 10000000000000000000... is beyond the range of double");
  EXPECT_EQ(objection("[1e-400]"), "[0.0]");
}

TEST(JsonFiles, KeysGivenTwiceAreNamedWithTheirPlace) {
  EXPECT_EQ(objection(R"({"a": [{"b": 1}, {"b": 1, "b": 2}]})"), ": /a/1/b: the key is given twice");
}

TEST(JsonFiles, ExhaustNoStack) {
  const std::string deep(100'000, '[');
  EXPECT_EQ(objection(deep), ": nested more than 200 levels deep (allowed are 200; --limit nesting=N changes that)");
  EXPECT_EQ(Json::try_parse(deep), std::nullopt);
  EXPECT_THROW(Json::parse(deep), Json::parse_error);
  EXPECT_TRUE(Json::try_parse(std::string(200, '[') + std::string(200, ']')));
}

TEST(Utf8, ReplacesWhatIsNone) {
  EXPECT_EQ(as_utf8("h = 1/2 \"µs\"\n"), "h = 1/2 \"µs\"\n");
  EXPECT_EQ(as_utf8("a\xFF"
                    "b\xE9"),
            "a\uFFFD"
            "b\uFFFD");
}

// Writing and reading go around nlohmann's own document: any document, in any layout, has the same bytes.
TEST(Json, RandomDocumentsAreWrittenAndReadAsByNlohmann) {
  std::mt19937_64 random(11);
  const std::function<Reference(int)> make = [&](int depth) -> Reference {
    switch (random() % (depth > 3 ? 6 : 8)) {
      case 0:
        return nullptr;
      case 1:
        return random() % 2 == 0;
      case 2:
        return static_cast<std::int64_t>(random());
      case 3:
        return random();
      case 4: {
        const double x = std::bit_cast<double>(random());
        return random() % 2 == 0 ? Reference(x) : Reference(static_cast<double>(random() % 1000) / 8);
      }
      case 5: {
        constexpr const char* parts[] = {"a", "key", "\"", "\\", "\n", "\x01", "\x7f", "π", "\xff", "/", " ", "𝛑"};
        std::string text;
        for (auto n = random() % 5; n > 0; --n) text += parts[random() % std::size(parts)];
        return text;
      }
      case 6: {
        Reference list = Reference::array();
        for (auto n = random() % 5; n > 0; --n) list.push_back(make(depth + 1));
        return list;
      }
      default: {
        Reference object = Reference::object();
        for (auto n = random() % 5; n > 0; --n) object["k" + std::to_string(random() % 9)] = make(depth + 1);
        return object;
      }
    }
  };
  for (int trial = 0; trial < 2000; ++trial) {
    const Reference reference = make(0);
    const std::string text = reference.dump(-1, ' ', false, Reference::error_handler_t::replace);
    const Json json = Json::parse(text);
    for (const int indent : {-1, 0, 1, 3})
      ASSERT_EQ(json.dump(indent, Json::Utf8::replace), Reference::parse(text).dump(indent)) << text;
    ASSERT_EQ(canonical_text(json), json.sorted().dump()) << text;
    std::string torn = text.substr(0, random() % (text.size() + 1));
    if (!torn.empty() && random() % 2 == 0) torn[random() % torn.size()] = "{}[],:\"1e-x"[random() % 11];
    same(torn, [](const auto& value) { return value; });
  }
  same(R"({"a": 1, "b": 2, "a": {"c": 3}})", [](const auto& value) { return value; });
  same("1e400", [](const auto& value) { return value; });
  same("[1, -1e999]", [](const auto& value) { return value; });
}

}  // namespace
}  // namespace daelab
