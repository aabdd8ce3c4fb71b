"""Fails when the sources break a rule of the house: each function below is a rule, and says which.

Run: python3 tests/architecture.py ROOT
"""
import os
import re
import sys
from collections import defaultdict

# room                      may include, beside itself
TABLE = """
core/base
core/expressions            core/base
core/solvers                core/base core/expressions
core/elimination            core/base core/expressions core/solvers
core/mechanism              core/base core/expressions core/solvers core/elimination
core/accelerations          core/base core/expressions core/solvers core/elimination core/mechanism
core/start                  core/base core/expressions core/solvers core/mechanism core/accelerations
core/documents              core/base core/expressions core/solvers core/mechanism core/accelerations core/start
core/export                 core/base core/expressions core/solvers core/mechanism
$models                     core/elimination core/mechanism core/accelerations core/start core/documents core/export
core/equations              core/base core/expressions core/solvers $models
core/integration            core/base core/expressions core/solvers $models core/equations
problems                    core
formulations                core
multiplier_solvers          core
methods                     core modules  # a family: no other family
analysis                    core methods
results                     core modules
lab/runs                    core analysis results  # problems, formulations, methods: through the registry
experiments/measures        core analysis results lab/runs
experiments/references      core methods analysis results lab/runs modules  # more stages than names have
experiments/kinds           core analysis results lab/runs experiments/measures
lab                         core analysis results lab/runs experiments  # the library's doors
report/layout               core modules results  # all of it works from stored results alone
report/sketch               core modules results report/layout
report/tables               core modules results report/layout
report/figures              core modules results report/layout report/sketch
report/page                 core modules results report/layout report/tables
report                      core modules results report
cluster                     core results lab/runs experiments  # sets of runs on many machines
app                         core analysis results experiments lab report cluster
"""

MOST_LINES = 400
LONG_TODAY = set()

# Stems that stand in two rooms today. The list may only become shorter.
EQUAL_STEMS_TODAY = set()

# Private words, and what the glossary says instead.
REPLACED_WORDS = {
    r"lockstep": "in lanes",
    r"written[ _]?out": "generated",  # `written-out` is the name of a multiplier solver
    r"(dis|un)?trust(ed)? (in )?pivots?|pivots? (is|are) (not |un|dis)?trusted": "pivots above their thresholds",
    r"\bin fours\b": "in lanes",
    r"\b(rungs?|ladders?)\b": "orders, a family of tableaus",
}
MAY_SAY_THEM = {"CHANGELOG.md", "multiplier_solvers/written_out.cpp", "tests/run_sources_test.cpp",  # names that file
                "methods/taylor/solution_series.cpp", "problems/given_matrices.cpp",  # texts for users
                "tests/architecture.py", "tests/architecture_detects_violations.py"}

# Constants that core/mechanism/problem.hpp finds by name: a misspelt one would say nothing.
FACTS = set("name summary source end_time conserves_energy redundant_constraints least_size max_step independent_route".split())

# Numbers in text are read and written by from_chars, to_chars and fmt: the C library's functions and streams do it as
# the locale says that a host has set.
OF_LOCALE = re.compile(r"(?<![A-Za-z0-9_])(strtof|strtod|strtold|stof|stod|stold|atof|v?sscanf|scanf|fscanf|sprintf|"
                       r"v?snprintf|setprecision|lexical_cast)(<[a-z0-9: ]*>)? *\(")

COMPONENTS = ("formulations", "methods", "multiplier_solvers", "problems")


