"""A decimal comma in the session that hosts the library changes no number."""

import locale
import subprocess

import pytest

import daelab

TABLE = "h,y1\n0.125,-0.5\n0.0625,-0.53\n"


@pytest.fixture
def decimal_comma(tmp_path, monkeypatch):
    made = tmp_path / "de_DE.UTF-8"
    subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", "--no-archive", made], capture_output=True, check=False)
    monkeypatch.setenv("LOCPATH", str(tmp_path))
    before = locale.setlocale(locale.LC_ALL)
    try:
        locale.setlocale(locale.LC_ALL, "de_DE.UTF-8")
    except locale.Error:
        pytest.skip("no German locale, and localedef makes none")
    assert locale.localeconv()["decimal_point"] == ","
    yield
    locale.setlocale(locale.LC_ALL, before)


def results(folder):
    (folder / "mine.csv").write_text(TABLE)
    judged = daelab.judge(folder / "mine.csv", "prothero-robinson")
    solved = daelab.solve("pendulum", "radau-iia:s=3", h="0.0125", t_end="0.5")
    record = dict(solved.record)
    record["stats"] = {name: count for name, count in record["stats"].items() if not name.endswith("_seconds")}
    return judged.points.to_json(), record


def test_a_comma_changes_nothing(tmp_path, request):
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir(), second.mkdir()
    before = results(first)
    request.getfixturevalue("decimal_comma")
    assert results(second) == before
