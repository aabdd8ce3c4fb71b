"""daelab.solve: what comes back, and what is refused."""

import json
import pickle
import signal
import subprocess
import sys
import threading
import time
from fractions import Fraction

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import daelab

run = {"formulation": "index-1", "h": "1/100", "t_end": 1}


def has_real50() -> bool:
    try:
        daelab.solve("pendulum", "radau-iia:s=3", h="1/10", t_end="1/5", scalar="real50")
    except daelab.InputError as error:
        assert error.where == "/scalar"
        return False
    return True


def test_arrays_have_a_row_for_each_step_end():
    solution = daelab.solve("pendulum", "radau-iia:s=3", **run)
    assert solution.success and solution.status == "ok" and solution.message == ""
    assert solution.t.shape == (101,) and solution.t[0] == 0 and solution.t[-1] == 1
    assert solution.q.shape == solution.v.shape == solution.a.shape == (101, 2)
    assert solution.lambda_.shape == (101, 1) and solution.y.shape == (101, 0)
    assert solution.q.dtype == np.float64
    assert solution.classes == ["q", "v", "a", "lambda"]
    assert solution.names == {"q": ["x", "y"], "v": ["x'", "y'"], "y": []}
    assert list(solution.q[-1]) == solution.record["q"]
    assert solution.nfev == solution.statistics["residuals"] > 0
    assert solution.spec["formulation"] == "index-1" and solution.spec["h"] == "1/100"


def test_times_asked_for():
    steps = daelab.solve("pendulum", "radau-iia:s=3", **run)
    sampled = daelab.solve("pendulum", "radau-iia:s=3", t_eval=np.array([0, 0.25, 1]), **run)
    assert list(sampled.t) == [0, 0.25, 1]
    assert np.array_equal(sampled.q, steps.q[[0, 25, 100]])  # they are step ends
    regular = daelab.solve("pendulum", "radau-iia:s=3", sample_every="1/4", **run)
    assert list(regular.t) == [0, 0.25, 0.5, 0.75, 1]


@pytest.mark.parametrize("problem", ["pendulum", "robertson", "motor-crank", "bouncing-pendulum", "heavy-top"])
def test_times_as_doubles_and_as_exact_numbers(problem):
    control = {"rtol": 1e-4, "t_end": "0.5"}
    exact = daelab.solve(problem, "radau-iia:s=3", t_eval=["0", "0.1", "1/4", "0.5"], **control)
    doubles = daelab.solve(problem, "radau-iia:s=3", t_eval=[0, 0.1, 0.25, 0.5], **control)
    assert exact.success and np.array_equal(exact.t, doubles.t)
    for kind in exact.classes:
        assert np.array_equal(exact.numbers(kind), doubles.numbers(kind))
    assert doubles.spec["samples"] == ["0.0", "0.1", "0.25", "0.5"]
    again = daelab.solve(problem, doubles.spec["method"], t_eval=doubles.spec["samples"], **control)
    assert np.array_equal(again.numbers(exact.classes[0]), exact.numbers(exact.classes[0]))


def test_the_end_of_a_run_is_one_of_its_times():
    assert list(daelab.solve("pendulum", "radau-iia:s=3", h="1/30", t_end="2/3", t_eval=[2 / 3]).t) == [2 / 3]
    with pytest.raises(daelab.InputError, match="outside the interval 0 to 2/3"):
        daelab.solve("pendulum", "radau-iia:s=3", h="1/30", t_end="2/3", t_eval=[np.nextafter(2 / 3, 1)])


def test_states_need_not_be_kept():
    solution = daelab.solve("pendulum", "radau-iia:s=3", keep_steps=False, **run)
    assert solution.t.shape == (0,) and solution.q.shape == (0, 2) and "t = 1 s" in repr(solution)


def test_agrees_with_scipy():
    document = daelab.Problem("rigid-body", end_time=5)
    a, b, c = document.state("a"), document.state("b"), document.state("c")
    document.rate(a, b * c)
    document.rate(b, -a * c)
    document.rate(c, -Fraction(51, 100) * a * b)
    document.start({b: 1, c: 1})
    ours = daelab.solve(document, "radau-iia:s=3", rtol=1e-10, atol=1e-12)
    exact = solve_ivp(
        lambda t, y: [y[1] * y[2], -y[0] * y[2], -0.51 * y[0] * y[1]],
        (0, 5),
        [0, 1, 1],
        "DOP853",
        rtol=1e-12,
        atol=1e-13,
    )
    assert ours.classes == ["y"] and ours.names["y"] == ["a", "b", "c"]
    assert np.abs(ours.y[-1] - exact.y[:, -1]).max() < 1e-8  # 100 tolerances


