// The report as one file: everything it shows and runs is in it, nothing is loaded from elsewhere. Drawings and tables
// remain without its scripts; with them plots are explored, tables sorted, runs looked at, mechanisms moved.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/json.hpp"
#include "results/artifacts.hpp"

namespace daelab {

/// What made the numbers: ("compiler", "g++ 12.2.0").
using Origin = std::vector<std::pair<std::string, std::string>>;

/// One result set on the page.
struct PageSection {
  Artifacts artifacts;
  std::string folder;  // of its files, relative to the page
  // Files of each table or figure, by its id, to link to.
  std::map<std::string, std::vector<std::string>> table_files, figure_files;
  std::map<std::string, std::string> drawings;  // SVG of figures, by id
  Json data = Json::object();                   // for the scripts: set_data() in page_data.hpp
};

struct Page {
  std::string title;
  std::string reference;  // of the paper, as it is cited; "": none
  Origin origin;
  std::vector<Judgement> judgements;
  std::vector<std::string> verdict_files;
  std::vector<PageSection> sections;
  Json evidence = Json::object();                              // by the id of an entry: [set, [keys of runs]]
  std::map<std::string, std::set<std::string>> problems = {};  // by the id of an entry: what it is about
};

std::string page_to_html(const Page& page);

/// The sentence under the title, of pages of one set; "": none.
std::string sentence_of(const Page& page);

/// The file of the drawing of the figure that the page opens with, relative to the page; "": none.
std::string main_drawing(const Page& page);

}  // namespace daelab
