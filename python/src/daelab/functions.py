"""Problems as functions of numpy: :meth:`daelab.Problem.from_functions`."""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from ._core import register_problem
from ._errors import InputError
from ._fingerprint import fingerprint

_Array = NDArray[Any]
_arguments = {
    "mass": "t, q",
    "forces": "t, q, v",
    "constraints": "t, q",
    "constraint_jacobian": "t, q",
    "gamma": "t, q, v",
    "force_jacobians": "t, q, v",
    "energy": "t, q, v",
}
_held: dict[str, dict[str, Any]] = {}  # functions by version, for the rest of the session
_complex_step = 1e-30  # no difference is taken, so nothing is lost however small it is


class FunctionProblem:
    """A problem given by functions, which :meth:`daelab.Problem.from_functions` makes: it goes wherever a problem goes
    in this session, and has no expressions.

    Attributes:
        name: its name among the problems of this session.
        coordinates: names of the n coordinates.
        constraints: m, their number.
    """

    def __init__(self, description: dict[str, Any]) -> None:
        self._description = description
        self.name: str = description["name"]
        self.coordinates: list[str] = description["coordinates"]
        self.constraints: int = description["constraints"]

    def document(self) -> dict[str, Any]:
        """What names it in specifications of runs, in this session: its name and the hash of its functions."""
        return {"name": self.name, "source": self._description["version"]}

    def save(self, path: Any) -> NoReturn:
        """Not possible: raises InputError."""
        raise InputError(
            "", f"'{self.name}' is given by functions: there is no document to save; daelab.Problem(...) makes some"
        )

    def __repr__(self) -> str:
        n, m = len(self.coordinates), self.constraints
        return f"<daelab.FunctionProblem {self.name}: {n} coordinates, {m} constraints>"


class _Function:
    """A function of the user, called and checked: returns float64 column by column, shape ``(size,)``."""

    def __init__(self, name: str, function: Callable[..., Any], shape: tuple[int, ...]) -> None:
        self.name, self.function, self.shape = name, function, shape
        self.text = f"{name}({_arguments[name]})"

    def __call__(self, *arguments: Any) -> NDArray[np.float64]:
        value = self._called(arguments)
        if type(value) is not np.ndarray or value.dtype != np.float64 or value.shape != self.shape:
            value = self.checked(value, "biuf")
        return np.ravel(value, order="F")

    def complex(self, *arguments: Any) -> _Array:
        """The same of complex coordinates, in its own shape."""
        return self.checked(self._called(arguments), "biufc")

    def _called(self, arguments: tuple[Any, ...]) -> Any:
        try:
            return self.function(*arguments)
        except Exception as error:
            frames = traceback.extract_tb(error.__traceback__)[1:]
            place = f" ({os.path.basename(frames[-1].filename)}, line {frames[-1].lineno})" if frames else ""
            text = f"{self.text} raised {type(error).__name__}: {error}{place}, {_point(arguments)}"
            raise self.error(text) from error

    def checked(self, value: Any, kinds: str) -> _Array:
        try:
            numbers = np.asarray(value)
        except ValueError as error:  # rows of different lengths
            raise self.error(f"{self.text} returned what is no array: {error}; {self._expected()}") from error
        if numbers.dtype.kind not in kinds:
            kind = "complex numbers" if numbers.dtype.kind == "c" else type(value).__name__
            raise self.error(f"{self.text} returned {kind}; {self._expected()}")
        if numbers.size == 1 and np.prod(self.shape) == 1:
            numbers = numbers.reshape(self.shape)
        if numbers.shape != self.shape:
            raise self.error(f"{self.text} returned the shape {numbers.shape}; {self._expected()}")
        return numbers if numbers.dtype.kind == "c" else numbers.astype(np.float64)

    def error(self, text: str) -> InputError:
        return InputError("/" + self.name, text)

    def _expected(self) -> str:
        return f"expected: numbers of the shape {self.shape}"


