// Rosenbrock and W-methods: tableaus and what is wrong with them, work per step, error control.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>

#include "analysis/method_report.hpp"
#include "analysis/rosenbrock_conditions.hpp"
#include "core/base/json_file.hpp"
#include "core/base/sanitizer.hpp"
#include "core/integration/integrate.hpp"
#include "methods/rosenbrock/rosenbrock_method.hpp"
#include "tests/allocation_count.hpp"
#include "tests/input_error_support.hpp"
#include "tests/method_support.hpp"
#include "tests/numeric_support.hpp"
#include "tests/rosenbrock_support.hpp"
#include "tests/run_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

Json document_of(const std::string& name) {
  return read_json_file(project_path("methods/rosenbrock/" + name + ".json"));
}
RosenbrockTableau tableau_of(const std::string& name) { return rosenbrock_from_json(document_of(name), ""); }

// The record of a run with a method of the project's files.
Json record_with(const std::string& method, const std::string& problem) {
  method_of(method);
  return record_of_run({{"problem", problem}, {"method", method}, {"rtol", "1e-6"}});
}

// ---------------------------------------------------------------- tableaus

class RosenbrockTableaus : public testing::TestWithParam<KnownRosenbrock> {};

TEST_P(RosenbrockTableaus, HaveTheOrdersOfThePapers) {
  const KnownRosenbrock& k = GetParam();
  const RosenbrockTableau t = tableau_of(k.name);
  const RosenbrockOrders orders = rosenbrock_orders(t, false);
  EXPECT_EQ(orders.ordinary, k.order) << orders.beyond_ordinary;
  EXPECT_EQ(rosenbrock_orders(t, true).ordinary, k.embedded);
  EXPECT_EQ(orders.index_1, k.index_1) << orders.beyond_y << ", " << orders.beyond_z;
  EXPECT_EQ(orders.w, k.w) << orders.beyond_w;
  EXPECT_EQ(prothero_robinson_defect(t, false, 2) < Real100("1e-10"), k.keeps_prothero_robinson);
  // The file claims them, neither more, which is refused, nor less.
  EXPECT_EQ(t.order, k.order);
  EXPECT_EQ(t.embedded_order, k.embedded);
  EXPECT_EQ(t.index_1_order, k.index_1);
  EXPECT_EQ(std::max(t.w_order, 1), k.w);
  EXPECT_FALSE(t.source.empty());
  EXPECT_EQ(t.name, k.name);
}
INSTANTIATE_TEST_SUITE_P(Rosenbrock, RosenbrockTableaus, testing::ValuesIn(known_rosenbrock),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(RosenbrockFiles, AreTheOnesThatAreTested) {
  std::size_t files = 0;
  for (const auto& file : std::filesystem::directory_iterator(project_path("methods/rosenbrock")))
    files += file.path().extension() == ".json";
  EXPECT_EQ(files, std::size(known_rosenbrock));
}

// Without repetitions 1, 1, 2, 5, 16, 53 y-trees and 0, 1, 3, 11, 37, 141 z-trees; 1, 1, 2, 4, 9, 20 of them are rooted
// trees; 1, 2, 5 conditions of W-methods.
TEST(RosenbrockTrees, AreAsManyAsThereAre) {
  const RosenbrockTrees trees = rosenbrock_trees(tableau_of("rodas3"), false, 6);
  const auto counts = [](const std::vector<RosenbrockConditions>& by_order) {
    std::vector<int> counts;
    for (const RosenbrockConditions& conditions : by_order) counts.push_back(conditions.count);
    return counts;
  };
  EXPECT_EQ(counts(trees.ordinary), (std::vector<int>{1, 1, 2, 4, 9, 20}));
  EXPECT_EQ(counts(trees.y), (std::vector<int>{1, 1, 2, 5, 16, 53}));
  EXPECT_EQ(counts(trees.z), (std::vector<int>{0, 1, 3, 11, 37, 141}));
  EXPECT_THAT(counts(trees.w), testing::ElementsAre(1, 2, 5, testing::_));
}

TEST(RosenbrockTrees, StabilityAtInfinityIsThatOfThePapers) {
  for (const char* name : {"rodas3", "rodas3p", "rodas4", "rodas4p2", "rodas5p", "rodas6p", "ros34pw2", "ros3prl2"})
    EXPECT_LT(abs(rosenbrock_at_infinity(tableau_of(name), false)), Real100("1e-40")) << name;
  const auto rounded = [](const char* name, bool embedded) {
    return static_cast<double>(abs(rosenbrock_at_infinity(tableau_of(name), embedded)));
  };
  EXPECT_NEAR(rounded("ros3p", false), 0.7321, 1e-4);
  EXPECT_NEAR(rounded("grk4t", false), 0.4536, 1e-4);
  EXPECT_NEAR(rounded("grk4t", true), 2.6023, 1e-4);
  EXPECT_NEAR(rounded("ros34pw2", true), 0.4783, 1e-4);
  EXPECT_NEAR(rounded("ros34prw", true), 0.25, 1e-12);
}

// On y' = J y both solutions of ros3p are the same: (b - b_embedded) beta^k 1 = 0.
TEST(RosenbrockEstimates, Ros3pIsBlindOnLinearProblems) {
  for (const KnownRosenbrock& k : known_rosenbrock)
    EXPECT_EQ(estimate_sight(tableau_of(k.name)).linear_problems, std::string(k.name) != "ros3p") << k.name;
  EXPECT_THAT(kinds_of_warnings(record_with("ros3p", "linear-test")), Contains("error-estimate"));
  EXPECT_THAT(kinds_of_warnings(record_with("rodas5p", "linear-test")), Not(Contains("error-estimate")));
}

TEST(RosenbrockCards, SayWhatTheConditionsTell) {
  const MethodReport report = method_report(*method_of("rodas5p"));
  const auto fact = [&](const std::string& what) {
    const auto found = std::ranges::find(report.of_family, what, &MethodReport::FamilyFact::what);
    return found == report.of_family.end() ? "missing" : found->value;
  };
  EXPECT_EQ(report.order->value, 5);
  EXPECT_TRUE(report.order->is_exact);
  EXPECT_EQ(report.R_infinity, "0");
  EXPECT_TRUE(report.l_stable.holds);
  EXPECT_TRUE(report.stiffly_accurate.holds);
  EXPECT_EQ(fact("order on index 1"), "5");
  EXPECT_EQ(fact("embedded order"), "4, R(inf) 0");
  EXPECT_EQ(fact("order as W-method"), "2, on index 1 2");
  EXPECT_EQ(fact("Prothero-Robinson"), "C2 = 0: yes, C3 = 0: yes");
  const Json json = report;
  EXPECT_EQ(Json(json.get<MethodReport>()).dump(1), json.dump(1)) << "read as written";
  EXPECT_FALSE(method_report(*method_of("ros3p")).estimate_sees_linear.holds);
}

// ---------------------------------------------------------------- what is refused

std::string message_of(const Json& document) {
  return input_error_of([&] { rosenbrock_from_json(document, "/method"); });
}

TEST(RosenbrockDocuments, WithASlipAreRefusedByTheConditionThatFails) {
  Json document = document_of("rodas3");
  document["alpha"][3][0] = "3/4 + 1/1000";
  EXPECT_EQ(message_of(document),
            "/method/order: claims order 3, but the order is 1: b^T(beta(1)) = 0.5005, must be 1/2 (residual 0.0005)");
  document = document_of("rodas4");
  std::string digits = document["gamma"][3][0].get<std::string>();
  digits[12] = digits[12] == '7' ? '1' : '7';  // one digit of 45
  document["gamma"][3][0] = digits;
  EXPECT_THAT(message_of(document), HasSubstr("claims order 4, but the order is"));
  document = document_of("grk4t");
  document["index_1_order"] = 3;
  EXPECT_THAT(message_of(document), HasSubstr("/method/index_1_order: claims order 3 on index 1, but the order is 2"));
  document = document_of("rodas3");
  document["w_order"] = 2;
  EXPECT_THAT(message_of(document), HasSubstr("/method/w_order: claims order 2 as a W-method, but the order is 1"));
  document["w_order"] = 1, document["embedded_order"] = 3;
  EXPECT_THAT(message_of(document), HasSubstr("/method/embedded_order: claims order 3, but the order is 2"));
  document = document_of("rodas3");
  document["weights"][0] = "1";
  EXPECT_THAT(message_of(document), HasSubstr("/method/weights: b^T(1) ="));
}

TEST(RosenbrockDocuments, ThatAreMalformedAreToldWhere) {
  Json document = document_of("rodas3");
  document["alpha"][1][2] = 1;
  EXPECT_THAT(message_of(document), HasSubstr("/method/alpha/1/2: must be 0"));
  document = document_of("rodas3");
  document["gamma"][2][2] = "1/3";
  EXPECT_THAT(message_of(document), HasSubstr("/method/gamma/2/2: is 1/3, must be 1/2 as all diagonal entries"));
  document = document_of("rodas3");
  document["gamma"][0][0] = 0;
  EXPECT_THAT(message_of(document), HasSubstr("/method/gamma/0/0: must not be 0"));
  document = document_of("rodas3");
  document["weigths"] = document["weights"];
  EXPECT_THAT(message_of(document), testing::AllOf(HasSubstr("/method/weigths"), HasSubstr("did you mean 'weights'")));
  document = document_of("rodas3");
  document["embedded_weights"] = Json::parse("[1, 0]");
  EXPECT_THAT(message_of(document), HasSubstr("/method/embedded_weights: has 2 entries, must have 4"));
  document = document_of("rodas4");
  document.erase("dense_order");
  EXPECT_THAT(message_of(document), HasSubstr("/method/dense_order: is missing"));
  document = document_of("rodas3");
  document.erase("gamma");
  EXPECT_THAT(message_of(document), HasSubstr("/method/gamma: is missing"));
}

TEST(RosenbrockDocuments, AreMethodsOfTheirOwn) {
  Json document = document_of("rodas4");
  document["name"] = "mine";
  const auto mine = Registry<Method>::instance().make(document, "");
  EXPECT_EQ(mine->name(), "mine");
  const BoundProblem<double> arm("two-link-manipulator", "index-1");
  const auto end_of = [&](const Method& method) {
    const auto stepper = method.stepper(*arm.system, {});
    State<double> state = arm.start;
    EXPECT_TRUE(integrate<double>(*stepper, state, 0.5, 0.05, {}).ok());
    return state.y;
  };
  EXPECT_EQ(end_of(*mine), end_of(*method_of("rodas4")));
}

// alpha and gamma are options of Newmark's methods.
TEST(RosenbrockDocuments, AreNotTakenForOptionsOfOthers) {
  EXPECT_EQ(Registry<Method>::instance().make(Json{{"name", "hht"}, {"alpha", "1/10"}}, "")->name(), "hht");
  EXPECT_EQ(Registry<Method>::instance().make(Json{{"name", "newmark"}, {"gamma", "1/2"}}, "")->name(), "newmark");
}

TEST(Rosenbrock, IsRefusedOnIndex3) {
  const BoundProblem<double> arm("two-link-manipulator", "index-3");
  EXPECT_THAT(input_error_of<NotApplicable>([&] { method_of("rodas4")->stepper(*arm.system, {}); }),
              HasSubstr("order 1 on index 3"));
}

// The car axis is driven by time, and Baumgarte's feedback is no part of what was recorded.
TEST(Rosenbrock, IsRefusedWhereTheDerivativeByTimeIsNotKnown) {
  const BoundProblem<double> axis("car-axis", "baumgarte"), arm("two-link-manipulator", "baumgarte");
  EXPECT_THAT(input_error_of<NotApplicable>([&] { method_of("rodas4")->stepper(*axis.system, {}); }),
              HasSubstr("adds terms of its own"));
  EXPECT_NE(method_of("rodas4")->stepper(*arm.system, {}), nullptr);
}

// ---------------------------------------------------------------- work

TEST(Rosenbrock, FactorisesOnceAStep) {
  const BoundProblem<double> arm("two-link-manipulator", "index-1");
  const auto stepper = method_of("rodas5p")->stepper(*arm.system, {});
  State<double> state = arm.start;
  ASSERT_TRUE(integrate<double>(*stepper, state, 0.5, 0.01, {}).ok());
  const Statistics& s = stepper->statistics();
  EXPECT_EQ(s.steps, 50);
  EXPECT_EQ(s.jacobians, 50);
  EXPECT_EQ(s.factorizations, 50);
  EXPECT_EQ(s.back_solves, 8 * 50);
  EXPECT_EQ(s.residuals, 9 * 50);  // and one at the step end
  EXPECT_EQ(s.newton_iterations, 0);
}

#ifndef DAELAB_ADDRESS_SANITIZER
TEST(Rosenbrock, AllocatesNothingInAStep) {
  for (const auto& [problem, form] : {std::pair{"two-link-manipulator", "index-1"}, std::pair{"robertson", "ode"},
                                      std::pair{"transistor-amplifier", "ode"}, std::pair{"driven-crank", "index-1"}}) {
    const BoundProblem<double> bound(problem, form);
    const auto stepper = method_of("rodas4")->stepper(*bound.system, {});
    const auto allocated = [&] {
      State<double> state = bound.start, next = state;
      Status status;
      const long before = allocations();
      for (int k = 0; k < 200 && status.ok(); ++k) {
        status = stepper->step(state, 1e-5, next);
        std::swap(state, next);
      }
      const long counted = allocations() - before;
      EXPECT_TRUE(status.ok()) << status.cause;
      return counted;
    };
    long counted = allocated();
    for (int again = 0; again < 8 && counted > 0; ++again) counted = allocated();  // code of factors is generated
    EXPECT_EQ(counted, 0) << problem;
  }
}
#endif

// A stiff problem, against its stored reference.
TEST_P(RosenbrockTableaus, KeepToTheToleranceUnderErrorControl) {
  const Json record = record_with(GetParam().name, "hires");
  ASSERT_EQ(record["status"], "ok") << record["cause"];
  EXPECT_LT(record["error"]["y"].get<double>(), 1e-4);
}

// Estimates of rodas5 do not see f(t): both solutions are one rule there. (b - b_embedded) of its nodes below 1 are 0.
TEST(RosenbrockEstimates, Rodas5IsBlindWhereEquationsDependOnTimeAlone) {
  for (const KnownRosenbrock& k : known_rosenbrock)
    EXPECT_EQ(estimate_sight(tableau_of(k.name)).time, std::string(k.name) != "rodas5") << k.name;
}

}  // namespace TEST_FILE
}  // namespace daelab
