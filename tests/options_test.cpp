// Options and specs: what is read is what was written, and bad input is told with its place, what is allowed and what
// was probably meant.
#include "core/base/options.hpp"

#include <gmock/gmock.h>

#include <filesystem>

#include "core/base/write_file.hpp"
#include "core/integration/method.hpp"
#include "tests/input_error_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;
using testing::ThrowsMessage;

enum class Rounding { nearest, towards_zero };
std::vector<std::string> names_of(Rounding) { return {"nearest", "towards-zero"}; }

struct Rounded {
  Rounding rounding = Rounding::nearest;
  Options options() { return {option("rounding", rounding, "of halves")}; }
};

TEST(Enumerations, AreTextInJson) {
  Rounded rounded;
  EXPECT_EQ(rounded.options().write(), Json::parse(R"({"rounding": "nearest"})"));
  rounded.options().read(Json::parse(R"({"rounding": "towards-zero"})"), "");
  EXPECT_EQ(rounded.rounding, Rounding::towards_zero);
  EXPECT_EQ(rounded.options().write(), Json::parse(R"({"rounding": "towards-zero"})"));
  EXPECT_EQ(rounded.options().schema()["rounding"]["enum"], Json::parse(R"(["nearest", "towards-zero"])"));
}

TEST(Enumerations, OtherNamesAndTypesAreRefused) {
  const auto reading = [](const char* text) { return [text] { Rounded{}.options().read(Json::parse(text), ""); }; };
  EXPECT_THAT(reading(R"({"rounding": "towards-zer"})"),
              ThrowsMessage<InputError>(AllOf(HasSubstr("nearest, towards-zero"), HasSubstr("did you mean"))));
  EXPECT_THAT(reading(R"({"rounding": 1})"), ThrowsMessage<InputError>(HasSubstr("expected a string")));
}

struct Inner {
  Exact tolerance = "1/1000";
  int limit = 5;
  Options options() {
    return {option("tolerance", tolerance, "bound", positive()), option("limit", limit, "most", between(1, 9))};
  }
};

struct Sample {
  bool flag = false;
  int count = 3;
  std::optional<int> maybe_count;
  std::string nodes = "uniform";
  std::string label = "free text";
  Exact step = "1/100";
  std::optional<Exact> maybe_step;
  std::vector<Exact> steps{"1/2"};
  std::vector<std::string> names{"first"};
  Json anything;
  Inner inner;
  std::vector<Inner> list;

  Options options() {
    return {option("flag", flag, "a switch"),
            option("count", count, "how many", between(1, 10)),
            option("maybe_count", maybe_count, "how many, or automatic", at_least(0)),
            option("nodes", nodes, "family", one_of({"uniform", "chebyshev"})),
            option("label", label, "shown"),
            option("step", step, "step size", positive()),
            option("maybe_step", maybe_step, "step size, or automatic", positive()),
            option("steps", steps, "step sizes", positive()),
            option("names", names, "names"),
            option("anything", anything, "anything", Json::object()),
            option("inner", inner, "nested"),
            option("list", list, "nested, several")};
  }
};

Sample read(const char* text) {
  Sample sample;
  sample.options().read(Json::parse(text), "/where");
  return sample;
}
auto reading(const char* text) {
  return [text] { read(text); };
}

TEST(Options, KeepDefaultsOfWhatIsNotNamed) {
  const Sample s = read("{}");
  EXPECT_FALSE(s.flag);
  EXPECT_EQ(s.count, 3);
  EXPECT_EQ(s.step.text(), "1/100");
  EXPECT_EQ(s.steps.size(), 1u);
}

TEST(Options, ReadEveryType) {
  const Sample s = read(R"({"flag": true, "count": 10, "maybe_count": 0, "nodes": "chebyshev", "label": "",
      "step": 0.1, "maybe_step": "sqrt(2)/100", "steps": ["1/4", 0.125, 2], "names": ["a", "b"],
      "anything": [1, {"x": null}], "inner": {"limit": 9}, "list": [{}, {"tolerance": "1e-6"}]})");
  EXPECT_TRUE(s.flag);
  EXPECT_EQ(s.count, 10);
  EXPECT_EQ(s.maybe_count, 0);
  EXPECT_EQ(s.nodes, "chebyshev");
  EXPECT_EQ(s.label, "");
  EXPECT_EQ(s.step.value(), Real100(1) / 10) << "0.1 means 1/10, not the double next to it";
  EXPECT_EQ(s.maybe_step->value(), sqrt(Real100(2)) / 100);
  ASSERT_EQ(s.steps.size(), 3u);
  EXPECT_EQ(s.steps[2].value(), 2);
  EXPECT_EQ(s.names, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(s.anything[1]["x"], nullptr);
  EXPECT_EQ(s.inner.limit, 9);
  EXPECT_EQ(s.inner.tolerance.text(), "1/1000") << "members not named keep their value";
  ASSERT_EQ(s.list.size(), 2u);
  EXPECT_EQ(s.list[0].limit, 5);
  EXPECT_EQ(s.list[1].tolerance.value(), Real100("1e-6"));
}

