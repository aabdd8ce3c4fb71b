"""Equations of a certificate: from texts to expressions, and to the equations that check_certificate.py integrates."""
import collections
import functools
import math
import operator
import re
import sys

from flint import acb, arb, arb_mat, fmpq

sys.setrecursionlimit(100000)
RULES = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}


class BadFile(Exception):
    """The file is no certificate, or has equations that are refused."""


class NotProved(Exception):
    """A statement of the certificate does not follow."""


class TooLong(Exception):
    """A step cannot be proved in one piece."""


def exact(text):
    found = re.fullmatch(r"([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d{1,4}))?", str(text).strip())
    if not found or not found[2] + found[3]:
        raise BadFile(f"'{text}' is no decimal number")
    return fmpq(int(found[1] + found[2] + found[3])) * fmpq(10) ** (int(found[4] or 0) - len(found[3]))


class Node:
    """An expression; equal ones are one object. It is late if it depends on w."""

    def __init__(self, operation, a, b):
        self.operation, self.a, self.b, self.value = operation, a, b, a if operation == "number" else None
        self.operands = [n for n in (a, b) if isinstance(n, Node)]
        self.late, self.again = b is True or any(n.late for n in self.operands), False
        if operation not in "+-" and not any(n.value is not None for n in self.operands):
            for n in self.operands:
                n.mark()

    def mark(self):
        """What is late and not only added to others is computed again when the coefficient of w is known."""
        if self.late and not self.again:
            self.again = True
            for n in self.operands:
                n.mark()

    def __pow__(self, exponent):
        n = exponent.value
        if n is None or n.q > 2 or abs(n) > 1000:
            return exp(exponent * log(self))
        power = math.prod([self if n.q == 1 else sqrt(self)] * int(abs(n.p)), start=number(1))
        return power if n >= 0 else 1 / power

    @functools.cached_property
    def outer(self):
        """The derivative of a function by its argument."""
        a = self.a
        return {"sqrt": lambda: 1 / (2 * self), "exp": lambda: self, "log": lambda: 1 / a, "sign": lambda: number(0),
                "sin": lambda: cos(a), "cos": lambda: -sin(a), "atan": lambda: 1 / (1 + a * a),
                "asin": lambda: 1 / sqrt(1 - a * a)}[self.operation]()

    @functools.cache
    def by(self, x):
        """The derivative by a variable."""
        if not isinstance(self.a, Node):
            return number(int(self is x))
        da, db = self.a.by(x), self.b.by(x) if self.b else 0
        return {"+": lambda: da + db, "-": lambda: da - db, "*": lambda: da * self.b + self.a * db,
                "/": lambda: (da - self * db) / self.b}.get(self.operation, lambda: self.outer * da)()

    def term(self, k, known):
        """Coefficient k of its power series; `known` begins with those of the variables."""
        c = known.get(self)
        if c is None:
            c = known[self] = []
        while len(c) <= k:
            for n in self.operands:
                n.term(len(c), known)
            c.append(self.next(len(c), c, known))
        return c[k]

    def next(self, k, c, known):
        if not isinstance(self.a, Node):
            return arb(0) if k else arb.pi() if self.operation == "pi" else arb(self.a)
        a = known[self.a]
        if not self.b and not k:
            return value_of(self.operation, a[0])
        b = known[self.b] if self.b else None
        if self.operation in "+-" or not k:
            return RULES[self.operation](a[k], b[k])
        if self.operation == "*":
            return a[0] * b[k] if self.a.value is not None else sum(map(operator.mul, a[:k + 1], b[k::-1]))
        if self.operation == "/":
            return (a[k] - sum(map(operator.mul, c, b[k:0:-1]))) / b[0]
        self.outer.term(k - 1, known)
        return sum(map(operator.mul, map(operator.mul, range(1, k + 1), a[1:]), known[self.outer][k - 1::-1])) / k


@functools.cache
def node(operation, a=None, b=None):
    return Node(operation, a, b)


def number(value):
    return node("number", exact(value) if isinstance(value, str) else fmpq(value))


