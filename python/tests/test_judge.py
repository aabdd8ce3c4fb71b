"""Results of another program, SciPy's, judged."""

import numpy as np
import pandas
import pytest
from scipy.integrate import solve_ivp

import daelab


def pendulum_by_scipy(rtol):
    """The end state (x, y, x', y') by the angle from the downward vertical."""
    s = solve_ivp(lambda t, y: [y[1], -9.81 * np.sin(y[0])], (0, 10), [-np.pi / 2, 0], "DOP853", rtol=rtol, atol=rtol)
    phi, rate = s.y[:, -1]
    return [np.sin(phi), -np.cos(phi), rate * np.cos(phi), rate * np.sin(phi)]


tolerances = [1e-4, 1e-6, 1e-8]
frame = pandas.DataFrame(
    [[rtol, *pendulum_by_scipy(rtol)] for rtol in tolerances], columns=["rtol", "x", "y", "x'", "y'"]
)


def test_a_frame_is_judged_beside_our_method():
    study = daelab.judge(frame, "pendulum", label="DOP853", formulation="index-1", beside=["dormand-prince"])
    assert study.points["label"].tolist() == ["DOP853"] * 3 + ["dormand-prince"] * 3
    theirs = study.points.iloc[:3]
    exact = daelab.solve("pendulum", "gauss:s=6", formulation="index-1", h="1/200").record["q"]
    by_hand = np.abs(frame[["x", "y"]].to_numpy() - exact).max(axis=1)
    assert theirs["q"].to_numpy() == pytest.approx(by_hand, rel=1e-2)  # what Gauss is wrong by is far below
    assert (theirs["position_constraint"] < 1e-15).all() and (theirs["energy_error"] > 0).all()
    axes = study.plot()
    assert axes.get_xlabel() == "relative tolerance" and [line.get_label() for line in axes.lines] == [
        "DOP853",
        "dormand-prince",
    ]


def test_tables_by_path_with_their_own_names(tmp_path):
    paths = []
    for rtol, row in zip(tolerances, frame.drop(columns="rtol").to_numpy()):
        paths.append(tmp_path / f"run{rtol}.csv")
        np.savetxt(paths[-1], [row], delimiter=",", header="a,b,c,d", comments="")
    columns = {"a": "x", "b": "y", "c": "v1", "d": "v2"}
    study = daelab.judge(paths, "pendulum", rtol=tolerances, columns=columns, label="mine", out=tmp_path / "out")
    again = daelab.judge(frame, "pendulum", label="mine")
    assert study.points["q"].tolist() == pytest.approx(again.points["q"].tolist(), rel=1e-12)
    assert (tmp_path / "out" / study.name / "result.json").exists()


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_arrays_of_numpy(tmp_path, save):
    x, y, vx, vy = frame.drop(columns="rtol").to_numpy().T
    save(tmp_path / "end.npz", rtol=frame["rtol"], q=np.column_stack([x, y]), v=np.vstack([vx, vy]), note="of SciPy")
    study = daelab.judge(tmp_path / "end.npz", "pendulum", label="mine")
    again = daelab.judge(frame, "pendulum", label="mine")
    assert study.points["v"].tolist() == pytest.approx(again.points["v"].tolist(), rel=1e-12)


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        (frame.assign(x=float("nan")), "not a finite number"),
        (frame.assign(t=11), "beyond the end"),
        (frame[["rtol"]], "no column"),
        ([], "no table"),
        ("no-such-table.csv", "cannot be read"),
    ],
)
def test_bad_tables(tables, message):
    with pytest.raises(daelab.InputError) as caught:
        daelab.judge(tables, "pendulum")
    assert message in str(caught.value)


def test_bad_arguments():
    with pytest.raises(daelab.InputError, match="1 file"):
        daelab.judge(frame, "pendulum", h=[0.1, 0.2])
    with pytest.raises(daelab.InputError, match="did you mean 'pendulum'"):
        daelab.judge(frame, "pendulm")
    with pytest.raises(daelab.InputError, match="none of daelab's methods"):
        daelab.judge(frame, "pendulum", beside=[])
