// Invariants of runs by name: declared by problems, watched over all steps, judged by the experiment drift.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/integration/invariant_watch.hpp"
#include "core/mechanism/recorded_model.hpp"
#include "lab/runs/run.hpp"
#include "tests/experiment_support.hpp"
#include "tests/run_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::HasSubstr;

// H = p^2/2 - cos phi
const char* const swing = R"json({"name": "swing", "coordinates": ["phi"], "kinetic_energy": "phi'^2/2",
  "potential_energy": "-cos(phi)", "start": {"phi": "1"}, "end_time": "1000"})json";

// Two masses on a spring: momentum and angular momentum are kept, the latter by methods that keep quadratic invariants.
const char* const dumbbell = R"json({"name": "dumbbell", "parameters": {"m": "2"},
  "coordinates": ["x1", "y1", "x2", "y2"], "kinetic_energy": "m/2*(x1'^2 + y1'^2) + 1/2*(x2'^2 + y2'^2)",
  "potential_energy": "1/2*(sqrt((x2 - x1)^2 + (y2 - y1)^2) - 1)^2",
  "start": {"x2": "3/2", "y1'": "-1/3", "y2'": "2/3"}, "end_time": "100",
  "invariants": {"momentum_y": "m*y1' + y2'", "angular_momentum": "m*(x1*y1' - y1*x1') + x2*y2' - y2*x2'"}})json";

Json joined(Json a, const Json& b) {
  a.update(b);
  return a;
}
Json run_of(const char* problem, const Json& more) { return joined({{"problem", Json::parse(problem)}}, more); }

// Verdict by invariant of each run.
std::vector<std::map<std::string, Json>> verdicts(const Json& runs) {
  const SmallConfig config(Json{{"experiment", "drift"}, {"title", "Small"}, {"runs", runs}});
  std::vector<std::map<std::string, Json>> all;
  for (const Json& run : config.analysis()["runs"].get<std::vector<Json>>()) {
    auto& of_run = all.emplace_back();
    for (const Json& x : run["verdicts"].get<std::vector<Json>>()) of_run[x["invariant"].get<std::string>()] = x;
  }
  return all;
}

// Implicit midpoint is symplectic, RK4 loses energy at a steady rate [Hairer, Lubich, Wanner 2006, Sec. I.1, IX.8].
TEST(InvariantDrift, EnergyIsBoundedBySymplecticMethodsAlone) {
  const Json watched = Json::array({"energy"});
  const auto found =
      verdicts(Json::array({run_of(swing, {{"method", "gauss:s=1"}, {"h", "1/10"}, {"invariants", watched}}),
                            run_of(swing, {{"method", "runge-kutta"}, {"h", "1/10"}, {"invariants", watched}})}));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].at("energy")["verdict"], "bounded") << found[0].at("energy");
  EXPECT_EQ(found[0].at("energy")["steps"], 10000);
  const Json& lost = found[1].at("energy");
  EXPECT_EQ(lost["verdict"], "linear drift") << lost;
  EXPECT_LT(lost["slope"]["value"].get<double>(), 0);
  // The loss is the slope times the time, and the oscillation is small beside it.
  EXPECT_NEAR(lost["slope"]["value"].get<double>() * -1000, lost["largest"].get<double>(),
              0.2 * lost["largest"].get<double>());
}

// Terms of h^4 in the modified equation of RK4 make the angular momentum oscillate, those of h^5 drift.
TEST(InvariantDrift, MomentaOfAFreeBodyAreKept) {
  const Json more = {{"h", "1/10"}, {"t_end", "2000"}, {"invariants", {"momentum_y", "angular_momentum"}}};
  const auto found = verdicts(Json::array({run_of(dumbbell, joined(more, {{"method", "gauss:s=2"}})),
                                           run_of(dumbbell, joined(more, {{"method", "runge-kutta"}}))}));
  ASSERT_EQ(found.size(), 2u);
  for (const auto& run : found) EXPECT_LT(run.at("momentum_y")["largest"].get<double>(), 1e-11);
  const Json &kept = found[0].at("angular_momentum"), &lost = found[1].at("angular_momentum");
  EXPECT_LT(kept["largest"].get<double>(), 1e-10);
  EXPECT_GT(lost["largest"].get<double>(), 1000 * kept["largest"].get<double>());
  EXPECT_EQ(lost["verdict"], "linear drift") << lost;
}

TEST(InvariantDrift, VerdictsAreInTableAndNotes) {
  const SmallConfig config(Json{{"experiment", "drift"},
                                {"title", "Small"},
                                {"runs",
                                 {{"problem", "pendulum"},
                                  {"method", "runge-kutta"},
                                  {"formulation", "index-1"},
                                  {"h", "1/1000"},
                                  {"t_end", "5"},
                                  {"invariants", {"position_constraint", "velocity_constraint"}}}}});
  const Json result = config.result();
  EXPECT_EQ(result["tables"][1]["id"], "small-verdicts");
  ASSERT_EQ(result["tables"][1]["rows"].size(), 2u);
  EXPECT_EQ(result["tables"][1]["rows"][0][1], "position_constraint");
  EXPECT_EQ(result["tables"][1]["rows"][0][2], 5000);
  EXPECT_THAT(result["notes"].dump(), AllOf(HasSubstr("position_constraint: "), HasSubstr("velocity_constraint: ")));
  // The largest is that of the table over all steps.
  const Json run = config.analysis()["runs"][0];
  EXPECT_EQ(run["verdicts"][0]["largest"], run["max"]["position_constraint"]);
}

