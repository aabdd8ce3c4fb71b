// Strict arithmetic: the same bits on every machine of IEEE 754 numbers, whatever its processor and its libraries.
//
// What else may differ: the C library chooses variants of exp, log, pow and of trigonometric functions by the processor
// and changes them between releases; SLEEF's faster sines need fused multiply-add; and BLAS is the one that is
// installed. Strict: functions are those of SLEEF with IEEE operations alone (cinz, below 1 ulp), and nothing
// calls BLAS.
#pragma once

namespace daelab {

/// Of this process: asked for by set_strict_arithmetic() or by a non-empty environment variable DAELAB_STRICT.
bool strict_arithmetic();
/// Call before anything is computed and before there are threads; sets the variable, for child processes.
void set_strict_arithmetic(bool strict);

}  // namespace daelab
