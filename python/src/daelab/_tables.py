"""Tables: frames of pandas, which is optional, and HTML for notebooks, which needs nothing."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas

_most_rows = 12


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
