"""architecture.py must find every fault of a tree made for it, and nothing else.

Run: python3 tests/architecture_detects_violations.py
"""
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from architecture import EQUAL_STEMS_TODAY, LONG_TODAY

TESTS = os.path.dirname(os.path.abspath(__file__))

ALLOWED = {
    "core/base/good.cpp": '#include <vector>\n#include "core/base/good.hpp"\nconst double half = 0.5;\n'
                          "int n = mpfr_snprintf(nullptr, 0, f, x);\n",
    "methods/family/fair.cpp": '''#include "core/base/good.hpp"
#include "methods/family/engine.hpp"
// gamma = 0.5 [HW96, Sec. IV.5]
const Exact gamma("0.5");  // not 0.25
const TableauEntry<Rule> rule;
const char* schema = R"json({"default": 0.5,
  "maximum": 1.5})json";
const int a[2] = {
    1, x[0].y1.z2};
''',
    "formulations/mine.cpp": 'struct Mine {\n  static constexpr const char* name = "my-index-4";\n};\n',
    "app/fine.cpp": '#include "experiments/good.hpp"\n#include "report/good.hpp"\n',
    "experiments/kinds/allowed.cpp": '#include "analysis/good.hpp"\n#include "lab/runs/good.hpp"\n'
                                     '#include "results/good.hpp"\n',
    "core/base/first.hpp": "namespace daelab {\nstruct Twin;\nstruct Twin {\n  int x = 0;\n};\n}\n",
    "core/base/nested.hpp": "namespace daelab::nested {\nstruct Twin {\n  int x = 0;\n};\n}\n",
    "core/base/longest.cpp": "int x;\n" * 400,
    "docs/long.md": "words\n" * 500,
    # Stems that stand again: of a file and its header, of a component, of what is fuzzed or loaded, of programs.
    "core/solvers/good_pair.cpp": "", "core/solvers/good_pair.hpp": "",
    "multiplier_solvers/good_pair.cpp": "const MultiplierSolverEntry<GoodPair> entry;\n",
    "fuzz/good_pair.cpp": "", "modules/good_pair.hpp": "", "app/main.cpp": "", "tests/main.cpp": "",
    "multiplier_solvers/written_out.cpp": "class WrittenOut {};  // written out\n",
    "app/name_of_a_solver.cpp": 'solver("written-out");\n',
}

# A file and the line in it that must be reported.
FAULTS = """
core/base/a1.cpp          | #include "results/x.hpp"
core/base/b1.hpp          | #include "x.hpp"
core/base/c1.cpp          | #include "../methods/x.hpp"
core/base/d1.cpp          | #  include <problems/x.hpp>
core/base/e1.cpp          | #include "core/solvers/x.hpp"
core/expressions/a2.cpp   | #include "core/solvers/x.hpp"
core/solvers/a3.cpp       | #include "core/mechanism/x.hpp"
core/elimination/a4.cpp   | #include "core/mechanism/x.hpp"
core/mechanism/a5.cpp     | #include "core/documents/x.hpp"
core/export/a6.cpp        | #include "core/documents/x.hpp"
core/start/a7.cpp         | #include "core/equations/x.hpp"
core/equations/a8.cpp     | #include "core/integration/x.hpp"
report/layout/a9.cpp      | #include "report/figures/x.hpp"
solvers/a10.cpp           | in no folder of cmake/source_folders.txt
core/a11.cpp              | in no folder of cmake/source_folders.txt
experiments/rooms/a12.cpp | nothing says what experiments/rooms/ may include
problems/a13.cpp          | #include "methods/x.hpp"
formulations/a14.cpp      | #include "problems/x.hpp"
methods/family/a15.cpp    | #include "methods/other/x.hpp"
methods/a16.cpp           | #include "formulations/x.hpp"
analysis/a17.cpp          | #include "results/x.hpp"
results/a18.cpp           | #include "report/x.hpp"
experiments/kinds/a19.cpp | #include "methods/x.hpp"
experiments/kinds/b19.cpp | #include "report/x.hpp"
experiments/kinds/c19.cpp | #include "lab/x.hpp"
lab/runs/a20.cpp  | #include "experiments/kinds/x.hpp"
experiments/measures/a.cpp| #include "experiments/references/x.hpp"
lab/a21.cpp               | #include "report/x.hpp"
report/a22.cpp            | #include "analysis/x.hpp"
report/b22.cpp            | #include "experiments/x.hpp"
report/c22.cpp            | #include "lab/x.hpp"
app/a23.cpp               | #include "problems/x.hpp"
problems/b13.cpp          | const double g = 9.81
problems/c13.cpp          | f("a", .5, "b")
problems/d13.cpp          | x = 2.5e-3
methods/family/b15.cpp    | const TableauEntry<Rule> half(1.5)
problems/e13.cpp          |   static constexpr bool conserves_enrgy = false
methods/family/c15.cpp    | if (formulation == "my-index-4") return 4
methods/family/d15.cpp    | s.carries = acceleration == "carried"
core/integration/b8.cpp   | return "my-index-4" != name
results/b18.cpp           | const double x = std::strtod(text, nullptr)
modules/a24.cpp           | return std::stod (text)
core/base/f1.cpp          | // Runs in lockstep
python/a25.py             | # what is written out
docs/a26.md               | WrittenOutSlopes
tests/a27_test.cpp        | // trusted pivots
"""

