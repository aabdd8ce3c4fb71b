#!/usr/bin/env python3
"""Reads the tableaus of Python packages and of SUNDIALS, and what they claim of them, for `daelab audit`.

Usage: read_tableaus.py > ../tableaus-of-packages.json, in an environment with the packages of requirements.txt. SUNDIALS
is the shared library with its headers, of Debian's packages libsundials-arkode5 and libsundials-dev 6.4.1, installed or
extracted by `dpkg -x` to a folder that SUNDIALS_ROOT names. Stochastic methods are left out.
"""

import ctypes
import importlib
import importlib.metadata
import inspect
import json
import os
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
FEWER_DECIMALS = {
    "KenCarp5 explicit": 11,
    "KenCarp5 implicit": 11,
    "BILLINGTON_3_3_2": 11,
    "CASH_5_2_4": 11,
    "CASH_5_3_4": 11,
}


def written(values, decimals=14):
    """14 decimals, which numbers in double have: what differs behind them is rounding."""
    return ["0" if x == 0 else "1" if x == 1 else f"{float(x):.{decimals}f}" for x in values]


def with_output(one, output, order, by_conditions=True):
    """Adds dense output to an entry: output (s, degree), the numbers of theta, theta^2, ..., and what is claimed of it.

    Two counts are in use: the order to which conditions hold, and one more, which errors in a run have if the step
    ends have it.
    """
    rows = []
    for row in numpy.round(numpy.asarray(output, dtype=float), 12):
        rows.append(written(numpy.trim_zeros(row, "b"), 12))
    one["tableau"]["dense_output"] = rows
    if order is not None:
        one["claims"]["order of dense output" + (" by conditions" if by_conditions else "")] = order
    return one


def entry(package, name, cls, matrix, weights, embedded, order, embedded_order=None, place=None, source=None):
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
    if source is None:
        file = place or pathlib.Path(inspect.getfile(cls)).as_posix().split("site-packages/")[-1]
        source = f"{package} {importlib.metadata.version(package)}, {file}"
    return {"name": f"{package} {name}", "tableau": tableau, "claims": claims, "source": source}


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
        one = entry("extensisq", name, cls, matrix, weights, embedded, cls.order, secondary)
        if name in EXTENSISQ_OUTPUT:
            with_output(one, cls.P, EXTENSISQ_OUTPUT[name])
        yield one
        if name == "BS5":
            yield from bogacki_entries(cls, matrix, weights)
        if name in ("KC4I", "KC4Ia"):  # P is P0
            yield with_output(entry("extensisq", f"{name}, C1", cls, matrix, weights, None, None), cls.P1, 4)


# Orders of free interpolants that docstrings, or comments beside them, state.
EXTENSISQ_OUTPUT = {"BS5": 4, "CFMR7osc": 5, "CK5": 4, "KC4I": 4, "KC4Ia": 4, "Me4": 3, "Ts5": 4}


def bogacki_entries(cls, matrix, weights):
    """The two interpolants of order 5 with more stages; the better one counts theta from the end of the step."""
    for name, output, more in (("low", cls.Plow, 1), ("best", cls.Pbest, 3)):
        stages = len(weights) + more
        larger = numpy.vstack([square(matrix, stages)[: len(weights)], square(cls.A_extra[:more, :stages], stages)[:more]])
        ends = numpy.append(weights, numpy.zeros(more))
        if name == "best":
            output = from_the_end(output, ends)
        yield with_output(entry("extensisq", f"BS5, {name}", cls, larger, ends, None, None), output, 5)


def from_the_end(output, weights):
    """b(theta) = b + p(theta - 1), without its constant, which is 0."""
    rows = []
    for row, weight in zip(output, weights):
        polynomial = numpy.polynomial.Polynomial(numpy.append(weight, row))
        rows.append(polynomial(numpy.polynomial.Polynomial([-1, 1])).coef[1:])
    return numpy.array([numpy.append(row, numpy.zeros(output.shape[1] - len(row))) for row in rows])


def quartic(weights, middle):
    """Through both step ends, with slopes of the first and the last stage, and the middle (s)."""
    from torchdiffeq._impl.interp import _interp_fit

    unit = numpy.eye(len(weights))
    coefficients = _interp_fit(0 * weights, weights, middle, unit[0], unit[-1], 1)
    return numpy.stack(coefficients[1:], axis=-1)


def cubic(weights):
    """The Hermite polynomial with slopes of the first and the last stage."""
    unit = numpy.eye(len(weights))
    first, last = unit[0], unit[-1]
    return numpy.stack([first, 3 * weights - 2 * first - last, first + last - 2 * weights], axis=-1)


# odeint and the solvers of torchode return values of this polynomial at all times that are asked for. They state its
# degree alone; read is that such values have the order of the solver, as far as a quartic can have it.
OF_QUARTIC = 5


def of_torchdiffeq():
    from torchdiffeq._impl import adaptive_heun, bosh3, dopri5, dopri8, fehlberg2

    for module in (adaptive_heun, bosh3, dopri5, dopri8, fehlberg2):
        for name, cls in sorted(vars(module).items()):
            if not inspect.isclass(cls) or "tableau" not in vars(cls):
                continue
            t = cls.tableau
            stages = len(t.c_sol)
            weights = numpy.asarray(t.c_sol)
            one = entry("torchdiffeq", name, cls, square([[]] + list(t.beta), stages), weights,
                        weights - numpy.asarray(t.c_error), cls.order,
                        place=f"torchdiffeq/_impl/{module.__name__.split('.')[-1]}.py")
            yield with_output(one, quartic(weights, numpy.asarray(cls.mid)), min(cls.order, OF_QUARTIC), False)


