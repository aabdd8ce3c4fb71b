// Results of programs as subjects of audits: errors at several step sizes, by the estimate of orders.
#include "analysis/measured_order.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "analysis/audit_subjects.hpp"
#include "tests/input_error_support.hpp"
#include "tests/test_folder.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

class MeasuredOrders : public testing::Test {
 protected:
  std::string file(const std::string& text) {
    const std::string path = (std::filesystem::path(folder_.path()) / "errors.csv").string();
    std::ofstream(path) << text;
    return path;
  }
  // Errors c h^p of each quantity at 1/20, 1/40, ...
  std::string powers(const std::vector<double>& orders, int points = 6) {
    std::string text = "# a program 1.0\nh";
    for (std::size_t i = 0; i < orders.size(); ++i) text += fmt::format(",x{}", i);
    for (int n = 0; n < points; ++n) {
      const double h = std::pow(0.5, n) / 20;
      text += fmt::format("\n{}", h);
      for (const double p : orders) text += fmt::format(",{}", 0.3 * std::pow(h, p) * (1 + 0.1 * h));
    }
    return file(text + "\n");
  }
  static MeasuredOrder order_of(const std::string& path) { return measured_order(read_measured_errors(path)); }
  AuditVerdict verdict(const std::string& path, int claim) {
    const Json list = Json::array({{{"name", "seen"}, {"errors", path}, {"claims", {{"order", claim}}}}});
    const Audit found = audit(audit_list(list, "", "list").front());
    return found.rows.front().verdict.value();
  }

  TemporaryFolder folder_;
};

TEST_F(MeasuredOrders, AreTheLowestOfAllQuantities) {
  EXPECT_EQ(order_of(powers({2, 2})).order, 2);
  const MeasuredOrder mixed = order_of(powers({2, 1}));
  EXPECT_EQ(mixed.order, 1);
  EXPECT_THAT(mixed.proof, HasSubstr("measured: h from 0.05 to 0.0015625: order 2.00"));
  EXPECT_THAT(mixed.proof, HasSubstr("(x1)"));
}

TEST_F(MeasuredOrders, JudgeClaims) {
  EXPECT_EQ(verdict(powers({2, 2}), 2), AuditVerdict::confirmed);
  EXPECT_EQ(verdict(powers({2, 2}), 1), AuditVerdict::understated);
  EXPECT_EQ(verdict(powers({1, 2}), 2), AuditVerdict::refuted);
  EXPECT_EQ(verdict(powers({1.5, 2}), 2), AuditVerdict::undecided);
}

TEST_F(MeasuredOrders, AreNotDecidedByNoise) {
  const MeasuredOrder noise = order_of(file("h,u\n0.1,1e-3\n0.05,4e-2\n0.025,2e-5\n0.0125,7e-2\n"));
  EXPECT_FALSE(noise.order);
  EXPECT_THAT(noise.proof, HasSubstr("undecided"));
}

TEST_F(MeasuredOrders, AreZeroWhereErrorsStandStill) {
  const MeasuredOrder still = order_of(file("h,u\n0.1,0.5\n0.05,0.5\n0.025,0.5\n0.0125,0.5\n0.00625,0.5\n"));
  EXPECT_EQ(still.order, 0);
  EXPECT_THAT(still.proof, HasSubstr("does not converge"));
}

TEST_F(MeasuredOrders, RefuseOtherTables) {
  EXPECT_THAT([&] { read_measured_errors(file("t,u\n1,2\n")); }, throws_input_error("column h", "t, u"));
  EXPECT_THAT([&] { read_measured_errors(file("h,u\n0.1,2\n")); }, throws_input_error("at least 3", "found 1"));
  EXPECT_THAT([&] { read_measured_errors(file("h,u\n0.1,2\n0,1\nx,1\n")); }, throws_input_error("above 0"));
  EXPECT_THAT([&] { read_measured_errors("/nowhere.csv"); }, throws_input_error("nowhere.csv"));
  const Json both = Json::array({{{"method", "hht"}, {"errors", "a.csv"}}});
  EXPECT_THAT([&] { audit_list(both, "", "list"); }, throws_input_error("list/0", "errors"));
  const Json number = Json::array({{{"errors", 3}}});
  EXPECT_THAT([&] { audit_list(number, "", "list"); }, throws_input_error("list/0/errors", "CSV"));
}

}  // namespace TEST_FILE
}  // namespace daelab
