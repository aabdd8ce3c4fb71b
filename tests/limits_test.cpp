// Limits of what input may ask for, and messages that quote it.
#include "core/base/limits.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "core/base/context.hpp"
#include "core/base/exact.hpp"
#include "core/base/json_file.hpp"
#include "core/base/message.hpp"
#include "core/base/utf8.hpp"
#include "core/base/write_file.hpp"
#include "lab/runs/config.hpp"
#include "results/claim_format.hpp"
#include "results/record_values.hpp"
#include "tests/test_folder.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::HasSubstr;

class LimitsTest : public testing::Test {
 protected:
  void set(const std::string& limit) { set_limit(context_.limits, limit); }
  static std::string refusal(const auto& work) {
    try {
      work();
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  }
  static Json grid(int lists, int length) {
    Json values = Json::array(), run = Json::object();
    for (int i = 0; i < length; ++i) values.push_back(i);
    for (int i = 0; i < lists; ++i) run["key" + std::to_string(i)] = values;
    return run;
  }

 private:
  Context context_;
  Context::Scope scope_{context_};
};

TEST_F(LimitsTest, AreSetByName) {
  set("runs=7");
  EXPECT_EQ(limits().runs, 7);
  EXPECT_THAT(refusal([this] { set("run=7"); }), AllOf(HasSubstr("no limit 'run'"), HasSubstr("mean 'runs'?")));
  EXPECT_THAT(refusal([this] { set("runs"); }), HasSubstr("NAME=VALUE"));
  for (const char* value : {"", "x", "7x", "-1", "0", "1e3", "99999999999999999999"})
    EXPECT_THAT(refusal([&] { set(std::string("runs=") + value); }), HasSubstr("a whole number from 1")) << value;
  EXPECT_EQ(limits().runs, 7);
}

// 1000^40 runs: nobody has the memory, and the product does not fit a number.
TEST_F(LimitsTest, AGridIsCountedBeforeItIsMade) {
  set("runs=100000");
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_THAT(refusal([] { expand_grid(grid(40, 1000), "/runs"); }),
              AllOf(HasSubstr("/runs/key1: asks for 1000000 runs or more"), HasSubstr("--limit runs=N")));
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  EXPECT_LT(seconds.count(), 30);  // seconds, where making it would never end
  set("runs=8");
  EXPECT_EQ(expand_grid(grid(3, 2), "/runs").size(), 8u);
  EXPECT_THAT(refusal([] { expand_grid(grid(2, 3), "/runs"); }), HasSubstr("asks for 9 runs"));
  EXPECT_THAT(refusal([] { expand_grid(Json{{"method", grid(2, 3)}}, "/runs"); }), HasSubstr("asks for 9 runs"));
}

TEST_F(LimitsTest, EntriesOfAConfigCountTogether) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/config.json";
  write_file(path, R"({"name": "x", "experiment": "drift", "runs": [
    {"problem": "pendulum", "method": "bdf", "h": ["1/10", "1/20"]},
    {"problem": "pendulum", "method": "bdf", "h": ["1/30", "1/40"]}]})");
  set("runs=4");
  EXPECT_EQ(read_config(path).runs.size(), 4u);
  set("runs=3");
  EXPECT_THAT(refusal([&] { read_config(path); }), HasSubstr("/runs/1: asks for 4 runs or more"));
}

TEST_F(LimitsTest, AFileHasASize) {
  set("file-bytes=1000");
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/a.json";
  write_file(path, "[" + std::string(998, ' ') + "]");
  EXPECT_EQ(read_json_file(path).size(), 0u);
  write_file(path, "[" + std::string(999, ' ') + "]");
  EXPECT_THAT(refusal([&] { read_json_file(path); }), HasSubstr("longer than 1000 bytes"));
  EXPECT_THAT(refusal([] { read_json_file("/dev/zero"); }), HasSubstr("--limit file-bytes=N"));
}

TEST_F(LimitsTest, DepthOfAFileIsOne) {
  set("nesting=3");
  EXPECT_TRUE(Json::try_parse("[[[1]]]"));
  EXPECT_FALSE(Json::try_parse("[[[[1]]]]"));
}

