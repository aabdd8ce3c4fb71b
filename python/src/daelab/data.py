"""Files that the package carries."""

from __future__ import annotations

import os

from . import _core
from ._errors import InputError


def data_path(relative: str) -> str:
    """The path of a file that daelab carries: ``"experiments/museum/rk4-energy.json"``.

    Raises:
        InputError: there is no such file.
    """
    path = _core.data_path(relative)
    if not os.path.exists(path):
        raise InputError("", f"daelab carries no file '{relative}'")
    return path
