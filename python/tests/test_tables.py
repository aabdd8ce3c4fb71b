"""Tables: frames of pandas, HTML for notebooks, LaTeX."""

import sys

import pytest

import daelab


@pytest.fixture(scope="module")
def study():
    return daelab.convergence(
        "pendulum",
        {"Heun <2>": "heun", "RK4": "rk4-classical"},
        ["1/50", "1/100", "1/200"],
        formulation="index-1",
        t_end=1,
    )


def test_orders_print_what_is_looked_for(study):
    assert list(study.orders) == ["label", "component", "order", "half_width", "theory", "agreement"]
    printed = str(study.orders)
    assert "..." not in printed and "agrees" in printed
    assert list(study.order_details)[:6] == list(study.orders) and "statement" in study.order_details


def test_tables_of_a_study(study):
    assert study.to_pandas().equals(study.points) and study.to_pandas("orders").equals(study.orders)
    assert len(study.to_pandas("runs")) == 6 and study.to_pandas("verdicts").empty
    with pytest.raises(daelab.InputError, match="no table 'order'; there are: runs, points"):
        study.to_pandas("order")
    html = study._repr_html_()
    assert html.startswith("<table") and "2.0" in html and "±" in html and "agrees" in html
    assert "Heun &lt;2&gt;" in html and "Heun <2>" not in html


def test_tables_of_sets(study, tmp_path):
    config = {
        "name": "mine",
        "experiment": "drift",
        "title": "my <drift>",
        "common": {"problem": "pendulum", "t_end": 1},
        "runs": [{"method": "rk4-classical", "formulation": "index-1", "h": ["1/50", "1/100"]}],
    }
    drift = daelab.run(config, out=tmp_path)
    assert drift.to_pandas().equals(drift.runs)
    assert "my &lt;drift&gt;" in drift._repr_html_()
    sets = daelab.load(tmp_path)
    assert len(sets.to_pandas()) == 2 and "drift" in sets._repr_html_()


def test_tables_of_a_solution():
    solution = daelab.solve("pendulum", "radau-iia:s=3", formulation="index-3", rtol=1e-6, history=True)
    frame = solution.to_pandas()
    assert list(frame)[:2] == ["x", "y"] and frame.index.name == "t" and len(frame) == len(solution.t)
    record = solution.to_pandas("record")
    assert len(record) == 1 and record["status"][0] == "ok" and record["rtol"][0] == 1e-6
    assert record["steps"][0] == solution.statistics["steps"]
    assert len(solution.to_pandas("history")) >= solution.statistics["steps"]
    html = solution._repr_html_()
    assert "radau-iia" in html and "index-3" in html and "errors at the end" in html
    assert html.count("<polyline") == 2 and ">x</text>" in html and ">y</text>" in html
    unseen = daelab.solve("pendulum", "heun", formulation="index-1", h="1/10", keep_steps=False)
    assert "<table" in unseen._repr_html_() and "<svg" not in unseen._repr_html_()
    with pytest.raises(daelab.InputError, match="no table 'states'"):
        solution.to_pandas("states")
    short = daelab.solve("pendulum", "heun", formulation="index-1", h="1/10", t_end=1)
    with pytest.raises(daelab.InputError, match="history=True"):
        short.to_pandas("history")


def test_a_card_in_a_notebook(capsys):
    card = daelab.method("radau-iia:s=2")
    assert card.orders["index-1"] == {"q": 3, "v": 3, "a": 3, "lambda": 3}
    frame = card.to_pandas().set_index("formulation")
    assert frame.loc["ggl", "lambda"] == card.orders["ggl"]["lambda"] == 2  # HW96, Table VII.4.1
    card.show()
    printed = capsys.readouterr().out
    assert "order                 3" in printed and "A-stable              yes" in printed
    html = card._repr_html_()
    assert "<table" in html and "ggl" in html
    assert "G-stable" not in html  # a property of multistep formulas


@pytest.mark.parametrize(
    ("method", "parts"),
    [
        (
            "gauss:s=2",
            [r"\begin{array}{c|cc}", r"\frac{3 - 2 \sqrt{3}}{12}", r"\hline", r" & \frac{1}{2} & \frac{1}{2} \\"],
        ),
        ("heun", [r"0 &  &  \\", r"1 & 1 &  \\"]),
        ("dormand-prince", [r"\frac{5179}{57600}", r"-\frac{92097}{339200}"]),
        ("alexander", ["0.4358665215084589994160194511"]),
        ("bdf:k=2", [r"\alpha &= \begin{pmatrix} \frac{3}{2} & -2 & \frac{1}{2} \end{pmatrix}", r"\beta &= 1"]),
        ("generalized-alpha", [r"\alpha_m &= \frac{1}{3}", r"\gamma &= \frac{11}{18}"]),
    ],
)
def test_latex(method, parts):
    text = daelab.method(method).to_latex()
    for part in parts:
        assert part in text
    assert text.count("{") == text.count("}") and "sqrt(" not in text and r"\text" not in text


def test_latex_of_a_tableau_and_of_nothing():
    heun = daelab.Tableau([[], [1]], ["1/2", "1/2"], order=2, name="heun")
    assert heun.to_latex() == daelab.method("heun").to_latex()
    with pytest.raises(daelab.InputError, match="not stated"):
        daelab.method("rkc").to_latex()


def test_without_pandas(study, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    solution = daelab.solve("pendulum", "heun", formulation="index-1", h="1/100", t_end=1)
    again = daelab.convergence("pendulum", ["heun"], ["1/50", "1/100"], formulation="index-1", t_end=1, out=tmp_path)
    for table in (
        solution.to_pandas,
        again.to_pandas,
        daelab.load(tmp_path).to_pandas,
        daelab.method("heun").to_pandas,
    ):
        with pytest.raises(ImportError, match=r"daelab\[results\]"):
            table()
    assert "<table" in solution._repr_html_() and "<table" in study._repr_html_() and "<table" in again._repr_html_()
