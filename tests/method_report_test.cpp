// The report card: every registered method has one; what theory says of the known ones.
//
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer, 1996.
#include "analysis/method_report.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>

#include "core/base/exact.hpp"
#include "core/base/paths.hpp"
#include "core/integration/method.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AnyOf;
using testing::HasSubstr;
using testing::StartsWith;

MethodReport report_of(const std::string& method) {
  return method_report(*Registry<Method>::instance().make(method, ""));
}

// ---------------------------------------------------------------- every method

std::vector<std::string> all_methods() {
  std::vector<std::string> methods = Registry<Method>::instance().names();
  for (const auto& file : std::filesystem::directory_iterator(project_path("methods")))
    if (file.path().extension() == ".json") methods.push_back("@" + file.path().string());
  return methods;
}

void expect_certified(const Property& verdict, const char* what) {
  EXPECT_FALSE(verdict.proof.empty()) << what;
  if (verdict.applicable)
    EXPECT_THAT(verdict.proof, AnyOf(StartsWith("exact"), StartsWith("numerical"))) << what;
  else
    EXPECT_FALSE(verdict.holds) << what;
}

class EveryMethod : public testing::TestWithParam<std::string> {};

TEST_P(EveryMethod, HasACertifiedReport) {
  const MethodReport report = report_of(GetParam());
  expect_certified(report.a_stable, "A-stable");
  expect_certified(report.l_stable, "L-stable");
  expect_certified(report.stiffly_accurate, "stiffly accurate");
  expect_certified(report.algebraically_stable, "algebraically stable");
  expect_certified(report.zero_stable, "zero-stable");
  expect_certified(report.unconditionally_stable, "unconditionally stable");
  EXPECT_EQ(report.has_form, !report.form.starts_with("none: "));
  EXPECT_EQ(report.has_form, report.order.has_value());
  for (const auto& [formulation, orders] : report.predicted) EXPECT_FALSE(orders.source.empty()) << formulation;
  const Json json = report;
  for (const char* key : {"form", "rho_infinity", "oscillator_limit", "A_stable", "predicted"})
    EXPECT_TRUE(json.contains(key)) << key;
  EXPECT_EQ(Json(json.get<MethodReport>()).dump(1), json.dump(1)) << "read as written";
}
INSTANTIATE_TEST_SUITE_P(MethodReports, EveryMethod, testing::ValuesIn(all_methods()), [](const auto& info) {
  std::string name = std::filesystem::path(info.param).stem().string();
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name + "_" + std::to_string(info.index);
});

// ---------------------------------------------------------------- known methods

// R is the (2, 3)-Padé approximant, whose error constant is j! k! / ((j+k)! (j+k+1)!) = 1/7200 with the sign of -1^j.
TEST(MethodReportCard, OfRadauIIA) {
  const MethodReport r = report_of("radau-iia:s=3");
  EXPECT_EQ(r.form, "Runge-Kutta tableau of 3 stages");
  EXPECT_EQ(r.order->value, 5);
  EXPECT_TRUE(r.order->is_exact);
  EXPECT_EQ(*r.stage_order, 3);
  EXPECT_EQ(*r.C, 3);
  EXPECT_EQ(*r.D, 2);
  EXPECT_EQ(r.R_infinity, "0");
  EXPECT_EQ(r.error_constant->power, 6);
  EXPECT_LT(abs(r.error_constant->value + Real100(1) / 7200), Real100("1e-95"));  // rounding of 100 digits
  EXPECT_EQ(r.sector->degrees, 90);
  EXPECT_TRUE(r.a_stable.holds && r.l_stable.holds && r.stiffly_accurate.holds && r.algebraically_stable.holds);
  EXPECT_TRUE(r.zero_stable.holds && r.unconditionally_stable.holds);
  EXPECT_TRUE(std::isinf(r.oscillator_limit));
  const Json json = r;
  EXPECT_EQ(json["error_constant"]["value"], "-1/7200");
  EXPECT_EQ(json["oscillator_limit"], "infinite");
  EXPECT_EQ(json["pade_pair"], Json::parse("[2, 3]"));
}

// Real and imaginary stability interval of order 4 with 4 stages: 2.785 and sqrt(8). [HW96, Sec. IV.2]
TEST(MethodReportCard, OfTheClassicalRungeKuttaMethod) {
  const MethodReport r = report_of("runge-kutta");
  EXPECT_EQ(r.form, "explicit Runge-Kutta tableau of 4 stages");
  EXPECT_EQ(r.R_infinity, "infinite");
  EXPECT_NEAR(r.intervals->real, 2.7852935634, 1e-10);       // ten decimals
  EXPECT_NEAR(r.intervals->imaginary, std::sqrt(8), 1e-13);  // round-off: measured 9e-16
  EXPECT_NEAR(r.oscillator_limit, std::sqrt(8), 1e-13);      // the same
  EXPECT_EQ(exact_text(r.error_constant->value), "1/120");
  EXPECT_FALSE(r.a_stable.holds || r.unconditionally_stable.holds);
}

