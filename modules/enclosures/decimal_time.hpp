// Times as decimals, which are added exactly.
#pragma once

#include <string>

#include "modules/enclosures/balls.hpp"

namespace daelab {

/// A multiple of 1e-60.
class DecimalTime {
 public:
  DecimalTime() { fmpz_init(units_); }
  explicit DecimalTime(const std::string& text);
  /// At most x, with three digits.
  static DecimalTime below(double x);
  DecimalTime(const DecimalTime& other) : DecimalTime() { fmpz_set(units_, other.units_); }
  DecimalTime& operator=(const DecimalTime& other) {
    fmpz_set(units_, other.units_);
    return *this;
  }
  ~DecimalTime() { fmpz_clear(units_); }

  DecimalTime operator+(const DecimalTime& other) const;
  DecimalTime operator-(const DecimalTime& other) const;
  bool operator<(const DecimalTime& other) const { return fmpz_cmp(units_, other.units_) < 0; }
  double value() const;
  std::string text() const;
  void put_into(arb_ptr x, slong precision) const;

 private:
  static constexpr ulong places = 60;
  fmpz_t units_;
};

}  // namespace daelab
