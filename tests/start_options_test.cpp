// Start values of runs: names of entries, values and weights by name, fixed ones, and what is refused.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098.
#include <gmock/gmock.h>

#include "core/start/start_options.hpp"
#include "lab/runs/run.hpp"
#include "tests/numeric_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

StateNames names_of_problem(const std::string& spec) {
  return StateNames(*Registry<Problem>::instance().make(spec, ""));
}

Json run_from(const Json& start, const Json& more = Json::object()) {
  Json run = {{"problem", "slider-crank"}, {"method", "bdf"}, {"h", "1/10000"}, {"start", start}};
  run.update(more);
  return run;
}

RunRecord record_of(const Json& run) { return Run::bind(run, "")->integrate().record; }

// Section 8.2: q3 and q4 of the rod, phi' = omega; the rest follows.
Json start_of_section_8_2() {
  return {{"q", "0,0,0.45,0,0,1.033e-5,1.69e-5"}, {"v", {{"phi1", 150}}}, {"fix", "q6,q7,v1"}};
}

// A start value without a value is refused where a run begins with it, and nowhere else; so are definitions that serve
// the start.
TEST(StartValues, TakeThePlaceOfValuesThatCannotBeComputed) {
  const Json problem = Json::parse(R"json({"name": "launch", "parameters": {"c": "-1"}, "definitions": {"w": "sqrt(c)"},
    "coordinates": ["x"], "mass": ["1"], "forces": {"x": "-x"}, "start": {"x": "1", "x'": "2*w"}, "end_time": "1"})json");
  const auto bound = [&](const Json& start) {
    return Run::bind({{"problem", problem}, {"method", "gauss:s=3"}, {"h", "1/50"}, {"start", start}}, "");
  };
  EXPECT_THAT(
      [&] { bound("consistent"); },
      ThrowsMessage<InputError>(HasSubstr("/definitions/w: cannot read \"sqrt(c)\": square root of a negative")));
  EXPECT_THAT([&] { bound({{"q", "x=2"}}); }, ThrowsMessage<InputError>(HasSubstr("square root of a negative")));
  const RunRecord record = bound({{"v", "x=3"}})->integrate().record;
  EXPECT_NEAR(static_cast<double>(record.state.q[0]), std::cos(1) + 3 * std::sin(1), 1e-8);
  Json used = problem;
  used["forces"]["x"] = "-w*x";
  EXPECT_THAT([&] { Registry<Problem>::instance().make(used, ""); },
              ThrowsMessage<InputError>(HasSubstr("/definitions/w: cannot read")));
}

TEST(StateNames, AreThoseOfTrajectoriesAndOfTheProblem) {
  const StateNames names = names_of_problem("slider-crank");
  EXPECT_EQ(names.find("qv", "q6", "").place, 5);
  EXPECT_EQ(names.find("qv", "v6", "").place, 12) << "7 coordinates before the velocities";
  EXPECT_EQ(names.find("q", "x3", "").place, 2);
  EXPECT_EQ(names.find("qv", "x3'", "").place, 9);
  EXPECT_EQ(names.find("v", "x3", "").place, 9) << "where velocities alone are asked for";
  EXPECT_EQ(names.find("q", "q1", "").place, 0) << "of trajectories, though the problem calls its fourth one so";
  EXPECT_THAT([&] { names.find("v", "q1'", "/v"); }, ThrowsMessage<InputError>(HasSubstr("/v: no 'q1''")));
  EXPECT_THAT([&] { names.find("qv", "phi3", "/fix"); },
              ThrowsMessage<InputError>("/fix: no 'phi3'; did you mean 'phi1'? (known: q1 to q7 (also phi1, phi2, x3), "
                                        "v1 to v7 (also phi1', phi2', x3'))"));
}

// y of a mechanism with k first-order states is (q, integrals of the states, v, states).
TEST(StateNames, FirstOrderStatesStandBehindTheVelocities) {
  EXPECT_EQ(names_of_problem("van-der-pol").find("y", "y2", "").place, 1);
  const auto problem = Registry<Problem>::instance().make("motor-crank", "");
  const auto model = problem->mechanical_model(As<double>{});
  const Index n = model->coordinates(), states = model->integrated_states();
  ASSERT_GT(states, 0);
  EXPECT_EQ(StateNames(*problem).find("y", "y1", "").place, 2 * n - states);
  EXPECT_EQ(StateNames(*problem).find("v", "v1", "").place, n);
}

