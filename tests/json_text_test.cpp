// Text of JSON: what is read and refused as by nlohmann's, and files with what no reader expects.
#include "core/base/json.hpp"

#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/json_file.hpp"
#include "core/base/utf8.hpp"
#include "core/base/write_file.hpp"
#include "tests/json_support.hpp"
#include "tests/test_folder.hpp"

namespace daelab {
namespace TEST_FILE {

using namespace std::string_literals;

TEST(JsonText, BadTextFailsAlike) {
  for (const char* text : {"", "{", "[1,]", "{\"a\" 1}", "1e400", "-1e400", "nul", "\"\\x\"", "\"\xff\"", "[1] 2"}) {
    expect_same(text, [](auto& json) { return json; });
    EXPECT_EQ(Json::try_parse(text).has_value(), !NlohmannJson::parse(text, nullptr, false).is_discarded()) << text;
  }
}

template <class Value, class Error>
std::pair<std::size_t, std::string> syntax_error(const char* text) {
  try {
    return {0, Value::parse(text).dump()};
  } catch (const Error& error) {
    return {error.byte, error.what()};
  }
}

TEST(JsonText, ParseErrorsNameTheByteInTheSameWords) {
  for (const char* text : {"[1, x]", "", "{\"a\" 1}", "\"\xff\"", "[1] 2"}) {
    const auto [byte, what] = syntax_error<Json, Json::exception>(text);
    EXPECT_GT(byte, 0u) << text;
    EXPECT_EQ(std::pair(byte, "[json.exception.parse_error.101] " + what),
              (syntax_error<NlohmannJson, NlohmannJson::parse_error>(text)));
  }
}

TEST(JsonText, OfTwoEqualKeysTheLastWins) {
  expect_same(R"({"a": 1, "b": 2, "a": 3})", [](auto& json) { return json; });
}

TEST(JsonText, InvalidUtf8IsRefusedOrReplaced) {
  const Json json = "a\xff"s;
  const NlohmannJson reference = "a\xff"s;
  EXPECT_THROW((void)json.dump(), Json::exception);
  EXPECT_EQ(json.dump(-1, Json::Utf8::replace), reference.dump(-1, ' ', false, NlohmannJson::error_handler_t::replace));
}

TEST(JsonText, NumbersThatAreNone) {
  EXPECT_EQ(Json(std::numeric_limits<double>::quiet_NaN()).dump(), "null");
  EXPECT_EQ(Json(std::numeric_limits<double>::infinity()).dump(), "null");
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
  EXPECT_THROW(Json::parse(deep), Json::exception);
  EXPECT_TRUE(Json::try_parse(std::string(200, '[') + std::string(200, ']')));
}

TEST(Utf8, ReplacesWhatIsNone) {
  EXPECT_EQ(as_utf8("h = 1/2 \"µs\"\n"), "h = 1/2 \"µs\"\n");
  EXPECT_EQ(as_utf8("a\xFF"
                    "b\xE9"),
            "a\uFFFD"
            "b\uFFFD");
}

}  // namespace TEST_FILE
}  // namespace daelab
