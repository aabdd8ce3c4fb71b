"""Studies of methods: convergence and work-precision, as experiments of daelab."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

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
    """
    return _study("convergence", problem, methods, {"h": list(h)}, **keys)


def work_precision(
    problem: Any, methods: Iterable[Any] | Mapping[str, Any], rtol: Sequence[Any], **keys: Any
) -> ResultSet:
    """What accuracy at the end time costs over tolerances, with ``atol`` = ``rtol``. Otherwise as :func:`convergence`;
    ``.plot(cost="evaluations")`` draws counts instead of times."""
    return _study("work-precision", problem, methods, {"together": [{"rtol": x, "atol": x} for x in rtol]}, **keys)


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
    labelled = methods.items() if isinstance(methods, Mapping) else [(None, one) for one in methods]
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
