"""Tables: frames of pandas, which is optional, and HTML for notebooks, which needs nothing."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas

_most_rows = 12
_most_curves, _most_points, _width, _height = 4, 400, 420, 120
_colours = ("#0072B2", "#D55E00", "#009E73", "#CC79A7")  # those of plots


def frame(rows: Any, **keys: Any) -> pandas.DataFrame:
    """A frame of pandas.

    Raises:
        ImportError: pandas is not installed; the message names the extra.
    """
    return require_pandas().DataFrame(rows, **keys)


def require_pandas() -> Any:
    """The module pandas.

    Raises:
        ImportError: it is not installed; the message names the extra.
    """
    try:
        import pandas
    except ImportError as error:
        raise ImportError("tables need pandas, which is not installed: pip install 'daelab[results]'") from error
    return pandas


def number(value: Any, digits: int = 3) -> str:
    """A number in a table; other values as they are."""
    if value is None:
        return "–"
    return f"{value:.{digits}g}" if isinstance(value, float) else str(value)


def html_table(title: str, head: Sequence[str], rows: Iterable[Sequence[Any]], note: str = "") -> str:
    """A table with a caption; of long ones the first rows, and how many there are."""
    listed = list(rows)
    parts = [f'<table class="daelab"><caption style="text-align: left">{html.escape(title)}</caption>']
    if any(head):
        parts.append("<thead><tr>" + "".join(f"<th>{html.escape(one)}</th>" for one in head) + "</tr></thead>")
    parts.append("<tbody>")
    for row in listed[:_most_rows]:
        cells = (f'<td style="text-align: left">{html.escape(number(value))}</td>' for value in row)
        parts.append("<tr>" + "".join(cells) + "</tr>")
    parts.append("</tbody></table>")
    if len(listed) > _most_rows:
        note = f"{_most_rows} of {len(listed)} rows. {note}"
    return "".join(parts) + (f"<small>{html.escape(note.strip())}</small>" if note else "")


def svg_curves(x: NDArray[Any], curves: Mapping[str, NDArray[Any]]) -> str:
    """The first curves over x as a small figure, told apart by colour and in the order of their legend; "" where fewer
    than two points are finite."""
    shown = dict(list(curves.items())[:_most_curves])
    if len(x) < 2:
        return ""
    rows = np.unique(np.linspace(0, len(x) - 1, min(len(x), _most_points)).astype(int))
    across = np.asarray(x[rows], dtype=float)
    up = {name: np.asarray(values[rows], dtype=float) for name, values in shown.items()}
    finite = np.concatenate([values[np.isfinite(values)] for values in up.values()]) if up else np.empty(0)
    if len(finite) < 2 or across[-1] == across[0]:
        return ""
    low, high = float(finite.min()), float(finite.max())
    scale = _height / (high - low) if high > low else 0.0
    px = (across - across[0]) / (across[-1] - across[0]) * _width
    parts = [f'<svg width="{_width}" height="{_height + 20}" role="img">']
    for i, (name, values) in enumerate(up.items()):
        points = " ".join(
            f"{a:.1f},{_height - (b - low) * scale:.1f}" for a, b in zip(px, values, strict=True) if np.isfinite(b)
        )
        parts.append(f'<polyline fill="none" stroke="{_colours[i]}" points="{points}"/>')
        parts.append(
            f'<text x="{i * 60}" y="{_height + 15}" font-size="12" fill="{_colours[i]}">{html.escape(name)}</text>'
        )
    x_text = f"t = {across[0]:g} to {across[-1]:g} s, {low:.3g} to {high:.3g}"
    parts.append(f'<text x="{_width}" y="{_height + 15}" font-size="12" text-anchor="end">{x_text}</text></svg>')
    return "".join(parts)
