// The generalized-alpha family in audits. Orders, radii and intervals of codes are what runs of PETSc 3.18.5
// and 3.25.5, mfem 4.10, OpenSeesPy 3.8.0 and Exudyn 1.13.6 show (experiments/genalpha).
#include "analysis/alpha_family.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "analysis/alpha_facts.hpp"
#include "analysis/audit_subjects.hpp"
#include "core/base/registry.hpp"
#include "lab/project.hpp"
#include "tests/input_error_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;
using testing::IsEmpty;

Json document(const Json& options) {
  Json json{{"family", "generalized-alpha"}};
  for (const auto& [key, value] : options.items()) json[key] = value;
  return json;
}

AlphaFamily family_of(const Json& options) { return alpha_family(document(options), "here"); }

const AuditFact& fact_of(const std::vector<AuditFact>& facts, const char* property) {
  for (const AuditFact& fact : facts)
    if (fact.property == &audit_property(property, "")) return fact;
  ADD_FAILURE() << "nothing of " << property;
  return facts.front();
}

int order_of(const AlphaFamily& family, const char* property = "order") {
  return std::get<int>(fact_of(alpha_facts(family), property).value);
}
double number_of(const AlphaFamily& family, const char* property) {
  return std::get<double>(fact_of(alpha_facts(family), property).value);
}

Audit audit_with(const Json& options, const Json& claims) {
  const Json list = Json::array({{{"name", "mine"}, {"tableau", document(options)}, {"claims", claims}}});
  return audit(audit_list(list, "", "list").front());
}

std::string first_repair(const Json& options, const Json& claims) {
  const Audit found = audit_with(options, claims);
  return found.repairs.empty() ? "" : found.repairs.front().text;
}

// ----- a replay of the family in double, without the engine -----

struct State {
  double u = 1, v = 0.3, a = 0;
};

double force(double t, double u, double v) { return -std::sin(u) - v / 10 + std::cos(t) / 5; }

double number(const Rational& x) { return static_cast<double>(decimal(x)); }

// One step; the new acceleration by a fixed-point iteration, which converges for small h.
State stepped(const AlphaFamily& family, const State& x, double t, double h, double force_of_start) {
  const double beta = number(family.beta), gamma = number(family.gamma), w = number(family.weight());
  const double theta = number(family.theta()), shift = number(family.tau() - family.theta()) * h;
  State next = x;
  for (int i = 0; i < 10; ++i) {
    next.u = x.u + h * x.v + h * h * ((0.5 - beta) * x.a + beta * next.a);
    next.v = x.v + h * ((1 - gamma) * x.a + gamma * next.a);
    const double forces =
        (1 - theta) * force_of_start * force(t + shift, x.u, x.v) + theta * force(t + h + shift, next.u, next.v);
    next.a = (forces - (1 - w) * x.a) / w;
  }
  return next;
}

std::array<double, 2> end_of(const AlphaFamily& family, int steps) {
  using Start = AlphaFamily::Start;
  State x;
  const double h = 1.0 / steps, f = force(0, x.u, x.v);
  x.a = family.start == Start::consistent ? f : family.start == Start::doubled ? 2 * f : 0;
  for (int n = 0; n < steps; ++n) {
    if (!family.carries()) x.a = force(n * h, x.u, x.v);
    x = stepped(family, x, n * h, h, n == 0 && family.start == Start::forceless ? 0 : 1);
  }
  return {x.u, x.v};
}

// From three step sizes, without a solution: the lowest of both variables.
double replayed_order(const AlphaFamily& family) {
  const auto coarse = end_of(family, 320), middle = end_of(family, 640), fine = end_of(family, 1280);
  double lowest = 10;
  for (std::size_t i = 0; i < 2; ++i)
    lowest = std::min(lowest, std::log2(std::abs((coarse[i] - middle[i]) / (middle[i] - fine[i]))));
  return lowest;
}

// ----- orders -----

struct Variant {
  const char* name;
  Json options;
  int order, autonomous_order;
};

