// The program is linked with --wrap (CMakeLists.txt): its calls of exp() come to __wrap_exp(), and __real_exp() is the
// one of the C library. Every call of the program is reached, also those of std::complex, Boost and Eigen. Functions
// that equations of problems alone call need no such way.
#include "core/base/strict_arithmetic.hpp"

#include <sleef.h>

#include <cmath>
#include <cstdlib>

namespace {

using daelab::Context;

bool asked_by_environment() {
  const char* value = std::getenv("DAELAB_STRICT");
  return value != nullptr && *value != '\0';
}

[[maybe_unused]] const bool environment_is_read = (Context::process().strict = asked_by_environment(), true);

}  // namespace

using daelab::strict_arithmetic;

// Called by name alone.
#define DAELAB_DIRECT(name)                                                        \
  double daelab::arithmetic::name(double x) {                                      \
    return strict_arithmetic() ? Sleef_cinz_##name##d1_u10purec(x) : std::name(x); \
  }
DAELAB_DIRECT(asin)
DAELAB_DIRECT(sinh)
DAELAB_DIRECT(cosh)
DAELAB_DIRECT(tanh)
#undef DAELAB_DIRECT

// The names are those of the linker.
// NOLINTBEGIN(bugprone-reserved-identifier, readability-identifier-naming)
#define DAELAB_UNARY(name)                                                             \
  extern "C" double __real_##name(double);                                             \
  extern "C" double __wrap_##name(double);                                             \
  extern "C" double __wrap_##name(double x) {                                          \
    return strict_arithmetic() ? Sleef_cinz_##name##d1_u10purec(x) : __real_##name(x); \
  }
// By the linker and by name.
#define DAELAB_BOTH(name) \
  DAELAB_UNARY(name)      \
  double daelab::arithmetic::name(double x) { return __wrap_##name(x); }
DAELAB_BOTH(exp)
DAELAB_BOTH(log)
DAELAB_BOTH(sin)
DAELAB_BOTH(cos)
DAELAB_BOTH(tan)
DAELAB_BOTH(acos)
DAELAB_BOTH(atan)
DAELAB_UNARY(exp2)
DAELAB_UNARY(log2)
DAELAB_UNARY(log10)
DAELAB_UNARY(log1p)
DAELAB_UNARY(cbrt)
#undef DAELAB_BOTH
#undef DAELAB_UNARY

#define DAELAB_BINARY(name, sleef)                                                          \
  extern "C" double __real_##name(double, double);                                          \
  extern "C" double __wrap_##name(double, double);                                          \
  extern "C" double __wrap_##name(double x, double y) {                                     \
    return strict_arithmetic() ? Sleef_cinz_##name##d1_##sleef(x, y) : __real_##name(x, y); \
  }
DAELAB_BINARY(pow, u10purec)
DAELAB_BINARY(atan2, u10purec)
DAELAB_BINARY(hypot, u05purec)
#undef DAELAB_BINARY

double daelab::arithmetic::pow(double x, double y) { return __wrap_pow(x, y); }
double daelab::arithmetic::atan2(double y, double x) { return __wrap_atan2(y, x); }

// Sines and cosines of one angle, which compilers join: the same as apart.
extern "C" void __real_sincos(double, double*, double*);
extern "C" void __wrap_sincos(double, double*, double*);
extern "C" void __wrap_sincos(double x, double* s, double* c) {
  if (!strict_arithmetic()) return __real_sincos(x, s, c);
  *s = Sleef_cinz_sind1_u10purec(x);
  *c = Sleef_cinz_cosd1_u10purec(x);
}

// The complex functions that runs and the analysis of methods use. std::complex<double> is passed as C's is.
using Complex = double _Complex;

extern "C" double __real_cabs(Complex);
extern "C" double __wrap_cabs(Complex);
extern "C" double __wrap_cabs(Complex z) {
  return strict_arithmetic() ? Sleef_cinz_hypotd1_u05purec(__real__ z, __imag__ z) : __real_cabs(z);
}

namespace {

Complex complex_of(double real, double imaginary) {
  Complex z;
  __real__ z = real;
  __imag__ z = imaginary;
  return z;
}

Complex strict_exp(Complex z) {
  const double size = Sleef_cinz_expd1_u10purec(__real__ z), angle = __imag__ z;
  if (angle == 0) return complex_of(size, angle);
  return complex_of(size * Sleef_cinz_cosd1_u10purec(angle), size * Sleef_cinz_sind1_u10purec(angle));
}

Complex strict_sqrt(Complex z) {
  const double x = __real__ z, y = __imag__ z;
  const double t = std::sqrt((Sleef_cinz_hypotd1_u05purec(x, y) + std::abs(x)) / 2);
  if (t == 0) return complex_of(0, y);
  return x >= 0 ? complex_of(t, y / (2 * t)) : complex_of(std::abs(y) / (2 * t), std::copysign(t, y));
}

}  // namespace

#define DAELAB_COMPLEX(name, strict_value)   \
  extern "C" Complex __real_##name(Complex); \
  extern "C" Complex __wrap_##name(Complex); \
  extern "C" Complex __wrap_##name(Complex z) { return strict_arithmetic() ? (strict_value) : __real_##name(z); }
DAELAB_COMPLEX(cexp, strict_exp(z))
DAELAB_COMPLEX(csqrt, strict_sqrt(z))
#undef DAELAB_COMPLEX
// NOLINTEND(bugprone-reserved-identifier, readability-identifier-naming)
