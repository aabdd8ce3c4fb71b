"""Models of ``sympy.physics.mechanics`` as problems."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, NamedTuple

import sympy
from sympy.physics.mechanics import KanesMethod, LagrangesMethod, dynamicsymbols
from sympy.printing.str import StrPrinter

from ._errors import InputError
from ._velocity_constraints import not_derivatives
from .expressions import Operand, expression
from .problem import Problem


class _Equations(NamedTuple):
    """mass * q'' = forces + reactions, with constraints = 0; all in q, q' and t."""

    coordinates: list[Any]
    mass: sympy.Matrix
    forces: sympy.Matrix
    constraints: list[Any]
    nonholonomic: list[Any]
    rates: list[Any]  # of the coordinates, as expressions of speeds
    speeds: list[Any]


def from_sympy(
    model: Any,
    *,
    constraints: Iterable[Any] = (),
    nonholonomic_constraints: Iterable[Any] = (),
    parameters: Mapping[Any, Operand] | None = None,
    start: Mapping[Any, Operand] | str | None = None,
    kinetic_energy: Any = None,
    potential_energy: Any = None,
    end_time: Operand = 1,
    name: str = "sympy-model",
) -> Problem:
    """A problem from a model of ``sympy.physics.mechanics``, with constraints added where SymPy has no place for them.

    The constraints, those of the model and those given here, become constraints of the problem, with multipliers: all
    formulations apply. Dependent coordinates and speeds of a model are treated as the others. Velocity constraints of a
    model that are time derivatives of its configuration constraints follow from these; which are is found by comparing at
    random points, and the others become nonholonomic constraints.

    Args:
        model: a ``KanesMethod`` whose bodies and loads are known, a ``LagrangesMethod`` or a ``System``. Its equations
            are formed when they are not yet.
        constraints: expressions of coordinates and time that are zero.
        nonholonomic_constraints: expressions of coordinates, their derivatives or speeds, and time that are zero.
        parameters: a number for each symbol, ``{m: 1, L: "1/2"}``; they stay options of the problem.
        start: values by coordinate, its derivative, or speed: ``{q1: "pi/2", u1: 0}``, 0 where nothing is said; or
            ``"project"``. Speeds must be given together when one is.
        kinetic_energy, potential_energy: with both, runs report the energy error; they must agree with the equations.
        end_time: of runs that give none [s].
        name: of the problem, in lower case with hyphens.

    Raises:
        InputError: a model without coordinates, symbols without value, as many speeds as there are coordinates missing.
    """
    equations = _equations_of(model, parameters or {})
    if not equations.coordinates:
        raise InputError("/coordinates", "the model has no coordinates: give SymPy its generalised coordinates first")
    equations.constraints.extend(constraints)
    equations.nonholonomic.extend(nonholonomic_constraints)
    problem = Problem(name, summary="Model of sympy.physics.mechanics.", end_time=end_time)
    for symbol, value in (parameters or {}).items():
        problem.parameter(str(symbol), value)
    writer = _Writer(equations, parameters or {})
    writer.state(problem, kinetic_energy, potential_energy)
    if start is not None:
        problem.start(start if isinstance(start, str) else writer.start(start))
    return problem


def _equations_of(model: Any, parameters: Mapping[Any, Any]) -> _Equations:
    if isinstance(model, LagrangesMethod):
        return _of_lagrange(model)
    if isinstance(model, KanesMethod):
        return _of_kanes_method(model, parameters)
    if hasattr(model, "holonomic_constraints") and hasattr(model, "kdes"):  # System, since SymPy 1.13
        loads = [*model.loads, *(load for actuator in model.actuators for load in actuator.to_loads())]
        coordinates, speeds, kinematics = list(model.q), list(model.u), list(model.kdes)
        holonomic, nonholonomic = list(model.holonomic_constraints), list(model.nonholonomic_constraints)
        if getattr(model, "_vel_constrs", None) is not None:  # in place of derivatives and nonholonomic constraints
            rates = _rates(coordinates, speeds, kinematics)
            given = list(model.velocity_constraints)
            nonholonomic = not_derivatives(given, holonomic, coordinates, speeds, rates, parameters)
        return _of_kane(model.frame, coordinates, speeds, kinematics, model.bodies, loads, holonomic, nonholonomic)
    raise InputError("", f"a {type(model).__name__} is no KanesMethod, LagrangesMethod or System")