std::vector<Variant> variants() {
  return {{"textbook 1", {{"rho", 1}}, 2, 2},
          {"textbook 1/2", {{"rho", "1/2"}}, 2, 2},
          {"textbook 0", {{"rho", 0}}, 2, 2},
          {"HHT", {{"alpha_f", "1/10"}}, 2, 2},
          {"Bossak", {{"alpha_m", "-1/10"}}, 2, 2},
          {"damped Newmark", {{"gamma", "3/5"}, {"beta", "121/400"}}, 1, 1},
          {"mfem 1/2", {{"rho", "1/2"}, {"force time", "end"}}, 1, 2},
          {"mfem average acceleration", {{"rho", 1}, {"force time", "end"}}, 1, 2},
          {"mfem 0", {{"rho", 0}, {"force time", "end"}}, 2, 2},
          {"mfem WBZ", {{"alpha_m", "-1/3"}, {"force time", "end"}}, 2, 2},
          {"force of the start", {{"rho", "1/2"}, {"force_time", "start"}}, 1, 2},
          {"PETSc 3.18.5, 1", {{"rho", 1}, {"start", "doubled"}}, 2, 2},
          {"PETSc 3.18.5, 0.9", {{"rho", "0.9"}, {"start", "doubled"}}, 1, 1},
          {"PETSc 3.18.5, 0", {{"rho", 0}, {"start", "doubled"}}, 1, 1},
          {"zero start, 1/2", {{"rho", "1/2"}, {"start", "zero"}}, 1, 1},
          {"zero start of Newmark", {{"start", "zero"}}, 1, 1},
          {"Exudyn without accelerations, 1", {{"rho", 1}, {"start", "forceless"}}, 1, 1},
          {"OpenSees 0.9", {{"rho", "0.9"}, {"balance", "new"}}, 1, 1},
          {"OpenSees 1/2", {{"rho", "1/2"}, {"balance", "new"}}, 2, 2},
          {"OpenSees 0.3", {{"rho", "0.3"}, {"balance", "new"}}, 1, 1},
          {"OpenSees, four arguments", {{"gamma", "1/4"}, {"beta", "1/2"}}, 1, 1},
          {"rederived, 1/2", {{"rho", "1/2"}, {"acceleration", "rederived"}}, 1, 1},
          {"rederived, 1", {{"rho", 1}, {"acceleration", "rederived"}}, 2, 2},
          {"Tempus linear acceleration", {{"gamma", "1/6"}, {"beta", "1/4"}}, 1, 1}};
}

TEST(AlphaFamily, HasTheOrdersThatCodesWereSeenToHave) {
  for (const Variant& variant : variants()) {
    const AlphaFamily family = family_of(variant.options);
    EXPECT_EQ(order_of(family), variant.order) << variant.name;
    EXPECT_EQ(order_of(family, "autonomous order"), variant.autonomous_order) << variant.name;
  }
}

// The replay knows nothing of conditions: of all variants it has the order that they say.
TEST(AlphaFamily, HasTheOrdersOfAReplay) {
  for (const Variant& variant : variants())
    EXPECT_NEAR(replayed_order(family_of(variant.options)), variant.order, 0.12) << variant.name;
}

// What an error of the start leaves is h f_0 times the constant: the distance to the consistent start over h f_0, h ->
// 0 (the motion carries it on by a factor near 1 for t = 1/8).
TEST(AlphaFamily, KnowsWhatItsStartLeaves) {
  for (const char* start : {"zero", "doubled", "forceless"})
    for (const char* rho : {"9/10", "1/2", "0"}) {
      const AlphaFamily family = family_of({{"rho", rho}, {"start", start}});
      const AlphaFamily right = family_of({{"rho", rho}});
      const auto after = [](const AlphaFamily& member) {
        State x;
        const double h = 1e-4, f = force(0, x.u, x.v);
        using Start = AlphaFamily::Start;
        x.a = member.start == Start::consistent ? f : member.start == Start::doubled ? 2 * f : 0;
        for (int n = 0; n < 200; ++n)
          x = stepped(member, x, n * h, h, n == 0 && member.start == Start::forceless ? 0 : 1);
        return x.v;
      };
      const double left = (after(family) - after(right)) / (1e-4 * force(0, 1, 0.3));
      EXPECT_NEAR(left, number(start_error(family)), 0.01) << start << " " << rho;
    }
}

// 1/2 - alpha_f of textbook members: nothing for rho = 1.
TEST(AlphaFamily, LosesAnOrderByItsStartButForRho1) {
  for (const char* rho : {"0", "1/3", "9/10"}) {
    const AlphaFamily family = family_of({{"rho", rho}});
    EXPECT_EQ(start_sensitivity(family), Rational(1, 2) - family.alpha_f) << rho;
    EXPECT_EQ(order_of(family, "order from an inconsistent start"), 1) << rho;
  }
  EXPECT_EQ(order_of(family_of({{"rho", 1}}), "order from an inconsistent start"), 2);
  // OpenSees' HHTGeneralized with rho = 1 and a_0 = 0: order 2, an error of the acceleration for ever.
  const AlphaFamily zero = family_of({{"rho", 1}, {"start", "zero"}});
  EXPECT_EQ(order_of(zero), 2);
  EXPECT_EQ(order_of(zero, "order of accelerations"), 0);
  EXPECT_EQ(order_of(family_of({{"rho", "1/2"}}), "order of accelerations"), 1);
  EXPECT_EQ(order_of(family_of({{"rho", 1}}), "order of accelerations"), 2);
}

