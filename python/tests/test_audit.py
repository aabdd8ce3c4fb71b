"""Audits of methods."""

import json

import pytest

import daelab
from own_methods_support import OwnHeun

kutta = {
    "name": "kutta",
    "A": [["0", "0", "0"], ["1/2", "0", "0"], ["-1", "2", "0"]],
    "b": ["1/6", "2/3", "1/6"],
    "order": 3,
}


def test_a_method_is_audited():
    found = daelab.audit("gauss:s=2", claims={"order": 4, "symplectic": True, "L-stable": True})
    assert found["order"] == 4 and found["index-2 order of y"] == 2
    assert [row["property"] for row in found.refuted] == ["L-stable"]
    assert "1 refuted" in repr(found)
    with pytest.raises(KeyError, match="there are: order"):
        found["ordre"]


def test_a_slip_is_refuted_with_a_suggestion():
    slip = {**kutta, "A": [["0", "0", "0"], ["1/2", "0", "0"], ["1", "2", "0"]]}
    found = daelab.audit(slip)
    assert [row["verdict"] for row in found.claims] == ["refuted"]
    assert "/A/2/0: -1 in the place of 1, the other sign" in found.suggestions["kutta"][0]
    assert daelab.audit(kutta).refuted == []


def test_lists_and_files(tmp_path):
    library = [
        {"name": "a", "tableau": kutta, "claims": {"order": 4}},
        {"name": "b", "method": "ros3p", "claims": {"blind estimate": False}},
    ]
    (tmp_path / "library.json").write_text(json.dumps(library))
    for what in library, tmp_path / "library.json":
        assert [(row["method"], row["verdict"]) for row in daelab.audit(what).refuted] == [
            ("a", "refuted"),
            ("b", "refuted"),
        ]


def test_bad_claims():
    with pytest.raises(daelab.InputError, match="did you mean 'A-stable'"):
        daelab.audit("gauss:s=2", claims={"A-stabel": True})
    with pytest.raises(daelab.InputError, match="whole number"):
        daelab.audit("gauss:s=2", claims={"order": "four"})


class MidpointOfEuler:
    """The explicit midpoint rule, for whatever has a rate."""

    def step(self, system, state, h):
        half = state.y + h / 2 * state.ydot
        return state.y + h * system.rate(state.t + h / 2, half)


def test_a_step_function_is_measured():
    found = daelab.audit(MidpointOfEuler, claims={"order": 3, "quadrature order": 2, "index-1 order of y": 1})
    assert found["order"] == 2 and found["index-1 order of z"] == 2
    verdicts = {row["property"]: row["verdict"] for row in found.claims}
    assert verdicts == {"order": "refuted", "quadrature order": "confirmed", "index-1 order of y": "understated"}
    [proof] = (row["proof"] for row in found.rows if row["property"] == "order")
    assert "all-trees, y: p = " in proof and "double" in proof and "h = 1/" in proof
    assert "midpoint-of-euler" in found.suggestions


def test_the_order_that_a_class_states_is_a_claim():
    found = daelab.audit(OwnHeun(weight=0.4))  # of order 1
    assert [(row["method"], row["property"], row["claim"]) for row in found.refuted] == [
        ("own-heun:weight=0.4", "order", "2")
    ]
    assert daelab.audit(OwnHeun).refuted == []
    assert daelab.audit(OwnHeun, claims={"order": 1}).claims[0]["verdict"] == "understated"


def test_what_does_not_apply_is_not_known():
    found = daelab.audit(OwnHeun, claims={"index-3 order of y": 2})  # for index 1
    [row] = (row for row in found.claims if row["property"] == "index-3 order of y")
    assert row["verdict"] == "undecided" and "own-heun is for index-1" in row["proof"]


class Crooked:
    """Returns a row too few."""

    def step(self, system, state, h):
        return state.y[1:]


class Forgetful:
    """Knows no forces."""

    def step(self, system, state, h):
        return state.q, system.wind(state.t)


def test_a_step_function_that_fails_says_where():
    with pytest.raises(daelab.InputError, match=r"crooked: .*all-trees.* shape \(1,\), not \(2,\).*a step returns y, \(q, v\)"):
        daelab.audit(Crooked)
    with pytest.raises(daelab.InputError, match=r"no attribute 'wind' \(test_audit.py, line \d+, step\)"):
        daelab.audit(Forgetful)
    with pytest.raises(daelab.InputError, match="/claims: must be a dict"):
        daelab.audit(MidpointOfEuler, claims=[4])


def test_methods_with_coefficients_are_measured_where_that_is_asked_for():
    proofs = [
        next(row["proof"] for row in daelab.audit("heun", measure=measure).rows if row["property"] == "order")
        for measure in (False, True)
    ]
    assert "measured" not in proofs[0] and "measured: all-trees" in proofs[1]
