#include "core/export/exported_texts.hpp"

namespace daelab {
namespace {

constexpr ExportedTexts c{
    R"code(#include <math.h>
#include <string.h>

enum { problem_n = @n@, problem_m = @m@, problem_algebraic = @algebraic@ };
static const double problem_t_start = @t_start@, problem_t_end = @t_end@;
static const double problem_start[] = {@start@};
static const double problem_reference[] = {@reference@}; /* at problem_t_end */

)code",
    R"code(/* a (n) and lambda (m); returns 1 where the matrix is singular, as with redundant constraints. */
int accelerations(double t, const double *q, const double *v, double *a, double *lambda) {
  enum { n = @n@, m = @m@, N = n + m };
  static double M[n * n], Q[n], J[m * n + 1], h[m + 1], A[N][N + 1];
  model(t, q, v, M, Q, J, h);
  memset(A, 0, sizeof A);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) A[i][j] = M[i * n + j];
    for (int j = 0; j < m; ++j) A[i][n + j] = A[n + j][i] = J[j * n + i];
    A[i][N] = Q[i];
  }
  for (int i = 0; i < m; ++i) A[n + i][N] = -h[i];
  for (int k = 0; k < N; ++k) {
    int p = k;
    for (int i = k + 1; i < N; ++i)
      if (fabs(A[i][k]) > fabs(A[p][k])) p = i;
    if (A[p][k] == 0) return 1;
    for (int j = k; j <= N; ++j) {
      const double x = A[k][j];
      A[k][j] = A[p][j], A[p][j] = x;
    }
    for (int i = k + 1; i < N; ++i) {
      const double factor = A[i][k] / A[k][k];
      for (int j = k; j <= N && factor != 0; ++j) A[i][j] -= factor * A[k][j];
    }
  }
  for (int k = N - 1; k >= 0; --k) {
    for (int j = k + 1; j < N; ++j) A[k][N] -= A[k][j] * A[j][N];
    A[k][N] /= A[k][k];
  }
  for (int i = 0; i < n; ++i) a[i] = A[i][N];
  for (int i = 0; i < m; ++i) lambda[i] = A[n + i][N];
  return 0;
}

/* y = (q, v): what explicit methods take. */
int rhs(double t, const double *y, double *dy) {
  double lambda[@m@ + 1];
  memcpy(dy, y + @n@, @n@ * sizeof *y);
  return accelerations(t, y, y + @n@, dy + @n@, lambda);
}

/* y = (q, v, lambda), yp its derivative: what DASSL and IDA take. level: 0 position, 1 velocity, 2 acceleration. */
void residual(int level, double t, const double *y, const double *yp, double *r) {
  enum { n = @n@, m = @m@ };
  static double M[n * n], Q[n], J[m * n + 1], h[m + 1], C[m + 1], D[m + 1];
  model(t, y, y + n, M, Q, J, h);
  constraints(t, y, y + n, C, D);
  for (int i = 0; i < n; ++i) {
    r[i] = yp[i] - y[n + i], r[n + i] = -Q[i];
    for (int j = 0; j < n; ++j) r[n + i] += M[i * n + j] * yp[n + j];
    for (int j = 0; j < m; ++j) r[n + i] += J[j * n + i] * y[2 * n + j];
  }
  for (int i = 0; i < m; ++i) {
    r[2 * n + i] = level == 0 ? C[i] : level == 1 ? D[i] : h[i];
    for (int j = 0; j < n && level == 2; ++j) r[2 * n + i] += J[i * n + j] * yp[n + j];
  }
}
)code",
    R"code(/* What explicit methods take; of algebraic states, the last ones, these are the residuals. */
int rhs(double t, const double *y, double *dy) {
  rates(t, y, dy);
  return 0;
}

/* What DASSL and IDA take. */
void residual(double t, const double *y, const double *yp, double *r) {
  rates(t, y, r);
  for (int i = 0; i < @n@ - @algebraic@; ++i) r[i] = yp[i] - r[i];
}
)code",
    "",
    "",
    ",\n    "};