TEST(AlphaFamily, DoesNotConvergeWhereTheModeOfTheStartGrows) {
  const AlphaFamily family = family_of({{"alpha_m", "3/4"}});
  EXPECT_EQ(order_of(family), 0);
  EXPECT_THAT(fact_of(alpha_facts(family), "order").proof, HasSubstr("grow by -3 a step"));
}

TEST(AlphaFamily, NamesTheConditionThatFails) {
  const std::vector<AuditFact> mfem = alpha_facts(family_of({{"rho", "1/2"}, {"force time", "end"}}));
  EXPECT_THAT(fact_of(mfem, "order").proof, HasSubstr("residual 1/3: gamma + 1 - (1 - alpha_m) = 5/6, must be 1/2"));
  const std::vector<AuditFact> petsc = alpha_facts(family_of({{"rho", "1/2"}, {"start", "doubled"}}));
  EXPECT_THAT(fact_of(petsc, "order").proof, HasSubstr("a_0 = 2 f_0 leaves 1/6 h f_0 in the velocity"));
}

// ----- the oscillator -----

struct Growth {
  Json options;
  double radius, up_to;
};

TEST(AlphaFamily, HasTheRadiiThatWereMeasured) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::vector<Growth> cases{{{{"rho", 1}, {"balance", "new"}}, 1.4142, infinity},
                                  {{{"rho", "0.9"}, {"balance", "new"}}, 1.3097, 53.7},
                                  {{{"rho", "0.8"}, {"balance", "new"}}, 1.2095, 15.6},
                                  {{{"rho", "0.7"}, {"balance", "new"}}, 1.1168, 6.5},
                                  {{{"rho", "0.6"}, {"balance", "new"}}, 1.0392, 2.8},
                                  {{{"rho", "0.5"}, {"balance", "new"}}, 1, 0},
                                  {{{"rho", "0"}, {"balance", "new"}}, 1, 0},
                                  {{{"gamma", "1/4"}, {"beta", "1/2"}}, 1.224745, infinity},
                                  {{{"rho", "1/2"}, {"gamma", "4/9"}, {"beta", "5/6"}}, 1.0706, infinity},
                                  {{{"gamma", "1/6"}, {"beta", "1/4"}}, 1.5275, infinity},
                                  {{{"rho", "0.9"}}, 1, 0}};
  for (const Growth& one : cases) {
    const AlphaFamily family = family_of(one.options);
    EXPECT_NEAR(number_of(family, "largest spectral radius"), one.radius, 1e-4) << one.options.dump();
    const double up_to = number_of(family, "grows on the oscillator up to");
    if (std::isinf(one.up_to)) {
      EXPECT_EQ(up_to, infinity) << one.options.dump();
    } else {
      EXPECT_NEAR(up_to, one.up_to, 0.1) << one.options.dump();
    }
  }
}

// OrdinaryDiffEq.jl: beta with 1/2 in the place of 1, and accelerations rederived: stable to 2.31 (rho = 1), 2.48.
TEST(AlphaFamily, FindsTheLimitOfAWrongBeta) {
  const auto limit = [](const Json& options) {
    const Audit found = audit_with(options, {{"stable on the oscillator for every step", true}});
    EXPECT_EQ(found.count(AuditVerdict::refuted), 1u);
    for (const AuditRow& row : found.rows)
      if (row.fact.property == &audit_property("stable on the oscillator up to", ""))
        return std::get<double>(row.fact.value);
    return 0.0;
  };
  EXPECT_NEAR(limit({{"rho", 1}, {"beta", "1/16"}, {"acceleration", "rederived"}}), std::sqrt(16.0 / 3), 1e-12);
  EXPECT_NEAR(limit({{"rho", "1/2"}, {"beta", "25/144"}, {"acceleration", "rederived"}}), 2.484, 1e-3);
}

// ----- repairs -----

