"""Methods written in Python: the same runs and studies as all others."""

import concurrent.futures
import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from own_methods_support import OwnAdamsBashforth, OwnHeun, OwnImplicitEuler, OwnPair, OwnRk4

import daelab

run = {"formulation": "index-1", "h": "1/100", "t_end": 1}
reference = {"method": "gauss:s=6", "formulation": "index-1", "newton": "full", "h": "1/50", "scalar": "double"}
oscillator = daelab.Problem("oscillator", end_time=1)
x, w = oscillator.state("x"), oscillator.state("w")
oscillator.rate(x, w)
oscillator.rate(w, -x)
oscillator.start({x: 1})


@pytest.mark.parametrize("formulation", ["index-1", "projected", "baumgarte:velocity_gain=10,position_gain=25"])
def test_an_own_rk4_is_that_of_daelab(formulation):
    ours = daelab.solve("pendulum", OwnRk4, **{**run, "formulation": formulation})
    theirs = daelab.solve("pendulum", "rk4-classical", **{**run, "formulation": formulation})
    assert ours.success and ours.statistics["steps"] == 100
    for kind in ("q", "v", "a", "lambda"):
        # 100 steps round each a few times by 1e-16 of numbers up to 30; theirs is summed with compensation.
        assert np.max(np.abs(ours.numbers(kind) - theirs.numbers(kind))) < 1e-12
    assert ours.nfev == theirs.nfev == 400


def test_first_order_equations():
    ours = daelab.solve(oscillator, OwnRk4, h="1/100")
    theirs = daelab.solve(oscillator, "rk4-classical", h="1/100")
    assert np.max(np.abs(ours.y - theirs.y)) < 1e-14
    assert ours.spec["method"]["name"] == "own-rk4" and ours.spec["method"]["source"].startswith("py-")


def test_orders_and_their_verdicts():
    study = daelab.convergence(
        "pendulum",
        {"mine": OwnRk4, "RK4": "rk4-classical", "halves": OwnHeun, "thirds": OwnHeun(weight=1 / 3)},
        ["1/50", "1/100", "1/200", "1/400"],
        formulation="index-1",
        t_end=1,
        reference=reference,
    )
    orders = study.orders.set_index(["label", "component"])
    # The same method but for round-off, which the errors at 1/400, above 1e-10, are far from.
    assert orders.loc[("mine", "q"), "order"] == pytest.approx(orders.loc[("RK4", "q"), "order"], abs=1e-3)
    for kind in ("q", "v", "a", "lambda"):
        assert orders.loc[("mine", kind), "theory"] == 4 and orders.loc[("mine", kind), "agreement"] == "agrees"
    assert orders.loc[("halves", "q"), "agreement"] == "agrees"
    assert orders.loc[("thirds", "q"), "agreement"] == "differs"
    assert orders.loc[("thirds", "q"), "order"] == pytest.approx(1, abs=0.1)


def test_work_precision_and_drift(tmp_path):
    study = daelab.work_precision(
        "pendulum", [OwnPair, "dormand-prince"], [1e-3, 1e-4, 1e-5], formulation="index-1", t_end=1, reference=reference
    )
    assert set(study.points["label"]) == {"own-pair", "dormand-prince"}
    own = study.points[study.points["label"] == "own-pair"].sort_values("rtol")
    assert own["status"].eq("ok").all() and own["q"].is_monotonic_increasing and own["q"].max() < 1e-2
    study.plot(cost="evaluations")

    config = {
        "name": "mine",
        "experiment": "drift",
        "title": "mine",
        "common": {"problem": "pendulum", "h": ["1/50", "1/100"], "t_end": 1},
        "runs": [{"method": [OwnHeun, OwnHeun(weight=1.0)], "formulation": ["index-1", "projected"]}],
    }
    drift = daelab.run(config, out=tmp_path)
    assert drift.runs["status"].eq("ok").all() and len(drift.runs) == 8
    projected = drift.runs["formulation"].str.startswith("projected")
    violation = drift.runs["max_position_constraint"]
    assert violation[projected].max() < 1e-12 < violation[~projected].min()


