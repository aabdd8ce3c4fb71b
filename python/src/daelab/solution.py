"""Runs: :func:`solve` and the :class:`Solution` that it returns."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._errors import InputError
from ._tables import frame, html_table, number, require_pandas, svg_curves
from .own_methods import text_without_version
from .problem import Problem
from .result_sets import run_row

if TYPE_CHECKING:
    import pandas

    from .animation import Animation

Number = int | float | str | Fraction
ProblemLike = str | os.PathLike[str] | Mapping[str, Any] | Problem
ComponentLike = str | os.PathLike[str] | Mapping[str, Any] | Any


class Warning(NamedTuple):
    """What a reader of the numbers must know: a word to search for, and a sentence."""

    kind: str
    text: str


class _Kept(NamedTuple):
    """What a :class:`Solution` says of its run, apart from the library: a pickle holds it."""

    parts: int
    classes: list[str]
    status: str
    cause: str
    spec: dict[str, Any]
    record: dict[str, Any]
    names: dict[str, list[str]]
    problem: str
    formulation: str
    arrays: dict[str, NDArray[Any]]

    def numbers(self, kind: str) -> NDArray[Any]:
        return self.arrays[kind]


def _kept(solved: _core.Solved | _Kept) -> _Kept:
    arrays = {kind: solved.numbers(kind) for kind in ("t", "q", "v", "a", "lambda", "y")}
    return _Kept(*(getattr(solved, name) for name in _Kept._fields[:-1]), arrays)


class Solution:
    """A run that was carried out. A run that failed is one, too: see :attr:`status` and :attr:`message`.

    Rows of arrays are the start and the step ends, or ``t_eval`` as far as the run came. They are ``float64``; with
    ``scalar="real50"`` objects ``mpmath.mpf`` with all 50 digits. The array of a class that the problem does not have
    has the shape ``(rows, 0)``.
    """

    def __init__(self, solved: _core.Solved | _Kept, times: NDArray[np.float64] | None = None) -> None:
        self._solved = solved
        self._times = times

    def __reduce__(self) -> tuple[Any, ...]:
        return Solution, (_kept(self._solved), self._times)

    def _numbers(self, kind: str) -> NDArray[Any]:
        numbers = self._solved.numbers(kind)
        return numbers if self._solved.parts == 1 else _of_50_digits(numbers)

    @cached_property
    def t(self) -> NDArray[Any]:
        """Times [s], shape ``(rows,)``."""
        return self._numbers("t")

    @cached_property
    def q(self) -> NDArray[Any]:
        """Positions in the units of the problem, shape ``(rows, n)``."""
        return self._numbers("q")

    @cached_property
    def v(self) -> NDArray[Any]:
        """Velocities, shape ``(rows, n)``."""
        return self._numbers("v")

    @cached_property
    def a(self) -> NDArray[Any]:
        """Accelerations, shape ``(rows, n)``."""
        return self._numbers("a")

    @cached_property
    def lambda_(self) -> NDArray[Any]:
        """Lagrange multipliers, those of nonholonomic constraints last, shape ``(rows, m)``."""
        return self._numbers("lambda")

    @cached_property
    def y(self) -> NDArray[Any]:
        """States of first-order equations, shape ``(rows, k)``."""
        return self._numbers("y")

    @property
    def classes(self) -> list[str]:
        """The classes of entries there are: ``["q", "v", "a", "lambda"]``, or ``["y"]``."""
        return self._solved.classes

    @cached_property
    def names(self) -> dict[str, list[str]]:
        """The problem's own names of the columns of ``q``, ``v`` and ``y``."""
        return self._solved.names

    @property
    def status(self) -> str:
        """``"ok"``, or how the run ended: ``"newton-diverged"``, ``"step-limit"``, ``"not-applicable"``, ..."""
        return self._solved.status

    @property
    def success(self) -> bool:
        """Whether the end time was reached, or an event that stops the run."""
        return self.status == "ok"

    @property
    def message(self) -> str:
        """Why the run failed, in a sentence; empty otherwise."""
        return self._solved.cause

    @cached_property
    def record(self) -> dict[str, Any]:
        """All that is known of the run but its trajectory, as ``daelab solve --json`` prints it."""
        return self._solved.record

    @cached_property
    def spec(self) -> dict[str, Any]:
        """The completed specification: with what was chosen where nothing was said."""
        spec = self._solved.spec
        if self._times is not None:
            spec["samples"] = [repr(t) for t in self._times.tolist()]
        return spec

    @property
    def statistics(self) -> dict[str, Any]:
        """Counts: ``steps``, ``rejected``, ``residuals``, ``jacobians``, ...; ``cpu_seconds``, ``wall_seconds``."""
        return self.record["stats"]

    @property
    def nfev(self) -> int:
        """Evaluations of the residual or of the right-hand side."""
        return self.statistics["residuals"]

    @property
    def njev(self) -> int:
        """Linearisations."""
        return self.statistics["jacobians"]

    @property
    def nlu(self) -> int:
        """Matrices that were factorised."""
        return self.statistics["factorizations"]

    @property
    def maxima(self) -> dict[str, Any]:
        """Largest ``energy_error`` and constraint residuals over all step ends, in the units of the problem."""
        return self.record.get("max", {})

    @property
    def errors(self) -> dict[str, Any] | None:
        """Largest absolute errors at the end by class, against the stored reference: ``{"q": 2e-8, ...,
        "reference": "...", "digits_trusted": 28}``. None where no reference is stored for this run."""
        return self.record.get("error")

    @property
    def warnings(self) -> list[Warning]:
        """What a reader of the numbers must know."""
        return [Warning(warning["kind"], warning["text"]) for warning in self.record["warnings"]]

    @property
    def events(self) -> dict[str, Any]:
        """What became of the events of the problem, as in :attr:`record`; empty where it has none."""
        return self.record.get("events") or {}

    def to_pandas(self, table: str = "trajectory") -> pandas.DataFrame:
        """A frame of pandas: ``"trajectory"``, indexed by ``t``, with a column for every entry, ``x``, ``x'``,
        ``lambda1``, ...; ``"record"``, the run as one row, as sets of runs have it; ``"history"``, every attempt of a
        step, of a run with ``history=True``.

        Raises:
            ImportError: pandas is not installed.
        """
        if table == "trajectory":
            columns: dict[str, Any] = {}
            for kind in self.classes:
                columns.update(zip(self.labels(kind), self.numbers(kind).T, strict=True))
            return frame(columns, index=require_pandas().Index(self.t, name="t"))
        if table == "record":
            return frame([run_row({**self.record, "spec": self.spec})])
        if table != "history":
            raise InputError("", f"no table '{table}'; there are: trajectory, record, history")
        if self.record.get("history") is None:
            raise InputError("", "no history was kept: solve(..., history=True) keeps it")
        return frame(self.record["history"])

    def plot(self, *classes: str, ax: Any = None) -> NDArray[Any]:
        """Draws classes of entries over time, by default positions and multipliers; returns the axes, one a class."""
        from .plots import plot_solution

        return plot_solution(self, classes, ax)

    def animate(self, *beside: Solution, every: int = 1, height: int = 640, title: str | None = None) -> Animation:
        """The mechanism in motion, in a notebook or as a page to save, with others beside: :func:`daelab.animate`."""
        from .animation import animate

        return animate(self, *beside, every=every, height=height, title=title)

    def numbers(self, kind: str) -> NDArray[Any]:
        """The array of a class by name: ``"q"``, ``"v"``, ``"a"``, ``"lambda"`` or ``"y"``."""
        return self.lambda_ if kind == "lambda" else getattr(self, kind)

    def labels(self, kind: str) -> list[str]:
        """A name for each column of a class: ``["x", "y"]``, ``["lambda1"]``."""
        known = [name + "''" for name in self.names["q"]] if kind == "a" else self.names.get(kind)
        return known or [f"{kind}{i + 1}" for i in range(self.numbers(kind).shape[1])]

    def _repr_html_(self) -> str:
        statistics = self.statistics
        rows: list[tuple[str, Any]] = [
            ("problem", self._solved.problem),
            ("method", text_without_version(self.spec["method"])),
            ("formulation", self._solved.formulation),
            ("status", self.status + (f": {self.message}" if self.message else "")),
            ("t", f"{float(self.record['t']):g} s"),
            ("steps", f"{statistics['steps']}, {statistics['rejected']} rejected"),
            ("evaluations", f"{self.nfev}, {self.njev} Jacobians, {self.nlu} factorizations"),
        ]
        errors = {key: float(value) for key, value in (self.errors or {}).items() if key in self.classes}
        for title, values in (("errors at the end", errors), ("maxima", self.maxima)):
            if values:
                rows.append((title, ", ".join(f"{key} {number(float(value))}" for key, value in values.items())))
        rows += [("warning", f"{one.kind}: {one.text}") for one in self.warnings]
        kind = self.classes[0]
        curves = dict(zip(self.labels(kind), self.numbers(kind).T, strict=True))
        return html_table("Solution", (), rows) + svg_curves(self.t, curves)

    def __repr__(self) -> str:
        end = f"t = {float(self.record['t']):g} s, {self.statistics['steps']} steps"
        cause = f": {self.message}" if self.message else ""
        return f"<daelab.Solution of {self._solved.problem}: {self.status}, {end}{cause}>"


