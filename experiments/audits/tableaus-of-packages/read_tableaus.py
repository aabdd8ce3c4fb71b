#!/usr/bin/env python3
"""Reads the tableaus of Python packages, and what the packages claim of them, for `daelab audit`.

Usage: read_tableaus.py > ../tableaus-of-packages.json, in an environment with the packages of requirements.txt. Dense
output and stochastic methods are left out.
"""

import importlib
import importlib.metadata
import inspect
import json
import pathlib
import re

import numpy


def square(rows, stages):
    """Fills rows of different lengths with zeros. Shape (stages, stages)."""
    full = numpy.zeros((stages, stages))
    for i, row in enumerate(rows):
        full[i, : len(row)] = row
    return full


# Coefficients that their source prints to fewer digits.
FEWER_DECIMALS = {"KenCarp5 explicit": 11, "KenCarp5 implicit": 11}


def written(values, decimals=14):
    """14 decimals, which numbers in double have: what differs behind them is rounding."""
    return ["0" if x == 0 else "1" if x == 1 else f"{float(x):.{decimals}f}" for x in values]


def entry(package, name, cls, matrix, weights, embedded, order, embedded_order=None, place=None):
    """One tableau with its claims. matrix (s, s); weights, embedded (s)."""
    claims = {}
    decimals = FEWER_DECIMALS.get(name, 14)
    tableau = {"name": name, "A": [written(row, decimals) for row in numpy.asarray(matrix)]}
    tableau["b"] = written(weights, decimals)
    if order is not None:
        claims["order"] = int(order)
    if embedded_order is not None:
        claims["embedded order"] = int(embedded_order)
    if embedded is not None:
        tableau["b_embedded"] = written(embedded, decimals)
    file = place or pathlib.Path(inspect.getfile(cls)).as_posix().split("site-packages/")[-1]
    return {
        "name": f"{package} {name}",
        "tableau": tableau,
        "claims": claims,
        "source": f"{package} {importlib.metadata.version(package)}, {file}",
    }


def of_pathsim():
    from pathsim import solvers
    from pathsim.solvers._rungekutta import DiagonallyImplicitRungeKutta, ExplicitRungeKutta

    for name, cls in sorted(vars(solvers).items()):
        if not inspect.isclass(cls) or not issubclass(cls, (ExplicitRungeKutta, DiagonallyImplicitRungeKutta)):
            continue
        if cls in (ExplicitRungeKutta, DiagonallyImplicitRungeKutta):
            continue
        solver = cls(1.0)
        rows = [solver.BT[i] for i in sorted(solver.BT)]
        yield from pathsim_entry(name, cls, solver, rows)


def pathsim_entry(name, cls, solver, rows):
    """The rows of an explicit scheme are those of its next stages, the last one its weights; an implicit scheme has
    its own rows, a first explicit stage has none, and its weights are the last row, or `A`."""
    explicit = type(solver).__mro__[1].__name__ == "ExplicitRungeKutta"
    stages = solver.s
    if explicit:
        matrix = square([[]] + rows[:-1], stages)
        weights = square([rows[-1]], stages)[0]
    else:
        rows = [[] if row is None else row for row in rows]
        matrix = square([[]] * (stages - len(rows)) + rows, stages)
        final = getattr(solver, "A", None)
        weights = matrix[-1] if final is None else square([final], stages)[0]
    error = getattr(solver, "TR", None)
    embedded = None if error is None else weights - square([error], stages)[0]
    yield entry("pathsim", name, cls, matrix, weights, embedded, solver.n, solver.m if embedded is not None else None)


def of_extensisq():
    import extensisq

    for name, cls in sorted(vars(extensisq).items()):
        if not inspect.isclass(cls) or not hasattr(cls, "B") or not isinstance(getattr(cls, "A", None), numpy.ndarray):
            continue
        if cls.A.ndim != 2 or cls.A is NotImplemented or hasattr(cls, "Ap") or hasattr(cls, "Bp"):
            continue
        stages = len(cls.B)
        matrix = square([row[:stages] for row in cls.A[:stages]], stages)
        error = getattr(cls, "E", None)
        embedded = None
        if isinstance(error, numpy.ndarray) and len(error) in (stages, stages + 1):
            if len(error) == stages + 1:
                matrix = numpy.vstack([numpy.hstack([matrix, numpy.zeros((stages, 1))]), numpy.append(cls.B, 0)])
                embedded = numpy.append(cls.B, 0) - error
                weights = numpy.append(cls.B, 0)
            else:
                weights, embedded = cls.B, cls.B - error
        else:
            weights = cls.B
        secondary = getattr(cls, "order_secondary", None) if embedded is not None else None
        if secondary is not None and secondary > cls.order:  # their estimate is the better method less the method
            embedded = 2 * weights - embedded
        yield entry("extensisq", name, cls, matrix, weights, embedded, cls.order, secondary)


