"""Writes a page of every public name of the package, from its docstrings, to a folder: python api.py FOLDER.

pdoc, from PyPI, makes it; the site carries it as python-api/.
"""

import sys
from pathlib import Path

import pdoc

import daelab


def write_pages(folder: Path) -> None:
    """Writes ``daelab.html`` and what it needs."""
    for name in daelab.__all__:
        getattr(daelab, name)  # what is imported when it is used has a page, too
    pdoc.render.configure(docformat="google", footer_text=f"daelab {daelab.__version__}")
    pdoc.pdoc("daelab", output_directory=folder)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("api.py: expected one folder: python api.py FOLDER")
    write_pages(Path(sys.argv[1]))
