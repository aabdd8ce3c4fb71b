"""Audits of methods."""

import json

import pytest

import daelab

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
