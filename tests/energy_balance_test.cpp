// The balance of energy of large mechanisms, which are moved onto their constraints by sparse matrices.
#include <gmock/gmock.h>

#include "core/base/json_file.hpp"
#include "core/base/paths.hpp"
#include "core/documents/json_problem.hpp"
#include "core/mechanism/dense_limits.hpp"
#include "tests/experiment_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

constexpr int links = 101;

// closed-chain of points, with mass and forces beside the energies.
Json chain_of_points() {
  Json document = read_json_file(project_path("problems/closed_chain.json"));
  document["name"] = "chain-of-points";
  document["parameters"].erase("mass");
  for (const char* key : {"own", "shared"}) document["definitions"].erase(key);
  document["parameters"]["N"] = links, document["parameters"]["kink"] = "1/50";
  document["mass"] = std::vector<std::string>(2 * (links - 1), "1");
  document["forces"] = {{"y[i] for i in 1..N-1", "-g"}};
  document["kinetic_energy"] = "sum(i in 1..N-1, x[i]'^2 + y[i]'^2)/2";
  document["potential_energy"] = "g*sum(i in 1..N-1, y[i])";
  return document;
}

TEST(EnergyBalance, OfALargeMechanismIsTried) {
  static_assert(2 * (links - 1) + links > largest_dense_mechanism);
  EXPECT_TRUE(make_json_problem(chain_of_points(), "")->conserves_energy());
  Json document = chain_of_points();
  document["potential_energy"] = "1.001*g*sum(i in 1..N-1, y[i])";
  EXPECT_THAT(input_error_of([&] { make_json_problem(document, ""); }),
              HasSubstr("the energies contradict the equations of motion"));
}

TEST(EnergyBalance, OfALargeMechanismWithRedundantConstraintsIsTried) {
  Json document = chain_of_points();
  document["constraints"].push_back("3*(x[1]^2 + y[1]^2 - length^2)");
  EXPECT_TRUE(make_json_problem(document, "")->conserves_energy());
  document["potential_energy"] = "0.999*g*sum(i in 1..N-1, y[i])";
  EXPECT_THAT(input_error_of([&] { make_json_problem(document, ""); }),
              HasSubstr("the energies contradict the equations of motion"));
}

}  // namespace TEST_FILE
}  // namespace daelab
