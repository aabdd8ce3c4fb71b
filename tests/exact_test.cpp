// Constants as text, their recovery from digits, and the reading and writing of JSON files.
#include "core/base/exact.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "core/base/json_file.hpp"
#include "core/base/rational.hpp"
#include "core/base/write_file.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

// Real100 carries 101 digits; a handful of operations may lose the last few.
const Real100 tolerance("1e-98");

struct ParserCase {
  const char* text;
  Real100 value;
};

class ExactValue : public testing::TestWithParam<ParserCase> {};

TEST_P(ExactValue, IsRightTo98Digits) {
  const Real100 expected = GetParam().value;
  EXPECT_LE(abs(Exact(GetParam().text).value() - expected), tolerance * (1 + abs(expected)))
      << GetParam().text << " = " << to_text(Exact(GetParam().text).value());
}

INSTANTIATE_TEST_SUITE_P(Grammar, ExactValue,
                         testing::Values(ParserCase{"9.81", Real100(981) / 100}, ParserCase{"1/3", Real100(1) / 3},
                                         ParserCase{"-2.5e-3", Real100(-1) / 400}, ParserCase{"1E+2", 100},
                                         ParserCase{".5", Real100(1) / 2}, ParserCase{"5.", 5},
                                         ParserCase{"sqrt(3)", sqrt(Real100(3))},
                                         ParserCase{"(4 - sqrt(6))/10", (4 - sqrt(Real100(6))) / 10},
                                         ParserCase{"pi/3", pi<Real100>() / 3}, ParserCase{"cos(pi/3)", Real100(1) / 2},
                                         ParserCase{"sin(pi/6)", Real100(1) / 2}, ParserCase{"tan(pi/4)", 1},
                                         ParserCase{"log(exp(2))", 2}, ParserCase{"8 - 3 - 2", 3},
                                         ParserCase{"8/4/2", 1}, ParserCase{"2 + 3*4", 14},
                                         // Conventions of written mathematics: powers bind tighter than signs and
                                         // from the right.
                                         ParserCase{"-2^2", -4}, ParserCase{"2^3^2", 512}, ParserCase{"2^-2", 0.25},
                                         ParserCase{"(-2)^3", -8}, ParserCase{"2*-3", -6}, ParserCase{"--3", 3},
                                         ParserCase{"  ( ( 7 ) )  ", 7}, ParserCase{"2 sqrt(4)", 4},
                                         ParserCase{"(11 - 2 sqrt(2))/24", (11 - 2 * sqrt(Real100(2))) / 24}));

struct ErrorCase {
  const char* text;
  const char* what;
  int position;
};

class ExactError : public testing::TestWithParam<ErrorCase> {};

TEST_P(ExactError, NamesCauseAndPosition) {
  const ErrorCase& expected = GetParam();
  EXPECT_THAT(
      [&] { Exact(std::string(expected.text)); },
      ThrowsMessage<InputError>(AllOf(HasSubstr(std::string("\"") + expected.text + "\""), HasSubstr(expected.what),
                                      HasSubstr("at position " + std::to_string(expected.position)))));
}

INSTANTIATE_TEST_SUITE_P(
    Grammar, ExactError,
    testing::Values(ErrorCase{"", "a number is missing", 1}, ErrorCase{"3 *", "is missing", 4},
                    ErrorCase{"1/0", "division by zero", 3}, ErrorCase{"1/(2 - 2)", "division by zero", 3},
                    ErrorCase{"0^-1", "division by zero", 1}, ErrorCase{"1//3", "unexpected '/'", 3},
                    ErrorCase{"2 3", "unexpected '3'", 3}, ErrorCase{"(1 + 2", "missing ')'", 7},
                    ErrorCase{"1)", "unexpected ')'", 2}, ErrorCase{"1 + .", "a lone '.'", 5},
                    ErrorCase{"1.2.3", "unexpected '.'", 4}, ErrorCase{"1/2 pi", "write *", 5},
                    ErrorCase{"sqrt 2", "missing '('", 6}, ErrorCase{"2*sqr(2)", "did you mean 'sqrt'?", 3},
                    ErrorCase{"sqrt(-1)", "negative", 1}, ErrorCase{"log(0)", "logarithm", 1},
                    ErrorCase{"2^0.5", "whole number", 3}, ErrorCase{"0,5", "unexpected ','", 2},
                    ErrorCase{"2π", "unexpected 'π'", 2}, ErrorCase{"1e999999999", "exponent is out of range", 3}));