def _of_50_digits(parts: NDArray[np.float64]) -> NDArray[Any]:
    """Numbers from the doubles that they are sums of, which are along the last axis."""
    import mpmath

    numbers = np.empty(parts.shape[:-1], dtype=object)
    with mpmath.workprec(parts.shape[-1] * 53):
        numbers.flat = [mpmath.fsum(row) for row in parts.reshape(-1, parts.shape[-1]).tolist()]
    return numbers


def component(given: Any) -> Any:
    """What names a problem, method, formulation or multiplier solver, as a specification has it."""
    if isinstance(given, os.PathLike):
        return "@" + os.fspath(given)
    if isinstance(given, str) and given.endswith(".json") and not given.startswith("@"):
        return "@" + given
    if hasattr(given, "document"):
        return given.document()
    return given


_step_ends: NDArray[np.float64] = np.empty(0)


def _sample_times(t_eval: Any, scalar: str) -> tuple[NDArray[np.float64] | None, list[Any]]:
    """Times of a run in double as they are, others, which may be exact, for the specification."""
    times = np.asarray(t_eval)
    if times.ndim != 1 or len(times) == 0:
        raise InputError("/samples", f"t_eval must be a list of times; it has the shape {times.shape}")
    if scalar == "double" and times.dtype.kind in "fiu":
        return np.ascontiguousarray(times, dtype=float), []
    return None, list(times.tolist())