constexpr ExportedTexts casadi{
    R"code(from casadi import *

n, m, algebraic = @n@, @m@, @algebraic@
t_start, t_end = @t_start@, @t_end@
start = DM([@start@])
reference = DM([@reference@])  # at t_end


)code",
    R"code(def accelerations(t, q, v):
    """a (n) and lambda (m)"""
    M, Q, J, h = model(t, q, v)
    x = solve(vertcat(horzcat(M, J.T), horzcat(J, SX(m, m))), vertcat(Q, -h))
    return x[:n], x[n:]


def rhs(t, y):
    """y = (q, v)"""
    return vertcat(y[n:], accelerations(t, y[:n], y[n:])[0])


def residual(level, t, y, yp):
    """y = (q, v, lambda): level 0 position, 1 velocity, 2 acceleration"""
    q, v, a = y[:n], y[n:2 * n], yp[n:2 * n]
    M, Q, J, h = model(t, q, v)
    C, D = constraints(t, q, v)
    return vertcat(yp[:n] - v, M @ a + J.T @ y[2 * n:] - Q, [C, D, J @ a + h][level])


def dae():
    """Index 1, for integrator(name, "idas", dae(), t_start, t_end): x = (q, v), z = (a, lambda)"""
    t, x, z = SX.sym("t"), SX.sym("x", 2 * n), SX.sym("z", n + m)
    M, Q, J, h = model(t, x[:n], x[n:])
    a, lam = z[:n], z[n:]
    return {"t": t, "x": x, "z": z, "ode": vertcat(x[n:], a), "alg": vertcat(M @ a + J.T @ lam - Q, J @ a + h)}
)code",
    R"code(def rhs(t, y):
    """Of algebraic states, the last ones, these are the residuals."""
    return rates(t, y)


def dae():
    """For integrator(name, "idas", dae(), t_start, t_end): x differential states, z algebraic ones"""
    t, x, z = SX.sym("t"), SX.sym("x", n - algebraic), SX.sym("z", algebraic)
    f = rates(t, vertcat(x, z))
    return {"t": t, "x": x, "z": z, "ode": f[:n - algebraic], "alg": f[n - algebraic:]}
)code",
    "",
    "# ",
    ",\n    "};

