// Strict arithmetic: the same bits on every machine of IEEE 754 numbers, whatever its processor and its libraries.
//
// What else may differ: the C library chooses variants of exp, log, pow and of trigonometric functions by the processor
// and changes them between releases; SLEEF's faster sines need fused multiply-add; and BLAS is the one that is
// installed. Strict: functions are those of SLEEF with IEEE operations alone (cinz, below 1 ulp), and nothing
// calls BLAS.
#pragma once

namespace daelab {

/// As the context of this thread has it.
bool strict_arithmetic();

}  // namespace daelab
