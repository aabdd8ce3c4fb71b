// Range, tics and number format of one axis, chosen from the data so that panels of a figure agree.
#pragma once

#include <string>
#include <vector>

namespace daelab {

/// A labelled tic; the text is plain: "5·10^-4".
struct AxisTic {
  double value = 0;
  std::string text;
};

struct Axis {
  bool log = false;
  double lo = 0, hi = 1;       // in data units
  int exponent = 0;            // a linear axis shows value / 10^exponent
  std::string tics;            // what follows `set xtics`
  std::string more_tics = {};  // what follows `set xtics add`: tics without labels; "": none
  std::vector<AxisTic> labels = {};
  std::string format;      // of the tic labels, in gnuplot's notation
  int minor = 0;           // minor intervals between tics; 0 = none
  double label_width = 3;  // of the widest tic label, in characters

  /// Place along the axis, from 0 to 1.
  double place(double value) const;
  /// Whether the labels have a gap between them on an axis of that length [mm].
  bool labels_fit(double length) const;
};

/// The axis that shows all `values` with a margin of `pad` of its length on both ends and about
/// `most_tics` labelled tics. Without values: 0 to 1, or 1 to 10.
Axis make_axis(const std::vector<double>& values, bool log, double pad, int most_tics);

/// The linear axis from lo to hi.
Axis make_linear_axis(double lo, double hi, int most_tics);

}  // namespace daelab
