// Compositions of symmetric methods: weights and their order conditions, files with slips, orders, refusals.
#include "methods/geometric/composition_scheme.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <filesystem>

#include "analysis/method_report.hpp"
#include "analysis/predicted_order.hpp"
#include "core/base/json_file.hpp"
#include "core/base/paths.hpp"
#include "tests/constrained_motion.hpp"
#include "tests/method_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

std::string composition(const std::string& base, const std::string& scheme) {
  return fmt::format("composition:base={},scheme={}", base, scheme);
}

Vector<Real100> weights_of(const std::string& name) { return composition_scheme(name, "").weights; }

// Each file has the order it claims, and not the next even one.
TEST(CompositionScheme, HasTheOrderItClaimsAndNoMore) {
  int files = 0;
  for (const std::string& file : json_files_below(project_path("methods/geometric"))) {
    const std::string name = std::filesystem::path(file).stem().string();
    const CompositionScheme scheme = composition_scheme(name, "");
    EXPECT_EQ(scheme.name, name);
    EXPECT_TRUE(name.ends_with(fmt::format("-{}", scheme.order))) << name;
    ++files;
    if (scheme.order > 8) continue;  // words of a sum up to 12: seconds
    const CompositionDefect defect = composition_defect(scheme.weights, scheme.order + 2, Real100("1e-40"));
    EXPECT_EQ(defect.order, scheme.order + 1) << name;
  }
  EXPECT_EQ(files, 8);
}

// The conditions by hand: w, w^3 and w^5 summed up, and of order 5 the one more of words with Y1 and Y3.
TEST(CompositionScheme, FindsTheConditionThatFails) {
  const auto defect_of = [](const std::vector<const char*>& texts) {
    Vector<Real100> weights(static_cast<Index>(texts.size()));
    for (std::size_t i = 0; i < texts.size(); ++i) weights[static_cast<Index>(i)] = Exact(texts[i]).value();
    return composition_defect(weights, 10, Real100("1e-80"));
  };
  const CompositionDefect thirds = defect_of({"1/3", "1/3", "1/3"});
  EXPECT_EQ(thirds.order, 3);
  EXPECT_EQ(thirds.word, "Y3");
  EXPECT_LT(abs(thirds.residual - Exact("1/9").value()), Real100("1e-90"));
  const CompositionDefect short_sum = defect_of({"1/3", "1/3"});
  EXPECT_EQ(short_sum.order, 1);
  EXPECT_EQ(short_sum.word, "Y1");
  // The sum of fifth powers is not zero.
  const CompositionDefect jump = composition_defect(weights_of("yoshida-4"), 10, Real100("1e-80"));
  EXPECT_EQ(jump.order, 5);
  const auto fifth = [](const Vector<Real100>& w) { return Real100(w.array().pow(5).sum()); };
  EXPECT_GE(abs(jump.residual), abs(fifth(weights_of("yoshida-4"))));
}

Json document(const std::string& file) { return read_json_file(project_path("methods/geometric/" + file + ".json")); }

void expect_refused(const Json& json, const std::string& place, const std::string& what) {
  EXPECT_THAT([&] { composition_scheme_from_json(json, "mine.json: "); },
              ThrowsMessage<InputError>(AllOf(HasSubstr("mine.json: " + place), HasSubstr(what))));
}

TEST(CompositionScheme, RefusesSlipsWithTheirResiduals) {
  Json slip = document("yoshida-6");
  slip["weights"][0] = "0.78451361047755726381949763386634987577682441745148";
  expect_refused(slip, "/weights/6: ", "weight 0 is 0.7845136104775572638194976338663498757768244174514");
  slip["weights"][6] = slip["weights"][0];
  expect_refused(
      [&] {
        Json far = slip;
        far["weights"][0] = far["weights"][6] = "0.7845136105";
        return far;
      }(),
      "/weights: ", "must be 1 (residual 4.4");
  slip = document("yoshida-6");
  slip["weights"][1] = slip["weights"][5] = "0.2455732133593581336847931829785346016864680821034";
  slip["weights"][3] = "1.29518632068391121888424972823886251435195350615942";
  expect_refused(slip, "/order: is 6", "a condition of order 3 does not hold: the coefficient of Y3");
  slip = document("yoshida-4");
  slip["order"] = 6;
  expect_refused(slip, "/order: is 6", "order 5");
  slip.erase("order");
  expect_refused(slip, "/order", "is missing");
  slip = document("yoshida-4");
  slip["weight"] = 1;
  expect_refused(slip, "/weight", "weights");
  slip = document("yoshida-4");
  slip["weights"] = Json::array();
  expect_refused(slip, "/weights", "at least one");
}

TEST(Composition, NamesWhatItKnows) {
  EXPECT_THAT([] { method_of("composition:scheme=yoshida-5"); },
              ThrowsMessage<InputError>(AllOf(HasSubstr("/scheme"), HasSubstr("did you mean 'yoshida-"))));
  for (const char* base : {"explicit-euler", "radau-iia", "bdf", "generalized-alpha", "shake", "local-trapezoidal"})
    EXPECT_THAT([&] { method_of(composition(base, "yoshida-4")); },
                ThrowsMessage<InputError>(AllOf(HasSubstr("/base"), HasSubstr("symmetric"), HasSubstr("rattle"),
                                                HasSubstr("gauss"), HasSubstr("trapezoidal"))))
        << base;
}

