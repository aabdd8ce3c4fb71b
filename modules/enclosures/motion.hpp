// A motion from its start to the end, step by step, in sets c + A [-r, r].
//
// A step: the Taylor polynomial of the centre in high precision, its error, and the mean value theorem for the set,
//
//   x(h; c + d) in p(h) + [-e, e] + J d,
//
// J the derivatives of the flow along the columns of A, by series of a low order over the set. [Lohner 1987; Nedialkov,
// Jackson, Corliss 1999]
#pragma once

#include <optional>
#include <vector>

#include "modules/enclosures/decimal_time.hpp"
#include "modules/enclosures/frames.hpp"
#include "modules/enclosures/motion_series.hpp"
#include "modules/enclosures/newton.hpp"
#include "modules/enclosures/refusal.hpp"
#include "modules/enclosures/tails.hpp"

namespace daelab {

class EnclosedMotion {
 public:
  /// Centres have so many decimals.
  EnclosedMotion(const EnclosureTask& task, long decimals);

  /// Adds to `result` up to the end, or throws Refusal; result.reached is kept up to date.
  void run(MotionEnclosure& result);

 private:
  struct Set {
    DecimalTime t;
    std::vector<std::string> text, radii_text;
    Balls centre;  // of the unknowns that are not algebraic
    DecimalFrame frame;
    std::vector<double> radii;
  };
  void begin(MotionEnclosure& result);
  void expand();
  double radius() const;
  void bound_centre();
  void bound_set(bool with_a_smaller_disc);
  double step_size() const;
  void check_redundant();
  void advance(const DecimalTime& h, const Balls& B);
  enum class FlowBound { none, loose, close };
  FlowBound apply_flow(const DecimalTime& h, Balls& B);
  bool widens_little(const Balls& B, const std::vector<double>& left_out) const;
  void finish(MotionEnclosure& result);
  EnclosureSet described(bool with_frame) const;
  Balls hull_of_set(slong precision) const;

  const EnclosureTask& task_;
  long decimals_;
  double tolerance_;
  slong precision_;
  int order_;
  std::size_t n_, free_;  // unknowns; without algebraic ones
  MotionSeries centre_series_, set_series_;
  Conditions determining_, determining_set_, redundant_;
  Set set_;
  Balls algebraic_;  // of the centre, as the motion arrives there
  std::optional<MotionTails> centre_tails_, set_tails_;
  double set_ratio_ = 0.4;                       // of a step to the radius of the disc, at most
  double centre_share_ = 0.7, set_share_ = 0.7;  // of the radius of convergence, that were good
  std::vector<std::vector<double>> derivative_;
};

}  // namespace daelab
