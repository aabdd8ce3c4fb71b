// Cells of tables: what they hold, and that JSON keeps it.
#include "results/table_cell.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace daelab {
namespace TEST_FILE {

TEST(TableCell, HoldsWhatItWasMadeOf) {
  EXPECT_TRUE(TableCell().empty());
  EXPECT_EQ(*TableCell(7).whole(), 7);
  EXPECT_EQ(*TableCell(0.5).real(), 0.5);
  EXPECT_EQ(*TableCell("x").text(), "x");
  EXPECT_EQ(TableCell(std::optional<int>(3)), TableCell(3));
  EXPECT_TRUE(TableCell(std::optional<double>()).empty());
  EXPECT_NE(TableCell(1), TableCell(1.0)) << "a count is no real";
}

TEST(TableCell, NumbersThatAreNotFiniteAreNothing) {
  EXPECT_TRUE(TableCell(HUGE_VAL).empty());
  EXPECT_TRUE(TableCell(std::nan("")).empty());
  EXPECT_TRUE(TableCell(std::numeric_limits<Real50>::quiet_NaN()).empty());
}

TEST(TableCell, FiftyDigitsAreText) {
  const TableCell third(Real50(1) / 3);
  ASSERT_NE(third.text(), nullptr);
  EXPECT_LT(abs(Real50(Real50(*third.text()) * 3 - 1)), Real50("1e-49"));
}

TEST(TableCell, JsonKeepsThem) {
  for (const TableCell& cell : {TableCell(), TableCell(-3), TableCell(0.1), TableCell("1/3")})
    EXPECT_EQ(Json::parse(Json(cell).dump()).get<TableCell>(), cell) << Json(cell);
  EXPECT_EQ(*Json::parse("18446744073709551615").get<TableCell>().real(), 0x1p64) << "no count is so large";
  EXPECT_THROW(Json::parse("[1]").get<TableCell>(), Json::exception);
  EXPECT_THROW(Json::parse("true").get<TableCell>(), Json::exception);
}

}  // namespace TEST_FILE
}  // namespace daelab