def solve(
    problem: ProblemLike,
    method: ComponentLike,
    *,
    formulation: ComponentLike | None = None,
    h: Number | None = None,
    rtol: Number | None = None,
    atol: Number | None = None,
    t_end: Number | None = None,
    t_eval: ArrayLike | Sequence[Number] | None = None,
    scalar: str = "double",
    keep_steps: bool = True,
    **options: Any,
) -> Solution:
    """Carries out one run. The interpreter is free meanwhile: other threads go on, and Ctrl-C stops the run.

    Args:
        problem: a name with options, ``"pendulum:length=2"``; a path of a JSON document; the document as dict; a
            :class:`Problem`.
        method: ``"radau-iia:s=3"``, a path of a tableau, a :class:`Tableau`, a class with a ``step``
            (:func:`daelab.register`).
        formulation: of a mechanism, ``"index-3"``, ``"ggl"``, ``"baumgarte"``; by default that which the
            method is meant for.
        h: step size [s], or with a tolerance the first one. Numbers may be exact: ``"1/300"``, ``Fraction(1, 300)``; a
            float is read by its shortest decimal form, ``0.1`` is 1/10.
        rtol, atol: tolerances; with one of them steps are chosen by error control.
        t_end: end time [s]; by default that of the problem.
        t_eval: ascending times [s] to give the solution at, by dense output, shape ``(rows,)``; by default the step
            ends.
        scalar: ``"double"``, or ``"real50"`` for 50 digits, where the library was built with it.
        keep_steps: without ``t_eval``: whether the states at the step ends are kept.
        **options: further keys of a run as in a configuration: ``start``, ``newton``, ``multiplier_solver``,
            ``atol_velocity``, ``atol_components``, ``step_pattern``, ``sample_every``, ``history``, ``max_steps``,
            ``max_step``, ``singular``, ``discontinuities``.

    Returns:
        The solution. A run that failed returns how far it came, with ``status`` and ``message``.

    Raises:
        InputError: no run can be made of this.
    """
    spec: dict[str, Any] = {"problem": component(problem), "method": component(method), "scalar": scalar}
    given = {"formulation": component(formulation), "h": h, "rtol": rtol, "atol": atol, "t_end": t_end}
    spec.update((key, value) for key, value in given.items() if value is not None)
    times = None
    if t_eval is not None:
        times, spec["samples"] = _sample_times(t_eval, scalar)
    spec.update((key, component(value) if key == "multiplier_solver" else value) for key, value in options.items())
    at_step_ends = keep_steps and t_eval is None and not spec.keys() & {"samples", "sample_every"}
    follows = at_step_ends or times is not None
    return Solution(_core.solve(spec, follows, _step_ends if times is None else times), times)
