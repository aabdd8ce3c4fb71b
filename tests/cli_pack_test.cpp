// Packs of a user's own experiments, from configs to a file that others check; packs from elsewhere.
#include "core/base/json_file.hpp"
#include "core/base/write_file.hpp"
#include "results/zip_file.hpp"
#include "tests/cli_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

constexpr const char* config = R"({"name": "orders", "experiment": "convergence", "title": "Two methods",
  "common": {"problem": "@swing.json", "formulation": "index-2", "t_end": "1/2", "h": ["1/20", "1/40", "1/80"]},
  "runs": {"label": "A", "method": "radau-iia:s=2"},
  "reference": {"method": "gauss:s=4", "h": "1/100", "scalar": "double"}})";

class CliPack : public Cli {
 protected:
  CliPack() {
    fs::create_directories(folder / "study");
    fs::copy(source_path("/docs/examples/my_problem.json"), folder / "study/swing.json");
    write(folder / "study/orders.json", config);
  }
  Arguments new_pack(const std::string& name = "mine") const {
    return {"pack", "new", name, "study/orders.json", "--author", "Ada", "--licence", "CC0-1.0", "--quiet"};
  }
  Json pack_json() const { return read_json_file(folder / "mine/pack.json"); }
  void write_pack(const Json& entries) const { write(folder / "mine/pack.json", entries.dump(1)); }
  // The first claim whose kind is number.
  static Json& a_number(Json& entries) {
    for (Json& claim : entries["claims"])
      if (!claim.contains("kind")) return claim;
    throw std::runtime_error("no number");
  }
};

TEST_F(CliPack, FromAConfigToAFileThatOthersCheck) {
  daelab_ok({"run", "study/orders.json", "--quiet"});
  const Outcome made = daelab_ok({"pack", "new", "mine", "study/orders.json"});
  EXPECT_THAT(made.out, HasSubstr("mine: "));
  EXPECT_THAT(made.out, HasSubstr("numbers of tables have no claim"));
  EXPECT_EQ(pack_json()["title"], "Two methods");
  EXPECT_GT(pack_json()["claims"].size(), 8u);
  EXPECT_EQ(read(folder / "mine/swing.json"), read(folder / "study/swing.json"));
  EXPECT_THAT(daelab({"pack", "check", "mine"}).out, HasSubstr("/licence: is missing"));

  Json entries = pack_json();
  entries["authors"] = Json::array({Json{{"name", "Ada"}}}), entries["licence"] = "CC0-1.0";
  write_pack(entries);
  EXPECT_EQ(daelab({"pack", "check", "mine"}).out, "mine: nothing is missing\n");
  daelab_ok({"pack", "build", "mine", "--to", "a.zip"});
  daelab_ok({"pack", "build", "mine", "--to", "b.zip"});
  EXPECT_EQ(read(folder / "a.zip"), read(folder / "b.zip"));
  const FilesByPath files = read_zip(folder / "a.zip");
  for (const char* file : {"pack.json", "orders.json", "swing.json", "results/orders/runs.jsonl", "report/index.html",
                           "versions.json", "ro-crate-metadata.json", "CITATION.cff", "LICENSE"})
    EXPECT_TRUE(files.contains(file)) << file;

  // Another folder has only the file.
  fs::create_directory(folder / "there");
  fs::rename(folder / "a.zip", folder / "there/a.zip");
  for (const char* part : {"mine", "study", "out"}) fs::remove_all(folder / part);
  daelab_ok({"reproduce", "there/a.zip", "--out", "there/out", "--quiet"});
  const auto verdicts = [](const std::string& text) { return Json::parse(text)["verdicts"]; };
  EXPECT_EQ(verdicts(read(folder / "there/out/mine/verdicts.json")), verdicts(files.at("results/verdicts.json")));
  const Outcome rerun = daelab_ok({"rerun", "there/a.zip"});
  EXPECT_THAT(rerun.out, HasSubstr("0 differences"));
}

TEST_F(CliPack, WithANumberThatDiffersIsNotBuilt) {
  daelab_ok(new_pack());
  Json entries = pack_json();
  a_number(entries)["printed"] = "7.77E7";
  write_pack(entries);
  EXPECT_EQ(daelab({"reproduce", "./mine", "--quiet"}).code, 1);
  const Outcome built = daelab({"pack", "build", "mine", "--to", "a.zip"});
  EXPECT_EQ(built.code, 1);
  EXPECT_FALSE(fs::exists(folder / "a.zip"));
  const Outcome checked = daelab({"pack", "check", "mine"});
  EXPECT_EQ(checked.code, 1);
  EXPECT_THAT(checked.out, HasSubstr("the verdict is 'differs'"));
}