def binary(operation, swapped=False):
    def combined(a, b):
        a, b = (n if isinstance(n, Node) else number(n) for n in ((b, a) if swapped else (a, b)))
        p, q = a.value, b.value
        if p is not None and q is not None and (operation != "/" or q != 0):
            return number(RULES[operation](p, q))
        if operation in "*/" and p == 0 or operation == "*" and q == 0:
            return number(0)
        if operation in "+-" and q == 0 or operation in "*/" and q == 1:
            return a
        if operation == "+" and p == 0 or operation == "*" and p == 1:
            return b
        if operation == "/" and q is not None and q != 0:
            return number(1 / q) * a
        return node(operation, *((b, a) if operation == "*" and q is not None else (a, b)))
    return combined


for key, name in zip("+-*/", ("add", "sub", "mul", "truediv")):
    setattr(Node, f"__{name}__", binary(key))
    setattr(Node, f"__r{name}__", binary(key, True))
Node.__neg__, Node.__pos__, Node.__abs__ = lambda a: 0 - a, lambda a: a, lambda a: a * sign(a)
Truth = collections.namedtuple("Truth", "one")  # 1 or 0; it has no value where both sides may be equal
Node.__lt__ = Node.__le__ = lambda a, b: Truth((1 + sign(b - a)) / 2)
NAMES = "sqrt exp log sin cos asin atan sign".split()
sqrt, exp, log, sin, cos, asin, atan, sign = (functools.partial(node, name) for name in NAMES)
FUNCTIONS = dict(zip(NAMES, (sqrt, exp, log, sin, cos, asin, atan, sign))) | {
    "pi": node("pi"), "acos": lambda a: node("pi") / 2 - asin(a), "tan": lambda a: sin(a) / cos(a), "abs": abs,
    "sinh": lambda a: (exp(a) - exp(-a)) / 2, "cosh": lambda a: (exp(a) + exp(-a)) / 2,
    "tanh": lambda a: 1 - 2 / (exp(a + a) + 1), "atan2": lambda y, x: 2 * atan(y / (sqrt(x * x + y * y) + x)),
    "select": lambda holds, a, b: holds.one * a + (1 - holds.one) * b,
    "min": lambda a, b: (a + b - abs(a - b)) / 2, "max": lambda a, b: (a + b + abs(a - b)) / 2}


def value_of(name, x):
    """Its value; TooLong if a complex ball comes to the edge of a branch."""
    ball, real = isinstance(x, acb), x.real if isinstance(x, acb) else x
    if name == "sign" and (real > 0 or real < 0):
        return arb(1 if real > 0 else -1)
    if name == "sign" or ball and not {"sqrt": real > 0, "log": real > 0, "asin": abs(x) < 1}.get(name, True) or \
            ball and name == "atan" and not abs(x.imag) < 1 and real.contains(0):
        raise TooLong(f"{name} comes to the edge of its branch")
    return getattr(x, name)()


def values_of(outputs, variables=(), values=()):
    known = {x: [value] for x, value in zip(variables, values)}
    return [n.term(0, known) for n in outputs]


def parse(text, names):
    """The Node of a text, which is made Python: numbers are exact, and names are replaced by n1, n2 ..."""
    space = {"__builtins__": {}, "number": number}

    def token(found):
        if found[2] and found[2] not in names and found[2] not in FUNCTIONS:
            raise BadFile(f"'{text}': {found[2]} is no variable and no analytic function: {' '.join(FUNCTIONS)}")
        name = f"n{len(space)}"
        space.update({name: names.get(found[2], FUNCTIONS.get(found[2]))} if found[2] else {})
        return "**" if found[3] else f"number('{found[1]}')" if found[1] else name
    plain = re.sub(r"((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|([^\W\d]\w*'*)|(\^)", token, str(text)).strip()
    try:
        if re.search(r"[^\w\s.,()'*/+<>=-]|[^<>]=", plain):
            raise SyntaxError("a character has no meaning")
        return eval(plain, space) + 0
    except (SyntaxError, TypeError, AttributeError, ValueError) as error:
        raise BadFile(f"'{text}' cannot be read: {error}") from None


