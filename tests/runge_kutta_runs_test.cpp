// Runs of Runge-Kutta methods: records of failures, agreement of the Newton iterations, and printed tables.
//
// [Li19] Li, Ding, Li, Applied Mathematics and Mechanics (Chinese) 40(7), 2019, 768-779.
#include "methods/runge_kutta/runge_kutta.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "core/integration/integrate.hpp"
#include "core/integration/method.hpp"
#include "lab/runs/run.hpp"
#include "methods/runge_kutta/block_coefficients.hpp"
#include "results/record_values.hpp"
#include "tests/method_support.hpp"
#include "tests/newton_support.hpp"
#include "tests/numeric_support.hpp"
#include "tests/ode_system.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

Json run(Json spec) {
  if (!spec.contains("problem")) spec["problem"] = "two-link-manipulator";
  return Run::bind(spec, "")->execute().record;
}

// A run records the refusal; it does not throw.
TEST(Run, RecordsNotApplicableWithTheReason) {
  const Json record = run({{"formulation", "index-3"}, {"method", "runge-kutta"}, {"h", "1/100"}, {"t_end", 1}});
  EXPECT_EQ(record["status"], "not-applicable");
  EXPECT_THAT(record["cause"].get<std::string>(), HasSubstr("index-1"));
}

// Two schemes of [Li19] with h = 0.1 on index 3: the guess is too far, as it is for all steps from 0.09 to 0.11.
TEST(Run, RecordsANewtonFailureWithItsStep) {
  for (const char* method : {"pade-block:r=4", "pade-block:r=5"}) {
    const Json record = run({{"formulation", "index-3"},
                             {"method", method},
                             {"h", "1/10"},
                             {"t_end", 10},
                             {"newton", "full:tolerance=1e-3,norm=max"}});
    EXPECT_EQ(record["status"], "newton-diverged") << method;
    EXPECT_THAT(record["cause"].get<std::string>(), HasSubstr("step from t = ")) << method;
  }
}

// ---------------------------------------------------------------- steps

// Every iteration solves the same equations. Each of 50 steps may err by the tolerance 1e-14, which index 3
// amplifies by 1/h^2 = 1e4, and by another 1/h in lambda: 5e-9 and 5e-7.
// Measured 1.8e-12 and 3.3e-10.
TEST(Newton, VariantsAgree) {
  for (const char* formulation : {"index-1", "index-2", "index-3"}) {
    const auto end = [&](const char* newton) {
      const Json record = run({{"formulation", formulation},
                               {"method", "pade-block"},
                               {"h", "1/100"},
                               {"t_end", "1/2"},
                               {"newton", newton}});
      EXPECT_EQ(record["status"], "ok") << formulation << " " << newton << ": " << record["cause"];
      return record;
    };
    const Json full = end("full:tolerance=1e-14");
    for (const char* newton :
         {"modified:tolerance=1e-14", "simplified:tolerance=1e-14", "simplified:tolerance=1e-14,jacobian=reused",
          "simplified:tolerance=1e-14,jacobian=reused,guess=extrapolated",
          "modified:tolerance=1e-14,guess=extrapolated", "automatic"}) {
      SCOPED_TRACE(testing::Message() << formulation << " " << newton);
      const Json other = end(newton);
      for (const char* part : {"q", "v"})
        EXPECT_LT(largest(record_vector(full[part]) - record_vector(other[part])), 5e-9) << part;
      EXPECT_LT(largest(record_vector(full["lambda"]) - record_vector(other["lambda"])), 5e-7);
    }
  }
}

// The reused Jacobian must save what it is there for.
TEST(Newton, ReusedJacobianSavesFactorizations) {
  const auto statistics = [](const char* newton) {
    return run({{"formulation", "index-1"},
                {"method", "pade-block"},
                {"h", "1/100"},
                {"t_end", "1/2"},
                {"newton", newton}})["stats"];
  };
  const Json every_step = statistics("simplified"), reused = statistics("simplified:jacobian=reused");
  EXPECT_EQ(every_step["jacobians"], 50) << "one a step";
  EXPECT_LT(reused["jacobians"], 10);  // measured 1
  EXPECT_EQ(every_step["factorizations"], 100) << "two complex pairs stand for four stages";
}

// ---------------------------------------------------------------- printed numbers

struct Cell {
  const char *method, *formulation, *newton;
  const char* h;
  const char *energy, *position, *velocity, *acceleration;  // as printed; nullptr: at round-off level
};

// [Li19, tables 2, 4, 5], two-link manipulator, h = 0.01, t = 10, full Newton with bound 1e-3 on the largest
// change of an unknown: the numbers that truncation dominates must come out to all printed digits.
TEST(Li2019, PrintedNumbersComeOutToAllDigits) {
  const char* newton = "full:tolerance=1e-3,norm=max";
  for (const Cell& cell :
       {Cell{"pade-block:r=4", "index-1", newton, "0.01", "7.0007E-05", "6.8459E-07", "3.7480E-07", nullptr},
        Cell{"pade-block:r=3", "index-1", newton, "0.01", "2.1E-03", "5.8212E-05", "3.9267E-04", nullptr},
        Cell{"pade-block:r=4", "index-2", newton, "0.01", "3.2163E-05", "4.3949E-09", nullptr, "7.04E-02"},
        Cell{"pade-block:r=4,nodes=chebyshev", "index-3", newton, "0.01", "4.3245E-05", nullptr, "1.8094E-04",
             "6.880E-01"},
        Cell{"runge-kutta", "index-1", newton, "0.01", "2.628E-01", "8.7E-03", "2.1E-03", nullptr}}) {
    SCOPED_TRACE(testing::Message() << cell.method << " " << cell.formulation);
    const Json record = run({{"formulation", cell.formulation},
                             {"method", cell.method},
                             {"h", cell.h},
                             {"t_end", 10},
                             {"newton", cell.newton}});
    ASSERT_EQ(record["status"], "ok") << record["cause"];
    const auto expect = [&](const char* key, const char* printed) {
      if (!printed) return;
      const int digits = static_cast<int>(std::string(printed).find('E')) - 2;
      EXPECT_EQ(fmt::format("{:.{}E}", record["max"][key].get<double>(), digits), printed) << key;
    };
    expect("energy_error", cell.energy);
    expect("position_constraint", cell.position);
    expect("velocity_constraint", cell.velocity);
    expect("acceleration_constraint", cell.acceleration);
  }
}

}  // namespace TEST_FILE
}  // namespace daelab
