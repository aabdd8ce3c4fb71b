"""Problems written in Python: formulas become the texts of a document."""

from fractions import Fraction

import numpy as np
import pytest

import daelab
from daelab.expressions import Expression, atan2, cos, expression, maximum, select, sin, sqrt

x, y = Expression("x"), Expression("y")


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        (x + y - 1, "x + y - 1"),
        (x - (y - 1), "x - (y - 1)"),
        (2 * (x + y), "2*(x + y)"),
        (x / (y * 2), "x/(y*2)"),
        (x / y * 2, "x/y*2"),
        (x * y / 2, "x*y/2"),
        (-(x**2), "-x^2"),
        ((-x) ** 2, "(-x)^2"),
        (x**-1, "x^(-1)"),
        ((x + y) ** 2, "(x + y)^2"),
        ((x**2) ** 3, "(x^2)^3"),
        (x - -1, "x - -1"),
        (x * Fraction(1, 3), "x*(1/3)"),
        (Fraction(1, 3) * x, "1/3*x"),
        (0.1 * x, "0.1*x"),
        (np.float64(0.5) * x, "0.5*x"),
        (np.int64(3) * x, "3*x"),
        (1 / x, "1/x"),
        (1 - x, "1 - x"),
        (x.dot**2, "x'^2"),
        (sqrt(x) + sin(x) * cos(y), "sqrt(x) + sin(x)*cos(y)"),
        (atan2(y, x), "atan2(y, x)"),
        (maximum(x, 0), "max(x, 0)"),
        (select((x < 0) & ~(y >= 1), -x, x), "select((x < 0) and (not (y >= 1)), -x, x)"),
        (select(x > 2 * y, 1, 0), "select(x > 2*y, 1, 0)"),
        (abs(x), "abs(x)"),
        (expression("a + b") * x, "(a + b)*x"),
    ],
)
def test_texts(formula, text):
    assert str(formula) == text


def test_texts_mean_what_python_computes():
    """An observable of each formula, at the start, against Python's own number."""
    formulas = {
        "f1": lambda a, b: a - (b - 1) * 2 / (a * b) ** 2,
        "f2": lambda a, b: -(a**2) + (-b) ** 3 - -a,
        "f3": lambda a, b: a / b / 2 - a / (b / 2),
        "f4": lambda a, b: (a + 2 * b) ** -2 + abs(a - b),
    }
    problem = daelab.Problem("texts", end_time=1)
    states = problem.state("a", 0), problem.state("b", 0)
    for name, formula in formulas.items():
        problem.state(name, formula(*states))
    problem.start(a=0.75, b=-2)
    solution = daelab.solve(problem, "radau-iia:s=3", h=1)
    for name, rate in zip(formulas, solution.y[-1, 2:]):
        assert rate == pytest.approx(formulas[name](0.75, -2), rel=1e-14)  # round-off of a step


def my_pendulum():
    p = daelab.Problem("my-pendulum", end_time=10)
    x, y = p.coordinates("x", "y")
    L, g = p.parameter("L", 1), p.parameter("g", 9.81)
    p.kinetic_energy((x.dot**2 + y.dot**2) / 2)
    p.potential_energy(g * y)
    p.constraint(x**2 + y**2, L**2)
    p.start({x: -L})
    return p


@pytest.mark.parametrize("formulation", ["index-1", "index-2", "index-3", "ggl", "baumgarte"])
def test_a_pendulum_in_every_form(formulation):
    ours = daelab.solve(my_pendulum(), "radau-iia:s=3", formulation=formulation, h="1/100", t_end=1)
    theirs = daelab.solve("pendulum", "radau-iia:s=3", formulation=formulation, h="1/100", t_end=1)
    # The same equations, in another order of operations.
    assert np.abs(ours.q - theirs.q).max() < 1e-11 and np.abs(ours.v - theirs.v).max() < 1e-10


def test_a_problem_is_changed_by_options():
    document = my_pendulum().document()
    spec = daelab.solve({**document, "parameters": {"L": "2", "g": "9.81"}}, "radau-iia:s=3", h="1/100").spec
    assert spec["problem"]["parameters"]["L"] == "2"


def test_mass_matrix_forces_and_events():
    p = daelab.Problem("ball", end_time=2)
    (height,) = p.coordinates("h")
    p.mass([[2]])
    p.force(height, -2 * 9.81)
    p.force(height, -Fraction(1, 10) * height.dot)
    p.dissipates()
    p.start({height: 1})
    p.observable("doubled", 2 * height)
    p.event("ground", height, direction=-1, consequence="stop")
    solution = daelab.solve(p, "radau-iia:s=3", rtol=1e-8)
    assert p.document()["forces"] == {"h": "-19.62 + -1/10*h'"}
    assert solution.events["list"] and solution.t[-1] < 2
    assert solution.q[-1, 0] == pytest.approx(0, abs=1e-6)


