"""Plots with matplotlib, in the colours of the report (Okabe and Ito), told apart by markers, too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ._errors import InputError

if TYPE_CHECKING:
    import pandas

_colours = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]
_markers = ["o", "s", "^", "D", "v", "P", "X"]


class _Motion(Protocol):
    """What is drawn over time: a :class:`daelab.Solution`."""

    @property
    def t(self) -> NDArray[Any]: ...

    @property
    def classes(self) -> list[str]: ...

    def labels(self, kind: str) -> list[str]: ...

    def numbers(self, kind: str) -> NDArray[Any]: ...


class _ErrorStudy(Protocol):
    """What is drawn as errors: a :class:`daelab.ResultSet`."""

    @property
    def name(self) -> str: ...

    @property
    def experiment(self) -> str: ...

    @property
    def analysis(self) -> dict[str, Any] | None: ...

    @property
    def points(self) -> pandas.DataFrame: ...


def plot_solution(solution: _Motion, classes: Sequence[str] = (), ax: Any = None) -> Any:
    """Classes of entries over time, a panel each. Returns the axes, shape ``(panels,)``."""
    shown = list(classes) or [kind for kind in solution.classes if kind in ("q", "lambda", "y")]
    for kind in shown:
        if kind not in solution.classes:
            raise InputError("", f"no class '{kind}'; there are: {', '.join(solution.classes)}")
    axes = _axes(ax, len(shown))
    if len(axes) != len(shown):
        raise InputError("", f"{len(shown)} classes are drawn in as many axes; {len(axes)} are given")
    t = solution.t.astype(float)
    for kind, panel in zip(shown, axes, strict=True):
        for i, (label, numbers) in enumerate(zip(solution.labels(kind), solution.numbers(kind).T, strict=True)):
            panel.plot(t, numbers.astype(float), label=label, color=_colours[i % len(_colours)])
        panel.set_ylabel("λ" if kind == "lambda" else kind)
        panel.legend(fontsize="small")
    axes[-1].set_xlabel("t [s]")
    return axes


def plot_points(results: _ErrorStudy, component: str | None = None, cost: str = "seconds", ax: Any = None) -> Any:
    """Errors at the end time over step sizes or tolerances, or, of a work-precision study, what they cost: a curve for
    each series. Runs that failed are left out. Returns the axes."""
    points = results.points
    if not len(points):
        failure = (results.analysis or {}).get("failure")
        raise InputError("", f"'{results.name}' has no errors to draw: {failure or 'it is no study of errors'}")
    y = component or ("q" if "q" in points else "y")
    x = "h" if "h" in points else "rtol"
    if results.experiment == "work-precision":
        x, y = y, cost
    for column in (x, y):
        if column not in points:
            raise InputError("", f"no column '{column}'; there are: {', '.join(points.columns)}")
    panel = _axes(ax)[0]
    for i, (label, series) in enumerate(points.groupby("label", sort=False)):
        ok = series[(series["status"] == "ok") & (series[x] > 0) & (series[y] > 0)].sort_values(x)
        style = {"color": _colours[i % len(_colours)], "marker": _markers[i % len(_markers)], "markersize": 4}
        panel.plot(ok[x], ok[y], label=label, **style)
    panel.set(xscale="log", yscale="log", xlabel=_axis_label(x, cost), ylabel=_axis_label(y, cost))
    panel.grid(True, which="major", linewidth=0.4, alpha=0.5)
    panel.legend(fontsize="small")
    return panel


def plot_regions(regions: Mapping[str, Mapping[str, Any]], window: Sequence[float], ax: Any = None) -> Any:
    """Regions of stability by label: areas filled, their boundaries drawn. Returns the axes."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    panel = _axes(ax)[0]
    for i, (label, region) in enumerate(regions.items()):
        colour = _colours[i % len(_colours)]
        corners, codes = [], []  # holes run the other way round
        for x, y in region["areas"]:
            corners += [*zip(x, y, strict=True), (x[0], y[0])]
            codes += [Path.MOVETO, *[Path.LINETO] * (len(x) - 1), Path.CLOSEPOLY]
        if corners:
            panel.add_patch(PathPatch(Path(corners, codes), facecolor=colour, alpha=0.15, linewidth=0))
        for k, (x, y) in enumerate(region["boundary"]):
            panel.plot(x, y, color=colour, label=label if k == 0 else None)
        if not region["boundary"]:
            panel.plot([], [], color=colour, label=label)
    left, right, bottom, top = window
    panel.axhline(0, color="black", linewidth=0.5)
    panel.axvline(0, color="black", linewidth=0.5)
    panel.set(xlim=(left, right), ylim=(bottom, top), xlabel="Re hλ", ylabel="Im hλ", aspect="equal")
    panel.legend(fontsize="small", loc="upper left")
    return panel


def _axis_label(column: str, cost: str) -> str:
    if column == "h":
        return "h [s]"
    if column == cost:
        return "time [s]" if column == "seconds" else column.replace("_", " ")
    if column == "rtol":
        return "relative tolerance"
    return "error of " + ("λ" if column == "lambda" else column)


def _axes(ax: Any, rows: int = 1) -> Any:
    import matplotlib.pyplot as plt

    if ax is not None:
        return np.atleast_1d(ax)
    return plt.subplots(rows, 1, sharex=True, squeeze=False, layout="constrained")[1][:, 0]
