// The rowing boat with misprints and with parameters that cannot be.
#include <gmock/gmock.h>

#include "core/solvers/dense.hpp"
#include "lab/runs/run.hpp"
#include "results/record_values.hpp"
#include "results/reference.hpp"
#include "tests/numeric_support.hpp"
#include "tests/run_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

// A pseudo-inverse of rank 4 whatever b.
double largest_violation(const std::string& variant) {
  const Json record = record_of_run({{"problem", "rowing-boat:variant=" + variant},
                                     {"formulation", "baumgarte"},
                                     {"method", "runge-kutta"},
                                     {"h", "1/1000"},
                                     {"multiplier_solver", "complete-orthogonal:rank=4,inconsistency=1"}});
  EXPECT_EQ(record["status"], "ok") << record["cause"];
  return record["max"]["position_constraint"];
}

// The stiff feedback of violations hides wrong signs: nothing crashes, but closures open by half a millimetre.
TEST(RowingBoat, MisprintedSignsOpenTheClosures) {
  EXPECT_LT(largest_violation("corrected"), 1e-9);
  EXPECT_NEAR(largest_violation("printed-signs-h"), 5e-4, 0.5e-4);  // half a unit of the digit known
  EXPECT_NEAR(largest_violation("printed-sign-h3"), 3e-4, 0.5e-4);
  EXPECT_GT(largest_violation("printed-h"), 1e-4);
}

// The single sign makes redundant constraints contradict each other, and left to itself a solver says so.
TEST(RowingBoat, MisprintOfOneSignIsFoundInconsistent) {
  const Json record = record_of_run({{"problem", "rowing-boat:variant=printed-sign-h3"},
                                     {"formulation", "baumgarte"},
                                     {"method", "runge-kutta"},
                                     {"h", "1/1000"}});
  EXPECT_EQ(record["status"], "inconsistent");
  EXPECT_THAT(record["cause"].get<std::string>(), HasSubstr("redundant constraints contradict each other"));
}

// ---------------------------------------------------------------- parameters

void expect_refused(const std::string& options, const std::string& place, const std::string& reason) {
  try {
    Registry<Problem>::instance().make("rowing-boat:" + options, "/problem");
    FAIL() << options << " was accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("/problem/" + place));
    EXPECT_THAT(error.what(), HasSubstr(reason));
  }
}

TEST(RowingBoat, RefusesWhatCannotMove) {
  expect_refused("crank_radius=0", "crank_radius", "allowed: above 0");
  expect_refused("handle_length=0", "handle_length", "allowed: above 0");
  expect_refused("handle_length=1/2", "handle_length", "cannot follow a crank of radius 1/2; allowed: above 1/2");
  expect_refused("crank_radius=2", "handle_length", "a handle of length 1 cannot follow");
  expect_refused("geometry=prose,handle_length=1", "handle_length", "prescribes sqrt(2) * (1/2), not 1");
  expect_refused("crank_inertia=0", "crank_inertia", "above 0");
  expect_refused("oar_inertia_2=-1", "oar_inertia_2", "above 0");
  expect_refused("period=0", "period", "above 0");
  expect_refused("drive_damping=-1", "drive_damping", "at least 0");
  expect_refused("variant=printed-sign-h", "variant", "did you mean 'printed-signs-h'?");
  expect_refused("oar_mas_2=4", "", "oar_mass_2");
}

}  // namespace TEST_FILE
}  // namespace daelab
