// Sines and cosines by SLEEF's deterministic functions (https://sleef.org): at most 1 ulp off, the same bits whatever
// vectors they are taken with. Those with fused multiply-add (finz) take two thirds of the time of those without
// (cinz), and differ from them in the last bit of one number in a thousand. Hence: every processor that has fused
// multiply-add (x86-64 since 2013, ARM) gives the same bits; machines without it agree among
// themselves, and all of them where strict arithmetic is asked for.
#include <sleef.h>

#include "core/base/strict_arithmetic.hpp"
#include "core/expressions/program.hpp"

#ifdef __x86_64__
#include <immintrin.h>

#ifndef __AVX__  // the header declares for the compiler's target only, which is older than this processor may be
struct Sleef___m256d_2 {
  __m256d x, y;
};
#endif
#ifndef __AVX2__
extern "C" __attribute__((target("avx2,fma"))) Sleef___m256d_2 Sleef_finz_sincosd4_u10avx2(__m256d);
#endif
#endif

namespace daelab {
namespace {

#ifdef __x86_64__

#ifdef __clang__

// Clang passes four numbers as the target of the whole file says, not as that of the function called does.
__attribute__((target("avx2,fma"))) void fused(const double* angles, double* s, double* c) {
  for (int k = 0; k < 4; k += 2) {
    const Sleef___m128d_2 both = Sleef_finz_sincosd2_u10avx2128(_mm_loadu_pd(angles + k));
    _mm_storeu_pd(s + k, both.x);
    _mm_storeu_pd(c + k, both.y);
  }
}

#else

// Angles were just written one by one: one load of all four would wait until they have left the store buffer.
__attribute__((target("avx2,fma"))) __m256d packed(const double* angles) {
  __m128d low = _mm_load_sd(angles), high = _mm_load_sd(angles + 2);
  asm("" : "+x"(low), "+x"(high));  // the compiler would make one load of them
  return _mm256_set_m128d(_mm_loadh_pd(high, angles + 3), _mm_loadh_pd(low, angles + 1));
}

__attribute__((target("avx2,fma"))) void fused(const double* angles, double* s, double* c) {
  const Sleef___m256d_2 both = Sleef_finz_sincosd4_u10avx2(packed(angles));
  _mm256_storeu_pd(s, both.x);
  _mm256_storeu_pd(c, both.y);
}

#endif

void unfused(const double* angles, double* s, double* c) {
  for (int k = 0; k < 4; k += 2) {
    const Sleef___m128d_2 both = Sleef_cinz_sincosd2_u10sse2(_mm_loadu_pd(angles + k));
    _mm_storeu_pd(s + k, both.x);
    _mm_storeu_pd(c + k, both.y);
  }
}

// In each call of four sines.
[[gnu::always_inline]] inline bool use_fused() {
  static const bool has_fused = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return has_fused && !strict_arithmetic();
}

}  // namespace

void sines_and_cosines(const double* angles, double* s, double* c) {
  use_fused() ? fused(angles, s, c) : unfused(angles, s, c);
}

const char* sines_and_cosines_variant() { return use_fused() ? "finz" : "cinz"; }

#else

#ifdef FP_FAST_FMA
constexpr bool has_fused = true;
#else
constexpr bool has_fused = false;
#endif

bool use_fused() { return has_fused && !strict_arithmetic(); }

}  // namespace

void sines_and_cosines(const double* angles, double* s, double* c) {
  const auto one_angle = use_fused() ? Sleef_finz_sincosd1_u10purecfma : Sleef_cinz_sincosd1_u10purec;
  for (int k = 0; k < 4; ++k) {
    const Sleef_double_2 both = one_angle(angles[k]);
    s[k] = both.x;
    c[k] = both.y;
  }
}

const char* sines_and_cosines_variant() { return use_fused() ? "finz" : "cinz"; }

#endif

}  // namespace daelab
