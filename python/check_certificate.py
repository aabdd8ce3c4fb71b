#!/usr/bin/env python3
"""Proves or refutes a certificate of `daelab certify`: an enclosure of the exact motion of the equations in it.

It shares no code with daelab and needs only python-flint. certificate_equations.py reads the equations
as text and derives 0 = R(t,x,w), R_w regular, for w = (accelerations, multipliers, rates, algebraic states), where x'
is a part of z = (x,w). This file proves that each listed set is mapped into the next one. In a step,
tau = (t - t0)/h goes from 0 to 1:
 1. Power series of z about the centre, cut after N terms, are the polynomials p. Nothing of them needs a proof.
 2. R(p) is a series in balls; its terms from N on are at most S/rho^k, if S bounds R on complex balls that hold p for
    |tau| <= rho (Cauchy).
 3. R_z along p likewise. At p + e it differs by at most 2 S/Z, if p + Z e is in those balls for tau <= 1 (Schwarz).
 4. Polynomials J nearly solve the linearised equations, J(0) = 1. For a motion from p(0) + e, eta = z - p - J e obeys
    |eta_x|' <= M |eta_x| + b, where b bounds what is left of the equations, so |eta_x| <= exp(M) b. While the tube
    J e + eta is smaller than what 3 allows, the motion cannot leave it.
"""
import argparse
import hashlib
import json
import math
import sys
import time
from collections import namedtuple

from flint import acb, arb, arb_mat, ctx, fmpq

from certificate_equations import BadFile, NotProved, System, TooLong, exact, values_of

UP = 1 + 1e-9  # covers the rounding of sums of non-negative doubles
Set = namedtuple("Set", "centre frame radii box w")  # centre + frame [-radii, radii] + [-box, box]; balls of w there


def up(value):
    return float(value.abs_upper()) * UP + 1e-300


def norm(terms):
    return sum(map(up, terms)) * UP


def column(values):
    return arb_mat(len(values), 1, list(values))


def moduli(matrix):
    return arb_mat(matrix.nrows(), matrix.ncols(), [v.abs_upper() for v in matrix.entries()])


def block(matrix, first, last):
    """Columns of a matrix."""
    return arb_mat(matrix.nrows(), last - first, [c for row in matrix.tolist() for c in row[first:last]])


def one(n):
    return arb_mat(n, n, [arb(i == j) for i in range(n) for j in range(n)])


def inverse_of(matrix, error):
    try:
        return matrix.inv()
    except ZeroDivisionError:
        raise error from None


