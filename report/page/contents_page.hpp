// A page that lists the pages of several result sets, with a picture and a line of each.
#pragma once

#include <string>
#include <vector>

namespace daelab {

struct ContentsEntry {
  std::string title, line;  // what came out
  std::string page;         // its address, relative to this page
  std::string drawing;      // address of a picture, relative to this page; "": none
};

std::string contents_to_html(const std::string& title, const std::vector<ContentsEntry>& entries);

}  // namespace daelab
