// References that an enclosure proves: what the program says of them, and what it takes them for.
#include "core/base/json_file.hpp"
#include "results/reference.hpp"
#include "tests/cli_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(ReferenceDigits, AnAgreementIsNoProof) {
  ReferenceState state;
  state.digits_trusted = 30;
  EXPECT_EQ(state.digits_text(), "agreed by two routes to 30 digits");
  EXPECT_EQ(state.digits(), 30);
  state.proof = ReferenceProof{47, "certificates/pendulum-1.json", "0.3", "12.3"};
  EXPECT_EQ(state.digits_text(), "proved to 47 digits");
  EXPECT_EQ(state.digits(), 47);
  state.proof->digits = 20;
  EXPECT_EQ(state.digits_text(), "proved to 20 digits, agreed by two routes to 30 digits");
  EXPECT_EQ(state.digits(), 30);
  state.proof.reset(), state.is_closed_form = true;
  EXPECT_EQ(state.digits_text(), "a closed form, to 30 digits");
}

// A project whose reference of the pendulum at 10 s, its end, has this proof.
class ProvedReference : public Cli {
 protected:
  ProvedReference() {
    fs::create_directories(project / "results/reference");
    for (const char* part : {"methods", "problems", "experiments"})
      fs::create_directory_symlink(source_path(std::string("/") + part), project / part);
    ::setenv("DAELAB_ROOT", project.c_str(), 1);
  }
  // Null: none.
  void prove(const Json& proof) const {
    Json file = read_json_file(source_path("/results/reference/pendulum.json"));
    for (Json& state : file["states"])
      if (state["t"] == "10") {
        state.erase("proved");
        if (!proof.is_null()) state["proved"] = proof;
      }
    write(project / "results/reference/pendulum.json", file.dump());
  }
  std::string tables_of(const std::string& config) const {
    write(folder / "config.json", config);
    daelab_ok({"run", "config.json"});
    std::string captions;
    const Json result = read_json_file(folder / "out/small/result.json");
    for (const Json& table : result["tables"]) captions += table["caption"].get<std::string>() + "\n";
    return captions;
  }

  const fs::path project = folder / "project";
  const Json proof = {
      {"digits", 47}, {"certificate", "certificates/pendulum-10.json"}, {"cpu_seconds", "0.3"}, {"condition", "12.3"}};
};

TEST_F(ProvedReference, IsToldOfTheProblemAndItsRuns) {
  prove({});
  EXPECT_THAT(daelab_ok({"show", "problem", "pendulum"}).out,
              AllOf(HasSubstr("agreed by two routes to 28 digits at t = 10 s"), Not(HasSubstr("proved"))));
  prove(proof);
  std::string text = daelab_ok({"show", "problem", "pendulum"}).out;
  std::ranges::replace(text, '\n', ' ');
  EXPECT_THAT(text, AllOf(HasSubstr("proved to 47 digits"), HasSubstr("certificates/pendulum-10.json"),
                          Not(HasSubstr("agreed by two routes to 28"))));
  const Json run = json_of({"solve", "pendulum", "--method", "gauss", "--h", "1/10", "--json"});
  EXPECT_EQ(run["error"]["digits_trusted"], 47);
  EXPECT_THAT(daelab_ok({"show", "problem", "pendulum", "--equations", "c"}).out,
              HasSubstr("The reference, q and v, is proved to 47 digits, here rounded to double."));
}

TEST_F(ProvedReference, NeedsNoCertificateThatIsKept) {
  prove({{"digits", 47}, {"steps", 111}, {"relative_condition", "3.5"}, {"off_by", "1e-48"}});
  EXPECT_THAT(daelab_ok({"show", "problem", "pendulum"}).out,
              AllOf(HasSubstr("proved to 47 digits"), Not(HasSubstr("()"))));
}

TEST_F(ProvedReference, IsToldInTables) {
  const std::string convergence = R"({"name": "small", "experiment": "convergence",
    "runs": {"problem": "pendulum", "h": ["1/20", "1/40"], "formulation": "index-2", "method": "radau-iia:s=2"}})";
  const std::string trust = R"({"name": "small", "experiment": "trust",
    "runs": {"problem": "pendulum", "rtol": "1e-6", "formulation": "index-2", "method": "radau-iia:s=3"}})";
  const std::string values = R"({"name": "small", "experiment": "reference-values", "runs": {"problem": "pendulum"}})";
  prove(proof);
  EXPECT_THAT(tables_of(convergence), HasSubstr("Reference: proved to 47 digits."));
  fs::remove_all(folder / "out");
  EXPECT_THAT(tables_of(trust), HasSubstr("The references of 1 of 1 problems are proved."));
  fs::remove_all(folder / "out");
  tables_of(values);
  const Json row = read_json_file(folder / "out/small/result.json")["tables"][0]["rows"][0];
  EXPECT_EQ(row[2], 47);
  EXPECT_EQ(row[3], "proved to 47 digits");
}

TEST_F(ProvedReference, IsRefusedWhereItsKeysAreNotAsTheyMustBe) {
  const std::pair<Json, const char*> wrong[] = {
      {47, "/states/3/proved: expected an object, found number"},
      {{{"certificate", "a.json"}}, "/proved/digits: is missing"},
      {{{"digits", 0}, {"certificate", "a.json"}}, "/proved/digits: must be a whole number above 0, not 0"},
      {{{"digits", 4.5}, {"certificate", "a.json"}}, "/proved/digits: must be a whole number above 0, not 4.5"},
      {{{"digits", 47}, {"certificate", 1}}, "/proved/certificate: expected text"},
      {{{"digits", 47}, {"off_by", "small"}}, "/proved/off_by"},
      {{{"digits", 47}, {"certificate", "a.json"}, {"condition", 12.3}}, "/proved/condition: expected text"},
      {{{"digits", 47}, {"certificate", "a.json"}, {"cpu_second", "1"}}, "did you mean 'cpu_seconds'"}};
  for (const auto& [json, message] : wrong) {
    prove(json);
    expect_refused(pendulum, {message});
  }
}

}  // namespace TEST_FILE
}  // namespace daelab
