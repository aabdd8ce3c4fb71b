// Rotations in problem files: the motions they make, starts, and what is refused.
#include <gmock/gmock.h>

#include "core/base/json_file.hpp"
#include "core/documents/json_problem.hpp"
#include "lab/runs/run.hpp"
#include "tests/build_paths.hpp"
#include "tests/input_error_support.hpp"
#include "tests/numeric_support.hpp"

namespace daelab {
namespace TEST_FILE {

Json end_of_document(const Json& problem, const char* method = "runge-kutta:tableau=dormand-prince") {
  const Json spec = {
      {"problem", problem}, {"formulation", "index-1"}, {"method", method}, {"rtol", "1e-11"}, {"t_end", "1/2"}};
  const Json record = Run::bind(spec, "")->execute().record;
  EXPECT_EQ(record["status"], "ok") << record["cause"];
  return record;
}

// The fast top of heavy-top-so3 as a document, as a body held by a constraint.
const Json& held_top() {
  static const Json document = Json::parse(R"json({
    "name": "held-top",
    "parameters": {"m": "15", "g": "9.81"},
    "vectors": {"J": "3"},
    "definitions": {"J1": "0.234375", "J2": "0.46875", "J3": "0.234375"},
    "rotations": {"B": "se3"},
    "kinetic_energy": "sum(i in 1..3, J[i]*omega_B[i]^2 + m*u_B[i]^2)/2",
    "potential_energy": "m*g*x_B[3]",
    "constraints": ["sum(i in 1..3, B[i,1]*x_B[i])", "sum(i in 1..3, B[i,2]*x_B[i]) = 1", "sum(i in 1..3, B[i,3]*x_B[i])"],
    "start": {"omega_B[2]": "150", "omega_B[3]": "-4.61538", "x_B[2]": "1", "u_B[1]": "4.61538"},
    "end_time": "1",
    "observables": {"height": "x_B[3]"},
    "outline": [{"line": [["0", "0", "0"], ["x_B[1]", "x_B[2]", "x_B[3]"]]}]
  })json");
  return document;
}

TEST(RotationsOfDocuments, AreTheHeavyTopOnItsGroup) {
  const Json document = end_of_document(held_top());
  const Json built = end_of_document({{"name", "heavy-top-so3"}, {"description", "se3"}});
  for (int i = 0; i < 6; ++i) {
    EXPECT_NEAR(document["q"][i].get<double>(), built["q"][i].get<double>(), 1e-8) << i;
    EXPECT_NEAR(document["v"][i].get<double>(), built["v"][i].get<double>(), 1e-6) << i;
  }
  EXPECT_LT(document["max"]["energy_error"].get<double>(), 1e-5) << "of 5436 J; the energies are found to balance";
}

// Three ways to give one start, and definitions that use it.
TEST(RotationsOfDocuments, StartByMatrixQuaternionOrAxis) {
  Json document = read_json_file(source_path("/docs/examples/spinning_top.json"));
  const Json by_axis = end_of_document(document);
  document["start"]["R"] = {"cos(pi/6)", "sin(pi/6)", 0, 0};
  EXPECT_EQ(end_of_document(document)["q"].size(), 3U);
  const Json by_quaternion = end_of_document(document);
  document["start"]["R"] = {{1, 0, 0}, {0, "1/2", "-sqrt(3)/2"}, {0, "sqrt(3)/2", "1/2"}};
  const Json by_matrix = end_of_document(document);
  document["definitions"] = {{"sine", "R[3,2]"}};
  document["start"]["omega_R[1]"] = "sine - sqrt(3)/2";
  const Json with_definition = end_of_document(document);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(by_quaternion["q"][i].get<double>(), by_axis["q"][i].get<double>(), 1e-9);
    EXPECT_NEAR(by_matrix["q"][i].get<double>(), by_axis["q"][i].get<double>(), 1e-9);
    EXPECT_NEAR(with_definition["q"][i].get<double>(), by_axis["q"][i].get<double>(), 1e-9);
  }
}

// A torque in body axes is what changes the angular momentum there: about the axis of symmetry I3 Omega3' = torque.
TEST(RotationsOfDocuments, HaveTorquesInBodyAxes) {
  Json document = read_json_file(source_path("/docs/examples/spinning_top.json"));
  document["forces"] = {{"omega_R[3]", "-1/100"}};
  document["energy"] = "changes";
  document.erase("invariants");
  EXPECT_NEAR(end_of_document(document)["v"][2].get<double>(), 40 - 0.5 * 0.01 * 200, 1e-8);
}

struct Slip {
  const char *place, *value;  // JSON pointer
  const char* message;
};
class SlipsOfRotations : public testing::TestWithParam<Slip> {};

TEST_P(SlipsOfRotations, AreRefusedWithTheirPlace) {
  Json document = read_json_file(source_path("/docs/examples/spinning_top.json"));
  document[Json::json_pointer(GetParam().place)] = Json::parse(GetParam().value);
  EXPECT_THAT([&] { make_json_problem(document, ""); }, throws_input_error(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Each, SlipsOfRotations,
    testing::Values(Slip{"/rotations/R", R"("so4")", "/rotations/R: 'so4' is not allowed; did you mean 'so3'?"},
                    Slip{"/rotations/R", "3", "/rotations/R: "},
                    Slip{"/start/R", R"([[1, 0, 0], [0, 1, 0.1], [0, 0, 1]])",
                         "/start/R: no rotation: R^T R - I has an entry 0.1"},
                    Slip{"/start/R", "[[1, 0, 0], [0, 1, 0], [0, 0, -1]]", "/start/R: no rotation but a reflection"},
                    Slip{"/start/R", "[0, 0, 0, 0]", "/start/R: no rotation: all entries of the quaternion are zero"},
                    Slip{"/start/R", "[1, 0, 0]", "/start/R: the start of a rotation is a matrix"},
                    Slip{"/start/R", "[[1, 0], [0, 1, 0], [0, 0, 1]]", "/start/R/0: 2 entries given, 3 needed"},
                    Slip{"/start/R", R"({"axis": [0, 0, 0], "angle": 1})",
                         "/start/R: no rotation: all entries of the axis are zero"},
                    Slip{"/start/R", R"({"axis": [0, 0, 1]})", "/start/R/angle: is missing"},
                    Slip{"/start/omega_S1", "1", "unknown name 'omega_S1'; did you mean 'omega_R1'?"},
                    Slip{"/forces", R"({"omega_Q1": 1})", "/forces/omega_Q1: unknown coordinate"},
                    Slip{"/coordinates", R"(["omega_R1"])", "the name 'omega_R1' is used twice"},
                    Slip{"/observables/axis_x", R"("R[4,1]")", "/observables/axis_x: R[4,1]: entry 4 does not exist"},
                    Slip{"/observables/axis_x", R"("R_1")", "/observables/axis_x: "},
                    Slip{"/mass", R"(["1", "1", "1"])", "/mass: is not for rotations"}),
    [](const auto& info) { return "Slip" + std::to_string(info.index); });

}  // namespace TEST_FILE
}  // namespace daelab
