"""The checker of certificates proves motions with a closed form, and refutes certificates that say something else."""

import copy
import hashlib
import json
import pathlib
import subprocess
import sys

import pytest

flint = pytest.importorskip("flint")
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import check_certificate  # noqa: E402

from flint import arb, ctx  # noqa: E402

TIMES = ["0", "0.25", "0.5", "0.75", "1"]
CIRCLE = {"coordinates": ["x", "y"], "mass": [[0, 0, "1"], [1, 1, "1"]], "forces": ["0", "0"],
          "constraints": ["(x^2 + y^2 - 1)/2"], "independent": [0]}
SKATE = {"coordinates": ["x", "y", "theta"], "mass": [[0, 0, "1"], [1, 1, "1"], [2, 2, "1/2"]],
         "forces": ["0", "0", "0"], "nonholonomic": ["sin(theta)*x' - cos(theta)*y'"], "independent": [0]}


def first_order(*rates, states=("y",), **more):
    return {"kind": "first-order", "states": list(states), "rates": list(rates), **more}


# equations, start values (q, v, s), those that are fixed, and (x(t), a, lambda, algebraic states) of the motion
MOTIONS = {
    "decay": (first_order("-y"), [[], [], ["1"]], ["y"], lambda t: ([(-t).exp()], [], [], [])),
    "mass": (first_order("-y*(2 + y)", rates_mass=[[0, 0, "2 + y"]]), [[], [], ["1"]], ["y"],
             lambda t: ([(-t).exp()], [], [], [])),
    "index-1": (first_order("-z", "z + z^3 - y - y^3", states="yz", algebraic=1), [[], [], ["1", "0.9"]], ["y"],
                lambda t: ([(-t).exp()], [], [], [(-t).exp()])),
    "index-2": (first_order("z", "y - sin(t)", states="yz", algebraic=1), [[], [], ["0", "1"]], [],
                lambda t: ([t.sin()], [], [], [t.cos()])),
    "index-3": (first_order("a", "b", "-x*l", "-y*l", "(x^2 + y^2 - 1)/2", states="xyabl", algebraic=1),
                [[], [], ["1", "0", "0", "1", "0.5"]], ["y", "b"],
                lambda t: ([t.cos(), t.sin(), -t.sin(), t.cos()], [], [], [1 + 0 * t])),
    # each but the first of these terms is zero
    "functions": (first_order("1/(1 + t) + exp(log(9 + t)) - abs(-9 - t) + e", definitions=[
        ["e1", "atan2(t, 2) - atan(t/2) + tan(t/2) - sin(t/2)/cos(t/2) + asin(t/4) + acos(t/4) - pi/2"],
        ["e2", "sinh(t)/cosh(t) - tanh(t) + (4 + t)^0.5 + min(9, -sqrt(4 + t)) + max(-9, t^3) - t^(2 + 1)"],
        ["e", "e1 + e2"]]), [[], [], ["0"]], ["y"], lambda t: ([(1 + t).log()], [], [], [])),
    "branches": (first_order("select(9 > t, -y, y) + select(t <= 9, 0, y) + select(y + 1 < 0, y, 0)"), [[], [], ["1"]],
                 ["y"], lambda t: ([(-t).exp()], [], [], [])),
    "oscillator": ({"coordinates": ["x"], "mass": [[0, 0, "2"]], "forces": ["-2*x"]}, [["1"], ["0"], []], ["x", "x'"],
                   lambda t: ([t.cos(), -t.sin()], [-t.cos()], [], [])),
    "circle": (CIRCLE, [["1", "0"], ["0", "1"], []], ["y", "y'"],
               lambda t: ([t.cos(), t.sin(), -t.sin(), t.cos()], [-t.cos(), -t.sin()], [1 + 0 * t], [])),
    "skate": (SKATE, [["0", "0", "pi/6"], ["sqrt(3)/2", "0.5", "1"], []], ["x", "y", "theta", "x'", "theta'"],
              lambda t: ([(t + p()).sin() - arb(0.5), arb(3).sqrt() / 2 - (t + p()).cos(), t + p(), (t + p()).cos(),
                          (t + p()).sin(), 1 + 0 * t], [-(t + p()).sin(), (t + p()).cos(), 0 * t], [1 + 0 * t], [])),
}


# The motion without the constraint, which is called redundant: it leaves the circle along the tangent
TANGENT = ({**CIRCLE, "independent": []}, [["1", "0"], ["0", "1"], []], ["x", "y", "x'", "y'"],
           lambda t: ([1 + 0 * t, t, 0 * t, 1 + 0 * t], [0 * t, 0 * t], [0 * t], []))


def p():
    return arb.pi() / 6


def texts(balls):
    return [ball.str(60, radius=False) for ball in balls]


def box(balls, radius):
    return {"centre": texts(balls), "radii": [radius] * len(balls)}


