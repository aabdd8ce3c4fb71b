#!/usr/bin/env python3
"""Errors of PETSc's TSALPHA2 and TSALPHA, of the release that petsc4py has: run_petsc.py.

PETSc 3.18.5: python3-petsc4py of Debian 12; 3.25.5: in the wheel dolfinx-solver-real 0.11.0.post0 with mpich.
"""

import math
import sys

import petsc4py

petsc4py.init(
    [
        "run_petsc.py",
        "-ts_adapt_type",
        "none",
        "-snes_max_it",
        "6",
        "-snes_convergence_test",
        "skip",
        "-ts_max_snes_failures",
        "-1",
        "-ksp_type",
        "preonly",
        "-pc_type",
        "lu",
    ]
)
from petsc4py import PETSc  # noqa: E402

from problems import ACCELERATIONS, START, integrated, solution, write_table  # noqa: E402

VERSION = ".".join(str(part) for part in PETSc.Sys.getVersion())


def vector(value):
    x = PETSc.Vec().createSeq(1)
    x[0] = value
    x.assemble()
    return x


def matrix():
    a = PETSc.Mat().createDense([1, 1])
    a.setUp()
    return a


def stepper(kind, radius, n):
    options = PETSc.Options()
    options["ts_alpha_radius"] = radius
    ts = PETSc.TS().create()
    ts.setType(kind)
    ts.setTime(0)
    ts.setTimeStep(1 / n)
    ts.setMaxTime(1)
    ts.setMaxSteps(n)
    ts.setExactFinalTime(PETSc.TS.ExactFinalTime.STEPOVER)
    return ts


def second_order(problem, radius, n):
    f = ACCELERATIONS[problem]

    def residual(ts, t, u, v, a, r):
        r[0] = a[0] - f(t, u[0], v[0])
        r.assemble()

    def jacobian(ts, t, u, v, a, shift_v, shift_a, j, p):
        p[0, 0] = shift_a + shift_v / 10 + math.cos(u[0])
        p.assemble()

    u, v, r, j = vector(START[0]), vector(START[1]), vector(0), matrix()
    ts = stepper("alpha2", radius, n)
    ts.setI2Function(residual, r)
    ts.setI2Jacobian(jacobian, j, j)
    ts.setFromOptions()
    ts.setSolution2(u, v)
    ts.solve(u)
    u, v = ts.getSolution2()
    return u[0], v[0]


def first_order(radius, n):
    """y' = -y^2/2 + cos t, y = 1."""

    def residual(ts, t, y, slope, r):
        r[0] = slope[0] + y[0] ** 2 / 2 - math.cos(t)
        r.assemble()

    def jacobian(ts, t, y, slope, shift, j, p):
        p[0, 0] = shift + y[0]
        p.assemble()

    y, r, j = vector(1.0), vector(0), matrix()
    ts = stepper("alpha", radius, n)
    ts.setIFunction(residual, r)
    ts.setIJacobian(jacobian, j, j)
    ts.setFromOptions()
    ts.solve(y)
    return (y[0],)


MADE_BY = f"PETSc {VERSION}, petsc4py, Python {sys.version.split()[0]}"
for radius, problem in ((1, "autonomous"), (0.9, "autonomous"), (0.5, "autonomous"), (0.5, "with-time")):
    write_table(
        f"petsc-{VERSION}-alpha2-{radius}-{problem}",
        lambda n: second_order(problem, radius, n),
        solution(problem),
        MADE_BY,
    )
for radius in (1, 0.5):
    write_table(
        f"petsc-{VERSION}-alpha-{radius}",
        lambda n: first_order(radius, n),
        integrated(lambda t, y: (-(y[0] ** 2) / 2 + math.cos(t),), (1.0,)),
        MADE_BY,
        columns=("y",),
    )
