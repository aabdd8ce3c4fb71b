// Folders and configs that come from elsewhere: nothing outside of a results folder is written or read, and no text
// stops the programs that draw and typeset.
#include <functional>

#include "core/base/json_file.hpp"
#include "tests/cli_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;
using testing::Not;

constexpr const char* small = R"({"name": "small", "experiment": "drift", "title": "Small",
  "runs": {"problem": "pendulum", "method": "gauss", "h": "1/20", "t_end": "1", "trajectory": 1},
  "figures": [{"id": "energy", "caption": "Energy.", "panels": [{"y": ["energy_error"], "y_label": "error [J]"}]}]})";

class Hostile : public Cli {
 protected:
  void make() const {
    write(folder / "small.json", small);
    daelab_ok({"run", "small.json"});
  }
  // Of result.json, then changed.
  void change_result(const std::function<void(Json&)>& change) const {
    Json result = read_json_file(set / "result.json");
    change(result);
    result.erase("checksum");
    write(set / "result.json", result.dump(1));
  }

  fs::path set = folder / "out/small";
};

TEST_F(Hostile, LinksAtFilesOfAReportAreReplacedAndNeverFollowed) {
  make();
  write(folder / "mine", "mine");
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(set / "report"))
    if (entry.is_regular_file()) files.push_back(entry.path());
  ASSERT_EQ(files.size(), 11u);  // index.html, report.tex, references.bib; three of the table; five of the figure
  for (const fs::path& file : files) {
    fs::remove(file);
    fs::create_symlink(folder / "mine", file);
  }
  daelab_ok({"report", "out/small"});
  EXPECT_EQ(read(folder / "mine"), "mine");
  for (const fs::path& file : files) {
    EXPECT_FALSE(fs::is_symlink(file)) << file;
    EXPECT_GT(fs::file_size(file), 4u) << file;
  }
}

TEST_F(Hostile, LinksAtFoldersOfAReportAreRefused) {
  make();
  const fs::path elsewhere = folder / "elsewhere";
  for (const char* name : {"out/small/report/small", "out/small/report"}) {
    SCOPED_TRACE(name);
    fs::remove_all(folder / name);
    fs::create_directory(elsewhere);
    fs::create_directory_symlink(elsewhere, folder / name);
    expect_refused({"report", "out/small"}, {name, "is a symbolic link, which is not followed"});
    EXPECT_EQ(daelab({"run", "small.json"}).code, 2);
    EXPECT_TRUE(fs::is_empty(elsewhere));
    fs::remove_all(elsewhere);
  }
  daelab_ok({"report", "out/small", "--to", "mine"});
}

