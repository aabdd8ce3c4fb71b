// Nyström and partitioned Runge-Kutta methods: order conditions by trees, files with slips, orders, refusals.
//
// [HLW06] Hairer, Lubich, Wanner, Geometric Numerical Integration, 2nd ed., Springer, 2006.
#include "methods/nystrom/nystrom_method.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "analysis/method_report.hpp"
#include "analysis/nystrom_report.hpp"
#include "core/base/coefficient_document.hpp"
#include "core/base/json_file.hpp"
#include "core/base/paths.hpp"
#include "core/integration/integrate.hpp"
#include "methods/nystrom/nystrom_conditions.hpp"
#include "tests/constrained_motion.hpp"
#include "tests/method_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

Json document(const std::string& name) { return read_json_file(project_path("methods/nystrom/" + name + ".json")); }

NystromTableau read(const Json& json) {
  return holds<CoefficientKind::nystrom>(json) ? nystrom_from_json(json, "mine.json: ")
                                               : partitioned_from_json(json, "mine.json: ");
}

// What each file has, found and not only claimed: order for q'' = f(t, q), with velocities, and of pairs on separable
// equations; symplectic; symmetric. Those of [HLW06, Sec. II.2] and of the sources of the files.
struct Known {
  const char* name;
  int order, with_velocities, separable;
  bool symplectic, symmetric;
};
constexpr Known known[] = {{"stormer-verlet", 2, 2, 2, true, true},
                           {"lobatto-iiia-iiib-3", 4, 4, 4, true, true},
                           {"ruth-3", 3, 1, 3, true, false},
                           {"forest-ruth-4", 4, 1, 4, true, true},
                           {"mclachlan-atela-4", 4, 1, 3, true, false},
                           {"mclachlan-atela-5", 5, 1, 3, true, false},
                           {"calvo-sanz-serna-4", 4, 1, 3, true, false},
                           {"blanes-moan-4", 4, 1, 4, true, true},
                           {"blanes-moan-6", 6, 1, 4, true, true},
                           {"nystrom-4", 4, 0, 0, false, false},
                           {"nystrom-5", 5, 0, 0, false, false},
                           {"nystrom-4-velocities", 4, 4, 0, false, false},
                           {"dormand-prince-rkn-64", 6, 0, 0, false, false},
                           {"fine-4", 4, 4, 0, false, false}};

TEST(Nystrom, FilesHaveTheOrdersOfTheirSourcesAndNoMore) {
  EXPECT_EQ(std::size(known), json_files_below(project_path("methods/nystrom")).size());
  for (const Known& k : known) {
    SCOPED_TRACE(k.name);
    const NystromTableau t = read(document(k.name));
    const auto order = [&](const NystromDefect& defect) { return order_before(defect, highest_nystrom_order); };
    EXPECT_EQ(t.order, k.order);
    EXPECT_EQ(order(nystrom_defect(t, highest_nystrom_order, false)), k.order);
    EXPECT_EQ(t.A.size() > 0 ? order(nystrom_defect(t, k.order + 1, true)) : 0, k.with_velocities);
    EXPECT_EQ(t.pair ? order(separable_defect(t, highest_nystrom_order)) : 0, k.separable);
    EXPECT_EQ(t.takes_velocities, k.with_velocities == k.order);
    EXPECT_EQ(t.is_symplectic, k.symplectic);
    EXPECT_EQ(t.is_symmetric, k.symmetric);
    EXPECT_TRUE(t.digits == 0 || t.digits >= 60) << t.digits;
  }
}

// A Runge-Kutta method is the Nyström method with A_bar = A A, b_bar = A^T b: Gauss methods have 2s, with velocities.
TEST(Nystrom, ConditionsAgreeWithThoseOfRungeKuttaMethods) {
  for (const auto& [spec, order] : {std::pair{"rk4-classical", 4}, {"gauss:s=2", 4}, {"gauss:s=3", 6}, {"heun", 2}}) {
    const auto rk = std::get<Tableau>(method_of(spec)->form());
    NystromTableau t;
    t.c = rk.c, t.A = rk.A, t.A_bar = rk.A * rk.A, t.b = rk.b, t.b_bar = rk.A.transpose() * rk.b;
    t.pair = PartitionedPair{rk.A, rk.A, rk.b, rk.b};
    EXPECT_EQ(nystrom_defect(t, order + 1, true).order, order + 1) << spec;
    EXPECT_EQ(separable_defect(t, order + 1).order, order + 1) << spec;
    t.order = order;
    verify(t, {}, "");
    EXPECT_TRUE(t.takes_velocities);
    const bool is_gauss = std::string(spec).starts_with("gauss");
    EXPECT_EQ(t.is_symplectic, is_gauss) << spec;
    EXPECT_EQ(t.is_symmetric, is_gauss) << spec;
  }
}

