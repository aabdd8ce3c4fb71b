// Enclosures of motions: what is proved holds the exact motion and nothing far from it, and what cannot be proved is
// refused with a reason.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/documents/json_problem.hpp"
#include "core/mechanism/state_names.hpp"
#include "experiments/references/enclosure_certificate.hpp"

#ifndef DAELAB_DOUBLE_ONLY

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

std::shared_ptr<Problem> problem_of(const Json& spec) { return Registry<Problem>::instance().make(spec, "/problem"); }

CertifiedEnclosure enclosed(const Problem& problem, const Exact& t, int digits, StartOptions start = {}) {
  return enclosed_motion(problem, t, digits, start.resolve(StateNames(problem), "/start"));
}
CertifiedEnclosure enclosed(const Json& spec, const Exact& t, int digits) {
  return enclosed(*problem_of(spec), t, digits);
}

bool holds(const EnclosureSet& set, std::size_t i, const Real50& x) {
  const Real50 centre(set.centre[i]), radius(set.radii[i]);
  return abs(Real50(x - centre)) <= radius;
}

// ----- closed forms -----

struct ClosedForm {
  const char* problem;
  const char* t;
  int digits;  // to prove, which the closed form has, too
};

class EnclosureOfClosedForm : public testing::TestWithParam<ClosedForm> {};