def of_torchdiffeq():
    from torchdiffeq._impl import adaptive_heun, bosh3, dopri5, dopri8, fehlberg2

    for module in (adaptive_heun, bosh3, dopri5, dopri8, fehlberg2):
        for name, cls in sorted(vars(module).items()):
            if not inspect.isclass(cls) or "tableau" not in vars(cls):
                continue
            t = cls.tableau
            stages = len(t.c_sol)
            weights = numpy.asarray(t.c_sol)
            yield entry("torchdiffeq", name, cls, square([[]] + list(t.beta), stages), weights,
                        weights - numpy.asarray(t.c_error), cls.order,
                        place=f"torchdiffeq/_impl/{module.__name__.split('.')[-1]}.py")


def of_diffrax():
    import diffrax

    for name, cls in sorted(vars(diffrax).items()):
        if not inspect.isclass(cls):
            continue
        found = getattr(cls, "tableau", None)
        if type(found).__name__ == "ButcherTableau":
            order = cls().order(None) if not needs_arguments(cls) else None
            yield diffrax_entry(name, cls, found, order, said(cls, r"embedded (\d)\w\w order"))
        if type(found).__name__ == "MultiButcherTableau":
            both = said(cls, r"(\d)\w\w order ERK-E?S?DIRK")
            parts = zip(("explicit", "implicit"), found.tableaus, (r"(\d)\w\w order in the explicit",
                                                                   r"(\d)\w\w order in the\s+implicit"))
            for part, tableau, words in parts:
                yield diffrax_entry(f"{name} {part}", cls, tableau, both or said(cls, words), None)


def said(cls, words):
    """The order that the documentation of a class states in these words, or None."""
    found = re.search(words, cls.__doc__ or "")
    return int(found.group(1)) if found else None


def diffrax_entry(name, cls, t, order, embedded_order):
    stages = len(t.b_sol)
    matrix = square([[]] + list(t.a_lower), stages)
    if t.a_diagonal is not None:
        matrix += numpy.diag(t.a_diagonal)
    weights = numpy.asarray(t.b_sol)
    return entry("diffrax", name, cls, matrix, weights, weights - numpy.asarray(t.b_error), order, embedded_order)


def needs_arguments(cls):
    try:
        cls()
        return False
    except TypeError:
        return True


def of_desolver():
    from desolver.integrators import explicit_integration_schemes, implicit_integration_schemes

    for module in (explicit_integration_schemes, implicit_integration_schemes):
        for name, cls in sorted(vars(module).items()):
            if not inspect.isclass(cls) or cls.__module__ != module.__name__ or not hasattr(cls, "tableau_final"):
                continue
            if cls.tableau_intermediate is None or numpy.ndim(cls.tableau_intermediate) != 2:
                continue
            matrix = numpy.asarray(cls.tableau_intermediate)[:, 1:]
            final = numpy.asarray(cls.tableau_final)[:, 1:]
            embedded = final[1] if len(final) > 1 else None
            if embedded is not None and abs(sum(embedded)) < 0.5:  # weights of the difference, not of a second result
                embedded = final[0] - embedded
            yield entry("desolver", name, cls, matrix, final[0], embedded, cls.__order__)


def of_pysdc():
    module = importlib.import_module("pySDC.implementations.sweeper_classes.Runge_Kutta")
    for name, cls in sorted(vars(module).items()):
        if not inspect.isclass(cls) or not isinstance(getattr(cls, "matrix", None), numpy.ndarray):
            continue
        weights = numpy.asarray(cls.weights)
        embedded = None
        if weights.ndim == 2:
            weights, embedded = weights
        # The order of the update is that of the local error of the second method, one more than its order.
        embedded_order = cls.get_update_order() - 1 if embedded is not None else None
        yield entry("pySDC", name, cls, cls.matrix, weights, embedded, None, embedded_order)


def of_torchode():
    for name in ("dopri5", "heun", "tsit5"):
        part = importlib.import_module(f"torchode.single_step_methods.{name}")
        for cls_name, cls in sorted(vars(part).items()):
            t = getattr(cls, "TABLEAU", None) or getattr(cls, "tableau", None)
            if not inspect.isclass(cls) or t is None or cls.__module__ != part.__name__:
                continue
            weights = numpy.asarray(t.b, dtype=float).ravel()
            stages = len(weights)
            error = numpy.asarray(t.b_err, dtype=float).ravel()
            yield entry("torchode", cls_name, cls, square([numpy.trim_zeros(numpy.asarray(r), "b") for r in t.a], stages),
                        weights, weights - error, cls.convergence_order(None))


READERS = (of_pathsim, of_extensisq, of_diffrax, of_desolver, of_pysdc, of_torchdiffeq, of_torchode)


def main():
    entries = []
    for reader in READERS:
        entries += list(reader())
    print("[\n" + ",\n".join(json.dumps(x) for x in entries) + "\n]")


if __name__ == "__main__":
    main()