def from_functions(
    name: str,
    functions: dict[str, Any],
    start: tuple[Any, Any],
    *,
    end_time: Any,
    conserves_energy: bool,
    coordinates: Sequence[str] | None,
    sizes: Any,
    derivatives: str,
    summary: str,
) -> FunctionProblem:
    """See :meth:`daelab.Problem.from_functions`. functions: by name, None where there is none; start: q0, v0."""
    if derivatives not in ("central", "complex"):
        raise InputError("/derivatives", f"'{derivatives}' is unknown; allowed: central, complex")
    q = _numbers(start[0], "q0")
    n = len(q)
    v = np.zeros(n) if start[1] is None else _numbers(start[1], "v0", n)
    names = [f"x{i + 1}" for i in range(n)] if coordinates is None else [str(one) for one in coordinates]
    if len(names) != n:
        raise InputError("/coordinates", f"has {len(names)} names for {n} coordinates")
    checked, m = _checked(functions, q, v)
    if derivatives == "complex":
        _add_complex_steps(checked, (0.0, q, v))
    description = {
        "name": name,
        "summary": summary or f"{name}, given by functions of Python.",
        "source": "",
        "coordinates": names,
        "constraints": m,
        "has_constant_mass": not callable(functions["mass"]),
        "conserves_energy": conserves_energy,
        "q0": [_exact(x) for x in start[0]],
        "v0": ["0"] * n if start[1] is None else [_exact(x) for x in start[1]],
        "end_time": _exact(end_time),
        "time_size": min(1.0, _time(end_time)),
    }
    steps = np.maximum(1, np.abs(q)) if sizes is None else _numbers(sizes, "sizes", n)
    if not np.all(steps > 0):
        raise InputError("/sizes", "must be above 0")
    description["version"] = "py-" + fingerprint([functions, derivatives, steps, dict(description)])
    # Those of the same version are the same, and C++ may hold the first ones.
    register_problem(description, _held.setdefault(description["version"], checked), steps)
    return FunctionProblem(description)


def _checked(functions: dict[str, Any], q: _Array, v: _Array) -> tuple[dict[str, Any], int]:
    """Those that there are, tried at the start, and the number of constraints m."""
    n = len(q)
    m = 0 if functions["constraints"] is None else _count(functions["constraints"], q)
    shapes: dict[str, tuple[int, ...]] = {
        "mass": (n, n),
        "forces": (n,),
        "constraints": (m,),
        "constraint_jacobian": (m, n),
        "gamma": (m,),
        "energy": (2,),
        "force_jacobians": (2, n, n),
    }
    wrapped = {"mass": lambda given: _mass(given, n), "energy": _Energy}
    checked: dict[str, Any] = {}
    for name, given in functions.items():
        if given is None:
            continue
        if functions["constraints"] is None and name in ("constraint_jacobian", "gamma"):
            raise InputError("/" + name, "is given without constraints")
        function = wrapped[name](given) if name in wrapped else given
        if not callable(function):
            kind = type(given).__name__
            raise InputError("/" + name, f"is of type {kind}; expected: a function {name}({_arguments[name]})")
        checked[name] = (_ForceJacobians if name == "force_jacobians" else _Function)(name, function, shapes[name])
        arguments = (0.0, q.copy(), v.copy()) if _arguments[name] == "t, q, v" else (0.0, q.copy())
        _check_start(name, checked[name](*arguments))
    return checked, m


def _numbers(given: Any, name: str, size: int | None = None) -> NDArray[np.float64]:
    try:
        numbers = np.array([float(x) for x in np.asarray(given, dtype=object).ravel()])
    except (TypeError, ValueError) as error:
        raise InputError("/" + name, f"is no list of numbers: {error}") from error
    if len(numbers) == 0 or not np.all(np.isfinite(numbers)):
        raise InputError("/" + name, "must be finite numbers, at least one")
    if size is not None and len(numbers) != size:
        raise InputError("/" + name, f"has {len(numbers)} numbers for {size} coordinates")
    return numbers


def _exact(x: Any) -> Any:
    """Numbers as specifications take them: floats by their shortest decimal form."""
    return str(x) if isinstance(x, (Fraction, str)) else x if isinstance(x, int) else float(x)


def _time(end_time: Any) -> float:
    try:
        end = float(Fraction(end_time) if isinstance(end_time, str) else end_time)
    except ValueError as error:
        raise InputError("/end_time", f"'{end_time}' is no number") from error
    if not end > 0:
        raise InputError("/end_time", f"{end_time} must be above 0 [s]")
    return end


def _count(constraints: Any, q: NDArray[np.float64]) -> int:
    """m, by what the constraints are at the start."""
    if not callable(constraints):
        kind = type(constraints).__name__
        raise InputError("/constraints", f"is of type {kind}; expected: a function constraints(t, q)")
    probe = _Function("constraints", constraints, ())
    try:
        value = np.asarray(probe._called((0.0, q.copy())))
    except ValueError as error:
        raise probe.error(str(error)) from error
    if value.ndim > 1 or value.dtype.kind not in "biuf":
        raise probe.error(f"{probe.text} returned the shape {value.shape}; expected: numbers of the shape (m,)")
    return int(value.size)


