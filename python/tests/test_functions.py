"""Problems by functions."""

import functools
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from functions_support import energy, forces, gamma, length, length_by_q, pendulum

import daelab

derivatives = {
    "central": {},
    "complex": {"derivatives": "complex"},
    "given": {"constraint_jacobian": length_by_q, "gamma": gamma},
}


@pytest.mark.parametrize("changes", derivatives.values(), ids=derivatives)
@pytest.mark.parametrize(
    ("method", "formulation", "tolerance"),
    [
        ("rk4-classical", "index-1", 1e-10),
        ("radau-iia:s=3", "index-3", 1e-8),  # lambda is a second difference of q there: 1e-12 over h^2
        ("radau-iia:s=2", "index-1", 1e-9),
        ("bdf:k=2", "index-2", 1e-9),
        ("generalized-alpha", "index-3", 1e-8),
    ],
)
def test_as_the_pendulum_of_the_registry(changes, method, formulation, tolerance):
    run = {"formulation": formulation, "h": "1/50", "t_end": 1}
    ours = daelab.solve(pendulum(**changes), method, **run)
    theirs = daelab.solve("pendulum", method, **run)
    assert ours.success and theirs.success, ours.message
    for kind in ("q", "v", "lambda"):
        assert ours.numbers(kind) == pytest.approx(theirs.numbers(kind), abs=tolerance)
    assert ours.maxima["energy_error"] == pytest.approx(theirs.maxima["energy_error"], rel=1e-3, abs=1e-10)
    assert ours.names["q"] == ["x", "y"]


def test_error_control():
    ours = daelab.solve(pendulum(), "radau-iia:s=3", formulation="index-2", rtol=1e-8, t_end=2)
    theirs = daelab.solve("pendulum", "radau-iia:s=3", formulation="index-2", rtol=1e-8, t_end=2)
    assert ours.success and ours.q[-1] == pytest.approx(theirs.q[-1], abs=1e-7)
    assert daelab.solve(pendulum(), "dormand-prince", formulation="baumgarte", rtol=1e-8, t_end=2).success


def test_the_same_bits_twice():
    runs = [daelab.solve(pendulum(), "bdf", formulation="index-2", rtol=1e-6, t_end=2) for _ in range(2)]
    assert len(runs[0].t) > 20
    for kind in ("q", "v", "a", "lambda"):
        assert np.array_equal(runs[0].numbers(kind), runs[1].numbers(kind))


def test_functions_solve_other_problems():
    """Also those that are called before the run begins."""
    ends = []

    def constraint(t, q):
        ends.append(daelab.solve("pendulum", "rk4-classical", h="1/10", t_end="1/5").q[-1])
        return length(t, q)

    run = {"formulation": "index-1", "h": "1/10", "t_end": "1/5"}
    nested = daelab.solve(pendulum(name="nested-pendulum", constraints=constraint), "rk4-classical", **run)
    alone = daelab.solve(pendulum(), "rk4-classical", **run)
    assert len(ends) > 2 and all(np.array_equal(end, ends[0]) for end in ends)
    assert np.array_equal(nested.q, alone.q)


def test_threads_take_turns():
    problem, run = pendulum(), {"formulation": "index-2", "h": "1/100", "t_end": 1}
    alone = daelab.solve(problem, "radau-iia:s=2", **run)
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda _: daelab.solve(problem, "radau-iia:s=2", **run), range(6)))
    assert all(np.array_equal(one.q, alone.q) for one in together)


def test_orders_and_drift(tmp_path):
    study = daelab.convergence(
        pendulum(),
        ["rk4-classical", "radau-iia:s=2"],
        ["1/20", "1/40", "1/80", "1/160"],
        formulation="index-1",
        t_end=1,
        reference={"method": "radau-iia:s=3", "h": "1/400", "formulation": "index-1", "scalar": "double"},
        out=tmp_path,
    )
    orders = study.orders.set_index(["label", "component"])
    assert orders.loc[("rk4-classical", "q"), "agreement"] == "agrees"
    assert orders.loc[("radau-iia", "q"), "order"] == pytest.approx(3, abs=0.1)
    assert daelab.load(tmp_path)["convergence"].runs["status"].eq("ok").all()
    config = {
        "name": "my-drift",
        "experiment": "drift",
        "title": "drift",
        "common": {"problem": pendulum(), "t_end": 1, "h": "1/100"},
        "runs": [{"method": "rk4-classical", "formulation": "index-1"}],
    }
    drift = daelab.run(config, out=tmp_path)
    assert 0 < drift.runs["max_position_constraint"][0] < 1e-4


