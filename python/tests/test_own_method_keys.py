"""Keys of runs by methods written in Python: the same for the same code, new ones for other code."""

import subprocess
import sys
from pathlib import Path

from own_methods_support import OwnPair

import daelab


def _with_factor(factor):
    class Scaled:
        def step(self, system, state, h):
            return state.q + factor * h * state.v, state.v + h * state.a

    return Scaled


def test_the_key_of_a_run_holds_the_code(tmp_path):
    def keys(*methods):
        config = {
            "name": "keys",
            "experiment": "drift",
            "title": "keys",
            "common": {"problem": "pendulum", "h": "1/50", "t_end": 1},
            "runs": [{"label": str(i), "method": method} for i, method in enumerate(methods)],
        }
        runs = daelab.run(config, out=tmp_path).runs
        return list(runs["key"]), list(runs["max_energy_error"])

    (one, two), energies = keys(_with_factor(1), _with_factor(0.5))  # of one name in one set
    assert one != two and energies[0] != energies[1]
    (again,), (energy,) = keys(_with_factor(1))
    assert again == one and energy == energies[0]


def _executed(text, **names):
    exec(text, names)
    return daelab.own_methods.specification(names["Mine"])["source"]


def test_what_makes_a_new_key():
    text = """
import numpy as np
factor, table = 1, np.array([1.0, 2.0])
def helper(x): return factor * x * table[0]
class Base:
    def half(self, x): return x / 2
class Mine(Base):
    order = 1
    def step(self, system, state, h):
        # a comment
        return helper(state.q), self.half(state.v)
"""
    original = _executed(text, __name__="__main__")
    assert _executed(text, __name__="__main__") == original
    assert _executed(text) == original  # where nobody says which module it is
    assert _executed(text.replace("# a comment", "# another comment")) == original
    for before, after in [
        ("factor, table = 1", "factor, table = 2"),
        ("[1.0, 2.0]", "[1.0, 3.0]"),
        ("factor * x", "factor + x"),
        ("x / 2", "x / 3"),
        ("order = 1", "order = 2"),
        ("helper(state.q)", "helper(state.v)"),
    ]:
        assert _executed(text.replace(before, after)) != original


def test_the_key_is_the_same_in_another_session():
    program = "from own_methods_support import OwnPair; from daelab import own_methods;"
    program += "print(own_methods.specification(OwnPair)['source'])"
    here = daelab.own_methods.specification(OwnPair)["source"]
    for seed in ("1", "2"):  # of the order of sets
        out = subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            check=True,
            cwd=Path(__file__).parent,
            env={"PYTHONHASHSEED": seed},
        )
        assert out.stdout.strip() == here
