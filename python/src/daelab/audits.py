"""Audits: what is true of methods, and what is claimed of them against it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from . import _core
from ._errors import InputError
from ._tables import frame, html_table
from .own_methods import is_own, specification, stated_orders, text_without_version

if TYPE_CHECKING:
    import pandas


class Audit:
    """Facts about methods, each with its proof, and verdicts on claims.

    Attributes:
        rows: a dict for each property of each method: ``method``, ``property``, ``value`` (None: not known),
            ``is_bound`` (an order is at least so high), ``proof``, and of a claim ``claim`` and ``verdict``:
            ``"confirmed"``, ``"understated"``, ``"refuted"`` or ``"undecided"``.
        suggestions: by method, the nearest repairs of what is refuted.
    """

    def __init__(self, audits: Sequence[dict[str, Any]]) -> None:
        self.rows: list[dict[str, Any]] = [
            {"method": one["name"], **row, "claim": row.get("claim"), "verdict": row.get("verdict")}
            for one in audits
            for row in one["rows"]
        ]
        self.suggestions: dict[str, list[str]] = {one["name"]: one["suggestions"] for one in audits}

    def __getitem__(self, name: str) -> Any:
        """The value of a property of the first method that has it: ``audit["order"]``."""
        for row in self.rows:
            if row["property"] == name:
                return row["value"]
        known = dict.fromkeys(row["property"] for row in self.rows)
        raise KeyError(f"no property {name!r}; there are: {', '.join(known)}")

    @property
    def claims(self) -> list[dict[str, Any]]:
        """The rows with a claim."""
        return [row for row in self.rows if row["verdict"] is not None]

    @property
    def refuted(self) -> list[dict[str, Any]]:
        """The rows whose claim does not hold."""
        return [row for row in self.rows if row["verdict"] == "refuted"]

    def to_pandas(self) -> pandas.DataFrame:
        """:attr:`rows` as a frame of pandas."""
        return frame(self.rows)

    def _repr_html_(self) -> str:
        head = ("method", "property", "value", "claim", "verdict")
        shown = self.claims or self.rows
        notes = [f"{name}: {text}" for name, texts in self.suggestions.items() for text in texts]
        return html_table("Audit", head, ([row[key] for key in head] for row in shown), "; ".join(notes))

    def __repr__(self) -> str:
        methods = len(self.suggestions)
        return f"<daelab.Audit of {methods} methods: {len(self.claims)} claims, {len(self.refuted)} refuted>"


def audit(what: Any, claims: Mapping[str, Any] | None = None, *, measure: bool = False) -> Audit:
    """What is true of a method, and what is claimed of it against it.

    Args:
        what: a method: a name with options, a path, a :class:`Tableau` or its document, whose orders count as claims
            and need not be there; or several: a list of dicts with ``name``, ``tableau`` or ``method``, and
            ``claims``, or the path of a JSON file with such a list; or a class with a ``step``, or an object of it, as
            :func:`daelab.convergence` takes it, whose orders are measured. The ``order`` that it states is a claim.
        claims: of one method, by property: ``{"order": 4, "A-stable": True}``.
        measure: also measure the orders of methods with coefficients.

    Raises:
        InputError: there is no such property, a claim has no value that it can have, a tableau has another shape, or no
            step of the class succeeds: the message has problem, exception and place.
    """
    from .solution import component

    if is_own(what):
        return _audit_of_step(_step_function(what, {} if claims is None else claims), measure)
    given = component(what)
    if isinstance(given, Sequence) and not isinstance(given, str):
        given = [{**one, "tableau": component(one["tableau"])} if "tableau" in one else one for one in given]
    if claims is not None:
        given = [{"tableau": given, "claims": dict(claims)}]
    return Audit(_core.audit(given, measure))


def _audit_of_step(entry: dict[str, Any], measure: bool) -> Audit:
    try:
        return Audit(_core.audit([entry], measure))
    except InputError as error:
        if error.where != entry["name"]:
            raise
        allowed = "y, (q, v), (q, v, a, lambda), a dict of these or state.moved(...); or it raises daelab.StepFailed"
        raise InputError(error.where, f"{error.message}; a step returns {allowed}") from None


def _step_function(method: Any, claims: Mapping[str, Any]) -> dict[str, Any]:
    """The entry of a list for a method written in Python, with the order that it states as a claim."""
    if not isinstance(claims, Mapping):
        raise InputError("/claims", f'must be a dict by property, as {{"order": 4}}, not {type(claims).__name__}')
    spec = specification(method)
    stated = stated_orders(method)
    orders = [stated[kind] for kind in ("q", "v") if kind in stated]
    own = {"order": min(orders)} if orders else {}
    return {"name": text_without_version(spec), "method": spec, "claims": {**own, **claims}}
