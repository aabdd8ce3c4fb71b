// What solvers of each language take of M(t, y) y' = f(t, y). Equations without derivatives are rows of zeros of M.
#include "core/export/exported_texts.hpp"

namespace daelab {
namespace {

constexpr const char* implicit_c = R"code(/* M y' - f: what DASSL and IDA take. */
void residual(double t, const double *y, const double *yp, double *r) {
  static double matrix[@n@ * @n@];
  mass(t, y, matrix);
  rates(t, y, r);
  for (int i = 0; i < @n@; ++i) {
    r[i] = -r[i];
    for (int j = 0; j < @n@; ++j) r[i] += matrix[i * @n@ + j] * yp[j];
  }
}
)code";

constexpr const char* implicit_casadi = R"code(def residual(t, y, yp):
    """M y' - f"""
    return mass(t, y) @ yp - rates(t, y)
)code";

constexpr const char* implicit_fortran = R"code(  ! M y' - f, in the calling form of DASSL.
  subroutine res(t, y, yp, delta, ires, rpar, ipar)
    double precision, intent(in) :: t, y(n), yp(n)
    double precision, intent(out) :: delta(n)
    double precision :: rpar(*), matrix(n, n)
    integer :: ires, ipar(*)
    call mass(t, y, matrix)
    call rates(t, y, delta)
    delta = matmul(matrix, yp) - delta
  end subroutine res
)code";

constexpr const char* implicit_julia =
    R"code(# M y' - f, for DAEProblem((r, yp, y, p, t) -> residual!(r, yp, y, t), ...)
function residual!(r, yp, y, t)
    r[:] = mass(t, y)*yp - rates(t, y)
    return nothing
end
)code";

constexpr const char* implicit_matlab = R"code(% M y' - f, for ode15i; p.mass and p.rates for ode15s.
function r = residual(t, y, yp)
  r = mass(t, y)*yp - rates(t, y);
end
)code";

constexpr const char* implicit_python = R"code(def residual(t, y, yp):
    """M y' - f, for IDA and solve_dae."""
    return mass(t, y) @ yp - rates(t, y)
)code";

}  // namespace

const char* linearly_implicit(Language language) {
  return of_language(language, implicit_c, implicit_casadi, implicit_fortran, implicit_julia, implicit_matlab,
                     implicit_python);
}

}  // namespace daelab
