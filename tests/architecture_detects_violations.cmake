# architecture.cmake must find every fault of a tree made for it, and nothing else.
# Run: cmake -D TREE=<folder to fill> -P tests/architecture_detects_violations.cmake
cmake_minimum_required(VERSION 3.25)

function(check_tree expected_exit)
  execute_process(COMMAND ${CMAKE_COMMAND} -D ROOT=${TREE} -P ${CMAKE_CURRENT_LIST_DIR}/architecture.cmake
                  RESULT_VARIABLE exit ERROR_VARIABLE complaints)
  if(NOT exit EQUAL expected_exit)
    message(FATAL_ERROR "architecture.cmake: exit code ${exit} instead of ${expected_exit}\n${complaints}")
  endif()
  # CMake wraps long messages; compare without layout.
  string(REGEX REPLACE "[ \n]+" " " complaints "${complaints}")
  set(complaints "${complaints}" PARENT_SCOPE)
endfunction()

# What is allowed.
file(REMOVE_RECURSE ${TREE})
file(WRITE ${TREE}/core/base/good.cpp "#include <vector>\n#include \"core/base/good.hpp\"\nconst double half = 0.5;\nint n = mpfr_snprintf(nullptr, 0, f, x);\n")
file(WRITE ${TREE}/methods/family/good.cpp [==[
#include "core/base/good.hpp"
#include "methods/family/engine.hpp"
// gamma = 0.5 [HW96, Sec. IV.5]
const Exact gamma("0.5");  // not 0.25
const char* schema = R"json({"default": 0.5,
  "maximum": 1.5})json";
const int a[2] = {
    1, x[0].y1.z2};
]==])
file(WRITE ${TREE}/formulations/good.cpp "struct Mine {\n  static constexpr const char* name = \"my-index-4\";\n};\n")
file(WRITE ${TREE}/app/good.cpp "#include \"experiments/good.hpp\"\n#include \"report/good.hpp\"\n")
file(WRITE ${TREE}/experiments/kinds/good.cpp "#include \"analysis/good.hpp\"\n#include \"lab/runs/good.hpp\"\n#include \"results/good.hpp\"\n")
file(WRITE ${TREE}/core/base/first.hpp "namespace daelab {\nstruct Twin;\nstruct Twin {\n  int x = 0;\n};\n}\n")
file(WRITE ${TREE}/core/base/nested.hpp "namespace daelab::nested {\nstruct Twin {\n  int x = 0;\n};\n}\n")
check_tree(0)

# What is not: every line of `faults` is a file and the line in it that must be reported.
set(faults
    "core/base/a.cpp|#include \"results/x.hpp\""
    "core/base/b.hpp|#include \"x.hpp\""
    "core/base/c.cpp|#include \"../methods/x.hpp\""
    "core/base/d.cpp|#  include <problems/x.hpp>"
    "core/base/e.cpp|#include \"core/solvers/x.hpp\""
    "core/expressions/a.cpp|#include \"core/solvers/x.hpp\""
    "core/solvers/a.cpp|#include \"core/mechanism/x.hpp\""
    "core/elimination/a.cpp|#include \"core/mechanism/x.hpp\""
    "core/mechanism/a.cpp|#include \"core/documents/x.hpp\""
    "core/export/a.cpp|#include \"core/documents/x.hpp\""
    "core/start/a.cpp|#include \"core/equations/x.hpp\""
    "report/layout/a.cpp|#include \"report/figures/x.hpp\""
    "core/equations/a.cpp|#include \"core/integration/x.hpp\""
    "solvers/a.cpp|in no folder of cmake/source_folders.txt"
    "core/a.cpp|in no folder of cmake/source_folders.txt"
    "experiments/rooms/a.cpp|nothing says what experiments/rooms/ may include"
    "problems/a.cpp|#include \"methods/x.hpp\""
    "problems/b.cpp|const double g = 9.81"
    "problems/c.cpp|f(\"a\", .5, \"b\")"
    "formulations/a.cpp|#include \"problems/x.hpp\""
    "methods/family/a.cpp|#include \"methods/other/x.hpp\""
    "methods/a.cpp|#include \"formulations/x.hpp\""
    "methods/family/b.cpp|const TableauEntry<Rule> half(1.5)"
    "problems/d.cpp|x = 2.5e-3"
    "analysis/a.cpp|#include \"results/x.hpp\""
    "results/a.cpp|#include \"report/x.hpp\""
    "experiments/kinds/a.cpp|#include \"methods/x.hpp\""
    "experiments/kinds/b.cpp|#include \"report/x.hpp\""
    "lab/runs/a.cpp|#include \"experiments/kinds/x.hpp\""
    "lab/runs/b.cpp|#include \"lab/x.hpp\""
    "experiments/measures/a.cpp|#include \"experiments/references/x.hpp\""
    "lab/a.cpp|#include \"report/x.hpp\""
    "experiments/kinds/c.cpp|#include \"lab/x.hpp\""
    "report/c.cpp|#include \"lab/x.hpp\""
    "report/a.cpp|#include \"analysis/x.hpp\""
    "report/b.cpp|#include \"experiments/x.hpp\""
    "methods/family/c.cpp|if (formulation == \"my-index-4\") return 4"
    "core/integration/b.cpp|return \"my-index-4\" != name"
    "methods/family/d.cpp|s.carries = acceleration == \"carried\""
    "problems/e.cpp|  static constexpr bool conserves_enrgy = false"
    "app/a.cpp|#include \"problems/x.hpp\""
    "results/b.cpp|const double x = std::strtod(text, nullptr)"
    "modules/a.cpp|return std::stod (text)")
file(WRITE ${TREE}/core/solvers/second.hpp "namespace daelab {\nclass Twin final : public Base {\n};\n}\n")
foreach(fault ${faults})
  string(REGEX MATCH "^([^|]*)\\|(.*)$" whole "${fault}")
  file(WRITE ${TREE}/${CMAKE_MATCH_1} "// A fault.\n${CMAKE_MATCH_2}\n")
endforeach()
check_tree(1)
foreach(fault ${faults})
  string(REGEX MATCH "^([^|]*)\\|(.*)$" whole "${fault}")
  string(REGEX REPLACE " +" " " line "${CMAKE_MATCH_2}")
  string(FIND "${complaints}" "${CMAKE_MATCH_1}: " file_found)
  string(FIND "${complaints}" "${line}" line_found)
  if(file_found EQUAL -1 OR line_found EQUAL -1)
    message(FATAL_ERROR "not reported: ${CMAKE_MATCH_1}: ${line}\n${complaints}")
  endif()
endforeach()
if(NOT complaints MATCHES "core/solvers/second.hpp: class Twin final : public Base { .daelab::Twin is in core/base/first.hpp, too")
  message(FATAL_ERROR "not reported: a second type of one name\n${complaints}")
endif()
if(complaints MATCHES "good|nested")
  message(FATAL_ERROR "reported without a fault:\n${complaints}")
endif()
file(REMOVE_RECURSE ${TREE})