class System:
    """The equations: z = (x, w), 0 = R(t,z), and x[i]' = z[rate[i]]."""

    def __init__(self, said, given):
        q, states, count = said.get("coordinates", []), said.get("states", []), int(said.get("algebraic", 0))
        n, ns, rows = len(q), len(states) - count, len(said.get("constraints", []) + said.get("nonholonomic", []))
        self.used, self.n, self.nx, self.count = said.get("independent", list(range(rows))), n, 2 * n + ns, count
        self.names, m = q + [name + "'" for name in q] + states[:ns], len(self.used)
        self.nw = n + m + len(states)
        self.t, *z = [node("variable", i, i > self.nx) for i in range(1 + self.nx + self.nw)]
        x, w = z[:self.nx], z[self.nx:]
        self.z, v, a, slopes, y = z, x[n:2 * n], w[:n], w[n + m:][:ns], w[self.nw - count:]
        self.rate = [i for i, b in enumerate(z) if b in v + a + slopes]
        names = dict(zip([said.get("t", "t"), *self.names, *states[ns:]], [self.t, *x, *y]))
        for name, text in said.get("definitions", []):
            names[name] = parse(text, names)

        def texts(key):
            return [parse(text, names) for text in said.get(key, [])]

        def total(c):  # the derivative by time along the motion
            return c.by(self.t) + sum(c.by(b) * z[k] for b, k in zip(x, self.rate))
        force, rates, mass = texts("forces"), texts("rates"), said.get("rates_mass") or []
        self.levels = [[c, total(c)] for c in texts("constraints")] + [[c] for c in texts("nonholonomic")]
        last = [self.levels[k][-1] for k in self.used]
        self.R = [sum(b * c.by(u) for b, c in zip(w[n:], last)) - f for u, f in zip(v, force)] + list(map(total, last))
        self.R += [-f if mass else s - f for s, f in zip(slopes, rates)]
        for r, c, text in said.get("mass", []):
            self.R[r] += parse(text, names) * a[c]
            self.R[c] += parse(text, names) * a[r] if r != c else 0
        for r, c, text in mass:
            self.R[n + m + r] += parse(text, names) * slopes[c]
        for c in rates[ns:]:  # of a higher index if no algebraic state is in it
            while all(c.by(b).value == 0 for b in y + slopes):
                if c.value is not None:
                    raise BadFile("an algebraic equation determines no algebraic state")
                self.levels.append([c])
                c = c.by(self.t) + sum(c.by(b) * f for b, f in zip(x, slopes if mass else rates))
            self.R.append(c)
        self.hidden = self.levels[rows:]
        first = {key: [parse(text, {}) for text in given.get(key, [])] for key in "qvs"}
        self.given, guess = first["q"] + first["v"] + first["s"][:ns], first["s"][ns:] or [number(0)] * count
        if not (len(rates) == len(states) and len(force) == n and len(self.given) == self.nx and len(guess) == count):
            raise BadFile("numbers of coordinates and forces, states and rates or start values differ")
        self.guess = [arb(0)] * (self.nw - count) + values_of(guess)
        slopes = [(i, j, r.by(b)) for i, r in enumerate(self.R) for j, b in enumerate(z) if r.by(b).value != 0]
        self.order, left = [], list(reversed(self.R))  # operands come before their users
        while left:
            n = left.pop()
            later = [m for m in n.operands if m not in self.order]
            left += [n, *later] if later else []
            self.order += [n] if not later and n not in self.order else []
        self.places, self.slopes = [(i, j) for i, j, _ in slopes], [d for _, _, d in slopes]
        for n in self.slopes + [n.outer for n in self.order if n.a in n.operands and not n.b]:
            n.mark()

    def matrix(self, values):
        """R_z, or bounds of its errors, from its entries."""
        found = arb_mat(self.nw, len(self.z))
        for place, value in zip(self.places, values):
            found[place] = value
        return found
