// Packs of claims about published codes: every list is read, with the verdicts that docs/audit-packs.md counts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "analysis/audit_subjects.hpp"
#include "core/base/json_file.hpp"
#include "tests/build_paths.hpp"

namespace daelab {
namespace TEST_FILE {

using Refuted = std::pair<std::string, std::string>;  // method, property

struct Pack {
  std::size_t methods, confirmed;
  std::vector<Refuted> refuted;
};

const Pack steinebach2024{32,
                          284,
                          {{"RosShamp4", "embedded spectral radius at infinity"},
                           {"Scholz4_7", "embedded index-1 order"},
                           {"ROS2S", "embedded index-1 order"},
                           {"ROS2PR", "embedded index-1 order"}}};
const Pack sciml{101,
                 202,
                 {{"ROS3P", "estimate blind on linear problems"},
                  {"ROS3PR", "estimate blind on linear problems"},
                  {"ROS34PW1a", "estimate blind on linear problems"},
                  {"ROS34PW1b", "estimate blind on linear problems"},
                  {"Rodas23W", "order"},
                  {"ROS34PW1a, documentation", "order"},
                  {"ROS34PW1b, documentation", "order"},
                  {"ROS34PW2, documentation", "order"},
                  {"ROS3PR, documentation", "stiffly accurate"},
                  {"Scholz4_7, documentation", "stiffly accurate"},
                  {"Rosenbrock32, documentation", "A-stable"},
                  {"RosenbrockW6S4OS, documentation", "L-stable"},
                  {"RKMK2", "order on Lie groups"},
                  {"CG2", "order on Lie groups"},
                  {"RKMK4", "order on Lie groups"},
                  {"RKMK4", "autonomous order on Lie groups"},
                  {"LieRK4", "order on Lie groups"},
                  {"CG3", "order on Lie groups"},
                  {"CG3", "autonomous order on Lie groups"},
                  {"CG4a", "order on Lie groups"},
                  {"CG4a", "autonomous order on Lie groups"},
                  {"McAte4", "order"},
                  {"CalvoSanz4", "order"},
                  {"CalvoSanz4", "separable order"},
                  {"McAte5", "order"},
                  {"McAte42", "order"},
                  {"McAte42", "separable order"}}};
const Pack of_packages{160,
                       249,
                       {{"diffrax Sil3 explicit", "order"},
                        {"diffrax Dopri8", "order of dense output"},
                        {"torchdiffeq Bosh3Solver", "order of dense output"},
                        {"desolver RK8713MSolver", "order"},
                        {"desolver RadauIIA3", "order"}}};
// Statements that are proved, and those of results: order 1 for the claim 2.
const Pack genalpha{
    65,
    67,
    {{"PETSc TSALPHA2 before 3.22.0, radius 1/2", "order"},
     {"mfem GeneralizedAlpha2Solver(0.5)", "order"},
     {"mfem HHTAlphaSolver(2/3)", "order"},
     {"mfem AverageAccelerationSolver", "order"},
     {"OpenSees GeneralizedAlpha, rho 0.9, iterated", "order"},
     {"OpenSees GeneralizedAlpha, rho 0.9, iterated", "stable on the oscillator for every step"},
     {"OpenSees GeneralizedAlpha, rho 0.3, iterated", "order"},
     {"OpenSees GeneralizedAlpha 1 1 1/2 1/4, gamma before beta", "order"},
     {"OpenSees GeneralizedAlpha 1 1 1/2 1/4, gamma before beta", "stable on the oscillator for every step"},
     {"OrdinaryDiffEq.jl GeneralizedAlpha(rho_inf = 0.5), documentation", "order"},
     {"OrdinaryDiffEq.jl GeneralizedAlpha(rho_inf = 0.5), documentation", "stable on the oscillator for every step"},
     {"Tempus HHT-Alpha, Newmark Beta Linear Acceleration", "order"},
     {"PETSc 3.18.5 TSALPHA2, radius 0.9, results", "order"},
     {"PETSc 3.18.5 TSALPHA2, radius 0.5, results", "order"},
     {"PETSc 3.18.5 TSALPHA2, radius 0.5, results with time", "order"},
     {"PETSc 3.18.5 TSALPHA, radius 0.5, results", "order"},
     {"mfem GeneralizedAlpha2Solver(1), results with time", "order"},
     {"mfem GeneralizedAlpha2Solver(0.5), results with time", "order"},
     {"mfem HHTAlphaSolver(2/3), results with time", "order"},
     {"mfem AverageAccelerationSolver, results with time", "order"},
     {"OpenSees GeneralizedAlpha, rho 1, results", "order"},
     {"OpenSees GeneralizedAlpha, rho 0.9, results", "order"},
     {"OpenSees GeneralizedAlpha, rho 0.8, results", "order"},
     {"OpenSees GeneralizedAlpha, rho 0.3, results", "order"},
     {"OpenSees GeneralizedAlpha, rho 0, results", "order"},
     {"OpenSees GeneralizedAlpha 1 1 1/2 1/4, results", "order"},
     {"OpenSees GeneralizedAlpha, rho 0.9, linear, iterated, results", "order"}}};
const std::map<std::string, Pack> packs{{"steinebach2024", steinebach2024},
                                        {"sciml", sciml},
                                        {"tableaus-of-packages", of_packages},
                                        {"genalpha", genalpha}};

std::vector<AuditSubject> subjects_of(const std::string& pack) {
  return audit_subjects("@" + source_path("/experiments/audits/") + pack + ".json", pack);
}

TEST(AuditPacks, HaveTheVerdictsOfTheirPage) {
  for (const auto& [name, pack] : packs) {
    const std::vector<AuditSubject> subjects = subjects_of(name);
    EXPECT_EQ(subjects.size(), pack.methods) << name;
    std::size_t claims = 0, confirmed = 0;
    std::vector<Refuted> refuted;
    for (const AuditSubject& subject : subjects) {
      EXPECT_FALSE(subject.source.empty()) << name << ": " << subject.name;
      claims += subject.claims.size();
      const Audit found = audit(subject);
      confirmed += found.count(AuditVerdict::confirmed);
      for (const AuditRow& row : found.rows)
        if (row.verdict == AuditVerdict::refuted) refuted.emplace_back(found.name, row.fact.property->name);
    }
    EXPECT_EQ(confirmed, pack.confirmed) << name;
    EXPECT_THAT(refuted, testing::UnorderedElementsAreArray(pack.refuted)) << name;
    EXPECT_EQ(claims, confirmed + refuted.size()) << name << ": no claim is understated or undecided";
  }
}

TEST(AuditPacks, AreAllListed) {
  for (const auto& file : std::filesystem::directory_iterator(source_path("/experiments/audits")))
    if (file.path().extension() == ".json") {
      EXPECT_TRUE(packs.contains(file.path().stem().string())) << file.path();
    }
}

// Every tableau belongs to a list.
TEST(AuditPacks, UseTheirTableaus) {
  std::string lists;
  for (const auto& [name, pack] : packs)
    lists += read_json_file(source_path("/experiments/audits/") + name + ".json").dump();
  for (const auto& file : std::filesystem::directory_iterator(source_path("/experiments/audits/tableaus")))
    EXPECT_THAT(lists, testing::HasSubstr("tableaus/" + file.path().filename().string()));
}

// Every table of errors belongs to the list; that of radii is shown on the page.
TEST(AuditPacks, UseTheirResults) {
  const std::string list = read_json_file(source_path("/experiments/audits/genalpha.json")).dump();
  for (const auto& file : std::filesystem::directory_iterator(source_path("/experiments/audits/genalpha/results")))
    if (file.path().stem() != "opensees-radii") {
      EXPECT_THAT(list, testing::HasSubstr("genalpha/results/" + file.path().filename().string()));
    }
}

// A program's results and what is proved of it agree: its order is that of the results.
TEST(AuditPacks, ProveWhatPackagesShow) {
  const std::vector<std::pair<const char*, const char*>> pairs{
      {"PETSc TSALPHA2 before 3.22.0, radius 1/2", "PETSc 3.18.5 TSALPHA2, radius 0.5, results with time"},
      {"PETSc TSALPHA2 since 3.22.0, radius 1/2", "PETSc 3.25.5 TSALPHA2, radius 0.5, results with time"},
      {"mfem GeneralizedAlpha2Solver(0.5)", "mfem GeneralizedAlpha2Solver(0.5), results with time"},
      {"mfem HHTAlphaSolver(2/3)", "mfem HHTAlphaSolver(2/3), results with time"},
      {"mfem WBZAlphaSolver(0.5)", "mfem WBZAlphaSolver(0.5), results with time"},
      {"OpenSees GeneralizedAlpha, rho 0.9, iterated", "OpenSees GeneralizedAlpha, rho 0.9, results"},
      {"OpenSees GeneralizedAlpha, rho 0.5, iterated", "OpenSees GeneralizedAlpha, rho 0.5, results"},
      {"OpenSees GeneralizedAlpha, rho 0.9, one iteration",
       "OpenSees GeneralizedAlpha, rho 0.9, linear, one iteration, results"},
      {"Exudyn, spectral radius 0.5", "Exudyn, spectral radius 0.5, results with time"},
      {"Kratos Bossak(-0.1)", "Kratos Bossak(-0.1), results"}};
  std::map<std::string, int> orders;
  for (const AuditSubject& subject : subjects_of("genalpha"))
    for (const AuditRow& row : audit(subject).rows)
      if (row.fact.property == &audit_property("order", "")) orders[subject.name] = std::get<int>(row.fact.value);
  for (const auto& [proved, seen] : pairs) EXPECT_EQ(orders.at(proved), orders.at(seen)) << proved;
}

}  // namespace TEST_FILE
}  // namespace daelab
