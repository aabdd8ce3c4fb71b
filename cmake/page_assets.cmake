# Writes FILE, the style and the scripts of the page (report/page/, report/plotly/) as texts of the program with their
# SHA-256, by which the page allows these scripts and no others.
# Run: cmake -D ROOT=<source dir> -D FILE=<file> -P cmake/page_assets.cmake
set(scripts base address table plot choices explore runs motion start)  # in the order they run in

# add(NAME TEXT): a text of at most some MB
function(add name text)
  string(SHA256 hash "${text}")
  set(code "${code}const Asset ${name} = {R\"page_asset(${text})page_asset\", \"${hash}\"};\n" PARENT_SCOPE)
endfunction()

set(code "#include \"report/page/page_assets.hpp\"\n\nnamespace daelab {\n\n")
file(READ ${ROOT}/report/page/page.css style)
add(page_style "${style}")

set(script "(() => {\n'use strict';\n")
foreach(name ${scripts})
  file(READ ${ROOT}/report/page/${name}.js part)
  string(APPEND script "${part}")
endforeach()
add(page_script "${script}})();\n")

file(STRINGS ${ROOT}/report/plotly/SHA256SUMS sums)
string(REGEX REPLACE " .*" "" expected "${sums}")
file(SHA256 ${ROOT}/report/plotly/plotly-basic.min.js found)
if(NOT found STREQUAL expected)
  message(FATAL_ERROR "report/plotly/plotly-basic.min.js has the checksum ${found}, SHA256SUMS says ${expected}")
endif()
file(READ ${ROOT}/report/plotly/plotly-basic.min.js plotly)
file(READ ${ROOT}/report/plotly/LICENSE licence)
add(plotly_script "/*! plotly.js-basic-dist-min, SHA-256 ${found}\n\n${licence}*/\n${plotly}")

string(APPEND code "\n}  // namespace daelab\n")
file(WRITE ${FILE} "${code}")
