// Forms with a way of their own to accelerations: udwadia-kalaba and augmented-lagrangian give those of index 1, also
// for redundant constraints and where a rank is lost, and say why they have none.
#include <gmock/gmock.h>

#include "tests/drift_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

const std::vector<std::string> forms{"udwadia-kalaba", "augmented-lagrangian"};

// Solvers differ by round-off times the condition of J M^-1 J^T, 1e6 at most here.
TEST(OwnMultipliers, GiveTheAccelerationsOfIndexOne) {
  for (const std::string& form : forms)
    for (const char* problem : {"pendulum", "two-link-manipulator", "seven-body", "car-axis", "driven-crank", "bricard",
                                "rowing-boat", "knife-edge", "rolling-disc", "motor-crank"}) {
      SCOPED_TRACE(form + ", " + problem);
      const BoundProblem<double> bound(problem, form), index_1(problem, "index-1");
      const Vector<double> a = bound.layout.a(bound.start.ydot), expected = index_1.layout.a(index_1.start.ydot);
      EXPECT_LT(largest(a - expected), 1e-10 * (1 + largest(expected)));
      const Vector<double> lambda = bound.layout.lambda(bound.start.y),
                           expected_lambda = index_1.layout.lambda(index_1.start.y);
      EXPECT_LT(largest(lambda - expected_lambda), 1e-7 * (1 + largest(expected_lambda)));
    }
}

TEST(OwnMultipliers, HaveTheOrdersOfIndexOne) {
  for (const std::string& form : forms)
    for (const auto& [method, order, counts] : {std::tuple{"runge-kutta", 4, std::vector{40, 80, 160}},
                                                std::tuple{"radau-iia:s=2", 3, std::vector{40, 80, 160}},
                                                std::tuple{"bdf:k=2", 2, std::vector{400, 800, 1600}},
                                                std::tuple{"generalized-alpha", 2, std::vector{400, 800, 1600}}})
      for (const char* problem : {"pendulum", "two-link-manipulator"})
        EXPECT_NEAR(observed_order(problem, form, method, problem == std::string("pendulum") ? 1.0 : 0.5, counts),
                    order, 0.3)
            << method << " on " << problem << ", " << form;
}

// In units of rounding: what is projected is met to a few, rows that follow from others to twice as many.
TEST(OwnMultipliers, DriftUnlessTheyProject) {
  for (const char* method : {"runge-kutta", "radau-iia:s=2"}) {
    EXPECT_GT(drift({"pendulum", "udwadia-kalaba", method, 0.05, 2}).position, 100) << method;
    EXPECT_GT(drift({"pendulum", "augmented-lagrangian:project=false", method, 0.05, 2}).position, 100) << method;
    EXPECT_LE(drift({"pendulum", "augmented-lagrangian", method, 0.05, 2}).position, 4) << method;
    for (const char* redundant : {"bricard", "rowing-boat"})
      EXPECT_LE(drift({redundant, "augmented-lagrangian", method, 0.01, 0.3}).position, 8) << method << redundant;
  }
}

// All links of n-four-bar on one line: a direction of C_q is lost, and the accelerations are still those of least norm.
TEST(OwnMultipliers, PassWhereARankIsLost) {
  for (const std::string& form : forms) {
    const BoundProblem<double> bound("n-four-bar", form);
    Vector<double> y = bound.start.y, ydot = bound.start.ydot;
    const double x[] = {0.5, 1.5, 1.5, 2.5, 2.5};
    y.head(30).setZero();
    for (Index k = 0; k < 5; ++k) y[3 * k] = x[k];
    EXPECT_TRUE(bound.system->consistent_derivatives(0.0, y, ydot).ok()) << form;
    EXPECT_LT(largest(bound.layout.a(ydot)), 100) << form;
  }
}

// A mass that no constraint makes up for; one that they do, a unit complex number, is no obstacle to the penalty.
TEST(OwnMultipliers, SayWhichMassIsMissing) {
  const auto status_of = [](const std::string& form, bool bound_by_constraint) {
    const auto model = recorded_model<double>([=](Recording& r) {
      r.coordinates(2);
      r.start_q = {1, 0}, r.start_v = {0, 0};
      r.mass(1, 1) = 1;
      r.constraints = {r.q[bound_by_constraint ? 0 : 1] - (bound_by_constraint ? 1 : 0)};
    });
    const auto multipliers = multipliers_for<double>(*model);
    const auto system = Registry<Formulation>::instance().make(form, "")->system(*model, *multipliers);
    Vector<double> y = Vector<double>::Zero(system->size()), ydot = y;
    y[0] = 1;
    return system->consistent_derivatives(0.0, y, ydot);
  };
  EXPECT_THAT(status_of("udwadia-kalaba", true).cause, HasSubstr("the mass matrix is not positive definite"));
  EXPECT_TRUE(status_of("augmented-lagrangian", true).ok());
  EXPECT_THAT(status_of("augmented-lagrangian", false).cause, HasSubstr("masses are missing that no constraint"));
}

TEST(OwnMultipliers, SayThatIterationsDoNotSuffice) {
  EXPECT_NO_THROW(BoundProblem<double>("pendulum:vx=0,vy=-1", "augmented-lagrangian:penalty=1e3,iterations=100"));
  EXPECT_THAT([] { BoundProblem<double>("pendulum:vx=0,vy=-1", "augmented-lagrangian:penalty=1e-3,iterations=3"); },
              testing::ThrowsMessage<std::runtime_error>(HasSubstr("raise penalty or iterations")));
}

// Two rows that contradict each other: no acceleration satisfies both.
TEST(OwnMultipliers, RefuseContradictions) {
  for (const std::string& form : forms) {
    const auto model = recorded_model<double>([](Recording& r) {
      r.coordinates(2);
      r.start_q = {0, 0}, r.start_v = {0, 0};
      r.mass(0, 0) = r.mass(1, 1) = 1;
      r.constraints = {r.q[0] - r.t * r.t, r.q[0] + r.t * r.t};
    });
    const auto multipliers = multipliers_for<double>(*model, "svd");
    const auto system = Registry<Formulation>::instance().make(form, "")->system(*model, *multipliers);
    Vector<double> y = Vector<double>::Zero(system->size()), ydot = y;
    EXPECT_FALSE(system->consistent_derivatives(0.0, y, ydot).ok()) << form;
  }
}

}  // namespace TEST_FILE
}  // namespace daelab