class File:
    def __init__(self, root, path):
        self.path, self.folder = path, os.path.dirname(path)
        self.stem, self.ending = os.path.splitext(os.path.basename(path))
        self.is_cpp = re.fullmatch(r"\..pp", self.ending) is not None
        with open(os.path.join(root, path), encoding="utf-8") as file:
            self.text = file.read()
        self.floor = next((floor for floor in FLOORS if self.is_in(floor)), None)  # None: beside the program

    def is_in(self, *folders):
        return any(self.path.startswith(folder + "/") for folder in folders)

    def registers(self):
        """Whether it holds components, which users know by name."""
        return "Entry<" in self.text and self.is_in(*COMPONENTS, "experiments/kinds")

    def code(self):
        """Lines without raw strings and quotes within strings."""
        text = self.text.replace('\\"', "").replace("'\"'", "")
        return re.sub(r'R"(\w*)\(.*?(\)\1"|\Z)', "", text, flags=re.DOTALL).split("\n")


def read_rooms():
    rooms = {}
    for line in TABLE.splitlines():
        room, *allowed = line.split("#")[0].split() or [""]
        rooms[room] = [name for word in allowed for name in (rooms[word] if word[0] == "$" else [word])]
    return rooms


def read_folders(root):
    with open(os.path.join(root, "cmake/source_folders.txt"), encoding="utf-8") as file:
        return dict(line.split() for line in file if not line.startswith("#"))


def read_files(root):
    endings = (".cpp", ".hpp", ".cc", ".py", ".js", ".sh", ".cmake", ".md")
    for folder, folders, names in os.walk(root):
        made = {"build", "out"} if folder == root else {"__pycache__"}
        folders[:] = sorted(name for name in folders if name[0] != "." and name not in made)
        for name in sorted(names):
            if name.endswith(endings):
                yield File(root, os.path.relpath(os.path.join(folder, name), root))


def are_built(files):
    """Sources are where the build looks."""
    for file in files:
        if file.is_cpp and not file.is_in(*FOLDERS):
            yield f"{file.path}: in no folder of cmake/source_folders.txt"


def include_downwards(files):
    """A file includes its own folder, and what the table lets its room include."""
    rooms = read_rooms()
    any_include = re.compile(r' *# *include *("|<(' + "|".join(FLOORS) + ")/)")
    for file in files:
        if not (file.is_cpp and file.floor):
            continue
        room = next((name for name in (file.folder, file.floor) if name in rooms), None)
        if room is None:
            yield f"{file.path}: nothing says what {file.folder}/ may include"
        allowed = "|".join([file.folder] + rooms.get(room, []))
        for line in file.code():
            if any_include.match(line) and not re.match(rf' *# *include *(["<]({allowed})/|"source_folder\.hpp")', line):
                yield f"{file.path}: {line}   (allowed: {allowed})"


def have_exact_constants(files):
    """Problems and files that register methods have no decimal constant outside Exact("...")."""
    for file in files:
        if file.is_cpp and (file.floor == "problems" or file.floor == "methods" and file.registers()):
            for line in file.code():
                code = re.sub(r"//.*", "", re.sub(r'"[^"]*"', "", line))
                if re.search(r"(?<![A-Za-z0-9_.])([0-9]+\.[0-9]*|\.[0-9]+)", code):
                    yield f'{file.path}: decimal constant outside Exact("..."): {line}'


def have_known_facts(files):
    """Problems state facts that somebody reads."""
    for file in files:
        if file.folder == "problems" and file.ending == ".cpp":
            for line in re.findall(r"^  static constexpr (?:bool|Index|int|const char\*) [a-z_]+ =.*", file.text, re.M):
                if line.split(" =")[0].split()[-1].lstrip("*") not in FACTS:
                    yield f"{file.path}: no fact of problems, nobody reads it: {line}   (known: {' '.join(sorted(FACTS))})"


def compare_no_names(files):
    """Facts are asked, not spelled: traits, attributes and enumerations answer, so that a component of another name gets
    the same answers. A component does not compare with any text: an option with named values is an enumeration."""
    names = [name for file in files if file.is_in(*COMPONENTS) and file.ending == ".cpp"
             for name in re.findall(r'static constexpr const char\* name = "([^"]+)"', file.text)]
    for file in files:
        if file.is_cpp and file.floor:
            name = '[^"\n]+' if file.floor in COMPONENTS else "|".join(map(re.escape, names))
            for line in file.text.split("\n"):
                if re.search(rf'[=!]= *"({name})"|"({name})" *[=!]=', line):
                    yield f"{file.path}: compares with a name: {line}"


