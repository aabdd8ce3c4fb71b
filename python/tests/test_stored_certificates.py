"""Certificates that are kept beside the references, and the tables that tell of them."""

import importlib.machinery
import importlib.util
import json
import pathlib
import subprocess
import sys
from fractions import Fraction

import pytest

pytest.importorskip("flint")
ROOT = pathlib.Path(__file__).resolve().parents[2]
REFERENCES = ROOT / "results/reference"
SCRIPT = ROOT / ".ci/proofs"


@pytest.fixture(scope="module")
def proofs():
    loader = importlib.machinery.SourceFileLoader("proofs", str(SCRIPT))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("proofs", loader))
    loader.exec_module(module)
    return module


def test_a_sample_of_the_certificates_is_proved_again():
    done = subprocess.run([sys.executable, str(SCRIPT), "--sample"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(done.stdout.splitlines()) == 4


def test_the_tables_agree_with_the_references(proofs):
    text = proofs.DOCUMENT.read_text(encoding="utf-8")
    assert proofs.document_of(text) == text
    assert proofs.document_of(text.replace("| pendulum |", "| pendulums |")) == text


def decided(state, certificate, digits):
    """Whether each stored number is within half a unit of the last digit of all that its interval holds."""
    end, n = certificate["end"], len(certificate["equations"]["coordinates"])
    parts = [("q", end["centre"][:n], end["radii"][:n]), ("v", end["centre"][n:2 * n], end["radii"][n:2 * n]),
             ("y", end["centre"][2 * n:], end["radii"][2 * n:])]
    if n:
        parts.append(("a", end["a"]["centre"], end["a"]["radii"]))
    return all(abs(Fraction(x) - Fraction(c)) + Fraction(r) <= Fraction(1, 2 * 10 ** digits)
               for kind, centre, radii in parts for x, c, r in zip(state.get(kind, []), centre, radii, strict=True))


def test_stored_numbers_are_as_near_as_their_digits_say(proofs):
    count = 0
    for path, name, state, proof in proofs.proofs():
        if "certificate" not in proof:
            continue
        certificate = json.loads((REFERENCES / proof["certificate"]).read_text(encoding="utf-8"))
        assert Fraction(certificate["end"]["t"]) == Fraction(state["t"])
        assert certificate["problem"]["name"] == name.split(":")[0] == path.stem
        assert decided(state, certificate, proof["digits"]), name
        assert not decided(state, certificate, proof["digits"] + 4), name
        assert proof["steps"] == len(certificate["steps"]) - 1
        count += 1
    assert count >= 20
    kept = {proof["certificate"] for *_, proof in proofs.proofs() if "certificate" in proof}
    there = {f"certificates/{path.name}" for path in (REFERENCES / "certificates").iterdir()}
    assert there == kept | {"certificates/refused.json"}
    assert all((REFERENCES / name).stat().st_size <= 400_000 for name in kept)


@pytest.mark.parametrize("printed, low, high, right", [
    ("3.14159", "3.141592653", "3.141592654", (6, 6)), ("3.14158", "3.141592653", "3.141592654", (5, 6)),
    ("-0.5e-3", "-0.00051", "-0.000509", (1, 1)), ("3.14", "3.1449", "3.1451", None), ("7", "3.1", "3.2", (0, 1)),
    ("0.100e1", "0.9999999", "0.9999999", (3, 3))])
def test_right_digits_of_printed_numbers(proofs, printed, low, high, right):
    assert proofs.right_digits(printed, Fraction(low), Fraction(high)) == right


def test_the_first_wrong_digit(proofs):
    assert proofs.rounded_text(Fraction("-0.00123456"), 4) == "-1.235E-3"
    assert proofs.power_of(Fraction(1000)) == 3 and proofs.power_of(Fraction(-999)) == 2
