// Bodies and joints in problem files: the mechanisms they make, runs through charts, and what is refused.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>

#include "core/base/json_file.hpp"
#include "core/documents/json_problem.hpp"
#include "lab/runs/run.hpp"
#include "results/record_values.hpp"
#include "tests/build_paths.hpp"
#include "tests/numeric_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

const Json& slider_crank() {
  static const Json document = Json::parse(R"json({
    "name": "slider",
    "parameters": {"r": "1/4", "l": "1"},
    "bodies": {
      "crank": {"mass": "1", "centre": ["r/2", "0"], "inertia": "r^2/12"},
      "rod": {"mass": "2", "centre": ["l/2", "0"], "inertia": "2*l^2/12"},
      "slider": {"mass": "1"}
    },
    "joints": {
      "phi": {"on": "ground", "body": "crank"},
      "psi": {"on": {"crank": ["r", "0"]}, "body": "rod"},
      "x": {"kind": "prismatic", "axis": ["1", "0", "0"], "on": "ground", "body": "slider"}
    },
    "points": {"middle": {"rod": ["l/2", "0"]}},
    "pins": [{"from": {"rod": ["l", "0"]}, "to": "slider"}],
    "gravity": ["0", "-9.81"],
    "start": {"phi'": "2", "psi'": "-2 - 2*r/l", "x": "r + l"},
    "end_time": "1"
  })json");
  return document;
}

// The same by hand, the angle of the rod against the ground.
const Json& written_by_hand() {
  static const Json document = Json::parse(R"json({
    "name": "by-hand",
    "parameters": {"r": "1/4", "l": "1"},
    "coordinates": ["phi", "chi", "x"],
    "definitions": {
      "xm": "r*cos(phi) + l/2*cos(chi)", "ym": "r*sin(phi) + l/2*sin(chi)",
      "vx": "-r*sin(phi)*phi' - l/2*sin(chi)*chi'", "vy": "r*cos(phi)*phi' + l/2*cos(chi)*chi'"
    },
    "kinetic_energy": "r^2*phi'^2/6 + vx^2 + vy^2 + l^2/12*chi'^2 + x'^2/2",
    "potential_energy": "9.81*(r/2*sin(phi) + 2*ym)",
    "constraints": ["r*cos(phi) + l*cos(chi) = x", "r*sin(phi) + l*sin(chi) = 0"],
    "start": {"phi'": "2", "chi'": "-2*r/l", "x": "r + l"},
    "end_time": "1"
})json");
  return document;
}

Json record_of(const Json& problem, const Json& more) {
  Json spec = {{"problem", problem}};
  spec.update(more);
  return Run::bind(spec, "")->execute().record;
}

TEST(JointsDocument, SliderCrankMovesAsTheOneWrittenByHand) {
  for (const char* form : {"index-3", "ggl", "index-1"}) {
    const Json more = {{"formulation", form}, {"method", "radau-iia:s=3"}, {"h", "1/200"}};
    const Json joints = record_of(slider_crank(), more), hand = record_of(written_by_hand(), more);
    ASSERT_EQ(joints["status"], "ok") << joints["cause"];
    ASSERT_EQ(hand["status"], "ok") << hand["cause"];
    Vector<Real50> q = record_vector(joints["q"]), lambda = record_vector(joints["lambda"]);
    q[1] += q[0];
    // Steps of order 5 differ by the coordinates: h^5 = 3e-12 times derivatives of some hundred.
    EXPECT_LT(largest(Vector<Real50>(q - record_vector(hand["q"]))), 1e-8) << form;
    EXPECT_LT(largest(Vector<Real50>(lambda - record_vector(hand["lambda"]))), 1e-5) << form;
  }
}

TEST(JointsDocument, HeavyTopPassesTheUprightPositionByChartsOfTheProgram) {
  const std::string file = "@" + source_path("/tests/problems/heavy_top_joints.json");
  for (const char* method : {"radau-iia:s=3", "bdf"}) {
    Json more = {{"formulation", "index-1"}, {"method", method}};
    if (std::string(method) == "bdf")
      more["rtol"] = "1e-8";
    else
      more["h"] = "1/500";
    const Json joints = record_of(file, more), hand = record_of("heavy-top", more);
    ASSERT_EQ(joints["status"], "ok") << joints["cause"];
    EXPECT_EQ(joints["stats"]["steps"], hand["stats"]["steps"]) << method;
    const Vector<Real50> exact = Registry<Problem>::instance().make("heavy-top", "")->independent_solution(2, 30)->q;
    const double error = largest(Vector<Real50>(record_vector(joints["q"]) - exact)),
                 error_by_hand = largest(Vector<Real50>(record_vector(hand["q"]) - exact));
    EXPECT_LT(error_by_hand, 1e-4) << method;                           // measured: see below
    EXPECT_NEAR(error, error_by_hand, 1e-3 * error_by_hand) << method;  // round-off decides the rest
  }
}

