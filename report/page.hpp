// The report as one static page: no script, nothing loaded from elsewhere.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "results/artifacts.hpp"

namespace daelab {

/// One result set on the page.
struct PageSection {
  Artifacts artifacts;
  std::string folder;  // of its files, relative to the page
  // Files of each table or figure, by its id, to link to.
  std::map<std::string, std::vector<std::string>> table_files, figure_files;
};

struct Page {
  std::string title;
  std::vector<Judgement> judgements;
  std::vector<std::string> verdict_files;
  std::vector<PageSection> sections;
};

std::string page_to_html(const Page& page);

}  // namespace daelab
