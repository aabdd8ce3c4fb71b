// The forms that solvers take where accelerations and multipliers are determined by equations that are not linear:
// Newton's method from what they were last. lambda has the algebraic states at its end.
#include "core/export/exported_texts.hpp"

namespace daelab {
namespace {

constexpr const char* reactive_c = R"code(/* Where rhs() seeks lambda from: at the start, then where it was last. */
static double problem_lambda[] = {@multipliers@};

/* b becomes A^-1 b; returns 1 where A is singular. */
static int solve(int N, double *A, double *b) {
  for (int k = 0; k < N; ++k) {
    int p = k;
    for (int i = k + 1; i < N; ++i)
      if (fabs(A[i * N + k]) > fabs(A[p * N + k])) p = i;
    if (!(fabs(A[p * N + k]) > 0)) return 1;
    for (int j = k; j < N; ++j) {
      const double x = A[k * N + j];
      A[k * N + j] = A[p * N + j], A[p * N + j] = x;
    }
    const double x = b[k];
    b[k] = b[p], b[p] = x;
    for (int i = k + 1; i < N; ++i) {
      const double factor = A[i * N + k] / A[k * N + k];
      for (int j = k; j < N; ++j) A[i * N + j] -= factor * A[k * N + j];
      b[i] -= factor * b[k];
    }
  }
  for (int k = N - 1; k >= 0; --k) {
    for (int j = k + 1; j < N; ++j) b[k] -= A[k * N + j] * b[j];
    b[k] /= A[k * N + k];
  }
  return 0;
}

/* a (n) and lambda (m + algebraic) by Newton's method from the lambda that comes in; returns 1 where there are none. */
int accelerations(double t, const double *q, const double *v, double *a, double *lambda) {
  enum { n = @n@, N = n + @l@ };
  static double matrix[N * N], r[N];
  for (int i = 0; i < n; ++i) a[i] = 0;
  for (int k = 0; k < 50; ++k) {
    double size = 1, step = 0;
    equations(t, q, v, a, lambda, r, r + n);
    equations_jacobian(t, q, v, a, lambda, matrix);
    if (solve(N, matrix, r)) return 1;
    for (int i = 0; i < N; ++i) {
      double *x = i < n ? a + i : lambda + (i - n);
      *x -= r[i];
      if (r[i] != r[i]) return 1;
      if (fabs(*x) > size) size = fabs(*x);
      if (fabs(r[i]) > step) step = fabs(r[i]);
    }
    if (step <= 1e-12 * size) return 0;
  }
  return 1;
}

/* y = (q, v): what explicit methods take. */
int rhs(double t, const double *y, double *dy) {
  memcpy(dy, y + @n@, @n@ * sizeof *y);
  return accelerations(t, y, y + @n@, dy + @n@, problem_lambda);
}

/* y = (q, v, lambda), yp its derivative: what DASSL and IDA take. level: 0 position, 1 velocity, 2 acceleration. */
void residual(int level, double t, const double *y, const double *yp, double *r) {
  enum { n = @n@, m = @m@ };
  static double C[m + 1], D[m + 1];
  equations(t, y, y + n, yp + n, y + 2 * n, r + n, r + 2 * n);
  constraints(t, y, y + n, C, D);
  for (int i = 0; i < n; ++i) r[i] = yp[i] - y[n + i];
  for (int i = 0; i < m && level < 2; ++i) r[2 * n + i] = level == 0 ? C[i] : D[i];
}
)code";

constexpr const char* reactive_casadi = R"code(start_multipliers = DM([@multipliers@])  # where lambda is sought from


def accelerations(t, q, v):
    """a (n) and lambda (m + algebraic) of numbers, by Newton's method"""
    x = vertcat(DM.zeros(n), start_multipliers)
    for k in range(50):
        step = solve(evalf(equations_jacobian(t, q, v, x[:n], x[n:])), evalf(vertcat(*equations(t, q, v, x[:n], x[n:]))))
        x -= step
        if float(norm_inf(step)) <= 1e-12 * max(1, float(norm_inf(x))):
            return x[:n], x[n:]
    raise ArithmeticError("the equations determine no accelerations here")


def residual(level, t, y, yp):
    """y = (q, v, lambda): level 0 position, 1 velocity, 2 acceleration"""
    q, v = y[:n], y[n:2 * n]
    balance, rows = equations(t, q, v, yp[n:2 * n], y[2 * n:])
    C, D = constraints(t, q, v)
    return vertcat(yp[:n] - v, balance, [C, D, rows[:m]][level], rows[m:])


def dae():
    """Index 1, for integrator(name, "idas", dae(), t_start, t_end): x = (q, v), z = (a, lambda)"""
    t, x, z = SX.sym("t"), SX.sym("x", 2 * n), SX.sym("z", n + m + algebraic)
    return {"t": t, "x": x, "z": z, "ode": vertcat(x[n:], z[:n]), "alg": vertcat(*equations(t, x[:n], x[n:], z[:n], z[n:]))}
)code";