// The same steps in the same coordinates: what Newton's method and round-off leave, of q near 2 and v near 800.
TEST(JointsDocument, SevenBodyRunsToTheSameDigitsAsTheOneWrittenByHand) {
  for (const char* form : {"index-3", "ggl", "index-1"}) {
    const Json more = {{"formulation", form}, {"method", "radau-iia:s=3"}, {"h", "1/10000"}, {"t_end", "1/100"}};
    const Json joints = record_of("seven-body-joints", more), hand = record_of("seven-body", more);
    ASSERT_EQ(joints["status"], "ok") << joints["cause"];
    ASSERT_EQ(hand["status"], "ok") << hand["cause"];
    const auto difference = [&](const char* key) {
      return largest(Vector<Real50>(record_vector(joints[key]) - record_vector(hand[key])));
    };
    EXPECT_LT(difference("q"), 1e-13) << form;  // measured 2e-15
    EXPECT_LT(difference("v"), 1e-9) << form;   // measured 7e-11 on index 3
  }
}

// Both joints come near their singularities several times, in any order of the four charts.
TEST(JointsDocument, TwoJointsChangeTheirChartsIndependently) {
  const std::string file = "@" + source_path("/tests/problems/two_bodies.json");
  const auto run = [&](const char* method) {
    return record_of(file, {{"formulation", "index-1"}, {"method", method}, {"rtol", "1e-9"}, {"atol", "1e-9"}});
  };
  const Json radau = run("radau-iia:s=3"), explicit_run = run("runge-kutta:tableau=dormand-prince");
  ASSERT_EQ(radau["status"], "ok") << radau["cause"];
  ASSERT_EQ(explicit_run["status"], "ok") << explicit_run["cause"];
  std::map<std::string, int> switches;
  for (const Json& event : radau["events"]["kinds"])
    switches[event["name"].get<std::string>()] += event["count"].get<int>();
  EXPECT_THAT(switches, testing::ElementsAre(testing::Pair("near the singularity of first", testing::Ge(3)),
                                             testing::Pair("near the singularity of second", testing::Ge(3))));
  // A thousand steps of 1e-9 each, as the warning on accumulation counts them.
  EXPECT_LT(largest(Vector<Real50>(record_vector(radau["q"]) - record_vector(explicit_run["q"]))), 1e-6);
  EXPECT_LT(radau["max"]["energy_error"].get<double>(), 1e-8);
}

TEST(JointsDocument, ChainIsLinkChain) {
  const Json more = {{"formulation", "index-1"}, {"method", "radau-iia:s=3"}, {"h", "1/200"}, {"t_end", "1/2"}};
  const Json joints = record_of(read_json_file(source_path("/problems/joint_chain.json")), more);
  ASSERT_EQ(joints["status"], "ok") << joints["cause"];
  const Vector<Real50> q = record_vector(joints["q"]),
                       exact = Registry<Problem>::instance().make("link-chain", "")->independent_solution(0.5, 30)->q;
  Real50 angle(0);
  for (Index i = 0; i < q.size(); ++i) {
    angle += q[i];
    EXPECT_LT(abs(angle - exact[3 * i + 2]), 1e-6) << i;  // h^5 = 3e-12 times derivatives, which grow along the chain
  }
}

// ----- refusals -----

struct Refused {
  const char* pointer;
  const char* value;  // JSON
  const char* message;
};
void PrintTo(const Refused& c, std::ostream* out) { *out << c.pointer << " " << c.value; }

