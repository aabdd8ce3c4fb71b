// The default Newton iteration of fixed steps reaches what a Jacobian in every iteration reaches, at lower cost.
#include <gmock/gmock.h>

#include <cmath>

#include "core/base/sanitizer.hpp"
#include "lab/runs/config.hpp"
#include "lab/runs/run.hpp"
#include "tests/build_paths.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Json record_of(Json run, const char* newton) {
  if (newton != nullptr) run["newton"] = newton;
  return Run::bind(run, "")->execute().record;
}

double error_of(const Json& record) { return record["error"]["q"].get<double>(); }

double evaluations(const Json& record) {
  const double unknowns = static_cast<double>(record["q"].size() + record["v"].size());
  return record["stats"]["residuals"].get<double>() + unknowns * record["stats"]["jacobians"].get<double>();
}

double largest(const Json& entries) {
  double size = 0;
  for (const Json& x : entries) size = std::max(size, std::abs(x.get<double>()));
  return size;
}

// Where both are down to round-off, which of them is luckier is not compared: one unit a step is allowed.
void expect_as_good(const Json& ours, const Json& full, const std::string& label) {
  ASSERT_EQ(full["status"], "ok") << label << ": " << full["cause"].dump();
  ASSERT_EQ(ours["status"], "ok") << label << ": " << ours["cause"].dump();
  const double round_off = 2.3e-16 * std::max(1.0, largest(full["q"])) * full["stats"]["steps"].get<double>();
  EXPECT_LE(error_of(ours), std::max(2 * error_of(full), error_of(full) + round_off)) << label;
}

// The pairs of docs/lab.md: five problems on six forms, Radau IIA of four stages and the Padé block of five, two step
// sizes.
TEST(DefaultNewton, ReachesWhatFullReachesAtLowerCost) {
  // Without the runs in 50 digits.
  const Config config = read_config(source_path("/experiments/lab/newton-default.json"), {"/runs/2/scalar=double"});
#ifdef DAELAB_ADDRESS_SANITIZER
  constexpr std::size_t every = 19;  // ten times slower
#else
  constexpr std::size_t every = 1;
#endif
  int pairs = 0;
  double logarithms = 0;
  for (std::size_t i = 0; i < config.runs.size(); i += every) {
    if (config.entry_labels[i] != "default") continue;
    const Json ours = record_of(*config.runs[i]->specification(), nullptr),
               full = record_of(*config.runs[i]->specification(), "full");
    expect_as_good(ours, full, config.labels[i]);
    logarithms += std::log(evaluations(ours) / evaluations(full));
    ++pairs;
  }
  EXPECT_EQ(pairs, every == 1 ? 108 : 6);
  EXPECT_LT(std::exp(logarithms / pairs), 0.5);  // measured 0.23
}

// With a Jacobian a step and the last correction below the square root of round-off this ended at 7E-7.
TEST(DefaultNewton, IteratesHighOrderBlocksOnIndex3ToRoundOff) {
  const Json run = {{"problem", "two-link-manipulator"},
                    {"formulation", "index-3"},
                    {"t_end", 2},
                    {"method", "pade-block:r=6,nodes=legendre"},
                    {"h", "1/400"}};
  const Json ours = record_of(run, nullptr);
  expect_as_good(ours, record_of(run, "full"), "r = 6, Legendre nodes");
  EXPECT_LT(error_of(ours), 1e-13);  // round-off of 800 steps
}

TEST(DefaultNewton, TakesLongStepsThatFullTakes) {
  int taken = 0;
  for (const char* method : {"radau-iia:s=2", "radau-iia:s=3", "pade-block:r=4", "lobatto-iiic:s=3"})
    for (const char* h : {"0.25", "0.3125", "0.4", "0.5"}) {
      const Json run = {
          {"problem", "pendulum"}, {"formulation", "index-2"}, {"method", method}, {"h", h}, {"t_end", 10}};
      const Json ours = record_of(run, nullptr), full = record_of(run, "full");
      EXPECT_EQ(ours["status"], full["status"]) << method << ", " << h << ": " << ours["cause"].dump();
      if (ours["status"] != "ok") continue;
      ++taken;
      // Both iterate to round-off.
      EXPECT_NEAR(error_of(ours), error_of(full), 1e-12) << method << ", " << h;
    }
  EXPECT_EQ(taken, 14);
}

// A Jacobian that contracts slowly is renewed before it takes a correction in three.
TEST(DefaultNewton, RenewsAJacobianThatHasBecomeSlow) {
  const Json stats = record_of({{"problem", "two-link-manipulator"},
                                {"formulation", "index-1"},
                                {"method", "pade-block:r=4"},
                                {"h", "1/100"},
                                {"t_end", 10}},
                               nullptr)["stats"];
  EXPECT_LT(stats["newton_iterations"], 5500);  // measured 5026; 6728 where it is kept up to a third
  EXPECT_LT(stats["jacobians"], 200);           // measured 169; 112
}