constexpr const char* reactive_fortran =
    R"code(  ! a(n) and lambda(m + algebraic) by Newton's method from the lambda that comes in; info = 1 where there are none.
  subroutine accelerations(t, q, v, a, lambda, info)
    double precision, intent(in) :: t, q(n), v(n)
    double precision, intent(out) :: a(n)
    double precision, intent(inout) :: lambda(@l@)
    integer, intent(out) :: info
    integer, parameter :: l = @l@
    double precision :: matrix(n + l, n + l), r(n + l), x(n + l)
    integer :: k
    x(1:n) = 0d0
    x(n+1:) = lambda
    do k = 1, 50
      call equations(t, q, v, x(1:n), x(n+1:), r(1:n), r(n+1:))
      call equations_jacobian(t, q, v, x(1:n), x(n+1:), matrix)
      call eliminate(matrix, r, info)
      x = x - r
      if (info /= 0 .or. any(r /= r)) exit
      if (maxval(abs(r)) <= 1d-12*max(1d0, maxval(abs(x)))) then
        a = x(1:n)
        lambda = x(n+1:)
        return
      end if
    end do
    a = 0d0
    info = 1
  end subroutine accelerations

  ! b becomes A^-1 b; info = 1 where A is singular.
  subroutine eliminate(A_, b, info)
    double precision, intent(inout) :: A_(:, :), b(:)
    integer, intent(out) :: info
    double precision :: row(size(b)), x
    integer :: i, k, p
    info = 1
    do k = 1, size(b)
      p = k - 1 + maxloc(abs(A_(k:, k)), 1)
      if (.not. abs(A_(p, k)) > 0d0) return
      row = A_(k, :)
      A_(k, :) = A_(p, :)
      A_(p, :) = row
      x = b(k)
      b(k) = b(p)
      b(p) = x
      do i = k + 1, size(b)
        b(i) = b(i) - A_(i, k)/A_(k, k)*b(k)
        A_(i, k:) = A_(i, k:) - A_(i, k)/A_(k, k)*A_(k, k:)
      end do
    end do
    do k = size(b), 1, -1
      b(k) = (b(k) - dot_product(A_(k, k+1:), b(k+1:)))/A_(k, k)
    end do
    info = 0
  end subroutine eliminate

  ! y = (q, v), in the calling form of DOPRI5 and RADAU5. Where lambda is sought from: at the start, then where it was
  ! last. Without an answer dy is not a number.
  subroutine fcn(neq, t, y, dy, rpar, ipar)
    integer, intent(in) :: neq
    double precision, intent(in) :: t, y(neq)
    double precision, intent(out) :: dy(neq)
    double precision, save :: lambda(@l@) = (/ &
      @multipliers@ /)
    double precision :: rpar(*), zero
    integer :: ipar(*), info
    dy(1:n) = y(n+1:2*n)
    call accelerations(t, y(1:n), y(n+1:2*n), dy(n+1:2*n), lambda, info)
    zero = 0d0
    if (info /= 0) dy = zero/zero
  end subroutine fcn

  ! y = (q, v, lambda), yp its derivative, in the calling form of DASSL; ipar(1): level of the constraints, 0 position, 1
  ! velocity, 2 acceleration.
  subroutine res(t, y, yp, delta, ires, rpar, ipar)
    double precision, intent(in) :: t, y(2*n + @l@), yp(2*n + @l@)
    double precision, intent(out) :: delta(2*n + @l@)
    double precision :: rpar(*), C(m), D(m)
    integer :: ires, ipar(*)
    call equations(t, y(1:n), y(n+1:2*n), yp(n+1:2*n), y(2*n+1:), delta(n+1:2*n), delta(2*n+1:))
    call constraints(t, y(1:n), y(n+1:2*n), C, D)
    delta(1:n) = yp(1:n) - y(n+1:2*n)
    if (ipar(1) == 0) delta(2*n+1:2*n+m) = C
    if (ipar(1) == 1) delta(2*n+1:2*n+m) = D
  end subroutine res
)code";

constexpr const char* reactive_julia = R"code(# a (n) and lambda (m + algebraic) by Newton's method from this lambda
function accelerations(t, q, v, lambda)
    x = [zeros(n); lambda]
    for k in 1:50
        balance, rows = equations(t, q, v, x[1:n], x[n+1:end])
        step = equations_jacobian(t, q, v, x[1:n], x[n+1:end]) \ [balance; rows]
        x -= step
        norm(step, Inf) <= 1e-12*max(1, norm(x, Inf)) && return x[1:n], x[n+1:end]
    end
    error("the equations determine no accelerations here")
