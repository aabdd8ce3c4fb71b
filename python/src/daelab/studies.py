"""Studies of methods: convergence, work-precision and results of other programs, as experiments of daelab."""

from __future__ import annotations

import os
import tempfile
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from . import _core
from ._tables import frame
from .own_methods import is_own, specification, text_without_version
from .result_sets import ResultSet, run
from .solution import component


def convergence(problem: Any, methods: Iterable[Any] | Mapping[str, Any], h: Sequence[Any], **keys: Any) -> ResultSet:
    """Errors at the end time over step sizes, and the orders observed.

    Args:
        problem: as for :func:`daelab.solve`.
        methods: specifications, or a dict of them by label.
        h: step sizes [s].
        **keys: ``formulation``, ``t_end``, ``scalar``, ``newton``, ... of all runs; a list is a grid. ``reference``:
            the run to compare with, as dict, where no reference of the problem is stored. ``out``: the folder to store
            the results in, by default none.

    Returns:
        The result set: ``.points``, ``.orders``, ``.plot()``.

    Raises:
        InputError: keys, problems or methods that are none, with the JSON pointer; step sizes that are not positive.
    """
    return _study("convergence", problem, methods, {"h": list(h)}, **keys)


def work_precision(
    problem: Any, methods: Iterable[Any] | Mapping[str, Any], rtol: Sequence[Any], **keys: Any
) -> ResultSet:
    """What accuracy at the end time costs over tolerances, with ``atol`` = ``rtol``. Otherwise as :func:`convergence`;
    ``.plot(cost="evaluations")`` draws counts instead of times."""
    return _study("work-precision", problem, methods, {"together": [{"rtol": x, "atol": x} for x in rtol]}, **keys)


def judge(
    tables: Any,
    problem: Any,
    *,
    label: str | None = None,
    order: int | None = None,
    h: Any = None,
    rtol: Any = None,
    columns: Mapping[str, str] | None = None,
    beside: Sequence[str] = ("radau-iia:s=3",),
    formulation: str | None = None,
    t_end: Any = None,
    out: str | os.PathLike[str] | None = None,
) -> ResultSet:
    """Judges results of another program against the reference of a problem, beside methods of daelab.

    Args:
        tables: a path of a table or of arrays (``.npz``, ``.h5``: docs/judge.md), a frame of pandas or a dict of
            columns; or a list of them. Columns are ``h`` or ``rtol`` (rows with the same value are one run), ``t`` [s],
            and the entries of the state by the names of :attr:`Solution.names` or ``q1``, ``v1``, ``lambda1``, ...
        problem: as for :func:`daelab.solve`.
        label: the name of the method that made all tables.
        order: the order that it claims.
        h, rtol: step sizes [s] or tolerances, where no column says it: one of all tables, or a list.
        columns: names of columns that are not ours, ``{"angle": "q1"}``.
        beside: daelab's methods to compare with, at the same steps or tolerances.
        formulation: of our methods.
        t_end: the time that is judged [s]; by default the end time of the problem.
        out: the folder to store the results in, by default none.

    Returns:
        The result set: ``.points`` with the errors of theirs and ours, ``.plot()``, ``.analysis["runs"]`` with drift.

    Raises:
        InputError: a table that cannot be read: the message has line and column. Numbers that are not finite, times out
            of order or beyond the end, columns that are missing.
    """
    given = list(tables) if isinstance(tables, (list, tuple)) else [tables]
    with tempfile.TemporaryDirectory(prefix="daelab-") as folder:
        files = [_table_file(one, os.path.join(folder, f"table-{i + 1}.csv")) for i, one in enumerate(given)]
        arguments = {
            "files": files,
            "problem": component(problem),
            "formulation": formulation or "",
            "t_end": _text(t_end),
            "beside": list(beside),
            "columns": [f"{theirs}={ours}" for theirs, ours in (columns or {}).items()],
            "h": _texts(h),
            "rtol": _texts(rtol),
            "label": label or "",
            "order": _text(order),
            "out": "" if out is None else os.fspath(out),
        }
        config = _core.judge_config(arguments)
        judged = run(config, out=os.path.join(folder, "out") if out is None else out)
    for fault in judged.analysis.get("faults", []):
        warnings.warn(fault, stacklevel=2)
    return judged


def _own_label(method: Any) -> str | None:
    """Of a method written in Python what its user would call it; others have a label by what tells them apart."""
    if not is_own(method):
        return None
    return text_without_version(specification(method))


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def _texts(values: Any) -> list[str]:
    return list(map(str, values)) if isinstance(values, (list, tuple)) else [] if values is None else [str(values)]


def _table_file(table: Any, path: str) -> str:
    """The path of a table; a frame is written to ``path`` first, with all its digits."""
    if isinstance(table, (str, os.PathLike)):
        return os.path.abspath(table)
    frame(table).to_csv(path, index=False, float_format="%.17g", na_rep="nan")
    return path


def _study(
    experiment: str,
    problem: Any,
    methods: Iterable[Any] | Mapping[str, Any],
    varied: dict[str, Any],
    *,
    reference: Mapping[str, Any] | None = None,
    out: str | os.PathLike[str] | None = None,
    **common: Any,
) -> ResultSet:
    labelled = methods.items() if isinstance(methods, Mapping) else [(_own_label(one), one) for one in methods]
    runs = []
    for label, method in labelled:
        runs.append({**({} if label is None else {"label": label}), "method": component(method), **varied})
    config = {
        "name": experiment,
        "experiment": experiment,
        "title": f"{experiment} by daelab.{experiment.replace('-', '_')}",
        "common": {"problem": component(problem), **common},
        "runs": runs,
    }
    if reference is not None:
        config["reference"] = dict(reference)
    if out is not None:
        return run(config, out=out)
    with tempfile.TemporaryDirectory(prefix="daelab-") as folder:
        return run(config, out=folder)