def test_error_control():
    control = {"formulation": "index-1", "t_end": 1}
    coarse, fine = (daelab.solve("pendulum", OwnPair, rtol=rtol, **control) for rtol in (1e-3, 1e-6))
    assert coarse.success and fine.statistics["steps"] > 10 * coarse.statistics["steps"]
    assert fine.statistics["rejected"] >= 0 and fine.spec["rtol"] == "1e-06"
    assert daelab.solve("bouncing-pendulum", OwnPair, rtol=1e-5).success  # events shorten steps
    refused = daelab.solve("pendulum", OwnRk4, formulation="index-1", rtol=1e-3)
    assert (refused.status, refused.message) == (
        "not-applicable",
        "own-rk4 states no error_order: it takes fixed steps only",
    )


def test_a_method_with_a_memory():
    errors = []
    for h in ("1/100", "1/200", "1/400"):
        solution = daelab.solve(oscillator, OwnAdamsBashforth, h=h)
        errors.append(np.hypot(*(solution.y[-1] - [np.cos(1), -np.sin(1)])))
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2, abs=0.1)
    assert np.log2(errors[1] / errors[2]) == pytest.approx(2, abs=0.1)


@pytest.mark.parametrize("formulation", ["index-1", "index-2", "index-3", "ggl"])
def test_residual_and_jacobians_are_those_of_the_form(formulation):
    ours = daelab.solve("pendulum", OwnImplicitEuler, **{**run, "formulation": formulation})
    same = {**run, "formulation": formulation, "newton": "full:tolerance=1e-12"}
    theirs = daelab.solve("pendulum", "implicit-euler", **same)
    assert ours.success, ours.message
    assert np.max(np.abs(ours.q - theirs.q)) < 1e-8  # 100 steps, each to 1e-12 of the iteration at least
    assert np.max(np.abs(ours.lambda_[1:] - theirs.lambda_[1:])) < 1e-5


def test_forces_that_depend_on_multipliers():
    bead = daelab.Problem("bead", end_time=1)
    x, y = bead.coordinates("x", "y")
    bead.kinetic_energy((x.dot**2 + y.dot**2) / 2)
    bead.potential_energy(9.81 * y)
    bead.constraint(y, x**2 / 2)
    bead.force(x, daelab.Expression("-0.1*abs(lambda1)*x'", 3))
    bead.dissipates()
    bead.start({x: 1, y: 0.5})
    ours, theirs = (daelab.solve(bead, method, **run) for method in (OwnHeun, "heun"))
    assert ours.success, ours.message
    # (a, lambda) solve equations that are not linear, by an iteration to about 1e-12; 200 of them.
    assert np.max(np.abs(ours.q - theirs.q)) < 1e-9 and np.max(np.abs(ours.lambda_ - theirs.lambda_)) < 1e-8


class OwnProbe:
    """Euler's method, which looks at everything."""

    seen = None

    def step(self, system, state, h):
        OwnProbe.seen = system, state
        n, m = system.coordinates, system.multipliers
        t, q, v, a, lambda_ = state.t, state.q, state.v, state.a, state.lambda_
        M, Q, C_q = system.mass(t, q), system.force(t, q, v), system.C_q(t, q)
        assert (M.shape, Q.shape, C_q.shape, system.size) == ((n, n), (n,), (m, n), 2 * n + m)
        np.testing.assert_allclose(M @ a + C_q.T @ lambda_, Q, atol=1e-11)
        np.testing.assert_allclose(system.residual(t, state.y, state.ydot)[n : 2 * n], 0, atol=1e-11)
        np.testing.assert_allclose(system.constraint_rates(t, q, v), C_q @ v, atol=1e-13)  # of a pendulum
        np.testing.assert_allclose(C_q @ a + system.curvature(t, q, v), 0, atol=1e-11)
        K, D = system.balance_jacobians(t, q, v, a, lambda_)
        assert K.shape == D.shape == (n, n)
        q, v = system.projection(t + h, q + h * v, v + h * a)
        assert np.max(np.abs(system.constraints(t + h, q))) < 1e-14
        assert np.max(np.abs(system.constraint_rates(t + h, q, v))) < 1e-13
        return state.moved(q=q, v=list(v))


def test_what_a_system_offers():
    solution = daelab.solve("pendulum", OwnProbe, **run)
    assert solution.success, solution.message
    assert solution.maxima["position_constraint"] < 1e-13
    system, state = OwnProbe.seen
    assert state.t == pytest.approx(0.99)
    with pytest.raises(daelab.InputError, match="a run that has ended"):
        system.mass(0, state.q)
    with pytest.raises(daelab.InputError, match="a run that has ended"):
        system.size  # noqa: B018


