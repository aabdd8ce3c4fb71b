"""Problems as code of CasADi, which is at hand in this environment alone: integrated there to the certified end."""

import importlib.util
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
def test_an_integrator_of_casadi_reaches_the_certified_end(spec, tmp_path):
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


@pytest.mark.parametrize("spec", MECHANISMS)
def test_equations_hold_at_the_start(spec, tmp_path):
    problem = exported(spec, tmp_path)
    q, v = problem.start[: problem.n], problem.start[problem.n :]
    a, multipliers = problem.accelerations(problem.t_start, q, v)
    y, slope = casadi.vertcat(q, v, multipliers), casadi.vertcat(v, a, 0 * multipliers)
    for level in range(3):
        rest = problem.residual(level, problem.t_start, y, slope)
        assert float(casadi.norm_inf(casadi.evalf(rest))) < 1e-12  # round-off