class RefusedJoints : public testing::TestWithParam<Refused> {};
TEST_P(RefusedJoints, SayWhereAndWhatIsAllowed) {
  Json document = slider_crank();
  const auto& [pointer, value, message] = GetParam();
  document[Json::json_pointer(pointer)] = Json::parse(value);
  try {
    make_json_problem(document, "f: ");
    ADD_FAILURE() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr(message));
  }
}
INSTANTIATE_TEST_SUITE_P(
    All, RefusedJoints,
    testing::Values(
        Refused{"/joints/psi/on", R"("cranc")",
                "/joints/psi/on: unknown body 'cranc'; did you mean 'crank'? (known: crank, rod, slider, ground)"},
        Refused{"/joints/psi/on", R"({"rod": ["1", "0"]})", "/joints/psi: the joint 'psi' is between rod and itself"},
        Refused{"/joints/phi/on", R"({"rod": ["1", "0"]})",
                "/joints/phi: joints that do not form a tree: crank - rod - crank is a circle that nothing holds; "
                "state the joint 'phi' as a pin, and hang crank on the ground"},
        Refused{"/joints/end", R"({"on": "slider", "body": {"rod": ["l", "0"]}})",
                "/joints/end: rod hangs on two joints, 'psi' and 'end'"},
        Refused{"/bodies/loose", R"({"mass": "1"})", "/bodies/loose: loose hangs on no joint"},
        Refused{"/bodies/rod", R"({"inertia": "1"})", "/bodies/rod/mass: is missing"},
        Refused{"/bodies/rod/mass", R"("l - 1")", "/bodies/rod: rod has no mass; allowed: above 0"},
        Refused{"/bodies/rod/mass", R"("x")", "/bodies/rod/mass: is not a constant"},
        Refused{"/bodies/ground", R"({"mass": "1"})", "'ground' cannot be the name of a body"},
        Refused{"/joints/psi/body", R"("ground")", "/joints/psi/body: the ground hangs on nothing"},
        Refused{"/joints/psi/kind", R"("revolut")",
                "/joints/psi/kind: 'revolut' is not allowed; did you mean 'revolute'? (allowed: revolute, "
                "prismatic, spherical, free)"},
        Refused{"/joints/psi/angles", R"("xyz")", "/joints/psi/angles: is for spherical and free joints"},
        Refused{"/pins/0/to", R"({"rod": ["0", "0"]})", "/pins/0: the pin is between rod and itself"},
        Refused{"/pins/0/to", R"({"slider": ["0", "0", "0"]})",
                "/pins/0: both points of a pin have two numbers, or both three"},
        Refused{"/pins/0/from", R"({"rod": ["0"]})", "/pins/0/from/rod: 1 numbers given; allowed: 2 or 3"},
        Refused{"/coordinates", R"(["y"])", "/coordinates: follows from the joints and bodies"},
        Refused{"/joints/middle_x", R"({"on": "ground", "body": "rod"})", "the name 'middle_x' is used twice"},
        Refused{"/springs", R"([{"from": "rod", "to": "ground"}])",
                "/springs/0: \"stiffness\" [N/m] or \"damping\" [N s/m] is missing"},
        Refused{"/springs", R"([{"from": "rod", "to": {"rod": ["1", "0"]}, "stiffness": "1"}])",
                "/springs/0: the spring is between rod and itself"},
        Refused{"/loads", R"([{"on": "rod", "force": ["q", "0"]}])", "/loads/0/force/0"},
        Refused{"/loads", R"([{"on": "ground", "torque": "1"}])", "/loads/0/on: a load on the ground moves nothing"}));

TEST(RefusedJointsOfCharts, AreTextsWithAnglesThatChangeTheirMeaning) {
  Json document = read_json_file(source_path("/tests/problems/heavy_top_joints.json"));
  document["forces"] = {{"turn3", "-turn3'"}};
  EXPECT_THROW(make_json_problem(document, ""), InputError);
  document["joints"]["turn"]["charts"] = "one";
  EXPECT_NO_THROW(make_json_problem(document, ""));
}

TEST(JointsDocument, ForcesLoadsAndDampersChangeTheEnergy) {
  EXPECT_TRUE(make_json_problem(slider_crank(), "")->conserves_energy());
  for (const auto& [key, value] : std::initializer_list<std::pair<const char*, const char*>>{
           {"forces", R"({"phi": "-phi'"})"},
           {"loads", R"([{"on": "crank", "torque": "1"}])"},
           {"springs", R"([{"from": "crank", "to": "slider", "stiffness": "3", "length": "1/2", "damping": "1"}])"}}) {
    Json document = slider_crank();
    document[key] = Json::parse(value);
    EXPECT_FALSE(make_json_problem(document, "")->conserves_energy()) << key;
  }
  Json document = slider_crank();
  document["springs"] = Json::parse(R"([{"from": "ground", "to": "slider", "stiffness": "3", "length": "1/2"}])");
  document["potential_energy"] = "phi^2/2";
  EXPECT_TRUE(make_json_problem(document, "")->conserves_energy());
}

}  // namespace TEST_FILE
}  // namespace daelab
