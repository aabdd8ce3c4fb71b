// The engine of diagonally implicit Runge-Kutta methods: which tableaus it takes, how often it factorises, that its
// steps are those of the coupled stages, and that certificates of the named methods hold. Orders and error control are
// tested with those of the other engines.
#include <gmock/gmock.h>

#include "analysis/method_report.hpp"
#include "core/integration/integrate.hpp"
#include "core/integration/tableau.hpp"
#include "methods/runge_kutta/runge_kutta.hpp"
#include "tests/method_support.hpp"
#include "tests/newton_support.hpp"
#include "tests/numeric_support.hpp"
#include "tests/ode_system.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

const char* const named[] = {"alexander:s=2",       "alexander:s=3",       "tr-bdf2",
                             "crouzeix-2",          "crouzeix-3",          "sdirk-4",
                             "kvaerno-3",           "kvaerno-4",           "kvaerno-5",
                             "skvortsov-4",         "kennedy-carpenter-3", "kennedy-carpenter-4",
                             "kennedy-carpenter-5", "kennedy-carpenter-6"};

Tableau tableau(const char* spec) { return std::get<Tableau>(method_of(spec)->form()); }

TEST(DiagonallyImplicit, IsKnownByItsZeros) {
  for (const char* spec : named) EXPECT_TRUE(tableau(spec).is_diagonally_implicit()) << spec;
  for (const char* spec : {"implicit-euler", "implicit-midpoint", "trapezoidal", "radau-iia:s=2", "runge-kutta"})
    EXPECT_FALSE(tableau(spec).is_diagonally_implicit()) << spec;
  Tableau later = tableau("alexander:s=3");
  later.A(1, 1) = 0;  // an explicit stage between implicit ones
  EXPECT_FALSE(later.is_diagonally_implicit());
}

// What the steps of the engine for coupled stages are, whose Newton matrix has all of them.
TEST(DiagonallyImplicit, StepsAreThoseOfTheCoupledStages) {
  for (const char* form : {"index-1", "index-2", "index-3", "ggl", "stabilized-index-1", "baumgarte"})
    for (const char* spec : named) {
      const Tableau t = tableau(spec);
      const BoundProblem<double> arm("two-link-manipulator", form);
      const bool end_is_no_stage = !t.stiffly_accurate() && arm.system->index() == 3;
      if (end_is_no_stage) continue;  // velocities off the constraints grow, and so does any difference
      const auto prepared = std::make_shared<PreparedTableau>(t);
      const auto coupled = make_fully_implicit_runge_kutta<double>(prepared, *arm.system, newton_options("full"));
      const auto by_stages = make_diagonally_implicit_runge_kutta<double>(prepared, *arm.system, {});
      State<double> x = arm.start, y = arm.start;
      ASSERT_TRUE(integrate<double>(*coupled, x, 0.5, 0.05, {}).ok()) << spec << " " << form;
      ASSERT_TRUE(integrate<double>(*by_stages, y, 0.5, 0.05, {}).ok()) << spec << " " << form;
      EXPECT_LT(largest(arm.layout.q(x.y) - arm.layout.q(y.y)), 1e-12) << spec << " " << form;  // round-off of 10 steps
    }
}

// Coupled stages need a factorisation a step at least; here one serves many steps.
TEST(DiagonallyImplicit, FactorisesSeldom) {
  const BoundProblem<double> arm("two-link-manipulator", "index-1");
  for (const char* spec : {"tr-bdf2", "alexander", "kvaerno-4", "kennedy-carpenter-5"}) {
    const auto stepper = method_of(spec)->stepper(*arm.system, {});
    State<double> state = arm.start;
    ASSERT_TRUE(integrate<double>(*stepper, state, 0.5, 0.005, {}).ok()) << spec;
    EXPECT_LT(stepper->statistics().factorizations, 40) << spec;  // of 100 steps: measured 1
    EXPECT_EQ(stepper->statistics().steps, 100) << spec;
  }
}

TEST(DiagonallyImplicit, IterationsAgree) {
  const BoundProblem<double> arm("two-link-manipulator", "index-2");
  State<double> first = arm.start;
  for (const char* newton : {"automatic", "full", "modified", "simplified", "quasi", "quasi:relaxation=true"}) {
    const auto stepper = method_of("kvaerno-3")->stepper(*arm.system, newton_options(newton));
    State<double> state = arm.start;
    ASSERT_TRUE(integrate<double>(*stepper, state, 0.5, 0.02, {}).ok()) << newton;
    if (newton == std::string("automatic")) first = state;
    EXPECT_LT(largest(state.y.head(6) - first.y.head(6)), 1e-12) << newton;  // round-off of 25 steps
  }
}

// All are A-stable, and L-stable but Crouzeix's, with |R(infinity)| = 0.73 and 0.63, and Kvaerno's of order 4, with
// 0.72.
TEST(DiagonallyImplicit, StabilityIsThatOfThePapers) {
  for (const char* spec : named) {
    const MethodReport report = method_report(*method_of(spec));
    const bool keeps_some = std::string(spec).starts_with("crouzeix") || spec == std::string("kvaerno-4");
    EXPECT_EQ(report.a_stable.holds, true) << spec;
    EXPECT_EQ(report.l_stable.holds, !keeps_some) << spec;
  }
}

TEST(DiagonallyImplicit, EndsThatAreNoStageAreRefusedUnderControl) {
  const BoundProblem<double> arm("two-link-manipulator", "index-3");
  const auto stepper = method_of("crouzeix-3")->stepper(*arm.system, {});
  try {
    stepper->control({1e-6, 1e-6, 1e-6});
    FAIL() << "control() must refuse";
  } catch (const NotApplicable& reason) {
    EXPECT_THAT(reason.what(), HasSubstr("the step end of this tableau is no stage"));
  }
}

}  // namespace TEST_FILE
}  // namespace daelab