// Each of these took longer than anybody waits.
TEST_F(LimitsTest, ExactNumbersEndInTime) {
  const auto begin = std::chrono::steady_clock::now();
  for (const std::string text : {"cos((10^100000)^100000)", "9^9^5", "sin(1e99999^99999)", "exp(exp(exp(30)))"})
    EXPECT_THAT(refusal([&] { Exact{text}; }), HasSubstr("--limit exponent=N")) << text;
  EXPECT_THAT(refusal([] { Exact(std::string(1001, '1')); }), HasSubstr("a number of 1001 digits"));
  EXPECT_THAT(refusal([] { Exact(std::string(10001, '1')); }), HasSubstr("10001 characters"));
  EXPECT_EQ(refusal([] { Exact(std::string(1000, '1')); }), "accepted");
  EXPECT_EQ(refusal([] { Exact("1e10000"); }), "accepted");
  EXPECT_EQ(refusal([] { Exact("1e-10000"); }), "accepted");
  EXPECT_THAT(refusal([] { Exact("1e10001"); }), HasSubstr("power of ten"));
  EXPECT_THAT(refusal([] { Exact("1e-10001"); }), HasSubstr("power of ten"));
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  EXPECT_LT(seconds.count(), 2);
}

TEST_F(LimitsTest, ANulEndsNoMessage) {
  EXPECT_THAT(refusal([] { Exact(std::string("1\0002", 3)); }), HasSubstr("\"1\\x002\" as a number: unexpected"));
}

TEST(Message, QuotesBeginningAndEnd) {
  EXPECT_EQ(without_middle("short"), "short");
  EXPECT_EQ(without_middle(std::string(120, 'a')), std::string(120, 'a'));
  EXPECT_EQ(without_middle(std::string(121, 'a')),
            std::string(80, 'a') + " ... (1 bytes left out) ... " + std::string(40, 'a'));
}

TEST(Message, CutsNoCharacter) {
  for (std::size_t before = 0; before < 4; ++before) {
    std::string text(before, 'a');
    for (int i = 0; i < 3000; ++i) text += "π𝛼";
    for (const std::string& cut : {without_middle(text), readable_message(text)}) {
      EXPECT_EQ(as_utf8(cut), cut);
      EXPECT_THAT(cut, HasSubstr("bytes left out"));
      EXPECT_LE(cut.size(), 2000u);
    }
  }
}

TEST(Message, IsReadableWhateverIsQuoted) {
  EXPECT_LE(readable_message(std::string(100'000, '\xff')).size(), 2000u);
  EXPECT_EQ(readable_message("a\x1b[31mb\nc\x7f"), "a\\x1b[31mb\nc\\x7f");
}

// The conversion of such a number is undefined.
TEST(JsonNumbers, BeyondWholeNumbersAreRefused) {
  for (const double x : {1e300, -1e300, 0x1p63}) EXPECT_THROW(Json(x).get<long>(), Json::exception) << x;
  EXPECT_EQ(Json(-0x1p63).get<long>(), std::numeric_limits<long>::min());
  for (const double x : {0x1p64, -1.0}) EXPECT_THROW(Json(x).get<std::uint64_t>(), Json::exception) << x;
}

TEST(RecordNumbers, AreNumbers) {
  for (const Json& value : {Json("abc"), Json(""), Json(true), Json::object(), Json("nan")})
    EXPECT_THROW(record_number(value), Json::exception) << value.dump();
  EXPECT_EQ(record_number(Json("1.5")), Real50("1.5"));
  EXPECT_TRUE(isnan(record_number(Json())));
}

TEST(Selectors, WithOddPointersSelectNothing) {
  const Json spec = Json::parse(R"({"a": [1, 2]})");
  for (const char* pointer : {"/a/", "/a/99999999999999999999999", "/a/-", "/a/x", "/a/01"})
    EXPECT_FALSE(selects(Json{{pointer, 1}}, spec)) << pointer;
  EXPECT_TRUE(selects(Json{{"/a/0", 1}}, spec));
}

}  // namespace TEST_FILE
}  // namespace daelab
