// Outlines with numbers for expressions: what is drawn of a mechanism at one time.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "core/base/scalar.hpp"
#include "core/mechanism/problem.hpp"

namespace daelab {

template <class T>
class Program;

/// The outline of a problem as a function of time and place, for sketches and animations.
class OutlineMotion {
 public:
  /// Records the mode that the problem starts in.
  explicit OutlineMotion(const Problem& problem);
  ~OutlineMotion();

  /// The problem draws nothing.
  bool is_empty() const { return outline_.shapes.empty(); }
  const std::vector<std::string>& coordinate_names() const { return coordinate_names_; }
  double start_t() const { return start_t_; }
  const Vector<double>& start_q() const { return start_q_; }
  const Vector<double>& start_s() const { return start_s_; }
  /// q: (n) as reported, s: (k) first-order states. Points in space are projected by the outline's view.
  std::vector<DrawnShape> at(double t, const Vector<double>& q, const Vector<double>& s) const;
  std::vector<DrawnShape> at_start() const { return at(start_t_, start_q_, start_s_); }

 private:
  std::array<double, 2> on_paper(const double* point) const;

  Outline outline_;  // its expressions are those of a graph that is gone: counted, not looked at
  std::vector<std::string> coordinate_names_;
  double start_t_ = 0;
  Vector<double> start_q_, start_s_, held_;
  std::vector<GroupCoordinates> groups_;
  std::size_t values_ = 0;
  std::unique_ptr<Program<double>> program_;
};

}  // namespace daelab