// Here a new one contracts as slowly: steps are long.
TEST(DefaultNewton, KeepsASlowJacobianWhereANewOneIsSlowToo) {
  const Json stats = record_of(
      {{"problem", "leader-follower"}, {"method", "radau-iia:s=5"}, {"h", "1/200"}, {"t_end", 1}}, nullptr)["stats"];
  EXPECT_LT(stats["jacobians"], 285);  // measured 260; 310 where 1e-2 alone decides
}

// Three hundredths of the tolerance instead of a thousandth, docs/newton.md.
TEST(DefaultNewtonOfBdf, IsCoarserBelowIndex2) {
  double residuals = 0, errors = 0;  // logarithms of ratios
  int pairs = 0;
  for (const char* rtol : {"1e-4", "1e-5", "1e-6", "1e-7"}) {
    for (const char* problem : {"seven-body", "pendulum", "two-link-manipulator", "hires"}) {
      Json run = {{"problem", problem}, {"method", "bdf"}, {"rtol", rtol}};
      if (problem != std::string("hires")) run["formulation"] = "index-1";
      const Json ours = record_of(run, nullptr), quasi = record_of(run, "quasi");
      const char* result = ours["error"].contains("q") ? "q" : "y";
      errors += std::log(ours["error"][result].get<double>() / quasi["error"][result].get<double>());
      residuals += std::log(ours["stats"]["residuals"].get<double>() / quasi["stats"]["residuals"].get<double>());
      ++pairs;
    }
    const Json run = {
        {"problem", "pendulum"}, {"formulation", "index-2"}, {"method", "bdf"}, {"rtol", rtol}, {"t_end", 2}};
    EXPECT_EQ(record_of(run, nullptr)["q"], record_of(run, "quasi")["q"]) << rtol;
  }
  EXPECT_LT(std::exp(errors / pairs), 1.1);
  EXPECT_LT(std::exp(residuals / pairs), 0.93);
}

TEST(DefaultNewton, AFailureSaysToleranceAndRemedy) {
  const Json run = {{"problem", "pendulum"}, {"formulation", "index-2"}, {"method", "lobatto-iiic:s=3"}, {"h", "0.5"}};
  const Json ours = record_of(run, nullptr), simplified = record_of(run, "modified");
  EXPECT_THAT(ours["cause"].get<std::string>(), HasSubstr("tolerance 2.2e-14; smaller steps"));
  EXPECT_THAT(simplified["cause"].get<std::string>(), HasSubstr("newton = automatic or full: they renew the Jacobian"));
}

std::vector<std::string> warnings_of(const Json& run, const char* newton) {
  std::vector<std::string> texts;
  const Json record = record_of(run, newton);
  for (const Json& warning : record["warnings"])
    if (warning["kind"] == "newton") texts.push_back(warning["text"]);
  return texts;
}

// A matrix without a basis of eigenvectors: its stages cannot be decoupled.
TEST(NewtonOptionsInRecords, WhatHasNoEffectIsNamed) {
  Json run = Json::parse(R"({"problem": "pendulum", "formulation": "index-1", "h": "1/10", "t_end": 1,
      "method": {"name": "runge-kutta", "A": [["1/4", "1/2"], [0, "1/4"]], "b": ["1/2", "1/2"]}})");
  EXPECT_THAT(warnings_of(run, "simplified"),
              ElementsAre(HasSubstr("no effect on this method: the Newton option name = simplified")));
  for (const char* applied : {"automatic", "modified", "full", "quasi"})
    EXPECT_THAT(warnings_of(run, applied), IsEmpty());
  run["method"] = "radau-iia:s=2";
  EXPECT_THAT(warnings_of(run, "simplified:jacobian=reused"), IsEmpty());
  EXPECT_THAT(warnings_of(run, "full:jacobian=reused"),
              ElementsAre(HasSubstr("no effect on this method: the Newton option jacobian = reused")));
  run["method"] = "extrapolation";
  EXPECT_THAT(warnings_of(run, "full:tolerance=1e-8"), ElementsAre(HasSubstr("name = full, tolerance = 1e-8")));
  EXPECT_THAT(warnings_of(run, "automatic"), IsEmpty());
  run["method"] = "bdf:k=2";
  EXPECT_THAT(warnings_of(run, "quasi:guess=extrapolated"), ElementsAre(HasSubstr("guess = extrapolated")));
}

}  // namespace TEST_FILE
}  // namespace daelab
