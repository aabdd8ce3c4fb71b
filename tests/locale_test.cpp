// Numbers under a decimal comma, as a program or a Python session sets it that hosts the library: the same as ever.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <clocale>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <locale>
#include <memory>

#include "core/base/json.hpp"
#include "core/base/number_text.hpp"
#include "core/base/scalar.hpp"
#include "experiments/measures/foreign_results.hpp"
#include "results/csv.hpp"
#include "results/entry_values.hpp"
#include "results/printed_number.hpp"
#include "results/run_log.hpp"
#include "tests/test_folder.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::ElementsAre;

TEST(NumberText, IsReadAsTheStandardLibraryReadsIt) {
  for (const char* text : {"1", "-1.5", "+2.5e3", "  7", "1e-320", ".5", "5.", "inf", "-inf", "0.1", "4.9e-324",
                           "123456789012345678901234567890", "1e308"})
    EXPECT_EQ(number_in(text), std::strtod(text, nullptr)) << text;
  for (const char* text : {"", " ", "-", "+", "+-1", "-+1", "--1", "1x", "0x1", "1,5", "e5", "1 ", "1e5 2"})
    EXPECT_FALSE(number_in(text)) << text;
  EXPECT_TRUE(std::isnan(number_in("nan").value()));
}

TEST(NumberText, TooLargeIsInfinityAndTooSmallIsZero) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const char* text : {"1e309", "123e99999999999999999999", "0.0001e400", "1234567e305", "+1E999"})
    EXPECT_EQ(number_in(text), infinity) << text;
  EXPECT_EQ(number_in("-1e400"), -infinity);
  for (const char* text : {"1e-400", "0.001e-99999999999999999999", "0e999", "0.0e-999"})
    EXPECT_EQ(number_in(text), 0) << text;
}

TEST(NumberText, IsTakenOffTheText) {
  std::string_view text = " 1.5mm";
  EXPECT_EQ(take_number(text), 1.5);
  EXPECT_EQ(text, "mm");
  EXPECT_FALSE(take_number(text));
  EXPECT_EQ(text, "mm");
}

// German, which separates decimals by a comma and thousands by a point.
class DecimalComma : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder = std::make_unique<TemporaryFolder>();
    make = "localedef -i de_DE -f UTF-8 --no-archive " + folder->path() + "/de_DE.UTF-8 >/dev/null 2>&1";
    static_cast<void>(std::system(make.c_str()));  // exit code 1 where it only warns
  }
  static void TearDownTestSuite() { folder.reset(); }
  void SetUp() override {
    ::setenv("LOCPATH", folder->path().c_str(), 1);
    if (std::setlocale(LC_ALL, "de_DE.UTF-8") == nullptr) GTEST_SKIP() << "no German locale: " << make;
    std::locale::global(std::locale("de_DE.UTF-8"));
    ASSERT_STREQ(std::localeconv()->decimal_point, ",");
    ASSERT_EQ(std::strtod("0.5", nullptr), 0) << "what this is about";
  }
  void TearDown() override {
    std::locale::global(std::locale::classic());
    std::setlocale(LC_ALL, "C");
    ::unsetenv("LOCPATH");
  }
  inline static std::unique_ptr<TemporaryFolder> folder;
  inline static std::string make;
};

TEST_F(DecimalComma, VerdictsStay) {
  EXPECT_EQ(judge_number(0.12345, "0.12345"), "all printed digits");
  EXPECT_EQ(judge_number(-1.25e-7, "-1.25E-7"), "all printed digits");
  EXPECT_EQ(print_alike(0.123456, "0.1234"), "0.1235");
  EXPECT_EQ(as_double(Json("-2.25e-3")), -2.25e-3);
  EXPECT_EQ(as_number(Json("1.5")), Real50(1.5));
}

TEST_F(DecimalComma, TextsOfNumbersStay) {
  EXPECT_EQ(to_text(0.1), "0.1");
  EXPECT_EQ(to_text(Real50(1.5)), "1.5");
  EXPECT_EQ(Real50("1.5"), Real50(1.5));
  EXPECT_EQ(Real100(-1234.5).fixed(2), "-1234.50");
  EXPECT_EQ(Real100(1234.5).fixed(0), "1234");
  EXPECT_EQ(Real100(1234.5).scientific(3), "1.234e+03");
  EXPECT_EQ(Real100(1234.5).scientific(0), "1e+03");
  EXPECT_EQ(Exact("12.5").text(), "12.5");
  EXPECT_EQ(Json::parse("[0.5, 1e-3, 12345.5]").dump(), "[0.5,0.001,12345.5]");
  EXPECT_EQ(fmt::format("{:.3f} {:g}", 1234.5, 0.5), "1234.500 0.5");
}

TEST_F(DecimalComma, TablesStay) {
  EXPECT_THAT(csv_columns("t,x\n0.5,+1.5\n", {"t", "x"}, "a.csv"), ElementsAre(ElementsAre(0.5), ElementsAre(1.5)));
  ForeignFile file;
  file.path = folder->path() + "/mine.csv";
  std::ofstream(file.path) << "h,y1\n0.125,-0.5\n0.0625,-5.3D-1\n";
  const auto run = Run::bind(
      {{"problem", "prothero-robinson"}, {"method", "radau-iia:s=3"}, {"rtol", "1e-6"}, {"atol", "1e-6"}}, "");
  const ForeignResults results = read_foreign_results(file, *run);
  ASSERT_EQ(results.runs.size(), 2u);
  EXPECT_EQ(results.runs[0].h->text(), "0.125");
  EXPECT_EQ(results.runs[1].states[0].classes.at("y")[0], Real50("-0.53"));
}

}  // namespace TEST_FILE
}  // namespace daelab
