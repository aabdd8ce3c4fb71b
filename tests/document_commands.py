"""Carries out every command of README.md, CONTRIBUTING.md and docs/*.md as printed, each document in an empty folder.

A command is a line of an indented block, or of a block marked `sh` or `console`, that begins with a program of PROGRAMS; what
follows two blanks is its comment. A folder holds the program as ./daelab, links to docs/ and experiments/, and the files that
blocks with a title state. SKIPPED says which commands are not carried out, each with its reason; a reason that fits no command
is an error, too. The tutorials have a test of their own, tests/tutorials.sh.

Run: python3 tests/document_commands.py PROGRAM [DOCUMENT...]
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = (r"\./daelab|daelab|\.ci/\S+|build/\S+|bench/\S+|pip|python3?|cmake|ctest|docker|apt|mpirun|parallel|sed|gdb|"
            r"h5dump|curl|git|conda|npm|node|make|gnuplot")
COMMAND = re.compile(rf"^(\$ )?([A-Z_]+=\S+ )*({PROGRAMS})( |$)")
TIMEOUT = 60  # seconds for one command

SKIPPED = {
    r"([A-Z_]+=\S+ )?\./daelab (test|bench|build|packages|deb|python|site)\b": "builds, installs or tests: the launcher does it",
    r"([A-Z_]+=\S+ )*(\.ci|build|bench)/|ctest |cmake ": "a script or test of its own",
    r".* experiments/(lab/\*|lab/newton-default|trust/trust)\.json": "takes more than 10 s; .ci/latex makes these sets",
    r"\./daelab reproduce test-set$": "takes more than 10 s; .ci/latex makes a part of it",
    r".* certify .*--store": "writes into results/reference",
    r".* dop853\.csv": "needs a table that SciPy makes",
    r".* audit .*(slip|library|claims|member)\.json": "refutes a claim, which its exit code says",
    r"(pip|apt|docker|python3?) ": "installs, or needs what was installed",
    "daelab ": "needs what was installed",
    r"(mpirun|parallel) |.*--engine ": "needs a cluster: tests/cluster.sh",
    r".*\b(CONFIG|FILE|SPEC|NAME|DIR|KEY)\b|.* \.\.\. ": "has a name that the reader puts in",
}


def commands(text):
    """The commands of a document, without their comments."""
    fence, joined = "", ""
    for line in text.splitlines():
        if re.match(r"^ *```", line):
            fence = "" if fence else line.strip(" `").split(" ")[0] or "plain"
            continue
        if not (fence in ("sh", "console") or not fence and line.startswith("    ")):
            continue
        line = joined + line.strip()
        joined = line[:-1] if line.endswith("\\") else ""
        if not joined and COMMAND.match(line):
            yield re.split(r"\s{2,}|\s#\s", line.removeprefix("$ "), maxsplit=1)[0]


def titled_files(text):
    return re.findall(r'^```[a-z]* title="([^"]*)"\n(.*?)^```', text, re.MULTILINE | re.DOTALL)


def failure(command, folder, environment):
    """What a command that failed has printed; nothing of one that went well."""
    try:
        done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=TIMEOUT, check=False)
    except subprocess.TimeoutExpired:
        return f"longer than {TIMEOUT} s"
    return "" if done.returncode == 0 else f"exit code {done.returncode}\n{done.stdout[-2000:]}"


def absent(program):
    """What to skip because this machine lacks it."""
    listed = subprocess.run([program, "list", "methods"], env={**os.environ, "DAELAB_ROOT": str(ROOT)}, stdout=subprocess.PIPE,
                            text=True, check=True).stdout
    skipped = {} if re.search(r"\bcvode\b", listed) else {r".*--method (cvode|ida)\b": "this program lacks these modules"}
    return skipped if shutil.which("h5dump") else {**skipped, "h5dump ": "h5dump is not installed"}


def carry_out(document, program, skips):
    """Lines of a log, the skips that were used, how many commands were carried out, and what failed."""
    text = document.read_text(encoding="utf-8")
    environment = {**os.environ, "DAELAB_ROOT": str(ROOT)}
    log, used, ran, failed = [str(document.relative_to(ROOT))], [], 0, []
    with tempfile.TemporaryDirectory() as folder:
        for link, target in [("daelab", program), ("docs", ROOT / "docs"), ("experiments", ROOT / "experiments")]:
            os.symlink(target, Path(folder) / link)
        for name, content in titled_files(text):
            (Path(folder) / name).write_text(content, encoding="utf-8")
        for command in commands(text):
            if reasons := [pattern for pattern in skips if re.match(pattern, command)]:
                used.append(reasons[0])
                log.append(f"  skipped: {command}: {skips[reasons[0]]}")
                continue
            begin = time.monotonic()
            if wrong := failure(command, folder, environment):
                failed.append(f"{document.relative_to(ROOT)}: {command}: {wrong}")
            ran += 1
            log.append(f"  {time.monotonic() - begin:5.1f} s  {command}")
    return log, used, ran, failed


def main():
    program = Path(sys.argv[1]).resolve()
    named = [Path(name).resolve() for name in sys.argv[2:]]
    documents = named or [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
    skips = {**SKIPPED, **absent(program)}
    used, ran, failed = [], 0, []
    with ThreadPoolExecutor(2) as two:
        for log, *counts in two.map(lambda document: carry_out(document, program, skips), documents):
            print("\n".join(log), flush=True)
            used, ran, failed = used + counts[0], ran + counts[1], failed + counts[2]
    unused = [] if named else [pattern for pattern in SKIPPED if pattern not in used]
    failed += [f"no command is skipped by {pattern}" for pattern in unused]
    print("\n".join(failed))
    print(f"{ran} commands, {len(used)} skipped, {len(failed)} failed")
    return 1 if failed or not ran else 0


if __name__ == "__main__":
    sys.exit(main())