// What would take gigabytes to print, or a stack to match.
TEST_F(Hostile, NumbersOfAnySizeArePrintedShort) {
  make();
  change_result([](Json& result) { result["tables"][0]["columns"][2]["digits"] = 1874919430; });
  expect_refused({"report", "out/small"}, {"/tables/0/columns/2/digits", "a whole number from 0 to 100"});
  change_result([](Json& result) {
    Json& table = result["tables"][0];
    for (Json& column : table["columns"]) column["digits"] = 3, column["format"] = "exact";
    table["columns"][0]["format"] = "fixed", table["columns"][1]["format"] = "integer";
    for (Json& cell : table["rows"][0]) cell = std::string(200'000, '1');
    table["rows"][0][0] = "1e99999999", table["rows"][0][1] = "-1e999999999";
  });
  daelab_ok({"report", "out/small", "--to", "mine"});
  std::string tables;
  for (const auto& entry : fs::directory_iterator(folder / "mine/small"))
    if (entry.path().extension() == ".md") tables += read(entry.path());
  EXPECT_THAT(tables, HasSubstr("1.00E99999999 "));
  EXPECT_THAT(tables, HasSubstr("-1e999999999 "));
}

TEST_F(Hostile, CurvesOfFilesOutsideOfTheFolderAreRefused) {
  make();
  write(folder / "out/secret.csv", "t,energy_error\n0,1\n1,2\n");
  fs::create_symlink("../../secret.csv", set / "trajectories/link.csv");
  fs::create_directory_symlink("..", set / "up");
  for (const std::string& file : {std::string("../secret.csv"), (folder / "out/secret.csv").string(),
                                  std::string("trajectories/../../secret.csv"), std::string("trajectories/link.csv"),
                                  std::string("up/secret.csv"), std::string("/dev/zero")}) {
    SCOPED_TRACE(file);
    change_result([&](Json& result) { result["figures"][0]["panels"][0]["series"][0]["file"] = file; });
    expect_refused({"report", "out/small", "--to", "report"},
                   {"result.json: /figures/0/panels/0/series/0/file: '" + file + "' is not inside the results folder"});
    EXPECT_FALSE(fs::exists(folder / "report"));
  }
  daelab_ok({"run", "small.json"});  // makes it again
}

TEST_F(Hostile, AReportIsNotMadeOfADamagedTrajectory) {
  make();
  const fs::path csv = fs::directory_iterator(set / "trajectories")->path();
  const std::string whole = read(csv);
  for (const std::string& damaged : {std::string(), whole.substr(0, whole.size() / 2), "# " + whole}) {
    write(csv, damaged);
    expect_refused({"report", "out/small"}, {csv.filename(), "is not as it was written", "daelab run"});
  }
  fs::remove(csv);
  expect_refused({"report", "out/small"}, {csv.filename(), "there is no file", "daelab run"});
  daelab_ok({"run", "small.json"});
  EXPECT_EQ(read(csv), whole);
  daelab_ok({"report", "out/small"});
}

TEST_F(Hostile, TextsOfStoredResultsNeitherStopGnuplotNorReachThePage) {
  make();
  const std::string text = std::string("bell \a, escape \x1b[31m, nul ") + '\0' + ", C1 \xc2\x9b";
  change_result([&](Json& result) {
    result["title"] = text;
    result["figures"][0]["caption"] = text;
    result["figures"][0]["panels"][0]["y_label"] = text;
    result["figures"][0]["panels"][0]["series"][0]["label"] = text;
    result["tables"][0]["caption"] = text;
    result["tables"][0]["columns"][0]["label"] = text;
    result["tables"][0]["rows"][0][0] = text;
  });
  daelab_ok({"report", "out/small"});
  for (const auto& entry : fs::recursive_directory_iterator(set / "report")) {
    if (!entry.is_regular_file() || entry.path().extension() == ".pdf") continue;
    const std::string written = read(entry.path());
    for (const std::string& control :
         {std::string("\a"), std::string("\x1b"), std::string(1, '\0'), std::string("\xc2\x9b")})
      EXPECT_THAT(written, Not(HasSubstr(control))) << entry.path();
  }
  EXPECT_THAT(read(set / "report/index.html"), HasSubstr("bell \\x07, escape \\x1b[31m, nul \\x00, C1 \\x9b"));
}

TEST_F(Hostile, IdsThatMakeNoFileAreRefused) {
  make();
  const auto refused = [&](const std::string& id, const std::string& part) {
    change_result([&](Json& result) { result["figures"][0]["id"] = id; });
    expect_refused({"report", "out/small"}, {"result.json: /figures/0/id", part});
  };
  refused("", "1 to 200 bytes");
  refused(std::string(300, 'x'), "1 to 200 bytes");
  // Whatever else it is, it names one file of the folder.
  for (const std::string id : {"../../x", "a b'c\"d`e$(f)", "ä", "-e", ".hidden"}) {
    SCOPED_TRACE(id);
    change_result([&](Json& result) { result["figures"][0]["id"] = id; });
    daelab_ok({"report", "out/small"});
  }
  EXPECT_FALSE(fs::exists(folder / "out/x.svg"));
  change_result([](Json& result) {
    Json other = result["figures"][0];
    other["id"] = "a/b", result["figures"][0]["id"] = "a b";
    result["figures"].push_back(other);
  });
  expect_refused({"report", "out/small"}, {"result.json: /figures/1/id: 'a/b' stands twice", "the file a-b"});
}

TEST_F(Hostile, ConfigsWithControlCharactersAreRefused) {
  const auto with_text = [](const std::string& from, const std::string& to) {
    std::string text = small;
    return text.replace(text.find(from), from.size(), to);
  };
  expect_config_refused(with_text("\"Small\"", R"("Small \u0007")"), {"config.json: /title", R"("Small \x07")"});
  expect_config_refused(with_text("\"Small\"", R"("Small \u009b")"), {"config.json: /title", "control characters"});
  expect_config_refused(with_text("Energy.", R"(\u0000)"), {"config.json: /figures/0/caption", R"("\x00")"});
  expect_config_refused(with_text("error [J]", R"(\u001b[31m)"), {"config.json: /figures/0/panels/0/y_label"});
  expect_config_refused(with_text("\"runs\": {", R"("runs": {"label": "a\u0008", )"), {"config.json: /runs/label"});
  expect_config_refused(with_text("\"small\"", R"("small\u0000er")"), {"config.json: /name", "names a folder"});
  expect_config_refused(with_text("\"small\"", R"("../small")"), {"config.json: /name", "names a folder"});
}

TEST_F(Hostile, SetsOfClaimsAndPapersAreFoldersBesideEachOther) {
  for (const std::string set : {"../small", "a/b", ".."})
    expect_config_refused(R"({"name": "t", "experiment": "drift", "runs": {"problem": "pendulum", "method": "gauss",
      "h": "1/20"}, "claims": [{"id": "a", "location": "b", "kind": "status", "printed": "ok", "claimed": "ok", "expected": "confirmed",
      "value": {"set": ")" + set +
                              R"(", "run": {}, "pointer": "/status"}}]})",
                          {"/claims/0/value/set"});
  make();
  fs::create_directory(folder / "paper");
  write(folder / "paper/sets.json", R"(["../out/small"])");
  expect_refused({"report", "paper"}, {"paper/sets.json: /0", "names a folder"});
}

// Messages may quote what is in a file.
TEST_F(Hostile, MessagesAreBoundedAndOneLine) {
  const std::string longest(100'000, 'x');
  write(folder / "config.json", R"({"name": "t", "experiment": ")" + longest + R"("})");
  Outcome outcome = daelab({"run", "config.json"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_LT(outcome.err.size(), 2200u);
  EXPECT_THAT(outcome.err, HasSubstr("bytes left out"));
  EXPECT_THAT(outcome.err, testing::StartsWith("daelab: config.json"));
  outcome = daelab({"run", "no\x1b[31m.json"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("no\\x1b[31m.json"));
}

TEST_F(Hostile, EveryVerbNoticesAFullDevice) {
  const std::string program = built_program(), err = (folder / "err").string();
  make();
  for (const std::string verb :
       {"--help", "--version", "solve --help", "list", "list --json", "schema", "show problem pendulum",
        "show method gauss --json", "start --problem pendulum", "solve --problem pendulum --method gauss --h 0.1",
        "compare out/small out/small", "check small.json", "run small.json"}) {
    const std::string command = "cd " + folder.string() + " && " + program + " " + verb + " > /dev/full 2> " + err;
    EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 1) << verb;
    EXPECT_THAT(read(err), HasSubstr("cannot write")) << verb;
  }
}

}  // namespace TEST_FILE
}  // namespace daelab
