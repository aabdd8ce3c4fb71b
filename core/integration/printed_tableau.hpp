// A Runge-Kutta tableau as its text prints it: what is exact, what is rounded and how far, and tableaus that nothing is
// asked of.
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "core/base/coefficient_lists.hpp"
#include "core/integration/tableau.hpp"

namespace daelab {

/// How an entry is given: as a text that can only be exact, as a plain decimal, as a fraction with a long denominator.
struct Printed {
  enum class Form { exact, decimal, fraction };
  Form form = Form::exact;
  int digits = 0;       // behind the point, to which it is given
  int whole = 0;        // digits before the point: of a decimal it has them, too
  int denominator = 0;  // its digits, of a fraction
};

struct PrintedVector {
  Vector<Real100> values;
  std::vector<Printed> printed;
};

/// Which entries are taken as rounded: decimals of so many places, and fractions with so many digits in the
/// denominator.
struct Reading {
  static constexpr int no_fraction = std::numeric_limits<int>::max();

  int shortest_decimal, shortest_denominator;
};

/// The texts of a tableau, which of them are rounded, and how far.
class PrintedTableau {
 public:
  /// Reads {"name", "A", "b", "c"?, "b_embedded"?, ...} and sets the values of t. Throws InputError with the JSON
  /// pointer, which `where` prefixes, for what has another form.
  PrintedTableau(const Json& json, const std::string& where, Tableau& t);

  /// The strictest first; each takes more as rounded than the one before.
  std::vector<Reading> readings() const;
  /// Sets the errors of t.
  void apply(const Reading& reading, Tableau& t);

 private:
  void count();
  bool allows(const Reading& reading, int before) const;
  void for_all(const std::function<void(const Printed&)>& action) const;
  bool is_shorter(const Printed& x) const;
  bool is_rounded(const Printed& x, bool shorter_is_exact) const;
  void set_errors(bool shorter_is_exact, Tableau& t);
  bool shorter_ones_hold(Tableau& t);
  Vector<Real100> errors(const PrintedVector& list, bool shorter_is_exact);
  Real100 error(const Printed& x);

  std::vector<PrintedVector> A_;
  PrintedVector b_, c_, b_embedded_;       // c_: of no entries where it follows from A
  std::map<int, int> counts_, fractions_;  // of decimals, by their places; of fractions, by those of the denominator
  int short_ = 0, long_ = 0;
  Reading reading_{surely_rounded_places, Reading::no_fraction};
  int usual_ = 0, weakest_ = 0;
};

/// Coefficients carry about 100 digits: beyond 80 only the round-off of generating them differs.
bool is_zero(const Real100& x);
/// Zero, as far as the errors of the coefficients that it is made of allow.
bool vanishes(const Tableau& t, const Real100& sum, const Real100& error);
/// c_i is the sum of row i, as far as rounding allows.
bool row_sum_holds(const Tableau& t, Index i);

/// A tableau by its form alone: row sums, weights and orders are what they are. Its entries are read by the strictest
/// reading that has the highest `quality`.
Tableau tableau_as_printed(const Json& json, const std::string& where,
                           const std::function<int(const Tableau&)>& quality);

}  // namespace daelab