def of_diffrax():
    import diffrax

    for name, cls in sorted(vars(diffrax).items()):
        if not inspect.isclass(cls):
            continue
        found = getattr(cls, "tableau", None)
        if type(found).__name__ == "ButcherTableau":
            order = cls().order(None) if not needs_arguments(cls) else None
            one = diffrax_entry(name, cls, found, order, said(cls, r"embedded (\d)\w\w order"))
            yield with_diffrax_output(one, name, cls, found.b_sol, lambda k: k)
        if type(found).__name__ == "MultiButcherTableau":
            both = said(cls, r"(\d)\w\w order ERK-E?S?DIRK")
            parts = zip(("explicit", "implicit"), found.tableaus, (r"(\d)\w\w order in the explicit",
                                                                   r"(\d)\w\w order in the\s+implicit"))
            for part, tableau, words in parts:
                one = diffrax_entry(f"{name} {part}", cls, tableau, both or said(cls, words), None)
                yield with_diffrax_output(one, name, cls, tableau.b_sol, lambda k: (k, 0 * k))


# Claims of diffrax that are true if counted by errors in a run; the others count conditions.
COUNTED_IN_A_RUN = ("Dopri5", "Dopri8", "Midpoint", "Ralston", "Tsit5")


def with_diffrax_output(one, name, cls, weights, slopes):
    """Reads the polynomial of an interpolation, which is linear in the stages, from its values on the unit circle."""
    import jax

    jax.config.update("jax_enable_x64", True)
    stages, points = len(weights), 16
    polynomial = cls.interpolation_cls(t0=0.0, t1=1.0, y0=jax.numpy.zeros(stages), y1=jax.numpy.asarray(weights),
                                       k=slopes(jax.numpy.eye(stages)))
    nodes = numpy.exp(2j * numpy.pi * numpy.arange(points) / points)
    values = numpy.array([polynomial.evaluate(jax.numpy.asarray(node)) for node in nodes])
    coefficients = numpy.fft.fft(values, axis=0).real / points
    words = r"(\d)\w\w[ -]order\s+(?:local\s+linear\s+|Hermite\s+)?interpolation"
    return with_output(one, coefficients[1:].T, said(cls, words), name not in COUNTED_IN_A_RUN)


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
            order = cls.convergence_order(None)
            one = entry("torchode", cls_name, cls, square([numpy.trim_zeros(numpy.asarray(r), "b") for r in t.a], stages),
                        weights, weights - error, order)
            yield with_output(one, torchode_output(part, t, weights), min(order, OF_QUARTIC), False)


def torchode_output(part, tableau, weights):
    if hasattr(part, "compute_interpolation_weights"):
        return numpy.vstack([numpy.eye(len(weights))[0], part.compute_interpolation_weights()]).T
    if tableau.b_other is None:
        return cubic(weights)
    return quartic(weights, numpy.asarray(tableau.b_other, dtype=float)[0])


class SundialsTable(ctypes.Structure):
    """ARKodeButcherTableMem of arkode_butcher.h."""

    _fields_ = [
        ("q", ctypes.c_int),
        ("p", ctypes.c_int),
        ("stages", ctypes.c_int),
        ("A", ctypes.POINTER(ctypes.POINTER(ctypes.c_double))),
        ("c", ctypes.POINTER(ctypes.c_double)),
        ("b", ctypes.POINTER(ctypes.c_double)),
        ("d", ctypes.POINTER(ctypes.c_double)),
    ]


def of_sundials():
    root = pathlib.Path(os.environ.get("SUNDIALS_ROOT", "/"))
    version = re.search(r'SUNDIALS_VERSION "([^"]*)"', (root / "usr/include/sundials/sundials_config.h").read_text())
    library = ctypes.CDLL(next(str(file) for file in sorted((root / "usr/lib").rglob("libsundials_arkode.so.*"))))
    for family in ("ERK", "DIRK"):
        load = getattr(library, f"ARKodeButcherTable_Load{family}")
        load.restype = ctypes.POINTER(SundialsTable)
        header = root / f"usr/include/arkode/arkode_butcher_{family.lower()}.h"
        names = re.findall(r"^  ARKODE_(\w+)(?: = ARKODE_MIN_\w+)?,", header.read_text(), re.M)
        first = {"ERK": 0, "DIRK": 100}[family]
        for number, name in enumerate(names, start=first):
            t = load(number).contents
            yield sundials_entry(name, t, f"SUNDIALS {version.group(1)}, {header.relative_to(root)}: ARKODE_{name}")


def sundials_entry(name, t, source):
    stages = range(t.stages)
    matrix = numpy.array([[t.A[i][j] for j in stages] for i in stages])
    embedded = numpy.array([t.d[i] for i in stages]) if t.d else None
    one = entry("SUNDIALS", name, None, matrix, numpy.array([t.b[i] for i in stages]), embedded, t.q,
                t.p if embedded is not None else None, source=source)
    one["tableau"]["c"] = written([t.c[i] for i in stages], FEWER_DECIMALS.get(name, 14))
    return one


READERS = (of_pathsim, of_extensisq, of_diffrax, of_desolver, of_pysdc, of_torchdiffeq, of_torchode, of_sundials)


def main():
    entries = []
    for reader in READERS:
        entries += list(reader())
    print("[\n" + ",\n".join(json.dumps(x) for x in entries) + "\n]")


if __name__ == "__main__":
    main()