TEST(NamedValues, OfAnObjectATextOrAList) {
  const StateNames names = names_of_problem("pendulum");
  const auto read = [&](const Json& given, const char* kinds = "q") {
    return to_json(read_named_values(given, names, kinds, "/q")).dump();
  };
  EXPECT_EQ(read({{"q2", "1/3"}, {"x", 1}}), R"({"q1":"1","q2":"1/3"})");
  EXPECT_EQ(read("q2=1/3,x=1"), R"({"q1":"1","q2":"1/3"})");
  EXPECT_EQ(read("1,1/3"), R"({"q1":"1","q2":"1/3"})");
  EXPECT_EQ(read(Json::parse(R"([1, "1/3"])")), R"({"q1":"1","q2":"1/3"})");
  EXPECT_EQ(read(nullptr), "{}");
  const auto refused = [&](const Json& given, const std::string& message, const char* kinds = "q") {
    EXPECT_THAT([&] { read(given, kinds); }, ThrowsMessage<InputError>(HasSubstr(message))) << given;
  };
  refused("1", "/q: 1 values given, 2 needed");
  refused("q1=1,2", "/q: '2' is not name=value");
  refused("q1=1,q1=2", "/q: 'q1' is given twice");
  refused("q1=1,x=2", "/q: 'q1' is given twice");
  refused("q1=a", "/q/q1: cannot read \"a\"");
  refused({{"q1", true}}, "/q/q1: expected a number");
  refused("1,2", "/q: expected values by name", "qv");
  refused("y1=1", "/q: no 'y1'; did you mean 'q1'? (known: q1 to q2");
}

TEST(StartOptions, AreWrittenAsTrajectoriesSpellThem) {
  const auto run = Run::bind(run_from(start_of_section_8_2()), "");
  EXPECT_EQ(run->json()["start"], Json::parse(R"({"analysis": "project",
                            "q": {"q1": "0", "q2": "0", "q3": "0.45", "q4": "0", "q5": "0", "q6": "1.033e-5",
                                  "q7": "1.69e-5"},
                            "v": {"v1": "150"}, "fix": "q6,q7,v1"})"));
  EXPECT_EQ(Run::bind(run->json(), "")->json(), run->json()) << "a complete specification is complete";
  EXPECT_EQ(Run::bind(run_from("project"), "")->json()["start"], "project") << "keys of runs without values stay";
  EXPECT_EQ(Run::bind(run_from({{"analysis", "project"}}), "")->json()["start"], "project");
}

// By hand: x3 = l1 + l2 + q4 = 0.4500169, phi2' = -l1 omega / (l2 + q4), x3' = q4'. The weight 1e6 moves q4 by 1.7e-11
// m.
// Rates and residuals follow with it, fixed values are met to round-off.
TEST(StartOptions, ARunStartsFromThem) {
  const RunRecord record =
      record_of(run_from(start_of_section_8_2(), {{"samples", Json::array({"0"})}, {"t_end", "1/1000"}}));
  ASSERT_TRUE(record.ok()) << record.cause;
  const StateRecord& start = record.samples->front();
  EXPECT_NEAR(static_cast<double>(start.q[2]), 0.4500169, 2e-11);
  EXPECT_NEAR(static_cast<double>(start.q[5]), 1.033e-5, 1e-15);
  EXPECT_NEAR(static_cast<double>(start.v[0]), 150, 1e-12);
  EXPECT_NEAR(static_cast<double>(start.v[1]), -0.15 * 150 / 0.3000169, 1e-6);  // 1.7e-11 m make 4e-9 of it
  EXPECT_EQ(start.v[2], start.v[6]);
  EXPECT_NEAR(record.start->position_residual, 1.69e-5, 1e-12) << "before the projection";
}