def test_errors_against_the_stored_reference():
    solution = daelab.solve("pendulum", "gauss:s=3", formulation="index-1", h="1/100")
    assert 0 < solution.errors["q"] < 1e-6 and solution.errors["digits_trusted"] >= 28
    assert daelab.solve("pendulum", "gauss:s=3", h="1/100", t_end="0.7").errors is None


def test_a_failed_run_is_a_solution_as_far_as_it_came():
    solution = daelab.solve("pendulum", "dormand-prince", rtol=1e-6, max_steps=20)
    assert not solution.success and solution.status == "step-limit" and solution.message
    assert 0 < solution.t[-1] < 10 and len(solution.t) <= 21
    refused = daelab.solve("pendulum", "runge-kutta", formulation="index-3", h="1/100")
    assert refused.status == "not-applicable" and refused.message


def test_warnings_and_events():
    solution = daelab.solve("bouncing-pendulum", "radau-iia:s=3", rtol=1e-6)
    assert solution.events["kinds"][0]["count"] == len(solution.events["list"]) > 0
    assert all(kind and text for kind, text in solution.warnings)


def test_numbers_are_exact():
    spec = daelab.solve("pendulum", "radau-iia:s=3", h=Fraction(1, 300), t_end=np.float64(0.1)).spec
    assert spec["h"] == "1/300" and spec["t_end"] == "0.1"
    assert daelab.solve("pendulum", "radau-iia:s=3", h=0.1, t_end=np.int64(1)).spec["h"] == "0.1"


def test_problems_as_path_text_and_dict(tmp_path):
    problem = daelab.Problem("free-fall", end_time=1)
    (x,) = problem.coordinates("x")
    problem.kinetic_energy(x.dot**2 / 2)
    problem.potential_energy(9.81 * x)
    path = tmp_path / "fall.json"
    problem.save(path)
    solutions = [
        daelab.solve(given, "radau-iia:s=3", h="1/10")
        for given in (problem, problem.document(), path, str(path), f"@{path}", json.loads(path.read_text()))
    ]
    assert all(np.array_equal(one.q, solutions[0].q) for one in solutions)
    assert solutions[0].q[-1, 0] == pytest.approx(-9.81 / 2, rel=1e-14)


def test_frame():
    frame = daelab.solve("pendulum", "radau-iia:s=3", **run).to_pandas()
    assert list(frame.columns) == ["x", "y", "x'", "y'", "x''", "y''", "lambda1"]
    assert frame.index.name == "t" and frame["x"].iloc[0] == -1


def test_fifty_digits():
    if not has_real50():
        with pytest.raises(daelab.InputError, match="double only"):
            daelab.solve("pendulum", "gauss:s=6", scalar="real50", **run)
        return
    import mpmath

    solution = daelab.solve(
        "pendulum", "gauss:s=6", scalar="real50", t_eval=["1/3", 1], formulation="index-1", h="1/100", t_end=1
    )
    with mpmath.workdps(50):
        assert isinstance(solution.q[0, 0], mpmath.mpf)
        assert abs(solution.t[0] - mpmath.mpf(1) / 3) < mpmath.mpf("1e-50")
        for ours, text in zip(solution.q[-1], solution.record["q"]):
            assert abs(ours - mpmath.mpf(text)) < mpmath.mpf("1e-49")
        assert abs(mpmath.fsum(x * x for x in solution.q[-1]) - 1) < mpmath.mpf(
            "1e-20"
        )  # imposed on index 1 at the start alone


