// Values that entries make of results: expressions over them, and columns of trajectories.
#include <gmock/gmock.h>

#include <gtest/gtest.h>

#include <filesystem>

#include "core/base/write_file.hpp"
#include "results/evidence.hpp"
#include "results/expression_value.hpp"
#include "results/stored_files.hpp"
#include "results/trajectory_store.hpp"
#include "tests/claims_support.hpp"
#include "tests/input_error_support.hpp"
#include "tests/numpy_samples.hpp"
#include "tests/test_folder.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

// A set whose one run has this record and this trajectory.
class StoredRun {
 public:
  StoredRun() {
    std::filesystem::create_directories(folder_.path() + "/trajectories");
    write_file(trajectory_path(folder_.path(), "k"), "t,energy,note\n0,2,a\n1,1.5,b\n2,1.75,c\n3,1,d\n");
  }

  Judgement judge_number(const Json& value, const std::string& printed) const {
    Json claim = energy_claim("1", printed);
    claim["value"] = value;
    return judge(claims_file(claim), [this](const std::string& set) { return look_up(set); }).at(0);
  }

 private:
  std::optional<ResultSet> look_up(const std::string& set) const {
    const Json run = {{"key", "k"}, {"spec", {{"h", "1"}}}, {"status", "ok"}, {"q", {3.0, 4.0}}, {"n", "x"}};
    if (set == "s") return ResultSet{{run}, {}, folder_.path()};
    return set == "empty" ? std::optional(ResultSet{{run}, {}, folder_.path() + "/none"}) : std::nullopt;
  }

  TemporaryFolder folder_;
};

Json of_run(Json value) {
  value["set"] = "s", value["run"] = {{"/h", "1"}};
  return value;
}

Json norm_of_q() {
  return {{"expression", "sqrt(sum(i in 1..2, q[i]^2)) + e"},
          {"with", {{"q", of_run({{"pointer", "/q"}})}, {"e", of_run({{"column", "energy"}, {"take", "last"}})}}}};
}

TEST(EntryValues, ExpressionsAreMadeOfNumbersAndLists) {
  const StoredRun stored;
  EXPECT_EQ(stored.judge_number(norm_of_q(), "6.0").verdict, "all printed digits");
  Json half = norm_of_q();
  half["over"] = of_run({{"pointer", "/q/1"}});
  EXPECT_EQ(stored.judge_number(half, "1.50").verdict, "all printed digits");
  EXPECT_EQ(expression_value("x[2] - y/2", {{{"y", 1}}, {{"x", {7, 0.75}}}}), 0.25);
  EXPECT_THROW(expression_value("x[3]", {{}, {{"x", {1, 2}}}}), InputError);
}

TEST(EntryValues, ColumnsAreTakenWholeOrByTheirEntries) {
  const StoredRun stored;
  const auto of_column = [&](const Json& more, const std::string& printed) {
    Json value = of_run({{"column", "energy"}});
    value.update(more);
    return stored.judge_number(value, printed).verdict;
  };
  const std::pair<const char*, const char*> taken[] = {{"first", "2.00"},         {"last", "1.00"},
                                                       {"least", "1.00"},         {"largest", "2.00"},
                                                       {"least-change", "-0.75"}, {"largest-change", "0.25"}};
  for (const auto& [take, printed] : taken)
    EXPECT_EQ(of_column({{"take", take}}, printed), "all printed digits") << take;
  EXPECT_EQ(of_column({{"pointer", "/1"}}, "1.50"), "all printed digits");
  EXPECT_EQ(of_column({{"pointer", "/4"}}, "1.50"), "differs");
  Json list = {{"expression", "x[1] - x[4]"}, {"with", {{"x", of_run({{"column", "energy"}})}}}};
  EXPECT_EQ(stored.judge_number(list, "1.0").verdict, "all printed digits");
}

TEST(EntryValues, EachEntryOfListsHasItsOwnValue) {
  const StoredRun stored;
  Json value = {{"each", "abs(x - y)"},
                {"with", {{"x", of_run({{"column", "energy"}})}, {"y", of_run({{"column", "t"}})}}},
                {"take", "largest"}};
  EXPECT_EQ(stored.judge_number(value, "2.0").verdict, "all printed digits");  // 2, 0.5, 0.25, 2
  value["take"] = "least";
  EXPECT_EQ(stored.judge_number(value, "0.25").verdict, "all printed digits");
  value["with"]["y"] = of_run({{"pointer", "/q"}});
  EXPECT_THAT(stored.judge_number(value, "1").reason, HasSubstr("x has 4 entries, and y has 2"));
  value["each"] = "abs(x)", value["with"].erase("y"), value["expression"] = "x[1]";
  EXPECT_THROW(stored.judge_number(value, "1"), InputError);
}