TEST(InvariantDrift, RunsWithoutInvariantsAreAsTheyWere) {
  const Json spec = {{"problem", "pendulum"}, {"method", "gauss"}, {"h", "1/10"}, {"t_end", "1"}};
  EXPECT_FALSE(Run::bind(spec, "")->json().contains("invariants"));
  EXPECT_FALSE(record_of_run(spec).contains("invariants"));
  const SmallConfig config(Json{{"experiment", "drift"}, {"title", "Small"}, {"runs", spec}});
  EXPECT_FALSE(config.analysis()["runs"][0].contains("verdicts"));
  EXPECT_EQ(config.result()["tables"].size(), 1u);
}

// Watching changes no number of a run; a longer run needs no more memory.
TEST(InvariantDrift, WatchingChangesNothing) {
  Json spec = run_of(dumbbell, {{"method", "runge-kutta:tableau=dormand-prince"}, {"rtol", "1e-6"}});
  const Json alone = record_of_run(spec);
  spec["invariants"] = {"energy", "angular_momentum"};
  const Json watched = record_of_run(spec);
  EXPECT_EQ(alone["q"], watched["q"]);
  EXPECT_EQ(alone["max"], watched["max"]);
  ASSERT_EQ(watched["invariants"].size(), 2u);
  EXPECT_EQ(watched["invariants"][0]["largest"], watched["max"]["energy_error"]);
  EXPECT_EQ(watched["invariants"][1]["steps"], watched["stats"]["steps"]);
  EXPECT_LT(watched["invariants"][1]["t"].size(), 256u);
}

TEST(InvariantDrift, FirstOrderEquationsHaveThemToo) {
  const auto found = verdicts(run_of(R"({"name": "turn", "states": {"x": "-y", "y": "x"}, "start": {"x": "1"},
    "end_time": "500", "invariants": {"radius": "x^2 + y^2"}})",
                                     {{"method", "runge-kutta"}, {"h", "1/10"}, {"invariants", {"radius"}}}));
  EXPECT_EQ(found.at(0).at("radius")["verdict"], "linear drift") << found[0].at("radius");
}

TEST(InvariantDrift, UnknownNamesAreRefused) {
  const auto refusal = [](const char* problem, const Json& names) {
    return input_error_of([&] {
      Run::bind(run_of(problem, {{"method", "gauss"}, {"h", "1/10"}, {"invariants", names}}), "/runs");
    });
  };
  EXPECT_EQ(refusal(dumbbell, {"energy", "angular_momentun"}),
            "/runs/invariants/1: the problem has no invariant 'angular_momentun'; it has energy, momentum_y, "
            "angular_momentum; did you mean 'angular_momentum'?");
  EXPECT_EQ(refusal(swing, {"position_constraint"}),
            "/runs/invariants/0: the problem has no invariant 'position_constraint'; it has energy");
  EXPECT_EQ(refusal(swing, {"energy", "energy"}), "/runs/invariants/1: 'energy' is given twice");
  EXPECT_EQ(Run::bind(run_of(dumbbell, {{"method", "gauss"}, {"h", "1/10"}, {"invariants", "energy,momentum_y"}}), "")
                ->spec()
                .invariants,
            (std::vector<std::string>{"energy", "momentum_y"}));
}

TEST(InvariantDrift, DocumentsAreRefusedWhoseNamesAreTaken) {
  const auto refusal = [](const char* observables, const char* invariants) {
    Json problem = Json::parse(swing);
    problem["observables"] = Json::parse(observables), problem["invariants"] = Json::parse(invariants);
    return input_error_of([&] { Run::bind({{"problem", problem}, {"method", "gauss"}, {"h", "1/10"}}, ""); });
  };
  EXPECT_THAT(refusal("{}", R"({"energy": "phi"})"),
              HasSubstr("/invariants/energy: 'energy' is taken by what runs measure or observe"));
  EXPECT_THAT(refusal(R"({"p": "phi"})", R"({"p": "phi'"})"), HasSubstr("/invariants/p: 'p' is taken"));
  EXPECT_THAT(refusal("{}", R"({"p": "psi"})"), HasSubstr("/invariants/p: "));
}

// A recording in C++ declares them in the same way: they are observables, too.
TEST(InvariantDrift, RecordingsDeclareThem) {
  const auto model = make_model<double>(record_problem([](Recording& r) {
    r.coordinates(1);
    r.mass(0, 0) = 1;
    r.observe("twice", 2 * r.q[0]);
    r.conserve("momentum", r.v[0]);
  }));
  EXPECT_EQ(model->observable_names(), (std::vector<std::string>{"twice", "momentum"}));
  EXPECT_EQ(known_invariants(*model), (std::vector<std::string>{"momentum"}));
}

}  // namespace TEST_FILE
}  // namespace daelab