// The problem's own values, given, are the same run to the last bit.
TEST(StartOptions, TheProblemsOwnValuesChangeNothing) {
  const Json run = {
      {"problem", "pendulum"}, {"method", "runge-kutta:tableau=rk4-classical"}, {"h", "1/100"}, {"t_end", "1/2"}};
  Json given = run;
  given["start"] = {{"q", "-1,0"}, {"v", "0,0"}};
  const RunRecord own = record_of(run), same = record_of(given);
  ASSERT_TRUE(own.ok() && same.ok()) << own.cause << same.cause;
  EXPECT_EQ(own.state.q, same.state.q);
  EXPECT_EQ(own.state.lambda, same.state.lambda);
  given["start"] = {{"q", "0.6,0.8"}};
  EXPECT_NE(record_of(given).state.q, own.state.q);
}

// A stored solution belongs to the problem's own start.
TEST(StartOptions, NoReferenceFitsAStartOfItsOwn) {
  const Json run = {{"problem", "pendulum"}, {"method", "bdf"}, {"rtol", "1e-4"}, {"t_end", "1"}};
  Json given = run;
  given["start"] = {{"q", "1,0"}};
  EXPECT_TRUE(Run::bind(run, "")->references().find(1));
  EXPECT_FALSE(Run::bind(given, "")->references().find(1));
  EXPECT_TRUE(Run::bind(given, "")->inputs().is_null());
}

TEST(StartOptions, OrdinaryEquationsStartFromThemToo) {
  const Json run = {
      {"problem", "van-der-pol"}, {"method", "runge-kutta:tableau=rk4-classical"}, {"h", "1/100"}, {"t_end", "1/10"}};
  Json given = run;
  given["start"] = {{"y", "y1=2,y2=-1/2"}};
  Json parameter = run;
  parameter["problem"] = "van-der-pol:y1=2,y2=-1/2";
  EXPECT_EQ(record_of(given).state.y, record_of(parameter).state.y);
}

// A method that goes on from q'' of the state takes what is given in place of what follows.
TEST(StartOptions, AccelerationsMayBeGivenUnchecked) {
  const auto end = [](const Json& start) {
    return record_of({{"problem", "pendulum"},
                      {"formulation", "index-3"},
                      {"method", "generalized-alpha"},
                      {"h", "1/100"},
                      {"t_end", "1/10"},
                      {"start", start}})
        .state.q;
  };
  const Vector<Real50> zero = end({{"a", {{"a1", "0"}, {"a2", "0"}}}}), consistent = end("consistent");
  EXPECT_EQ(zero, end("zero-acceleration"));
  EXPECT_NE(zero, consistent);
  EXPECT_NE(end({{"a", "y''=-1"}}), consistent);
  EXPECT_EQ(end({{"a", {{"y", "-1"}}}}), end({{"a", {{"a2", "-1"}}}})) << "where accelerations alone are asked for";
}

TEST(StartOptions, AccelerationsOfRotationsAreThoseOfLeftVelocities) {
  const auto end = [](const Json& start) {
    return record_of({{"problem", "heavy-top-so3:description=so3xr3"},
                      {"formulation", "index-3"},
                      {"method", "lie-generalized-alpha:constraints=positions,start=plain"},
                      {"h", "1/1000"},
                      {"t_end", "1/100"},
                      {"start", start}})
        .state.v;
  };
  const Json of_the_motion = {
      {"a1", "661.3461692307692"}, {"a2", "0"}, {"a3", "0"}, {"a4", "0"}, {"a5", "-21.3017325444"},
      {"a6", "-30.9608307692308"}};
  const Vector<Real50> consistent = end("consistent");
  EXPECT_LT(static_cast<double>((end({{"a", of_the_motion}}) - consistent).norm()), 1e-6);
  EXPECT_GT(static_cast<double>((end({{"a", {{"a1", "-692.307"}}}}) - consistent).norm()), 1e-2);
}

