// One mechanism by several methods side by side as a page of its own, for a talk: one file, which opens offline.
#pragma once

#include <string>
#include <vector>

#include "core/base/json.hpp"
#include "report/layout/motion.hpp"
#include "report/page/page.hpp"
#include "report/page/page_data.hpp"

namespace daelab {

struct MotionPage {
  std::string title, command;  // that made the page
  Origin origin;
  std::vector<MovingOutline> motions;
  std::vector<Json> records;          // of the runs, with "key" and "spec"
  std::vector<std::string> warnings;  // what failed, and why
  std::string errors_against;         // the run that errors are against, or why there are none
  std::string drawing;                // SVG of the start, where scripts are off; "": none
};

std::string motion_page_to_html(const MotionPage& page, const CommandOfRun& command_of);

}  // namespace daelab
