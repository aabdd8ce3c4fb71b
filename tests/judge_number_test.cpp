// Numbers beside printed ones: digits in common, and texts in the style of a paper. Numbers are those of Li, Ding, Li
// (2019).
#include <gtest/gtest.h>

#include "results/printed_number.hpp"
#include "results/store.hpp"
#include "tests/claims_support.hpp"

namespace daelab {
namespace TEST_FILE {

TEST(JudgeNumber, CountsSignificantDigits) {
  EXPECT_EQ(significant_digits("7.0007E-5"), 5);
  EXPECT_EQ(significant_digits("0.0021"), 2);
  EXPECT_EQ(significant_digits("0.0704"), 3);
  EXPECT_EQ(significant_digits("3.7480E-7"), 5);
  EXPECT_EQ(significant_digits("10.8750"), 6);
  EXPECT_EQ(significant_digits("2177"), 4);
}

TEST(JudgeNumber, AllPrintedDigits) {
  EXPECT_EQ(judge_number(7.00071e-5, "7.0007E-5"), "all printed digits");
  EXPECT_EQ(judge_number(2.1449e-3, "0.0021"), "all printed digits");
  EXPECT_EQ(judge_number(0.262849, "0.2628"), "all printed digits");
  EXPECT_EQ(judge_number(6.66858e-9, "6.6686E-9"), "all printed digits");
  EXPECT_EQ(judge_number(9.99996, "10.000"), "all printed digits");  // across a power of ten
}

TEST(JudgeNumber, KDigits) {
  EXPECT_EQ(judge_number(6.6685e-9, "6.6686E-9"), "4 digits");  // 1.5e-5 apart
  EXPECT_EQ(judge_number(7.01e-5, "7.0007E-5"), "2 digits");
  EXPECT_EQ(judge_number(7.0035e-5, "7.0007E-5"), "3 digits");
}

// One digit alike is luck: 5.352E-11 in our double, 5.5074E-11 printed.
TEST(JudgeNumber, SameOrderOfMagnitude) {
  EXPECT_EQ(judge_number(5.352e-11, "5.5074E-11"), "same order of magnitude");
  EXPECT_EQ(judge_number(1.196e-13, "7.6766E-13"), "same order of magnitude");
  EXPECT_EQ(judge_number(2.716e-3, "0.0021"), "same order of magnitude");  // the (2,3) scheme
}

TEST(JudgeNumber, Differs) {
  EXPECT_EQ(judge_number(5.53e-6, "5.8212E-5"), "differs");  // the (2,3) scheme, factor 10.5
  EXPECT_EQ(judge_number(0, "5.8212E-5"), "differs");
  EXPECT_EQ(judge_number(-7.0007e-5, "7.0007E-5"), "differs");
  EXPECT_EQ(judge_number(std::nan(""), "7.0007E-5"), "differs");
}

TEST(PrintAlike, FollowsTheStyleOfThePaper) {
  EXPECT_EQ(print_alike(7.000712e-5, "7.0007E-5"), "7.0007E-5");
  EXPECT_EQ(print_alike(5.352e-11, "5.5074E-11"), "5.3520E-11");
  EXPECT_EQ(print_alike(2.1449e-3, "0.0021"), "0.0021");
  EXPECT_EQ(print_alike(0.98541, "0.9854"), "0.9854");
  EXPECT_EQ(print_alike(1.23e-9, "0.0021"), "1.2E-9");
  EXPECT_EQ(print_alike(123, "0.0704"), "1.23E2");
  EXPECT_EQ(print_alike(0, "0.0021"), "0.0E0");
}

}  // namespace TEST_FILE
}  // namespace daelab