constexpr ExportedTexts fortran{
    R"code(module @name@
  implicit none
  integer, parameter :: n = @n@, m = @m@, algebraic = @algebraic@
  double precision, parameter :: t_start = @t_start@, t_end = @t_end@
  double precision, parameter :: start(@start_size@) = (/ &
      @start@ /)
  double precision, parameter :: reference(@reference_size@) = (/ double precision :: &
      @reference@ /) ! at t_end
contains

)code",
    R"code(  ! a(n) and lambda(m); info = 1 where the matrix is singular, as with redundant constraints.
  subroutine accelerations(t, q, v, a, lambda, info)
    double precision, intent(in) :: t, q(n), v(n)
    double precision, intent(out) :: a(n), lambda(m)
    integer, intent(out) :: info
    double precision :: mass(n, n), force(n), J(m, n), h(m), A_(n + m, n + m + 1), row(n + m + 1)
    integer :: i, k, p
    call model(t, q, v, mass, force, J, h)
    A_ = 0d0
    A_(1:n, 1:n) = mass
    A_(1:n, n+1:n+m) = transpose(J)
    A_(n+1:n+m, 1:n) = J
    A_(1:n, n+m+1) = force
    A_(n+1:n+m, n+m+1) = -h
    info = 1
    do k = 1, n + m
      p = k - 1 + maxloc(abs(A_(k:n+m, k)), 1)
      if (A_(p, k) == 0d0) return
      row = A_(k, :)
      A_(k, :) = A_(p, :)
      A_(p, :) = row
      do i = k + 1, n + m
        A_(i, k:) = A_(i, k:) - A_(i, k)/A_(k, k)*A_(k, k:)
      end do
    end do
    do k = n + m, 1, -1
      A_(k, n+m+1) = (A_(k, n+m+1) - dot_product(A_(k, k+1:n+m), A_(k+1:n+m, n+m+1)))/A_(k, k)
    end do
    a = A_(1:n, n+m+1)
    lambda = A_(n+1:n+m, n+m+1)
    info = 0
  end subroutine accelerations

  ! y = (q, v), in the calling form of DOPRI5 and RADAU5.
  subroutine fcn(neq, t, y, dy, rpar, ipar)
    integer, intent(in) :: neq
    double precision, intent(in) :: t, y(neq)
    double precision, intent(out) :: dy(neq)
    double precision :: rpar(*), lambda(m)
    integer :: ipar(*), info
    dy(1:n) = y(n+1:2*n)
    call accelerations(t, y(1:n), y(n+1:2*n), dy(n+1:2*n), lambda, info)
  end subroutine fcn

  ! y = (q, v, lambda), yp its derivative, in the calling form of DASSL; ipar(1): level of the constraints, 0 position, 1
  ! velocity, 2 acceleration.
  subroutine res(t, y, yp, delta, ires, rpar, ipar)
    double precision, intent(in) :: t, y(2*n + m), yp(2*n + m)
    double precision, intent(out) :: delta(2*n + m)
    double precision :: rpar(*), mass(n, n), force(n), J(m, n), h(m), C(m), D(m)
    integer :: ires, ipar(*)
    call model(t, y(1:n), y(n+1:2*n), mass, force, J, h)
    call constraints(t, y(1:n), y(n+1:2*n), C, D)
    delta(1:n) = yp(1:n) - y(n+1:2*n)
    delta(n+1:2*n) = matmul(mass, yp(n+1:2*n)) + matmul(transpose(J), y(2*n+1:)) - force
    select case (ipar(1))
    case (0)
      delta(2*n+1:) = C
    case (1)
      delta(2*n+1:) = D
    case default
      delta(2*n+1:) = matmul(J, yp(n+1:2*n)) + h
    end select
  end subroutine res
)code",
    R"code(  ! In the calling form of DOPRI5 and RADAU5; of algebraic states, the last ones, these are the residuals.
  subroutine fcn(neq, t, y, dy, rpar, ipar)
    integer, intent(in) :: neq
    double precision, intent(in) :: t, y(neq)
    double precision, intent(out) :: dy(neq)
    double precision :: rpar(*)
    integer :: ipar(*)
    call rates(t, y, dy)
  end subroutine fcn

  ! In the calling form of DASSL.
  subroutine res(t, y, yp, delta, ires, rpar, ipar)
    double precision, intent(in) :: t, y(n), yp(n)
    double precision, intent(out) :: delta(n)
    double precision :: rpar(*)
    integer :: ires, ipar(*)
    call rates(t, y, delta)
    delta(1:n-algebraic) = yp(1:n-algebraic) - delta(1:n-algebraic)
  end subroutine res
)code",
    "end module @name@\n",
    "! ",
    ", &\n      "};

constexpr ExportedTexts julia{
    R"code(using LinearAlgebra

const n, m, algebraic = @n@, @m@, @algebraic@
const t_start, t_end = @t_start@, @t_end@
const start = [@start@]
const reference = Float64[@reference@]  # at t_end
const tspan = (t_start, t_end)

)code",
    R"code(# y = (q, v), in the calling form of SciML: ODEProblem(rhs!, start, tspan)
function rhs!(dy, y, p, t)
    M, Q, J, h = model(t, y[1:n], y[n+1:2n])
    dy[1:n] = y[n+1:2n]
    dy[n+1:2n] = ([M J'; J zeros(m, m)] \ [Q; -h])[1:n]
    return nothing
end

# y = (q, v, lambda), for DAEProblem with level 0 (position), 1 (velocity) or 2 (acceleration):
# DAEProblem((r, yp, y, p, t) -> residual!(r, yp, y, level, t), ...)
function residual!(r, yp, y, level, t)
    M, Q, J, h = model(t, y[1:n], y[n+1:2n])
    C, D = constraints(t, y[1:n], y[n+1:2n])
    r[1:n] = yp[1:n] - y[n+1:2n]
    r[n+1:2n] = M*yp[n+1:2n] + J'*y[2n+1:end] - Q
    r[2n+1:end] = level == 0 ? C : level == 1 ? D : J*yp[n+1:2n] + h
    return nothing
end
)code",
    R"code(# In the calling form of SciML; with algebraic states: ODEFunction(rhs!, mass_matrix = mass_matrix)
const mass_matrix = Diagonal([ones(n - algebraic); zeros(algebraic)])
function rhs!(dy, y, p, t)
    dy[:] = rates(t, y)
    return nothing
end
)code",
    "",
    "# ",
    ",\n    "};

