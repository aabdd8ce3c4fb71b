// Radau IIA and Padé blocks of changing order: the rule on motions whose derivatives fall geometrically, orders and
// errors of runs, index 3, fixed steps, 50 digits.
#include <gmock/gmock.h>

#include <set>

#include "core/integration/integrate.hpp"
#include "core/integration/observers.hpp"
#include "core/integration/pi_controller.hpp"
#include "methods/runge_kutta/collocation.hpp"
#include "methods/runge_kutta/order_progress.hpp"
#include "tests/method_support.hpp"
#include "tests/numeric_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

// ---------------------------------------------------------------- the rule

std::vector<OrderFacts> radau_orders() {
  std::vector<OrderFacts> orders;
  for (int s : {3, 5, 7}) orders.emplace_back(implicit_stages(radau_iia(s)));
  return orders;
}

double power_over_factorial(double x, int k) { return std::pow(x, k) / std::tgamma(k + 1.0); }

// Of y' = t^k / k! the derivative of order k is 1 and there is no higher one. Round-off of sums of ten digits.
TEST(OrderFacts, WeightsGiveTheDerivativesAndTheEstimate) {
  for (int s : {1, 2, 3, 5, 7}) {
    const Stages stages = implicit_stages(radau_iia(s));
    const OrderFacts facts(stages);
    const auto sum = [&](const Vector<double>& weights, int k) {
      double result = 0;
      for (Index i = 0; i < s; ++i) result += weights[i] * power_over_factorial(static_cast<double>(stages.c[i]), k);
      return result;
    };
    EXPECT_NEAR(sum(facts.upper, s - 1), 1, 1e-9) << s;
    EXPECT_NEAR(sum(facts.lower, s - 1 - facts.apart), 1, 1e-9) << s;
    const ErrorFormula defect = defect_formula(stages);
    const double estimate = static_cast<double>(defect.gamma) * sum(defect.weights.cast<double>(), s);
    EXPECT_NEAR(std::abs(estimate) / facts.kappa, 1, 1e-9) << s;
  }
}

// h^k |y^(k)| = size r^k.
ShownDecay geometric(const OrderFacts& facts, double size, double r) {
  const int s = facts.stages;
  return {facts.kappa * size * std::pow(r, s + 1), size * std::pow(r, s), size * std::pow(r, s - facts.apart)};
}

TEST(ChooseRung, RisesWhereDerivativesFallAndGoesDownWhereTheyGrow) {
  const std::vector<OrderFacts> orders = radau_orders();
  const auto scaled = [&](std::size_t place, double r) {  // the estimate at its aim
    return geometric(orders[place], aimed_error / (orders[place].kappa * std::pow(r, orders[place].stages + 1)), r);
  };
  EXPECT_EQ(choose_order(orders, 0, scaled(0, 0.05), true).place, 1u);
  EXPECT_EQ(choose_order(orders, 1, scaled(1, 0.05), true).place, 2u);
  EXPECT_EQ(choose_order(orders, 0, scaled(0, 0.05), false).place, 0u);
  EXPECT_EQ(choose_order(orders, 2, scaled(2, 0.05), true).place, 2u) << "there is no higher one";
  EXPECT_EQ(choose_order(orders, 2, scaled(2, 20), true).place, 1u);
  EXPECT_EQ(choose_order(orders, 1, scaled(1, 50), true).place, 0u);
  EXPECT_EQ(choose_order(orders, 0, scaled(0, 50), true).place, 0u) << "there is no lower one";
}

// The step of the neighbour meets the aim by its own estimate.
TEST(ChooseRung, PredictsTheStep) {
  const std::vector<OrderFacts> orders = radau_orders();
  const double r = 0.1, size = 0.3 / (orders[0].kappa * std::pow(r, 4));
  const OrderChoice choice = choose_order(orders, 0, geometric(orders[0], size, r), true);
  ASSERT_EQ(choice.place, 1u);
  const double own = std::pow(aimed_error / 0.3, 1.0 / 4);  // what the controller of three stages would take
  const double stretched = r * own * choice.ratio;
  EXPECT_NEAR(orders[1].kappa * size * std::pow(stretched, 6), aimed_error, 1e-9);
}

// ---------------------------------------------------------------- runs

struct Solved {
  Status status;
  State<double> end;
  std::set<int> orders;
  long steps = 0, rejected = 0;
  void add(const StepAttempt<double>& attempt) {
    if (attempt.status.ok()) orders.insert(attempt.decision.order);
  }
};

class Orders final : public Observer<double> {
 public:
  explicit Orders(Solved& run) : run_(run) {}
  void start(const State<double>&) override {}
  void step(const State<double>&, const State<double>&) override {}
  void attempt(const StepAttempt<double>& attempt) override { run_.add(attempt); }

 private:
  Solved& run_;
};

Solved solve(const std::string& problem, const std::string& form, double tolerance, double t_end,
             const std::string& method = "radau-iia:s=auto") {
  BoundProblem<double> bound(problem, form);
  const auto stepper = method_of(method)->stepper(*bound.system, {});
  stepper->control({tolerance, tolerance, tolerance});
  Solved run{{}, bound.start, {}};
  Orders orders(run);
  run.status = integrate_adaptive<double>(*stepper, run.end, t_end, 0, {&orders});
  run.steps = stepper->statistics().steps, run.rejected = stepper->statistics().rejected;
  EXPECT_TRUE(run.status.ok()) << problem << ", " << form << ": " << run.status.cause;
  return run;
}