def _rates(coordinates: list[Any], speeds: list[Any], kinematics: list[Any]) -> list[Any]:
    """q' as expressions of speeds."""
    derivatives = [q.diff(dynamicsymbols._t) for q in coordinates]
    found = sympy.solve(kinematics, derivatives, dict=True)
    if not found or len(found[0]) < len(derivatives):
        raise InputError("/coordinates", "the kinematic equations of the model do not give all derivatives")
    return [found[0][derivative] for derivative in derivatives]


def _of_kanes_method(model: KanesMethod, parameters: Mapping[Any, Any]) -> _Equations:
    if not model.bodies:
        raise InputError("", "the KanesMethod knows no bodies: call its kanes_equations(bodies, loads) first")
    holonomic = list(model._f_h)
    of_velocities = list(model._f_nh + model._k_nh * model.u) if len(model._f_nh) else []
    kinematic = model.kindiffdict()
    kinematics = [rate - value for rate, value in kinematic.items()]
    coordinates, speeds = list(model.q), list(model.u)
    rates = [kinematic[q.diff(dynamicsymbols._t)] for q in coordinates] if len(coordinates) == len(speeds) else []
    nonholonomic = (
        not_derivatives(of_velocities, holonomic, coordinates, speeds, rates, parameters) if rates else of_velocities
    )
    frame, bodies, loads = model._inertial, model.bodies, model.loads
    return _of_kane(frame, coordinates, speeds, kinematics, bodies, loads, holonomic, nonholonomic)


def _of_lagrange(model: LagrangesMethod) -> _Equations:
    if model.eom is None:
        model.form_lagranges_equations()
    coordinates = list(model.q)
    rates = [q.diff(dynamicsymbols._t) for q in coordinates]
    holonomic = list(model._hol_coneqs)
    nonholonomic = list(model.coneqs)[: len(model.coneqs) - len(holonomic)]
    mass = sympy.Matrix(model.mass_matrix)[:, : len(coordinates)]
    return _Equations(coordinates, mass, sympy.Matrix(model.forcing), holonomic, nonholonomic, rates, rates)


def _of_kane(
    frame: Any,
    coordinates: list[Any],
    speeds: list[Any],
    kinematics: list[Any],
    bodies: Any,
    loads: Any,
    holonomic: list[Any],
    nonholonomic: list[Any],
) -> _Equations:
    if not coordinates:
        return _Equations([], sympy.Matrix(), sympy.Matrix(), [], [], [], [])
    if len(coordinates) != len(speeds):
        raise InputError(
            "/coordinates",
            f"the model has {len(coordinates)} coordinates and {len(speeds)} speeds, which must be as many: replace "
            "quaternions, for one, by angles",
        )
    t = dynamicsymbols._t
    kane = KanesMethod(frame, coordinates, speeds, kd_eqs=kinematics)
    kane.kanes_equations(list(bodies), list(loads) or None)
    derivatives = sympy.Matrix([q.diff(t) for q in coordinates])
    kindiff = kane.kindiffdict()
    rates = derivatives.subs(kindiff)
    # q' = G u + g, so u = Y (q' - g) with Y = 1/G: Kane's equations are those of q after multiplication by Y^T.
    G = rates.jacobian(speeds)
    Y = G.inv()
    in_rates = dict(zip(speeds, Y * (derivatives - rates.subs(dict.fromkeys(speeds, 0))), strict=True))
    u_of_rates = sympy.Matrix([in_rates[u] for u in speeds])
    remainder = u_of_rates.diff(t).subs({q.diff(t, 2): 0 for q in coordinates})
    mass = Y.T * kane.mass_matrix * Y
    forces = Y.T * (kane.forcing.subs(in_rates) - kane.mass_matrix * remainder)
    constraints = [sympy.sympify(x).subs(in_rates) for x in nonholonomic]
    return _Equations(coordinates, mass, forces, holonomic, constraints, list(rates), speeds)


