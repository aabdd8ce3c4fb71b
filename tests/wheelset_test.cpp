// The wheelset of the test set: its contacts by the printed formulas, its start, its forms, its frozen mass matrix.
#include <gtest/gtest.h>

#include <cmath>

#include "lab/runs/run.hpp"
#include "results/record_values.hpp"
#include "results/reference.hpp"
#include "tests/numeric_support.hpp"

namespace daelab {
namespace TEST_FILE {

// What the source prints of a contact: rail by its place s, wheel by xi, g1, both g2, dg1/dp.
struct PrintedContact {
  PrintedContact(const Vector<double>& p, double psi, double xi) {
    const double t = p[3], f = p[4], side = xi > 0 ? 1 : -1;
    const double R = 0.1 + std::tan(0.0262) * (0.1506 - std::abs(xi)), dR = -side * std::tan(0.0262);
    const double s = p[0] + xi * std::cos(t) * std::cos(f) +
                     R * (std::cos(t) * std::sin(f) * std::cos(psi) - std::sin(t) * std::sin(psi));
    const double u = std::abs(s) - 0.1506 - 0.06 * std::sin(0.0262), root = std::sqrt(0.06 * 0.06 - u * u);
    const double G = root - 0.1 - 0.06 * std::cos(0.0262), dG = -side * u / root;
    g1 = G - p[1] - xi * std::sin(f) + R * std::cos(f) * std::cos(psi);
    g2a = dG * (dR * std::sin(f) + std::cos(f) * std::cos(psi)) + dR * std::cos(t) * std::cos(f) -
          std::cos(t) * std::sin(f) * std::cos(psi) + std::sin(t) * std::sin(psi);
    g2b = dR * std::sin(t) * std::cos(f) - std::sin(t) * std::sin(f) * std::cos(psi) - std::cos(t) * std::sin(psi);
    row = Vector<double>{{dG, -1, 0,
                          dG * (R * (-std::cos(t) * std::sin(psi) - std::cos(psi) * std::sin(f) * std::sin(t)) -
                                std::cos(f) * std::sin(t) * xi),
                          -std::cos(psi) * R * std::sin(f) - std::cos(f) * xi +
                              dG * (std::cos(f) * std::cos(psi) * std::cos(t) * R - std::cos(t) * std::sin(f) * xi)}};
  }
  double g1, g2a, g2b;
  Vector<double> row;
};

TEST(Wheelset, ContactsSatisfyThePrintedEquations) {
  const auto make = [](const char* spec) { return Registry<Problem>::instance().make(spec, ""); };
  const auto states = make("wheelset")->ordinary_model(As<double>{});
  const auto mechanism = make("wheelset:form=mechanism")->mechanical_model(As<double>{});
  const Vector<double> p0 = mechanism->initial_q().head(5);
  const auto contacts = [&](const Vector<double>& p) {
    Vector<double> y = states->initial_y(), seen(4);
    y.head(5) = p;
    states->observables(0, y, seen);
    return std::array{PrintedContact(p, seen[2], seen[3]), PrintedContact(p, seen[0], seen[1])};  // b, a
  };
  const auto at_start = contacts(p0);
  RandomNumbers random(7);
  for (int trial = 0; trial < 5; ++trial) {
    const Vector<double> p = p0 + random.vector<double>(5) / 50;
    const auto printed = contacts(p);
    Vector<double> q = mechanism->initial_q(), C(2), rates(13), y = states->initial_y();
    q.head(5) = p, y.head(5) = p;
    Matrix<double> C_q(2, mechanism->coordinates());
    mechanism->constraint(0, q, C, C_q);
    for (int k = 0; k < 2; ++k) {  // round-off, in g2a and in the rows times the slope of a small circle
      const auto i = static_cast<std::size_t>(k);
      EXPECT_NEAR(printed[i].g2a, 0, 1e-13);
      EXPECT_NEAR(printed[i].g2b, 0, 1e-15);
      EXPECT_NEAR(C[k], printed[i].g1 - at_start[i].g1, 1e-15);
      EXPECT_LT(largest(C_q.row(k).head(5).transpose() - printed[i].row), 1e-13);
      for (int j = 0; j < 5; ++j) {
        y.segment(5, 5).setZero(), y[5 + j] = 1;
        states->rates(0, y, rates);
        EXPECT_NEAR(rates[11 + k], printed[i].row[j], 1e-13) << j;
      }
    }
  }
}

// Contact points as printed, and accelerations of an independent program with the same equations. The printed
// multipliers have five digits, and the printed accelerations belong to them.
TEST(Wheelset, StartsAsPrinted) {
  const BoundProblem<double> bound("wheelset", "ode");
  Vector<double> seen(4);
  bound.any_model->observables(0, bound.start.y, seen);
  EXPECT_NEAR(seen[0], -7.4122380357667139e-6, 1e-18);
  EXPECT_NEAR(seen[1], -0.1521364296121248, 1e-14);
  EXPECT_NEAR(seen[2], 7.5634406395172940e-6, 1e-18);
  EXPECT_NEAR(seen[3], 0.1490635714733819, 1e-14);
  EXPECT_NEAR(bound.start.y[11], -8.35918402e-3, 1e-11);
  EXPECT_NEAR(bound.start.y[12], -7.41455284e-3, 1e-11);
  const double rates[] = {-1.97525716, -1.06658e-3, 7.88394044e-2, -5.53337307, -0.349802661, -2.13255203};
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(bound.start.ydot[5 + i], rates[i], 1e-8) << i;
}

Vector<double> end_of(const Json& problem, const char* formulation, const char* rtol) {
  const Json record = Run::bind({{"problem", problem},
                                 {"formulation", formulation},
                                 {"method", "radau-iia:s=3"},
                                 {"rtol", rtol},
                                 {"atol", rtol}},
                                "")
                          ->execute()
                          .record;
  EXPECT_EQ(record["status"], "ok") << record["cause"];
  if (record.contains("y") && !record.contains("q")) return record_vector(record["y"]).cast<double>().head(10);
  return joined(record_vector(record["q"]), record_vector(record["v"])).cast<double>();
}

// Index 2 as printed, with constraints on places, as a mechanism with both.
TEST(Wheelset, FormsReachTheSameEnd) {
  const Json name = "wheelset", places = {{"name", "wheelset"}, {"form", "index-3"}},
             mechanism = {{"name", "wheelset"}, {"form", "mechanism"}};
  const auto reference = find_reference(Registry<Problem>::instance().make(name, "")->spec(), Exact(10));
  ASSERT_TRUE(reference);
  const Vector<double> end = reference->y.cast<double>().head(10);
  // Errors add up over some thousand steps; constraints on places make velocities less accurate.
  EXPECT_LT(largest(end_of(name, "ode", "1e-8") - end), 1e-6);
  EXPECT_LT(largest(end_of(places, "ode", "1e-6") - end), 2e-5);
  EXPECT_LT(largest(end_of(mechanism, "ggl", "1e-8") - end), 1e-6);
  EXPECT_LT(largest(end_of(mechanism, "index-3", "1e-6") - end), 2e-5);
}

// A port that keeps the mass matrix of the start (SciML) reports up to 3 %, of z'.
TEST(Wheelset, FrozenMassMatrixIsThreePercentOff) {
  const Vector<double> frozen = end_of({{"name", "wheelset"}, {"inertia", "frozen"}}, "ode", "1e-8");
  const double printed[] = {0.0086355386965811, 1.3038281022727e-05, -9.3635784016818e-05, -0.013642299804033,
                            0.0015292895005422, -0.076985374142666,  -0.00025151106429207, 0.0020541188079539,
                            -0.23904837703692,  -0.013633468454173};
  double worst = 0;
  for (int i = 0; i < 10; ++i) worst = std::max(worst, std::abs(frozen[i] / printed[i] - 1));
  EXPECT_NEAR(worst, 0.0293, 1e-4);
  EXPECT_NEAR(frozen[7] / printed[7] - 1, 0.0293, 1e-4);
}

}  // namespace TEST_FILE
}  // namespace daelab
