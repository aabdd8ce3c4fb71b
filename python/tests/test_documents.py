"""Documents that have no end, no bottom or no characters; solutions that go from process to process; the end of a session."""

import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest

import daelab

PENDULUM = {"problem": "pendulum", "method": "radau-iia:s=3", "h": "0.1", "t_end": "1"}


def itself():
    document = {}
    document["a"] = [document]
    return document


def deep(levels):
    document = []
    for _ in range(levels):
        document = [document]
    return document


class Endless:
    def document(self):
        return self


class Stub:
    """Turns into itself, as an array of numpy turns into a list."""

    def tolist(self):
        return self


@pytest.mark.parametrize("document", [itself(), deep(100_000), Endless(), Stub(), {"a": Stub()}])
def test_what_has_no_bottom_is_refused(document):
    for give in [
        lambda: daelab.solve("pendulum", "radau-iia:s=3", h="0.1", start=document),
        lambda: daelab.run({"name": "x", "experiment": "convergence", "runs": [document]}),
    ]:
        with pytest.raises((daelab.InputError, RecursionError)) as caught:
            give()
        if caught.type is daelab.InputError:
            assert "nested too deeply, or contains itself (allowed are 200; --limit nesting=N" in str(caught.value)


@pytest.mark.parametrize("document", [{"name": "\ud800"}, {"\udfff": 1}])
def test_lone_surrogates_are_refused(document):
    with pytest.raises(daelab.InputError, match=r"the text '\\u?d[8f][0f][0f]' holds a lone surrogate"):
        daelab.run(document)


def test_after_refusals_documents_are_read():
    assert daelab.solve(**PENDULUM).success


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda s: pickle.loads(pickle.dumps(s))])
@pytest.mark.parametrize("more", [{}, {"t_eval": [0.25, 0.5]}, {"keep_steps": False}])
def test_solutions_are_pickled(copied, more):
    solution = daelab.solve(**PENDULUM, **more)
    again = copied(solution)
    for kind in ["t", "q", "v", "a", "lambda_", "y"]:
        assert np.array_equal(getattr(again, kind), getattr(solution, kind)), kind
    assert (again.record, again.spec, again.names, repr(again)) == (
        solution.record,
        solution.spec,
        solution.names,
        repr(solution),
    )
    assert np.array_equal(copied(again).q, solution.q)
    assert again.to_pandas().equals(solution.to_pandas())


def session(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("call", ["solve", "run"])
def test_a_session_ends_while_a_daemon_thread_works(call, tmp_path):
    config = {
        "name": "long",
        "experiment": "convergence",
        "title": "t",
        "common": {"problem": "pendulum", "method": "radau-iia:s=3", "t_end": "10"},
        "runs": [{"h": ["1/100000", "1/200000"]}],
    }
    calls = {
        "solve": "daelab.solve('pendulum', 'radau-iia:s=3', h='1e-6', t_end='10', keep_steps=False)",
        "run": f"daelab.run({config!r}, out={str(tmp_path)!r})",
    }
    ended = session(
        "import threading, time, daelab\n"
        f"work = lambda: [{calls[call]} for _ in range(9)]\n"
        "threading.Thread(target=work, daemon=True).start()\n"
        "time.sleep(0.5)\n"
        "print('end')\n"
    )
    assert (ended.returncode, ended.stdout) == (0, "end\n"), ended.stderr
    assert ended.stderr == ""
