"""Methods written in Python: a class with a ``step``, beside all methods of daelab.

    class MyHeun:
        \"\"\"Heun's method.\"\"\"

        order = 2

        def step(self, system, state, h):
            t, q, v = state.t, state.q, state.v
            a, _ = system.accelerations(t, q, v)
            next_a, _ = system.accelerations(t + h, q + h * v, v + h * a)
            return q + h / 2 * (v + v + h * a), v + h / 2 * (a + next_a)

    daelab.solve("pendulum", MyHeun, h="1/100")
    daelab.convergence("pendulum", {"mine": MyHeun, "RK4": "rk4-classical"}, ["1/50", "1/100"])

See :func:`register` for what the class may state, :class:`State` and :class:`daelab.System` for what a step is given.
"""

from __future__ import annotations

import inspect
import os
import re
import traceback
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._core import register_method, spec_text
from ._errors import InputError, StepFailed
from ._fingerprint import fingerprint

_versions: dict[str, type] = {}  # by fingerprint
_names: dict[type, str] = {}  # given to register()


class State:
    """Where a step starts. Arrays are copies: a step may change them.

    Attributes:
        t: time [s].
        y: all that the equations determine, shape ``(N,)``: the states of first-order equations; of a mechanism q, v
            and the multipliers, and what its formulation adds.
        ydot: their time derivatives, shape ``(N,)``; zero for algebraic entries.
        memory: what the step before has returned as ``"memory"``, shape ``(memory_size,)``; None at the start, and
            where the past is of no use: after an event.
        memory_step: the size of that step [s].
    """

    __slots__ = ("_given", "_layout", "memory", "memory_step", "t", "y", "ydot")
    _given: dict[str, Any]

    def __init__(
        self,
        t: float,
        y: NDArray[np.float64],
        ydot: NDArray[np.float64],
        memory: NDArray[np.float64] | None,
        memory_step: float,
        layout: tuple[int, int, int],
    ) -> None:
        self.t, self.y, self.ydot, self.memory, self.memory_step, self._layout = t, y, ydot, memory, memory_step, layout

    @property
    def q(self) -> NDArray[np.float64]:
        """Positions, shape ``(n,)``; empty for first-order equations."""
        return self.y[: self._layout[0]]

    @property
    def v(self) -> NDArray[np.float64]:
        """Velocities, shape ``(n,)``."""
        n = self._layout[0]
        return self.y[n : 2 * n]

    @property
    def a(self) -> NDArray[np.float64]:
        """Accelerations, shape ``(n,)``."""
        n, _, at = self._layout
        return self.y[at : at + n] if at else self.ydot[n : 2 * n]

    @property
    def lambda_(self) -> NDArray[np.float64]:
        """Lagrange multipliers, shape ``(m,)``."""
        n, m, _ = self._layout
        return self.y[2 * n : 2 * n + m]

    def moved(self, **parts: Any) -> State:
        """The state at the end of a step, to return: ``q`` and ``v``, or ``y``; what else is given (``a``, ``lambda_``,
        ``ydot``, ``memory``) is kept, what is not follows from the equations."""
        state = State(self.t, self.y, self.ydot, self.memory, self.memory_step, self._layout)
        state._given = parts
        return state


def register(method: type, name: str | None = None) -> str:
    """Registers a class with a ``step`` for this session: its name is that of a method wherever methods are named,
    ``"my-method:alpha=0.3"``. Where a class, or an object of it, is given as a method, it is registered by that.

    ``step(self, system, state, h)`` makes a step of ``h`` [s] from ``state``, a :class:`State`, and returns the new
    one: ``(q, v)`` or ``(q, v, a, lambda)`` of a mechanism, ``y``, a dict with these names and ``"ydot"``,
    ``"memory"``, or ``state.moved(q=..., v=...)``. Accelerations and multipliers that it does not return follow from
    (q, v). ``system`` has the equations: :class:`daelab.System`. Every run makes an object of its own.

    The class may state:
        name: by default that of the class, ``MyMethod`` is ``my-method``.
        order: an integer, or a dict by class of entries, ``{"q": 2, "v": 2, "lambda": 1}``, which observed orders are
            compared with.
        formulations: a list of names that it is for; the first one that a problem has is its default.
        error_order: the step then returns a pair, the new state and the estimate of its error: an array like the
            differential part of y, or ``(error of q, error of v)``. It grows like ``h**(error_order + 1)``, and runs
            with tolerances are possible.
        memory_size: so many numbers, or a method of the system that says how many, that a step returns as ``"memory"``
            and the next one finds in the state: past values of a multistep method. An object keeps nothing that results
            depend on: steps are rejected, and shortened by events.
        ``__init__``: its arguments are options, with defaults that are truth values, integers, floats or texts.

    A step that cannot be made raises :class:`daelab.StepFailed`; with error control a smaller one is tried. What else
    it raises, or a result of the wrong shape, ends the run with the status ``"method-failed"`` and the place in
    ``message``.

    The key of a run holds a hash of the code of the class, and of the functions, classes and values that it uses.

    Args:
        method: the class.
        name: another name.

    Returns:
        The name.

    Raises:
        InputError: the class has no ``step``, states what is not allowed, or has the name of a method of daelab.
    """
    if not isinstance(method, type):
        raise InputError("", f"register() takes a class, not an object of type {type(method).__name__}")
    if name is not None:
        _names[method] = name
    return specification(method)["name"]


