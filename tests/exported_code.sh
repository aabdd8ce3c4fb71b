#!/usr/bin/env bash
# Problems as code of other languages are compiled or interpreted and integrated there by the classical Runge-Kutta method, to
# the end values that the code carries; residuals vanish on the solution. C always, others where they are.
# Run: exported_code.sh PROGRAM FOLDER
set -euo pipefail
program=$1 work=$2 root=$(cd "$(dirname "$0")/.." && pwd)
rm -rf "$work" && mkdir -p "$work" && cd "$work"

fail() {
  printf 'exported_code: %s\n' "$*" >&2
  exit 1
}
# near NAME ERROR, which the driver printed
near() {
  awk -v error="$2" 'BEGIN { exit !(error > 0 && error < 2e-6) }' || fail "$1: the end is $2 off the reference"
  printf '%s: %s\n' "$1" "$2"
}

cat >driver.c <<'END'
#include <stdio.h>
#include PROBLEM
enum { N = sizeof problem_start / sizeof *problem_start, steps = 8000 };
int main(void) {
  double y[N], k[4][N], x[N], largest = 0;
  const double h = (problem_t_end - problem_t_start) / steps;
  memcpy(y, problem_start, sizeof y);
  for (int s = 0; s < steps; ++s) {
    for (int stage = 0; stage < 4; ++stage) {
      const double c = stage == 0 ? 0 : stage == 3 ? 1 : 0.5;
      for (int i = 0; i < N; ++i) x[i] = y[i] + (stage ? c * h * k[stage - 1][i] : 0);
      if (rhs(problem_t_start + (s + c) * h, x, k[stage])) return 1;
    }
    for (int i = 0; i < N; ++i) y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
  }
  for (int i = 0; i < N; ++i)
    if (fabs(y[i] - problem_reference[i]) > largest) largest = fabs(y[i] - problem_reference[i]);
  printf("%.3e\n", largest);
#ifdef MECHANISM
  double a[problem_n], lambda[problem_m + 1], all[2 * problem_n + problem_m], slope[2 * problem_n + problem_m] = {0},
      r[2 * problem_n + problem_m];
  accelerations(problem_t_start, problem_start, problem_start + problem_n, a, lambda);
  memcpy(all, problem_start, sizeof problem_start), memcpy(all + 2 * problem_n, lambda, problem_m * sizeof *lambda);
  memcpy(slope, problem_start + problem_n, sizeof a), memcpy(slope + problem_n, a, sizeof a);
  for (int level = 0; level < 3; ++level) {
    residual(level, problem_t_start, all, slope, r);
    for (int i = 0; i < 2 * problem_n + problem_m; ++i)
      if (!(fabs(r[i]) < 1e-12)) return 2;
  }
  // row_derivatives() against central differences of J a + h.
  enum { n = problem_n, m = problem_m };
  double R[2][m * n], M[n * n], Q[n], J[m * n], rows[2][m];
  for (int i = 0; i < 2 * n; ++i) y[i] = problem_start[i] + 0.1 * (i + 1);  // off rest
  row_derivatives(problem_t_start, y, y + n, a, R[0], R[1]);
  for (int j = 0; j < 2 * n; ++j) {
    const double before = y[j], step = 1e-5;
    for (int side = 0; side < 2; ++side) {
      y[j] = side ? before + step : before - step;
      model(problem_t_start, y, y + n, M, Q, J, rows[side]);
      for (int k = 0; k < m; ++k)
        for (int i = 0; i < n; ++i) rows[side][k] += J[k * n + i] * a[i];
    }
    y[j] = before;
    for (int k = 0; k < m; ++k)
      if (!(fabs((rows[1][k] - rows[0][k]) / (2 * step) - R[j / n][k * n + j % n]) < 1e-7)) return 3;
  }
#endif
  return 0;
}
END
cat >driver.f90 <<'END'
program driver
  use PROBLEM
  implicit none
  integer, parameter :: steps = 8000, neq = size(start)
  double precision :: y(neq), k(neq, 4), h, rpar(1)
  integer :: s, ipar(1)
  y = start
  h = (t_end - t_start)/steps
  do s = 0, steps - 1
    call fcn(neq, t_start + s*h, y, k(:, 1), rpar, ipar)
    call fcn(neq, t_start + (s + 0.5d0)*h, y + h/2*k(:, 1), k(:, 2), rpar, ipar)
    call fcn(neq, t_start + (s + 0.5d0)*h, y + h/2*k(:, 2), k(:, 3), rpar, ipar)
    call fcn(neq, t_start + (s + 1)*h, y + h*k(:, 3), k(:, 4), rpar, ipar)
    y = y + h/6*(k(:, 1) + 2*k(:, 2) + 2*k(:, 3) + k(:, 4))
  end do
  print '(es10.3)', maxval(abs(y - reference))