TEST(AlphaFamily, FindsTheNearestRepair) {
  const Json order{{"order", 2}};
  const Json both{{"order", 2}, {"stable on the oscillator for every step", true}};
  EXPECT_THAT(first_repair({{"rho", "1/2"}, {"start", "doubled"}}, order), HasSubstr("start: consistent: order 2"));
  EXPECT_THAT(first_repair({{"rho", "1/2"}, {"force time", "end"}}, order), HasSubstr("force time: stage"));
  EXPECT_THAT(first_repair({{"rho", "0.9"}, {"balance", "new"}}, both), HasSubstr("balance: weighted"));
  EXPECT_THAT(first_repair({{"gamma", "1/4"}, {"beta", "1/2"}}, both), HasSubstr("beta and gamma exchanged"));
  EXPECT_THAT(first_repair({{"gamma", "3/5"}, {"beta", "1/4"}}, order), HasSubstr("gamma: 1/2 in the place of 3/5"));
  EXPECT_THAT(first_repair({{"rho", "1/2"}, {"gamma", "1/6"}, {"beta", "4/9"}}, both),
              HasSubstr("gamma: 5/6 in the place of 1/6"));
  // The other convention of the weights: 1 - alpha_m, 1 - alpha_f.
  EXPECT_THAT(first_repair({{"alpha_m", "11/19"}, {"alpha_f", "10/19"}, {"gamma", "21/38"}, {"beta", "100/361"}}, both),
              HasSubstr("the other convention"));
  EXPECT_THAT(first_repair({{"rho", "1/2"}, {"beta", "25/144"}, {"acceleration", "rederived"}}, both),
              HasSubstr("acceleration: carried, and beta: 4/9 in the place of 25/144"));
  EXPECT_THAT(audit_with({{"rho", "1/2"}}, both).repairs, IsEmpty());
  // No suggestion has a balance without a new acceleration, as an exchange of these alphas would.
  EXPECT_THAT(first_repair({{"alpha_m", "1/2"}, {"alpha_f", 1}, {"gamma", "1/2"}, {"beta", "1/4"}}, order),
              HasSubstr("gamma: 1 in the place of 1/2"));
  EXPECT_THAT(first_repair({{"alpha_f", "1/3"}, {"gamma", "1/2"}, {"acceleration", "rederived"}}, order),
              HasSubstr("gamma: 3/4 in the place of 1/2"));
}

// ----- documents and registered methods -----

TEST(AlphaFamily, RefusesWhatItCannotBe) {
  EXPECT_THAT([] { family_of({{"start", "consistnt"}}); }, throws_input_error("here/start", "consistent"));
  EXPECT_THAT([] { family_of({{"forse_time", "end"}}); }, throws_input_error("here/forse_time", "force_time"));
  EXPECT_THAT([] { family_of({{"alpha_m", 1}}); }, throws_input_error("here/alpha_m", "allowed"));
  EXPECT_THAT([] { family_of({{"rho", "sqrt(2)/2"}}); }, throws_input_error("here/rho", "no fraction"));
  EXPECT_THAT([] { family_of({{"rho", 2}}); }, throws_input_error("here/rho"));
  EXPECT_THAT(
      [] {
        family_of({{"start", "zero"}, {"acceleration", "rederived"}});
      },
      throws_input_error("here/start", "rederived"));
  EXPECT_THAT(
      [] {
        alpha_family(Json{{"family", "generalised-alpha"}}, "here");
      },
      throws_input_error("here/family", "generalized-alpha"));
}

TEST(AlphaFamily, IsThatOfRegisteredMethods) {
  load_project();
  const auto registered = [](const char* spec) { return audit(audit_subject(spec, "")); };
  const auto order = [&](const char* spec, const char* property = "order") {
    for (const AuditRow& row : registered(spec).rows)
      if (row.fact.property == &audit_property(property, "")) return std::get<int>(row.fact.value);
    return -1;
  };
  for (const char* spec : {"newmark", "hht", "generalized-alpha", "generalized-alpha:rho=1/2"})
    EXPECT_EQ(order(spec), 2);
  EXPECT_EQ(order("newmark:gamma=3/5"), 1);
  EXPECT_EQ(order("generalized-alpha:gamma=printed"), 1);
  EXPECT_EQ(order("generalized-alpha:rho=1/2,acceleration=rederived"), 1);
  EXPECT_EQ(order("hht", "order from an inconsistent start"), 1);
  EXPECT_EQ(order("generalized-alpha:rho=1", "order from an inconsistent start"), 2);
  // Without fractions what the oscillator says is left.
  EXPECT_EQ(order("generalized-alpha:rho=sqrt(2)/2"), 2);
  EXPECT_EQ(order("generalized-alpha:rho=sqrt(2)/2", "order from an inconsistent start"), -1);
}

}  // namespace TEST_FILE
}  // namespace daelab
