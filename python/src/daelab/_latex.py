"""Coefficients in LaTeX."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence

from ._errors import InputError

_Rows = Sequence[Sequence[str]]
_greek = set("alpha beta gamma delta eta kappa mu rho sigma theta xi zeta Gamma Theta".split())
_weights_below = ("b", "b_embedded", "b_hat")


def coefficients_in_latex(coefficients: Mapping[str, _Rows]) -> str:
    """A Butcher tableau where there are A, b and c, and nothing that it does not hold; else a list of symbols.

    Raises:
        InputError: there are no coefficients.
    """
    if not coefficients:
        raise InputError("", "the coefficients of this method are not stated: there is nothing to write in LaTeX")
    if {"A", "b", "c"} <= coefficients.keys() <= {"A", "c", *_weights_below}:
        return _tableau(coefficients)
    lines = [f"{_symbol(name)} &= {_value(rows)}" for name, rows in coefficients.items()]
    return "\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}"


def _tableau(coefficients: Mapping[str, _Rows]) -> str:
    A, c = coefficients["A"], _flat(coefficients["c"])
    is_explicit = all(entry == "0" for i, row in enumerate(A) for entry in row[i:])
    lines = []
    for i, row in enumerate(A):
        shown = ["" if is_explicit and j >= i else _number(entry) for j, entry in enumerate(row)]
        lines.append(" & ".join([_number(c[i]), *shown]) + " \\\\")
    lines.append("\\hline")
    for name in _weights_below:
        if name in coefficients:
            lines.append(" & ".join(["", *map(_number, _flat(coefficients[name]))]) + " \\\\")
    return "\\begin{array}{c|" + "c" * len(A) + "}\n" + "\n".join(lines) + "\n\\end{array}"


def _flat(rows: _Rows) -> list[str]:
    return [entry for row in rows for entry in row]


def _symbol(name: str) -> str:
    head, _, index = name.partition("_")
    text = "\\" + head if head in _greek else head
    return text + (f"_{{\\mathrm{{{index}}}}}" if len(index) > 1 else f"_{index}" if index else "")


def _value(rows: _Rows) -> str:
    if len(rows) == 1 and len(rows[0]) == 1:
        return _number(rows[0][0])
    return "\\begin{pmatrix} " + " \\\\ ".join(" & ".join(map(_number, row)) for row in rows) + " \\end{pmatrix}"


def _number(text: str) -> str:
    """Of "(3 - 2 sqrt(3))/12", as cards write numbers; what is none of these as it is."""
    if re.fullmatch(r"[-+]?[0-9.]+", text):  # all its digits
        return text
    product = re.sub(r"(?<=[\w)])\s+(?=[a-z(])", "*", text).replace("^", "**")
    try:
        return _written(ast.parse(product, mode="eval").body)
    except (SyntaxError, ValueError):
        return f"\\text{{{text}}}"


def _written(node: ast.expr) -> str:
    match node:
        case ast.Constant(value=int() | float()):
            return ast.unparse(node)
        case ast.Name(id=name):
            return "\\" + name
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return "-" + _factor(inner)
        case ast.Call(func=ast.Name(id="sqrt"), args=[inner]):
            return f"\\sqrt{{{_written(inner)}}}"
        case ast.Call(func=ast.Name(id=name), args=[inner]):
            return f"\\{name}({_written(inner)})"
        case ast.BinOp(op=ast.Div(), left=ast.UnaryOp(op=ast.USub(), operand=left), right=right):
            return f"-\\frac{{{_written(left)}}}{{{_written(right)}}}"
        case ast.BinOp(op=ast.Div(), left=left, right=right):
            return f"\\frac{{{_written(left)}}}{{{_written(right)}}}"
        case ast.BinOp(op=ast.Pow(), left=left, right=right):
            return f"{_factor(left)}^{{{_written(right)}}}"
        case ast.BinOp(op=ast.Mult(), left=left, right=right):
            return f"{_factor(left)} {_factor(right)}"
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            return f"{_written(left)} + {_written(right)}"
        case ast.BinOp(op=ast.Sub(), left=left, right=right):
            return f"{_written(left)} - {_factor(right)}"
    raise ValueError(ast.dump(node))


def _factor(node: ast.expr) -> str:
    is_sum = isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub))
    return f"({_written(node)})" if is_sum else _written(node)