def test_rheonomic_constraints_and_a_mass_matrix_that_changes():
    """A bead on a rod in polar coordinates, the rod turning at a given rate: r'' = r w^2, r = cosh(w t)."""
    w = 1.5
    problem = daelab.Problem.from_functions(
        "my-bead",
        mass=lambda t, q: np.diag([1.0, q[0] ** 2]),
        forces=lambda t, q, v: np.array([q[0] * v[1] ** 2, -2 * q[0] * v[0] * v[1]]),
        constraints=lambda t, q: q[1] - w * t,
        q0=[1, 0],
        v0=[0, w],
        coordinates=["r", "phi"],
    )
    for method, formulation in (("radau-iia:s=3", "index-3"), ("rk4-classical", "index-1"), ("gauss:s=3", "index-2")):
        end = daelab.solve(problem, method, formulation=formulation, h="1/100")
        r, rate = np.cosh(w), w * np.sinh(w)
        assert end.q[-1] == pytest.approx([r, w], abs=1e-8)
        # r^2 phi'' + 2 r r' phi' = -lambda with phi'' = 0
        assert end.lambda_[-1] == pytest.approx([-2 * r * rate * w], rel=1e-5)


def test_without_constraints():
    free = pendulum(constraints=None)
    solution = daelab.solve(free, "rk4-classical", h="1/100", t_end=1)
    assert solution.q[-1] == pytest.approx([-1, -9.81 / 2]) and solution.lambda_.shape[1] == 0


def test_what_has_no_expressions_is_refused():
    refused = daelab.solve(pendulum(), "taylor", formulation="index-1", h="1/100")
    assert refused.status == "not-applicable" and "given by functions" in refused.message
    with pytest.raises(daelab.InputError, match="no document to save"):
        pendulum().save("mine.json")
    with pytest.raises(daelab.InputError, match=r"/scalar: .* double"):  # where the build has double only, too
        daelab.solve(pendulum(), "heun", formulation="index-1", h="1/100", scalar="real50")


def test_nan_fails_the_step():
    def blind(t, q, v):
        return np.array([0.0, -9.81 if t < 0.5 else np.nan])

    failed = daelab.solve(pendulum(forces=blind), "rk4-classical", formulation="index-1", h="1/100")
    assert failed.status == "non-finite" and "forces(t, q, v) is nan in entry 2" in failed.message
    assert failed.t[-1] == pytest.approx(0.5, abs=0.011)


