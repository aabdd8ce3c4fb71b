// The page's style and scripts: report/page/ and report/plotly/, put into the program by cmake/page_assets.cmake.
#pragma once

#include <string_view>

namespace daelab {

struct Asset {
  std::string_view text;
  std::string_view sha256;  // in hex digits
};

extern const Asset page_style, page_script;
extern const Asset plotly_script;  // plotly.js-basic, with its licence

}  // namespace daelab
