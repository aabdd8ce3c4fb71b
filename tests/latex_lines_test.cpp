// Long formulas in LaTeX are broken between terms, with parentheses closed and opened again.
#include "core/export/latex_lines.hpp"

#include <gmock/gmock.h>

#include "core/expressions/latex.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::ElementsAre;

TEST(LatexLines, WidthsAreOfWhatIsSet) {
  EXPECT_EQ(latex_width("a b"), 2);
  EXPECT_EQ(latex_width("\\frac{a b c}{d}"), 3);  // the wider of both
  EXPECT_EQ(latex_width("\\sin\\left(x\\right)"), 6);
  EXPECT_EQ(latex_width("\\dot{\\theta}"), 1);
  EXPECT_NEAR(latex_width("x^{2}"), 1.7, 1e-12);
}

TEST(LatexLines, SumsAreBrokenBetweenTheirTerms) {
  EXPECT_THAT(latex_lines("a + b - c", 60, 60), ElementsAre("a + b - c"));
  EXPECT_THAT(latex_lines("a + b - c", 5, 5), ElementsAre("a + b", "- c"));
  EXPECT_THAT(latex_lines("aaaaaaaa + b", 5, 5), ElementsAre("aaaaaaaa", "+ b"));  // a term stays whole
  EXPECT_THAT(latex_lines("\\frac{d}{a + b + c}", 3, 3), ElementsAre("\\frac{d}{a + b + c}"));
  EXPECT_THAT(latex_lines("\\frac{aaaa + bbbb}{2}", 9, 9),
              ElementsAre("\\frac{1}{2} \\left(aaaa \\right.", "\\left. {} + bbbb\\right)"));
  EXPECT_THAT(latex_lines("x_{a + b} + c", 2, 2), ElementsAre("x_{a + b}", "+ c"));
}

// \left and \right must match in each line.
TEST(LatexLines, ParenthesesAreClosedAndOpenedAgain) {
  EXPECT_THAT(latex_lines("m \\left(aaaaaa + bbbbbb\\right)", 10, 12),
              ElementsAre("m \\left(aaaaaa \\right.", "\\left. {} + bbbbbb\\right)"));
  EXPECT_THAT(latex_lines("aaaaaa \\left(b + c\\right) + ddd", 13, 13),
              ElementsAre("aaaaaa \\left(b + c\\right)", "+ ddd"))
      << "the sum outside first";
}

TEST(LatexLines, NamesOfLettersAreLetters) {
  EXPECT_EQ(latex_name("eps'"), "\\dot{\\varepsilon}");
  EXPECT_EQ(latex_name("eps2"), "\\varepsilon_{2}");
}

}  // namespace TEST_FILE
}  // namespace daelab
