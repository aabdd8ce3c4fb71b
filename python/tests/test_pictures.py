"""Regions of stability, and mechanisms in motion."""

import base64
import re
import zlib

import matplotlib.pyplot as plt
import numpy as np
import pytest
from own_methods_support import OwnAdamsBashforth, OwnHeun, OwnRk4

import daelab


def _leftmost(axes, k):
    """Where the boundary of the k-th region meets the negative real axis."""
    x, y = axes.lines[k].get_data()
    x, y = np.asarray(x), np.asarray(y)
    return x[np.abs(y) < 0.05].min()


def test_regions_of_stability():
    axes = daelab.region({"RK4": "rk4-classical", "mine": OwnRk4}, window=(-4, 2, -4, 4), points=200)
    lines = [line for line in axes.lines if line.get_label() in ("RK4", "mine")]
    assert len(lines) == 2
    assert axes.get_xlim() == (-4, 2) and len(axes.patches) == 2
    # (-2.7853, 0) by both, to the grid's 0.03.  Hairer, Wanner 1996, Sec. IV.2
    for line in lines:
        x, y = (np.asarray(values) for values in line.get_data())
        assert x[np.abs(y) < 0.1].min() == pytest.approx(-2.7853, abs=0.03)
    plt.close("all")


def test_a_window_that_shows_the_boundary_and_labels():
    axes = daelab.region(["explicit-euler", "bdf:order=2"])
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["explicit-euler", "bdf:order=2"]
    left, right = axes.get_xlim()
    assert left < -2 and right > 0
    plt.close("all")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"methods": "hht"}, "second-order systems"),
        ({"methods": "kinematic"}, "no stability function"),
        ({"methods": "rk5"}, "no method 'rk5'"),
        ({"methods": OwnHeun}, "which has no 'accelerations'"),
        ({"methods": OwnAdamsBashforth}, "one-step methods"),
        ({"methods": "heun", "window": (1, -1, 0, 1)}, "left < right"),
        ({"methods": "heun", "window": (0, float("nan"), 0, 1)}, "finite"),
        ({"methods": "heun", "window": (1, 2)}, "has 2 numbers"),
        ({"methods": "heun", "points": 1}, "allowed: 2 to 4000"),
    ],
)
def test_regions_that_cannot_be_drawn(arguments, message):
    with pytest.raises(daelab.InputError, match=message):
        daelab.region(**arguments)


def data_of(page):  # which a page holds compressed
    return zlib.decompress(base64.b64decode(re.search('id="data">([^<]*)<', page)[1])).decode()


def test_a_mechanism_in_motion(tmp_path):
    first = daelab.solve("pendulum", "radau-iia:s=3", h="1/50", t_end=2)
    second = daelab.solve("pendulum", OwnRk4, formulation="index-1", h="1/50", t_end=2, t_eval=[0, 1, 2])
    animation = first.animate(second, title="Two <pendulums>")
    animation.save(tmp_path / "motion.html")
    page = (tmp_path / "motion.html").read_text(encoding="utf-8")
    assert page == animation.page and page.startswith("<!DOCTYPE html>")
    assert "Two &lt;pendulums&gt;" in page and data_of(page).count('"curveTimes"') == 2
    cell = animation._repr_html_()
    assert cell.startswith("<iframe srcdoc=") and "<script" not in cell.partition("style=")[0]  # escaped
    assert data_of(daelab.animate(first).page).count('"curveTimes"') == 1


def test_what_does_not_move():
    with pytest.raises(daelab.InputError, match="no outline"):
        daelab.solve("robertson", "radau-iia:s=3", rtol=1e-3).animate()
    with pytest.raises(daelab.InputError, match="one solution or more"):
        daelab.animate()
    with pytest.raises(daelab.InputError, match="at least 1"):
        daelab.solve("pendulum", "radau-iia:s=3", h="1/10", t_end=1).animate(every=0)