// Order 4 of positions misses 1/24 where a weight moves by that: b_bar^T c^2 = 1/12.
TEST(Nystrom, NamesTheConditionThatFailsWithItsResidual) {
  Json slip = document("nystrom-4");
  slip["order"] = 5;
  EXPECT_THAT([&] { read(slip); }, ThrowsMessage<InputError>(AllOf(HasSubstr("mine.json: /order: is 5"),
                                                                   HasSubstr("a condition of order 5"))));
  slip = document("nystrom-4");
  slip["A_bar"][2][1] = "1/3";
  EXPECT_THAT([&] { read(slip); },
              ThrowsMessage<InputError>(AllOf(
                  HasSubstr("of order 3 on q'' = f(t, q) does not hold: b^T (A_bar 1) = 1/6 is off by -0.0278"))));
  slip = document("forest-ruth-4");
  slip["separable_order"] = 5;
  EXPECT_THAT([&] { read(slip); },
              ThrowsMessage<InputError>(AllOf(HasSubstr("/separable_order: is 5"), HasSubstr("A_hat"))));
}

// Every kick and drift and weight counts to its last digits.
TEST(Nystrom, RefusesASlipInAnyCoefficient) {
  int slips = 0;
  for (const Known& k : known)
    for (const char* key : {"kicks", "drifts", "b", "b_bar"}) {
      const Json whole = document(k.name);
      if (!whole.contains(key)) continue;
      for (std::size_t i = 0; i < whole[key].size(); ++i) {
        Json slip = whole;
        slip[key][i] = fmt::format("{} + 1/10^40", whole[key][i].get<std::string>());
        EXPECT_THROW(read(slip), InputError) << k.name << " " << key << " " << i;
        ++slips;
      }
    }
  EXPECT_GT(slips, 80);
}

void expect_refused(const Json& json, const std::string& place, const std::string& what) {
  EXPECT_THAT([&] { read(json); }, ThrowsMessage<InputError>(AllOf(HasSubstr("mine.json: " + place), HasSubstr(what))));
}

TEST(Nystrom, RefusesWhatIsNoTableauWithItsPlace) {
  const auto with = [](const char* name, const char* key, const Json& value) {
    Json json = document(name);
    json[key] = value;
    return json;
  };
  expect_refused(with("ruth-3", "symmetric", true), "/symmetric: is true, but ",
                 "c_i + c_j = 1 is off for i = 0, j = 2");
  expect_refused(with("stormer-verlet", "symplectic", false), "/symplectic: is false, but all its conditions hold", "");
  expect_refused(with("nystrom-4", "symplectic", true), "/symplectic: is true, but ", "b_bar");
  expect_refused(with("ruth-3", "symplectic", "yes"), "/symplectic: must be true or false", "\"yes\"");
  expect_refused(with("ruth-3", "drifts", {"1"}), "/drifts: has 1 entries, must have 3", "one less");
  expect_refused(with("ruth-3", "drifts", {"2/3", "-2/3", "2"}), "/drifts: sums up to 2, must be 1", "residual 1");
  expect_refused(with("ruth-3", "positions", {{"A", {{0}}}, {"b", {1}}}), "/positions: is given twice", "kicks");
  expect_refused(with("ruth-3", "kicks", Json(std::vector<int>(65, 0))), "/kicks: has 65 entries", "64 at most");
  expect_refused(with("ruth-3", "kick", 1), "/kick", "kicks");
  expect_refused(with("nystrom-4", "c", {0, 1}), "/c: has 2 entries, must have 3: A_bar has 3 rows", "");
  expect_refused(with("nystrom-4", "b_embedded", {1, 0, 0}), "/embedded_order: is missing", "");
  expect_refused(with("fine-4", "embedded_order", 4), "/embedded_order: is 4", "order 4");
  Json json = document("stormer-verlet");
  json["velocities"]["A"][0] = {"1/2"};
  expect_refused(json, "/velocities/A/0: has 1 entries, must have 2", "positions/A has 2 rows");
  json = document("nystrom-4");
  json.erase("order");
  expect_refused(json, "/order: is missing", "");
  EXPECT_THAT([] { method_of("partitioned:tableau=ruth-4"); },
              ThrowsMessage<InputError>(AllOf(HasSubstr("/tableau"), HasSubstr("did you mean 'ruth-3'"))));
  EXPECT_THAT([] { method_of("nystrom:tableau=ruth-3"); },
              ThrowsMessage<InputError>(AllOf(HasSubstr("no Nyström tableau 'ruth-3'"), HasSubstr("fine-4"))));
}

