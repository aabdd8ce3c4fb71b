"""daelab: time integrators of constrained mechanics and differential-algebraic equations.

A run, from a problem, a method and a step size or a tolerance, is :func:`solve`. A problem is a name of the catalogue,
a document in JSON, a :class:`Problem` written in Python or a model of ``sympy.physics.mechanics`` (:func:`from_sympy`).
Experiments and papers are :func:`run`, :func:`reproduce` and :func:`load`, methods :func:`method` and
:class:`Tableau`, studies with their plots :func:`convergence`, :func:`work_precision` and, of results of other
programs, :func:`judge`, :func:`region`. A method written in Python is a class with a ``step``: :func:`register`.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ._errors import InputError, StepFailed
from .expressions import Expression
from .methods import MethodCard, Tableau, method, names
from .problem import Problem
from .solution import Solution, Warning, solve

if TYPE_CHECKING:
    from ._core import System as System
    from .animation import Animation as Animation
    from .animation import animate as animate
    from .own_methods import State as State
    from .own_methods import register as register
    from .regions import region as region
    from .result_sets import ResultSet as ResultSet
    from .result_sets import ResultSets as ResultSets
    from .result_sets import data_path as data_path
    from .result_sets import load as load
    from .result_sets import reproduce as reproduce
    from .result_sets import run as run
    from .studies import convergence as convergence
    from .studies import judge as judge
    from .studies import work_precision as work_precision
    from .sympy_model import from_sympy as from_sympy

__version__ = "0.1.0"

# Modules are imported when they are used: some need pandas, matplotlib or SymPy, all take time.
_lazy = {
    "Animation": "animation",
    "State": "own_methods",
    "System": "_core",
    "animate": "animation",
    "register": "own_methods",
    "region": "regions",
    "from_sympy": "sympy_model",
    "ResultSet": "result_sets",
    "ResultSets": "result_sets",
    "data_path": "result_sets",
    "load": "result_sets",
    "reproduce": "result_sets",
    "run": "result_sets",
    "convergence": "studies",
    "judge": "studies",
    "work_precision": "studies",
}

__all__ = [
    "Expression",
    "InputError",
    "MethodCard",
    "Problem",
    "Solution",
    "StepFailed",
    "Tableau",
    "Warning",
    "method",
    "names",
    "solve",
    *_lazy,
]


def __getattr__(name: str) -> Any:
    if name not in _lazy:
        raise AttributeError(f"module 'daelab' has no attribute {name!r}")
    globals()[name] = found = getattr(importlib.import_module("." + _lazy[name], __name__), name)
    return found


def __dir__() -> list[str]:
    return sorted([*globals(), *_lazy])
