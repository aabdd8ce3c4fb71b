"""Packs that bring methods in Python, for ``daelab reproduce --allow-python``: ``python -m daelab.packs FOLDER``."""

from __future__ import annotations

import argparse
import sys

from . import _core
from ._errors import InputError
from .result_sets import reproduce


def main() -> int:
    """Reproduces a pack whose programs may run, and prints its verdicts."""
    parser = argparse.ArgumentParser(prog="python -m daelab.packs")
    parser.add_argument("pack")
    parser.add_argument("--out", default="out")
    parser.add_argument("--jobs", type=int, default=0)
    parser.add_argument("--quiet", action="store_true")
    given = parser.parse_args()
    try:
        results = reproduce(given.pack, out=given.out, jobs=given.jobs, quiet=given.quiet, allow_python=True)
    except InputError as error:
        print(f"daelab: {error}", file=sys.stderr)
        return 2
    stored = _core.verdicts(results.folder)
    verdicts = [one for one in stored if not given.quiet or one["verdict"] != one["expected"]]
    for one in verdicts:
        print(f"{one['verdict']:24} {one['id']}")
    return int(any(one["verdict"] != one["expected"] for one in verdicts))


if __name__ == "__main__":
    sys.exit(main())