def test_no_mechanism_behind_first_order_equations():
    class AsksForMass:
        def step(self, system, state, h):
            return system.mass(state.t, state.y)

    solution = daelab.solve(oscillator, AsksForMass, h="1/10")
    assert solution.status == "not-applicable" and "there is no mechanism" in solution.message


def _returns(value):
    class Returns:
        def step(self, system, state, h):
            return value(state) if callable(value) else value

    return Returns


def _raises(error):
    class Raises:
        def step(self, system, state, h):
            if state.t > 0.045:
                raise error
            return state.q, state.v

    return Raises


@pytest.mark.parametrize(
    ("method", "status", "message"),
    [
        (_returns(None), "method-failed", "it returned None; allowed: (q, v)"),
        (_returns(lambda s: (s.q, s.v, s.a)), "method-failed", "it returned 3 values"),
        (_returns(lambda s: (s.q[:1], s.v)), "method-failed", "q has the shape (1,), not (2,)"),
        (_returns(lambda s: (s.q, s.v[:, None])), "method-failed", "v has the shape (2, 1), not (2,)"),
        (_returns(lambda s: (s.q, s.v + 1j)), "method-failed", "v is no array of numbers"),
        (_returns(lambda s: (s.q, "fast")), "method-failed", "v is no array of numbers"),
        (_returns(lambda s: {"q": s.q}), "method-failed", "it must return q and v, or y"),
        (_returns(lambda s: {"q": s.q, "w": s.v}), "method-failed", "it returned 'w'; allowed: q, v, a, lambda"),
        (_returns(lambda s: s), "method-failed", "the state that it was given"),
        (_returns(lambda s: (s.q * np.nan, s.v)), "non-finite", "not finite"),
        (_raises(ValueError("odd")), "method-failed", "raises: ValueError: odd (test_own_method.py, line "),
        (_raises(ZeroDivisionError("1/0")), "non-finite", "raises: ZeroDivisionError: 1/0"),
        (_raises(np.linalg.LinAlgError("Singular matrix")), "singular", "raises: LinAlgError: Singular matrix"),
        (_raises(daelab.StepFailed("newton-diverged", "too far")), "newton-diverged", "too far"),
    ],
)
def test_a_bad_step_ends_the_run(method, status, message):
    solution = daelab.solve("pendulum", method, **run)
    assert solution.status == status and message in solution.message
    assert "step from t = " in solution.message
    assert len(solution.t) == solution.statistics["steps"] + 1 or status == "non-finite"
    assert daelab.solve("pendulum", OwnRk4, **run).success  # the session goes on


def test_the_traceback_is_a_warning():
    solution = daelab.solve("pendulum", _raises(ValueError("odd")), **run)
    (warning,) = (w for w in solution.warnings if w.kind == "python-traceback")
    assert "Traceback" in warning.text and "raise error" in warning.text
    assert solution.t[-1] == pytest.approx(0.05)


def test_with_error_control_a_failed_step_is_tried_smaller():
    class Careful(OwnPair):
        def step(self, system, state, h):
            if h > 0.003:
                raise daelab.StepFailed("not-converged", "too large")
            return super().step(system, state, h)

    solution = daelab.solve("pendulum", Careful, formulation="index-1", rtol=1e-2, t_end="1/10")
    assert solution.success and solution.statistics["failed"] > 0 and np.max(np.diff(solution.t)) <= 0.003


def test_a_set_of_runs_records_failures():
    of_all = {"formulation": "index-1", "t_end": 1, "reference": reference}
    study = daelab.convergence("pendulum", [_raises(ValueError("odd")), OwnRk4], ["1/50", "1/100"], **of_all)
    status = study.points.groupby("label")["status"].unique()
    assert list(status["raises"]) == ["method-failed"] and list(status["own-rk4"]) == ["ok"]
    assert study.runs["cause"].str.contains("ValueError: odd").sum() == 2