end

# y = (q, v), in the calling form of SciML: ODEProblem(rhs!, start, tspan). Where lambda is sought from: at the start,
# then where it was last.
const latest_lambda = Float64[@multipliers@]
function rhs!(dy, y, p, t)
    a, latest_lambda[:] = accelerations(t, y[1:n], y[n+1:2n], latest_lambda)
    dy[1:n] = y[n+1:2n]
    dy[n+1:2n] = a
    return nothing
end

# y = (q, v, lambda), for DAEProblem with level 0 (position), 1 (velocity) or 2 (acceleration):
# DAEProblem((r, yp, y, p, t) -> residual!(r, yp, y, level, t), ...)
function residual!(r, yp, y, level, t)
    balance, rows = equations(t, y[1:n], y[n+1:2n], yp[n+1:2n], y[2n+1:end])
    C, D = constraints(t, y[1:n], y[n+1:2n])
    r[1:n] = yp[1:n] - y[n+1:2n]
    r[n+1:2n] = balance
    r[2n+1:end] = [level == 0 ? C : level == 1 ? D : rows[1:m]; rows[m+1:end]]
    return nothing
end
)code";

constexpr const char* reactive_matlab = R"code(% a (n) and lambda (m + algebraic) by Newton's method from this lambda
function [a, lambda] = accelerations(t, q, v, lambda)
  n = @n@;
  x = [zeros(n, 1); lambda];
  for k = 1:50
    [balance, rows] = equations(t, q, v, x(1:n), x(n+1:end));
    step = equations_jacobian(t, q, v, x(1:n), x(n+1:end)) \ [balance; rows];
    x = x - step;
    if norm(step, inf) <= 1e-12*max(1, norm(x, inf))
      a = x(1:n); lambda = x(n+1:end);
      return
    end
  end
  error('the equations determine no accelerations here');
end

% y = (q, v), for ode45(p.rhs, [p.t_start p.t_end], p.start). Where lambda is sought from: at the start, then where it was
% last.
function dy = rhs(t, y)
  persistent lambda
  n = @n@;
  if isempty(lambda), lambda = [@multipliers@]; end
  [a, lambda] = accelerations(t, y(1:n), y(n+1:2*n), lambda);
  dy = [y(n+1:2*n); a];
end

% y = (q, v, lambda), for ode15i(@(t, y, yp) p.residual(level, t, y, yp), ...): level 0 position, 1 velocity, 2 acceleration
function r = residual(level, t, y, yp)
  n = @n@; m = @m@;
  [balance, rows] = equations(t, y(1:n), y(n+1:2*n), yp(n+1:2*n), y(2*n+1:end));
  [C, D] = constraints(t, y(1:n), y(n+1:2*n));
  if level == 1, C = D; end
  if level == 2, C = rows(1:m); end
  r = [yp(1:n) - y(n+1:2*n); balance; C; rows(m+1:end)];
end
)code";

constexpr const char* reactive_python = R"code(def accelerations(t, q, v, lam):
    """a (n) and lambda (m + algebraic) by Newton's method from this lambda"""
    x = np.concatenate([np.zeros(n), lam])
    for k in range(50):
        step = np.linalg.solve(equations_jacobian(t, q, v, x[:n], x[n:]), np.concatenate(equations(t, q, v, x[:n], x[n:])))
        x = x - step
        if abs(step).max() <= 1e-12 * max(1, abs(x).max()):
            return x[:n], x[n:]
    raise ArithmeticError("the equations determine no accelerations here")


latest_lambda = np.array([@multipliers@])  # where rhs() seeks it from: at the start, then where it was last


def rhs(t, y):
    """y = (q, v), in the calling form of SciPy: solve_ivp(rhs, (t_start, t_end), start)"""
    global latest_lambda
    a, latest_lambda = accelerations(t, y[:n], y[n:], latest_lambda)
    return np.concatenate([y[n:], a])


def residual(level, t, y, yp):
    """y = (q, v, lambda), for IDA and solve_dae: level 0 position, 1 velocity, 2 acceleration"""
    q, v = y[:n], y[n:2 * n]
    balance, rows = equations(t, q, v, yp[n:2 * n], y[2 * n:])
    C, D = constraints(t, q, v)
    return np.concatenate([yp[:n] - v, balance, [C, D, rows[:m]][level], rows[m:]])
)code";

}  // namespace

const char* reactive_mechanism(Language language) {
  return of_language(language, reactive_c, reactive_casadi, reactive_fortran, reactive_julia, reactive_matlab,
                     reactive_python);
}

}  // namespace daelab
