// Forms of one mechanism at four points, four numbers per instruction.
#pragma once

#include <array>
#include <vector>

#include "core/mechanism/forms.hpp"

namespace daelab {

inline constexpr Index lane_count = 4;
/// Numbers of as many points (4, entries): row k is of point k.
using Lanes = Matrix<double>;

/// x := what is in these columns, one of each point.
void gather(const std::array<const double*, lane_count>& columns, Lanes& x);

/// Results have the bits of the form evaluated at one point after the other.
class FormLanes {
 public:
  /// Whether a mode is one for it: without discrete-time blocks, its equations of motion linear, and with machine code.
  static bool fit(const Forms& forms);

  /// The form has the dense layout and parts of these sizes; the mode fits. Makes the program unless there is one.
  FormLanes(Forms& forms, const FormKey& key, const std::vector<Index>& sizes);
  FormLanes(const FormLanes&) = delete;
  FormLanes& operator=(const FormLanes&) = delete;

  /// t (4); coordinates (n), velocities (n), accelerations (n) and multipliers (m) of each point.
  void run(const double* t, const Lanes& q, const Lanes& v, const Lanes& a, const Lanes& lambda);
  /// Part k of the form; what is zero by structure is zero.
  const Lanes& part(std::size_t k) const { return parts_[k]; }

 private:
  const Program<double>& program_;
  std::vector<Lanes> parts_;
  std::vector<double*> outputs_;
  std::vector<double> work_;
  Index coordinates_;  // without states
};

}  // namespace daelab