TEST_P(EnclosureOfClosedForm, HoldsItAndNothingFarFromIt) {
  const auto& [name, t, digits] = GetParam();
  const auto problem = problem_of(name);
  const CertifiedEnclosure proved = enclosed(*problem, t, digits);
  ASSERT_EQ(proved.enclosure.refusal, "");
  EXPECT_GE(proved.enclosure.digits, digits);
  const Motion motion = *problem->independent_solution(Exact(t).as<Real50>(), digits);
  Vector<Real50> x(motion.q.size() + motion.v.size() + motion.s.size());
  x << motion.q, motion.v, motion.s;
  const EnclosureSet& end = proved.enclosure.end;
  const Real50 unit = pow(Real50(10), -digits);
  ASSERT_LE(static_cast<std::size_t>(x.size()), end.centre.size());
  for (Index i = 0; i < x.size(); ++i) {
    const auto place = static_cast<std::size_t>(i);
    EXPECT_TRUE(holds(end, place, x[i])) << i << ": " << x[i] << " and " << end.centre[place];
    EXPECT_LE(Real50(end.radii[place]), unit / 2);
    EXPECT_FALSE(holds(end, place, x[i] + 2 * unit)) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Problems, EnclosureOfClosedForm,
                         testing::Values(ClosedForm{"knife-edge", "1", 40},              // nonholonomic
                                         ClosedForm{"driven-mass", "0.75", 40},          // a constraint that is driven
                                         ClosedForm{"jay", "0.25", 30},                  // index 3
                                         ClosedForm{"prothero-robinson", "0.01", 30}));  // stiff

// The numbers of a reference that is certified by other means, to its last digit.
TEST(Enclosures, OfAClosedChainAgreesWithTheReference) {
  const CertifiedEnclosure proved = enclosed("seven-body", "0.005", 36);
  ASSERT_EQ(proved.enclosure.refusal, "");
  EXPECT_NEAR(static_cast<double>(Real50(proved.enclosure.end.centre[0]) -
                                  Real50("0.21107638590326667868318185680833670097876425171598")),
              0, 1e-39);
}

TEST(Enclosures, LeaveOutRedundantConstraintsAndSaySo) {
  const CertifiedEnclosure proved = enclosed("bricard", "0.125", 12);
  ASSERT_EQ(proved.enclosure.refusal, "");
  EXPECT_EQ(proved.equations.independent.size() + 1, proved.equations.constraints);
  const Json json = certificate(*problem_of("bricard"), proved);
  EXPECT_EQ(json["end"]["lambda"]["centre"].size(), proved.equations.constraints);
}

TEST(Enclosures, BeginWithOtherValues) {
  const auto problem = problem_of("knife-edge");
  StartOptions start;
  start.q = Json{{"q1", "1/3"}};
  const CertifiedEnclosure proved = enclosed(*problem, "0.5", 20, start);
  ASSERT_EQ(proved.enclosure.refusal, "");
  const Motion motion = *problem->independent_solution(Real50("0.5"), 20);
  EXPECT_TRUE(holds(proved.enclosure.end, 0, motion.q[0] + Real50(1) / 3));
}

// ----- what is refused -----

// y' = y^2, y(0) = 1: y = 1/(1 - t).
std::shared_ptr<Problem> blow_up() {
  return make_json_problem({{"name", "blow-up"},
                            {"summary", "A state that grows beyond all bounds."},
                            {"states", {{"y", "y^2"}}},
                            {"start", {{"y", "1"}}},
                            {"end_time", "2"}},
                           "/problem");
}

TEST(EnclosuresRefuse, MotionsThatDoNotReachTheEnd) {
  const MotionEnclosure enclosure = enclosed(*blow_up(), "2", 10).enclosure;
  EXPECT_NE(enclosure.refusal, "");
  EXPECT_LE(enclosure.reached, 1);
  EXPECT_GT(enclosure.reached, 0.9);
  EXPECT_EQ(enclosed(*blow_up(), "0.5", 30).enclosure.refusal, "");
}

TEST(EnclosuresRefuse, CoordinatesThatAreSingular) {
  StartOptions start;
  start.q = Json{{"q2", "0"}};
  const MotionEnclosure enclosure = enclosed(*problem_of("heavy-top"), "0.1", 10, start).enclosure;
  EXPECT_THAT(enclosure.refusal, HasSubstr("may be singular"));
  EXPECT_NE(enclosure.help, "");
}

TEST(EnclosuresRefuse, EventsOnTheWay) {
  const MotionEnclosure enclosure = enclosed("bouncing-pendulum", "1", 10).enclosure;
  EXPECT_THAT(enclosure.refusal, HasSubstr("the event 'impact' may take place"));
  EXPECT_NEAR(enclosure.reached, 0.538219, 1e-4);
}

TEST(EnclosuresRefuse, ConditionsThatChange) {
  const auto problem = make_json_problem({{"name", "kink"},
                                          {"summary", "A slope with a kink at y = 1."},
                                          {"states", {{"y", "1 + abs(y - 1)"}}},
                                          {"start", {{"y", "0"}}},
                                          {"end_time", "2"}},
                                         "/problem");
  const MotionEnclosure enclosure = enclosed(*problem, "2", 10).enclosure;
  EXPECT_THAT(enclosure.refusal, HasSubstr("a condition in the equations may change"));
  EXPECT_NEAR(enclosure.reached, 0.693147, 1e-4);  // log 2
}

std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(EnclosuresRefuse, BadInput) {
  EXPECT_THAT(error_of([] { enclosed("pendulum", "1/3", 10); }), HasSubstr("no decimal number"));
  EXPECT_THAT(error_of([] { enclosed("pendulum", "0", 10); }), HasSubstr("above 0"));
  EXPECT_THAT(error_of([] { enclosed("motor-crank:controller=sampled", "0.1", 10); }), HasSubstr("discrete-time"));
  EXPECT_THAT(error_of([] { enclosed("heavy-top-so3", "0.1", 10); }), HasSubstr("Lie groups"));
}

TEST(EnclosuresRefuse, StartsThatViolateTheConstraints) {
  StartOptions start;
  start.q = Json{{"q1", "-1.1"}};
  EXPECT_THAT(error_of([&] { enclosed(*problem_of("pendulum"), "1", 10, start); }), HasSubstr("constraints"));
}

// ----- certificates -----

TEST(Certificates, HaveAHashThatDetectsAChangedDigit) {
  const auto problem = problem_of("pendulum");
  Json json = certificate(*problem, enclosed(*problem, "0.25", 12));
  EXPECT_EQ(json["sha256"], certificate_hash(json));
  std::string digits = json["steps"][1]["centre"][0];
  digits.back() = digits.back() == '1' ? '2' : '1';
  json["steps"][1]["centre"][0] = digits;
  EXPECT_NE(json["sha256"], certificate_hash(json));
}

TEST(Certificates, StateEquationsStartStepsAndEnd) {
  const auto problem = problem_of("pendulum");
  const Json json = certificate(*problem, enclosed(*problem, "0.25", 12));
  EXPECT_EQ(json["equations"]["constraints"][0], "(x^2 + y^2 - 1)/2");
  EXPECT_EQ(json["start"]["fixed"], (Json{"y", "y'"}));
  EXPECT_EQ(json["steps"][0]["t"], "0");
  EXPECT_EQ(json["steps"].back()["t"], "0.25");
  EXPECT_EQ(json["end"]["centre"].size(), 4u);
  EXPECT_GE(json["end"]["digits"].get<int>(), 12);
}

// As Python writes it: json.dumps(..., sort_keys=True, separators=(",", ":"), ensure_ascii=False).
TEST(Certificates, HaveTheHashOfTheirText) {
  const Json json{{"b", "Nørsett, π, 𝄞"}, {"a", 1}, {"sha256", ""}};
  EXPECT_EQ(certificate_hash(json), "bfbc5ec4a4f4318aae9c74bdd7da4c31f5e57c50f732e3320e54b57cf95b7c80");
}

}  // namespace TEST_FILE
}  // namespace daelab

#endif
