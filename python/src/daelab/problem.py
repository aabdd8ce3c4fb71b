"""Problems written in Python: formulas become the texts of a problem document."""

from __future__ import annotations

import copy
import difflib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from ._errors import InputError
from .expressions import Expression, Operand, expression


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
