// The Adams methods: weights, options and specs.
//
// [HNW93] Hairer, Nørsett, Wanner, Solving Ordinary Differential Equations I, 2nd ed., Springer, 1993.
#include <gmock/gmock.h>

#include "analysis/order_estimate.hpp"
#include "core/base/paths.hpp"
#include "core/integration/integrate.hpp"
#include "core/integration/method.hpp"
#include "methods/multistep/adams.hpp"
#include "tests/numeric_support.hpp"
#include "tests/ode_system.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;
using testing::ThrowsMessage;

std::string text(const Vector<Real100>& weights) {
  std::string line;
  for (const Real100& weight : weights) line += (line.empty() ? "" : " ") + exact_text(weight);
  return line;
}

// [HNW93, Sec. III.1, eqs. (1.5) and (1.9)]
TEST(AdamsWeights, AreThePrintedFractions) {
  EXPECT_EQ(text(adams_bashforth(1)), "1");
  EXPECT_EQ(text(adams_bashforth(2)), "3/2 -1/2");
  EXPECT_EQ(text(adams_bashforth(3)), "23/12 -4/3 5/12");
  EXPECT_EQ(text(adams_bashforth(4)), "55/24 -59/24 37/24 -3/8");
  EXPECT_EQ(text(adams_moulton(1)), "1");
  EXPECT_EQ(text(adams_moulton(2)), "1/2 1/2");
  EXPECT_EQ(text(adams_moulton(3)), "5/12 2/3 -1/12");
  EXPECT_EQ(text(adams_moulton(4)), "3/8 19/24 -5/24 1/24");
}

// sum_j beta_j s_j^m = 1/(m + 1), m < k: the conditions of order k, which the weights solve uniquely.
TEST(AdamsWeights, IntegrateThePowersExactly) {
  for (int k = 1; k <= 9; ++k)
    for (const int first : {0, 1}) {
      const Vector<Real100> weights = first == 0 ? adams_bashforth(k) : adams_moulton(k);
      ASSERT_EQ(weights.size(), k);
      for (int m = 0; m < k; ++m) {
        Real100 sum = 0;
        for (int j = 0; j < k; ++j) sum += weights[j] * pow(Real100(first - j), m);
        EXPECT_LT(abs(sum - Real100(1) / (m + 1)), Real100("1e-90")) << k << " weights from " << first << ", " << m;
      }
    }
}

TEST(AdamsWeights, AreShownWithTheMethod) {
  const auto bashforth = Registry<Method>::instance().make("adams-bashforth:k=2", "")->coefficients();
  ASSERT_EQ(bashforth.size(), 1u);
  EXPECT_EQ(text(bashforth[0].values), "3/2 -1/2");
  const auto pece = Registry<Method>::instance().make("adams-pece:k=2,corrector=3", "")->coefficients();
  ASSERT_EQ(pece.size(), 2u);
  EXPECT_EQ(text(pece[0].values), "3/2 -1/2");
  EXPECT_EQ(text(pece[1].values), "5/12 2/3 -1/12");
}

// ---------------------------------------------------------------- refusals and bad options

TEST(Adams, RefusesBadOptionsWithTheirPlace) {
  const auto refused = [](const std::string& spec, const char* pointer, const char* what) {
    EXPECT_THAT([&] { Registry<Method>::instance().make(spec, "/method"); },
                ThrowsMessage<InputError>(AllOf(StartsWith(std::string("/method/") + pointer + ": "), HasSubstr(what))))
        << spec;
  };
  refused("adams-bashforth:k=0", "k", "1 to 8");
  refused("adams-bashforth:k=9", "k", "1 to 8");
  refused("adams-bashforth:steps=4", "steps", "known");
  refused("adams-bashforth:start=rk4-clasical", "start", "did you mean 'rk4-classical'?");
  refused("adams-bashforth:start=@" + project_path("docs/examples/my_tableau.json"), "start", "sdirk-2 is implicit");
  refused("adams-pece:k=4,corrector=2", "corrector", "k = 4 or k + 1 = 5, not 2");
  refused("adams-pece:start=nothing", "start", "cooper-verner, crouzeix-2");
}

// Equal methods have equal specs, and records tell the start.
TEST(Adams, NamesItsStartInTheSpec) {
  const auto start = [](const char* spec) { return Registry<Method>::instance().make(spec, "")->spec().at("start"); };
  EXPECT_EQ(start("adams-bashforth:k=4"), "rk4-classical");
  EXPECT_EQ(start("adams-bashforth:k=5"), "dormand-prince");
  EXPECT_EQ(start("adams-bashforth:k=6"), "cooper-verner");
  EXPECT_EQ(start("adams-pece:k=4,corrector=5"), "dormand-prince");
  EXPECT_EQ(Registry<Method>::instance().make("adams-pece:k=3,corrector=3,start=rk4-classical", "")->spec(),
            Registry<Method>::instance().make("adams-pece:k=3", "")->spec());
}

}  // namespace TEST_FILE
}  // namespace daelab
