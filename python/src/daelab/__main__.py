"""The command ``daelab``: the program that the package carries, in place of this process."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NoReturn


def main() -> NoReturn:
    """Start the program with the arguments of this process."""
    program = Path(__file__).parent / "lib" / "daelab" / "daelab_command"
    sys.stdout.flush()
    os.execv(program, ["daelab", *sys.argv[1:]])


if __name__ == "__main__":
    main()