class Flow:
    """Images of sets under the flow."""

    def __init__(self, system, terms, bits):
        self.s, self.terms, self.low, self.bits, self.rho, self.w = system, terms, 24, bits, 4.0, system.guess

    def at_start(self, t, x):
        """w at a point, without a proof, and the inverse of R_w there."""
        s, w = self.s, self.w
        for _ in range(9):
            values = values_of(s.R + s.slopes, [s.t, *s.z], [t, *x, *w])
            inverse = inverse_of(block(s.matrix(values[s.nw:]), s.nx, len(s.z)).mid(), NotProved(
                "the equations do not determine accelerations, multipliers or rates")).mid()
            w = [(a - b).mid() for a, b in zip(w, (inverse * column(values[:s.nw])).entries())]
        return w, inverse

    def expand(self, start, inverse, slope, known, h):
        """The series of z from the start, as exact numbers; also into `known`. And what is left of R, as a bound."""
        s, late, left = self.s, self.s.z[self.s.nx:], arb_mat(self.s.nw, 1)
        known.update((x, [c]) for x, c in zip(s.z, start))
        known.update((n, []) for n in s.order if n not in known)
        order = [(n, known[n]) for n in s.order if n not in s.z and n is not s.t]
        for k in range(self.terms):
            ctx.prec = max(64, self.bits - int(k * math.log2(self.rho)))  # later terms are smaller
            if k:
                new = [(h * known[s.z[j]][-1] / k).mid() for j in s.rate] + [arb(0)] * s.nw
                for x, c in zip(s.z, new):
                    known[x].append(c)
            for n, c in order:
                while len(c) <= k:
                    c.append(n.next(len(c), c, known))
            wrong = column([known[r][k] for r in s.R])
            for x, r in zip(late, (inverse * wrong).entries()):
                known[x][k] = (known[x][k] - r).mid()
            if k:  # R_w at tau = 0 times the change is the change of R
                wrong += slope * column([known[x][k] for x in late])
            else:
                wrong = column(values_of(s.R, [s.t, *s.z], [known[x][0] for x in (s.t, *s.z)]))
            left += moduli(wrong)
            for n, c in known.items():
                if n.again and n.operands:
                    del c[k:]
        ctx.prec = self.bits
        return [known[x] for x in s.z], left

    def linearised(self, K, inverse, h):
        """J from 1; bounds of J and of what is left of K J and of h J[rate] - J[x]'. K is the series of R_z."""
        nx, low, zero = self.s.nx, len(K), arb_mat(self.s.nw, self.s.nx)
        J, left, rates = [arb_mat(one(nx).tolist() + zero.tolist())], zero, arb_mat(nx, nx)
        for k in range(low):
            wrong = sum((K[j] * J[k - j] for j in range(k + 1)), zero)
            change = (inverse * wrong).mid()
            left += moduli(wrong - block(K[0], nx, len(self.s.z)) * change)
            J[k] = arb_mat(J[k].tolist()[:nx] + (-change).tolist())
            new = h * arb_mat([J[k].tolist()[j] for j in self.s.rate]) / (k + 1)
            J.append(arb_mat((new.mid() * int(k + 1 < low)).tolist() + zero.tolist()))
            rates += (k + 1) * moduli(new - arb_mat(J[k + 1].tolist()[:nx]))
        high, sizes = 0 * J[0], list(map(moduli, J))
        for k in range(low):  # products of terms that are cut
            left, high = left + moduli(K[k]) * high, high + sizes[low - 1 - k]
        return J, high, left, rates

    def disc(self, outputs, t, h, z, rho):
        """Radii of balls that hold z(tau) for |tau| <= rho, and bounds of the values of expressions there."""
        radii = [sum(up(a) * rho ** k for k, a in enumerate(c) if k) * UP + 1e-10 * (1e-10 + up(c[0])) for c in z]
        ctx.prec, late = 64, rho * up(h) * UP
        balls = [acb(arb(t, late), arb(0, late))] + [acb(arb(c[0], r), arb(0, r)) for c, r in zip(z, radii)]
        values = [up(abs(v)) for v in values_of(outputs, [self.s.t, *self.s.z], balls)]
        if not all(map(math.isfinite, values)):
            raise TooLong("a denominator may be zero")
        return radii, values

    def best_rho(self, t, h, z):
        """The radius for which the bound of the terms that are left out is about the least."""
        found = []
        for rho in [r for r in (self.rho * 1.2 ** k for k in (-8, -4, -1, 0, 1)) if 1.2 < r < 14]:
            try:
                S = self.disc(self.s.R, t, h, z, rho)[1]
                found.append((sum(map(math.log, S)) / self.s.nw - self.terms * math.log(rho), rho))
            except TooLong as reason:
                if not found:
                    raise reason
        return min(found)[1]

    def image(self, points, t, h):
        s, nx, nw, low, ctx.prec = self.s, self.s.nx, self.s.nw, min(self.low, self.terms), self.bits
        w, inverse = self.at_start(t, points.centre)
        known = {s.t: [t, h] + [arb(0)] * self.terms}
        slope = block(s.matrix(values_of(s.slopes, [s.t, *s.z], [t, *points.centre, *w])), nx, nx + nw)
        z, left = self.expand([*points.centre, *w], inverse, slope, known, h)
        rates = column([norm(h * a - k * b for k, (a, b) in enumerate(zip(z[j], [*z[i][1:], arb(0)]), 1))
                        for i, j in enumerate(s.rate)])
        rho = self.best_rho(t, h, z)
        radii, S = self.disc(s.R + s.slopes, t, h, z, rho)
        self.rho, cut = rho, 1 / (1 - 1 / rho) * UP
        rest = left + column([b * rho ** -self.terms * cut for b in S[:nw]])
        # J, and room / Z for the tube
        ctx.prec = 80
        K = [s.matrix([d.term(k, known) for d in s.slopes]) for k in range(low)]
        J, size, left, more = self.linearised(K, inverse, h)
        far = moduli(points.frame) * column(points.radii) + column(points.box)
        room = [(r - norm(c[1:])) / UP for r, c in zip(radii, z)]
        Z = min([1e25] + [r / (4 * up(e)) for r, e in zip(room, (size * far).entries())])
        # What is left of the linearised equations; bounds of inverse R_x and inverse R_w - 1
        errors = s.matrix([b * (rho ** -low * cut + 2 / Z) * UP for b in S[nw:]])
        rates, rest = rates + more * far, rest + (left + errors * size) * far
        K = [inverse * c for c in K]
        K_x, K_w = (sum((moduli(block(c, *ends)) for c in K[1:]), moduli(block(K[0], *ends) - less) + block(
            moduli(inverse) * errors, *ends)) for ends, less in (((0, nx), arb_mat(nw, nx)), ((nx, nx + nw), one(nw))))
        eta = self.gronwall(h, rates, moduli(inverse) * rest, K_x, K_w)
        if not all(a + b < r / Z for a, b, r in zip((size * far).entries(), eta, room)):
            raise TooLong("the motion may leave the tube")
        if points.w and not all(abs(a - c[0]) < r / Z for a, c, r in zip(points.w, z[nx:], room[nx:])):
            raise TooLong("another branch of algebraic states")
        ctx.prec = self.bits
        ends = [sum(c, arb(0)) for c in z]
        ctx.prec = 128
        end = sum(J, 0 * J[0])
        frame = end * points.frame
        box = [a + b + c.rad() for a, b, c in zip((moduli(end) * column(points.box)).entries(), eta, ends)]
        reach, self.w = (moduli(frame) * column(points.radii)).entries(), [c.mid() for c in ends[nx:]]
        return Set([c.mid() for c in ends[:nx]], arb_mat(frame.tolist()[:nx]), points.radii, box[:nx],
                   [arb(c.mid(), a + b) for c, a, b in zip(ends[nx:], reach[nx:], box[nx:])])

    def gronwall(self, h, rates, rest, K_x, K_w):
        """The bound of eta."""
        nx, nw = self.s.nx, self.s.nw
        inverse = moduli(inverse_of(one(nw) - K_w, TooLong("R_w changes too much")))
        u = moduli(inverse * column([1] * nw))
        if not all(a < b for a, b in zip((K_w * u).entries(), u.entries())):  # or (1 - K_w)^-1 is no sum of powers
            raise TooLong("R_w changes too much")
        K_x, rest = inverse * K_x, (arb_mat(nx, 1).tolist() + (inverse * rest).tolist())
        whole = one(nx).tolist() + K_x.tolist()
        M, b = (up(h) * arb_mat([rows[k] for k in self.s.rate]) for rows in (whole, rest))
        eta = M.exp() * (rates + b)
        return moduli(eta).entries() + moduli(arb_mat(rest[nx:]) + K_x * eta).entries() if nw else moduli(eta).entries()

    def advance(self, points, t, h, depth=0):
        """The image, in two halves if it is not proved at once or depth < 0."""
        try:
            if depth >= 0:
                return self.image(points, t, h)
        except TooLong as reason:
            if depth > 9:
                raise NotProved(f"no step is short enough: {reason}") from None
        self.rho, ctx.prec = min(12.0, max(2 * self.rho, 2.0)), self.bits
        middle, half = t + h / 2, h / 2
        return self.advance(self.advance(points, t, half, depth + 1), middle, half, depth + 1)


