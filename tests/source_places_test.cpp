// What sources of components and comments say about papers can be looked up: "[Ren20, (34)]", "Ivanov 2023, section 4".
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <vector>

#include "core/base/paths.hpp"
#include "results/claims.hpp"
#include "results/packs.hpp"

namespace daelab {
namespace TEST_FILE {

namespace fs = std::filesystem;

const std::map<std::string, std::string> papers_by_tag = {
    {"Ren20", "ren2020"}, {"Iv23", "ivanov2023"}, {"Li19", "li2019"}, {"Wang", "wang"}, {"Tb", "textbook"}};

const Json& entries_of(const std::string& paper) {
  static std::map<std::string, Json> read;
  const auto known = read.find(paper);
  return known != read.end() ? known->second : read.emplace(paper, read_entries(paper)).first->second;
}

// Comments and texts of several lines in one.
std::string joined(const fs::path& file) {
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  const std::string comments = std::regex_replace(text.str(), std::regex("\n *//+ ?"), " ");
  return std::regex_replace(comments, std::regex("\" *\n *\""), "");
}

struct Citation {
  fs::path file;
  std::string paper, place;
};

void add_all(const std::string& text, const std::regex& pattern, const auto& add) {
  for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match) add(*match);
}

void add_citations(const fs::path& file, std::vector<Citation>& citations) {
  const std::string text = joined(file);
  add_all(text, std::regex(R"(\[(Ren20|Iv23|Li19|Wang|Tb), ([^\]]*)\])"), [&](const std::smatch& match) {
    citations.push_back({file, papers_by_tag.at(match[1]), match[2]});
  });
  add_all(text, std::regex(R"rx( source =\s*"([^"]*)")rx"), [&](const std::smatch& source) {
    for (const auto& [tag, paper] : papers_by_tag) {
      const std::string cited = entries_of(paper).value("cited_as", "Textbook on electromechanical CAD");
      add_all(source[1], std::regex(cited + "[ ,(]+([^;]*)"), [&, paper = paper](const std::smatch& match) {
        citations.push_back({file, paper, match[1]});
      });
    }
  });
}

std::vector<Citation> all_citations() {
  std::vector<Citation> citations;
  for (const char* folder :
       {"analysis", "core", "experiments", "formulations", "methods", "multiplier_solvers", "problems"})
    for (const auto& entry : fs::recursive_directory_iterator(project_path(folder)))
      if (entry.path().extension() == ".cpp" || entry.path().extension() == ".hpp")
        add_citations(entry.path(), citations);
  return citations;
}

struct PlacePattern {
  const char *list, *pattern, *prefix;
};
// Without "step (2)" of an algorithm.
constexpr PlacePattern place_patterns[] = {
    {"formulas", R"((?:^|[^p] |[^ ])\((\d+(?:[.\-]\d+)?[a-d]?)\))", ""},
    {"sections", R"([Ss]ec(?:\.|tions?) (\d+(?:\.\d+)*)(?: and (\d+(?:\.\d+)*))?)", ""},
    {"tables", R"([Tt]ables? (\d+)(?:(?:-| and | to )(\d+))?)", ""},
    {"figures", R"([Ff]igures? (\d+)(?:(?:-| and | to )(\d+))?)", ""},
    {"parts", R"([Aa]lgorithm (\d+))", "Algorithm "},
    {"parts", R"([Ll]emmas? (\d+)(?: to (\d+))?)", "Lemma "}};

// Those of the paper's contents that the text names.
int places_in(const Citation& citation) {
  const Json& contents = entries_of(citation.paper).at("contents");
  int places = citation.place.find("introduction") != std::string::npos;
  for (const auto& [list, pattern, prefix] : place_patterns) {
    const std::vector<std::string> known = contents.at(list);
    add_all(citation.place, std::regex(pattern), [&, prefix = prefix](const std::smatch& match) {
      for (std::size_t i = 1; i < match.size(); ++i) {
        if (!match[i].matched) continue;
        ++places;
        EXPECT_NE(std::find(known.begin(), known.end(), prefix + match[i].str()), known.end())
            << citation.file << ": " << citation.paper << " has no " << match[0] << " in [" << citation.place << "]";
      }
    });
  }
  return places;
}

TEST(SourcePlaces, AreInThePapers) {
  const std::vector<Citation> citations = all_citations();
  EXPECT_GT(citations.size(), 90u);
  for (const Citation& citation : citations)
    EXPECT_GT(places_in(citation), 0) << citation.file << " names no place of " << citation.paper << ": "
                                      << citation.place;
}

}  // namespace TEST_FILE
}  // namespace daelab
