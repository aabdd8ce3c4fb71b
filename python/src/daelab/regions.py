"""Regions of absolute stability: :func:`region`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._errors import InputError
from .own_methods import State, error_order_of, is_own, memory_size_of
from .solution import component

_own_window = (-6.0, 2.0, -5.0, 5.0)


def region(
    methods: Any | Iterable[Any] | Mapping[str, Any],
    *,
    window: Sequence[float] | None = None,
    points: int = 400,
    ax: Any = None,
) -> Any:
    """Draws where methods are stable in the plane of z = h λ: for the test equation y' = λ y no solution grows.

    The boundaries are those of the stability polynomial, from exact coefficients. A one-step method written in Python
    (:func:`daelab.register`) shows its own by a step of the test equation from 1 at each point of the picture.

    Args:
        methods: a method, a list of them, or a dict by label.
        window: ``(left, right, bottom, top)``; by default one that shows the boundaries.
        points: of the grid, along each side.
        ax: axes of matplotlib to draw in.

    Returns:
        The axes.

    Raises:
        InputError: a method has no such region: its coefficients are not stated, or it is one of second-order systems.
    """
    from .plots import plot_regions

    if not isinstance(points, int) or not 2 <= points <= 4000:
        raise InputError("/points", f"{points} is out of range; allowed: 2 to 4000")
    labelled = _labelled(methods)
    stated = [one for one in labelled.values() if not is_own(one)]
    found = _core.stability_regions([component(one) for one in stated], _checked(window), points) if stated else None
    shown = tuple(found["window"]) if found else _checked(window) or _own_window
    regions = iter(found["regions"] if found else [])
    drawn = {}
    for label, one in labelled.items():
        drawn[label] = _own_region(one, shown, points) if is_own(one) else next(regions)
    return plot_regions(drawn, shown, ax)


def _checked(window: Sequence[float] | None) -> tuple[float, float, float, float] | None:
    if window is None:
        return None
    if len(window) != 4:
        raise InputError("/window", f"has {len(window)} numbers; allowed: (left, right, bottom, top)")
    left, right, bottom, top = map(float, window)
    return left, right, bottom, top


def _labelled(methods: Any) -> dict[str, Any]:
    if isinstance(methods, Mapping) and "name" not in methods:
        return dict(methods)
    listed = list(methods) if isinstance(methods, (list, tuple)) else [methods]
    return {_label(one): one for one in listed}


def _label(method: Any) -> str:
    if is_own(method):
        return (method if isinstance(method, type) else type(method)).__name__
    given = component(method)
    return given if isinstance(given, str) else _core.spec_text(given)


def _own_region(method: Any, window: tuple[float, ...], points: int) -> dict[str, Any]:
    """By steps of y' = z y with h = 1, on the upper half of a grid that is symmetric to the real axis, and mirrored:
    the numbers of the method are real."""
    stepper = method() if isinstance(method, type) else method
    if memory_size_of(stepper, _TestEquation(0j)) > 0:
        raise InputError("/methods", "region() draws one-step methods written in Python, not those with a memory")
    left, right, bottom, top = window
    half = max(abs(bottom), abs(top))
    across, up = np.linspace(left, right, points), np.linspace(0, half, max(2, points // 2))
    growth = np.array([[_growth(stepper, complex(x, y)) for x in across] for y in up])
    with np.errstate(divide="ignore"):
        values = np.log(np.vstack([growth[:0:-1], growth]))
    rows = len(values)
    return _core.region_of_values(values.ravel(), points, rows, (left, right, -half, half))


def _growth(stepper: Any, z: complex) -> float:
    """|R(z)|."""
    system = _TestEquation(z)
    y = np.array([1.0, 0.0])
    state = State(0.0, y, system.rate(0.0, y), None, 0.0, (0, 0, 0))
    try:
        with np.errstate(all="ignore"):
            result = stepper.step(system, state, 1.0)
    except ArithmeticError:  # a pole, or a step that cannot be made
        return float("inf")
    if error_order_of(stepper) is not None:
        result = result[0]
    if isinstance(result, State):
        result = result._given
    y = np.asarray(result["y"] if isinstance(result, dict) else result, dtype=float)
    if y.shape != (2,):
        raise InputError("/methods", f"a step of y' = λ y returned an array of the shape {y.shape}, not (2,)")
    return float(np.hypot(*y))


class _TestEquation:
    """y' = z y with y = (real part, imaginary part), as a step sees it."""

    size = differential = 2
    index = coordinates = multipliers = 0

    def __init__(self, z: complex) -> None:
        self._matrix: NDArray[np.float64] = np.array([[z.real, -z.imag], [z.imag, z.real]])

    def rate(self, t: float, y: NDArray[np.float64]) -> NDArray[np.float64]:
        return self._matrix @ y

    def complete(self, t: float, y: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return y, self._matrix @ y

    def residual(self, t: float, y: NDArray[np.float64], ydot: NDArray[np.float64]) -> NDArray[np.float64]:
        return ydot - self._matrix @ y

    def jacobians(self, t: float, y: Any, ydot: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return -self._matrix, np.eye(2)

    def __getattr__(self, name: str) -> Any:
        message = f"a region is that of y' = λ y, which has no '{name}': use rate(), residual() or jacobians()"
        raise InputError("/methods", message)
