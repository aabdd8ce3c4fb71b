"""Methods: tableaus given in Python, and the report card of any method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from . import _core
from ._errors import InputError
from ._latex import coefficients_in_latex
from ._tables import frame, html_table
from .expressions import Operand, expression


if TYPE_CHECKING:
    import pandas

_properties_shown = ("A_stable", "L_stable", "stiffly_accurate", "algebraically_stable", "zero_stable")


class Tableau:
    """A Runge-Kutta method by its coefficients, exact: integers, fractions or texts, ``"sqrt(2)/2"``.

    Args:
        A: shape ``(s, s)``; what rows lack at their end is zero: ``[[], ["1/2"]]``.
        b: weights, shape ``(s,)``.
        c: nodes, shape ``(s,)``; by default the row sums of A.
        order: which is proved when the method is made; see :func:`method` for what holds.
        b_hat: weights of an embedded method for error control, and ``order_hat`` its order.

    A float is read by its shortest decimal form: 1/3 must be a ``Fraction`` or a text.
    """

    def __init__(
        self,
        A: Sequence[Sequence[Operand]],
        b: Sequence[Operand],
        c: Sequence[Operand] | None = None,
        *,
        order: int,
        name: str = "tableau",
        summary: str = "Tableau given in Python.",
        source: str = "",
        **further: Any,
    ) -> None:
        rows = [[expression(x).text for x in row] for row in A]
        stages = len(rows)
        for i, row in enumerate(rows):
            if len(row) > stages:
                raise InputError(f"/A/{i}", f"the row has {len(row)} entries for {stages} stages")
            row.extend(["0"] * (stages - len(row)))
        nodes = [" + ".join(f"({x})" for x in row) for row in rows] if c is None else [expression(x).text for x in c]
        weights = [expression(x).text for x in b]
        for key, list_ in (("b", weights), ("c", nodes)):
            if len(list_) != stages:
                raise InputError(f"/{key}", f"has {len(list_)} entries for {stages} stages")
        self._document: dict[str, Any] = {"name": name, "summary": summary, "order": order, "c": nodes, "A": rows}
        self._document["b"] = weights
        if source:
            self._document["source"] = source
        self._document.update(
            (key, [expression(x).text for x in value] if isinstance(value, (list, tuple)) else value)
            for key, value in further.items()
        )

    def to_latex(self) -> str:
        """The tableau as an ``array`` of LaTeX, with the coefficients that were given in closed form."""
        return method(self).to_latex()

    def document(self) -> dict[str, Any]:
        """The tableau as a method document, a dict that ``json`` can write."""
        return dict(self._document)

    def __repr__(self) -> str:
        return f"<daelab.Tableau {self._document['name']}: {len(self._document['b'])} stages>"


class MethodCard(Mapping[str, Any]):
    """What can be said of a method without integrating, as ``daelab show method --json`` prints it: ``form``,
    ``order``, ``stage_order``, ``stability_function``, ``A_stable`` (``holds``, ``proof``), ..., ``predicted`` orders
    by formulation, ``coefficients``: symbol -> rows of ``{"exact", "decimal"}``."""

    def __init__(self, card: dict[str, Any]) -> None:
        self._card = card

    def __getitem__(self, key: str) -> Any:
        return self._card[key]

    def __iter__(self) -> Any:
        return iter(self._card)

    def __len__(self) -> int:
        return len(self._card)

    @property
    def order(self) -> int | None:
        """The order; None for methods whose coefficients are not stated."""
        return (self._card.get("order") or {}).get("order")

    def holds(self, name: str) -> bool:
        """Whether a property holds: ``"A_stable"``, ``"L_stable"``, ``"stiffly_accurate"``, ``"zero_stable"``, ..."""
        properties = [key for key, value in self._card.items() if isinstance(value, dict) and "holds" in value]
        if name not in properties:
            raise InputError(f"/{name}", f"is no property; there are: {', '.join(properties)}")
        return bool(self._card[name]["holds"])

    def coefficients(self, symbol: str) -> list[list[str]]:
        """Exact coefficients by symbol, ``"A"``, ``"b"``, ``"c"``, as rows of texts."""
        known = self._card["coefficients"]
        if symbol not in known:
            raise InputError(f"/{symbol}", f"is no symbol of this method; there are: {', '.join(known)}")
        return [[entry["exact"] for entry in row] for row in known[symbol]]

    @property
    def orders(self) -> dict[str, dict[str, int | None]]:
        """Orders that theory predicts, by formulation and class of entries: ``{"index-3": {"q": 5, ...}, ...}``; None
        where there is no theorem. ``card["predicted"]`` names the theorems."""
        predicted = self._card.get("predicted") or {}
        return {name: {key: p for key, p in one.items() if key != "source"} for name, one in predicted.items()}

    def to_pandas(self) -> pandas.DataFrame:
        """:attr:`orders` as a frame of pandas, a formulation a row, with the ``source`` of each."""
        predicted = self._card.get("predicted") or {}
        return frame([{"formulation": name, **one} for name, one in predicted.items()])

    def to_latex(self) -> str:
        """The tableau as an ``array`` of LaTeX; of other methods than Runge-Kutta methods their coefficients by symbol.

        Raises:
            InputError: they are not stated.
        """
        return coefficients_in_latex({name: self.coefficients(name) for name in self._card.get("coefficients") or {}})

    def show(self) -> None:
        """Prints the card: form, order and properties."""
        for name, value in self._rows():
            print(f"{name:<22}{value}")

    def _rows(self) -> list[tuple[str, str]]:
        card = self._card
        order = card.get("order") or {}
        rows = [("method", _core.spec_text(card["spec"])), ("form", str(card.get("form", "")))]
        rows.append(("order", f"{order.get('order', 'not stated')}"))
        for key in ("stage_order", "error_constant", "stability_function", "R_infinity"):
            value = card.get(key)
            if value is not None:
                rows.append((key.replace("_", " "), str(value["value"] if isinstance(value, dict) else value)))
        for key in _properties_shown:
            if (card.get(key) or {}).get("applicable"):
                name = key.replace("_", " ").replace(" stable", "-stable")
                rows.append((name, "yes" if card[key]["holds"] else "no"))
        return rows

    def _repr_html_(self) -> str:
        orders = [(name, *one.values()) for name, one in self.orders.items()]
        classes = next(iter(self.orders.values()), {})
        card = html_table(f"Method {self._card['spec'].get('name')}", (), self._rows())
        if not orders:
            return card
        return card + html_table("Orders that theory predicts", ("formulation", *classes), orders)

    def __repr__(self) -> str:
        return f"<daelab.MethodCard of {self._card['spec'].get('name')}: order {self.order}>"


def method(spec: Any) -> MethodCard:
    """The report card of a method: a name with options, ``"radau-iia:s=3"``, a path, a :class:`Tableau`."""
    from .solution import component

    return MethodCard(_core.method(component(spec)))


def names(kind: str) -> list[str]:
    """The ``"problems"``, ``"methods"``, ``"formulations"``, ``"multiplier_solvers"`` or ``"papers"`` there are."""
    all_names = _core.names()
    if kind not in all_names:
        raise InputError("", f"no kind '{kind}'; known: {', '.join(all_names)}")
    return all_names[kind]
