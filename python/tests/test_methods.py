"""Tableaus and report cards."""

from fractions import Fraction

import pytest

import daelab


def test_a_card():
    card = daelab.method("radau-iia:s=3")
    assert card.order == 5 and card["stage_order"] == 3
    assert card.holds("L_stable") and card.holds("stiffly_accurate") and card.holds("B_stable")
    assert not daelab.method("gauss:s=2").holds("L_stable")
    assert card["stability_function"] == "(60 + 24 w + 3 w^2)/(60 - 36 w + 9 w^2 - w^3)"  # Hairer and Wanner, Sec. IV.3
    assert daelab.method("gauss:s=1").coefficients("A") == [["1/2"]]
    with pytest.raises(daelab.InputError, match="L_stable"):
        card.holds("P_stable")
    with pytest.raises(daelab.InputError, match="A"):
        card.coefficients("gamma")


def test_a_tableau_is_proved():
    heun = daelab.Tableau([[], [1]], ["1/2", Fraction(1, 2)], order=2, name="heun")
    assert daelab.method(heun).order == 2
    radau = daelab.Tableau([["5/12", "-1/12"], ["3/4", "1/4"]], ["3/4", "1/4"], ["1/3", 1], order=3)
    card = daelab.method(radau)
    assert card.order == 3 and card.holds("L_stable")
    ours = daelab.solve("pendulum", radau, formulation="index-1", h="1/100")
    theirs = daelab.solve("pendulum", "radau-iia:s=2", formulation="index-1", h="1/100")
    assert ours.record["q"] == pytest.approx(theirs.record["q"], abs=1e-11)


@pytest.mark.parametrize(
    ("make", "where", "message"),
    [
        (lambda: daelab.Tableau([[], [1]], [1], order=1), "/b", "1 entries for 2 stages"),
        (lambda: daelab.Tableau([[1, 2, 3]], [1], order=1), "/A/0", "3 entries for 1 stages"),
        (lambda: daelab.Tableau([[0]], [1], [0, 1], order=1), "/c", "2 entries"),
        (lambda: daelab.Tableau([[float("nan")]], [1], order=1), "", "finite"),
        (lambda: daelab.Tableau([[], ["1/2"]], [0, 1], order=3), "order", "order"),
        (lambda: daelab.Tableau([[], ["1/2"]], [0, "1/0"], order=2), "b", ""),
        (lambda: "radau-iia:t=3", "/method/t", ""),
        (lambda: "no-such-method.json", "", "cannot read"),
    ],
)
def test_bad_methods(make, where, message):
    with pytest.raises(daelab.InputError) as caught:
        daelab.method(make())
    assert where in str(caught.value) and message in str(caught.value)


def test_names():
    assert "pendulum" in daelab.names("problems") and "li2019" in daelab.names("papers")
    with pytest.raises(daelab.InputError, match="problems"):
        daelab.names("problem-s")
