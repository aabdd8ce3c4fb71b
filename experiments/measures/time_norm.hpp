// Norms of errors over time: at the end time, or over the samples of a run and of its reference.
#pragma once

#include <string>
#include <vector>

#include "experiments/measures/accuracy.hpp"

namespace daelab {

enum class OverTime { end, maximum, l2 };
std::vector<std::string> names_of(OverTime);

/// The error of q of a rotation: entries of rotation vectors, or the angle |log(R_ref^T R)| between both rotations.
enum class RotationErrors { components, geodesic };
std::vector<std::string> names_of(RotationErrors);

/// The norm of a class is that of its component with the largest one.
///
///   end      |e(T)|
///   maximum  max over the sampled times |e(t)|
///   l2       sqrt(1/(t_n - t_0) int |e(t)|^2 dt), the integral by the trapezoidal rule on the sampled times
struct TimeNorm {
  OverTime over_time = OverTime::end;
  bool relative = false;  // over the same norm of the reference
  RotationErrors rotations = RotationErrors::components;

  bool is_geodesic() const { return rotations == RotationErrors::geodesic; }
  /// Whether it is what errors are measured in unless a config says otherwise.
  bool is_usual() const { return over_time == OverTime::end && !relative && !is_geodesic(); }
  bool needs_samples() const { return over_time != OverTime::end; }
  /// "maximum, relative"
  std::string name() const;
  /// "largest relative error": what is plotted.
  std::string quantity() const;
  /// What captions say of errors of classes.
  std::string words() const;
};

/// Throws InputError where a norm over sampled times has no samples of all runs and, at the same times, of a reference
/// run: of stored references the end is known alone; and where angles between rotations are asked of a problem that has
/// none.
void check_norm(const TimeNorm& norm, const Config& config);

/// The norm of the error of a class, or of one component such as "q3". Not a number where a reference of zero leaves a
/// relative error undefined.
Real50 error_of(const RunRecord& record, const ReferenceSolution& reference, const std::string& component,
                const TimeNorm& norm);

}  // namespace daelab
