"""The pendulum of the registry by functions of numpy."""

import numpy as np

import daelab


def forces(t, q, v):
    return np.array([0.0, -9.81])


def length(t, q):
    return np.array([(q[0] ** 2 + q[1] ** 2 - 1) / 2])


def length_by_q(t, q):
    return q[np.newaxis, :]


def gamma(t, q, v):
    return np.array([-(v @ v)])


def energy(t, q, v):
    return (v @ v) / 2, 9.81 * q[1]


def pendulum(**changes):
    given = {
        "mass": np.eye(2),
        "forces": forces,
        "constraints": length,
        "energy": energy,
        "q0": [-1, 0],
        "end_time": 10,
        "coordinates": ["x", "y"],
    }
    return daelab.Problem.from_functions(**{"name": "my-pendulum", **given, **changes})