TEST(Options, NullResetsAutomaticValuesOnly) {
  Sample s;
  s.maybe_count = 4, s.maybe_step = Exact(1);
  s.options().read({{"maybe_count", nullptr}, {"maybe_step", nullptr}}, "");
  EXPECT_FALSE(s.maybe_count);
  EXPECT_FALSE(s.maybe_step);
  EXPECT_THAT(reading(R"({"count": null})"), throws_input_error("/where/count", "an integer (1 to 10)", "null"));
  EXPECT_THAT(reading(R"({"step": null})"), throws_input_error("/where/step", "a number", "null"));
}

TEST(Options, HaveAnotherNameToBeReadBy) {
  int k = 1;
  const Options options{option("k", k, "order", between(1, 5)).also("order")};
  options.read({{"order", 3}}, "");
  EXPECT_EQ(k, 3);
  EXPECT_EQ(options.write(), Json({{"k", 3}}));
  EXPECT_EQ(options.schema()["order"]["description"], "another name of k");
  EXPECT_THAT(
      [&] {
        options.read({{"k", 2}, {"order", 3}}, "/method");
      },
      throws_input_error("/method/order: is another name of 'k', which is given, too"));
  EXPECT_THAT([&] { options.read({{"order", 6}}, "/method"); }, throws_input_error("/method/order: ", "1 to 5"));
}

TEST(Options, UnknownKeysNameThePointerTheKnownOnesAndTheNearest) {
  EXPECT_THAT(reading(R"({"cuont": 3})"),
              throws_input_error("/where/cuont: ", "unknown option 'cuont'", "known: flag, count, maybe_count",
                                 "did you mean 'count'?"));
  EXPECT_THAT(reading(R"({"inner": {"limits": 3}})"),
              throws_input_error("/where/inner/limits: ", "known: tolerance, limit", "did you mean 'limit'?"));
  EXPECT_THAT(reading(R"({"list": [{}, {"limit": 2, "zzzz": 3}]})"),
              throws_input_error("/where/list/1/zzzz: ", "known: tolerance"));
  EXPECT_THAT([] { Options({}).read({{"key", 1}}, ""); }, throws_input_error("/key: ", "known: none"));
}

TEST(Options, FarNamesAreNotSuggested) {
  EXPECT_THAT(reading(R"({"wavelength": 3})"), ThrowsMessage<InputError>(testing::Not(HasSubstr("did you mean"))));
}

TEST(Options, WrongTypesNameWhatIsExpectedAndWhatCame) {
  EXPECT_THAT(reading(R"({"flag": 1})"), throws_input_error("/where/flag", "expected true or false", "an integer (1)"));
  EXPECT_THAT(reading(R"({"flag": "true"})"), throws_input_error("/where/flag", "a string"));
  EXPECT_THAT(reading(R"({"count": 2.5})"),
              throws_input_error("/where/count", "an integer (1 to 10)", "a number (2.5)"));
  EXPECT_THAT(reading(R"({"count": "2"})"), throws_input_error("/where/count", "a string (\"2\")"));
  EXPECT_THAT(reading(R"({"nodes": 4})"), throws_input_error("/where/nodes", "a string (one of uniform, chebyshev)"));
  EXPECT_THAT(reading(R"({"step": [1]})"), throws_input_error("/where/step", "a list ([1])", "1/3"));
  EXPECT_THAT(reading(R"({"step": "1/"})"), throws_input_error("/where/step"));
  EXPECT_THAT(reading(R"({"steps": 1})"), throws_input_error("/where/steps", "a list of numbers"));
  EXPECT_THAT(reading(R"({"steps": [1, true]})"), throws_input_error("/where/steps/1", "a boolean (true)"));
  EXPECT_THAT(reading(R"({"names": "a"})"), throws_input_error("/where/names", "a list of strings"));
  EXPECT_THAT(reading(R"({"names": ["a", 3]})"), throws_input_error("/where/names/1", "a string"));
  EXPECT_THAT(reading(R"({"inner": 3})"), throws_input_error("/where/inner", "expected an object, got an integer"));
  EXPECT_THAT(reading(R"({"list": {}})"), throws_input_error("/where/list", "a list of objects"));
  EXPECT_THAT(reading(R"({"list": [3]})"), throws_input_error("/where/list/0", "expected an object"));
  EXPECT_THAT(reading("[]"), throws_input_error("/where: ", "expected an object, got a list"));
}