TEST(StartOptions, BadOnesAreRefusedWithTheirPlace) {
  const auto refused = [](const Json& start, const std::string& message) {
    EXPECT_THAT([&] { Run::bind(run_from(start), "/runs/0"); }, ThrowsMessage<InputError>(HasSubstr(message))) << start;
  };
  refused("projct", "/runs/0/start/analysis: 'projct' is not allowed");
  refused(3, "/runs/0/start: expected an object");
  refused({{"qq", "1"}}, "/runs/0/start/qq: unknown option 'qq'");
  refused({{"q", {{"q8", 1}}}}, "/runs/0/start/q: no 'q8'; did you mean 'q1'? (known: q1 to q7");
  refused({{"q", {{"ph1", 1}}}}, "did you mean 'phi1'?");
  refused({{"y", "y1=1"}}, "/runs/0/start/y: no 'y1' (known: none)");
  refused({{"q", {{"q7", "1e-3"}}}}, "/runs/0/start: the initial values violate the constraints: |C| = 9.83e-04");
  refused({{"fix", "q6"}, {"analysis", "consistent"}}, "/runs/0/start/analysis: fixed values and weights need");
  refused({{"weights_q", "q1=0"}}, "/runs/0/start/weights_q: 0 is not allowed; allowed: above 0");
  refused({{"weights_v", {{"v2", -1}}}}, "/runs/0/start/weights_v/v2: -1 is not allowed; allowed: above 0");
  refused({{"fix", "q6,q6"}}, "/runs/0/start/fix: 'q6' is given twice");
  refused({{"a", {{"a8", 1}}}}, "/runs/0/start/a: no 'a8'; did you mean 'a1'? (known: a1 to a7");
  refused({{"a", "v1=1"}}, "/runs/0/start/a: no 'v1'");
}

// x^2 + y^2 = 1 has no room for two free coordinates, only for a pair that satisfies it; and phi1' = omega is met
// by a fixed v1 of that size alone.
TEST(StartOptions, FixedValuesThatLeaveNoRoomAreRefused) {
  const auto pendulum = [](const Json& start) {
    return Run::bind({{"problem", "pendulum"}, {"method", "bdf"}, {"h", "1/100"}, {"start", start}}, "");
  };
  const auto over_determined = ThrowsMessage<InputError>(
      HasSubstr("/start/fix: the fixed values leave the start over-determined: whatever the others are, |C| = "));
  EXPECT_THAT([&] { pendulum({{"q", "0.6,0.9"}, {"fix", "q1,q2"}}); }, over_determined);
  EXPECT_NO_THROW(pendulum({{"q", "0.6,0.9"}, {"fix", "q1"}}));
  EXPECT_NO_THROW(pendulum({{"q", "0.6,0.8"}, {"fix", "q1,q2"}}));
  EXPECT_THAT([&] { pendulum({{"q", "0.6,0.8"}, {"v", "1,1"}, {"fix", "v1,v2"}}); }, over_determined);
  EXPECT_THAT([] { Run::bind(run_from({{"v", "v1=151"}, {"fix", "v1"}}), ""); }, over_determined);
  EXPECT_NO_THROW(Run::bind(run_from({{"v", "v1=150"}, {"fix", "v1"}}), ""));
}

// Equal tolerances for all components, given one by one, are one for all: the same bits, in another key.
TEST(AtolComponents, AreTheToleranceOfTheirComponents) {
  const Json run = {{"problem", "pendulum"}, {"method", "bdf"},         {"rtol", "1e-5"},
                    {"atol", "1e-7"},        {"atol_velocity", "1e-6"}, {"t_end", "1"}};
  Json one_by_one = run;
  one_by_one["atol"] = "1e-3", one_by_one["atol_velocity"] = "1e-3";
  one_by_one["atol_components"] = "x=1e-7,q2=1e-7,v1=1e-6,y'=1e-6";
  const RunRecord all = record_of(run), each = record_of(one_by_one);
  ASSERT_TRUE(all.ok() && each.ok()) << all.cause << each.cause;
  EXPECT_EQ(all.state.q, each.state.q);
  EXPECT_EQ(all.stats.steps, each.stats.steps);
  EXPECT_EQ(each.spec.at("atol_components").dump(), R"({"q1":"1e-7","q2":"1e-7","v1":"1e-6","v2":"1e-6"})");
  one_by_one["atol_components"] = "v1=1e-6";
  EXPECT_LT(record_of(one_by_one).stats.steps, all.stats.steps) << "the others may be larger now";
}

