// Numbers that reasons and documents of papers tell: each comes from a result, or is listed as one that no run has.
#include "results/told_numbers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <regex>

#include "core/base/input_error.hpp"
#include "core/base/json_file.hpp"
#include "core/base/paths.hpp"
#include "results/claims.hpp"
#include "results/packs.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;
using testing::ThrowsMessage;

// One result set with two runs.
ResultLookup two_runs(double steps) {
  return [steps](const std::string& set) -> std::optional<ResultSet> {
    if (set != "small") return std::nullopt;
    const auto run = [](const char* h, double value) {
      return Json{{"spec", {{"h", h}}}, {"status", "ok"}, {"cause", ""}, {"steps", value}};
    };
    return ResultSet{{run("1/10", steps), run("1/20", 4 * steps)}, Json()};
  };
}

Json value(const char* h) { return {{"set", "small"}, {"run", {{"/h", h}}}, {"pointer", "/steps"}}; }

Json paper(const Json& numbers, const std::string& reason) {
  return {{"paper", "small"},
          {"title", "Small"},
          {"reference", "none"},
          {"contents",
           {{"sections", {"1"}},
            {"tables", Json::array()},
            {"figures", Json::array()},
            {"formulas", Json::array()},
            {"parts", Json::array()}}},
          {"claims",
           {{{"id", "a"},
             {"location", "Section 1"},
             {"kind", "less"},
             {"printed", "more steps"},
             {"values", {value("1/10"), value("1/20")}},
             {"expected", "confirmed"},
             {"reason", reason},
             {"numbers", numbers}}}}};
}

std::string reason_of(const Json& numbers, const std::string& reason, double steps = 12.5) {
  return judge(paper(numbers, reason), two_runs(steps)).at(0).reason;
}

Json own(const char* pointer, const char* as) { return {{"of", pointer}, {"as", as}}; }

TEST(ToldNumbers, AreThoseOfTheResults) {
  EXPECT_EQ(reason_of(Json::array({own("/values/0", "0.0"), own("/values/1", "0E0")}), "{} against {}"),
            "12.5 against 5E1");
  // Other results: other numbers, in the same text.
  EXPECT_EQ(reason_of(Json::array({own("/values/0", "0.0"), own("/values/1", "0.00E0")}), "{} against {}", 3),
            "3.0 against 1.20E1");
}

TEST(ToldNumbers, MayBeSharesAndTakenFromOtherValuesAndEntries) {
  Json share = own("/values/0", "0");
  share["over"] = {{"of", "/values/1"}};
  share["times"] = 100;
  EXPECT_EQ(reason_of(Json::array({share}), "{} %"), "25 %");
  Json other = value("1/20");
  other["as"] = "0";
  EXPECT_EQ(reason_of(Json::array({other}), "{}"), "50");
  other = own("/values/1", "0");
  other["entry"] = "a";
  EXPECT_EQ(reason_of(Json::array({other}), "{}"), "50");
}

TEST(ToldNumbers, AreAQuestionMarkWithoutAResult) {
  Json missing = value("1/10");
  missing["pointer"] = "/nothing";
  missing["as"] = "0";
  EXPECT_EQ(reason_of(Json::array({missing}), "{} steps"), "? steps");
}

TEST(ToldNumbers, AreRefusedWhereTheyDoNotFitTheText) {
  const auto check = [](const Json& numbers, const std::string& reason) {
    return [=] { check_entries(paper(numbers, reason)); };
  };
  EXPECT_THAT(check(Json::array(), "{} steps"), ThrowsMessage<InputError>(HasSubstr("has 1 places {}, and")));
  EXPECT_THAT(check(Json::array({own("/values/0", "%d")}), "{}"), ThrowsMessage<InputError>(HasSubstr("needs \"as\"")));
  EXPECT_THAT(check(Json::array({own("/value", "0")}), "{}"),
              ThrowsMessage<InputError>(HasSubstr("no value at /value")));
  Json unknown = own("/values/0", "0");
  unknown["entry"] = "b";
  EXPECT_THAT(check(Json::array({unknown}), "{}"), ThrowsMessage<InputError>(HasSubstr("no entry has the id 'b'")));
  Json given = paper(Json::array(), "5 steps");
  given["claims"][0]["given"] = Json::array({"7"});
  EXPECT_THAT([&] { check_entries(given); }, ThrowsMessage<InputError>(HasSubstr("is no number in \"reason\"")));
}

