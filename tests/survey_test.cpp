// docs/survey.md against the registry: what it names exists, what it calls absent does not, and all that cites the
// review is in it.
#include <gmock/gmock.h>

#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "core/base/paths.hpp"
#include "core/equations/formulation.hpp"
#include "core/integration/method.hpp"
#include "core/integration/method_files.hpp"
#include "core/mechanism/problem.hpp"
#include "core/solvers/multiplier_solver.hpp"
#include "lab/runs/run_spec.hpp"
#include "results/claims.hpp"
#include "results/contents.hpp"
#include "results/packs.hpp"

namespace daelab {
namespace TEST_FILE {

constexpr const char* review = "Ren, Zhou 2020";

struct Row {
  std::string subject, here, shown, where;
  bool is_absent() const { return here.starts_with("absent: "); }
};

std::string trimmed(const std::string& cell) {
  const std::size_t begin = cell.find_first_not_of(' '), end = cell.find_last_not_of(' ');
  return begin == std::string::npos ? "" : cell.substr(begin, end - begin + 1);
}

std::vector<Row> rows_of_the_page() {
  std::ifstream page(project_path("docs/survey.md"));
  std::vector<Row> rows;
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("| ") || line.starts_with("| named in the review")) continue;
    std::vector<std::string> cells;
    std::stringstream stream(line.substr(1));
    for (std::string cell; std::getline(stream, cell, '|');) cells.push_back(trimmed(cell));
    EXPECT_EQ(cells.size(), 5) << line;
    if (cells.size() == 5) rows.push_back({cells[0], cells[2], cells[3], cells[4]});
  }
  EXPECT_GT(rows.size(), 50u);  // there were 75
  return rows;
}

std::vector<std::string> code_in(const std::string& cell) {
  static const std::regex code("`([^`]+)`");
  std::vector<std::string> found;
  for (auto match = std::sregex_iterator(cell.begin(), cell.end(), code); match != std::sregex_iterator(); ++match)
    found.push_back((*match)[1]);
  return found;
}

template <class Kind>
bool makes(const std::string& spec) {
  const auto& registry = Registry<Kind>::instance();
  if (!registry.look_up(spec.substr(0, spec.find(':')))) return false;
  registry.make(spec, "docs/survey.md");  // throws for options that it does not have
  return true;
}
bool is_registered(const std::string& spec) {
  static const bool with_tableaus = (load_method_files(project_path("methods")), true);
  static_cast<void>(with_tableaus);
  return makes<Method>(spec) || makes<Formulation>(spec) || makes<Problem>(spec) || makes<MultiplierSolver>(spec);
}

bool is_option_of_runs(std::string name) {
  std::ranges::replace(name, '-', '_');
  return RunSpec().options().schema().contains(name.substr(2));
}

TEST(Survey, NamesWhatExists) {
  int compared = 0;
  for (const Row& row : rows_of_the_page()) {
    EXPECT_FALSE(code_in(row.here).empty()) << row.subject;
    for (const std::string& name : code_in(row.here)) {
      ++compared;
      if (row.is_absent())
        EXPECT_FALSE(is_registered(name)) << row.subject << ": " << name << " is not absent any more";
      else if (name.starts_with("--"))
        EXPECT_TRUE(is_option_of_runs(name)) << row.subject << ": " << name;
      else
        EXPECT_TRUE(is_registered(name)) << row.subject << ": " << name;
    }
  }
  EXPECT_GT(compared, 80);  // there were 105
}

TEST(Survey, SaysWhereThingsAreShown) {
  std::size_t compared = 0;
  for (const Row& row : rows_of_the_page()) {
    const std::vector<std::string> files = code_in(row.shown);
    compared += files.size();
    EXPECT_TRUE(row.is_absent() || !files.empty()) << row.subject;
    for (const std::string& file : files)
      EXPECT_TRUE(std::ifstream(project_path(file)).good()) << row.subject << ": " << file;
  }
  EXPECT_GT(compared, 70u);  // there were 91
}

// Sections, formulas, ... that the review has.
TEST(Survey, NamesPlacesOfTheReview) {
  const Json contents = read_entries("ren2020").at("contents");
  for (const Row& row : rows_of_the_page()) EXPECT_NO_THROW(check_location(row.where, contents, true, row.subject));
}

TEST(Survey, LeavesOutNothingThatCitesTheReview) {
  std::set<std::string> named;
  for (const Row& row : rows_of_the_page())
    for (const std::string& spec : code_in(row.here)) named.insert(spec.substr(0, spec.find(':')));
  int cite = 0;
  const auto check = [&](const ComponentRegistry& registry) {
    for (const std::string& name : registry.names())
      if (registry.find(name, "").source.find(review) != std::string::npos) {
        ++cite;
        EXPECT_TRUE(named.contains(name)) << name << " cites the review and is not in docs/survey.md";
      }
  };
  check(Registry<Method>::instance());
  check(Registry<Formulation>::instance());
  EXPECT_GE(cite, 9);  // as many as when this was written
}

}  // namespace TEST_FILE
}  // namespace daelab