# Other files, and complaints about them.
MORE_FAULTS = {
    "core/solvers/second.hpp": ("namespace daelab {\nclass Twin final : public Base {\n};\n}\n",
                                "core/solvers/second.hpp: class Twin final : public Base {   "
                                "(daelab::Twin is in core/base/first.hpp, too)"),
    "tests/lengthy_test.cpp": ("int x;\n" * 401, "tests/lengthy_test.cpp: has 401 lines, 400 are allowed"),
    "report/page/lengthy.js": ("x;\n" * 500, "report/page/lengthy.js: has 500 lines, 400 are allowed"),
    "python/lengthy.py": ("x\n" * 401, "python/lengthy.py: has 401 lines, 400 are allowed"),
    "results/again.hpp": ("", "again: is a file in lab and in results"),
    "lab/again.cpp": ("", "again: is a file in lab and in results"),
    "app/inherited.cpp": ("", "inherited: is a file in app and in tests"),
    "tests/inherited.hpp": ("", "inherited: is a file in app and in tests"),
}


# No file of the tree is in the lists of today, which must become shorter then.
OUTDATED = ({f"{path}: is no longer long, take it out of LONG_TODAY" for path in LONG_TODAY} |
            {f"{stem}: is in one room, take it out of EQUAL_STEMS_TODAY" for stem in EQUAL_STEMS_TODAY})


def complaints(tree):
    run = subprocess.run([sys.executable, os.path.join(TESTS, "architecture.py"), tree], capture_output=True, text=True)
    lines = run.stderr.splitlines()
    if run.returncode not in (0, 1) or "Traceback" in run.stderr or (run.returncode == 0) != (not lines):
        sys.exit(f"architecture.py: exit code {run.returncode}\n{run.stderr}")
    found = {line.strip() for line in lines[1:]}
    if not OUTDATED <= found:
        sys.exit("not reported: " + "\n".join(sorted(OUTDATED - found)))
    return found - OUTDATED


def write(tree, path, text):
    os.makedirs(os.path.dirname(os.path.join(tree, path)), exist_ok=True)
    with open(os.path.join(tree, path), "w", encoding="utf-8") as file:
        file.write(text)


with tempfile.TemporaryDirectory() as tree:
    with open(os.path.join(TESTS, "../cmake/source_folders.txt"), encoding="utf-8") as folders:
        write(tree, "cmake/source_folders.txt", folders.read())
    for path, text in ALLOWED.items():
        write(tree, path, text)
    if found := complaints(tree):
        sys.exit("reported without a fault:\n" + "\n".join(sorted(found)))

    expected = []
    for fault in FAULTS.strip().split("\n"):
        path, line = re.fullmatch(r"(\S+) *\| (.*)", fault).groups()
        write(tree, path, f"// A fault.\n{line}\n")
        expected.append((path + ": ", line))
    for path, (text, complaint) in MORE_FAULTS.items():
        write(tree, path, text)
        expected.append(("", complaint))
    found = complaints(tree)
    for path, line in expected:
        hits = {complaint for complaint in found if complaint.startswith(path) and line in complaint}
        if not hits:
            sys.exit(f"not reported: {path}{line}\n" + "\n".join(sorted(found)))
        found -= hits if path else set()
    if rest := found - {complaint for _, complaint in expected}:
        sys.exit("reported without a fault:\n" + "\n".join(sorted(rest)))
