// The orders theory gives on the forms of a mechanical system, against the tables they come from.
//
// [HW96] Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer, 1996, Table VII.4.1.
#include "analysis/predicted_order.hpp"

#include <gmock/gmock.h>

#include "core/equations/formulation.hpp"
#include "core/integration/method.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

FormulationTraits traits_of(const std::string& spec) {
  return Registry<Formulation>::instance().make(spec, "")->traits();
}

constexpr int open = -1;
struct PredictionCase {
  std::string method, formulation;
  std::vector<int> orders;  // q, v, a, lambda; open: theory is silent
  std::string source;       // part of it
  friend void PrintTo(const PredictionCase& c, std::ostream* out) { *out << c.method << ", " << c.formulation; }
};
class PredictedOrder : public testing::TestWithParam<PredictionCase> {};

TEST_P(PredictedOrder, IsThatOfTheory) {
  const PredictionCase& c = GetParam();
  const PredictedOrders found =
      predicted_orders(*Registry<Method>::instance().make(c.method, ""), traits_of(c.formulation));
  EXPECT_EQ((std::vector{found.q.value_or(open), found.v.value_or(open), found.a.value_or(open),
                         found.lambda.value_or(open)}),
            c.orders);
  EXPECT_THAT(found.source, HasSubstr(c.source));
}

const std::vector<int> silent(4, open);
std::vector<int> all(int p) { return std::vector(4, p); }

const char* const table = "Table VII.4.1";
const char* const measured = "measured rule";
INSTANTIATE_TEST_SUITE_P(
    RungeKutta, PredictedOrder,
    testing::Values(PredictionCase{"radau-iia:s=3", "index-1", all(5), "VI.1"},
                    PredictionCase{"radau-iia:s=3", "baumgarte:velocity_gain=10", all(5), "VI.1"},
                    PredictionCase{"radau-iia:s=3", "ode", {5, 5, 5, open}, "VI.1"},
                    PredictionCase{"radau-iia:s=3", "index-2", {5, 5, 3, 3}, table},
                    PredictionCase{"radau-iia:s=3", "ggl", {5, 5, 3, 3}, table},
                    PredictionCase{"radau-iia:s=3", "stabilized-index-1", all(5), table},
                    PredictionCase{"radau-iia:s=3", "index-3", {5, 3, 2, 2}, "Jay95"},
                    PredictionCase{"radau-iia:s=1", "index-3", all(1), "Petzold"},
                    PredictionCase{"lobatto-iiic:s=4", "index-2", {6, 6, 3, 3}, table},
                    PredictionCase{"lobatto-iiic:s=4", "index-3", {6, 3, 2, 2}, measured},
                    PredictionCase{"gauss:s=2", "index-1", all(4), "VI.1"},
                    PredictionCase{"gauss:s=2", "ggl", all(2), table},
                    PredictionCase{"gauss:s=3", "ggl", all(4), table},
                    PredictionCase{"gauss:s=3", "index-2", {6, 4, 4, 4}, measured},
                    PredictionCase{"gauss:s=3", "index-3", silent, "no theorem"},
                    PredictionCase{"pade-block:r=4", "index-2", {6, 6, 4, 4}, "HLR89"},
                    PredictionCase{"pade-block:r=7,nodes=legendre", "ggl", {12, 12, 7, 7}, "HLR89"},
                    PredictionCase{"kvaerno-4", "index-2", {3, 3, 2, 2}, "HLR89"},
                    PredictionCase{"pade-block:r=4", "index-3", {5, 4, 3, 3}, measured},
                    PredictionCase{"pade-block:r=3,k=1,nodes=chebyshev", "index-3", {4, 3, 2, 2}, measured},
                    PredictionCase{"pade-block:r=3,k=2,nodes=lobatto", "index-3", {4, 3, 2, 2}, measured},
                    PredictionCase{"pade-block:r=2,nodes=1/3 1", "index-3", {open, 2, 1, 1}, measured},
                    PredictionCase{"pade-block:r=3,k=3", "index-3", silent, "pairs"},
                    PredictionCase{"pade-block:r=3,k=1,j=2", "index-2", silent, "singular"},
                    PredictionCase{"runge-kutta", "index-1", all(4), "(q, v)"},
                    PredictionCase{"runge-kutta", "index-3", silent, "explicit methods"},
                    PredictionCase{"local-trapezoidal", "index-1", all(2), "Wang"},
                    PredictionCase{"local-trapezoidal", "index-2", silent, "itself"},
                    PredictionCase{"half-explicit:order=3", "index-2", all(3), "Brasey"},
                    PredictionCase{"half-explicit:order=5", "index-2", all(5), "Murua"},
                    PredictionCase{"half-explicit", "index-1", silent, "velocity constraints"},
                    PredictionCase{"extrapolation:order=6", "index-1", all(6), "(q, v)"},
                    PredictionCase{"taylor:order=6", "index-1", all(6), "Taylor"},
                    PredictionCase{"taylor:order=6", "projected", silent, "not stabilised"},
                    PredictionCase{"taylor:order=6", "index-2", silent, "explicit methods"},
                    PredictionCase{"taylor", "index-1", silent, "follows the tolerance"},
                    PredictionCase{"radau-iia:s=3", "null-space", all(5), "VI.1"},
                    PredictionCase{"gauss:s=2", "coordinate-partitioning", all(4), "VI.1"},
                    PredictionCase{"local-trapezoidal", "null-space", silent, "itself"},
                    PredictionCase{"runge-kutta", "udwadia-kalaba", all(4), "(q, v)"},
                    PredictionCase{"radau-iia:s=2", "augmented-lagrangian", all(3), "VI.1"},
                    PredictionCase{"radau-iia:s=2", "maggi", all(3), "VI.1"},
                    PredictionCase{"radau-iia:s=2", "park-chiou", silent, "change with the step"},
                    PredictionCase{"radau-iia:s=2", "park-chiou:epsilon=1e-6", silent, "by epsilon"},
                    PredictionCase{"runge-kutta", "braun-goldfarb", silent, "follows the step"},
                    PredictionCase{"runge-kutta", "penalty-pull-back", all(4), "(q, v)"},
                    PredictionCase{"radau-iia:s=2", "local-equivalent:A=start", all(3), "VI.1"},
                    PredictionCase{"rkc:stages=5", "index-2", silent, "explicit methods"}));