def test_an_exception_within_a_run():
    def broken(t, q, v):
        if t > 0.5:
            raise KeyError("table")
        return np.array([0.0, -9.81])

    with pytest.raises(daelab.InputError, match=r"forces\(t, q, v\) raised KeyError: 'table' .*at t = 0.5") as caught:
        daelab.solve(pendulum(forces=broken), "rk4-classical", formulation="index-1", h="1/100")
    assert caught.value.where == "/forces"

    def stopped(t, q, v):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pendulum(forces=stopped)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"forces": lambda t, q, v: np.zeros(3)}, r"forces\(t, q, v\) returned the shape \(3,\); expected: .* \(2,\)"),
        ({"mass": lambda t, q: np.eye(3)}, r"mass\(t, q\) returned the shape \(3, 3\); expected: .* \(2, 2\)"),
        ({"mass": np.eye(3)}, r"/mass: has the shape \(3, 3\)"),
        ({"constraints": lambda t, q: np.eye(2)}, r"constraints\(t, q\) returned the shape \(2, 2\)"),
        ({"constraint_jacobian": lambda t, q: 2 * q}, r"returned the shape \(2,\); expected: .* \(1, 2\)"),
        ({"gamma": lambda t, q, v: [1, 2]}, r"gamma\(t, q, v\) returned the shape \(2,\)"),
        ({"energy": lambda t, q, v: [1, 2, 3]}, r"energy\(t, q, v\) returned the shape \(3,\); expected: .* \(2,\)"),
        ({"force_jacobians": lambda t, q, v: np.eye(2)}, r"force_jacobians\(t, q, v\) returned the shape \(2, 2\)"),
        ({"forces": lambda t, q, v: None}, "forces.* returned NoneType"),
        ({"forces": lambda t, q, v: q + 1j}, "forces.* returned complex numbers"),
        ({"forces": lambda t, q, v: [1, [2, 3]]}, "returned what is no array"),
        ({"forces": lambda t, q, v: 1 / 0}, "raised ZeroDivisionError"),
        ({"forces": lambda t, q: q}, "raised TypeError"),
        ({"forces": 3}, r"/forces: is of type int; expected: a function forces\(t, q, v\)"),
        ({"forces": lambda t, q, v: np.array([0, np.nan])}, "is nan in entry 2 at the start"),
        ({"constraints": None, "gamma": gamma}, "/gamma: is given without constraints"),
        ({"q0": []}, "/q0: "),
        ({"q0": ["a", 0]}, "/q0: is no list of numbers"),
        ({"v0": [0]}, "/v0: has 1 numbers for 2 coordinates"),
        ({"coordinates": ["x"]}, "/coordinates: has 1 names for 2"),
        ({"sizes": [1, 0]}, "/sizes: must be above 0"),
        ({"end_time": 0}, "/end_time: 0 must be above 0"),
        ({"derivatives": "forward"}, "'forward' is unknown; allowed: central, complex"),
        ({"name": "pendulum"}, "'pendulum' is a problem of daelab"),
        ({"derivatives": "complex", "constraints": lambda t, q: abs(q[0]) ** 2 + q[1] ** 2 - 1}, "complex numbers"),
    ],
)
def test_errors(changes, message):
    with pytest.raises(daelab.InputError, match=message):
        pendulum(**changes)


def test_another_function_is_another_problem():
    heavy = functools.partial(lambda g, t, q, v: np.array([0.0, -g]), 20.0)
    run = {"formulation": "index-1", "h": "1/100", "t_end": 1}
    specs = [pendulum().document(), pendulum(forces=heavy).document(), pendulum().document()]
    assert specs[0] == specs[2] != specs[1]
    first, second = (daelab.solve(spec, "heun", **run) for spec in specs[:2])
    assert abs(first.q[-1] - second.q[-1]).max() > 0.1


def test_complex_steps_of_forces():
    """D by complex steps is exact: of a damper -c v^3."""
    damped = pendulum(
        forces=lambda t, q, v: forces(t, q, v) - 0.1 * v**3, derivatives="complex", conserves_energy=False
    )
    by_differences = pendulum(forces=lambda t, q, v: forces(t, q, v) - 0.1 * v**3, conserves_energy=False)
    run = {"formulation": "index-2", "h": "1/50", "t_end": 1}
    one, other = (daelab.solve(x, "radau-iia:s=3", **run) for x in (damped, by_differences))
    assert one.q[-1] == pytest.approx(other.q[-1], abs=1e-10)
    assert energy(0, one.q[-1], one.v[-1])[0] < energy(0, one.q[0], one.v[0])[0] + 9.81


def test_own_methods_and_functions_together():
    class Euler:
        order = 1

        def step(self, system, state, h):
            assert system.C_q(state.t, state.q) == pytest.approx(length_by_q(0, state.q), abs=1e-11)
            assert system.constraints(state.t, state.q) == pytest.approx(length(0, state.q))
            return state.q + h * state.v, state.v + h * state.a

    assert daelab.solve(pendulum(), Euler, formulation="index-1", h="1/100", t_end="1/10").success
