"""daelab: time integrators of constrained mechanics and differential-algebraic equations.

A run, from a problem, a method and a step size or a tolerance, is :func:`solve`. A problem is a name of the catalogue,
a document in JSON, a :class:`Problem` written in Python or a model of ``sympy.physics.mechanics`` (:func:`from_sympy`).
Experiments and papers are :func:`run`, :func:`reproduce` and :func:`load`, methods :func:`method`, :func:`audit` and
:class:`Tableau`, studies with their plots :func:`convergence`, :func:`work_precision` and, of results of other
programs, :func:`judge`, :func:`region`. A method written in Python is a class with a ``step``: :func:`register`.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._core import System as System
    from ._errors import InputError as InputError
    from ._errors import StepFailed as StepFailed
    from .animation import Animation as Animation
    from .animation import animate as animate
    from .audits import Audit as Audit
    from .audits import audit as audit
    from .data import data_path as data_path
    from .expressions import Expression as Expression
    from .functions import FunctionProblem as FunctionProblem
    from .methods import MethodCard as MethodCard
    from .methods import Tableau as Tableau
    from .methods import method as method
    from .methods import names as names
    from .own_methods import State as State
    from .own_methods import register as register
    from .problem import Problem as Problem
    from .regions import region as region
    from .result_sets import ResultSet as ResultSet
    from .result_sets import ResultSets as ResultSets
    from .result_sets import load as load
    from .result_sets import reproduce as reproduce
    from .result_sets import run as run
    from .solution import Solution as Solution
    from .solution import Warning as Warning
    from .solution import solve as solve
    from .studies import convergence as convergence
    from .studies import judge as judge
    from .studies import work_precision as work_precision
    from .sympy_model import from_sympy as from_sympy

# Modules are imported when they are used: some need pandas, matplotlib or SymPy, all take time, and the command `daelab`
# needs none.
_lazy = {
    "Animation": "animation",
    "Audit": "audits",
    "Expression": "expressions",
    "FunctionProblem": "functions",
    "InputError": "_errors",
    "MethodCard": "methods",
    "Problem": "problem",
    "Solution": "solution",
    "State": "own_methods",
    "StepFailed": "_errors",
    "System": "_core",
    "Tableau": "methods",
    "Warning": "solution",
    "animate": "animation",
    "audit": "audits",
    "register": "own_methods",
    "method": "methods",
    "names": "methods",
    "region": "regions",
    "solve": "solution",
    "from_sympy": "sympy_model",
    "ResultSet": "result_sets",
    "ResultSets": "result_sets",
    "data_path": "data",
    "load": "result_sets",
    "reproduce": "result_sets",
    "run": "result_sets",
    "convergence": "studies",
    "judge": "studies",
    "work_precision": "studies",
}

__all__ = [*_lazy]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return importlib.import_module("importlib.metadata").version(__name__)
    if name not in _lazy:
        raise AttributeError(f"module 'daelab' has no attribute {name!r}")
    globals()[name] = found = getattr(importlib.import_module("." + _lazy[name], __name__), name)
    return found


def __dir__() -> list[str]:
    return sorted([*globals(), *_lazy])