// What no datum needs may take hours.
TEST(Exact, RefusesExponentsOfManyDigits) {
  EXPECT_EQ(Exact("1e300").as<double>(), 1e300);
  for (const char* text : {"1e100000", "1e-100000", "1e+0999999", "2^1000000", "(1/2)^-1000000"})
    EXPECT_THROW(Exact{text}, InputError) << text;
}

TEST(Exact, RefusesTextThatNestsTooDeeply) {
  EXPECT_THAT([] { Exact(std::string(5000, '(')); }, ThrowsMessage<InputError>(HasSubstr("nested too deeply")));
}

TEST(Exact, RoundsOnceToTheWorkingScalar) {
  EXPECT_EQ(Exact("1/10").as<double>(), 0.1);
  // 0.1 as a double is off by 5e-18; the text is not.
  EXPECT_LT(abs(Exact("0.1").as<Real50>() - Real50(1) / 10), Real50("1e-50"));
}

TEST(ExactJson, ReadsNumbersByTheirShortestDecimals) {
  EXPECT_EQ(exact_from_json(Json::parse("0.1"), "/x").value(), Real100(1) / 10);
  EXPECT_EQ(exact_from_json(Json::parse("-3"), "/x").value(), -3);
  EXPECT_EQ(exact_from_json(Json::parse("18446744073709551615"), "/x").value(), Real100("18446744073709551615"));
  EXPECT_EQ(exact_from_json(Json::parse("1e22"), "/x").value(), Real100("1e22"));
  EXPECT_EQ(exact_from_json(Json("1/3"), "/x").text(), "1/3");
}

TEST(ExactJson, ErrorsStartWithThePointer) {
  EXPECT_THAT(
      [] { exact_from_json(Json("1/0"), "/A/2/1"); },
      ThrowsMessage<InputError>(AllOf(testing::StartsWith("/A/2/1: "), HasSubstr("division by zero at position 3"))));
  EXPECT_THAT([] { exact_from_json(Json(nullptr), "/b/0"); },
              ThrowsMessage<InputError>(AllOf(testing::StartsWith("/b/0: "), HasSubstr("null"))));
}

TEST(RecoverFraction, FindsFractionsAndOnlyThose) {
  EXPECT_EQ(recover_fraction(Real100(0)), Rational(0));
  EXPECT_EQ(recover_fraction(Real100(-73) / 2880), Rational(-73, 2880));
  const Rational large(Rational("123456789012345678901/987654321098765432109"));
  EXPECT_EQ(recover_fraction(Real100("123456789012345678901") / Real100("987654321098765432109")), large);
  EXPECT_EQ(recover_fraction(Real100(1) / 3 + Real100("1e-70")), std::nullopt);
  EXPECT_EQ(recover_fraction(Real100(1) / Real100("1e31")), std::nullopt);
  EXPECT_EQ(recover_fraction(sqrt(Real100(2))), std::nullopt);
  EXPECT_EQ(recover_fraction(pi<Real100>()), std::nullopt);
}

TEST(ExactText, WritesFractionsSurdsOrDecimals) {
  EXPECT_EQ(fraction_or_decimal(Exact("3/8").value()), "3/8");
  EXPECT_EQ(fraction_or_decimal(-2), "-2");
  EXPECT_EQ(fraction_or_decimal(sqrt(Real100(2))), "1.41421356237309504880168872420969807857");
  EXPECT_EQ(exact_text(pi<Real100>()), "3.141592653589793238462643383279502884197");
  // Outside the form: two different roots, and a root of a number above 200.
  EXPECT_EQ(exact_text(sqrt(Real100(2)) + sqrt(Real100(3))).substr(0, 6), "3.1462");
  EXPECT_EQ(exact_text(sqrt(Real100(211))).substr(0, 6), "14.525");
  EXPECT_FALSE(recover_surd(Real100(3) / 8).has_value());  // a fraction is no surd
}

