"""Mechanisms in motion: :func:`animate`."""

from __future__ import annotations

import html
import os
from typing import Any, Protocol

from . import _core
from ._errors import InputError


class _Solved(Protocol):
    """What the library says of a run."""

    @property
    def problem(self) -> str: ...


class _CarriedOut(Protocol):
    """A run that can be carried out again: a :class:`daelab.Solution`."""

    @property
    def spec(self) -> dict[str, Any]: ...

    @property
    def _solved(self) -> _Solved: ...


class Animation:
    """A page that shows a mechanism in motion, with energy error and violations of constraints over time: the value of
    a cell of a notebook, or a file by :meth:`save`. It is one text, :attr:`page`, and loads nothing from elsewhere."""

    def __init__(self, page: str, height: int) -> None:
        self.page = page
        self._height = height

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the page, HTML."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.page)

    def _repr_html_(self) -> str:
        style = f"width: 100%; height: {self._height}px; border: 0"
        return f'<iframe srcdoc="{html.escape(self.page)}" style="{style}" title="mechanism in motion"></iframe>'

    def __repr__(self) -> str:
        return f"<daelab.Animation: {len(self.page) / 1e6:.1f} MB>"


def animate(*solutions: _CarriedOut, every: int = 1, height: int = 640, title: str | None = None) -> Animation:
    """One mechanism, or several runs side by side, in motion, as ``./daelab animate`` shows them.

    The runs are carried out once more, for their trajectories.

    Args:
        *solutions: of :func:`daelab.solve`.
        every: so many steps make a row of a trajectory, of which 400 at most are drawn.
        height: in a notebook [pixels].
        title: of the page.

    Raises:
        InputError: no solution, or a problem that has no outline.
    """
    if not solutions:
        raise InputError("", "animate() takes one solution or more")
    if isinstance(every, bool) or not isinstance(every, int) or every < 1:
        raise InputError("/every", f"{every!r} is out of range; allowed: at least 1")
    specs = []
    for solution in solutions:
        spec = {**solution.spec, "trajectory": every, "samples": [], "sample_every": None}
        specs.append(spec)
    problem = solutions[0]._solved.problem
    page = _core.motion_page(specs, title or f"{problem} in motion")
    return Animation(page, height)
