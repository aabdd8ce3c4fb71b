"""Formulas by operators: their texts in the grammar of problem documents."""

from __future__ import annotations

import math
import numbers
from typing import Any

from ._errors import InputError

# How tightly an expression binds, as in daelab's grammar.
_CONDITION, _COMPARISON, _SUM, _PRODUCT, _SIGNED, _POWER, _ATOM = range(7)


class Expression:
    """A formula of coordinates, parameters and numbers: its text in daelab's grammar, in which it is recorded, derived
    and compiled. Made by operators and by the functions of this module."""

    __slots__ = ("_binding", "text")

    def __init__(self, text: str, binding: int = _ATOM) -> None:
        self.text = text
        self._binding = binding

    def _inside(self, binding: int) -> str:
        return self.text if self._binding >= binding else f"({self.text})"

    @property
    def dot(self) -> Expression:
        """The velocity of a coordinate."""
        if self._binding != _ATOM or not self.text.isidentifier():
            raise InputError("", f"only coordinates have a velocity, not '{self.text}'")
        return Expression(self.text + "'")

    def __add__(self, other: Any) -> Expression:
        return _joined(self, "+", other, _SUM, _PRODUCT)

    def __radd__(self, other: Any) -> Expression:
        return _joined(other, "+", self, _SUM, _PRODUCT)

    def __sub__(self, other: Any) -> Expression:
        return _joined(self, "-", other, _SUM, _PRODUCT)

    def __rsub__(self, other: Any) -> Expression:
        return _joined(other, "-", self, _SUM, _PRODUCT)

    def __mul__(self, other: Any) -> Expression:
        return _joined(self, "*", other, _PRODUCT, _SIGNED)

    def __rmul__(self, other: Any) -> Expression:
        return _joined(other, "*", self, _PRODUCT, _SIGNED)

    def __truediv__(self, other: Any) -> Expression:
        return _joined(self, "/", other, _PRODUCT, _POWER)

    def __rtruediv__(self, other: Any) -> Expression:
        return _joined(other, "/", self, _PRODUCT, _POWER)

    def __neg__(self) -> Expression:
        return Expression("-" + self._inside(_SIGNED), _SIGNED)

    def __pos__(self) -> Expression:
        return self

    def __pow__(self, exponent: Any) -> Expression:
        return Expression(f"{self._inside(_ATOM)}^{expression(exponent)._inside(_ATOM)}", _POWER)

    def __rpow__(self, base: Any) -> Expression:
        return expression(base) ** self

    def __abs__(self) -> Expression:
        return _call("abs", self)

    def __lt__(self, other: Any) -> Expression:
        return _joined(self, "<", other, _COMPARISON, _SUM)

    def __le__(self, other: Any) -> Expression:
        return _joined(self, "<=", other, _COMPARISON, _SUM)

    def __gt__(self, other: Any) -> Expression:
        return _joined(self, ">", other, _COMPARISON, _SUM)

    def __ge__(self, other: Any) -> Expression:
        return _joined(self, ">=", other, _COMPARISON, _SUM)

    def __and__(self, other: Any) -> Expression:
        return _joined(self, "and", other, _CONDITION, _COMPARISON, both_atoms=True)

    def __or__(self, other: Any) -> Expression:
        return _joined(self, "or", other, _CONDITION, _COMPARISON, both_atoms=True)

    def __invert__(self) -> Expression:
        return Expression(f"not {self._inside(_ATOM)}", _CONDITION)

    def __bool__(self) -> bool:
        raise TypeError(f"the truth of '{self.text}' is known at run time only: use select(condition, a, b), & and |")

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Expression({self.text!r})"


Operand = Expression | int | float | str | numbers.Rational


def expression(given: Any) -> Expression:
    """An expression from a number, exactly (0.1 is 1/10), or from a text in daelab's grammar."""
    if isinstance(given, Expression):
        return given
    if isinstance(given, str):
        return Expression(given, _ATOM if given.isidentifier() else _CONDITION)
    if hasattr(given, "item") and getattr(given, "ndim", 0) == 0:  # a number of numpy
        given = given.item()
    if isinstance(given, bool) or not isinstance(given, numbers.Real):
        raise InputError("", f"a value of type {type(given).__name__} is no part of a formula")
    if isinstance(given, numbers.Integral):
        return _signed(str(int(given)), given < 0)
    if isinstance(given, numbers.Rational):
        return Expression(f"{given.numerator}/{given.denominator}", _PRODUCT)
    if not math.isfinite(given):
        raise InputError("", f"{given} is no part of a formula: numbers must be finite")
    return _signed(repr(float(given)), given < 0)


def _signed(text: str, is_negative: bool) -> Expression:
    return Expression(text, _SIGNED if is_negative else _ATOM)


def _joined(left: Any, operator: str, right: Any, binding: int, inner: int, both_atoms: bool = False) -> Expression:
    a, b = expression(left), expression(right)
    if binding == _COMPARISON or both_atoms:
        level = _ATOM if both_atoms else _SUM
        return Expression(f"{a._inside(level)} {operator} {b._inside(level)}", binding)
    space = " " if binding == _SUM else ""
    return Expression(f"{a._inside(binding)}{space}{operator}{space}{b._inside(inner)}", binding)


def _call(name: str, *arguments: Any) -> Expression:
    return Expression(f"{name}({', '.join(expression(x).text for x in arguments)})")


def sqrt(x: Operand) -> Expression:
    """Square root."""
    return _call("sqrt", x)


def exp(x: Operand) -> Expression:
    """Exponential function."""
    return _call("exp", x)


def log(x: Operand) -> Expression:
    """Natural logarithm."""
    return _call("log", x)


def sin(x: Operand) -> Expression:
    """Sine of an angle [rad]."""
    return _call("sin", x)


def cos(x: Operand) -> Expression:
    """Cosine of an angle [rad]."""
    return _call("cos", x)


def tan(x: Operand) -> Expression:
    """Tangent of an angle [rad]."""
    return _call("tan", x)


def asin(x: Operand) -> Expression:
    """Arc sine [rad]."""
    return _call("asin", x)


def acos(x: Operand) -> Expression:
    """Arc cosine [rad]."""
    return _call("acos", x)


def atan(x: Operand) -> Expression:
    """Arc tangent [rad]."""
    return _call("atan", x)


def atan2(y: Operand, x: Operand) -> Expression:
    """Angle of the point (x, y) [rad]."""
    return _call("atan2", y, x)


def sinh(x: Operand) -> Expression:
    """Hyperbolic sine."""
    return _call("sinh", x)


def cosh(x: Operand) -> Expression:
    """Hyperbolic cosine."""
    return _call("cosh", x)


def tanh(x: Operand) -> Expression:
    """Hyperbolic tangent."""
    return _call("tanh", x)


def sign(x: Operand) -> Expression:
    """-1, 0 or 1."""
    return _call("sign", x)


def minimum(a: Operand, b: Operand) -> Expression:
    """The smaller of two."""
    return _call("min", a, b)


def maximum(a: Operand, b: Operand) -> Expression:
    """The larger of two."""
    return _call("max", a, b)


def select(condition: Expression, a: Operand, b: Operand) -> Expression:
    """a where the condition holds, else b."""
    return _call("select", condition, a, b)


pi = Expression("pi")
t = Expression("t")
