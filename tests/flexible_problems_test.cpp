// Beams and points with many coordinates against beam theory: loads that balance, conserved energy, places of rest.
#include <gtest/gtest.h>

#include <cmath>

#include "lab/runs/run.hpp"
#include "results/record_values.hpp"
#include "tests/build_paths.hpp"
#include "tests/numeric_support.hpp"

namespace daelab {
namespace TEST_FILE {

std::string in_file(const std::string& name, const std::string& options = "") {
  return "@" + source_path("/problems/" + name + ".json") + options;
}

std::unique_ptr<MechanicalModel<double>> model_of(const std::string& spec) {
  return Registry<Problem>::instance().make(spec, "")->mechanical_model(As<double>{});
}

double largest_acceleration(MechanicalModel<double>& model, const Vector<double>& q) {
  Vector<double> a(model.coordinates()), lambda(model.constraints());
  const Vector<double> rest = Vector<double>::Zero(model.coordinates());
  EXPECT_TRUE(solve_accelerations(model, 0.0, q, rest, a, lambda).ok());
  return largest(a);
}

// Small deflections of the cantilever: the moment at the joint where link i begins, i = 1, ..., is
// m g l (N - i + 1)^2/2, against springs 2k, k, k, ...; x by the constraints.
Vector<double> bent_links(int N, double l, double m, double g, double k) {
  Vector<double> q(3 * N);
  double angle = 0, x = 0, y = 0;
  for (int i = 1; i <= N; ++i) {
    const double moment = m * g * l * (N - i + 1) * (N - i + 1) / 2;
    angle -= moment / (i == 1 ? 2 * k : k);
    q[i - 1] = x + l / 2 * std::cos(angle), q[N + i - 1] = y + l / 2 * std::sin(angle), q[2 * N + i - 1] = angle;
    x += l * std::cos(angle), y += l * std::sin(angle);
  }
  return q;
}

TEST(LinkBeam, BalancesItsWeightAsDiscreteBeamTheorySays) {
  constexpr int N = 6;
  constexpr double g = 1e-4;
  const auto model = model_of(in_file("link_beam", ":N=6,g=1e-4"));
  const Vector<double> bent = bent_links(N, 1.0 / N, 1.0 / N, g, 100 * N);
  EXPECT_GT(largest_acceleration(*model, model->initial_q()), 0.9 * g);
  // Second order in angles of 1e-7; round-off of springs, of 1e-16 k/(m l^2) = 1e-11.
  EXPECT_LT(largest_acceleration(*model, bent), 1e-4 * g);
}

// q L^4/(8 EI) of a uniform load, with an error of order 1/N^2.
TEST(LinkBeam, ApproachesTheContinuousBeam) {
  const auto tip = [](int N) {
    const Vector<double> q = bent_links(N, 1.0 / N, 1.0 / N, 1e-4, 100.0 * N);
    return q[2 * N - 1] + std::sin(q[3 * N - 1]) / (2 * N);
  };
  const double exact = -1e-4 / 800, coarse = tip(20) / exact - 1, fine = tip(40) / exact - 1;
  EXPECT_LT(std::abs(fine), 1e-3);
  EXPECT_NEAR(coarse / fine, 4, 0.05);
}

TEST(FlexibleProblems, KeepTheirEnergy) {
  for (const std::string& problem :
       {in_file("link_beam", ":N=4"), in_file("ancf_cable", ":N=2"), in_file("ancf_cable", ":N=2,clamped=1,EI=10")})
    for (const char* formulation : {"index-3", "ggl"}) {
      SCOPED_TRACE(problem + " " + formulation);
      const Json record = Run::bind({{"problem", problem},
                                     {"formulation", formulation},
                                     {"method", "radau-iia:s=3"},
                                     {"rtol", "1e-7"},
                                     {"t_end", "1/5"}},
                                    "")
                              ->execute()
                              .record;
      ASSERT_EQ(record["status"], "ok") << record["cause"];
      // Energies of size 1; the method damps what it does not resolve.
      EXPECT_LT(record["max"]["energy_error"].get<double>(), 1e-8);
    }
}

// Cubic elements have the exact deflection q x^2 (6 L^2 - 4 L x + x^2)/(24 EI) of a uniform load at their nodes.
TEST(AncfCable, BalancesItsWeightAsBeamTheorySays) {
  constexpr int N = 3;
  constexpr double g = 1e-5, EI = 10;
  const auto model = model_of(in_file("ancf_cable", ":N=3,clamped=1,EI=10,EA=1,g=1e-5"));
  Vector<double> q = model->initial_q();
  EXPECT_GT(largest_acceleration(*model, q), 0.9 * g);
  for (int i = 0; i <= N; ++i) {
    const double x = static_cast<double>(i) / N, load = -g / (24 * EI);
    q[4 * i + 1] = load * x * x * (6 - 4 * x + x * x);
    q[4 * i + 3] = load * 4 * x * (3 - 3 * x + x * x);
  }
  // Second order in slopes of 1e-7; round-off of bending forces over the small masses of slopes. A larger EA has more.
  EXPECT_LT(largest_acceleration(*model, q), 1e-3 * g);
}

// A straight cable stretched evenly: S = (d^2 - 1)/2 of the stretch d, its tension is EA S d.
TEST(AncfCable, PullsAsItIsStretched) {
  const auto model = model_of(in_file("ancf_cable", ":N=2,g=0"));
  Vector<double> q = model->initial_q(), Q(model->coordinates());
  const double stretch = 1.1;
  q *= stretch;
  model->force(0, q, Vector<double>::Zero(model->coordinates()), Q);
  EXPECT_NEAR(Q[8], -1e4 * (stretch * stretch - 1) / 2 * stretch, 1e-8);  // of the free end
  EXPECT_NEAR(Q[4], 0, 1e-8);                                             // in between
}

// At rest the force on each point is radial: sum_j (p_i - p_j).p_i/|p_i - p_j|^2 = (N - 1)/2, whatever the places are.
TEST(Fekete, ComesToRestOnEveryForm) {
  for (const std::string& problem : {in_file("fekete"), in_file("fekete", ":N=7")})
    for (const char* formulation : {"index-3", "index-2", "ggl"}) {
      SCOPED_TRACE(problem + " " + formulation);
      const Json record = Run::bind({{"problem", problem},
                                     {"formulation", formulation},
                                     {"method", "radau-iia:s=3"},
                                     {"rtol", "1e-5"},
                                     {"scalar", "double"}},
                                    "")
                              ->execute()
                              .record;
      ASSERT_EQ(record["status"], "ok") << record["cause"];
      EXPECT_EQ(record["t"].get<double>(), 1000);
      const Vector<double> lambda = record_vector(record["lambda"]).cast<double>();
      for (const double force : lambda) EXPECT_NEAR(force, (static_cast<double>(lambda.size()) - 1) / 4, 1e-4);
      EXPECT_LT(largest(record_vector(record["v"])), 1e-4);  // errors of this tolerance
    }
}

}  // namespace TEST_FILE
}  // namespace daelab