// Positions at the end, over the tolerance.
double error_of(const Solved& run, const Solved& reference, double tolerance) {
  return largest(run.end.y.head(2) - reference.end.y.head(2)) / tolerance;
}

struct Family {
  const char* changing;
  const char* three;
  int lowest, highest;  // orders
};
constexpr Family families[] = {{"radau-iia:s=auto", "radau-iia:s=3", 5, 13},
                               {"pade-block:r=auto", "pade-block:r=3", 4, 8},
                               {"pade-block:r=auto,nodes=legendre", "pade-block:r=3,nodes=legendre", 4, 12}};

// Estimates of order s + 1 are larger than errors of order 2 s, or as large on uniform nodes; over two seconds errors
// stay within ten tolerances where three stages alone make them.
TEST(VariableOrder, TighterTolerancesTakeHigherOrders) {
  for (const Family& family : families)
    for (const char* form : {"ggl", "index-2", "index-1"}) {
      SCOPED_TRACE(std::string(family.changing) + ", " + form);
      const Solved reference = solve("pendulum", form, 1e-12, 2, "radau-iia:s=5");
      const Solved loose = solve("pendulum", form, 1e-3, 2, family.changing),
                   tight = solve("pendulum", form, 1e-10, 2, family.changing);
      EXPECT_THAT(loose.orders, ElementsAre(family.lowest));
      EXPECT_TRUE(tight.orders.contains(family.highest)) << testing::PrintToString(tight.orders);
      EXPECT_LT(error_of(loose, reference, 1e-3), 10);
      EXPECT_LT(error_of(tight, reference, 1e-10), 10);
      const Solved three = solve("pendulum", form, 1e-10, 2, family.three);
      EXPECT_LT(5 * tight.steps, three.steps);
    }
}

// To ten tolerances, as on other forms.
TEST(VariableOrder, StaysBelowSixStagesOnIndex3) {
  const Solved run = solve("seven-body", "index-3", 1e-8, 0.03);
  EXPECT_THAT(run.orders, ElementsAre(5, 9));
  const Solved reference = solve("seven-body", "ggl", 1e-10, 0.03, "radau-iia:s=5");
  EXPECT_LT(error_of(run, reference, 1e-8), 10);
}

TEST(VariableOrder, TakesNoFixedSteps) {
  BoundProblem<double> bound("pendulum", "ggl");
  const auto stepper = method_of("radau-iia:s=auto")->stepper(*bound.system, {});
  const Status status = integrate<double>(*stepper, bound.start, 1.0, 0.1, {});
  EXPECT_EQ(status.code, StatusCode::not_applicable);
  EXPECT_THAT(status.cause, HasSubstr("set rtol or atol instead of h"));
}

TEST(VariableOrder, IsAnOptionBesideTheNumbers) {
  EXPECT_EQ(method_of("radau-iia:s=auto")->spec()["s"], "auto");
  EXPECT_EQ(method_of("radau-iia")->spec()["s"], 3);
  EXPECT_THAT([] { method_of("radau-iia:s=all"); }, ThrowsMessage<InputError>(HasSubstr("(1 to 9) or auto")));
  EXPECT_THAT([] { method_of("radau-iia:s=10"); }, ThrowsMessage<InputError>(HasSubstr("1 to 9")));
  EXPECT_TRUE(std::holds_alternative<NoForm>(method_of("radau-iia:s=auto")->form()));
}

TEST(VariableOrder, PadeBlocksRefuseWhatFixesTheirNodes) {
  EXPECT_EQ(method_of("pade-block:r=auto")->spec()["r"], "auto");
  EXPECT_EQ(method_of("pade-block")->spec()["r"], 4);
  EXPECT_THAT([] { method_of("pade-block:r=auto,k=3"); },
              ThrowsMessage<InputError>(HasSubstr("/k: each number of nodes")));
  EXPECT_THAT([] { method_of("pade-block:r=auto,j=5"); },
              ThrowsMessage<InputError>(HasSubstr("/j: each number of nodes")));
  EXPECT_THAT([] { method_of("pade-block:r=auto,nodes=1/3 2/3 1"); },
              ThrowsMessage<InputError>(HasSubstr("/nodes: nodes that are given fix their number")));
  EXPECT_THAT([] { method_of("pade-block:r=auto,nodes=unifrm"); }, ThrowsMessage<InputError>(HasSubstr("uniform")));
}

#define DAELAB_TEST(T)                                                                  \
  TEST(VariableOrder, RunsIn_##T) {                                                     \
    BoundProblem<T> bound("pendulum", "index-2");                                       \
    const auto stepper = method_of("radau-iia:s=auto")->stepper(*bound.system, {});     \
    const T tolerance = T(1) / T(1000000);                                              \
    stepper->control({tolerance, tolerance, tolerance});                                \
    const T length = bound.start.y.head(2).norm();                                      \
    const Status status = integrate_adaptive<T>(*stepper, bound.start, T(1), T(0), {}); \
    EXPECT_TRUE(status.ok()) << status.cause;                                           \
    using std::abs;                                                                     \
    EXPECT_LT(abs(T(bound.start.y.head(2).norm() - length)), T(10) * tolerance);        \
  }
DAELAB_FOR_SCALARS(DAELAB_TEST)
#undef DAELAB_TEST

}  // namespace TEST_FILE
}  // namespace daelab