INSTANTIATE_TEST_SUITE_P(
    Others, PredictedOrder,
    testing::Values(PredictionCase{"bdf:k=4", "index-1", all(4), "VI.2"},
                    PredictionCase{"bdf:k=4", "index-2", all(4), "VII.3.5"},
                    PredictionCase{"bdf:k=4", "index-3", all(4), "Petzold"},
                    PredictionCase{"adams-bashforth:k=4", "index-1", all(4), "formula"},
                    PredictionCase{"adams-bashforth:k=4,start=heun", "index-1", all(3), "start"},
                    PredictionCase{"adams-pece:k=3,corrector=4", "index-1", all(4), "formula"},
                    PredictionCase{"adams-pece:k=3", "ggl", silent, "explicit methods"},
                    PredictionCase{"generalized-alpha:rho=4/5", "index-3", all(2), "Brüls"},
                    PredictionCase{"generalized-alpha:rho=4/5,gamma=printed", "index-3", all(1), "Brüls"},
                    PredictionCase{"newmark:gamma=3/5", "ggl", all(1), "Cardona"},
                    PredictionCase{"newmark:beta=1/12", "index-1", all(2), "Hulbert"},
                    PredictionCase{"newmark:beta=1/12", "index-3", silent, "unstable"},
                    PredictionCase{"newmark:beta=1/12", "ggl", all(2), "Cardona"},
                    PredictionCase{"hht:mass=end", "index-1", silent, "constant"},
                    PredictionCase{"generalized-alpha:acceleration=rederived", "index-1", silent, "no theorem"},
                    PredictionCase{"newmark", "ode", silent, "second-order"},
                    PredictionCase{"adams-pece:k=8,start=rk4-classical", "index-1", all(5), "start"},
                    PredictionCase{"semi-implicit-euler", "index-1", all(1), "Lubich"},
                    PredictionCase{"semi-implicit-euler", "index-2", silent, "explicit methods"},
                    PredictionCase{"kinematic", "index-1", silent, "integrates nothing"}));

INSTANTIATE_TEST_SUITE_P(
    OneLeg, PredictedOrder,
    testing::Values(PredictionCase{"one-leg", "index-1", all(2), "one-leg"},
                    PredictionCase{"one-leg", "index-2", all(2), "VII.3"},
                    PredictionCase{"one-leg", "index-3", all(2), measured},
                    PredictionCase{"one-leg:formula=bdf,k=4", "index-3", all(4), measured},
                    PredictionCase{"one-leg:formula=trapezoidal", "index-2", all(2), "VII.3"},
                    PredictionCase{"one-leg:formula=trapezoidal", "index-3", silent, "circle"},
                    PredictionCase{"one-leg:formula=adams-moulton,k=4", "index-1", all(2), "one-leg"},
                    PredictionCase{"one-leg:formula=adams-moulton,k=4", "ggl", silent, "modulus"},
                    PredictionCase{"one-leg:formula=given,alpha=-1 3 -2,beta=1 0 0", "ode", silent, "zero-stable"}));

// Alexander's method of order 2: stage order 1, which is the order of the multipliers on index 2. Runs in 50 digits on
// the two-link manipulator show these orders.
TEST(PredictedOrderOfATableau, FollowsFromItsOrderConditions) {
  const auto alexander =
      Registry<Method>::instance().make(Json::parse(R"({"name": "alexander-2", "A": [["1 - sqrt(2)/2", 0],
      ["sqrt(2)/2", "1 - sqrt(2)/2"]], "b": ["sqrt(2)/2", "1 - sqrt(2)/2"]})"),
                                        "");
  const PredictedOrders on_index_2 = predicted_orders(*alexander, traits_of("index-2"));
  EXPECT_EQ(*on_index_2.q, 2);
  EXPECT_EQ(*on_index_2.lambda, 1);
  EXPECT_THAT(on_index_2.source, HasSubstr("b^T(W(W(c^2))) = 2.7"));
  EXPECT_FALSE(predicted_orders(*alexander, traits_of("index-3")).q);
}

}  // namespace TEST_FILE
}  // namespace daelab
