// Strict arithmetic: the same bits on every machine of IEEE 754 numbers, whatever its processor and its libraries.
//
// What else may differ: the C library chooses variants of exp, log, pow and of trigonometric functions by the processor
// and changes them between releases; SLEEF's faster sines need fused multiply-add; and BLAS is the one that is
// installed. Strict: functions are those of SLEEF with IEEE operations alone (cinz, below 1 ulp), and nothing
// calls BLAS.
#pragma once

#include "core/base/context.hpp"

namespace daelab {

/// As the context of this thread has it.
inline bool strict_arithmetic() { return Context::current().strict; }

/// SLEEF's functions in strict arithmetic, else the C library's. What the equations of problems are made of calls them
/// by these names; calls of exp() and others by std::complex, Eigen, Boost and the rest of the program come here by the
/// linker.
namespace arithmetic {

double exp(double x);
double log(double x);
double sin(double x);
double cos(double x);
double tan(double x);
double asin(double x);
double acos(double x);
double atan(double x);
double sinh(double x);
double cosh(double x);
double tanh(double x);
double pow(double x, double y);
double atan2(double y, double x);

}  // namespace arithmetic

}  // namespace daelab