class SurdText : public testing::TestWithParam<const char*> {};

TEST_P(SurdText, IsRecoveredFromTheDigits) { EXPECT_EQ(exact_text(Exact(GetParam()).value()), GetParam()); }

INSTANTIATE_TEST_SUITE_P(Forms, SurdText,
                         testing::Values("sqrt(2)", "-sqrt(3)/2", "3 sqrt(5)", "-7 sqrt(199)/3", "1 + sqrt(2)",
                                         "-1 - 2 sqrt(6)", "(11 - 2 sqrt(2))/24", "(-1 + 7 sqrt(2))/48",
                                         "(88 - 7 sqrt(6))/360", "(40 + 11 sqrt(15))/150",
                                         "(12345678 - 9876543 sqrt(15))/19283746"));

TEST(ToText, IsShortestForDoubleAndCompleteForWiderTypes) {
  EXPECT_EQ(to_text(0.1), "0.1");
  EXPECT_EQ(to_text(1e300), "1e+300");
  EXPECT_EQ(to_text(Real50(1) / 3), "0.33333333333333333333333333333333333333333333333333");
  EXPECT_EQ(to_text(Exact("9.81").as<Real50>()), "9.81");
  EXPECT_EQ(to_text(Real100(2) / 3, 5), "0.66667");
  EXPECT_EQ(to_text(Real100(1) / 3).size(), 52u);
}

TEST(NearestName, FindsSlipsAndNothingElse) {
  const std::vector<std::string> names{"uniform", "chebyshev", "legendre", "lobatto", "ggl"};
  EXPECT_EQ(nearest_name("chebychev", names), "chebyshev");
  EXPECT_EQ(nearest_name("Legendre", names), "legendre");
  EXPECT_EQ(nearest_name("unifrom", names), "uniform");
  EXPECT_EQ(nearest_name("lobato", names), "lobatto");
  EXPECT_EQ(nearest_name("gl", names), "ggl");
  EXPECT_EQ(nearest_name("gauss", names), "");
  EXPECT_EQ(nearest_name("x", names), "");
  EXPECT_EQ(nearest_name("", names), "");
  EXPECT_EQ(nearest_name("uniform", {}), "");
}

class JsonFile : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  static std::string content(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(JsonFile, KeepsTheOrderOfKeys) {
  write_file(path("a.json"), R"({"z": 1, "a": [2, 0.1]})");
  EXPECT_EQ(read_json_file(path("a.json")).dump(), R"({"z":1,"a":[2,0.1]})");
}

TEST_F(JsonFile, SyntaxErrorsNameFileLineAndColumn) {
  write_file(path("bad.json"), "{\n  \"r\": 3,\n  \"k\": ?\n}\n");
  EXPECT_THAT([&] { read_json_file(path("bad.json")); },
              ThrowsMessage<InputError>(HasSubstr(path("bad.json") + ":3:8: syntax error")));
  write_file(path("empty.json"), "");
  EXPECT_THAT([&] { read_json_file(path("empty.json")); },
              ThrowsMessage<InputError>(HasSubstr("empty.json:1:1: syntax error")));
}

TEST_F(JsonFile, UnreadableFilesAreInputErrors) {
  EXPECT_THAT(
      [&] { read_json_file(path("none.json")); },
      ThrowsMessage<InputError>(AllOf(HasSubstr("cannot read " + path("none.json")), HasSubstr("No such file"))));
  EXPECT_THAT([&] { read_json_file(path("")); }, ThrowsMessage<InputError>(HasSubstr("it is a directory")));
}

}  // namespace TEST_FILE
}  // namespace daelab