def test_what_a_class_may_not_state():
    def refused(message, **members):
        method = type("Stated", (OwnRk4,), members)
        with pytest.raises(daelab.InputError, match=message):
            daelab.solve("pendulum", method, **run)

    refused("'bdf' is a method of daelab", name="bdf")
    refused("is no name of a method", name="my method")
    refused("no order; allowed", order=2.5)
    refused("no order; allowed", order={"z": 1})
    refused("did you mean 'index-1'", formulations=["index1"])
    refused("has no default", __init__=lambda self, weight: None)
    refused("choose another name", __init__=lambda self, b=0.5: None)
    refused("no value of an option", __init__=lambda self, weight=None: None)
    with pytest.raises(daelab.InputError, match="did you mean 'weight'"):
        daelab.solve("pendulum", {"name": daelab.register(OwnHeun), "wight": 0.3}, **run)
    with pytest.raises(daelab.InputError, match="takes a class"):
        daelab.register(OwnRk4())
    with pytest.raises(daelab.InputError, match="has no step"):
        daelab.register(int)
    bad_size = daelab.solve("pendulum", type("BadSize", (OwnRk4,), {"memory_size": -1}), **run)
    assert bad_size.status == "not-applicable" and "memory_size is -1" in bad_size.message


def test_only_the_formulations_that_it_states():
    assert daelab.solve("pendulum", OwnHeun, h="1/100", t_end=1).spec["formulation"] == "index-1"
    refused = daelab.solve("pendulum", OwnHeun, h="1/100", t_end=1, formulation="ggl")
    assert (refused.status, refused.message) == ("not-applicable", "own-heun is for index-1, baumgarte, projected")


def test_a_registered_name_is_one_of_the_methods():
    assert daelab.register(OwnHeun) == "own-heun" and "own-heun" in daelab.names("methods")
    by_name = daelab.solve("pendulum", "own-heun:weight=1", **run)
    assert np.array_equal(by_name.q, daelab.solve("pendulum", OwnHeun(weight=1.0), **run).q)
    assert not np.array_equal(by_name.q, daelab.solve("pendulum", OwnHeun, **run).q)
    assert np.array_equal(by_name.q, daelab.solve("pendulum", by_name.spec["method"], **run).q)
    assert daelab.register(OwnRk4, "runge") == "runge"
    assert daelab.method(OwnHeun)["predicted"]["index-1"]["q"] == 2


def test_the_example_of_the_guide():
    guide = Path(__file__).parents[2] / "docs" / "python.md"
    example = guide.read_text(encoding="utf-8").partition("## A method of your own")[2].split("```")[1]
    names = {"daelab": daelab}
    exec(example.removeprefix("python"), names)
    assert daelab.solve("pendulum", "my-heun:weight=1/3", **run).success
    assert names["methods"]["thirds"].weight == 1 / 3


def test_two_threads_run_it():
    alone = daelab.solve("pendulum", OwnRk4, **run)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        jobs = [pool.submit(daelab.solve, "pendulum", OwnRk4, **run) for _ in range(8)]
        for job in jobs:
            assert np.array_equal(job.result().q, alone.q)


@pytest.mark.parametrize(
    "call", ["daelab.solve('pendulum', Slow, formulation='index-1', h='1e-6', t_end=90)", "daelab.run(config, out=out)"]
)
def test_interrupt_stops_it(call, tmp_path):
    program = f"""
import time, daelab
class Slow:
    def step(self, system, state, h):
        time.sleep(0.001)
        return state.q, state.v
out = {str(tmp_path)!r}
common = {{"problem": "pendulum", "formulation": "index-1"}}
config = {{"name": "long", "experiment": "drift", "title": "long", "common": common,
          "runs": [{{"method": Slow, "h": "1e-6", "t_end": 90}}]}}
print("ready", flush=True)
try:
    {call}
except KeyboardInterrupt:
    print(time.monotonic(), flush=True)
print(daelab.solve("pendulum", Slow, h="1/10", t_end=1).status)
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "ready\n"
        time.sleep(1)
        sent = time.monotonic()
        process.send_signal(signal.SIGINT)
        stopped = float(process.stdout.readline())
        assert process.stdout.readline() == "ok\n"
    assert process.returncode == 0 and stopped - sent < 2


def test_an_interrupt_inside_a_step_is_no_failure_of_the_method():
    with pytest.raises(KeyboardInterrupt):
        daelab.solve("pendulum", _raises(KeyboardInterrupt()), **run)
    assert daelab.solve("pendulum", OwnRk4, **run).success


def test_a_failed_step_may_be_sent_to_another_process():
    error = pickle.loads(pickle.dumps(daelab.StepFailed("singular", "no pivot")))
    assert (error.status, error.message, str(error)) == ("singular", "no pivot", "singular: no pivot")
    with pytest.raises(daelab.InputError, match="no status of a step"):
        daelab.StepFailed("broken")