def do_not_ask_the_locale(files):
    for file in files:
        if file.is_cpp and (file.floor or file.is_in("modules", "python/bindings")):
            for line in file.text.split("\n"):
                if OF_LOCALE.search(line):
                    yield f"{file.path}: depends on the locale, core/base/number_text.hpp does not: {line}"


def have_types_of_their_own(files):
    """Two types of one name in one namespace: no compiler or linker objects while no file includes both, and the linker
    keeps one of their copy constructors for both."""
    header_of = {}
    for file in files:
        namespace = ""
        if file.floor and file.ending == ".hpp":
            for line in file.text.split("\n"):
                if opened := re.match(r"namespace ([a-z0-9_:]+) \{", line):
                    namespace = opened[1]
                elif type_ := re.match(r"(?:struct|enum class|enum|class) ([A-Za-z0-9]+)( final)?( :[^:].*)? \{", line):
                    name = f"{namespace}::{type_[1]}"
                    if header_of.setdefault(name, file.path) != file.path:
                        yield f"{file.path}: {line}   ({name} is in {header_of[name]}, too)"


def are_short(files):
    """A file that must be scrolled through for minutes is several files."""
    long = {file.path: file.text.count("\n") for file in files if file.ending != ".md"}
    long = {path: lines for path, lines in long.items() if lines > MOST_LINES}
    for path in long.keys() - LONG_TODAY:
        yield f"{path}: has {long[path]} lines, {MOST_LINES} are allowed"
    yield from (f"{path}: is no longer long, take it out of LONG_TODAY" for path in sorted(LONG_TODAY - long.keys()))


def have_stems_of_their_own(files):
    """A stem is in one room, so that a name says where it is. Not counted: files that register a component, whose name is
    that of users; `main`, one a program; folders that mirror what they fuzz, load or bind."""
    rooms = defaultdict(set)
    named = {(file.folder, file.stem) for file in files if file.registers()}
    for file in files:
        if (file.is_cpp and file.stem != "main" and (file.folder, file.stem) not in named
                and not file.is_in("fuzz", "modules", "python/bindings")):
            rooms[file.stem].add(file.folder)
    equal = {stem for stem, folders in rooms.items() if len(folders) > 1}
    for stem in sorted(equal - EQUAL_STEMS_TODAY):
        yield f"{stem}: is a file in {' and in '.join(sorted(rooms[stem]))}"
    yield from (f"{stem}: is in one room, take it out of EQUAL_STEMS_TODAY" for stem in sorted(EQUAL_STEMS_TODAY - equal))


def say_the_words_of_the_glossary(files):
    for file in files:
        if file.path not in MAY_SAY_THEM:
            for line in file.text.split("\n"):
                for word, instead in REPLACED_WORDS.items():
                    if re.search(word, line, re.IGNORECASE):
                        yield f"{file.path}: a private word, say {instead}: {line}"


RULES = (are_built, include_downwards, have_exact_constants, have_known_facts, compare_no_names, do_not_ask_the_locale,
         have_types_of_their_own, are_short, have_stems_of_their_own, say_the_words_of_the_glossary)

if __name__ == "__main__":
    ROOT = os.path.abspath(sys.argv[1])
    FOLDERS = read_folders(ROOT)
    FLOORS = [folder for folder, role in FOLDERS.items() if role in ("numbers", "library", "program")]
    FILES = list(read_files(ROOT))
    broken = [complaint for rule in RULES for complaint in rule(FILES)]
    if broken:
        sys.exit("\n  ".join(["architecture rules broken:"] + broken))
