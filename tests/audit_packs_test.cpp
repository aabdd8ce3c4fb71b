// Packs of claims about published codes: every list is read, with the verdicts that docs/audit-packs.md counts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "analysis/audit_subjects.hpp"
#include "core/base/json_file.hpp"
#include "core/base/write_file.hpp"
#include "lab/pack_audits.hpp"
#include "tests/build_paths.hpp"
#include "tests/input_error_support.hpp"
#include "tests/test_folder.hpp"

namespace daelab {
namespace TEST_FILE {

// As docs/audit-packs.md counts them.
struct Counts {
  std::size_t methods, confirmed, refuted;
};
const std::map<std::string, Counts> packs{{"steinebach2024", {32, 284, 4}},
                                          {"sciml", {101, 202, 27}},
                                          {"tableaus-of-packages", {160, 249, 5}},
                                          {"genalpha", {65, 67, 27}}};

std::string file_of(const std::string& pack, const std::string& name) {
  return source_path("/experiments/") + pack + "/" + name;
}

std::vector<AuditSubject> subjects_of(const std::string& pack) {
  return audit_subjects("@" + file_of(pack, "claims.json"), pack);
}

TEST(AuditPacks, HaveTheVerdictsOfTheirPage) {
  for (const auto& [name, counts] : packs) {
    EXPECT_EQ(subjects_of(name).size(), counts.methods) << name;
    std::map<std::string, std::size_t> found;
    for (const Judgement& judgement : judged_audits(project_pack(name))) {
      EXPECT_TRUE(judgement.as_expected()) << name << ": " << judgement.id << " is " << judgement.verdict;
      EXPECT_FALSE(judgement.source.empty()) << name << ": " << judgement.id;
      ++found[judgement.verdict];
    }
    const std::map<std::string, std::size_t> expected{{"confirmed", counts.confirmed}, {"refuted", counts.refuted}};
    EXPECT_EQ(found, expected) << name << ": no claim is understated or undecided";
  }
}

TEST(AuditPacks, AreAllCounted) {
  for (const std::string& name : project_packs())
    EXPECT_EQ(packs.contains(name), project_pack(name).entries.contains("audits")) << name;
}

// Expectations without a claim are refused.
TEST(AuditPacks, ExpectWhatListsClaim) {
  const TemporaryFolder folder;
  write_file(folder.path() + "/claims.json", R"([{"name": "euler", "tableau": {"A": [["0"]], "b": ["1"]},
    "source": "here", "claims": {"order": 2, "stages": 1}}])");
  Pack pack{"mine", folder.path(), {{"audits", {{{"list", "claims.json"}}}}}, false};
  const std::vector<Judgement> judgements = judged_audits(pack);
  ASSERT_EQ(judgements.size(), 2u);
  EXPECT_EQ(judgements[0].verdict, "refuted");
  EXPECT_FALSE(judgements[0].as_expected());
  EXPECT_THAT(judgements[0].reason, testing::HasSubstr("b^T(c)"));
  pack.entries["audits"][0]["refuted"] = {{{"method", "euler"}, {"property", "order"}}};
  EXPECT_TRUE(judged_audits(pack)[0].as_expected());
  pack.entries["audits"][0]["refuted"] = {{{"method", "euler"}, {"property", "embedded order"}}};
  EXPECT_THAT([&] { judged_audits(pack); },
              throws_input_error("/audits/0/refuted", "no claim of 'euler' on 'embedded order'"));
}

// Every tableau belongs to a list, every table of errors, too; that of radii is shown on the page.
TEST(AuditPacks, UseTheirFiles) {
  const std::pair<const char*, const char*> folders[] = {
      {"steinebach2024", "tableaus"}, {"sciml", "tableaus"}, {"genalpha", "results"}};
  for (const auto& [pack, folder] : folders) {
    const std::string list = read_json_file(file_of(pack, "claims.json")).dump();
    for (const auto& file : std::filesystem::directory_iterator(file_of(pack, folder)))
      if (file.path().stem() != "opensees-radii") {
        EXPECT_THAT(list, testing::HasSubstr(file.path().filename().string())) << pack;
      }
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
