"""Which velocity constraints of a SymPy model are time derivatives of its configuration constraints."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import numpy as np
import sympy
from sympy.physics.mechanics import dynamicsymbols

_POINTS = 5
_TOLERANCE = 1e-8  # beside what the rows differ by at random points


def not_derivatives(
    velocity: list[Any],
    configuration: list[Any],
    coordinates: list[Any],
    speeds: list[Any],
    rates: list[Any],
    parameters: Mapping[Any, Any],
) -> list[Any]:
    """The velocity constraints that the configuration constraints do not imply.

    Each is linear in the speeds, a u + b = 0. It is implied where (a, b) is a combination of the rows of the derivatives of all
    configuration constraints: at random points that satisfy these, since models are simplified by them; at others where none is found.

    Args:
        velocity, configuration: expressions that are zero.
        coordinates, speeds: of the model.
        rates: q' as expressions of the speeds.
        parameters: values of symbols; others are random.
    """
    if not configuration or not velocity:
        return velocity
    t = dynamicsymbols._t
    q_rates = dict(zip((q.diff(t) for q in coordinates), rates, strict=True))
    derivatives = [sympy.sympify(f).diff(t).subs(q_rates) for f in configuration]
    velocity_in_u = [sympy.sympify(g).subs(q_rates) for g in velocity]
    point = _Points([*derivatives, *velocity_in_u, *map(sympy.sympify, configuration)], coordinates, speeds, parameters)
    implied = _rows(derivatives, speeds, point)
    rows = _rows(velocity_in_u, speeds, point)
    positions = point.function(configuration)
    slopes = point.function([[sympy.sympify(f).diff(q) for q in coordinates] for f in configuration])
    follows = [True] * len(velocity)
    for k in range(_POINTS):
        x = point.on(positions, slopes, k)
        span, own = np.asarray(implied(x), dtype=float), np.asarray(rows(x), dtype=float)
        for i, row in enumerate(own):
            combination = np.linalg.lstsq(span.T, row, rcond=None)[0]
            follows[i] &= bool(np.abs(span.T @ combination - row).max() <= _TOLERANCE * max(np.abs(row).max(), 1e-300))
    return [g for g, is_derivative in zip(velocity, follows, strict=True) if not is_derivative]


class _Points:
    """Random values of time, coordinates and symbols without value."""

    def __init__(
        self, formulas: list[Any], coordinates: list[Any], speeds: list[Any], parameters: Mapping[Any, Any]
    ) -> None:
        t = dynamicsymbols._t
        self._plain = {q: sympy.Dummy() for q in [*coordinates, *speeds]}
        symbols = set().union(*(f.free_symbols for f in formulas)) - {t}
        self._symbols = sorted(symbols, key=str)
        self._values = {sympy.sympify(s): float(sympy.Rational(str(x))) for s, x in parameters.items() if _is_number(x)}
        self._unknowns = [t, *(self._plain[q] for q in coordinates), *self._symbols]
        self._count = len(coordinates)

    def function(self, formulas: Any) -> Any:
        """Lists of formulas, of a vector of the unknowns."""
        call = sympy.lambdify(self._unknowns, self._in_dummies(formulas), "numpy")
        return lambda x: call(*x)

    def _in_dummies(self, formulas: Any) -> Any:
        if isinstance(formulas, list):
            return [self._in_dummies(x) for x in formulas]
        return sympy.sympify(formulas).subs(self._plain)

    def on(self, positions: Any, slopes: Any, seed: int) -> np.ndarray:
        """A point on the constraints by Gauss and Newton's method, or the random point where that finds none."""
        numbers = random.Random(seed)
        symbols = [self._values.get(s, numbers.uniform(0.5, 1.5)) for s in self._symbols]
        begin = np.array([numbers.uniform(-1, 1) for _ in range(1 + self._count)] + symbols)
        x, q = begin.copy(), slice(1, 1 + self._count)
        for _ in range(50):
            f, f_q = np.asarray(positions(x), dtype=float), np.asarray(slopes(x), dtype=float)
            if not (np.isfinite(f).all() and np.isfinite(f_q).all()):
                break
            if np.abs(f).max() <= 1e-13:
                return x
            x[q] -= np.linalg.lstsq(f_q, f, rcond=None)[0]
        return begin


def _rows(formulas: list[Any], speeds: list[Any], point: _Points) -> Any:
    """(a, b) of each a u + b."""
    rest = dict.fromkeys(speeds, 0)
    return point.function([[*(f.diff(u) for u in speeds), f.subs(rest)] for f in formulas])


def _is_number(value: Any) -> bool:
    try:
        sympy.Rational(str(value))
    except (TypeError, ValueError):
        return False
    return True