State<double> one_step(const char* problem, const char* formulation, const std::string& method, double h) {
  const BoundProblem<double> bound(problem, formulation);
  State<double> next = bound.start;
  const Status status = stepper_of(method, bound)->step(bound.start, h, next);
  EXPECT_TRUE(status.ok()) << method << ": " << status.cause;
  return next;
}

// The engine for constraints without constraints, and this one: accelerations of the top depend on
// velocities, so that stages are implicit.
TEST(Nystrom, PairsStepAsTheEngineForConstraintsDoes) {
  for (const char* problem : {"oscillator-chain", "heavy-top"})
    for (const auto& [pair, constrained] :
         {std::pair{"stormer-verlet", "rattle"}, {"lobatto-iiia-iiib-3", "lobatto-pair:s=3"}}) {
      const State<double> one = one_step(problem, "index-1", pair, 1e-3),
                          other = one_step(problem, "index-3", constrained, 1e-3);
      const Index n = BoundProblem<double>(problem, "index-1").layout.n;
      EXPECT_LT(largest(Vector<double>(one.y.head(2 * n) - other.y.head(2 * n))), 1e-11) << problem << " " << pair;
    }
}

// v += h kick f(q), q += h drift v, by hand.
TEST(Nystrom, KicksAndDriftsAreDoneInTheirOrder) {
  const BoundProblem<double> bound("oscillator-chain", "index-1");
  const Index n = bound.layout.n;
  const double h = 0.01;
  State<double> x = bound.start;
  for (const auto& [kick, drift] : {std::pair{7.0 / 24, 2.0 / 3}, {3.0 / 4, -2.0 / 3}, {-1.0 / 24, 1.0}}) {
    ASSERT_TRUE(bound.system->consistent_derivatives(0, x.y, x.ydot).ok());
    x.y.segment(n, n) += h * kick * bound.layout.a(x.ydot);
    x.y.head(n) += h * drift * x.y.segment(n, n);
  }
  const State<double> end = one_step("oscillator-chain", "index-1", "ruth-3", h);
  EXPECT_LT(largest(Vector<double>(end.y.head(n) - x.y.head(n))), 1e-14);
  EXPECT_LT(largest(Vector<double>(end.y.segment(n, n) - x.y.segment(n, n))), 1e-12);
}

TEST(Nystrom, SymmetricOnesStepBackToWhereTheyStarted) {
  for (const Known& k : known) {
    if (!k.symmetric && k.order > 3) continue;  // too little to see
    const BoundProblem<double> bound("pleiades", "index-1");
    const auto stepper = stepper_of(k.name, bound);
    State<double> there = bound.start, back = there;
    ASSERT_TRUE(stepper->step(bound.start, 0.02, there).ok());
    ASSERT_TRUE(stepper->step(there, -0.02, back).ok());
    const double off = largest(Vector<double>(back.y - bound.start.y));
    EXPECT_GT(largest(Vector<double>(there.y - bound.start.y)), 1e-3);
    if (k.symmetric)
      EXPECT_LT(off, 1e-13) << k.name;
    else
      EXPECT_GT(off, 1e-10) << k.name;
  }
}

TEST(Nystrom, RefusesAccelerationsThatDependOnVelocities) {
  EXPECT_THAT(refusal_of("pendulum", "index-1", "nystrom-5"), HasSubstr("nystrom-5 has no velocities at its stages"));
  EXPECT_THAT(refusal_of("heavy-top", "index-1", "ruth-3"), HasSubstr("depend on t and q alone"));
  EXPECT_THAT(refusal_of("pendulum", "index-3", "stormer-verlet"), HasSubstr("use the index-1 formulation"));
  EXPECT_THAT(refusal_of("van-der-pol", "ode", "stormer-verlet"), HasSubstr("needs a mechanism"));
  for (const char* method : {"stormer-verlet", "lobatto-iiia-iiib-3", "fine-4", "nystrom-4-velocities"})
    for (const char* formulation : {"index-1", "projected", "baumgarte"})
      EXPECT_EQ(refusal_of("pendulum", formulation, method), "accepted") << method << " on " << formulation;
  for (const Known& k : known) EXPECT_EQ(refusal_of("pleiades", "index-1", k.name), "accepted") << k.name;
}

