"""The exception for bad input."""

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
