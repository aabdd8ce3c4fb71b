"""Problems written in Python: formulas become the texts of a problem document."""

from __future__ import annotations

import copy
import difflib
import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ._errors import InputError
from .expressions import Expression, Operand, expression

if TYPE_CHECKING:
    from .functions import FunctionProblem


class Problem:
    """A problem, as daelab's problem documents state it (docs/problems.md).

    >>> p = daelab.Problem("my-pendulum", end_time=2)
    >>> x, y = p.coordinates("x", "y")
    >>> L, g = p.parameter("L", 1), p.parameter("g", 9.81)
    >>> p.kinetic_energy((x.dot**2 + y.dot**2) / 2)
    >>> p.potential_energy(g * y)
    >>> p.constraint(x**2 + y**2 - L**2)
    >>> p.start({x: L})
    >>> daelab.solve(p, "radau-iia:s=3", formulation="index-3", h=0.01)

    Nothing is checked here but what operators can tell: :func:`daelab.solve` reads the document and says what is wrong.
    """

    def __init__(self, name: str, *, summary: str = "", source: str = "", end_time: Operand = 1) -> None:
        self._document: dict[str, Any] = {"name": name}
        self._forces: dict[str, Expression] = {}
        if summary:
            self._document["summary"] = summary
        if source:
            self._document["source"] = source
        self._document["end_time"] = expression(end_time).text

    @classmethod
    def of_document(cls, document: Mapping[str, Any]) -> Problem:
        """A problem from a document that exists, to go on with. The document stays as it is."""
        problem = cls("")
        problem._document = copy.deepcopy(dict(document))
        forces = document.get("forces", {})
        problem._forces = {name: expression(text) for name, text in forces.items() if isinstance(text, str)}
        return problem

    @staticmethod
    def from_functions(
        name: str = "functions",
        *,
        mass: Callable[..., Any] | Any,
        forces: Callable[..., Any],
        q0: Any,
        v0: Any = None,
        constraints: Callable[..., Any] | None = None,
        end_time: Any = 1,
        constraint_jacobian: Callable[..., Any] | None = None,
        gamma: Callable[..., Any] | None = None,
        force_jacobians: Callable[..., Any] | None = None,
        energy: Callable[..., Any] | None = None,
        conserves_energy: bool = True,
        coordinates: Sequence[str] | None = None,
        sizes: Any = None,
        derivatives: str = "central",
        summary: str = "",
    ) -> FunctionProblem:
        """A mechanism M(t, q) a + C_qᵀ λ = Q(t, q, v), C(t, q) = 0 by functions of numpy, which may do anything.

        Slower than a document or :meth:`mass`, :meth:`constraint`, ...: every evaluation calls Python, derivatives that
        are not given call it many times, and runs on several threads take turns. It has no expressions, so there is
        nothing in 50 digits, no generated code, no method of Taylor series, no export and no
        document. Events, first-order states and nonholonomic constraints need a document.

        Args:
            name: by which it is found in this session.
            mass: ``mass(t, q)``, shape ``(n, n)``; or a constant array of that shape, or its diagonal ``(n,)``.
            forces: ``forces(t, q, v)``, shape ``(n,)``: all of Q, gyroscopic forces with it.
            q0, v0: the start at t = 0, n numbers each; velocities are 0 where nothing is said.
            constraints: ``constraints(t, q)``, shape ``(m,)``; None: there are none.
            end_time: [s]
            constraint_jacobian: C_q, ``(t, q)``, shape ``(m, n)``.
            gamma: in C_q a = gamma, ``(t, q, v)``, shape ``(m,)``: -(C_q v)_q v - 2 C_tq v - C_tt.
            force_jacobians: the pair of Q_q and Q_v, ``(t, q, v)``, shapes ``(n, n)``.
            energy: ``(t, q, v)``: the pair of kinetic and potential energy, or their sum.
            conserves_energy: False where forces dissipate or drive.
            coordinates: names of the coordinates.
            sizes: of the coordinates, shape ``(n,)``; by default 1, or ``abs(q0)`` if that is more. Functions are
                smooth over a few hundredths of them: differences take steps in proportion.
            derivatives: of what is not given. ``"central"``: differences; C_q to about 3e-13 (order 4), gamma to about
                3e-12 (order 6; 1e-12 with C_q given), what only Newton's matrices hold to about 1e-8. ``"complex"``:
                C_q, Q_q and Q_v by complex steps, to round-off; the functions must take complex q and v, as those of
                numpy do.

        Raises:
            InputError: a function raises an exception, or returns another shape or type, or nan at the start. In a run
                the same, with time and place; where a function returns nan, the step fails as ``non-finite``, and with
                tolerances a smaller one is tried.
        """
        from .functions import from_functions

        functions = {
            "mass": mass,
            "forces": forces,
            "constraints": constraints,
            "constraint_jacobian": constraint_jacobian,
            "gamma": gamma,
            "force_jacobians": force_jacobians,
            "energy": energy,
        }
        return from_functions(
            name,
            functions,
            (q0, v0),
            end_time=end_time,
            conserves_energy=conserves_energy,
            coordinates=coordinates,
            sizes=sizes,
            derivatives=derivatives,
            summary=summary,
        )

    def document(self) -> dict[str, Any]:
        """The problem document, a dict that ``json`` can write."""
        return copy.deepcopy(self._document)

    def with_(self, **values: Operand) -> Problem:
        """A new problem that differs in the values of parameters, or of ``start_time`` and ``end_time``:
        ``p.with_(L=2, g="9.80665")``. Values are exact, as those of :meth:`parameter`; this problem stays as it is.
        Raises :class:`InputError` for other names."""
        changed = Problem.of_document(self._document)
        parameters = changed._document.get("parameters", {})
        times = ("start_time", "end_time")
        for name, value in values.items():
            if name not in parameters and name not in times:
                raise InputError(f"/parameters/{name}", _no_parameter(name, [*parameters, *times]))
            (parameters if name in parameters else changed._document)[name] = expression(value).text
        return changed

    def save(self, path: Any) -> None:
        """Writes the document to a JSON file, for ``daelab solve --problem @FILE``."""
        with open(path, "w", encoding="utf-8") as file:
            json.dump(self._document, file, indent=2)
            file.write("\n")

    def parameter(self, name: str, value: Operand) -> Expression:
        """A constant that may be changed as an option: ``"name:L=2"``. The value is exact: 0.1 is 1/10."""
        self._member("parameters")[name] = expression(value).text
        return Expression(name)

    def definition(self, name: str, value: Operand) -> Expression:
        """A name for an expression that is used more than once."""
        self._member("definitions")[name] = expression(value).text
        return Expression(name)

    def coordinates(self, *names: str) -> tuple[Expression, ...]:
        """Coordinates q, in this order; ``x.dot`` is the velocity of ``x``."""
        self._list("coordinates").extend(names)
        return tuple(Expression(name) for name in names)

    def coordinate(self, name: str) -> Expression:
        """One coordinate."""
        return self.coordinates(name)[0]

    def state(self, name: str, rate: Operand | None = None) -> Expression:
        """A first-order state; its rate may be given later, by :meth:`rate`."""
        self._member("states")[name] = "" if rate is None else expression(rate).text
        return Expression(name)

    def rate(self, state: Expression, rate: Operand) -> None:
        """The time derivative of a state."""
        self._member("states")[state.text] = expression(rate).text

    def algebraic(self, name: str) -> Expression:
        """An algebraic state; :meth:`equation` gives what determines it."""
        self._member("algebraic")[name] = ""
        return Expression(name)

    def equation(self, state: Expression, residual: Operand) -> None:
        """The equation of an algebraic state, which is zero."""
        self._member("algebraic")[state.text] = expression(residual).text

    def kinetic_energy(self, energy: Operand) -> None:
        """Kinetic energy, quadratic in the velocities; the mass matrix and its forces follow."""
        self._document["kinetic_energy"] = expression(energy).text

    def potential_energy(self, energy: Operand) -> None:
        """Potential energy, of coordinates and time."""
        self._document["potential_energy"] = expression(energy).text

    def mass(self, rows: Sequence[Any]) -> None:
        """Mass matrix, shape ``(n, n)`` or its diagonal ``(n,)``, in place of the kinetic energy."""
        self._document["mass"] = [_row(row) for row in rows]

    def force(self, coordinate: Expression, force: Operand) -> None:
        """A generalised force on a coordinate beside those of the energies; a second one is added."""
        added = expression(force)
        before = self._forces.get(coordinate.text)
        total = self._forces[coordinate.text] = added if before is None else before + added
        self._member("forces")[coordinate.text] = total.text

    def dissipates(self) -> None:
        """Says that the energies need not balance: forces dissipate or drive where the mass matrix is given."""
        self._document["energy"] = "changes"

    def constraint(self, left: Operand, right: Operand = 0) -> None:
        """A holonomic constraint, ``left - right = 0``, of coordinates and time."""
        self._list("constraints").append(_equation(left, right))

    def nonholonomic_constraint(self, left: Operand, right: Operand = 0) -> None:
        """A constraint on velocities, ``left - right = 0``."""
        self._list("nonholonomic_constraints").append(_equation(left, right))

    def start(self, values: Mapping[Any, Operand] | str | None = None, **by_name: Operand) -> None:
        """Values at the start, by coordinate, velocity (``x.dot``) or state, or by name; 0 where nothing is said. The
        text ``"project"`` moves inconsistent values onto the constraints."""
        if isinstance(values, str):
            self._document["start"] = values
            return
        member = self._member("start")
        for key, value in {**(values or {}), **by_name}.items():
            member[str(key)] = expression(value).text

    def observable(self, name: str, value: Operand) -> None:
        """A named quantity to plot."""
        self._member("observables")[name] = expression(value).text

    def event(
        self,
        name: str,
        function: Operand,
        *,
        direction: int = 0,
        consequence: str = "",
        then: Mapping[Any, Operand] | None = None,
    ) -> None:
        """What happens where a function crosses zero: ``consequence`` is ``"observe"``, ``"stop"``, ``"jump"`` or
        ``"impact"``, ``then`` the new values; direction 1 rises, -1 falls, 0 either."""
        event: dict[str, Any] = {"function": expression(function).text, "direction": direction}
        if consequence:
            event["consequence"] = consequence
        if then:
            event["then"] = {str(key): expression(value).text for key, value in then.items()}
        self._member("events")[name] = event

    def _member(self, key: str) -> dict[str, Any]:
        return self._document.setdefault(key, {})

    def _list(self, key: str) -> list[Any]:
        return self._document.setdefault(key, [])

    def __repr__(self) -> str:
        return f"<daelab.Problem {self._document['name']}>"


def _no_parameter(name: str, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(name, known, 1, 0.5)
    hint = f"; did you mean '{near[0]}'?" if near else ""
    return f"there is no parameter '{name}'; known: {', '.join(known)}{hint}"


def _row(row: Any) -> Any:
    if isinstance(row, (Expression, str)) or (not isinstance(row, Sequence) and not hasattr(row, "__len__")):
        return expression(row).text
    return [expression(entry).text for entry in row]


def _equation(left: Any, right: Any) -> str:
    if isinstance(left, bool):
        raise InputError(
            "/constraints", "a constraint is an expression that is zero, or has two sides: constraint(a, b)"
        )
    difference = expression(left)
    if isinstance(right, int) and right == 0:
        return difference.text
    return f"{difference.text} = {expression(right).text}"
