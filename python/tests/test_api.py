"""Every public name has a docstring, and a place on the API page."""

import importlib.util
import inspect
from pathlib import Path

import pytest

import daelab


def test_every_name_is_on_the_page(tmp_path):
    path = Path(__file__).parents[1] / "api.py"
    spec = importlib.util.spec_from_file_location("api", path)
    api = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(api)
    api.write_pages(tmp_path)
    page = (tmp_path / "daelab.html").read_text()
    for name in daelab.__all__:
        assert f'id="{name}"' in page, name


@pytest.mark.parametrize("name", daelab.__all__)
def test_every_name_has_a_docstring(name):
    named = getattr(daelab, name)
    assert inspect.getdoc(named), name
    if inspect.isclass(named) and not issubclass(named, Exception):
        own = [member for member in vars(named) if not member.startswith("_") and callable(getattr(named, member))]
        assert all(inspect.getdoc(getattr(named, member)) for member in own), own


def test_functions_say_what_they_take_and_raise():
    for name in ["solve", "convergence", "judge", "register", "region"]:
        text = inspect.getdoc(getattr(daelab, name))
        assert "Args:" in text and "Raises:" in text, name