TEST(Passages, AreFoundInTheirDocumentWithTheNumbersOfTheResults) {
  Json one = paper(Json::array({own("/values/0", "0")}), "{}");
  const auto told = [&one](const char* text, double steps) {
    one["passages"] =
        Json::array({{{"document", "docs/README.md"}, {"text", text}, {"numbers", Json::array({value("1/10")})}}});
    one["passages"][0]["numbers"][0]["as"] = "0";
    return passages_of(one, two_runs(steps)).at(0);
  };
  // Half of a heading of that document, which ends with no number: the passage is not there.
  const TextPassage passage = told("{} steps", 12);
  EXPECT_EQ(passage.text, "12 steps");
  EXPECT_FALSE(passage.told);
  one["passages"][0]["document"] = "docs/none.md";
  EXPECT_TRUE(passages_of(one, two_runs(12)).empty());
}

// ----- the papers -----

// Numbers of two digits and more, outside of places and of settings with their names: "RTOL = 1E-4", "section 8.2",
// "(27)", "J3".
std::vector<std::string> loose_numbers(const std::string& text) {
  static const std::regex setting(
      "[A-Za-z_]+['0-9]* (=|<|>|<=|>=) -?[0-9][0-9.E/+-]*"
      "|(index|section|table|tables|figure|formula|note|algorithm|page|item) \\(?[0-9][0-9.]*"
      "|\\([0-9][0-9., ]*[a-z]?\\)|[A-Za-z][A-Za-z_]*[0-9]+",
      std::regex::icase);
  static const std::regex number("[0-9]+(\\.[0-9]+)?(E[-+]?[0-9]+)?");
  const std::string rest = std::regex_replace(text, setting, " ");
  std::vector<std::string> numbers;
  for (std::sregex_iterator at(rest.begin(), rest.end(), number), end; at != end; ++at)
    if (at->length() > 1) numbers.push_back(at->str());
  return numbers;
}

TEST(Papers, EveryNumberOfAReasonComesFromAResultOrIsGiven) {
  for (const char* name : {"ren2020", "li2019", "wang", "ivanov2023", "textbook", "kinon2025", "kinon2023", "fang2023",
                           "kynema", "exudyn-lie", "lietop"}) {
    const Json file = read_entries(name);
    for (const EntryKind kind : entry_kinds)
      for (const Json& entry : file.value(entry_list(kind), Json::array())) {
        const Json given = entry.value("given", Json::array());
        for (const std::string& number : loose_numbers(entry.value("reason", "")))
          EXPECT_NE(std::find(given.begin(), given.end(), Json(number)), given.end())
              << name << ", " << entry["id"].get<std::string>() << ": " << number
              << " comes from no result: put it in \"numbers\", or in \"given\" when no run has it";
      }
  }
}

// The text of a passage with any number in its places.
std::regex shape_of(const std::string& text) {
  static const std::regex special("[|()\\[\\]{}.*+?^$\\\\]");
  std::string pattern;
  std::size_t begin = 0;
  for (std::size_t at; (at = text.find("{}", begin)) != std::string::npos; begin = at + 2)
    pattern += std::regex_replace(text.substr(begin, at - begin), special, "\\$&") + "-?[0-9.]+(E-?[0-9]+)?";
  return std::regex(pattern + std::regex_replace(text.substr(begin), special, "\\$&"));
}

// Where a document marks a table as one of results, each of its rows is in a passage: a row beside them would go stale.
TEST(Papers, EveryRowOfAMarkedTableIsOfAPassage) {
  std::vector<std::regex> rows;
  const Json entries = read_entries("ren2020");
  for (const Json& passage : entries["passages"]) {
    // Rows of one passage follow each other.
    const std::string text = passage["text"];
    std::size_t begin = text.find('|');
    if (begin != 0) continue;
    for (std::size_t end; (end = text.find("| |", begin + 1)) != std::string::npos; begin = end + 2) {
      const std::string row = text.substr(begin, end + 1 - begin);
      if (row.find("{}") != std::string::npos) rows.push_back(shape_of(row));
    }
    rows.push_back(shape_of(text.substr(begin)));
  }
  std::ifstream document(project_path("docs/ren2020.md"));
  ASSERT_TRUE(document);
  int checked = 0;
  bool marked = false;
  for (std::string line; std::getline(document, line);) {
    if (line.find("<!-- results -->") != std::string::npos) marked = true;
    if (line.empty()) marked = false;
    static const std::regex of_numbers(" *\\|.*\\| [0-9].*");
    if (!marked || !std::regex_match(line, of_numbers)) continue;
    EXPECT_TRUE(std::ranges::any_of(rows, [&](const std::regex& row) { return std::regex_search(line, row); })) << line;
    ++checked;
  }
  EXPECT_GE(checked, 25);
}

}  // namespace TEST_FILE
}  // namespace daelab