// Stiff forces: the iteration on stages ends with a status, and says what to do.
TEST(Nystrom, SaysWhereTheIterationDoesNotContract) {
  const BoundProblem<double> bound("flyball-governor", "index-1");
  State<double> next = bound.start;
  const Status status = stepper_of("lobatto-iiia-iiib-3", bound)->step(bound.start, 0.5, next);
  EXPECT_EQ(status.code, StatusCode::newton_diverged);
}

// Orders on the stars, whose accelerations depend on positions alone, against extrapolation.
template <class T>
PerComponent orders_on_stars(const std::string& method, const std::vector<int>& counts) {
  static const ConstrainedMotion exact =
      march<Widest>("pleiades", "index-1", "extrapolation:order=16", Widest(0.5), 256);
  std::array<std::vector<OrderPoint>, 4> points;
  for (const int count : counts) {
    const PerComponent e = errors_of(march<T>("pleiades", "index-1", method, T(0.5), count), exact);
    for (std::size_t i = 0; i < 3; ++i) points[i].push_back(order_point(1.0 / count, e[i]));
  }
  PerComponent orders{};
  for (std::size_t i = 0; i < 3; ++i) orders[i] = estimate_order(points[i]).order;
  return orders;
}

TEST(Nystrom, HasItsOrderInDouble) {
#ifndef DAELAB_DOUBLE_ONLY  // against 50 digits
  for (const Known& k : known) {
    if (k.order > 5) continue;  // round-off comes too early
    const PerComponent orders = orders_on_stars<double>(k.name, {64, 128, 256});
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(orders[i], k.order, 0.25) << k.name << ", component " << i;
  }
#endif
  for (const auto& [method, order] : {std::pair{"stormer-verlet", 2}, {"fine-4", 4}, {"lobatto-iiia-iiib-3", 4}}) {
    method_of(method);
    const PerComponent orders = observed_orders<double>("pendulum", "index-1", method, 1.0, {64, 128, 256});
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(orders[i], order, 0.25) << method << ", component " << i;
  }
}

#ifndef DAELAB_DOUBLE_ONLY
// Bound: orders estimated from three steps, each half the one before.
TEST(Nystrom, HasItsOrderInFiftyDigits) {
  for (const Known& k : known) {
    const PerComponent orders = orders_on_stars<Real50>(k.name, {256, 512, 1024});
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(orders[i], k.order, 0.1) << k.name << ", component " << i;
  }
}

// With velocities, on mechanisms whose accelerations depend on them.
TEST(Nystrom, HasItsOrderWithVelocities) {
  for (const Known& k : known) {
    if (k.with_velocities < k.order) continue;
    for (const auto& [problem, end] : {std::pair{"pendulum", 1.0}, {"two-link-manipulator", 0.25}}) {
      const PerComponent orders = observed_orders<Real50>(problem, "index-1", k.name, Real50(end), {128, 256, 512});
      for (std::size_t i = 0; i < 4; ++i)
        EXPECT_NEAR(orders[i], k.order, 0.15) << k.name << " on " << problem << ", component " << i;
    }
  }
}
#endif

// The linear limit of Verlet's method is 2, that of Forest and Ruth's 1.573 [HLW06, Sec. VIII.4 for the first].
TEST(Nystrom, CardsHaveOrdersAndLimits) {
  EXPECT_NEAR(oscillator_limit(read(document("stormer-verlet"))), 2, 1e-4);
  EXPECT_NEAR(oscillator_limit(read(document("forest-ruth-4"))), 1.5734, 1e-3);
  EXPECT_TRUE(std::isnan(oscillator_limit(read(document("lobatto-iiia-iiib-3")))));
  const MethodReport report = method_report(*method_of("mclachlan-atela-4"));
  const auto value = [&](const std::string& what) {
    for (const auto& fact : report.of_family)
      if (fact.what == what) return fact.value;
    return std::string("none");
  };
  EXPECT_EQ(value("order"), "4");
  EXPECT_EQ(value("separable"), "3");
  EXPECT_EQ(value("with velocities"), "1");
  EXPECT_EQ(value("symplectic"), "yes");
  EXPECT_EQ(value("symmetric"), "no");
}

}  // namespace TEST_FILE
}  // namespace daelab
