// Methods on Lie groups as JSON documents.
#pragma once

#include <string>
#include <vector>

#include "core/base/coefficient_lists.hpp"
#include "core/base/json.hpp"
#include "methods/lie_group/lie_scheme.hpp"

namespace daelab {

/// Products of exponentials in a document: of each stage, and of the step.
class ExponentialReader {
 public:
  enum class Commutators { refused, allowed };
  struct Products {
    std::vector<LieProduct> stages;
    LieProduct step;
  };

  /// Decimals of `rounded` places and more are rounded ones.
  explicit ExponentialReader(Commutators commutators, int rounded = surely_rounded_places)
      : commutators_(commutators), rounded_(rounded) {}
  /// Throws InputError with the place, for a row that uses its own stage or a later one, too.
  Products products(const Json& json, const std::string& where);
  int digits() const { return digits_; }
  const Real100& error() const { return error_; }

 private:
  LieProduct product(const Json& json, const std::string& where, std::size_t slopes);
  LieExponent exponent(const Json& json, const std::string& where, std::size_t slopes);
  Vector<Real100> row(const Json& json, const std::string& where, std::size_t slopes);
  LieExponent::Commutator commutator(const Json& json, const std::string& where, std::size_t slopes);
  Real100 number(const Json& json, const std::string& where);

  Commutators commutators_;
  int rounded_, digits_ = 0;
  Real100 error_{0};
  std::size_t stages_ = 0;
};

/// Whether a document is one of exponentials, or a tableau with the key dexpinv.
bool is_lie_document(const Json& json);

/// Nothing that the document claims is asked for. It is one of
///
///   {"exponentials", "step", "c"?, "equation"?}: commutator_free_from_json has the lists; an exponential may also be
///     {"weights", "commutators": [[i, j, weight], ...]}, of [k_i, k_j] with slopes counted from 1. Times c of stages
///     are by default the sums of weights. Commutators are those of the equation: "g v" of g' = g v, "A u" of
///     u' = A u.
///   {"A", "b", "c"?, "dexpinv": "exact" | n}: Runge-Kutta-Munthe-Kaas, with n powers of the series.
///
/// Shorter decimals are taken as exact, or as rounded if that has a higher order. Throws InputError with the place.
LieScheme lie_scheme_as_printed(const Json& json, const std::string& where);

}  // namespace daelab