class Certificate:
    def __init__(self, path):
        with open(path, encoding="utf-8") as source:
            file = self.file = json.load(source)
        if file["certificate"] != "daelab enclosure 1":
            raise BadFile("'certificate' is not 'daelab enclosure 1'")
        s = self.s = System(file["equations"], file["start"]["given"])
        self.end, self.bits, self.w = file["end"], int(file["precision"]) + 64, ()
        self.flow = Flow(s, int(file["order"]) + 10, self.bits)
        self.times = [exact(step["t"]) for step in file["steps"]]
        unit = [[int(i == j) for i in range(s.nx)] for j in range(s.nx)]
        self.sets = [(*[[exact(c) for c in step[key]] for key in ("centre", "radii")],
                      [[exact(c) for c in row] for row in step.get("frame") or unit]) for step in file["steps"]]
        if len(self.sets) < 2 or any(len(part) != s.nx for c, r, rows in self.sets for part in (c, r, rows, *rows)):
            raise BadFile(f"two steps with {s.nx} components at least are needed")
        if any(r < 0 for _, radii, _ in self.sets for r in radii):
            raise BadFile("a radius is negative")

    def hash(self):
        rest = {key: value for key, value in self.file.items() if key != "sha256"}
        text = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        if hashlib.sha256(text.encode()).hexdigest() != self.file.get("sha256"):
            raise NotProved("the file was changed after its hash was made")
        return "it is that of the file"

    def start(self):
        """The consistent start, of unknowns that are not fixed by Krawczyk's operator."""
        s, start, t, variables = self.s, self.file["start"], self.times[0], [self.s.t, *self.s.z]
        ctx.prec, fixed, box = self.bits + 64, start.get("fixed", []), start["enclosure"]
        free = [k for k, name in enumerate(s.names) if name not in fixed]
        rows = [s.levels[k][0] for k in s.used if len(s.levels[k]) == 2 and any(u < s.n for u in free)]
        rows += [s.levels[k][-1] for k in s.used if any(s.n <= u < 2 * s.n for u in free)]
        rows += [c for c, in s.hidden if any(u >= 2 * s.n for u in free)]
        if not fixed and len(rows) < len(free):  # all values are consistent as they are
            rows, free = [], []
        if len(rows) != len(free) or set(fixed) - set(s.names) or exact(start["t"]) != t:
            raise NotProved(f"{len(rows)} constraints for {len(free)} unknowns, or another time, or unknown names")
        x = [arb(arb(exact(c)), 1e-20 * (1 + up(a))) if k in free else a
             for k, (a, c) in enumerate(zip(values_of(s.given), box["centre"]))]
        for turn in range(4 if free else 0):
            values = values_of([r.by(s.z[u]) for r in rows for u in free], variables, [arb(t), *x])
            slopes = arb_mat(len(free), len(free), values)
            middle = [c.mid() if k in free else c for k, c in enumerate(x)]
            inverse = inverse_of(slopes.mid(), NotProved("the constraints do not determine what is not fixed")).mid()
            step = inverse * column(values_of(rows, variables, [arb(t), *middle]))
            step -= (one(len(free)) - inverse * slopes) * column([x[u] - middle[u] for u in free])
            for u, c in zip(free, step.entries()):
                if turn == 0 and not x[u].contains_interior(middle[u] - c):
                    raise NotProved(f"no consistent {s.names[u]} is proved near the enclosure")
                x[u] = middle[u] - c
        count = self.keep_constraints(t, x)

        def shift(k, centre):  # without rounding if the text is a rational number
            return x[k] - arb(centre) if s.given[k].value is None or k in free else arb(s.given[k].value - centre)
        for k, (c, r) in enumerate(zip(box["centre"], box["radii"])):
            if not (abs(shift(k, exact(c))) <= arb(exact(r)) or shift(k, exact(c)).is_zero()):
                raise NotProved(f"{s.names[k]} is not inside the enclosure")
        nothing, more = [arb(0)] * s.nx, len(s.levels) - len(s.used)
        point = Set((), 0 * one(s.nx), nothing, nothing, ())
        self.inside([shift(k, c) for k, c in enumerate(self.sets[0][0])], point, 0)
        far = max([up(x[k] - c) for k, c in enumerate(values_of(s.given)) if k in free], default=0)
        return (f"{len(free)} unknowns by interval Newton, at most {far:.1g} from the given ones; "
                f"{count} constraints hold{f', {more} of them taken as redundant or hidden' if more else ''}")

    def inside(self, shift, points, i):
        """Raises NotProved if a Set, whose centre is `shift` from that of set i, is not in set i."""
        ctx.prec, (_, radii, frame) = 128, self.sets[i]
        singular = NotProved(f"the frame of step {i} is singular")
        inverse = inverse_of(arb_mat([[arb(c) for c in row] for row in frame]), singular)
        need = moduli(inverse * column(shift)) + moduli(inverse * points.frame) * column(points.radii)
        own = moduli(inverse) * column(points.box)
        for name, a, b, r in zip(self.s.names, need.entries(), own.entries(), radii):
            if not ((a + b).is_zero() and r >= 0 or a + b <= arb(r)):
                raise NotProved(f"{name}: a radius of {float(a):.4g} is necessary, and {float(b):.1g} for bounds "
                                f"of this check; the file has {float(arb(r)):.4g}", a <= arb(r) + b)
        return max([float(b / arb(r)) for b, r in zip(own.entries(), radii) if r > 0], default=1.0)

    def step(self, i):
        """Proves that set i is mapped into set i + 1; again with more terms if bounds of this check are too coarse."""
        flow, guess, (centre, radii, frame) = self.flow, self.flow.w, self.sets[i]
        for attempt in range(6):
            ctx.prec = self.bits
            balls, t, h = [arb(c) for c in centre], arb(self.times[i]), arb(self.times[i + 1] - self.times[i])
            points = Set([c.mid() for c in balls], arb_mat([[arb(c) for c in row] for row in frame]),
                         [arb(r) for r in radii], [c.rad() for c in balls], self.w)
            flow.w = guess
            image = flow.advance(points, t, h, -(attempt // 2))
            ctx.prec = self.bits
            try:
                share = self.inside([a - arb(b) for a, b in zip(image.centre, self.sets[i + 1][0])], image, i + 1)
                if share < 1e-5:
                    flow.terms, flow.low = max(30, flow.terms - 2), max(12, flow.low - 1)
                self.w, ctx.prec = image.w, self.bits
                box = [arb(arb(c), arb(r)) for c, r in zip(self.sets[i + 1][0], self.reach(i + 1))]
                self.keep_constraints(self.times[i + 1], box)
                return
            except NotProved as reason:
                if attempt == 5 or reason.args[-1] is not True:
                    raise
                flow.terms, flow.low = min(250, flow.terms + 10), flow.low + 6

    def reach(self, i):
        """The radii of a box about set i."""
        _, radii, frame = self.sets[i]
        return [sum((abs(a) * r for a, r in zip(row, radii)), fmpq(0)) for row in frame]

    def keep_constraints(self, t, x):
        """Raises NotProved if a constraint, also a redundant one, is nowhere zero in a box; the number of constraints."""
        left = values_of([c for level in self.s.levels for c in level], [self.s.t, *self.s.z], [arb(t), *x])
        if not all(c.contains(0) for c in left):
            raise NotProved(f"a constraint is violated: {' '.join(c.str(3) for c in left)}")
        return len(left)

    def w_at_end(self):
        """Enclosures of w in the last set, in many digits for those that are zero."""
        s, (centre, radii, frame), ctx.prec = self.s, self.sets[-1], 1200
        t, middle, variables = arb(self.times[-1]), [arb(c) for c in centre], [s.t, *s.z]
        moved = arb_mat([[arb(c * r) for c, r in zip(row, radii)] for row in frame])
        x = [arb(c, arb(r)) for c, r in zip(middle, self.reach(-1))]
        w, inverse = self.flow.at_start(t, middle)
        values = [values_of(s.slopes, variables, [t, *x, *v]) for v in (w, [a.union(b) for a, b in zip(w, self.w)])]
        R_x, R_w = (inverse * block(s.matrix(v), *ends) for v, ends in zip(values, ((0, s.nx), (s.nx, len(s.z)))))
        spread = column([arb(0, c) for c in (moduli(R_x * moved) * column([1] * s.nx)).entries()])
        step = inverse * column(values_of(s.R, variables, [t, *middle, *w])) + spread
        step = inverse_of(R_w, NotProved("accelerations and multipliers are not determined")) * step
        return [a - b for a, b in zip(w, step.entries())]

    def hull(self):
        s, end, centre, w = self.s, self.end, self.sets[-1][0], self.w_at_end()
        lambdas = [dict(zip(s.used, w[s.n:])).get(k, arb(0)) for k in range(len(s.levels) - len(s.hidden))]
        parts = [("", s.names, end, 0, list(zip(centre, self.reach(-1))))]
        parts += [("algebraic state ", range(1, 1 + s.count), end, s.nx, [(c, None) for c in w[s.nw - s.count:]])]
        parts += [(key + " ", range(1, 1 + len(part)), end[key], 0, [(c, None) for c in part]) for key, part in
                  (("a", w[:s.n]), ("lambda", lambdas)) if part]
        for what, names, box, first, values in parts:
            if not len(box["centre"]) == len(box["radii"]) == len(values) + (s.nx if first else s.count * (box is end)):
                raise NotProved(f"{what or 'centre '}has another number of components")
            centres, radii = ([exact(c) for c in box[key][first:]] for key in ("centre", "radii"))
            for name, (c, r), middle, radius in zip(names, values, centres, radii):
                gap = abs(c - middle) if r is not None else abs(c - arb(middle))
                if not (gap + r <= radius if r is not None else gap <= arb(radius) or gap.is_zero()):
                    raise NotProved(f"{what}{name} is not inside its interval")
        if exact(end["t"]) != self.times[-1]:
            raise NotProved("its time is not that of the last step")
        if any(2 * exact(r) * fmpq(10) ** int(end["digits"]) > 1 for r in end["radii"]):
            raise NotProved(f"a radius is larger than 0.5E-{end['digits']}")
        return f"{end['digits']} decimals"


def check(path, wanted=":", say=print):
    """Says the verdict of each part; the exit code."""
    begin, proved = time.process_time(), True
    try:
        certificate = Certificate(path)
        count = len(certificate.sets) - 1
        first, last = (min(int(a or b), count) for a, b in zip(wanted.split(":"), (0, count)))
        steps = [(f"step {i} to {i + 1}", lambda i=i: certificate.step(i)) for i in range(first, last)]
        if first and certificate.s.count:
            raise BadFile("a sample of equations with algebraic states must begin at 0")
        parts = [("hash", certificate.hash), ("start", certificate.start), *steps, ("end", certificate.hull)]
        for name, part in parts[:None if first < last == count else -1]:
            try:
                verdict = part()
                say(f"{name}: proved, {verdict}") if verdict else None
            except (NotProved, TooLong) as reason:
                proved = False
                print(f"{name}: NOT PROVED, {reason.args[0]}")
                if name.startswith("step"):
                    break
    except (BadFile, OSError, KeyError, IndexError, TypeError, ValueError, AttributeError) as reason:
        kind = "" if isinstance(reason, BadFile) else type(reason).__name__ + " "
        print(f"bad file: {kind}{reason}", file=sys.stderr)
        return 2
    sample = "" if len(steps) == count else f"; this is A SAMPLE, {len(steps)} of {count} steps"
    say(f"{'proved' if proved else 'NOT PROVED'}, {time.process_time() - begin:.1f} s{sample}")
    return 0 if proved else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("file")
    parser.add_argument("--steps", default=":", help="only a sample: 0:10 are the first ten")
    parser.add_argument("--quiet", action="store_true", help="print only what is not proved")
    asked = parser.parse_args()
    sys.exit(check(asked.file, asked.steps, (lambda text: None) if asked.quiet else print))