end program driver
END
cat >rk4.py <<'END'
def rk4(p, steps):
    y, h = p.start.copy(), (p.t_end - p.t_start) / steps
    for s in range(steps):
        k1 = p.rhs(p.t_start + s * h, y)
        k2 = p.rhs(p.t_start + (s + 0.5) * h, y + h / 2 * k1)
        k3 = p.rhs(p.t_start + (s + 0.5) * h, y + h / 2 * k2)
        k4 = p.rhs(p.t_start + (s + 1) * h, y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return y
END
cat >driver.py <<'END'
import importlib, sys
import numpy as np
from rk4 import rk4
p = importlib.import_module(sys.argv[1])
y = rk4(p, 8000)
print("%.3e" % abs(y - p.reference).max())
if hasattr(p, "accelerations"):
    q, v = p.start[:p.n], p.start[p.n:]
    a, lam = p.accelerations(p.t_start, q, v)
    for level in range(3):
        assert abs(p.residual(level, p.t_start, np.concatenate([q, v, lam]), np.concatenate([v, a, 0 * lam]))).max() < 1e-12
END
cat >rk4.m <<'END'
function y = rk4(p, steps)
  y = p.start(:);
  h = (p.t_end - p.t_start)/steps;
  for s = 0:steps - 1
    k1 = p.rhs(p.t_start + s*h, y);
    k2 = p.rhs(p.t_start + (s + 0.5)*h, y + h/2*k1);
    k3 = p.rhs(p.t_start + (s + 0.5)*h, y + h/2*k2);
    k4 = p.rhs(p.t_start + (s + 1)*h, y + h*k3);
    y = y + h/6*(k1 + 2*k2 + 2*k3 + k4);
  end
end
END
cat >driver.m <<'END'
function driver(name)
  p = feval(name);
  y = rk4(p, 8000);
  printf('%.3e\n', max(abs(y - p.reference(:))));
end
END
cat >driver.jl <<'END'
include(ARGS[1])
function integrate()
    y, steps = copy(start), 8000
    h = (t_end - t_start)/steps
    f(t, y) = (dy = similar(y); rhs!(dy, y, nothing, t); dy)
    for s in 0:steps-1
        k1 = f(t_start + s*h, y)
        k2 = f(t_start + (s + 0.5)*h, y + h/2*k1)
        k3 = f(t_start + (s + 0.5)*h, y + h/2*k2)
        k4 = f(t_start + (s + 1)*h, y + h*k3)
        y += h/6*(k1 + 2k2 + 2k3 + k4)
    end
    println(maximum(abs.(y - reference)))
end
integrate()
END

for spec in pendulum two-link-manipulator:end_time=1 prothero-robinson:rate=-7,phi=exp; do
  name=${spec%%:*} && name=${name//-/_}
  for language in c:c fortran:f90 python:py matlab:m julia:jl; do
    "$program" show problem "$spec" --equations "${language%:*}" >"$name.${language#*:}" || fail "$spec, $language"
  done
  mechanism=-DMECHANISM && [[ $name != prothero_robinson ]] || mechanism=-DSTATES
  cc -std=c99 -Wall -Wextra -Werror -O1 "$mechanism" -DPROBLEM="\"$name.c\"" driver.c -o "$name.out" -lm || fail "$name.c"
  near "$spec, C" "$("./$name.out")"
  if command -v gfortran >/dev/null; then
    sed "s/PROBLEM/$name/" driver.f90 >"$name.driver.f90"
    gfortran -std=f2008 -O1 "$name.f90" "$name.driver.f90" -o "$name.fortran.out" || fail "$name.f90"
    near "$spec, Fortran" "$("./$name.fortran.out")"
  fi
  for python in python3 /usr/bin/python3; do
    "$python" -c 'import numpy' 2>/dev/null || continue
    near "$spec, Python" "$("$python" driver.py "$name")" && break
  done
  if command -v octave >/dev/null; then near "$spec, Octave" "$(octave --quiet --eval "driver('$name')")"; fi
  if command -v julia >/dev/null; then near "$spec, Julia" "$(julia driver.jl "$name.jl")"; fi
done

# A bead on a rod that turns, with Coulomb friction: forces depend on lambda and on an algebraic state, observables on both.
cat >bead.json <<'END'
{"name": "bead", "definitions": {"c": "cos(2*t)", "s": "sin(2*t)", "friction": "-sign(x'*c + y'*s)*N/2"},
 "coordinates": ["x", "y"], "mass": ["1", "1"], "constraints": ["y*c = x*s"], "algebraic": {"N": "N = abs(lambda1)"},
 "forces": {"x": "friction*c", "y": "friction*s"}, "start": {"x": "1", "x'": "1", "y'": "2", "N": "4"},
 "observables": {"radius": "sqrt(x^2 + y^2)", "press": "2*N + x", "push": "lambda1"}, "end_time": "1"}
END
# x, y, x', y', lambda, N, radius, press, push at t = 1: r'' = 4 r - 2 r' along the rod, lambda = -4 r'
bead_end=$(awk 'BEGIN { d = sqrt(5); s1 = d - 1; s2 = -d - 1; A = (1 - s2)/(s1 - s2); B = 1 - A; r = A*exp(s1) + B*exp(s2)
  w = s1*A*exp(s1) + s2*B*exp(s2); c = cos(2); s = sin(2)
  printf "%.15g %.15g %.15g %.15g %.15g %.15g %.15g %.15g %.15g", r*c, r*s, w*c - 2*r*s, w*s + 2*r*c, -4*w, 4*w, r,
    8*w + r*c, -4*w }')
# bead LANGUAGE VALUES: 4000 steps of order 4 and Newton to 1e-12
bead() {
  local values
  values=$(tr -s '[:space:]' ' ' <<<"$2")
  paste <(tr -s ' ' '\n' <<<"$bead_end") <(sed 's/^ //' <<<"$values" | tr -s ' ' '\n') |
    awk '$1 != "" { ++n; if (!(($1 - $2)^2 < 1e-20)) { print; exit 1 } } END { if (n != 9) exit 1 }' ||
    fail "bead, $1: $2 instead of $bead_end"
  printf 'bead, %s: at its closed form\n' "$1"
}
cat >bead_driver.c <<'END'
#include <stdio.h>
#include "bead.c"
enum { n = problem_n, l = problem_m + problem_algebraic, N = 2 * n, steps = 4000 };
int main(void) {
  double y[N], k[4][N], x[N], all[N + l], slope[N + l] = {0}, r[N + l], a[n], lambda[l] = {0, 4}, seen[3];
  const double h = (problem_t_end - problem_t_start) / steps;
  memcpy(y, problem_start, sizeof y), memcpy(all, problem_start, sizeof y);
  if (accelerations(problem_t_start, y, y + n, a, lambda)) return 1;
  memcpy(all + N, lambda, sizeof lambda), memcpy(slope, y + n, sizeof a), memcpy(slope + n, a, sizeof a);
  for (int level = 0; level < 3; ++level) {
    residual(level, problem_t_start, all, slope, r);
    for (int i = 0; i < N + l; ++i)
      if (!(fabs(r[i]) < 1e-12)) return 2;
  }
  all[N + 1] += 1, residual(0, problem_t_start, all, slope, r);
  if (fabs(r[N + 1] - 1) > 1e-12) return 3; /* the equation of N comes last */
  for (int s = 0; s < steps; ++s) {
    for (int stage = 0; stage < 4; ++stage) {
      const double c = stage == 0 ? 0 : stage == 3 ? 1 : 0.5;
      for (int i = 0; i < N; ++i) x[i] = y[i] + (stage ? c * h * k[stage - 1][i] : 0);
      if (rhs(problem_t_start + (s + c) * h, x, k[stage])) return 4;
    }
    for (int i = 0; i < N; ++i) y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
  }
  if (accelerations(problem_t_end, y, y + n, a, lambda)) return 5;
  observables(problem_t_end, y, y + n, lambda, seen);
  for (int i = 0; i < N; ++i) printf("%.15g ", y[i]);
  printf("%.15g %.15g %.15g %.15g %.15g\n", lambda[0], lambda[1], seen[0], seen[1], seen[2]);
  return 0;
}
END
cat >bead_driver.f90 <<'END'
program bead_driver
  use bead
  implicit none
  integer, parameter :: steps = 4000, neq = size(start)
  double precision :: y(neq), k(neq, 4), h, rpar(1), a(n), lambda(2), seen(3), delta(neq + 2)
  integer :: s, ipar(1), info, ires
  y = start
  lambda = (/ 0d0, 4d0 /)
  call accelerations(t_start, y(1:n), y(n+1:), a, lambda, info)
  do s = 0, 2
    ipar = s
    call res(t_start, (/ y, lambda /), (/ y(n+1:), a, 0d0, 0d0 /), delta, ires, rpar, ipar)
    if (.not. maxval(abs(delta)) < 1d-12) stop 2
  end do
  h = (t_end - t_start)/steps
  do s = 0, steps - 1
    call fcn(neq, t_start + s*h, y, k(:, 1), rpar, ipar)
    call fcn(neq, t_start + (s + 0.5d0)*h, y + h/2*k(:, 1), k(:, 2), rpar, ipar)
    call fcn(neq, t_start + (s + 0.5d0)*h, y + h/2*k(:, 2), k(:, 3), rpar, ipar)
    call fcn(neq, t_start + (s + 1)*h, y + h*k(:, 3), k(:, 4), rpar, ipar)
    y = y + h/6*(k(:, 1) + 2*k(:, 2) + 2*k(:, 3) + k(:, 4))
  end do
  call accelerations(t_end, y(1:n), y(n+1:), a, lambda, info)
  call observables(t_end, y(1:n), y(n+1:), lambda, seen)
  print '(9es24.15)', y, lambda, seen
end program bead_driver
END
cat >bead_driver.py <<'END'
import numpy as np
from rk4 import rk4
import bead as p
q, v = p.start[:p.n], p.start[p.n:]
a, lam = p.accelerations(p.t_start, q, v, p.latest_lambda)
for level in range(3):
    assert abs(p.residual(level, p.t_start, np.concatenate([q, v, lam]), np.concatenate([v, a, 0 * lam]))).max() < 1e-12
y = rk4(p, 4000)
a, lam = p.accelerations(p.t_end, y[:p.n], y[p.n:], p.latest_lambda)
print(*["%.15g" % x for x in (*y, *lam, *p.observables(p.t_end, y[:p.n], y[p.n:], lam))])
END
cat >bead_driver.m <<'END'
function bead_driver()
  p = bead();
  y = rk4(p, 4000);
  dy = p.rhs(p.t_end, y);
  [a, lambda] = p.accelerations(p.t_end, y(1:2), y(3:4), [-1; 1]);
  for level = 0:2
    r = p.residual(level, p.t_end, [y; lambda], [dy; 0; 0]);
    if ~(norm(r, inf) < 1e-9), error('level %d: %g', level, norm(r, inf)); end
  end
  printf('%.15g ', y, lambda, p.observables(p.t_end, y(1:2), y(3:4), lambda));
end
END
for language in c:c fortran:f90 python:py matlab:m julia:jl casadi:casadi; do
  "$program" show problem @bead.json --equations "${language%:*}" >"bead.${language#*:}" || fail "bead, $language"
done
cc -std=c99 -Wall -Wextra -Werror -O1 bead_driver.c -o bead.out -lm || fail "bead.c"
bead C "$(./bead.out)"
if command -v gfortran >/dev/null; then
  gfortran -std=f2008 -O1 bead.f90 bead_driver.f90 -o bead.fortran.out || fail "bead.f90"
  bead Fortran "$(./bead.fortran.out)"
fi
for python in python3 /usr/bin/python3; do
  "$python" -c 'import numpy' 2>/dev/null || continue
  bead Python "$("$python" bead_driver.py)" && break
done
if command -v octave >/dev/null; then bead Octave "$(octave --quiet --eval bead_driver)"; fi
# What a document calls itself ends no comment and is no name of a module.
cat >free.json <<'END'
{"name": "4-fall", "summary": "It falls */ int x;\nint y;", "coordinates": ["x"], "mass": ["1"], "forces": {"x": "-9.81"}, "end_time": 1}
END
"$program" show problem @free.json --equations c >free.c && cc -std=c99 -Wall -Werror -fsyntax-only free.c || fail "free.c"
if command -v gfortran >/dev/null; then
  "$program" show problem @free.json --equations fortran >free.f90 && gfortran -std=f2008 -fsyntax-only free.f90 || fail "free.f90"
fi
"$program" show problem motor-crank --equations c >/dev/null 2>err && fail "first-order states beside coordinates were exported"
grep -q "first-order states beside its coordinates" err || fail "$(cat err)"
# M y' = f is a residual, with the start of a run: z = y^2. At edges, where y is 0, Jacobians are those of the limit.
cat >implicit.json <<'END'
{"name": "implicit", "states": {"y": "-y", "z": "z - y^2"}, "rates_mass": [["2", "0"], ["0", "0"]],
 "start": {"y": "1", "z": "5"}, "end_time": "1"}
END
cat >edges.json <<'END'
{"name": "edges", "states": {"x": "-max(0, x)^(3/2) - 2*x", "y": "x*sqrt(x^2 + y^2) + y^1.3"}, "end_time": "1"}
END
for language in c:c fortran:f90 python:py matlab:m julia:jl casadi:casadi; do
  for name in implicit edges; do
    "$program" show problem "@$name.json" --equations "${language%:*}" >"$name.${language#*:}" || fail "$name, $language"
  done
done
cat >implicit_driver.c <<'END'
#include <stdio.h>
#include "implicit.c"
int main(void) {
  const double slope[2] = {3, 7};
  double r[2];
  residual(0, problem_start, slope, r);
  printf("%g %g %g %g\n", problem_start[0], problem_start[1], r[0], r[1]);
  return 0;
}
END
cat >edges_driver.c <<'END'
#include <stdio.h>
#include "edges.c"
int main(void) {
  double J[4];
  jacobian(0, problem_start, J);
  printf("%g %g %g %g\n", J[0], J[1], J[2], J[3]);
  return 0;
}
END
cat >implicit_driver.py <<'END'
import warnings
warnings.simplefilter("ignore")  # NumPy tells of divisions by zero, whose results are not chosen
import edges, implicit
r = implicit.residual(0, implicit.start, [3, 7])
print(*["%g" % (x + 0) for x in (*implicit.start, *r, *edges.jacobian(0, edges.start).ravel())])
END
cat >implicit_driver.m <<'END'
function implicit_driver()
  p = implicit();
  e = edges();
  printf('%g ', p.start, p.residual(0, p.start(:), [3; 7]), e.jacobian(0, e.start(:))' + 0);
end
END
expected="1 1 7 0 -2 0 0 0"
cc -std=c99 -Wall -Wextra -Wno-unused -Werror -O1 implicit_driver.c -o implicit.out -lm || fail "implicit.c"
cc -std=c99 -Wall -Wextra -Wno-unused -Werror -O1 edges_driver.c -o edges.out -lm || fail "edges.c"
[[ "$(./implicit.out) $(./edges.out)" == "$expected" ]] || fail "implicit, edges: $(./implicit.out) $(./edges.out)"
if command -v gfortran >/dev/null; then gfortran -std=f2008 -c implicit.f90 edges.f90 || fail "implicit.f90, edges.f90"; fi
for python in python3 /usr/bin/python3; do
  "$python" -c 'import numpy' 2>/dev/null || continue
  [[ $("$python" implicit_driver.py) == "$expected" ]] || fail "implicit, Python: $("$python" implicit_driver.py)"
  break
done
if command -v octave >/dev/null; then
  seen=$(octave --quiet --eval implicit_driver | xargs)
  [[ $seen == "$expected" ]] || fail "implicit, Octave: $seen"
fi
cat >late.json <<'END'
{"name": "late", "states": {"y": "t - y"}, "start": {"y": "t"}, "start_time": "1/2", "end_time": "3/2"}
END
"$program" show problem @late.json --equations python >late.py || fail "late, python"
grep -q "^t_start, t_end = 0.5, 1.5$" late.py || fail "$(grep t_end late.py)"
