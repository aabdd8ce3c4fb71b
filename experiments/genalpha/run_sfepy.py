#!/usr/bin/env python3
"""Errors of sfepy's GeneralizedAlphaTS: run_sfepy.py. Its own step() solves a problem of one unknown."""

import copy
import importlib.metadata
import math

import numpy
from sfepy.base.base import output
from sfepy.base.conf import Struct
from sfepy.solvers.ts import TimeStepper
from sfepy.solvers.ts_solvers import GeneralizedAlphaTS

from problems import ACCELERATIONS, START, solution, write_table

output.set_output(quiet=True)


class Newton:
    """The nonlinear solver of a step: functions of (u, v, a) side by side, until round-off."""

    def __init__(self, stepper, problem):
        self.stepper, self.f = stepper, ACCELERATIONS[problem]

    def fun(self, x):
        u, v, a = x
        return numpy.array([-self.f(self.stepper.time, u, v), 0.0, a])

    def fun_grad(self, x):
        return numpy.diag([math.cos(x[0]), 0.1, 1.0])

    def copy(self):
        return copy.copy(self)

    def __call__(self, x):
        for _ in range(30):
            correction = numpy.linalg.solve(numpy.atleast_2d(self.fun_grad(x)), self.fun(x))
            x = x - correction
            if abs(correction).max() < 1e-16:
                break
        return x


def run(problem, rho, n):
    stepper = TimeStepper(0.0, 1.0, n_step=n + 1)
    solver = GeneralizedAlphaTS(
        Struct(
            name="one",
            kind="ts.generalized_alpha",
            rho_inf=rho,
            t0=0.0,
            t1=1.0,
            n_step=n + 1,
            is_linear=False,
            verbose=0,
        )
    )
    newton = Newton(stepper, problem)
    state = numpy.array([*START, ACCELERATIONS[problem](0, *START)])
    unpack = lambda x: (x[:1], x[1:2], x[2:])  # noqa: E731
    pack = lambda *parts: numpy.concatenate(parts)  # noqa: E731
    for _ in range(n):
        stepper.advance()
        state = solver.step(stepper, state, newton, pack, unpack)
    return state[0], state[1]


for problem in ("autonomous", "with-time"):
    write_table(
        f"sfepy-0.5-{problem}",
        lambda n: run(problem, 0.5, n),
        solution(problem),
        f"sfepy {importlib.metadata.version('sfepy')}",
    )
