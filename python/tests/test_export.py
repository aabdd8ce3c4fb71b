"""Problems as code of CasADi, which is at hand in this environment alone: integrated there to the stored end."""

import importlib.util
import math
import os
import subprocess

import casadi
import pytest

PROGRAM = os.environ["DAELAB_PROGRAM"]


MECHANISMS = ["pendulum", "two-link-manipulator:end_time=1"]


def exported(spec, tmp_path):
    """The exported module of a problem."""
    code = subprocess.run(
        [PROGRAM, "show", "problem", spec, "--equations", "casadi"], check=True, capture_output=True, text=True
    ).stdout
    path = tmp_path / "problem.py"
    path.write_text(code)
    spec = importlib.util.spec_from_file_location("problem", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("spec", [*MECHANISMS, "prothero-robinson:rate=-7,phi=exp", "chemical-akzo-nobel"])
def test_an_integrator_of_casadi_reaches_the_stored_end(spec, tmp_path):
    problem = exported(spec, tmp_path)
    dae = problem.dae()
    options = {"abstol": 1e-12, "reltol": 1e-11, "max_num_steps": 100000}
    solver = casadi.integrator("solver", "idas", dae, problem.t_start, problem.t_end, options)
    size = dae["x"].numel()
    start = {"x0": problem.start[:size]}
    if hasattr(problem, "accelerations"):
        q, v = problem.start[: problem.n], problem.start[problem.n :]
        start["z0"] = casadi.evalf(casadi.vertcat(*problem.accelerations(problem.t_start, q, v)))
    elif dae["z"].numel() > 0:
        start["z0"] = problem.start[size:]
    end = solver(**start)["xf"]
    error = float(casadi.norm_inf(end - problem.reference[:size]))
    assert 0 < error < 1e-7  # a thousand tolerances: errors add up, and the form of index 1 drifts


# A bead on a rod that turns, with Coulomb friction: on it r'' = 4 r - 2 r', and lambda = -4 r'.
BEAD = """{"name": "bead", "definitions": {"c": "cos(2*t)", "s": "sin(2*t)", "friction": "-sign(x'*c + y'*s)*N/2"},
 "coordinates": ["x", "y"], "mass": ["1", "1"], "constraints": ["y*c = x*s"], "algebraic": {"N": "N = abs(lambda1)"},
 "forces": {"x": "friction*c", "y": "friction*s"}, "start": {"x": "1", "x'": "1", "y'": "2", "N": "4"},
 "observables": {"press": "2*N + x"}, "end_time": "1"}"""


def check_start(problem):
    """The equations hold at the start, on all three levels of the constraints: accelerations and multipliers there."""
    q, v = problem.start[: problem.n], problem.start[problem.n :]
    a, multipliers = problem.accelerations(problem.t_start, q, v)
    y, slope = casadi.vertcat(q, v, multipliers), casadi.vertcat(v, a, 0 * multipliers)
    for level in range(3):
        rest = problem.residual(level, problem.t_start, y, slope)
        assert float(casadi.norm_inf(casadi.evalf(rest))) < 1e-12  # round-off
    return a, multipliers


def test_friction_by_a_reaction_and_algebraic_states(tmp_path):
    (tmp_path / "bead.json").write_text(BEAD)
    problem = exported(f"@{tmp_path / 'bead.json'}", tmp_path)
    a, multipliers = check_start(problem)
    options = {"abstol": 1e-12, "reltol": 1e-11}
    solver = casadi.integrator("solver", "idas", problem.dae(), problem.t_start, problem.t_end, options)
    end = solver(x0=problem.start, z0=casadi.vertcat(a, multipliers))
    s1, s2 = 5**0.5 - 1, -(5**0.5) - 1
    weight = (1 - s2) / (s1 - s2)
    rate = weight * s1 * math.exp(s1) + (1 - weight) * s2 * math.exp(s2)
    x = (weight * math.exp(s1) + (1 - weight) * math.exp(s2)) * math.cos(2)
    seen = problem.observables(problem.t_end, end["xf"][:2], end["xf"][2:], end["zf"][2:])
    assert float(end["xf"][0]) == pytest.approx(x, abs=1e-8)  # a thousand tolerances: errors add up
    assert float(end["zf"][2]) == pytest.approx(-4 * rate, abs=1e-8)
    assert float(casadi.evalf(seen)) == pytest.approx(8 * rate + x, abs=1e-8)


@pytest.mark.parametrize("spec", MECHANISMS)
def test_equations_hold_at_the_start(spec, tmp_path):
    problem = exported(spec, tmp_path)
    check_start(problem)
