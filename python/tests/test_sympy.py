"""Models of sympy.physics.mechanics: the closed n-link chain in every form against SciPy, and what is refused."""

import numpy as np
import pytest
import sympy as sm
import sympy.physics.mechanics as me
from scipy.integrate import solve_ivp

import daelab

m, L, g, d = sm.symbols("m L g d")
values = {m: 1, L: 1, g: 9.81, d: 2}


def links(n, general_speeds=False):
    """Frame, coordinates, speeds, kinematics, bodies, loads and the end of an open chain of n links."""
    q, u = me.dynamicsymbols(f"q1:{n + 1}"), me.dynamicsymbols(f"u1:{n + 1}")
    frame, origin = me.ReferenceFrame("N"), me.Point("O")
    origin.set_vel(frame, 0)
    end, bodies, loads = origin, [], []
    # General speeds: relative angular velocities, twice.
    kinematics = [
        (q[i].diff() - (q[i - 1].diff() if i else 0)) * 2 - u[i] if general_speeds else q[i].diff() - u[i]
        for i in range(n)
    ]
    rates = sm.solve(kinematics, [x.diff() for x in q])
    for i in range(n):
        link = frame.orientnew(f"A{i}", "axis", (q[i], frame.z))
        link.set_ang_vel(frame, rates[q[i].diff()] * frame.z)
        centre = end.locatenew(f"C{i}", L / 2 * link.x)
        centre.v2pt_theory(end, frame, link)
        tip = end.locatenew(f"E{i}", L * link.x)
        tip.v2pt_theory(end, frame, link)
        bodies.append(me.RigidBody(f"B{i}", centre, link, m, (me.inertia(link, 0, 0, m * L**2 / 12), centre)))
        loads.append((centre, -m * g * frame.y))
        end = tip
    r = end.pos_from(origin) - d * frame.x
    return frame, q, u, kinematics, bodies, loads, [r.dot(frame.x), r.dot(frame.y)]


def kane(n, **options):
    frame, q, u, kinematics, bodies, loads, closed = links(n, **options)
    model = me.KanesMethod(frame, q, u, kd_eqs=kinematics)
    model.kanes_equations(bodies, loads)
    return model, q, u, closed


def start_of(q):
    """Symmetric: half of the links hang down by 60 degrees, half rise."""
    half = len(q) // 2
    return {x: "-pi/3" if i < half else "pi/3" for i, x in enumerate(q)}


