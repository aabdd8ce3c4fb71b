// Linear problems: a consistent system A x = b beside one whose pseudo-inverse is known,
//
//   A x = b,  A = A0 + eps F,  A0 x = b0,       A0, A symmetric positive semidefinite.     [Iv23, eq. (4)]
//
// They are what multiplier solvers with a memory see from one evaluation to the next, taken out of the
// mechanics. A problem gives its pair in 100 digits; what follows from it (ranges, pseudo-inverses, solutions)
// is computed in 100 digits too and rounded once, so every scalar sees the same problem.
//
// [Iv23] Ivanov, Vestnik Permskogo Universiteta, Matematika Mekhanika Informatika 1(60), 2023, 30-46.
#pragma once

#include <optional>

#include "core/base/registry.hpp"
#include "core/base/scalar.hpp"

namespace daelab {

/// The known system and the perturbed one.
struct LinearPair {
  Matrix<Real100> A0, A;  // (n, n)
  Vector<Real100> b0, b;  // (n)
};

/// A pair with all that can be known of it, rounded to T. U is the orthonormal basis `range`. Where A has the
/// range of A0, `inverse` is A^+, `A_on_range` is A and `x` is A^+ b.
template <class T>
struct LinearSystem {
  Matrix<T> A0, A;       // (n, n)
  Vector<T> b0, b;       // (n)
  Matrix<T> range;       // (n, rank) of A0
  Matrix<T> H0;          // (n, n) A0^+
  Matrix<T> A_on_range;  // (n, n) U U^T A U U^T
  Matrix<T> inverse;     // (n, n) U (U^T A U)^-1 U^T
  Vector<T> x;           // (n) inverse b: the one solution in the range of A0
  Vector<T> least_norm;  // (n) A^+ b

  Index rank() const { return range.cols(); }
};

/// Throws InputError under `where` when A0 or A is not square, not of the size of the vectors, not symmetric, zero or
/// not positive semidefinite, when A is singular on the range of A0, or b is zero.
void check_linear_pair(const LinearPair& pair, const std::string& where);

/// Needs a pair that passes the check.
template <class T>
LinearSystem<T> linear_system(const LinearPair& pair);

class LinearProblem : public Component {
 public:
  static constexpr const char* kind = "linear-problem";
  virtual LinearPair pair() const = 0;
};

/// From an options struct with name, summary, source, options() and `LinearPair pair() const`.
template <class Definition>
class LinearProblemOf final : public LinearProblem {
 public:
  LinearProblemOf(Definition definition, const std::string& where) : definition_(std::move(definition)) {
    if constexpr (requires { definition_.validate(where); }) definition_.validate(where);
  }
  LinearPair pair() const override { return definition_.pair(); }

 private:
  Definition definition_;
};

/// The last line of a linear problem's file.
template <class Definition>
struct LinearProblemEntry {
  explicit LinearProblemEntry(const char* file = __builtin_FILE()) {
    Registry<LinearProblem>::instance().add(
        registry_entry<LinearProblem, Definition, LinearProblemOf<Definition>>(file));
  }
};

}  // namespace daelab