class _ConstantMass:
    """A mass matrix that depends on nothing."""

    def __init__(self, matrix: NDArray[np.float64]) -> None:
        self.matrix = matrix

    def __call__(self, t: float, q: _Array) -> NDArray[np.float64]:
        return self.matrix


def _mass(mass: Any, n: int) -> Callable[..., Any]:
    if callable(mass):
        return mass
    matrix = np.asarray(mass)
    if matrix.shape == (n,):
        matrix = np.diag(matrix)
    if matrix.shape != (n, n) or matrix.dtype.kind not in "biuf":
        expected = f"expected: numbers of the shape ({n}, {n}), or ({n},) of a diagonal"
        raise InputError("/mass", f"has the shape {matrix.shape}; {expected}")
    return _ConstantMass(matrix.astype(np.float64))


class _Energy:
    """(kinetic, potential), of a function that returns both or their sum."""

    def __init__(self, energy: Callable[..., Any]) -> None:
        self.energy = energy

    def __call__(self, t: float, q: _Array, v: _Array) -> Any:
        value = self.energy(t, q, v)
        return (value, 0.0) if np.ndim(value) == 0 else value


class _ForceJacobians(_Function):
    """Q_q beside Q_v, of a function that returns the pair."""

    def __call__(self, *arguments: Any) -> NDArray[np.float64]:
        by_q, by_v = self.checked(self._called(arguments), "biuf")
        return np.ravel(np.hstack([by_q, by_v]), order="F")


class _ComplexStep:
    """Derivatives of a function by some of its arguments: Im f(x + i h e_j) / h, without round-off of differences."""

    def __init__(self, function: _Function, by: Sequence[int]) -> None:
        self.function, self.by = function, by

    def __call__(self, *arguments: Any) -> NDArray[np.float64]:
        columns = []
        for place in self.by:
            for j in range(len(arguments[place])):
                moved = [x.astype(complex) if isinstance(x, np.ndarray) else x for x in arguments]
                moved[place][j] += 1j * _complex_step
                columns.append(self.function.complex(*moved).imag / _complex_step)
        return np.concatenate(columns)

    def differences(self, *arguments: Any) -> NDArray[np.float64]:
        """The same by central differences, to compare with."""
        columns, step = [], 2.0**-17
        for place in self.by:
            for j in range(len(arguments[place])):
                values = []
                for h in (step, -step):
                    moved = [x.copy() if isinstance(x, np.ndarray) else x for x in arguments]
                    moved[place][j] += h
                    values.append(self.function(*moved))
                columns.append((values[0] - values[1]) / (2 * step))
        return np.concatenate(columns)


def _add_complex_steps(functions: dict[str, Any], start: tuple[Any, ...]) -> None:
    """For first derivatives that are not given."""
    steps = {"force_jacobians": _ComplexStep(functions["forces"], (1, 2))}
    if "constraints" in functions:
        steps["constraint_jacobian"] = _ComplexStep(functions["constraints"], (1,))
    for key, step in steps.items():
        if key in functions:
            continue
        at = start if key == "force_jacobians" else start[:2]
        by_steps, by_differences = step(*at), step.differences(*at)
        largest = 1 + np.abs(by_differences).max(initial=0)
        if not np.all(np.abs(by_steps - by_differences) <= 1e-5 * largest):
            raise step.function.error(
                f"{step.function.text} does not follow complex numbers: its derivatives by complex steps differ from "
                f'differences by {np.abs(by_steps - by_differences).max():.1e} at the start; derivatives="central" '
                "needs no complex numbers"
            )
        functions[key] = step


def _check_start(name: str, values: NDArray[np.float64]) -> None:
    if np.all(np.isfinite(values)):
        return
    entry = int(np.flatnonzero(~np.isfinite(values))[0])
    text = f"{name}({_arguments[name]}) is {values[entry]} in entry {entry + 1} at the start, t = 0"
    raise InputError("/" + name, text)


def _point(arguments: tuple[Any, ...]) -> str:
    texts = (np.array2string(np.asarray(x), precision=6, threshold=8) for x in arguments)
    return "at " + ", ".join(f"{name} = {text}" for name, text in zip("tqv", texts, strict=False))
