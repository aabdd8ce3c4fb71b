#!/usr/bin/env python3
"""Errors of mfem's solvers of second order by PyMFEM: run_mfem.py."""

import importlib.metadata
import math

import mfem.ser as mfem

from problems import ACCELERATIONS, START, solution, write_table

SOLVERS = {
    "generalized-alpha-1": lambda: mfem.GeneralizedAlpha2Solver(1.0),
    "generalized-alpha-0.5": lambda: mfem.GeneralizedAlpha2Solver(0.5),
    "generalized-alpha-0": lambda: mfem.GeneralizedAlpha2Solver(0.0),
    "hht-0.667": lambda: mfem.HHTAlphaSolver(2 / 3),
    "hht-default": lambda: mfem.HHTAlphaSolver(),
    "wbz-0.5": lambda: mfem.WBZAlphaSolver(0.5),
    "average-acceleration": lambda: mfem.AverageAccelerationSolver(),
    "newmark": lambda: mfem.NewmarkSolver(),
}


class Oscillator(mfem.SecondOrderTimeDependentOperator):
    """u'' = f(t, u, v)."""

    def __init__(self, f):
        mfem.SecondOrderTimeDependentOperator.__init__(self, 1, 0.0)
        self.f = f

    def Mult(self, u, v, a):
        a[0] = self.f(self.GetTime(), u[0], v[0])

    def ImplicitSolve(self, factor_u, factor_v, u, v, a):
        """a = f(t, u + factor_u a, v + factor_v a) by Newton's method."""
        t, x = self.GetTime(), 0.0
        for _ in range(50):
            position = u[0] + factor_u * x
            defect = x - self.f(t, position, v[0] + factor_v * x)
            correction = defect / (1 + math.cos(position) * factor_u + factor_v / 10)
            x -= correction
            if abs(correction) < 1e-16:
                break
        a[0] = x


def run(make, problem, n):
    solver, operator = make(), Oscillator(ACCELERATIONS[problem])
    u, v = mfem.Vector([START[0]]), mfem.Vector([START[1]])
    solver.Init(operator)
    t = 0.0
    for _ in range(n):
        t, _ = solver.Step(u, v, t, 1 / n)
    return u[0], v[0]


VERSION = f"mfem 4.10.0, PyMFEM {importlib.metadata.version('mfem')}"
for name, make in SOLVERS.items():
    write_table(f"mfem-{name}-with-time", lambda n: run(make, "with-time", n), solution("with-time"), VERSION)
write_table(
    "mfem-generalized-alpha-0.5-autonomous",
    lambda n: run(SOLVERS["generalized-alpha-0.5"], "autonomous", n),
    solution("autonomous"),
    VERSION,
)