// A paper whose folder holds these files, as it is after its numbers were read.
class PaperFolder {
 public:
  explicit PaperFolder(const Json& claim) : paper(claims_file(claim)) {
    std::filesystem::create_directories(folder.path() + "/paper");
    write_file(folder.path() + "/outside.csv", "x\n1\n");
    write_file(folder.path() + "/paper/a.csv", "# comment\nt,x\n0,1.50E-3\n1,2.25\n2,none\n");
    write_file(folder.path() + "/paper/a.npy", npy("'<f8'", false, "(2, 2)", bytes_of<double>({1, 2.5, 3, 0.1})));
    write_file(folder.path() + "/paper/a.json", R"({"x": ["7.0007E-5", 2.5]})");
    std::filesystem::create_symlink(folder.path() + "/outside.csv", folder.path() + "/paper/link.csv");
  }
  const Json& read() {
    read_stored_numbers(paper, folder.path() + "/paper");
    return paper;
  }
  TemporaryFolder folder;
  Json paper;
};

Json stored_claim(const Json& stored) {
  Json claim = energy_claim("0.01");
  claim.erase("printed");
  claim["stored"] = stored;
  return claim;
}

TEST(StoredFiles, HoldTheNumbersThatEntriesQuote) {
  const auto printed = [](const Json& stored) {
    return PaperFolder(stored_claim(stored)).read()["claims"][0]["printed"];
  };
  EXPECT_EQ(printed({{"file", "a.csv"}, {"column", "x"}, {"row", 0}}), "1.50E-3");
  EXPECT_EQ(printed({{"file", "a.csv"}, {"column", "t"}, {"row", "last"}}), "2");
  EXPECT_EQ(printed({{"file", "a.json"}, {"pointer", "/x/0"}}), "7.0007E-5");
  EXPECT_EQ(printed({{"file", "a.json"}, {"pointer", "/x"}, {"row", 1}, {"digits", 3}}), "2.50E0");
  EXPECT_EQ(printed({{"file", "a.npy"}, {"array", ""}, {"row", 1}, {"column", 1}}), "0.1");
  PaperFolder judged(stored_claim({{"file", "a.json"}, {"pointer", "/x/0"}}));
  EXPECT_EQ(judge(judged.read(), look_up_small_sets).at(0).verdict, "all printed digits");
}

TEST(StoredFiles, ColumnsAreValues) {
  Json claim = energy_claim("0.01", "1.5");
  claim["value"] = {{"expression", "x[1] - 1"}, {"with", {{"x", {{"file", "a.json"}, {"pointer", "/x/1"}}}}}};
  EXPECT_EQ(judge(PaperFolder(claim).read(), look_up_small_sets).at(0).verdict, "all printed digits");
  claim["value"]["with"]["x"] = {{"file", "a.csv"}, {"column", "x"}};
  EXPECT_THROW(judge(PaperFolder(claim).read(), look_up_small_sets), InputError) << "a cell is no number";
  EXPECT_THROW(entries_of_config({{"claims", Json::array({claim})}}, "s", {}), InputError) << "of papers alone";
}

TEST(StoredFiles, BadPlacesAreNamed) {
  const auto refusal = [](const Json& stored) {
    return input_error_of([&] { PaperFolder(stored_claim(stored)).read(); });
  };
  EXPECT_THAT(refusal({{"file", "../outside.csv"}, {"column", "x"}}),
              AllOf(HasSubstr("/claims/0/stored/file"), HasSubstr("in the folder of the paper")));
  EXPECT_THAT(refusal({{"file", "link.csv"}, {"column", "x"}}), HasSubstr("leads out of the folder"));
  EXPECT_THAT(refusal({{"file", "/etc/passwd"}, {"column", "x"}}), HasSubstr("/claims/0/stored/file"));
  EXPECT_THAT(refusal({{"file", "b.csv"}, {"column", "x"}}), HasSubstr("there is no file"));
  EXPECT_THAT(refusal({{"file", "a.csv"}, {"column", "y"}}), HasSubstr("no column 'y'"));
  EXPECT_THAT(refusal({{"file", "a.csv"}, {"column", "x"}, {"row", 3}}), HasSubstr("one of 3 rows"));
  EXPECT_THAT(refusal({{"file", "a.csv"}, {"column", "x"}, {"row", 2}}), HasSubstr("no number, but 'none'"));
  EXPECT_THAT(refusal({{"file", "a.csv"}}), HasSubstr("needs \"column\""));
  EXPECT_THAT(refusal({{"file", "a.json"}, {"pointer", "/x/0"}, {"digits", 18}}), HasSubstr("/stored/digits"));
  EXPECT_THAT(refusal({{"file", "a.npy"}, {"array", "q"}}), HasSubstr("no array 'q'"));
  EXPECT_THAT(refusal({{"file", "a.npy"}, {"array", ""}, {"column", 2}}), HasSubstr("has 2 columns"));
  EXPECT_THAT(refusal({{"file", "a.npy"}, {"array", 1}}), HasSubstr("/stored/array"));
  EXPECT_THAT(refusal({{"fill", "a.csv"}}), HasSubstr("/stored/fill"));
  Json both = stored_claim({{"file", "a.csv"}, {"column", "x"}});
  both["printed"] = "1";
  EXPECT_THAT(input_error_of([&] { PaperFolder(both).read(); }), HasSubstr("leave it out"));
}

