// Packs: folders that are read, archives, entries made of tables, what round-off leaves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <map>
#include <set>

#include "core/base/context.hpp"
#include "core/base/write_file.hpp"
#include "results/crate.hpp"
#include "results/pack_check.hpp"
#include "results/packs.hpp"
#include "results/round_off.hpp"
#include "results/table_entries.hpp"
#include "results/zip_file.hpp"
#include "tests/claims_support.hpp"
#include "tests/file_support.hpp"
#include "tests/input_error_support.hpp"
#include "tests/test_folder.hpp"

namespace daelab {
namespace TEST_FILE {

namespace fs = std::filesystem;
using testing::HasSubstr;

Json small_pack() {
  Json pack = claims_file(energy_claim("0.01"));
  pack["paper"] = "small";
  return pack;
}

class PackFolder : public testing::Test {
 protected:
  std::string pack(const Json& entries) const {
    write_folder(folder, {{"pack.json", entries.dump()}, {"a.json", "{}"}, {"problems/p.json", "{}"}});
    return folder;
  }
  std::string refusal(const Json& entries) const {
    return input_error_of([&] { pack_in(pack(entries)); });
  }
  TemporaryFolder temporary;
  std::string folder = temporary.path() + "/small";
};

TEST_F(PackFolder, IsReadWithItsConfigs) {
  Pack read = pack_in(pack(small_pack()));
  EXPECT_EQ(read.name, "small");
  EXPECT_FALSE(read.of_project);
  EXPECT_EQ(read.config_paths(), std::vector{folder + "/a.json"});
  Json listed = small_pack();
  listed["configs"] = Json::array({"problems/p.json"});
  EXPECT_EQ(pack_in(pack(listed)).config_paths(), std::vector{folder + "/problems/p.json"});
}

TEST_F(PackFolder, RefusesWhatIsNotAsItMustBe) {
  const auto with = [&](const char* key, const Json& value) {
    Json entries = small_pack();
    entries[key] = value;
    return refusal(entries);
  };
  EXPECT_THAT(with("configs", Json::array({"b.json"})), HasSubstr("/configs/0: the pack holds no file 'b.json'"));
  EXPECT_THAT(with("configs", Json::array({"../b.json"})), HasSubstr("/configs/0: leads out of its folder"));
  EXPECT_THAT(with("python", Json::array({"/tmp/x.py"})), HasSubstr("/python/0: is absolute"));
  EXPECT_THAT(with("authors", Json::array({Json{{"orcid", "x"}}})), HasSubstr("/authors/0: needs \"name\""));
  EXPECT_THAT(with("authors", Json::array({Json{{"nam", "x"}}})), HasSubstr("did you mean 'name'?"));
  EXPECT_THAT(with("licence", 7), HasSubstr("needs \"licence\", a text"));
  EXPECT_THAT(with("paper", "../x"), HasSubstr("/paper"));
  EXPECT_THAT(input_error_of([&] { pack_in(temporary.path()); }), HasSubstr("it holds no pack.json"));
  fs::create_symlink("/etc/passwd", fs::path(pack(small_pack())) / "b.json");
  EXPECT_THAT(input_error_of([&] { pack_in(folder); }), HasSubstr("b.json: is a symbolic link"));
}

// ----- archives -----

TEST(Zip, KeepsFilesAndGivesTheSameBytesTwice) {
  const FilesByPath files{{"a.json", "{}"}, {"results/x/runs.jsonl", std::string(10'000, 'x')}, {"empty", ""}};
  const std::string bytes = zip_of(files);
  EXPECT_LT(bytes.size(), 2000u);
  EXPECT_EQ(bytes, zip_of(files));
  const TemporaryFolder folder;
  write_file(folder.path() + "/a.zip", bytes);
  EXPECT_EQ(read_zip(folder.path() + "/a.zip"), files);
}

// An archive of one file whose name, of as many characters, is replaced by another.
class HostileZip : public testing::Test {
 protected:
  std::string refusal(std::string bytes) const {
    write_file(path, bytes);
    return input_error_of([&] { read_zip(path); });
  }
  std::string refusal_of_name(const std::string& name) const {
    const std::string other(name.size(), 'n');
    std::string bytes = zip_of({{other, "content"}});
    for (std::size_t at = bytes.find(other); at != std::string::npos; at = bytes.find(other, at + 1))
      bytes.replace(at, name.size(), name);
    return refusal(bytes);
  }
  TemporaryFolder folder;
  std::string path = folder.path() + "/a.zip";
};

TEST_F(HostileZip, PathsStayInTheFolder) {
  EXPECT_THAT(refusal_of_name("../../etc/x"), HasSubstr("'../../etc/x' leads out of its folder"));
  EXPECT_THAT(refusal_of_name("/etc/passwd"), HasSubstr("is absolute"));
  EXPECT_THAT(refusal_of_name("a/../../b"), HasSubstr("leads out"));
  EXPECT_THAT(refusal_of_name("a\\..\\b"), HasSubstr("characters"));
  EXPECT_THAT(refusal_of_name("a//b"), HasSubstr("has an empty part"));
}

TEST_F(HostileZip, LinksAreRefused) {
  std::string bytes = zip_of({{"link", "/etc/passwd"}});
  const std::size_t central = bytes.find("PK\x01\x02");
  ASSERT_NE(central, std::string::npos);
  bytes[central + 41] = static_cast<char>(0xA1);  // of 0100644, the kind: 0120644
  EXPECT_THAT(refusal(bytes), HasSubstr("'link' is a link or a device"));
}

TEST_F(HostileZip, DamageIsFound) {
  const std::string good = zip_of({{"a", std::string(3000, 'x') + "abcdefgh" + std::string(3000, 'y')}});
  EXPECT_THAT(refusal(good.substr(0, good.size() / 2)), HasSubstr("is no archive that can be read"));
  EXPECT_THAT(refusal("no archive"), HasSubstr("is no archive that can be read"));
  std::string damaged = good;
  damaged[good.size() / 3] = static_cast<char>(~damaged[good.size() / 3]);
  EXPECT_THAT(refusal(damaged), HasSubstr("a.zip: "));
  EXPECT_THAT(input_error_of([&] { read_zip(folder.path() + "/none.zip"); }), HasSubstr("no file"));
}

TEST_F(HostileZip, LimitsHoldForWhatIsUnpacked) {
  Context context;
  context.limits.file_bytes = 10'000;
  const std::string bytes = zip_of({{"a", std::string(1'000'000, 'x')}});
  EXPECT_LT(bytes.size(), 10'000u);
  const Context::Scope scope(context);
  EXPECT_THAT(refusal(bytes), HasSubstr("more bytes than allowed"));
}

TEST(Folder, IsReplacedAsAWhole) {
  const TemporaryFolder temporary;
  const std::string folder = temporary.path() + "/f";
  write_folder(folder, {{"a", "1"}, {"b/c", "2"}});
  write_folder(folder, {{"d", "3"}});
  EXPECT_EQ(files_of_pack(folder), std::vector<std::string>{"d"});
  EXPECT_EQ(std::distance(fs::directory_iterator(temporary.path()), fs::directory_iterator()), 1);
}

// ----- entries of tables -----

NamedSet small_set() {
  NamedSet set{"s", {}, {}};
  for (const auto& [h, error] : {std::pair("1/10", 1.23456e-3), {"1/20", 3.21e-13}, {"1/40", 2e-16}})
    set.results.runs.push_back({{"spec", {{"h", h}, {"scalar", "double"}}},
                                {"status", "ok"},
                                {"q", {20.0}},
                                {"error", {{"q", error}}},
                                {"stats", {{"steps", 7}}}});
  set.results.analysis = {{"series",
                           {{{"label", "A"},
                             {"orders",
                              {{"q", {{"order", 2.02}, {"half_width", 0.03}, {"decided", true}, {"theory", 2.0}}},
                               {"v", {{"order", 2.5}, {"half_width", 0.03}, {"decided", true}, {"theory", 2.0}}},
                               {"a", {{"order", 1.0}, {"half_width", 9.0}, {"decided", false}}}}},
                             {"energy", {{"verdict", "bounded"}}}}}}};
  Table table{"t",
              "caption",
              {{"h", "", CellFormat::text, 0},
               {"q", "", CellFormat::scientific, 3},
               {"steps", "", CellFormat::integer, 0},
               {"time", "", CellFormat::seconds, 0}},
              {}};
  table.rows = {{"1/10", 1.23456e-3, 7, 0.1}, {"1/20", 3.21e-13, 7, 0.2}, {"1/40", 2e-16, 8, nullptr}};
  set.artifacts.tables = {table};
  return set;
}

TEST(TableEntries, PrintAsTheTableAndNotMoreThanRoundOffLeaves) {
  const NamedSet set = small_set();
  const TableEntries made = entries_of_tables({set});
  const ResultLookup lookup = [&](const std::string&) { return std::optional(set.results); };
  std::map<std::string, Json> claims;
  for (const Json& claim : made.claims) claims[claim["id"]] = claim;
  EXPECT_EQ(claims.at("t/1/10/q")["printed"], "1.23E-3");
  EXPECT_EQ(claims.at("t/1/10/q")["value"], Json({{"set", "s"}, {"run", {{"/h", "1/10"}}}, {"pointer", "/error/q"}}));
  EXPECT_EQ(claims.at("t/1/20/q")["kind"], "magnitude");               // round-off of 20 is 2.8E-13
  EXPECT_EQ(claims.at("t/1/20/steps")["value"]["run"]["/h"], "1/20");  // of three runs with 7, that of the row
  EXPECT_FALSE(claims.contains("t/1/40/steps"));                       // 8 steps are stored nowhere
  EXPECT_EQ(made.left_out, 3);                                         // and two times
  EXPECT_EQ(claims.at("s/A/order of q")["claimed"], 2.0);
  EXPECT_EQ(claims.at("s/A/order of v")["claimed"], 2.5);
  EXPECT_FALSE(claims.contains("s/A/order of a"));
  EXPECT_EQ(claims.at("s/A/energy")["claimed"], "bounded");
  Json pack = small_pack();
  pack["contents"] = made.contents, pack["claims"] = made.claims;
  for (const Judgement& judgement : judge(pack, lookup)) EXPECT_TRUE(judgement.as_expected()) << judgement.id;
}

TEST(TableEntries, PrintWhatTheNumberConfirms) {
  NamedSet set{"s", {}, {}};
  const double values[] = {0.996, 0.001, -1.26, 12.0};
  Table table{"t", "", {{"name", "", CellFormat::text, 0}, {"x", "", CellFormat::fixed, 2}}, {}};
  set.results.analysis = {{"x", Json::array()}};
  for (const double x : values) {
    set.results.analysis["x"].push_back(x);
    table.rows.push_back({"row", x});
  }
  set.artifacts.tables = {table};
  std::vector<std::string> texts;
  const TableEntries made = entries_of_tables({set});
  for (const Json& claim : made.claims) texts.push_back(claim["printed"]);
  EXPECT_THAT(texts, testing::ElementsAre("9.96E-1", "1E-3", "-1.26", "12.00"));
  const ResultLookup lookup = [&](const std::string&) { return std::optional(set.results); };
  for (const Judgement& judgement : judge_entries({{"claims", made.claims}}, lookup))
    EXPECT_TRUE(judgement.as_expected()) << judgement.id << ": " << judgement.verdict;
}

TEST(PackCheck, FindsSurplusDigitsAndValuesThatAreNotThere) {
  const NamedSet set = small_set();
  const ResultLookup lookup = [&](const std::string&) { return std::optional(set.results); };
  Json claim = energy_claim("0.01", "3.210E-13");
  claim["value"] = {{"set", "s"}, {"run", {{"/h", "1/20"}}}, {"pointer", "/error/q"}};
  const auto remark = [&] {
    std::string text;
    for (const PackRemark& one : remarks_on_values(claims_file(claim), lookup)) text += one.place + ": " + one.what;
    return text;
  };
  EXPECT_THAT(remark(), HasSubstr("claim e: the number is round-off"));
  claim["printed"] = "1.23456000000000E-3", claim["value"]["run"]["/h"] = "1/10";
  EXPECT_THAT(remark(), HasSubstr("printed with 15 digits, of which round-off leaves 9: 1.23456000E-3"));
  claim["printed"] = "1.235E-3";
  EXPECT_EQ(remark(), "");
  claim["printed"] = "2.235E-3";
  EXPECT_THAT(remark(), HasSubstr("the verdict is 'same order of magnitude'"));
  claim["value"]["pointer"] = "/error/p";
  EXPECT_THAT(remark(), HasSubstr("not found in the results: the run"));
}

TEST(PackCheck, NamesWhatOthersNeed) {
  Pack pack{"small", "", small_pack(), false};
  const auto places = [&](const std::vector<std::string>& sets) {
    std::string text;
    for (const PackRemark& one : remarks_on_file(pack, sets)) text += one.place + ": " + one.what + "\n";
    return text;
  };
  EXPECT_THAT(places({"table-1"}), HasSubstr("/authors: is missing"));
  EXPECT_THAT(places({"table-2"}), HasSubstr("no config of the pack makes the result set 'table-1'; did you mean"));
  pack.entries["authors"] = Json::array({Json{{"name", "A"}}}), pack.entries["licence"] = "CC0-1.0";
  EXPECT_EQ(places({"table-1"}), "");
  pack.entries["claims"] = Json::array();
  EXPECT_THAT(places({"table-1"}), HasSubstr("nothing is claimed"));
}

// ----- RO-Crate -----

TEST(Crate, NamesEveryEntityThatItRefersTo) {
  Pack pack{"small", "", small_pack(), false};
  pack.entries["authors"] = Json::array({Json{{"name", "Ada"}, {"affiliation", "Here"}}}),
  pack.entries["licence"] = "CC0-1.0";
  const Json manifest = {{"provenance", {{"version", "1"}, {"date", "2026-01-02T03:04:05Z"}}}};
  const std::vector<CrateSet> sets{{"s", "a.json", manifest, {}}};
  const FilesByPath files{{"pack.json", ""}, {"a.json", ""}, {"results/s/runs.jsonl", ""}, {"report/index.html", ""}};
  const Json crate = Json::parse(crate_metadata(pack, files, sets));
  std::set<std::string> ids, named;
  const std::function<void(const Json&)> collect = [&](const Json& json) {
    if (json.is_object() && json.size() == 1 && json.contains("@id")) named.insert(json["@id"].get<std::string>());
    if (json.is_array())
      for (const Json& one : json) collect(one);
    if (json.is_object())
      for (const auto& [key, value] : json.items()) collect(value);
  };
  for (const Json& entity : crate["@graph"]) {
    EXPECT_TRUE(ids.insert(entity["@id"].get<std::string>()).second) << entity["@id"];
    collect(entity);
  }
  for (const std::string& id : named) EXPECT_TRUE(ids.contains(id) || id.starts_with("https://")) << id;
  EXPECT_THAT(named, testing::IsSupersetOf({"pack.json", "a.json", "results/s/", "#run-s"}));
  EXPECT_THAT(citation_text(pack, sets), HasSubstr("date-released: 2026-01-02"));
}

}  // namespace TEST_FILE
}  // namespace daelab
