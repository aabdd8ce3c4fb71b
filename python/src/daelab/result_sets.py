"""Sets of runs: experiments and papers carried out, stored results read, as frames of pandas."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from . import _core
from ._errors import InputError
from ._tables import frame, html_table, require_pandas
from .plots import plot_points


if TYPE_CHECKING:
    import pandas

_shown_of_orders = ("label", "component", "order", "half_width", "theory", "agreement")


class ResultSet:
    """The results of one configuration.

    Attributes:
        folder, name, title, experiment: where it is stored, what the configuration says of it.
        analysis: the Result of the experiment, as ``analysis.json`` holds it; None when it was not evaluated.
    """

    def __init__(self, stored: dict[str, Any]) -> None:
        self._runs: list[dict[str, Any]] = stored["runs"]
        self._verdicts: list[dict[str, Any]] = stored["verdicts"]
        self.folder: str = stored["folder"]
        self.name: str = stored["name"]
        self.title: str = stored["title"]
        self.experiment: str = stored["experiment"]
        self.analysis: dict[str, Any] | None = stored["analysis"]

    @cached_property
    def runs(self) -> pandas.DataFrame:
        """One run a row: specification (``problem``, ``formulation``, ``method``, ``h``, ``rtol``, ``t_end``, ...),
        ``status``, ``cause``, ``error_q``, ``max_energy_error``, ``steps``, ``cpu_seconds``, ..."""
        return frame([run_row(run) for run in self._runs])

    @cached_property
    def orders(self) -> pandas.DataFrame:
        """Observed orders of a convergence study: ``label``, ``component``, ``order``, the ``half_width`` of its 95 %
        interval, the order expected by ``theory``, and the verdict, ``agreement``. Empty for other experiments."""
        details = self.order_details
        return details[list(_shown_of_orders)] if len(details) else details

    @cached_property
    def order_details(self) -> pandas.DataFrame:
        """The same with all that is known of the estimates: points ``used`` and left out, the ``residual`` of the fit,
        a ``statement`` in words, ..."""
        rows = frame(self._order_rows())
        if not len(rows):
            return rows
        return rows[[*_shown_of_orders, *(name for name in rows if name not in _shown_of_orders)]]

    @cached_property
    def verdicts(self) -> pandas.DataFrame:
        """Claims, findings and checks of the configuration, one a row."""
        return _verdict_frame(self._verdicts)

    @cached_property
    def points(self) -> pandas.DataFrame:
        """One run of a study of errors a row: ``label``, ``h`` or ``rtol``, ``status``, errors at the end time by class
        (``q``, ``v``, ``lambda``, ...); of work-precision the costs (``steps``, ``evaluations``, ``seconds``), of a
        judgement the drift (``energy_error``, ...)."""
        analysis = self.analysis or {}
        if self.experiment == "judge":
            rows = [_point_row(run["label"], run) for run in analysis["runs"]]
        else:
            series = analysis.get("series", [])
            rows = [_point_row(one["label"], point) for one in series for point in one.get("points", [])]
        return frame(rows)

    def to_pandas(self, table: str = "") -> pandas.DataFrame:
        """A table by its name: ``"runs"``, ``"points"``, ``"orders"``, ``"order_details"``, ``"verdicts"``. By default
        ``points`` of studies of errors, ``runs`` of other experiments.

        Raises:
            ImportError: pandas is not installed.
        """
        return _table(self, table or ("points" if len(self.points) else "runs"), _tables_of_sets)

    def trajectory(self, key: str) -> pandas.DataFrame:
        """The trajectory of a run by its ``key`` in :attr:`runs`: ``t``, ``q1``, ..., energies, constraint residuals.

        Raises:
            InputError: none is stored; the configuration asks for them by ``"trajectory"``.
        """
        path = os.path.join(self.folder, "trajectories", key + ".csv")
        if not os.path.exists(path):
            raise InputError("", f'no trajectory {path} is stored: the key "trajectory" of a run asks for it')
        return require_pandas().read_csv(path)

    def plot(self, component: str | None = None, *, cost: str = "seconds", ax: Any = None) -> Any:
        """Draws errors of a component over step sizes or tolerances, or of a work-precision study ``cost`` over errors.
        Returns the axes."""
        return plot_points(self, component, cost, ax)

    def _order_rows(self) -> list[dict[str, Any]]:
        series = (self.analysis or {}).get("series", [])
        return [row for one in series for row in _order_rows(one)]

    def _repr_html_(self) -> str:
        orders = self._order_rows()
        title = f"{self.title or self.name}: {self.experiment}, {len(self._runs)} runs"
        if orders:
            head = ("run", "component", "observed order", "expected", "verdict")
            rows = [
                (one["label"], one["component"], _order_text(one), one["theory"], one["agreement"]) for one in orders
            ]
            return html_table(title, head, rows, ".points has the errors.")
        runs = [run_row(one) for one in self._runs]
        shown = [
            name for name in ("problem", "formulation", "method", "h", "rtol", "status") if any(name in x for x in runs)
        ]
        return html_table(title, shown, [[one.get(name, "") for name in shown] for one in runs])

    def __repr__(self) -> str:
        return f"<daelab.ResultSet {self.name}: {self.experiment}, {len(self._runs)} runs>"


class ResultSets(Mapping[str, ResultSet]):
    """Result sets by name, in the order of their paper.

    Attributes:
        folder: where they are stored.
    """

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self._sets = {stored["name"]: ResultSet(stored) for stored in _core.load(folder)}

    def __getitem__(self, name: str) -> ResultSet:
        return self._sets[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._sets)

    def __len__(self) -> int:
        return len(self._sets)

    @cached_property
    def runs(self) -> pandas.DataFrame:
        """The runs of all sets, with the column ``set``."""
        return require_pandas().concat(
            [one.runs.assign(set=name) for name, one in self._sets.items()], ignore_index=True
        )

    @cached_property
    def verdicts(self) -> pandas.DataFrame:
        """The verdicts of a paper: ``kind``, ``id``, ``location``, ``printed``, ``ours``, ``verdict``, ``expected``,
        ``as_expected``, ``reason``. Of other folders those of all sets."""
        own = _verdict_frame(_core.verdicts(self.folder))
        if len(own):
            return own
        return require_pandas().concat([one.verdicts for one in self._sets.values()], ignore_index=True)

    def to_pandas(self, table: str = "runs") -> pandas.DataFrame:
        """A table of all sets by its name: ``"runs"``, ``"verdicts"``."""
        return _table(self, table, ("runs", "verdicts"))

    def _repr_html_(self) -> str:
        rows = [(name, one.experiment, len(one._runs), one.title) for name, one in self._sets.items()]
        return html_table(f"Result sets in {self.folder}", ("name", "experiment", "runs", "title"), rows)

    def __repr__(self) -> str:
        return f"<daelab.ResultSets in {self.folder}: {', '.join(self._sets)}>"


def load(folder: str | os.PathLike[str]) -> ResultSets:
    """Reads the result sets in a folder, ``out/my-study``, or those of a paper, ``out/li2019``.

    Raises:
        InputError: there are none, or files are not as they were written.
    """
    return ResultSets(os.fspath(folder))


def run(
    config: str | os.PathLike[str] | Mapping[str, Any],
    *,
    out: str | os.PathLike[str] = "out",
    jobs: int = 0,
    quiet: bool = True,
    overrides: Sequence[str] = (),
) -> ResultSet:
    """Carries out a configuration on all cores (``jobs``: so many threads) as ``daelab run`` does, and evaluates it.
    What is stored in ``out`` is not computed again.

    Args:
        config: a path, or the configuration as dict (docs/experiments.md).
        overrides: ``"/json/pointer=VALUE"``, as ``--set``.

    Raises:
        InputError: something in the configuration is wrong; ``where`` is its JSON pointer.
    """
    given = os.fspath(config) if isinstance(config, (str, os.PathLike)) else dict(config)
    folder = _core.run(given, os.fspath(out), jobs, quiet, list(overrides))
    return next(iter(load(folder).values()))


def reproduce(
    paper: str | os.PathLike[str],
    *,
    out: str | os.PathLike[str] = "out",
    jobs: int = 0,
    quiet: bool = True,
    allow_python: bool = False,
) -> ResultSets:
    """Carries out all runs of a paper, ``"li2019"``, and judges every claim: ``reproduce("li2019").verdicts``.

    Args:
        paper: a name, or the folder or ``.zip`` file of a pack.
        allow_python: run methods in Python that the pack brings, programs that may do anything.

    Raises:
        InputError: there is no such paper, the pack is not as it must be, or it brings methods in Python that are not
            allowed.
    """
    pack = _core.open_pack(os.fspath(paper), os.fspath(out))
    if allow_python:
        run_programs(pack["folder"], pack["python"])
    given = os.fspath(paper) if pack["of_project"] else pack["folder"]
    return load(_core.reproduce(given, os.fspath(out), jobs, quiet, allow_python))


def run_programs(folder: str, programs: Sequence[str]) -> None:
    """Runs the programs of a pack, which register methods, as modules of this session."""
    sys.path.insert(0, folder)
    try:
        for program in programs:
            name = "daelab_pack_" + "".join(c if c.isalnum() else "_" for c in program)
            spec = importlib.util.spec_from_file_location(name, os.path.join(folder, program))
            if spec is None or spec.loader is None:
                raise InputError("/python", f"{program} is no program of Python: its name ends with .py")
            sys.modules[name] = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(sys.modules[name])
    finally:
        sys.path.remove(folder)


def _number(value: Any) -> Any:
    """A number from a text such as 1/160; other texts, as they are."""
    if not isinstance(value, str):
        return value
    try:
        numerator, _, denominator = value.partition("/")
        return float(numerator) / float(denominator) if denominator else float(numerator)
    except (ValueError, ZeroDivisionError):
        return value


_tables_of_sets = ("runs", "points", "orders", "order_details", "verdicts")


def _table(results: ResultSet | ResultSets, name: str, allowed: Sequence[str]) -> pandas.DataFrame:
    if name not in allowed:
        raise InputError("", f"no table '{name}'; there are: {', '.join(allowed)}")
    return getattr(results, name)


def _order_text(order: dict[str, Any]) -> str:
    if not order["decided"] or order["order"] is None:
        return order.get("statement", "undecided")
    return f"{order['order']:.2f} ± {order['half_width']:.2f}"


def run_row(run: dict[str, Any]) -> dict[str, Any]:
    """A run as a row of a table: its specification, status, errors, maxima and counts."""
    row: dict[str, Any] = {"key": run["key"]} if "key" in run else {}
    for key, value in run["spec"].items():
        if key in ("problem", "method", "formulation", "multiplier_solver"):
            row[key] = _core.spec_text(value) if isinstance(value, dict) else value
        elif isinstance(value, (str, int, float, bool)):
            row[key] = _number(value) if key in ("h", "rtol", "atol", "atol_velocity", "t_end") else value
    row.update(status=run["status"], cause=run.get("cause", ""))
    for prefix, member in (("error_", "error"), ("max_", "max"), ("", "stats")):
        for key, value in (run.get(member) or {}).items():
            row[prefix + key] = _number(value)
    return row


def _order_rows(series: dict[str, Any]) -> list[dict[str, Any]]:
    rows = []
    for component, order in series.get("orders", {}).items():
        rows.append({"label": series["label"], "component": component, **order})
    return rows


def _point_row(label: str, point: dict[str, Any]) -> dict[str, Any]:
    row: dict[str, Any] = {"label": label}
    for key in ("h", "rtol", "atol"):
        if point.get(key) is not None:
            row[key] = _number(point[key])
    row.update(status=point["status"], **point.get("cost", {}), **point.get("drift", {}))
    errors = point.get("errors") or point.get("error") or {}
    row.update({key: float("nan") if value is None else float(value) for key, value in errors.items()})
    return row


def _verdict_frame(verdicts: list[dict[str, Any]]) -> pandas.DataFrame:
    rows = frame(verdicts)
    if len(rows):
        rows["as_expected"] = rows["verdict"] == rows["expected"]
    return rows