TEST(EntryValues, WhatIsMissingIsSaid) {
  const StoredRun stored;
  const auto reason = [&](const Json& value) { return stored.judge_number(value, "1").reason; };
  Json value = norm_of_q();
  value["with"]["q"]["pointer"] = "/p";
  EXPECT_THAT(reason(value), HasSubstr("q: the run of 's' with /h=1 has no /p"));
  value = norm_of_q(), value["with"]["q"]["pointer"] = "/n";
  EXPECT_THAT(reason(value), HasSubstr("q is neither a number nor a list of numbers"));
  value = norm_of_q(), value["with"]["e"]["set"] = "empty";
  EXPECT_THAT(reason(value), HasSubstr("has no trajectory"));
  EXPECT_THAT(reason(of_run({{"column", "note"}, {"take", "last"}})), HasSubstr("no column of two numbers"));
  value = norm_of_q(), value["expression"] = "e/(q[1] - 3)";
  EXPECT_EQ(stored.judge_number(value, "1").verdict, "differs") << "a division by zero has no value";
}

TEST(EntryValues, BadOnesNameTheirPlace) {
  const auto refusal = [](const Json& value) {
    Json claim = energy_claim("1");
    claim["value"] = value;
    return claim_error(claim);
  };
  Json value = norm_of_q();
  value["with"]["f"] = value["with"]["e"];
  EXPECT_THAT(refusal(value), AllOf(HasSubstr("/claims/0/value/with/f"), HasSubstr("not in the expression")));
  value = norm_of_q(), value.erase("with");
  EXPECT_THAT(refusal(value), HasSubstr("/value/with: must be the values"));
  value = norm_of_q(), value["with"]["q"].erase("set");
  EXPECT_THAT(refusal(value), HasSubstr("/claims/0/value/with/q: needs \"set\""));
  value = norm_of_q(), value["run"] = Json::object();
  EXPECT_THAT(refusal(value), HasSubstr("/claims/0/value/run: unknown key"));
  EXPECT_THAT(refusal(of_run({{"column", "energy"}, {"take", "larges"}})),
              AllOf(HasSubstr("/value/take"), HasSubstr("did you mean 'largest'?")));
  EXPECT_THAT(refusal(of_run({{"pointer", "/q"}, {"take", "last"}})), HasSubstr("/value/take"));
  EXPECT_THAT(refusal({{"set", "s"}, {"result", "/x"}, {"column", "energy"}}), HasSubstr("/value/column"));
  const StoredRun stored;
  value = norm_of_q(), value["expression"] = "sqrt(q[1]*e";
  EXPECT_THROW(stored.judge_number(value, "1"), InputError);
  value["expression"] = "q[1] + e + z";
  EXPECT_THROW(stored.judge_number(value, "1"), InputError);
}

TEST(EntryValues, OfConfigsAndEvidenceAreThoseInTheExpression) {
  Json claim = energy_claim("1");
  claim["value"] = norm_of_q();
  claim["value"]["with"]["q"].erase("set");
  const Json entries = entries_of_config({{"claims", Json::array({claim})}}, "own", {{{"h", "1"}}});
  EXPECT_EQ(entries["claims"][0]["value"]["with"]["q"]["set"], "own");
  EXPECT_FALSE(entries["claims"][0]["value"].contains("set"));
  EXPECT_THAT(sets_in_order(entries), testing::UnorderedElementsAre("own", "s"));
  const std::vector<RunHead> runs = {{"a", {{"h", "1"}}, ""}};
  EXPECT_THAT(
      evidence_of(entries, [&](const std::string&) -> const std::vector<RunHead>& { return runs; }).at("e").keys,
      ElementsAre("a"));
}

}  // namespace TEST_FILE
}  // namespace daelab
