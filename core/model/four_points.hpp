// A form of one mechanism at four points together, four numbers per instruction.
#pragma once

#include <array>
#include <vector>

#include "core/model/forms.hpp"

namespace daelab {

/// Results have the bits of the form evaluated at one point after the other.
class FourPoints {
 public:
  static constexpr Index lanes = 4;
  using Numbers = Matrix<double>;  // (4, entries): row i is of point i
  using Columns = std::array<const double*, lanes>;

  /// The form has the dense layout and parts of these sizes; the mode has no discrete-time blocks, and its balance is
  /// linear. Makes the program unless there is one.
  FourPoints(Forms& forms, const FormKey& key, const std::vector<Index>& sizes);
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

}  // namespace daelab