TEST(Options, OutOfRangeValuesNameTheRange) {
  EXPECT_THAT(reading(R"({"count": 0})"), throws_input_error("/where/count: ", "0 is out of range", "1 to 10"));
  EXPECT_THAT(reading(R"({"count": 11})"), throws_input_error("11 is out of range", "1 to 10"));
  EXPECT_THAT(reading(R"({"count": 123456789012345})"), throws_input_error("123456789012345", "1 to 10"));
  EXPECT_THAT(reading(R"({"maybe_count": -1})"), throws_input_error("/where/maybe_count", "at least 0"));
  EXPECT_THAT(reading(R"({"maybe_count": 123456789012345})"), throws_input_error("/where/maybe_count", "too large"));
  EXPECT_THAT(reading(R"({"step": 0})"), throws_input_error("/where/step", "0 is out of range", "above 0"));
  EXPECT_THAT(reading(R"({"step": "-1/3"})"), throws_input_error("-1/3 is out of range", "above 0"));
  EXPECT_THAT(reading(R"({"steps": [1, "1/2 - 1/2"]})"), throws_input_error("/where/steps/1", "above 0"));
  EXPECT_THAT(reading(R"({"inner": {"limit": 10}})"), throws_input_error("/where/inner/limit", "1 to 9"));
}

// 2^64 - 1 is -1 in 64 bits, and 2^64 + 5 is 5: neither may be taken for it.
TEST(Options, HugeIntegersDoNotWrapAround) {
  int any = 0;
  const Options options{option("any", any, "no range")};
  EXPECT_THAT([&] { options.read(Json::parse(R"({"any": 18446744073709551615})"), ""); },
              throws_input_error("/any: ", "18446744073709551615 is too large"));
  EXPECT_THAT(reading(R"({"count": 18446744073709551615})"),
              throws_input_error("/where/count", "18446744073709551615"));
  EXPECT_THAT(reading(R"({"count": 18446744073709551621})"), throws_input_error("/where/count"));  // 2^64 + 5
}

TEST(Options, ChoicesNameTheAllowedAndTheNearest) {
  EXPECT_THAT(reading(R"({"nodes": "chebychev"})"),
              throws_input_error("/where/nodes: ", "'chebychev' is not allowed", "uniform, chebyshev",
                                 "did you mean 'chebyshev'?"));
}

TEST(Options, WriteWhatTheyRead) {
  Sample s = read(R"({"flag": true, "count": 7, "maybe_step": 0.1, "steps": ["1/3"], "inner": {"limit": 2},
                      "list": [{"tolerance": "1e-6"}]})");
  const Json written = s.options().write();
  EXPECT_EQ(written["maybe_step"], "0.1") << "decimal text, no double in between";
  EXPECT_EQ(written["maybe_count"], nullptr);
  Sample again;
  again.options().read(written, "");
  EXPECT_EQ(again.options().write(), written);
}

TEST(Options, ALaterFailureNamesItsOwnPlace) {
  // The first bad entry in the order of the document is reported.
  EXPECT_THAT(reading(R"({"count": 99, "step": 0})"), ThrowsMessage<InputError>(StartsWith("/where/count")));
}

TEST(Options, IgnoredKeysAreSkipped) {
  Sample s;
  s.options().read({{"name", "x"}, {"count", 4}}, "", {"name"});
  EXPECT_EQ(s.count, 4);
}

TEST(Options, SchemaSaysTypeRangeDefaultAndDescription) {
  const Json schema = Sample{}.options().schema();
  EXPECT_EQ(schema["count"], Json::parse(R"({"type": "integer", "minimum": 1, "maximum": 10,
                                             "description": "how many", "default": 3})"));
  EXPECT_EQ(schema["nodes"]["enum"], Json::parse(R"(["uniform", "chebyshev"])"));
  EXPECT_EQ(schema["step"]["anyOf"][0]["exclusiveMinimum"], 0);
  EXPECT_EQ(schema["maybe_count"]["default"], nullptr);
  EXPECT_EQ(schema["inner"]["additionalProperties"], false);
  EXPECT_EQ(schema["list"]["items"]["properties"]["limit"]["maximum"], 9);
}

