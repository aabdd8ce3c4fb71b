// Rosenbrock and W-methods: tableaus and what is wrong with them, orders on ordinary equations and on index 1 against
// theory, work per step, error control.
#include <gmock/gmock.h>

#include <filesystem>

#include "analysis/order_estimate.hpp"
#include "analysis/rosenbrock_conditions.hpp"
#include "core/base/exact.hpp"
#include "core/base/json_file.hpp"
#include "core/base/sanitizer.hpp"
#include "core/integration/integrate.hpp"
#include "methods/rosenbrock/rosenbrock_method.hpp"
#include "tests/allocation_count.hpp"
#include "tests/input_error_support.hpp"
#include "tests/method_support.hpp"
#include "tests/newton_support.hpp"
#include "tests/numeric_support.hpp"
#include "tests/run_support.hpp"
#include "tests/scalars.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

// Orders on y' = f, of the embedded method, on index 1, as W-method. [Steinebach 2024, Table 1], decided again by trees;
// of the methods that are no W-methods order 1 is left.
struct Known {
  const char* name;
  int order, embedded, index_1, w;
  bool keeps_prothero_robinson;  // C2 = 0
  friend void PrintTo(const Known& known, std::ostream* out) { *out << known.name; }
};
const Known known[] = {{"ros3p", 3, 2, 3, 1, true},    {"grk4t", 4, 3, 2, 1, false},   {"rodas3", 3, 2, 3, 1, false},
                       {"rodas3p", 3, 2, 3, 1, true},  {"rodas4", 4, 3, 4, 1, false},  {"rodas42", 4, 3, 4, 1, false},
                       {"rodas4p", 4, 3, 4, 1, true},  {"rodas4p2", 4, 3, 4, 2, true}, {"rodas5", 5, 4, 5, 1, false},
                       {"rodas5p", 5, 4, 5, 2, true},  {"rodas6p", 6, 5, 6, 2, true},  {"ros34pw2", 3, 2, 3, 3, true},
                       {"ros34prw", 3, 2, 3, 3, true}, {"ros3prl2", 3, 2, 3, 1, true}};

Json document_of(const std::string& name) { return read_json_file(project_path("methods/rosenbrock/" + name + ".json")); }
RosenbrockTableau tableau_of(const std::string& name) { return rosenbrock_from_json(document_of(name), ""); }

// ---------------------------------------------------------------- tableaus

class RosenbrockTableaus : public testing::TestWithParam<Known> {};