TEST(AtolComponents, BadOnesAreRefusedWithTheirPlace) {
  const auto refused = [](const Json& more, const std::string& message) {
    Json run = {{"problem", "pendulum"}, {"method", "bdf"}};
    run.update(more);
    EXPECT_THAT([&] { Run::bind(run, ""); }, ThrowsMessage<InputError>(HasSubstr(message))) << more;
  };
  refused({{"h", "1/10"}, {"atol_components", "q1=1"}}, "/atol_components: needs \"rtol\" or \"atol\"");
  refused({{"rtol", "1e-3"}, {"atol_components", "q3=1"}},
          "/atol_components: no 'q3'; did you mean 'q1'? (known: q1 to q2 (also x, y)");
  refused({{"rtol", "1e-3"}, {"atol_components", "q1=0"}}, "/atol_components/q1: 0 is out of range; allowed: above 0");
  refused({{"rtol", "1e-3"}, {"atol_components", "1,2"}}, "/atol_components: expected values by name");
}

// Lists are grids, of start values too; of keys that hold lists a list of lists is one.
TEST(StartOptions, ListsAreGrids) {
  const std::vector<Json> grid = expand_grid(
      Json::parse(R"({"start": {"q": {"q7": ["1e-5", "2e-5"]}, "fix": "q6,q7"}, "step_pattern": [[1, 2], [1]]})"), "");
  ASSERT_EQ(grid.size(), 4u);
  EXPECT_EQ(grid[2]["start"]["q"]["q7"], "2e-5");
  EXPECT_EQ(grid[2]["step_pattern"], Json::parse("[1, 2]"));
  EXPECT_EQ(expand_grid(Json::parse(R"({"step_pattern": [1, 2]})"), "").size(), 1u);
  const auto complete = [](const Json& run) { return Run::bind(run, "")->json(); };
  EXPECT_THAT(distinguishing_labels({complete(run_from({{"q", "q7=1e-5"}, {"fix", "q7"}})),
                                     complete(run_from({{"q", "q7=2e-5"}, {"fix", "q7"}}))}),
              ElementsAre("q7(0) = 1e-5", "q7(0) = 2e-5"));
  EXPECT_THAT(distinguishing_labels(
                  {complete(run_from("project", {{"step_pattern", {"1", "3"}}})), complete(run_from("project"))}),
              ElementsAre("step_pattern = 1, 3", HasSubstr("bdf")));
}

TEST(StepPattern, BelongsToTheKeyAndMustEndAtTheEnd) {
  Json run = {{"problem", "pendulum"},
              {"method", "runge-kutta:tableau=rk4-classical"},
              {"h", "1/100"},
              {"t_end", "9/100"},
              {"step_pattern", Json::array({1, 2, 1, "1/2"})}};
  EXPECT_EQ(Run::bind(run, "")->json()["step_pattern"].dump(), R"(["1","2","1","1/2"])");
  EXPECT_EQ(record_of(run).stats.steps, 8) << "two times four steps of 4.5 h in all";
  run["t_end"] = "4/100";
  EXPECT_EQ(record_of(run).stats.steps, 3) << "in the middle of the list";
  run["t_end"] = "6/100";
  EXPECT_THAT([&] { Run::bind(run, ""); },
              ThrowsMessage<InputError>("/step_pattern: steps of h = 1/100 times these do not end at t_end = 6/100; "
                                        "those of h = 3/275 do"))
      << "5.5 h = 0.055 is nearest";
  run["h"] = "3/275";
  EXPECT_EQ(record_of(run).stats.steps, 5);
  run["step_pattern"] = Json::array({1, 0});
  EXPECT_THAT([&] { Run::bind(run, ""); }, ThrowsMessage<InputError>(HasSubstr("/step_pattern/1: 0 is out of range")));
  run["step_pattern"] = Json::array({1});
  run["rtol"] = "1e-3";
  EXPECT_THAT([&] { Run::bind(run, ""); }, ThrowsMessage<InputError>(HasSubstr("/step_pattern: is for fixed steps")));
}

}  // namespace TEST_FILE
}  // namespace daelab
