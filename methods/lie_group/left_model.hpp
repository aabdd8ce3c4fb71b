// A mechanical model at configurations of groups: the base of its coordinates is moved there, where coordinates are
// zero. Then velocities and accelerations are left ones, and all blocks of the model those of the left-trivialised
// equations of motion, M v' = Q - B^T lambda, B v = -C_t, B v' = -h.
//
// A step of this family moves the base, and puts it back before it ends.
#pragma once

#include "core/equations/mechanical_layout.hpp"
#include "core/integration/state.hpp"
#include "core/mechanism/configuration_space.hpp"

namespace daelab {

template <class T>
class LeftModel {
 public:
  explicit LeftModel(MechanicalModel<T>& model)
      : space(model.groups()), model_(model), layout_(layout_of(static_cast<Model<T>&>(model))) {
    for (Vector<T>* x : {&q_, &v_, &a_}) x->setZero(layout_.n);
  }
  const MechanicalLayout& layout() const { return layout_; }

  /// While it lives the base may be moved; it is back at what it was afterwards.
  class Visit {
   public:
    explicit Visit(LeftModel& left) : left_(left) { left.held_ = left.model_.held(); }
    ~Visit() { left_.model_.hold(left_.held_); }
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;

   private:
    LeftModel& left_;
  };

  Configuration<T> configuration() const { return {Vector<T>::Zero(layout_.n), model_.held()}; }

  /// During a visit: the point of a state, its left velocity and acceleration.
  void load(const State<T>& from, Configuration<T>& g, Vector<T>& v, Vector<T>& a) {
    q_ = layout_.q(from.y), v = layout_.v(from.y), a = layout_.a(from.ydot);
    space.left_from_chart(q_, v, a);
    space.place(held_, q_, g);
  }
  /// The model is at g from here on, where its coordinates are g.q.
  void go_to(const Configuration<T>& g) { model_.hold(g.held); }
  /// (q, v) and (q', v') of a state about the base of the visit, with nothing lost to rounding that is known.
  void store(const Configuration<T>& g, const Vector<T>& v, const Vector<T>& a, State<T>& to) {
    v_ = v, a_ = a;
    space.coordinates(held_, g, q_);
    space.chart_from_left(q_, v_, a_);
    to.y.head(layout_.n) = q_, to.y.segment(layout_.n, layout_.n) = v_;
    to.ydot.head(layout_.n) = v_, to.ydot.segment(layout_.n, layout_.n) = a_;
    to.compensation.setZero();
  }

  /// The coordinates q of g about that base, and in place of a left velocity that of coordinates.
  void end_of(const Configuration<T>& g, Vector<T>& v, Vector<T>& q) {
    space.coordinates(held_, g, q);
    a_.setZero();
    space.chart_from_left(q, v, a_);
  }

  const ConfigurationSpace<T> space;

 private:
  MechanicalModel<T>& model_;
  MechanicalLayout layout_;
  Vector<T> held_;  // of the visit
  Vector<T> q_, v_, a_;
};

}  // namespace daelab