@pytest.mark.parametrize(
    ("where", "message", "arguments"),
    [
        ("/problem", "did you mean 'pendulum'", {"problem": "pendulm"}),
        ("/method", "did you mean 'radau-iia'", {"method": "radau-ia"}),
        ("/method/s", "allowed", {"method": "gauss:s=99"}),
        ("/formulation", "index-3", {"formulation": "index-4"}),
        ("/h", "NaN", {"h": float("nan")}),
        ("/h", "infinite", {"h": np.inf}),
        ("/h", "", {"h": "-1/10"}),
        ("/h", "larger than the interval", {"h": 20}),
        ("/t_end", "out of range", {"t_end": -1}),
        ("/samples", "shape", {"t_eval": [[0, 1]]}),
        ("/samples", "shape", {"t_eval": []}),
        ("/samples", "shape", {"t_eval": 3}),
        ("/samples/1", "NaN", {"t_eval": [0, float("nan")]}),
        ("/samples", "ascend", {"t_eval": [0.5, 0.1]}),
        ("/samples/1", "outside", {"t_eval": [0, 11]}),
        ("/hh", "", {"hh": 1}),
        ("/scalar", "", {"scalar": "single"}),
        ("/h", "type complex", {"h": 1j}),
        ("/start/q", "", {"start": {"q": {"z": 1}}}),
        ("cannot read", "no-such-file.json", {"problem": "no-such-file.json"}),
        ("/problem", "keys of a dict", {"problem": {1: 2}}),
    ],
)
def test_bad_input(where, message, arguments):
    given = {"problem": "pendulum", "method": "radau-iia:s=3", "h": "1/100", **arguments}
    problem, method = given.pop("problem"), given.pop("method")
    with pytest.raises(daelab.InputError) as caught:
        daelab.solve(problem, method, **given)
    assert caught.value.where.startswith(where) or where in str(caught.value)
    assert message in caught.value.message
    assert isinstance(caught.value, ValueError)
    # The session goes on.
    assert daelab.solve("pendulum", "radau-iia:s=3", h="1/10").success


def test_an_error_may_be_sent_to_another_process():
    error = daelab.InputError("/method/s", "wrong")
    copy = pickle.loads(pickle.dumps(error))
    assert (copy.where, copy.message, str(copy)) == ("/method/s", "wrong", "/method/s: wrong")


def test_two_threads_run_two_solves():
    long = {"formulation": "index-1", "h": "1/20000"}
    alone = daelab.solve("pendulum", "radau-iia:s=3", keep_steps=False, **long).record
    results = {}

    def one(key, length):
        results[key] = daelab.solve(f"pendulum:length={length},x=-{length}", "radau-iia:s=3", keep_steps=False, **long)

    threads = [threading.Thread(target=one, args=(key, length)) for key, length in enumerate((1, 2, 1, 2))]
    turns = 0
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        turns += 1
        time.sleep(0.001)
    assert turns > 10  # the lock was free meanwhile
    assert results[0].record["q"] == results[2].record["q"] == alone["q"]
    assert results[1].record["q"] == results[3].record["q"] != alone["q"]


def test_interrupt_stops_a_run_at_once():
    program = """
import time, daelab
print("ready", flush=True)
try:
    daelab.solve("pendulum", "radau-iia:s=3", formulation="index-1", h="1e-6", t_end=90, keep_steps=False)
except KeyboardInterrupt:
    print(time.monotonic(), flush=True)
print(daelab.solve("pendulum", "radau-iia:s=3", h="1/10").status)
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.5)
        sent = time.monotonic()
        process.send_signal(signal.SIGINT)
        stopped = float(process.stdout.readline())
        assert process.stdout.readline() == "ok\n"
    # It looks for signals every 0.02 s; a busy machine is granted the rest.
    assert stopped - sent < 1


def test_interrupting_a_set_of_runs(tmp_path):
    program = f"""
import daelab
runs = [{{"method": "radau-iia:s=3", "h": "1e-6", "t_end": 90}}]
common = {{"problem": "pendulum", "formulation": "index-1"}}
config = {{"name": "long", "experiment": "drift", "title": "long", "common": common, "runs": runs}}
print("ready", flush=True)
try:
    daelab.run(config, out={str(tmp_path)!r})
except KeyboardInterrupt:
    print("stopped", flush=True)
print(daelab.solve("pendulum", "radau-iia:s=3", h="1/10").status)
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "ready\n"
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "stopped\n"
        assert process.stdout.readline() == "ok\n"
    assert process.returncode == 0
