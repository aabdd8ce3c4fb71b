#!/usr/bin/env python3
"""Errors and amplification of integrators of OpenSees, by OpenSeesPy: run_opensees.py.

The problem is u'' = -(u - u^3/6) - v/10: OpenSees has no spring with a sine. Displacement, velocity and the consistent
acceleration of the start are set.
"""

import importlib.metadata
import math
import pathlib

import numpy
import openseespy.opensees as ops

from problems import ACCELERATIONS, START, solution, write_table

VERSION = f"OpenSeesPy {importlib.metadata.version('openseespy')}"


def two_arguments(rho):
    """alphaM and alphaF of OpenSees, 1 - alpha_m and 1 - alpha_f of Chung and Hulbert."""
    return (2 - rho) / (1 + rho), 1 / (1 + rho)


def mass_on_spring(*material):
    ops.wipe()
    ops.model("basic", "-ndm", 1, "-ndf", 1)
    ops.node(1, 0.0)
    ops.node(2, 0.0)
    ops.fix(1, 1)
    ops.mass(2, 1.0)
    ops.uniaxialMaterial(*material)
    ops.element("zeroLength", 1, 1, 2, "-mat", 1, "-dir", 1)


def set_state(u, v, a):
    ops.setNodeDisp(2, 1, u, "-commit")
    ops.setNodeVel(2, 1, v, "-commit")
    ops.setNodeAccel(2, 1, a, "-commit")


def analysis(integrator, algorithm=("Newton",), tolerance=1e-12, iterations=3000):
    ops.constraints("Plain")
    ops.numberer("Plain")
    ops.system("FullGeneral")
    ops.test("NormDispIncr", tolerance, iterations, 0)
    ops.algorithm(*algorithm)
    ops.integrator(*integrator)
    ops.analysis("Transient", "-noWarnings")


def errors_at(integrator, n, algorithm=("Newton",)):
    mass_on_spring("ElasticPowerFunc", 1, "-coeff", 1.0, -1 / 6, "-exp", 1.0, 3.0)
    ops.rayleigh(0.1, 0.0, 0.0, 0.0)
    set_state(*START, ACCELERATIONS["cubic"](0, *START))
    analysis(integrator, algorithm)
    if ops.analyze(n, 1 / n) != 0:
        return math.nan, math.nan
    return ops.nodeDisp(2, 1), ops.nodeVel(2, 1)


def linear_errors_at(integrator, n, algorithm):
    """u'' = -u - v/10, by a spring and a dashpot."""
    mass_on_spring("Elastic", 1, 1.0, 0.1)
    set_state(*START, ACCELERATIONS["linear"](0, *START))
    analysis(integrator, algorithm)
    ops.analyze(n, 1 / n)
    return ops.nodeDisp(2, 1), ops.nodeVel(2, 1)


def spectral_radius(integrator, z, algorithm):
    """Of the map of one step on the undamped oscillator with omega h = z, by single steps of the program."""
    columns = []
    for state in numpy.eye(3):
        mass_on_spring("Elastic", 1, z**2)
        set_state(*state)
        analysis(integrator, algorithm, 1e-13 * max(1.0, 1 / z**2))
        ops.analyze(1, 1.0)
        columns.append((ops.nodeDisp(2, 1), ops.nodeVel(2, 1), ops.nodeAccel(2, 1)))
    return max(abs(numpy.linalg.eigvals(numpy.array(columns).T)))


def write_radii():
    """The largest radius, at z = omega h, and the last z with a radius above 1, on a grid of 200 z from 0.01 to 1e5."""
    lines = [f"# {VERSION}; radius > 1 means above 1 + 1e-6", "integrator,largest radius,at z,radius > 1 up to z"]
    cases = {f"GeneralizedAlpha {rho}": ("GeneralizedAlpha", *two_arguments(rho)) for rho in (0.9, 0.8, 0.7, 0.6, 0.5)}
    cases["GeneralizedAlpha 1 1 1/2 1/4"] = ("GeneralizedAlpha", 1.0, 1.0, 0.5, 0.25)
    cases["HHTGeneralized 0.9"] = ("HHTGeneralized", 0.9)
    for name, integrator in cases.items():
        grid = numpy.geomspace(0.01, 1e5, 200)
        radii = [spectral_radius(integrator, z, ("Newton",)) for z in grid]
        above = [z for z, radius in zip(grid, radii) if radius > 1 + 1e-6]
        best = int(numpy.argmax(radii))
        lines.append(f"{name},{radii[best]:.6f},{grid[best]:.3g},{max(above, default=0):.3g}")
        print(lines[-1])
    (pathlib.Path(__file__).parent / "results" / "opensees-radii.csv").write_text("\n".join(lines) + "\n")


INTEGRATORS = {f"generalized-alpha-{rho}": ("GeneralizedAlpha", *two_arguments(rho)) for rho in (0.9, 0.8, 0.5, 0.3, 0)}
INTEGRATORS |= {
    "generalized-alpha-four": ("GeneralizedAlpha", 1.0, 1.0, 0.5, 0.25),
    "generalized-alpha-four-exchanged": ("GeneralizedAlpha", 1.0, 1.0, 0.25, 0.5),
    "hht-generalized-0.9": ("HHTGeneralized", 0.9),
    "hht-generalized-0": ("HHTGeneralized", 0.0),
    "hht-0.9": ("HHT", 0.9),
    "newmark": ("Newmark", 0.5, 0.25),
}

for name, integrator in INTEGRATORS.items():
    write_table(f"opensees-{name}", lambda n: errors_at(integrator, n), solution("cubic"), VERSION)
write_table(
    "opensees-generalized-alpha-1",
    lambda n: errors_at(("GeneralizedAlpha", *two_arguments(1)), n, ("KrylovNewton",)),
    solution("cubic"),
    VERSION + ", KrylovNewton",
)
for name, algorithm in {"one-iteration": ("Linear",), "iterated": ("Newton",)}.items():
    write_table(
        f"opensees-generalized-alpha-0.9-linear-{name}",
        lambda n: linear_errors_at(("GeneralizedAlpha", *two_arguments(0.9)), n, algorithm),
        solution("linear"),
        f"{VERSION}, u'' = -u - v/10, algorithm {algorithm[0]}",
    )
write_radii()