TEST_P(RosenbrockTableaus, HaveTheOrdersOfThePapers) {
  const Known& k = GetParam();
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
INSTANTIATE_TEST_SUITE_P(Rosenbrock, RosenbrockTableaus, testing::ValuesIn(known),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(RosenbrockFiles, AreTheOnesThatAreTested) {
  std::size_t files = 0;
  for (const auto& file : std::filesystem::directory_iterator(project_path("methods/rosenbrock")))
    files += file.path().extension() == ".json";
  EXPECT_EQ(files, std::size(known));
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
    EXPECT_EQ(rosenbrock_at_infinity(tableau_of(name), false), 0) << name;
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
  for (const Known& k : known)
    EXPECT_EQ(estimate_sight(tableau_of(k.name)).linear_problems, std::string(k.name) != "ros3p") << k.name;
  const Json record = record_of_run({{"problem", "linear-test"}, {"method", "ros3p"}, {"rtol", "1e-6"}});
  EXPECT_THAT(kinds_of_warnings(record), Contains("error-estimate"));
  EXPECT_THAT(kinds_of_warnings(record_of_run({{"problem", "linear-test"}, {"method", "rodas5p"}, {"rtol", "1e-6"}})),
              Not(Contains("error-estimate")));
}

// ---------------------------------------------------------------- what is refused

std::string message_of(const Json& document) {
  return input_error_of([&] { rosenbrock_from_json(document, "/method"); });
}

TEST(RosenbrockDocuments, WithASlipAreRefusedByTheConditionThatFails) {
  Json document = document_of("rodas3");
  document["alpha"][3][0] = "3/4 + 1/1000";
  EXPECT_THAT(message_of(document), testing::AllOf(HasSubstr("/method/order: claims order 3, but the order is 2: b^T("),
                                                   HasSubstr("must be 1/3 (residual 0.00")));
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

TEST(Rosenbrock, IsRefusedWhereItsStagesLeaveConstraints) {
  for (const char* form : {"index-2", "index-3", "ggl"}) {
    const BoundProblem<double> arm("two-link-manipulator", form);
    EXPECT_THAT(input_error_of<NotApplicable>([&] { method_of("rodas4")->stepper(*arm.system, {}); }),
                HasSubstr("Rosenbrock methods meet no constraint"))
        << form;
  }
}

// ---------------------------------------------------------------- orders

// y1 = exp(-t), y2 = 2 + sin t: nonlinear, not autonomous, in both equations.
void record_ordinary(Recording& r) {
  r.states(2);
  r.start_s = {1, 2};
  const Expression &y1 = r.s[0], &y2 = r.s[1], exact = 2 + sin(r.t);
  r.rates[0] = -y1 * y2 * y2 / (exact * exact);
  r.rates[1] = cos(r.t) + (y1 - exp(-r.t)) * y2 + sin(y2 - exact);
}

// The same and z = 2 + cos t, of which y1' depends nonlinearly.
void record_index_1(Recording& r) {
  r.states(3);
  r.algebraic_states = 1;
  r.start_s = {1, 2, 3};
  const Expression &y1 = r.s[0], &y2 = r.s[1], &z = r.s[2], exact = 2 + cos(r.t);
  r.rates[0] = -y1 * z * z * y2 / (exact * exact * (2 + sin(r.t)));
  r.rates[1] = z - 2 + (y1 - exp(-r.t)) * z * y2;
  r.rates[2] = z * z * z + y1 * z - y2 * y2 - exact * exact * exact - exp(-r.t) * exact + pow(2 + sin(r.t), 2);
}

// M(t, y) y' = f with the solution y1 = exp(-t), y2 = 2 + sin t.
void record_mass(Recording& r) {
  r.states(2);
  r.start_s = {1, 2};
  const Expression &y1 = r.s[0], &y2 = r.s[1], e = exp(-r.t);
  r.rates_mass(0, 0) = 2 + sin(y2 + r.t), r.rates_mass(0, 1) = y1;
  r.rates_mass(1, 1) = 1 + y1 * y1;
  r.rates[0] = -(2 + sin(y2 + r.t)) * y1 + y1 * cos(r.t) + (y1 - e) * y2;
  r.rates[1] = (1 + y1 * y1) * cos(r.t) + sin(y2 - 2 - sin(r.t));
}

struct Errors {
  std::vector<OrderPoint> y, z;
};

template <class T, void (*record)(Recording&)>
Errors errors_of(const std::string& method, int coarsest) {
  const auto model = as_ordinary(make_model<T>(record_problem(record)));
  const auto system = make_ordinary_system(*model, model->index());
  const Index d = system->differential();
  State<T> start;
  start.y = model->initial_y();
  start.ydot.setZero(system->size()), start.compensation.setZero(system->size());
  EXPECT_TRUE(system->consistent_derivatives(start.t, start.y, start.ydot).ok());
  Errors errors;
  for (int n = coarsest, k = 0; k < 3; n *= 2, ++k) {
    const auto stepper = method_of(method)->stepper(*system, {});
    State<T> state = start;
    const Status status = integrate<T>(*stepper, state, T(1), T(1) / n, {});
    EXPECT_TRUE(status.ok()) << status.cause;
    using std::cos, std::exp, std::sin, std::abs;
    const T y1 = abs(T(state.y[0] - exp(T(-1)))), y2 = abs(T(state.y[1] - 2 - sin(T(1))));
    errors.y.push_back(order_point(Real50(1) / n, Real50(std::max(y1, y2))));
    if (state.y.size() > d)
      errors.z.push_back(order_point(Real50(1) / n, Real50(abs(T(state.y[2] - 2 - cos(T(1)))))));
  }
  return errors;
}

double order_of(const std::vector<OrderPoint>& errors) { return estimate_order(errors).order; }

class RosenbrockOrdersObserved : public testing::TestWithParam<Known> {};

// Steps above round-off are not quite as small as theory wants them.
TEST_P(RosenbrockOrdersObserved, InDouble) {
  const Known& k = GetParam();
  const int coarsest = k.order >= 5 ? 8 : 32;
  EXPECT_NEAR(order_of(errors_of<double, record_ordinary>(k.name, coarsest).y), k.order, 0.4);
  const Errors index_1 = errors_of<double, record_index_1>(k.name, coarsest);
  EXPECT_NEAR(order_of(index_1.y), k.index_1, 0.5);
  EXPECT_NEAR(order_of(index_1.z), k.index_1, 0.5);
}
#ifndef DAELAB_DOUBLE_ONLY
TEST_P(RosenbrockOrdersObserved, In50Digits) {
  const Known& k = GetParam();
  EXPECT_NEAR(order_of(errors_of<Real50, record_ordinary>(k.name, 256).y), k.order, 0.1);
  const Errors index_1 = errors_of<Real50, record_index_1>(k.name, 256);
  EXPECT_NEAR(order_of(index_1.y), k.index_1, 0.1);
  EXPECT_NEAR(order_of(index_1.z), k.index_1, 0.1);
  // y' = z, 0 = M(t, y) z - f: of index 1 with z completed at step ends.
  EXPECT_GT(order_of(errors_of<Real50, record_mass>(k.name, 256).y), k.index_1 - 0.1);
}

// Accelerations and multipliers are functions of (q, v): the order of ordinary equations, on every such form.
TEST_P(RosenbrockOrdersObserved, OnMechanisms) {
  using T = Real50;
  const Known& k = GetParam();
  const BoundProblem<T> arm("two-link-manipulator", "index-1");
  const auto end_of = [&](const std::string& method, int n) {
    const auto stepper = method_of(method)->stepper(*arm.system, {});
    State<T> state = arm.start;
    EXPECT_TRUE(integrate<T>(*stepper, state, T(1) / 4, T(1) / (4 * n), {}).ok());
    return state.y;
  };
  static const Vector<T> exact = end_of("gauss:s=10", 24);
  std::vector<OrderPoint> q, lambda;
  for (const int n : {32, 64, 128}) {
    const Vector<T> error = end_of(k.name, n) - exact;
    q.push_back(order_point(Real50(1) / n, Real50(arm.layout.q(error).cwiseAbs().maxCoeff())));
    lambda.push_back(order_point(Real50(1) / n, Real50(arm.layout.lambda(error).cwiseAbs().maxCoeff())));
  }
  EXPECT_NEAR(order_of(q), k.order, 0.15);
  EXPECT_NEAR(order_of(lambda), k.order, 0.15);
}
#endif
INSTANTIATE_TEST_SUITE_P(Rosenbrock, RosenbrockOrdersObserved, testing::ValuesIn(known),
                         [](const auto& info) { return std::string(info.param.name); });

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

// Errors follow the tolerance on a stiff problem; the reference is a tight run of another family.
TEST(Rosenbrock, KeepsToItsTolerance) {
  const auto end_of = [](const char* method, const char* rtol) {
    const Json record = record_of_run({{"problem", "van-der-pol"}, {"method", method}, {"rtol", rtol}, {"atol", rtol}});
    EXPECT_EQ(record["status"], "ok") << method << " " << rtol;
    return record;
  };
  const Json reference = end_of("radau-iia:s=5", "1e-12");
  const double exact = Exact(reference["end"]["y"][0].get<std::string>()).as<double>();
  for (const Known& k : known) {
    if (std::string(k.name) == "grk4t") continue;  // not stiffly accurate, |R(infinity)| of its estimate is 2.6
    const Json record = end_of(k.name, "1e-6");
    const double error = std::abs(Exact(record["end"]["y"][0].get<std::string>()).as<double>() - exact);
    EXPECT_LT(error, 1e-4) << k.name;
  }
}

}  // namespace TEST_FILE
}  // namespace daelab