TEST(Options, AllowedSaysItselfInWords) {
  EXPECT_EQ(between(1, 10).text(), "1 to 10");
  EXPECT_EQ(at_least(2).text(), "at least 2");
  EXPECT_EQ(positive().text(), "above 0");
  EXPECT_EQ(one_of({"a", "b"}).text(), "one of a, b");
  EXPECT_EQ(Allowed{}.text(), "");
}

// ---------------------------------------------------------------- specs

TEST(Spec, NameAloneAndNameWithOptions) {
  EXPECT_EQ(parse_spec("pendulum", ""), Json::parse(R"({"name": "pendulum"})"));
  EXPECT_EQ(parse_spec("pade-block:r=4,nodes=uniform,k=null,flag=true", ""),
            Json::parse(R"({"name": "pade-block", "r": 4, "nodes": "uniform", "k": null, "flag": true})"));
}

// 0.1 as JSON number would be the double 0.1000000000000000055; as text it is 1/10.
TEST(Spec, DecimalsStayText) {
  const Json spec = parse_spec("pendulum:length=0.1,mass=1e-3,gravity=2", "");
  EXPECT_EQ(spec["length"], "0.1");
  EXPECT_EQ(spec["mass"], "1e-3");
  EXPECT_EQ(spec["gravity"], 2);
  EXPECT_EQ(exact_from_json(spec["length"], "").value(), Real100(1) / 10);
}

TEST(Spec, ExactTextAndTextWithEqualsSigns) {
  EXPECT_EQ(parse_spec("a:x=sqrt(3)/2", "")["x"], "sqrt(3)/2");
  EXPECT_EQ(parse_spec("a:x=b=c", "")["x"], "b=c");
}

TEST(Spec, ObjectsPassThrough) {
  const Json object = Json::parse(R"({"name": "a", "x": [1, 2]})");
  EXPECT_EQ(parse_spec(object, ""), object);
}

TEST(Spec, MalformedTextIsRefused) {
  EXPECT_THAT([] { parse_spec("a:r", "/method"); },
              throws_input_error("/method: ", "'r' in 'a:r'", "name:key=value,key=value"));
  EXPECT_THAT([] { parse_spec("a:", "/method"); }, throws_input_error("/method: ", "key=value"));
  EXPECT_THAT([] { parse_spec("a:=3", "/method"); }, throws_input_error("/method: ", "'=3'"));
  EXPECT_THAT([] { parse_spec("a:r=3,", "/method"); }, throws_input_error("/method: ", "key=value"));
  EXPECT_THAT([] { parse_spec("a:r=3,r=4", "/method"); }, throws_input_error("/method: ", "'r' is given twice"));
  EXPECT_THAT([] { parse_spec("a:name=b", "/method"); }, throws_input_error("'name' is given twice"));
  EXPECT_THAT([] { parse_spec(3, "/method"); }, throws_input_error("/method: ", "name:key=value"));
  EXPECT_THAT([] { parse_spec(Json::parse(R"({"r": 3})"), "/method"); }, throws_input_error("/method: ", "\"name\""));
  EXPECT_THAT([] { parse_spec("@no/such/file.json", "/method"); }, throws_input_error("no/such/file.json"));
}

TEST(Spec, ReadsAFile) {
  const std::string path = (std::filesystem::temp_directory_path() / "daelab-options-test.json").string();
  write_file(path, R"({"name": "pade-block", "r": 3})");
  EXPECT_EQ(parse_spec("@" + path, ""), Json::parse(R"({"name": "pade-block", "r": 3})"));
  std::filesystem::remove(path);
}

TEST(Spec, TextIsTheInverseOfParse) {
  for (const char* text : {"pendulum", "pade-block:r=4,k=2,nodes=uniform", "pendulum:length=0.1,x=-1/3,flag=true"}) {
    EXPECT_EQ(spec_text(parse_spec(text, "")), text);
    EXPECT_EQ(parse_spec(spec_text(parse_spec(text, "")), ""), parse_spec(text, ""));
  }
  EXPECT_EQ(spec_text(Json::parse(R"({"name": "a", "automatic": null, "x": 1})")), "a:x=1");
}

}  // namespace TEST_FILE
}  // namespace daelab
