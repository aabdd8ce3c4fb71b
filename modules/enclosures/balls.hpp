// Balls of Arb as values that own their memory, and bounds of them in double.
#pragma once

#if __has_include(<flint/arb_mat.h>)
#include <flint/arb_mat.h>
#else
#include <arb_mat.h>
#endif

#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace daelab {

/// Arithmetic with numbers that are not negative rounds to nearest; a thousand operations later this is still a bound.
inline double above(double x) { return x * (1 + 1e-12) + 1e-290; }

/// Balls beside each other, as arb_dot takes them.
class Balls {
 public:
  explicit Balls(std::size_t size = 0)
      : size_(size), x_(size > 0 ? _arb_vec_init(static_cast<slong>(size)) : nullptr) {}
  Balls(const Balls& other) : Balls(other.size_) {
    for (std::size_t i = 0; i < size_; ++i) arb_set(x_ + i, other.x_ + i);
  }
  Balls(Balls&& other) noexcept : size_(std::exchange(other.size_, 0)), x_(std::exchange(other.x_, nullptr)) {}
  Balls& operator=(Balls other) noexcept {
    std::swap(size_, other.size_), std::swap(x_, other.x_);
    return *this;
  }
  ~Balls() {
    if (x_ != nullptr) _arb_vec_clear(x_, static_cast<slong>(size_));
  }
  std::size_t size() const { return size_; }
  arb_ptr data() { return x_; }
  arb_srcptr data() const { return x_; }
  arb_ptr operator[](std::size_t i) { return x_ + i; }
  arb_srcptr operator[](std::size_t i) const { return x_ + i; }

 private:
  std::size_t size_;
  arb_ptr x_;
};

class BallMatrix {
 public:
  explicit BallMatrix(std::size_t n) { arb_mat_init(x_, static_cast<slong>(n), static_cast<slong>(n)); }
  BallMatrix(const BallMatrix&) = delete;
  BallMatrix& operator=(const BallMatrix&) = delete;
  ~BallMatrix() { arb_mat_clear(x_); }
  arb_ptr operator()(std::size_t i, std::size_t j) {
    return arb_mat_entry(x_, static_cast<slong>(i), static_cast<slong>(j));
  }
  arb_mat_struct* get() { return x_; }

 private:
  arb_mat_t x_;
};

/// A bound of the absolute value.
inline double upper_bound(arb_srcptr x) {
  mag_t bound;
  mag_init(bound);
  arb_get_mag(bound, x);
  const double result = mag_get_d(bound);
  mag_clear(bound);
  return above(result);
}
inline double radius(arb_srcptr x) { return above(mag_get_d(arb_radref(x))); }
inline double middle(arb_srcptr x) { return arf_get_d(arb_midref(x), ARF_RND_NEAR); }

/// A bound of the absolute value of a product, where the factors may be beyond the range of double.
inline double upper_bound(arb_srcptr x, arb_srcptr y) {
  mag_t a, b;
  mag_init(a), mag_init(b);
  arb_get_mag(a, x), arb_get_mag(b, y);
  mag_mul(a, a, b);
  const double result = mag_get_d(a);
  mag_clear(a), mag_clear(b);
  return above(result);
}
/// x + [-r, r]
inline void widen(arb_ptr x, double r) {
  mag_t bound;
  mag_init(bound);
  mag_set_d(bound, r);  // an upper bound
  arb_add_error_mag(x, bound);
  mag_clear(bound);
}

/// A number in decimal.
void read_decimal(arb_ptr x, const std::string& text, slong precision);

/// A constant by its text: numbers, + - * / ^, parentheses, pi, sqrt, exp, log, sin, cos, tan.
void read_constant(arb_ptr x, const std::string& text, slong precision);

/// units / 10^decimals, without zeros at the end.
std::string decimal_text(const fmpz_t units, std::size_t decimals);
/// The middle of a ball with so many decimals; the error of that is added to `error`.
std::string decimal_text(arb_srcptr x, long decimals, double& error, slong precision);
/// An upper bound with three digits, and its value.
std::string radius_text(double& radius);
/// The nearest number with six digits.
std::string short_text(double x);

}  // namespace daelab