def sealed(content):
    rest = {key: value for key, value in content.items() if key != "sha256"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return {**rest, "sha256": hashlib.sha256(text.encode()).hexdigest()}


def certificate(name):
    equations, start, fixed, motion = MOTIONS.get(name, TANGENT)
    ctx.prec = 300
    ends = [motion(arb(t)) for t in TIMES]
    n = len(ends[0][0])
    steps = [{"t": t, **box(x, f"{4 ** (2 * i)}E-56")} for i, (t, (x, *_)) in enumerate(zip(TIMES, ends))]
    if n == 4:  # a frame that is no unit matrix
        steps[2]["frame"] = [["1", "0.5", "0", "0"], ["-0.5", "1", "0", "0"],
                             ["0", "0", "1", "0"], ["0", "0", "0.1", "1"]]
    x, a, multipliers, algebraic = ends[-1]
    end = {"t": TIMES[-1], **box(x + algebraic, "4E-51"), "a": box(a, "1E-49"), "lambda": box(multipliers, "1E-49"),
           "digits": 50}
    return sealed({
        "certificate": "daelab enclosure 1", "problem": {"name": name, "source": "Nørsett"}, "version": "1.0.0",
        "equations": {"kind": "mechanism", "t": "t", **equations},
        "start": {"t": "0", "given": dict(zip("qvs", start)), "fixed": fixed, "enclosure": box(ends[0][0], "1E-57")},
        "precision": 200, "order": 60, "steps": steps, "end": end})


@pytest.fixture
def verdict(tmp_path, capsys):
    def judged(content, *arguments):
        path = tmp_path / "certificate.json"
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        code = check_certificate.check(path, *arguments)
        said = capsys.readouterr()
        return code, said.out + said.err
    return judged


@pytest.mark.parametrize("name", MOTIONS)
def test_motions_with_a_closed_form_are_proved(verdict, name):
    code, said = verdict(certificate(name))
    assert code == 0, said
    assert "end: proved, 50 decimals" in said


def replaced(content, path, change):
    """The certificate with one text replaced, and its hash made anew."""
    content = copy.deepcopy(content)
    *way, last = path
    inner = content
    for key in way:
        inner = inner[key]
    inner[last] = change(inner[last])
    return content


def other_digit(place):
    """Changes a decimal by one in the given place after the point."""
    def change(text):
        ctx.prec = 300
        return (arb(text) + arb(10) ** -place).str(60, radius=False)
    return change


WRONG = {  # what is changed, and which part finds it
    "a centre": (("steps", 2, "centre", 0), other_digit(49), "step 1 to 2: NOT PROVED, x:"),
    "a radius": (("steps", 3, "radii", 1), lambda r: "4E-54", "step 2 to 3: NOT PROVED, y:"),
    "the time of a step": (("steps", 1, "t"), lambda t: "0.25000000000000000000000000000000000000000000000000001",
                           "step 0 to 1: NOT PROVED"),
    "a frame": (("steps", 2, "frame", 3, 2), lambda c: "1000", "step 1 to 2: NOT PROVED"),
    "a singular frame": (("steps", 2, "frame", 0), lambda row: ["0"] * 4, "the frame of step 2 is singular"),
    "a force": (("equations", "forces", 1), lambda f: "1E-48", "step 0 to 1: NOT PROVED"),
    "a mass": (("equations", "mass", 1, 2), lambda m: "1.00000000000000000000000000000000000000000000001",
               "step 0 to 1: NOT PROVED"),
    "a constraint": (("equations", "constraints", 0), lambda c: "(x^2 + y^2 - 1)/2 + 1E-49*t", "start: NOT PROVED"),
    "a given start": (("start", "given", "v", 1), other_digit(50), "start: NOT PROVED"),
    "the enclosure of the start": (("start", "enclosure", "centre", 0), other_digit(50), "start: NOT PROVED, x "),
    "the first set": (("steps", 0, "centre", 1), other_digit(50), "start: NOT PROVED, y:"),
    "a value at the end": (("end", "centre", 2), other_digit(50), "end: NOT PROVED, x'"),
    "an acceleration": (("end", "a", "centre", 1), other_digit(48), "end: NOT PROVED, a 2"),
    "lambda": (("end", "lambda", "centre", 0), other_digit(48), "end: NOT PROVED, lambda 1"),
    "the sign of lambda": (("end", "lambda", "centre", 0), lambda c: "-" + c, "end: NOT PROVED, lambda 1"),
    "the number of digits": (("end", "digits"), lambda d: 51, "end: NOT PROVED, a radius is larger than 0.5E-51"),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_changed_certificate_is_not_proved(verdict, what):
    path, change, finding = WRONG[what]
    changed = replaced(certificate("circle"), path, change)
    code, said = verdict(sealed(changed))
    assert code == 1 and finding in said and "hash: proved" in said, said
    code, said = verdict(changed, "0:0")
    assert code == 1 and "hash: NOT PROVED" in said, said


def test_the_wrong_branch_of_an_algebraic_state_is_not_proved(verdict):
    wrong = replaced(certificate("index-1"), ("end", "centre", 1), lambda z: "-" + z)
    code, said = verdict(sealed(wrong))
    assert code == 1 and "end: NOT PROVED, algebraic" in said, said


def test_a_sample_says_so(verdict):
    code, said = verdict(certificate("circle"), "1:3")
    assert code == 0 and "A SAMPLE, 2 of 4 steps" in said and "end" not in said, said
    code, said = verdict(certificate("index-1"), "1:3")
    assert code == 2 and "must begin at 0" in said, said


def test_the_program_says_no_more_than_it_is_asked_for(tmp_path):
    path = tmp_path / "certificate.json"
    program = [sys.executable, check_certificate.__file__, str(path), "--quiet"]
    path.write_text(json.dumps(certificate("decay")), encoding="utf-8")
    run = subprocess.run(program, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
    path.write_text(json.dumps(replaced(certificate("decay"), ("steps", 2, "t"), lambda t: "0.51")), encoding="utf-8")
    run = subprocess.run(program, capture_output=True, text=True, check=False)
    assert run.returncode == 1 and run.stdout.startswith("hash: NOT PROVED") and "step 1 to 2: NOT PROVED" in run.stdout


def test_redundant_constraints_are_taken_as_such(verdict):
    double = certificate("circle")
    double["equations"]["constraints"] = ["x^2/2 + y^2/2 - 1/2", "2*x^2 + 2*y^2 - 2"]
    double["end"]["lambda"] = {"centre": ["1", "0"], "radii": ["1E-49", "0"]}
    code, said = verdict(sealed(double))
    assert code == 0 and "1 of them taken as redundant" in said, said
    double["equations"]["constraints"][1] = "2*x^2 + 2*y^2 - 2.0001"
    code, said = verdict(sealed(double))
    assert code == 1 and "start: NOT PROVED, a constraint is violated" in said, said


def test_a_constraint_that_is_called_redundant_and_is_not_is_found(verdict):
    code, said = verdict(certificate("tangent"))
    assert code == 1 and "start: proved" in said and "step 0 to 1: NOT PROVED, a constraint is violated" in said, said


BAD = {
    "no JSON": ("{", "bad file"),
    "no certificate": ({"certificate": "a diploma"}, "'certificate' is not"),
    "a key is missing": ({"certificate": "daelab enclosure 1"}, "KeyError 'equations'"),
    "no analytic function": (("equations", "forces", 0, "floor(x)"), "floor is no variable and no analytic"),
    "no comparison": (("equations", "forces", 0, "select(x, 1, 2)"), "cannot be read"),
    "an equality": (("equations", "forces", 0, "select(x == 0, 1, 2)"), "a character has no meaning"),
    "not of the grammar": (("equations", "forces", 0, "x.real"), "no analytic function"),
    "an unknown name": (("equations", "forces", 0, "-z"), "z is no variable"),
    "no decimal": (("steps", 1, "radii", 0, "small"), "'small' is no decimal number"),
    "too few components": (("steps", 1, "radii", ["0"]), "two steps with 4 components"),
}


@pytest.mark.parametrize("what", BAD)
def test_a_bad_file_is_told_from_a_wrong_one(verdict, what):
    content, said_by = BAD[what]
    if isinstance(content, tuple):
        *path, value = content
        content = sealed(replaced(certificate("circle"), path, lambda old: value))
    code, said = verdict(content)
    assert code == 2 and said_by in said, said


@pytest.mark.parametrize("terms", [30, 60])
@pytest.mark.parametrize("radius", [1e-2, 1e-6, 1e-12])
def test_the_image_of_a_set_holds_the_motions_from_its_edges(terms, radius):
    """y' = y (1 - y) has the solution 1/(1 + (1/y(0) - 1) exp(-t))."""
    system = check_certificate.System(first_order("y*(1 - y)"), {"s": ["1/2"]})
    flow = check_certificate.Flow(system, terms, 300)
    flow.low, ctx.prec = 12, 300
    start = check_certificate.Set([arb(1) / 2], check_certificate.one(1), [arb(radius)], [arb(0)], ())
    image = flow.advance(start, arb(0), arb(0.5))
    width = image.frame[0, 0] * image.radii[0] + image.box[0]
    for edge in (arb(1) / 2 - radius, arb(1) / 2, arb(1) / 2 + radius):
        assert abs(1 / (1 + (1 / edge - 1) * arb(-0.5).exp()) - image.centre[0]) <= width
    assert width < 1.2 * radius
