"""Exceptions: for bad input, and for a step that cannot be made."""

from __future__ import annotations


class InputError(ValueError):
    """Bad input: what no run can be made of.

    Attributes:
        where: JSON pointer of the place, ``/method/s``; ``""`` for the whole. Arguments of :func:`daelab.solve` are
            called as in a configuration: ``t_eval`` is ``/samples``.
        message: what is wrong there, what is allowed, and the nearest valid name.
    """

    def __init__(self, where: str, message: str) -> None:
        super().__init__(f"{where}: {message}" if where else message)
        self.where = where
        self.message = message

    def __reduce__(self) -> tuple[type, tuple[str, str]]:
        return type(self), (self.where, self.message)


class StepFailed(ArithmeticError):
    """A step of a method written in Python that cannot be made from here with this step size: raised by ``step``, and
    by the functions of :class:`daelab.System`. With error control a smaller step is tried; otherwise the run ends.

    Attributes:
        status: what the run ends with: ``"newton-diverged"``, ``"not-converged"``, ``"singular"``, ``"non-finite"``,
            ``"inconsistent"``, ``"not-applicable"``.
        message: why, in a sentence.
    """

    _allowed = ("newton-diverged", "not-converged", "singular", "non-finite", "inconsistent", "not-applicable")

    def __init__(self, status: str, message: str = "") -> None:
        if status not in self._allowed:
            raise InputError("", f"'{status}' is no status of a step; allowed: {', '.join(self._allowed)}")
        super().__init__(f"{status}: {message}" if message else status)
        self.status = status
        self.message = message

    def __reduce__(self) -> tuple[type, tuple[str, str]]:
        return type(self), (self.status, self.message)
