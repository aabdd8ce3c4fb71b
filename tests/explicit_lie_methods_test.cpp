// Explicit methods on Lie groups: what another program prints, orders, and Runge-Kutta methods in R^n.
#include <gmock/gmock.h>

#include <cmath>
#include <fstream>

#include "tests/constrained_motion.hpp"
#include "tests/heavy_top_motion.hpp"

namespace daelab {
namespace TEST_FILE {

// omega_y in space axes.
double space_omega_y(const std::string& method, double end, int count) {
  GroupRun<double> run(heavy_top("so3"), "index-1", method);
  run.march(count, end / count);
  const TopMotion<double> m = run.motion();
  return (lie::rotation_matrix(m.p) * lie::Vector3<double>(m.v))[1];
}

// Exudyn, main/pythonDev/TestModels/explicitLieGroupIntegratorPythonTest.py: classical RK4 on the rotation vector of a
// step, with the full inverse tangent; repeated by an independent program to the digits here.
TEST(Rkmk, RepeatsTheTopOfExudyn) {
  EXPECT_NEAR(space_omega_y("rkmk", 0.01, 400), 149.84739395407595, 2e-12);
  EXPECT_NEAR(space_omega_y("rkmk", 2, 1000), -105.89196163228146, 2e-9);
  EXPECT_NEAR(space_omega_y("rkmk", 2, 2000), -106.1665196644212, 2e-9);
}

// The order of rotation and velocity at the end of a short run in the widest scalar.
double order_of(const std::string& method, const std::string& description, bool fast = false) {
  const Widest end = Widest(1) / Widest(fast ? 64 : 4);
  const auto exact = top_motion<Widest>(fast, 128, 128, Widest(end / Widest(128)));
  const std::string formulation = "index-1";
  const BoundModel<Widest> other(heavy_top(description == "so3" ? "so3xr3" : description, fast), formulation);
  std::vector<double> errors;
  for (const int count : {16, 32}) {
    GroupRun<Widest> run(heavy_top(description, fast), formulation, method);
    run.march(count, end / Widest(count));
    TopErrors e;
    e.take(run.motion(), description == "so3" ? exact[0] : described(exact[0], other));
    errors.push_back(std::max(e.q, e.v));
  }
  return std::log2(errors[0] / errors[1]);
}

TEST(Rkmk, HasTheOrderOfItsTableau) {
  for (const char* description : {"so3", "so3xr3", "se3"})
    for (const auto& [method, order] :
         {std::pair{"rkmk", 4}, std::pair{"rkmk:retraction=cayley", 4}, std::pair{"rkmk:inverse_tangent=truncated", 4},
          std::pair{"rkmk:tableau=heun", 2}, std::pair{"rkmk:tableau=dormand-prince", 5},
          std::pair{"rkmk:tableau=dormand-prince,inverse_tangent=truncated", 5}})
      EXPECT_THAT(order_of(method, description), testing::AllOf(testing::Gt(order - 0.3), testing::Lt(order + 0.7)))
          << method << " " << description;
}

// With fewer terms than the order needs it has a lower one: a tableau of order 4 that claims 2.
TEST(Rkmk, LosesOrdersWithAShorterSeries) {
  const std::string claims_two = testing::TempDir() + "claims_two.json";
  std::ofstream(claims_two) << R"({"name": "claims-two", "order": 2, "A": [["0","0","0","0"], ["1/2","0","0","0"],
    ["0","1/2","0","0"], ["0","0","1","0"]], "b": ["1/6","1/3","1/3","1/6"]})";
  EXPECT_NEAR(order_of("rkmk:tableau=@" + claims_two, "so3", true), 4, 0.3);
  EXPECT_LT(order_of("rkmk:tableau=@" + claims_two + ",inverse_tangent=truncated", "so3", true), 3.3);
}

TEST(CommutatorFree, HaveTheirOrders) {
  for (const char* description : {"so3", "so3xr3", "se3"})
    for (const auto& [method, order] :
         {std::pair{"crouch-grossman-2", 2}, std::pair{"crouch-grossman-3", 3}, std::pair{"crouch-grossman-4", 4},
          std::pair{"celledoni-marthinsen-owren-4", 4}})
      EXPECT_NEAR(order_of(method, description, true), order, 0.35) << method << " " << description;
}

// Up to the order of sums.
TEST(ExplicitLieMethods, AreRungeKuttaMethodsInRealSpace) {
  for (const auto& [ours, theirs] :
       {std::pair{"rkmk:tableau=dormand-prince", "runge-kutta:tableau=dormand-prince"},
        std::pair{"rkmk:retraction=cayley", "rk4-classical"}, std::pair{"crouch-grossman-2", "explicit-midpoint"}}) {
    const ConstrainedMotion x = march<double>("two-link-manipulator", "index-1", ours, 0.1, 20),
                            y = march<double>("two-link-manipulator", "index-1", theirs, 0.1, 20);
    const PerComponent e = errors_of(x, y, true);
    EXPECT_LT(*std::max_element(e.begin(), e.end()), 1e-12) << ours;
  }
}

// The projected form moves the end of a step back onto the constraints.
TEST(ExplicitLieMethods, AreProjected) {
  for (const char* method : {"rkmk", "crouch-grossman-3"})
    for (const char* description : {"so3xr3", "se3"}) {
      GroupRun<double> free(heavy_top(description), "index-1", method),
          projected(heavy_top(description), "projected", method);
      free.march(200, 1.0 / 2048), projected.march(200, 1.0 / 2048);
      if (std::string(description) == "so3xr3") {
        EXPECT_GT(free.defect(Level::position), 1e-12) << method;
      }
      EXPECT_LT(projected.defect(Level::position), 1e-14) << method;
      EXPECT_LT(projected.defect(Level::velocity), 1e-11) << method;
    }
}

TEST(Rkmk, RefusesWhatMakesNoSense) {
  const auto error = [](const std::string& method) {
    try {
      method_of(method);
    } catch (const InputError& refusal) {
      return std::string(refusal.what());
    }
    return std::string();
  };
  EXPECT_THAT(error("rkmk:tableau=implicit-euler"), testing::HasSubstr("is implicit"));
  EXPECT_THAT(error("rkmk:tableau=dormand-price"), testing::HasSubstr("dormand-prince"));
  EXPECT_THAT(error("rkmk:retraction=cayley,inverse_tangent=truncated"), testing::HasSubstr("allowed here: exact"));
}

}  // namespace TEST_FILE
}  // namespace daelab