TEST_F(CliPack, LeavesNothingBehindWhereItCannotBeMade) {
  expect_refused({"pack", "new", "mine", "study/none.json"}, {"study/none.json"});
  expect_refused({"pack", "new", "mine"}, {"no config is given"});
  expect_refused({"pack", "biuld", "mine"}, {"no action 'biuld'", "did you mean 'build'?"});
  expect_refused({"pack", "build", "mine", "--to", "a.tar"}, {"no paper 'mine'"});
  write(folder / "study/far.json", R"({"name": "far", "experiment": "drift", "runs": {"method": "gauss",
    "problem": "@../swing.json", "h": "1/10", "t_end": 1}})");
  fs::copy(folder / "study/swing.json", folder / "swing.json");
  expect_refused({"pack", "new", "mine", "study/far.json"}, {"far.json: names", "put the file there"});
  EXPECT_FALSE(fs::exists(folder / "mine"));
  EXPECT_FALSE(fs::exists(folder / "out"));
  fs::create_directory(folder / "mine");
  expect_refused(new_pack(), {"mine: exists already"});
}

// A pack with this config, made by hand.
class ForeignPack : public CliPack {
 protected:
  void write_foreign(const std::string& runs, const std::string& more = "") const {
    fs::create_directories(folder / "theirs");
    write(folder / "theirs/pack.json",
          R"({"paper": "theirs", "title": "t", "reference": "r", "configs": ["a.json"], )" + more +
              R"("contents": {"parts": ["Text"]}, "claims": []})");
    write(folder / "theirs/a.json", R"({"name": "a", "experiment": "drift", "runs": )" + runs + "}");
  }
};

TEST_F(ForeignPack, ReadsNoFileOutsideOfItself) {
  fs::copy(folder / "study/swing.json", folder / "swing.json");
  for (const std::string& file : {std::string("@../swing.json"), "@" + (folder / "swing.json").string()}) {
    write_foreign(R"({"method": "gauss", "h": "1/10", "t_end": 1, "problem": ")" + file + R"("})");
    expect_refused({"reproduce", "./theirs"}, {"swing.json", "is none of the files that may be read here"});
  }
  write_foreign(R"({"method": "gauss", "h": "1/10", "t_end": 1, "problem": "@swing.json"})");
  fs::copy(folder / "study/swing.json", folder / "theirs/swing.json");
  daelab_ok({"reproduce", "./theirs", "--quiet"});
  fs::create_symlink("/etc/hostname", folder / "theirs/link");
  expect_refused({"reproduce", "./theirs"}, {"theirs/link: is a symbolic link"});
}

TEST_F(ForeignPack, RunsNoPythonUnlessAllowed) {
  write_foreign(R"({"method": "gauss", "h": "1/10", "t_end": 1, "problem": "pendulum"})", R"("python": ["m.py"], )");
  write(folder / "theirs/m.py", "open('ran', 'w')\n");
  expect_refused({"reproduce", "./theirs"}, {"has methods in Python", "--allow-python"});
  EXPECT_FALSE(fs::exists(folder / "ran"));
  EXPECT_FALSE(fs::exists(folder / "out"));
}

TEST_F(ForeignPack, InADamagedFileLeavesNothing) {
  const std::string whole = zip_of({{"pack.json", "{}"}, {"a.json", "{}"}});
  write(folder / "a.zip", whole.substr(0, whole.size() - 9));
  expect_refused({"reproduce", "a.zip"}, {"a.zip: is no archive that can be read"});
  expect_refused({"rerun", "a.zip"}, {"a.zip: is no archive that can be read"});
  write(folder / "b.zip", whole);
  expect_refused({"reproduce", "b.zip"}, {"b.zip: pack.json: needs \"paper\", a text"});
  expect_refused({"rerun", "b.zip"}, {"b.zip: holds no results"});
  write(folder / "c.zip", zip_of({{"a.json", "{}"}}));
  expect_refused({"reproduce", "c.zip"}, {"c.zip: it is no pack: it holds no pack.json"});
  expect_refused({"reproduce", "./nothing"}, {"no paper './nothing'", "folders or .zip files"});
  EXPECT_FALSE(fs::exists(folder / "out"));
}

}  // namespace TEST_FILE
}  // namespace daelab
