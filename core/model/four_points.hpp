// Forms of one mechanism at four points together, four numbers per instruction.
#pragma once

#include <array>
#include <vector>

#include "core/model/forms.hpp"

namespace daelab {

/// Results have the bits of the form evaluated at one point after the other.
class FourPoints {
 public:
  static constexpr Index lanes = 4;
  /// Whether a mode is one for it: without discrete-time blocks, its balance linear, and with machine code.
  static bool fit(const Forms& forms);
  using Numbers = Matrix<double>;  // (4, entries): row i is of point i
  using Columns = std::array<const double*, lanes>;

  /// The form has the dense layout and parts of these sizes; the mode fits. Makes the program unless there is one.
  FourPoints(Forms& forms, const FormKey& key, const std::vector<Index>& sizes);
  virtual ~FourPoints() = default;
  FourPoints(const FourPoints&) = delete;
  FourPoints& operator=(const FourPoints&) = delete;

  /// Inputs: time, coordinates (n), velocities (n), accelerations (n), multipliers (m), of each point.
  Vector<double> t = Vector<double>::Zero(lanes);
  Numbers q, v, a, lambda;

  /// x := what is in these columns, one of each point.
  static void put(const Columns& columns, Numbers& x);

  void run();
  /// Part k of the form; what is zero by structure is zero.
  const Numbers& part(std::size_t k) const { return parts_[k]; }

 private:
  const Program<double>& program_;
  std::vector<Numbers> parts_;
  std::vector<double*> outputs_;
  std::vector<double> work_;
  std::size_t coordinates_;  // without states
};

/// The accelerations by the first elimination of a mode that is written out: parts a (n), lambda (m), pivots.
class FourAccelerations : public FourPoints {
 public:
  static constexpr FormKey form{FormKind::accelerations};
  /// Asked for each four points that are evaluated one by one: whether more than so many were, over all runs of this
  /// mode, by which the program pays. To make it costs what 50 to 170 of them gain, and twice that where three are
  /// stages.
  static bool pay(Forms& forms, long without) { return forms.count_without_program_of_four() > without; }
  /// There is an elimination.
  explicit FourAccelerations(Forms& forms);

  /// Whether the pivots of all points are large enough.
  bool are_trusted() const;

 private:
  const WrittenOutAccelerations& elimination_;
};

}  // namespace daelab
