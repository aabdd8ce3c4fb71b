// A function of the motion over one step, enclosed: the motion is the Hermite polynomials of dense output.
#pragma once

#include <array>
#include <vector>

#include "core/equations/mechanical_layout.hpp"
#include "core/expressions/enclosing_program.hpp"
#include "core/integration/root_isolation.hpp"
#include "core/integration/state.hpp"
#include "core/mechanism/recording.hpp"

namespace daelab {

/// A function of t, q, v, s and held outputs. Times are seconds after the begin of the step. Not for functions of
/// anything else: see is_of_motion().
template <class T>
class EnclosedStep final : public EnclosedFunction {
 public:
  /// `layout`: of the system, n = 0 for ordinary models.
  EnclosedStep(const Recording& recording, const Expression& function, const MechanicalLayout& layout);

  void take(const State<T>& from, const State<T>& to, const Vector<T>& held);
  double length() const { return length_; }
  Enclosure over(double a, double b) override;

 private:
  // Course of one input over the step, in x from 0 to 1.
  struct Course {
    EnclosingProgram::Place place;
    InputBlock block;
    Index index;  // in q or v of a mechanism, in y of an ordinary model, in the held outputs
    std::array<double, 6> powers{};
  };
  void add(const EnclosingProgram::Place& place, Index coordinates);
  void take_course(Course& course, const State<T>& from, const State<T>& to) const;

  EnclosingProgram program_;
  MechanicalLayout layout_;
  std::vector<Course> courses_;
  double start_ = 0, length_ = 0;
};

}  // namespace daelab
