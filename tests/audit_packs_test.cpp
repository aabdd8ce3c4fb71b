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
const Pack sciml{76,
                 159,
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
                  {"RosenbrockW6S4OS, documentation", "L-stable"}}};
const Pack of_packages{
    118,
    139,
    {{"diffrax Sil3 explicit", "order"}, {"desolver RK8713MSolver", "order"}, {"desolver RadauIIA3", "order"}}};
const std::map<std::string, Pack> packs{
    {"steinebach2024", steinebach2024}, {"sciml", sciml}, {"tableaus-of-packages", of_packages}};

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

}  // namespace TEST_FILE
}  // namespace daelab