def is_own(given: Any) -> bool:
    """Whether this is a method written in Python: a class with a ``step``, or an object of one."""
    return callable(getattr(given, "step", None))


def specification(given: Any) -> dict[str, Any]:
    """What names a class, or an object with its options, in specifications of runs; the class is registered."""
    cls = given if isinstance(given, type) else type(given)
    if not is_own(cls):
        raise InputError("", f"{cls.__name__} has no step(self, system, state, h)")
    version = "py-" + fingerprint(cls)
    options = _options(cls)
    name = _name(cls)
    _versions[version] = cls
    register_method(
        {
            "name": name,
            "version": version,
            "summary": (inspect.getdoc(cls) or f"{cls.__name__}, written in Python.").split("\n")[0],
            "source": getattr(cls, "source", ""),
            "options": options,
            "orders": _orders(cls),
            "formulations": _formulations(cls),
        }
    )
    spec = {"name": name, "source": version}
    if given is not cls:
        spec.update(_values(given, options))
    return spec


def stated_orders(given: Any) -> dict[str, int]:
    """By class of entries, q, v, a, lambda, what a class, or the class of an object, states as its ``order``."""
    return _orders(given if isinstance(given, type) else type(given))


def text_without_version(spec: dict[str, Any]) -> str:
    """A specification as its user would write it, without the hash of code in Python."""
    return spec_text({key: value for key, value in spec.items() if key != "source"})


def _name(cls: type) -> str:
    if cls in _names:
        return _names[cls]
    own = getattr(cls, "name", None)
    return own if isinstance(own, str) else re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", cls.__name__).lower()


def _options(cls: type) -> dict[str, Any]:
    options: dict[str, Any] = {}
    if cls.__init__ is object.__init__:  # type: ignore[misc]
        return options
    for parameter in list(inspect.signature(cls).parameters.values()):
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        if parameter.default is parameter.empty:
            raise InputError(f"/options/{parameter.name}", f"this option of {cls.__name__} has no default")
        value = parameter.default
        options[parameter.name] = float(value) if isinstance(value, Fraction) else value
    return options


def _values(method: Any, options: dict[str, Any]) -> dict[str, Any]:
    for name in options:
        if not hasattr(method, name):
            raise InputError(f"/options/{name}", f"the object of {type(method).__name__} has no attribute '{name}'")
    return {name: getattr(method, name) for name in options}


def _orders(cls: type) -> dict[str, int]:
    order = getattr(cls, "order", None)
    if order is None:
        return {}
    kinds = ("q", "v", "a", "lambda")
    given = order if isinstance(order, dict) else dict.fromkeys(kinds, order)
    orders = {str(kind).rstrip("_"): p for kind, p in given.items()}
    if "y" in orders:
        orders.setdefault("q", orders.pop("y"))
    for kind, p in orders.items():
        if kind not in kinds or isinstance(p, bool) or not isinstance(p, (int, np.integer)) or p < 1:
            allowed = "an integer above 0, or a dict of them by q, v, a, lambda, y"
            raise InputError("/order", f"{order!r} is no order; allowed: {allowed}")
    return {kind: int(p) for kind, p in orders.items()}


def _formulations(cls: type) -> list[str]:
    given = getattr(cls, "formulations", ())
    return [given] if isinstance(given, str) else [str(name) for name in given]


# What the stepper of C++ calls.


def make_stepper(version: str, options: dict[str, Any]) -> Any:
    """The object of one run."""
    return _versions[version](**options)


def memory_size_of(method: Any, system: Any) -> int:
    """The numbers that it keeps from one step to the next."""
    size = getattr(method, "memory_size", 0)
    size = size(system) if callable(size) else size
    if isinstance(size, bool) or not isinstance(size, (int, np.integer)) or size < 0:
        raise InputError("", f"memory_size is {size!r}; allowed: an integer, at least 0")
    return int(size)


def error_order_of(method: Any) -> int | None:
    """The order that its estimate of errors has; None: it makes none."""
    order = getattr(method, "error_order", None)
    if order is not None and (isinstance(order, bool) or not isinstance(order, (int, np.integer)) or order < 1):
        raise InputError("", f"error_order is {order!r}; allowed: an integer above 0")
    return None if order is None else int(order)


def failure_of(name: str, error: BaseException) -> tuple[str, str, str]:
    """Status, cause and traceback of a run that an exception ends; no traceback where the exception says it all."""
    if isinstance(error, StepFailed):
        return error.status, error.message, ""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({os.path.basename(frames[-1].filename)}, line {frames[-1].lineno}, {frames[-1].name})" if frames else ""
    cause = f"{name}: {type(error).__name__}: {error}{place}"
    status = "method-failed"
    if isinstance(error, np.linalg.LinAlgError):
        status = "singular"
    elif isinstance(error, ArithmeticError):
        status = "non-finite"
    return status, cause, "".join(traceback.format_exception(error))