def test_algebraic_states():
    p = daelab.Problem("index-one", end_time=1)
    u, z = p.state("u"), p.algebraic("z")
    p.rate(u, -z)
    p.equation(z, z - u)
    p.start({u: 1, z: 1})
    assert daelab.solve(p, "radau-iia:s=3", h="1/50").y[-1, 0] == pytest.approx(np.exp(-1), abs=1e-10)


def test_wrong_formulas():
    with pytest.raises(TypeError, match="select"):
        bool(x < 0)
    with pytest.raises(daelab.InputError, match="finite"):
        x + float("nan")
    with pytest.raises(daelab.InputError, match="type complex"):
        x * 1j
    with pytest.raises(daelab.InputError, match="type list"):
        x * [1]
    with pytest.raises(daelab.InputError, match="velocity"):
        _ = (x + y).dot
    with pytest.raises(daelab.InputError, match="two sides"):
        daelab.Problem("p").constraint(x**2 == 1)


@pytest.mark.parametrize(
    ("change", "where", "message"),
    [
        (lambda p: p.kinetic_energy(Expression("z") * 2), "kinetic_energy", "'z'"),
        (lambda p: p.start(z=1), "start", "z"),
        (lambda p: p.constraint(x - x), "constraints", ""),
        (lambda p: p.mass([[1, 0]]), "mass", ""),
        (lambda p: p.parameter("x", 1), "x", ""),
        (lambda p: p.start({"x": -2}), "", "violate"),
    ],
)
def test_wrong_problems(change, where, message):
    p = my_pendulum()
    change(p)
    with pytest.raises(daelab.InputError) as caught:
        daelab.solve(p, "radau-iia:s=3", h="1/100")
    assert where in str(caught.value) and message in str(caught.value)


def pendulum_with_parameters():
    problem = daelab.Problem("swing", end_time=1)
    px, py = problem.coordinates("x", "y")
    length, gravity = problem.parameter("L", 1), problem.parameter("gravity", 9.81)
    problem.kinetic_energy((px.dot**2 + py.dot**2) / 2)
    problem.potential_energy(gravity * py)
    problem.constraint(px**2 + py**2, length**2)
    problem.start({px: length})
    return problem


def test_with_makes_another_problem_with_other_parameters():
    problem = pendulum_with_parameters()
    before = problem.document()
    other = problem.with_(L=2, gravity=Fraction(98, 10), end_time="1/2")
    assert problem.document() == before
    assert other.document()["parameters"] == {"L": "2", "gravity": "49/5"}
    s = daelab.solve(other, "gauss:s=3", formulation="index-2", h="1/50")
    assert s.t[-1] == 0.5
    assert np.hypot(*s.q[-1]) == pytest.approx(2, abs=1e-10)
    by_option = daelab.solve(
        {**before, "parameters": {"L": "2", "gravity": "9.8"}, "end_time": "1/2"},
        "gauss:s=3",
        formulation="index-2",
        h="1/50",
    )
    assert np.array_equal(s.q, by_option.q)


def test_with_refuses_what_is_no_parameter():
    with pytest.raises(daelab.InputError, match="did you mean 'gravity'") as error:
        pendulum_with_parameters().with_(gravty=1)
    assert error.value.where == "/parameters/gravty"
    assert "L, gravity, start_time, end_time" in error.value.message


def test_with_keeps_forces_to_which_more_may_be_added():
    problem = pendulum_with_parameters()
    problem.force(Expression("x"), Expression("L"))
    other = problem.with_(L=3)
    other.force(Expression("x"), 1)
    assert other.document()["forces"]["x"] == "L + 1"
    assert problem.document()["forces"]["x"] == "L"


def test_parameters_of_a_file_are_options_and_make_grids(tmp_path):
    problem = pendulum_with_parameters()
    problem.save(tmp_path / "swing.json")
    file = str(tmp_path / "swing.json")
    expected = daelab.solve(problem.with_(L=2), "gauss:s=2", h="1/20").q[-1]
    for spec in (f"{file}:L=2", f"@{file}:L=2", {"name": file, "L": 2}, {"name": f"@{file}", "L": "2"}):
        assert np.array_equal(daelab.solve(spec, "gauss:s=2", h="1/20").q[-1], expected), spec
    config = {
        "name": "lengths",
        "experiment": "ensemble",
        "common": {"problem": {"name": file, "L": [1, 2, 3], "gravity": [9, 10]}, "method": "gauss:s=2", "h": "1/20"},
        "runs": {},
        "vary": ["/problem/L"],
    }
    groups = daelab.run(config).analysis["groups"]
    assert [group["runs"] for group in groups] == [3, 3]