class _Printer(StrPrinter):
    """SymPy's expressions in daelab's grammar."""

    _names: ClassVar = {"Abs": "abs", "sign": "sign", "Min": "min", "Max": "max", "ln": "log"}
    _known = frozenset("sqrt exp log sin cos tan asin acos atan atan2 sinh cosh tanh floor".split())

    def _print_Function(self, x: Any) -> str:
        name = self._names.get(x.func.__name__, x.func.__name__)
        if name not in self._known and name not in self._names.values():
            raise InputError(
                "", f"the function '{name}' of SymPy has no counterpart; known: {', '.join(sorted(self._known))}"
            )
        return f"{name}({', '.join(self._print(argument) for argument in x.args)})"

    _print_Abs = _print_sign = _print_Min = _print_Max = _print_Function

    def _print(self, x: Any, **settings: Any) -> str:
        # SymPy has printers of its own for some functions, which would let them pass.
        known = not isinstance(x, sympy.Function) or isinstance(x, (sympy.Piecewise, sympy.Heaviside))
        return super()._print(x, **settings) if known else self._print_Function(x)

    def _print_Heaviside(self, x: Any) -> str:
        argument, at_zero = self._print(x.args[0]), x.args[1] if len(x.args) > 1 else sympy.S.Half
        return f"select({argument} > 0, 1, select({argument} < 0, 0, {self._print(at_zero)}))"

    def _print_Pow(self, x: Any, rational: bool = False) -> str:
        base, exponent = x.as_base_exp()
        if exponent == sympy.S.Half:
            return f"sqrt({self._print(base)})"
        if exponent.is_number:
            small = base.is_Symbol and exponent.is_Integer and exponent > 0
            form = "{}^{}" if small else "({})^({})"
            return form.format(self._print(base), self._print(exponent))
        return f"exp(({self._print(exponent)})*log({self._print(base)}))"

    def _print_Exp1(self, x: Any) -> str:
        return "exp(1)"

    def _print_Rational(self, x: Any) -> str:
        return f"({x.p}/{x.q})"

    def _print_Float(self, x: Any) -> str:
        text = repr(float(x)) if x._prec <= 53 else super()._print_Float(x)  # SymPy prints 15 digits of a double
        return text if x >= 0 else f"({text})"

    def _print_Piecewise(self, x: Any) -> str:
        text = "0"
        for value, condition in reversed(x.args):
            text = (
                self._print(value)
                if condition == sympy.true
                else f"select({self._print(condition)}, {self._print(value)}, {text})"
            )
        return text

    def _print_Relational(self, x: Any) -> str:
        return f"({self._print(x.lhs)}) {x.rel_op} ({self._print(x.rhs)})"


