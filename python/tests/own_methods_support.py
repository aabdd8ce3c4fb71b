"""Methods that the tests write in Python."""

import numpy as np

import daelab


class OwnRk4:
    """The classical method of order 4, for whatever has a rate."""

    order = 4

    def step(self, system, state, h):
        t, y = state.t, state.y
        k1 = state.ydot
        k2 = system.rate(t + h / 2, y + h / 2 * k1)
        k3 = system.rate(t + h / 2, y + h / 2 * k2)
        k4 = system.rate(t + h, y + h * k3)
        return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


class OwnHeun:
    """Heun's method of a mechanism, weighted."""

    order = 2
    formulations = ("index-1", "baumgarte", "projected")

    def __init__(self, weight=0.5):
        self.weight = weight

    def step(self, system, state, h):
        t, q, v, b = state.t, state.q, state.v, self.weight
        a, _ = system.accelerations(t, q, v)
        next_a, _ = system.accelerations(t + h, q + h * v, v + h * a)
        return q + h * ((1 - b) * v + b * (v + h * a)), v + h * ((1 - b) * a + b * next_a)


class OwnPair:
    """Euler's method, whose error Heun's estimates; goes on with Heun's."""

    order = 2
    error_order = 1

    def step(self, system, state, h):
        euler = state.y + h * state.ydot
        difference = h / 2 * (system.rate(state.t + h, euler) - state.ydot)
        return euler + difference, difference[: system.differential]


class OwnAdamsBashforth:
    """Two steps, started by Euler's method."""

    order = 2

    def memory_size(self, system):
        return system.size

    def step(self, system, state, h):
        if state.memory is None:
            slope = state.ydot
        else:
            ratio = h / state.memory_step / 2
            slope = (1 + ratio) * state.ydot - ratio * state.memory
        return {"y": state.y + h * slope, "memory": state.ydot}


class OwnImplicitEuler:
    """Newton's method on the residual, for any form of the equations."""

    order = 1

    def step(self, system, state, h):
        t, y, ydot, k = state.t + h, state.y.copy(), state.ydot.copy(), system.differential
        for _ in range(10):
            y[:k] = state.y[:k] + h * ydot[:k]
            F = system.residual(t, y, ydot)
            F_y, F_ydot = system.jacobians(t, y, ydot)
            change = np.linalg.solve(np.hstack([F_ydot[:, :k] + h * F_y[:, :k], F_y[:, k:]]), -F)
            ydot[:k] += change[:k]
            y[k:] += change[k:]
            if np.max(np.abs(change)) < 1e-7:  # the next change would be round-off: convergence is quadratic
                y[:k] = state.y[:k] + h * ydot[:k]
                return {"y": y, "ydot": ydot}
        raise daelab.StepFailed("newton-diverged", "10 iterations were not enough")