// A function file of MATLAB and Octave, whose value holds the others.
constexpr ExportedTexts matlab{
    R"code(function p = @name@()
  p.n = @n@; p.m = @m@; p.algebraic = @algebraic@;
  p.t_start = @t_start@; p.t_end = @t_end@;
  p.start = [@start@];
  p.reference = [@reference@];  % at p.t_end
@handles@end

function y = select(condition, yes, no)
  if condition ~= 0, y = yes; else, y = no; end
end

)code",
    R"code(% y = (q, v), for ode45(p.rhs, [p.t_start p.t_end], p.start)
function dy = rhs(t, y)
  n = @n@; m = @m@;
  [M, Q, J, h] = model(t, y(1:n), y(n+1:2*n));
  x = [M J'; J zeros(m)] \ [Q; -h];
  dy = [y(n+1:2*n); x(1:n)];
end

% y = (q, v, lambda), for ode15i(@(t, y, yp) p.residual(level, t, y, yp), ...): level 0 position, 1 velocity, 2 acceleration
function r = residual(level, t, y, yp)
  n = @n@;
  [M, Q, J, h] = model(t, y(1:n), y(n+1:2*n));
  [C, D] = constraints(t, y(1:n), y(n+1:2*n));
  if level == 1, C = D; end
  if level == 2, C = J*yp(n+1:2*n) + h; end
  r = [yp(1:n) - y(n+1:2*n); M*yp(n+1:2*n) + J'*y(2*n+1:end) - Q; C];
end
)code",
    R"code(% For ode15s(p.rhs, ...), with algebraic states and the mass matrix diag([ones(n - algebraic, 1); zeros(algebraic, 1)])
function dy = rhs(t, y)
  dy = rates(t, y);
end

% For ode15i.
function r = residual(t, y, yp)
  r = rates(t, y);
  differential = 1:@n@-@algebraic@;
  r(differential) = yp(differential) - r(differential);
end
)code",
    "",
    "% ",
    "; ...\n    "};

constexpr ExportedTexts python{
    R"code(from math import *

import numpy as np

sqrt = np.sqrt  # whose slope at 0 is infinite, not an error

n, m, algebraic = @n@, @m@, @algebraic@
t_start, t_end = @t_start@, @t_end@
start = np.array([@start@])
reference = np.array([@reference@])  # at t_end


)code",
    R"code(def accelerations(t, q, v):
    """a (n) and lambda (m)"""
    M, Q, J, h = model(t, q, v)
    x = np.linalg.solve(np.block([[M, J.T], [J, np.zeros((m, m))]]), np.concatenate([Q, -h]))
    return x[:n], x[n:]


def rhs(t, y):
    """y = (q, v), in the calling form of SciPy: solve_ivp(rhs, (t_start, t_end), start)"""
    return np.concatenate([y[n:], accelerations(t, y[:n], y[n:])[0]])


def residual(level, t, y, yp):
    """y = (q, v, lambda), for IDA and solve_dae: level 0 position, 1 velocity, 2 acceleration"""
    q, v = y[:n], y[n:2 * n]
    M, Q, J, h = model(t, q, v)
    C, D = constraints(t, q, v)
    C = [C, D, J @ yp[n:2 * n] + h][level]
    return np.concatenate([yp[:n] - v, M @ yp[n:2 * n] + J.T @ y[2 * n:] - Q, C])
)code",
    R"code(def rhs(t, y):
    """In the calling form of SciPy; of algebraic states, the last ones, these are the residuals."""
    return rates(t, y)


def residual(t, y, yp):
    """For IDA and solve_dae."""
    r = rates(t, y)
    r[:n - algebraic] = yp[:n - algebraic] - r[:n - algebraic]
    return r
)code",
    "",
    "# ",
    ",\n    "};

}  // namespace

const ExportedTexts& exported_texts(Language language) {
  return of_language(language, c, casadi, fortran, julia, matlab, python);
}

}  // namespace daelab