def chain_by_scipy(model, q, u, closed, t_end):
    """The accelerations by the saddle-point system of index 1, given to solve_ivp."""
    replace = {**dict(zip(u, [x.diff() for x in q])), **values}
    symbols = sm.symbols(f"x:{2 * len(q)}")
    plain = dict(zip([x.diff() for x in q] + q, symbols[len(q) :] + symbols[: len(q)]))
    C = sm.Matrix(closed).subs(values)
    J = C.jacobian(q)
    v = sm.Matrix([x.diff() for x in q])
    gamma = (J * v).jacobian(q) * v
    parts = [M.subs(replace).subs(plain) for M in (model.mass_matrix, model.forcing, J, gamma)]
    mass, force, jacobian, drift = (sm.lambdify([symbols], part) for part in parts)
    n, k = len(q), len(closed)

    def rhs(t, s):
        matrix = np.block([[mass(s), jacobian(s).T], [jacobian(s), np.zeros((k, k))]])
        right = np.concatenate([force(s).ravel(), -drift(s).ravel()])
        return np.concatenate([s[n:], np.linalg.solve(matrix, right)[:n]])

    s0 = np.concatenate([np.where(np.arange(n) < n // 2, -np.pi / 3, np.pi / 3), np.zeros(n)])
    return solve_ivp(rhs, (0, t_end), s0, "DOP853", rtol=1e-11, atol=1e-11).y[:, -1]


@pytest.fixture(scope="module")
def closed_chain():
    model, q, u, closed = kane(4)
    problem = daelab.from_sympy(
        model, constraints=closed, parameters=values, start=start_of(q), end_time=1, name="closed-chain"
    )
    return problem, chain_by_scipy(model, q, u, closed, 1)


@pytest.mark.parametrize("formulation", ["index-1", "index-2", "index-3", "ggl", "baumgarte"])
def test_closed_chain_agrees_with_scipy(closed_chain, formulation):
    problem, exact = closed_chain
    solution = daelab.solve(problem, "radau-iia:s=3", formulation=formulation, rtol=1e-9)
    assert solution.success
    # Velocities of index 3 are of an order less: the tolerance times what the chain magnifies.
    assert np.abs(solution.q[-1] - exact[:4]).max() < 1e-6
    assert np.abs(solution.v[-1] - exact[4:]).max() < 1e-4
    if formulation == "index-3":
        assert solution.maxima["position_constraint"] < 1e-13  # imposed to round-off


def test_general_speeds_give_the_same_motion(closed_chain):
    problem, _ = closed_chain
    model, q, _, closed = kane(4, general_speeds=True)
    general = daelab.from_sympy(model, constraints=closed, parameters=values, start=start_of(q), end_time=1)
    run = {"formulation": "index-2", "h": "1/100"}
    ours, theirs = (daelab.solve(one, "radau-iia:s=3", **run) for one in (general, problem))
    assert np.abs(ours.q - theirs.q).max() < 1e-9  # the same equations, rounded otherwise


def test_start_by_speeds():
    model, _, u, _ = kane(2, general_speeds=True)
    problem = daelab.from_sympy(model, parameters={**values}, start={u[0]: 2, u[1]: 4})
    solution = daelab.solve(problem, "radau-iia:s=3", h="1/100", t_end="1/10")
    assert list(solution.v[0]) == [1, 3]  # u = 2 (q1', q2' - q1')


def test_lagrange_and_energy():
    x, y = me.dynamicsymbols("x y")
    kinetic, potential = m / 2 * (x.diff() ** 2 + y.diff() ** 2), m * g * y
    model = me.LagrangesMethod(kinetic - potential, [x, y], hol_coneqs=[x**2 + y**2 - L**2])
    problem = daelab.from_sympy(
        model, parameters={m: 1, L: 1, g: 9.81}, start={x: -1}, kinetic_energy=kinetic, potential_energy=potential
    )
    ours = daelab.solve(problem, "gauss:s=3", formulation="index-1", h="1/100", t_end=10)
    theirs = daelab.solve("pendulum", "gauss:s=3", formulation="index-1", h="1/100")
    assert ours.record["q"] == pytest.approx(theirs.record["q"], abs=1e-10)
    assert ours.maxima["energy_error"] == pytest.approx(theirs.maxima["energy_error"], abs=1e-10)


@pytest.mark.skipif(not hasattr(me, "System"), reason="System is of SymPy 1.13 and later")
def test_system():
    frame, q, u, kinematics, bodies, loads, closed = links(4)
    system = me.System(frame, me.Point("fixed"))
    system.add_coordinates(*q)
    system.add_speeds(*u)
    system.add_kdes(*kinematics)
    system.add_bodies(*bodies)
    system.add_loads(*(me.Force(point, force) for point, force in loads))
    system.add_holonomic_constraints(*closed)
    problem = daelab.from_sympy(system, parameters=values, start=start_of(q), end_time=1, name="closed-chain")
    model, *_ = kane(4)
    other = daelab.from_sympy(model, constraints=closed, parameters=values, start=start_of(q), end_time=1)
    run = {"formulation": "index-3", "h": "1/100"}
    a, b = (daelab.solve(one, "radau-iia:s=3", **run) for one in (problem, other))
    assert np.abs(a.q - b.q).max() < 1e-11


def test_dependent_coordinates_of_kane():
    frame, q, u, kinematics, bodies, loads, closed = links(4)
    of_speeds = dict(zip([x.diff() for x in q], u))
    velocities = [c.diff(me.dynamicsymbols._t).subs(of_speeds) for c in closed]
    model = me.KanesMethod(
        frame,
        q[:2],
        u[:2],
        kd_eqs=kinematics,
        q_dependent=q[2:],
        u_dependent=u[2:],
        configuration_constraints=closed,
        velocity_constraints=velocities,
    )
    model.kanes_equations(bodies, loads)
    problem = daelab.from_sympy(model, parameters=values, start=start_of(q), end_time=1)
    assert len(problem.document()["constraints"]) == 2
    solution = daelab.solve(problem, "radau-iia:s=3", formulation="index-3", h="1/100")
    assert solution.success and solution.maxima["position_constraint"] < 1e-13


def knife_edge_on_ramp(velocity_constraints):
    """A body that slides on z = x/2 along its own direction: one configuration constraint, which SymPy's model has beside
    the velocity constraints given. Returns the model and its start."""
    t = me.dynamicsymbols._t
    x, y, z, th = me.dynamicsymbols("x y z th")
    ux, uy, uz, w = me.dynamicsymbols("ux uy uz w")
    frame, origin = me.ReferenceFrame("N"), me.Point("O")
    origin.set_vel(frame, 0)
    body = frame.orientnew("B", "Axis", [th, frame.z])
    body.set_ang_vel(frame, w * frame.z)
    centre = origin.locatenew("G", x * frame.x + y * frame.y + z * frame.z)
    centre.set_vel(frame, ux * frame.x + uy * frame.y + uz * frame.z)
    bodies = [me.RigidBody("b", centre, body, 2, (me.inertia(body, 1, 1, sm.Rational(1, 2)), centre))]
    given = velocity_constraints(th, ux, uy, uz)
    model = me.KanesMethod(
        frame,
        q_ind=[x, y, th],
        q_dependent=[z],
        configuration_constraints=[z - x / 2],
        u_ind=[w, uz] if len(given) == 2 else [ux, uz, w],
        u_dependent=[ux, uy] if len(given) == 2 else [uy],
        velocity_constraints=given,
        kd_eqs=[x.diff(t) - ux, y.diff(t) - uy, z.diff(t) - uz, th.diff(t) - w],
    )
    model.kanes_equations(bodies, [(centre, -2 * 10 * frame.z)])
    return model, {x: 0, y: 0, z: 0, th: 0.5, ux: 0, uy: 0, uz: 0, w: 1}


@pytest.mark.parametrize("beside_its_derivative", [False, True])
def test_velocity_constraints_of_their_own(beside_its_derivative):
    def given(th, ux, uy, uz):
        edge = ux * sm.sin(th) - uy * sm.cos(th)
        return [edge, 3 * uz - sm.Rational(3, 2) * ux] if beside_its_derivative else [edge]

    model, start = knife_edge_on_ramp(given)
    problem = daelab.from_sympy(model, start=start)
    assert len(problem.document()["constraints"]) == len(problem.document()["nonholonomic_constraints"]) == 1
    solution = daelab.solve(problem, "radau-iia:s=3", formulation="index-2", rtol=1e-9)
    x_end = solve_ivp(  # along the edge: x' = c s, z' = c s/2, and the weight acts along z alone
        lambda t, y: [
            y[1] * np.cos(0.5 + t),
            (-5 * np.cos(0.5 + t) + y[1] * np.sin(0.5 + t) * np.cos(0.5 + t) / 4) / (1 + np.cos(0.5 + t) ** 2 / 4),
        ],
        (0, 1),
        [0, 0],
        rtol=1e-12,
        atol=1e-12,
    ).y[0, -1]
    assert solution.q[-1][0] == pytest.approx(x_end, abs=1e-7)
    assert x_end == pytest.approx(-0.6067, abs=1e-3)


def test_multipliers_beside_those_of_sympy():
    x, y = me.dynamicsymbols("x y")
    model = me.LagrangesMethod(
        m / 2 * (x.diff() ** 2 + y.diff() ** 2) - m * g * y, [x, y], hol_coneqs=[x**2 + y**2 - L**2]
    )
    ours = daelab.solve(
        daelab.from_sympy(model, parameters={m: 1, L: 1, g: 10}, start={y: -1}), "gauss", h=0.1, t_end=0.1
    )
    numbers = {m: 1, L: 1, g: 10}
    at_rest = {x.diff(): 0, y.diff(): 0, x: 0, y: -L}
    solved = next(iter(model.solve_multipliers(op_point=at_rest).values())).subs(numbers)
    of_rhs = model.rhs().subs(at_rest).subs(numbers)[-1]
    assert ours.record["lambda"][0] == pytest.approx(5) == pytest.approx(float(solved)) == pytest.approx(-float(of_rhs))


def test_heaviside():
    x = me.dynamicsymbols("x")
    frame, point = me.ReferenceFrame("N"), me.Point("P")
    point.set_vel(frame, x.diff() * frame.x)
    for step, at_zero in ((sm.Heaviside(x), 0.5), (sm.Heaviside(x, 0), 0), (sm.Heaviside(x, 1), 1)):
        model = me.LagrangesMethod(x.diff() ** 2 / 2, [x], forcelist=[(point, step * frame.x)], frame=frame)
        for place, force in ((-1, 0), (0, at_zero), (1, 1)):
            problem = daelab.from_sympy(model, start={x: place})
            assert daelab.solve(problem, "heun", h=0.1, t_end=0.1).a[0][0] == force
    with pytest.raises(daelab.InputError, match="'DiracDelta' of SymPy has no counterpart"):
        daelab.from_sympy(kane(2)[0], constraints=[sm.DiracDelta(kane(2)[1][0])], parameters=values)


def test_wrong_models():
    model, q, u, closed = kane(2)
    with pytest.raises(daelab.InputError, match="no value is given for d") as caught:
        daelab.from_sympy(model, constraints=closed, parameters={m: 1, L: 1, g: 1})
    assert caught.value.where == "/parameters"
    with pytest.raises(daelab.InputError, match="no coordinate"):
        daelab.from_sympy(model, parameters=values, start={sm.Symbol("z"): 1})
    with pytest.raises(daelab.InputError, match="no coordinates"):
        daelab.from_sympy(me.System(me.ReferenceFrame("N"), me.Point("O")))
    with pytest.raises(daelab.InputError, match="functions of time"):
        daelab.from_sympy(model, constraints=[me.dynamicsymbols("z")], parameters=values)
    with pytest.raises(daelab.InputError, match="no counterpart"):
        daelab.from_sympy(model, constraints=[sm.besselj(0, q[0])], parameters=values)
    with pytest.raises(daelab.InputError, match="kanes_equations"):
        frame, q, u, kinematics, *_ = links(2)
        daelab.from_sympy(me.KanesMethod(frame, q, u, kd_eqs=kinematics))
    with pytest.raises(daelab.InputError, match="no KanesMethod"):
        daelab.from_sympy(3)
    with pytest.raises(daelab.InputError, match="violate"):
        daelab.solve(
            daelab.from_sympy(kane(2)[0], constraints=kane(2)[3], parameters=values, start={q[0]: 1}), "gauss", h=0.1
        )
