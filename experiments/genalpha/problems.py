"""Problems that the programs of this folder solve, their solutions, and tables of errors."""

import math
import pathlib

STEPS = (20, 40, 80, 160, 320, 640)  # per unit of time
START = (1.0, 0.3)  # u, v at t = 0

ACCELERATIONS = {
    "autonomous": lambda t, u, v: -math.sin(u) - v / 10,
    "with-time": lambda t, u, v: -math.sin(u) - v / 10 + math.cos(t) / 5,
    "linear": lambda t, u, v: -u - v / 10,
    "cubic": lambda t, u, v: -(u - u**3 / 6) - v / 10,
}


def solution(problem):
    """u and v at t = 1, to 13 digits."""
    f = ACCELERATIONS[problem]
    return integrated(lambda t, x: (x[1], f(t, *x)), START)


def integrated(slopes, start, steps=20000):
    """The solution at t = 1 of x' = slopes(t, x), by the classical Runge-Kutta method."""
    x, h = tuple(start), 1 / steps

    def moved(factor, slope):
        return tuple(a + factor * b for a, b in zip(x, slope))

    for n in range(steps):
        t = n * h
        k1 = slopes(t, x)
        k2 = slopes(t + h / 2, moved(h / 2, k1))
        k3 = slopes(t + h / 2, moved(h / 2, k2))
        k4 = slopes(t + h, moved(h, k3))
        x = moved(h / 6, [a + 2 * b + 2 * c + d for a, b, c, d in zip(k1, k2, k3, k4)])
    return x


def write_table(name, run, exact, versions, steps=STEPS, columns=("u", "v")):
    """The errors of run(number of steps) as results/<name>.csv, and the line of h = 1/160 on the screen.

    Args:
        name: of the file.
        run: takes the steps per unit of time, returns the values of the columns at the end.
        exact: these values of the solution.
        versions: what made the table, for its first line.
        steps: per unit of time.
        columns: names of the values.
    """
    lines = [f"# {versions}", ",".join(("h", *columns))]
    shown = ""
    for n in steps:
        errors = [abs(value - right) for value, right in zip(run(n), exact)]
        lines.append(",".join(f"{x:.10g}" for x in (1 / n, *errors)))
        if n == 160:
            shown = "  ".join(f"{x:.2e}" for x in errors)
    path = pathlib.Path(__file__).parent / "results" / f"{name}.csv"
    path.write_text("\n".join(lines) + "\n")
    print(f"{name:45} {shown}")