// Error constant 1/(k + 1) of the formula with f alone on the right, divided by sigma(1). [HW96, Sec. V.1]
TEST(MethodReportCard, OfBdf) {
  const MethodReport r = report_of("bdf:k=3");
  EXPECT_EQ(r.form, "linear multistep formula of 3 steps");
  EXPECT_EQ(r.order->value, 3);
  EXPECT_EQ(r.R_infinity, "0");
  EXPECT_NEAR(r.sector->degrees, 86.03, 0.01);  // a unit of the last digit printed
  EXPECT_FALSE(r.a_stable.holds || r.l_stable.holds);
  EXPECT_TRUE(r.zero_stable.holds);
  EXPECT_FALSE(r.stiffly_accurate.applicable || r.algebraically_stable.applicable);
  EXPECT_EQ(r.oscillator_limit, 0) << "undamped oscillations grow";
  EXPECT_FALSE(r.stage_order || r.pade_pair);
  EXPECT_EQ(r.stability_function, "");
}

TEST(MethodReportCard, OfGeneralizedAlpha) {
  const MethodReport r = report_of("generalized-alpha:rho=4/5");
  EXPECT_EQ(r.form, "one-step scheme of second-order systems on (q, h v, h^2 a)");
  EXPECT_EQ(r.order->value, 2);
  EXPECT_NEAR(r.rho_infinity, 0.8, 1e-14);  // round-off, as in spectral_radius_test.cpp
  EXPECT_TRUE(r.unconditionally_stable.holds) << r.unconditionally_stable.proof;
  EXPECT_FALSE(r.a_stable.applicable);
  EXPECT_TRUE(r.zero_stable.holds);
  EXPECT_THAT(r.zero_stable.proof, HasSubstr("-1/2"));  // -alpha_m/(1 - alpha_m), alpha_m = 1/3
}

TEST(MethodReportCard, KnowsTheOrdersOfSchemesOfSecondOrderSystems) {
  EXPECT_EQ(report_of("semi-implicit-euler").order->value, 1);
  EXPECT_EQ(report_of("newmark:beta=1/12").order->value, 2);
  EXPECT_EQ(report_of("newmark:gamma=3/5").order->value, 1);
  EXPECT_EQ(report_of("generalized-alpha:rho=0").order->value, 2);
  EXPECT_EQ(report_of("generalized-alpha:gamma=printed").order->value, 1);
  EXPECT_EQ(report_of("hht").order->value, 2);
}

TEST(MethodReportCard, OfAMethodWithoutCoefficientsGivesTheReason) {
  const MethodReport r = report_of("kinematic");
  EXPECT_THAT(r.form, StartsWith("none: "));
  EXPECT_TRUE(std::isnan(r.rho_infinity));
  EXPECT_EQ(r.a_stable.proof, r.form.substr(6));
  EXPECT_FALSE(r.a_stable.applicable || r.unconditionally_stable.applicable);
  EXPECT_TRUE(Json(r)["rho_infinity"].is_null());
}

TEST(MethodReportCard, IsReadWithWhatIsInfiniteAndWhatThereIsNot) {
  const MethodReport known = Json(report_of("radau-iia:s=3")).get<MethodReport>();
  EXPECT_TRUE(known.has_form);
  EXPECT_EQ(known.order->value, 5);
  EXPECT_EQ(exact_text(known.error_constant->value), "-1/7200");
  EXPECT_TRUE(std::isinf(known.intervals->real) && std::isinf(known.oscillator_limit));
  EXPECT_EQ(known.pade_pair, std::pair(2, 3));
  const MethodReport unknown = Json(report_of("kinematic")).get<MethodReport>();
  EXPECT_FALSE(unknown.has_form || unknown.order || unknown.sector || unknown.intervals);
  EXPECT_TRUE(std::isnan(unknown.rho_infinity));
}

TEST(MethodReportCard, IsNotReadWithoutAProperty) {
  Json json = report_of("radau-iia:s=3");
  json.erase("zero_stable");
  EXPECT_THROW(json.get<MethodReport>(), Json::exception);
}

}  // namespace TEST_FILE
}  // namespace daelab