// A composition of a tableau is one, and all rooted trees agree with the conditions of compositions.
TEST(Composition, OfARungeKuttaMethodIsOneOfTheOrder) {
  for (const auto& [base, scheme, order] : {std::tuple{"implicit-midpoint", "yoshida-4", 4},
                                            {"implicit-midpoint", "suzuki-4", 4},
                                            {"trapezoidal", "mclachlan-4", 4},
                                            {"implicit-midpoint", "yoshida-6", 6},
                                            {"gauss:s=1", "kahan-li-6", 6}})
    EXPECT_EQ(method_report(*method_of(composition(base, scheme))).order->value, order) << base << ", " << scheme;
  EXPECT_THAT(method_report(*method_of(composition("gauss", "mclachlan-8"))).form, HasSubstr("more than 40 stages"));
}

TEST(Composition, PredictsItsOrdersWhereTheBaseStaysOnTheConstraints) {
  const auto predicted = [](const std::string& method, const char* formulation) {
    return predicted_orders(*method_of(method), Registry<Formulation>::instance().make(formulation, "")->traits());
  };
  EXPECT_EQ(predicted(composition("rattle", "yoshida-6"), "index-3").lambda, 6);
  EXPECT_EQ(predicted(composition("lobatto-pair", "yoshida-4"), "index-3").q, 4);
  EXPECT_EQ(predicted(composition("lobatto-pair:s=5", "yoshida-4"), "index-3").q, 8);
  EXPECT_EQ(predicted(composition("rattle", "yoshida-4"), "index-1").q, std::nullopt);
  EXPECT_EQ(predicted(composition("implicit-midpoint", "yoshida-4"), "index-1").v, 4);
  EXPECT_EQ(predicted(composition("implicit-midpoint", "yoshida-4"), "index-2").v, std::nullopt);
  EXPECT_EQ(predicted("rattle", "index-3").a, 2);
  EXPECT_EQ(predicted("lobatto-pair:s=4", "index-3").v, 6);
  EXPECT_EQ(predicted("shake", "index-2").q, std::nullopt);
}

// Counts of all parts, one step for all, and the end at t + h to the bit.
TEST(Composition, CountsTheWorkOfItsParts) {
  const BoundProblem<double> bound("pendulum", "index-3");
  const auto one = method_of("rattle")->stepper(*bound.system, {});
  const auto three = method_of("composition")->stepper(*bound.system, {});
  State<double> next = bound.start;
  ASSERT_TRUE(one->step(bound.start, 0.1, next).ok());
  ASSERT_TRUE(three->step(bound.start, 0.1, next).ok());
  EXPECT_EQ(next.t, bound.start.t + 0.1);
  EXPECT_EQ(three->statistics().steps, 1);
  EXPECT_EQ(three->statistics().jacobians, 3 * one->statistics().jacobians);
}

// In double, on index 3 and index 1. Bound: orders estimated from three steps, each half the one before.
TEST(Composition, HasItsOrderInDouble) {
  for (const char* base : {"rattle", "lobatto-pair:s=2"}) {
    const PerComponent orders =
        observed_orders<double>("pendulum", "index-3", composition(base, "suzuki-4"), 1.0, {32, 64, 128});
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(orders[i], 4, 0.2) << base << ", component " << i;
  }
  const PerComponent orders =
      observed_orders<double>("pendulum", "index-1", composition("gauss:s=1", "suzuki-4"), 1.0, {32, 64, 128});
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(orders[i], 4, 0.2) << "component " << i;
}

#ifndef DAELAB_DOUBLE_ONLY
// Every file with RATTLE. Bound: as above.
TEST(Composition, HasItsOrderOnMechanisms) {
  for (const auto& [scheme, order] : {std::pair{"yoshida-4", 4},
                                      {"suzuki-4", 4},
                                      {"mclachlan-4", 4},
                                      {"yoshida-6", 6},
                                      {"kahan-li-6", 6},
                                      {"mclachlan-8", 8},
                                      {"kahan-li-8", 8},
                                      {"sofroniou-spaletta-10", 10}})
    for (const auto& [problem, end] : {std::pair{"pendulum", 1.0}, {"two-link-manipulator", 0.25}}) {
      const PerComponent orders =
          observed_orders<Real50>(problem, "index-3", composition("rattle", scheme), Real50(end), {32, 64, 128});
      for (std::size_t i = 0; i < 4; ++i)
        EXPECT_NEAR(orders[i], order, 0.2) << scheme << " on " << problem << ", component " << i;
    }
}

// Bases of other kinds, on index 1.
TEST(Composition, HasItsOrderWithOtherBases) {
  for (const char* base : {"implicit-midpoint", "trapezoidal", "gauss:s=1"}) {
    const PerComponent orders = observed_orders<Real50>("two-link-manipulator", "index-1",
                                                        composition(base, "yoshida-4"), Real50(0.25), {64, 128, 256});
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(orders[i], 4, 0.15) << base << ", component " << i;
  }
}
#endif

}  // namespace TEST_FILE
}  // namespace daelab