class _Writer:
    """Texts of a problem document from expressions of SymPy."""

    def __init__(self, equations: _Equations, parameters: Mapping[Any, Any]) -> None:
        t = dynamicsymbols._t
        self._equations = equations
        self.coordinate_names = [_name_of(q) for q in equations.coordinates]
        self._plain: dict[Any, Any] = {t: sympy.Symbol("t")}
        for q, name in zip(equations.coordinates, self.coordinate_names, strict=True):
            self._plain[q.diff(t)] = sympy.Symbol(name + "'")
            self._plain[q] = sympy.Symbol(name)
        self._known = {*self._plain.values(), *map(sympy.sympify, parameters)}
        self._speeds = {u: _solved(equations, i) for i, u in enumerate(equations.speeds) if u not in self._plain}
        self._printer = _Printer()

    def state(self, problem: Problem, kinetic_energy: Any, potential_energy: Any) -> None:
        """The equations, in a problem that has the parameters."""
        equations, size = self._equations, len(self.coordinate_names)
        energies = [energy for energy in (kinetic_energy, potential_energy) if energy is not None]
        groups = [equations.mass, equations.forces, equations.constraints, equations.nonholonomic, energies]
        written = iter(self._written(problem, [formula for group in groups for formula in group]))
        problem.coordinates(*self.coordinate_names)
        problem.mass([[expression(next(written)) for _ in range(size)] for _ in range(size)])
        for coordinate in self.coordinate_names:
            problem.force(expression(coordinate), next(written))
        for _ in equations.constraints:
            problem.constraint(next(written))
        for _ in equations.nonholonomic:
            problem.nonholonomic_constraint(next(written))
        if kinetic_energy is not None:
            problem.kinetic_energy(next(written))
        if potential_energy is not None:
            problem.potential_energy(next(written))
        if len(energies) < 2:
            problem.dissipates()

    def _written(self, problem: Problem, formulas: list[Any]) -> list[str]:
        """Each formula, with what they share as definitions of the problem."""
        plain = [self._in_plain_symbols(formula) for formula in formulas]
        taken = {str(symbol) for formula in plain for symbol in formula.free_symbols}
        names = (name for name in sympy.numbered_symbols("e") if str(name) not in taken)
        shared, reduced = sympy.cse(plain, symbols=names, list=True)
        for symbol, value in shared:
            problem.definition(str(symbol), self._printer.doprint(value))
        return [self._printer.doprint(formula) for formula in reduced]

    def start(self, values: Mapping[Any, Any]) -> dict[str, Any]:
        """Start values by name; speeds become the derivatives that they make."""
        t, equations = dynamicsymbols._t, self._equations
        given = {sympy.sympify(key): value for key, value in values.items()}
        known = {*equations.coordinates, *(q.diff(t) for q in equations.coordinates), *equations.speeds}
        for key in given:
            if key not in known:
                raise InputError(
                    f"/start/{key}", f"is no coordinate, derivative or speed of the model: {_listed(known)}"
                )
        start = {str(self._plain[key]): value for key, value in given.items() if key in self._plain}
        speeds = {u: given[u] for u in equations.speeds if u in given and u not in self._plain}
        if speeds:
            of_speeds = {u: sympy.sympify(str(speeds.get(u, 0)), rational=True) for u in equations.speeds}
            for name, rate in zip(self.coordinate_names, equations.rates, strict=True):
                text = self._printer.doprint(self._in_plain_symbols(sympy.sympify(rate).subs(of_speeds)))
                start.setdefault(name + "'", text)
        return start

    def _in_plain_symbols(self, formula: Any) -> Any:
        formula = sympy.sympify(formula)
        if self._speeds and formula.has(*self._speeds):
            formula = formula.subs(self._speeds)
        # Derivatives before what they are derivatives of.
        plain = formula.subs(self._plain) if not formula.has(sympy.Derivative) else formula.doit().subs(self._plain)
        unknown = [x for x in (*plain.atoms(sympy.Function), *plain.atoms(sympy.Derivative)) if _is_unknown(x)]
        if unknown:
            raise InputError("", f"{_listed(unknown)}: functions of time that are no coordinates of the model")
        missing = plain.free_symbols - self._known
        if missing:
            raise InputError("/parameters", f"no value is given for {_listed(missing)}")
        return plain


def _solved(equations: _Equations, i: int) -> Any:
    """A speed by derivatives of coordinates."""
    t = dynamicsymbols._t
    rates, speeds = sympy.Matrix(equations.rates), equations.speeds
    derivatives = sympy.Matrix([q.diff(t) for q in equations.coordinates])
    return (rates.jacobian(speeds).inv() * (derivatives - rates.subs(dict.fromkeys(speeds, 0))))[i]


def _name_of(q: Any) -> str:
    name = q.func.__name__ if isinstance(q, sympy.Function) else str(q)
    return "".join("_" if c == "^" else c for c in name if c not in "{}\\")


def _is_unknown(x: Any) -> bool:
    return isinstance(x, sympy.Derivative) or isinstance(x.func, sympy.core.function.UndefinedFunction)


def _listed(symbols: Iterable[Any]) -> str:
    return ", ".join(sorted(map(str, symbols)))
