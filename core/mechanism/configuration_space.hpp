// Configurations of a mechanism: points of Lie groups and coordinates in R^n, as integrators on groups move them.
#pragma once

#include <vector>

#include "core/mechanism/lie_group.hpp"

namespace daelab {

/// `held` carries the points of groups as bases; q is zero in their coordinates.
template <class T>
struct Configuration {
  Vector<T> q, held;
};

/// The product of the groups of a mechanism and of R^n. Velocities are left ones, and plain ones in R^n, where all
/// operators are trivial. Nothing is allocated where shapes are right.
template <class T>
class ConfigurationSpace {
 public:
  explicit ConfigurationSpace(const std::vector<GroupCoordinates>& groups) {
    for (const GroupCoordinates& group : groups) parts_.push_back({lie::Operators<T>(group.group), group});
  }
  bool has_groups() const { return !parts_.empty(); }

  /// The configuration with coordinates q about the bases in `held`.
  void place(const Vector<T>& held, const Vector<T>& q, Configuration<T>& to) const {
    to.held = held, to.q = q;
    for (const Part& part : parts_) {
      part.with.compose(lie::Retraction::cayley, q.data() + part.at.first, to.held.data() + part.at.base);
      to.q.segment(part.at.first, part.with.dimension()).setZero();
    }
  }
  /// Its coordinates about the bases in `held`.
  void coordinates(const Vector<T>& held, const Configuration<T>& of, Vector<T>& q) const {
    q = of.q;
    for (const Part& part : parts_)
      part.with.difference(lie::Retraction::cayley, held.data() + part.at.base, of.held.data() + part.at.base,
                           q.data() + part.at.first);
  }
  /// g := g exp(w), in R^n q + w.
  void move(lie::Retraction retraction, const Vector<T>& w, Configuration<T>& g) const {
    g.q += w;
    for (const Part& part : parts_) {
      part.with.compose(retraction, w.data() + part.at.first, g.held.data() + part.at.base);
      g.q.segment(part.at.first, part.with.dimension()).setZero();
    }
  }

  /// Left velocities and accelerations of coordinates q, in place.
  void left_from_chart(const Vector<T>& q, Vector<T>& v, Vector<T>& a) const {
    for (const Part& part : parts_)
      part.with.left_from_chart(q.data() + part.at.first, v.data() + part.at.first, a.data() + part.at.first);
  }
  void chart_from_left(const Vector<T>& q, Vector<T>& v, Vector<T>& a) const {
    for (const Part& part : parts_)
      part.with.chart_from_left(q.data() + part.at.first, v.data() + part.at.first, a.data() + part.at.first);
  }

  /// x := hat(v) x
  void bracket(const Vector<T>& v, Vector<T>& x) const {
    each([&](const auto& with, Index i) { with.bracket(v.data() + i, x.data() + i); }, x);
  }
  /// x := hat(v)^T x
  void transposed_bracket(const Vector<T>& v, Vector<T>& x) const {
    each([&](const auto& with, Index i) { with.transposed_bracket(v.data() + i, x.data() + i); }, x);
  }
  /// x := T^-1(w) x
  void inverse_tangent(const Vector<T>& w, Vector<T>& x) const {
    for (const Part& part : parts_) part.with.inverse_tangent(w.data() + part.at.first, x.data() + part.at.first);
  }
  /// x := T^-T(w) x
  void transposed_inverse_tangent(const Vector<T>& w, Vector<T>& x) const {
    for (const Part& part : parts_)
      part.with.transposed_inverse_tangent(w.data() + part.at.first, x.data() + part.at.first);
  }
  /// x := the velocity in chart coordinates at w, of a left velocity x.
  void inverse_chart_tangent(const Vector<T>& w, Vector<T>& x, Vector<T>& scratch) const {
    scratch.setZero();
    chart_from_left(w, x, scratch);
  }
  /// T(w), (n, n).
  void tangent_matrix(const Vector<T>& w, Matrix<T>& A) const {
    A.setIdentity();
    for (const Part& part : parts_)
      for (Index j = part.at.first; j < part.at.first + part.with.dimension(); ++j)
        part.with.tangent(w.data() + part.at.first, A.col(j).data() + part.at.first);
  }

 private:
  struct Part {
    lie::Operators<T> with;
    GroupCoordinates at;
  };
  // Of brackets, which vanish in R^n.
  void each(const auto& bracket, Vector<T>& x) const {
    Index done = 0;
    for (const Part& part : parts_) {
      x.segment(done, part.at.first - done).setZero();
      bracket(part.with, part.at.first);
      done = part.at.first + part.with.dimension();
    }
    x.tail(x.size() - done).setZero();
  }

  std::vector<Part> parts_;  // by their coordinates
};

}  // namespace daelab
