// Fixed-step runs of the heavy top on groups, whose bases follow the motion, and its motion to compare with.
#pragma once

#include <gtest/gtest.h>

#include "core/mechanism/configuration_space.hpp"
#include "tests/method_support.hpp"
#include "tests/numeric_support.hpp"

namespace daelab {

/// What all descriptions of the top have in common, and the velocities of one of them.
template <class T>
struct TopMotion {
  lie::Quaternion<T> p;
  lie::Vector3<T> x;
  Vector<T> v, lambda;
};

/// A model in one formulation, with the consistent state at its start.
template <class T>
struct BoundModel {
  BoundModel(std::unique_ptr<MechanicalModel<T>> of, const std::string& formulation)
      : model(std::move(of)),
        layout(layout_of<T>(*model)),
        multipliers(multipliers_for(*model)),
        system(Registry<Formulation>::instance().make(formulation, "")->system(*model, *multipliers)) {
    for (Vector<T>* x : {&start.y, &start.ydot, &start.compensation}) x->setZero(system->size());
    start.y.head(2 * layout.n) = model->initial_y();
    if (const Status status = system->consistent_start(start.t, start.y, start.ydot); !status.ok())
      throw std::runtime_error(status.cause);
  }
  BoundModel(const std::string& problem, const std::string& formulation)
      : BoundModel(Registry<Problem>::instance().make(problem, "")->mechanical_model(As<T>{}), formulation) {}

  std::unique_ptr<MechanicalModel<T>> model;
  MechanicalLayout layout;
  std::unique_ptr<Multipliers<T>> multipliers;
  std::unique_ptr<System<T>> system;
  State<T> start;
};

/// A model with one body, whose rotation comes first among its coordinates. Its base moves to where a step ends.
template <class T>
class GroupRun {
 public:
  GroupRun(const std::string& problem, const std::string& formulation, const std::string& method)
      : GroupRun(BoundModel<T>(problem, formulation), method) {}
  GroupRun(BoundModel<T> model, const std::string& method)
      : bound(std::move(model)), space(bound.model->groups()), stepper(method_of(method)->stepper(*bound.system, {})) {
    state = bound.start;
    state.memory = stepper->make_memory();
    next = state;
    here = {Vector<T>::Zero(bound.layout.n), bound.model->held()};
    recentre();
  }
  void march(int count, const T& h) {
    for (int k = 0; k < count; ++k) {
      const Status status = stepper->step(state, h, next);
      ASSERT_TRUE(status.ok()) << status.cause << ", step " << k;
      std::swap(state, next);
      recentre();
    }
  }
  TopMotion<T> motion() const {
    TopMotion<T> m;
    m.p = here.held.template head<4>();
    m.v = bound.layout.v(state.y), m.lambda = bound.layout.lambda(state.y);
    if (here.held.size() == 7)
      m.x = here.held.template tail<3>();
    else
      m.x = bound.layout.n == 6 ? lie::Vector3<T>(here.q.template tail<3>())
                                : lie::Vector3<T>(lie::rotation_matrix(m.p).col(1));
    return m;
  }
  T energy() const { return bound.model->energy(state.t, bound.layout.q(state.y), bound.layout.v(state.y)).total(); }
  T defect(Level level) const {
    Vector<T> row(bound.layout.m);
    bound.model->constraint_level(level, state.t, bound.layout.q(state.y), bound.layout.v(state.y),
                                  bound.layout.a(state.ydot), row);
    return max_norm(row);
  }

  BoundModel<T> bound;
  ConfigurationSpace<T> space;
  std::unique_ptr<Stepper<T>> stepper;
  State<T> state, next;
  Configuration<T> here;

 private:
  void recentre() {
    const Index n = bound.layout.n;
    Vector<T> q = bound.layout.q(state.y), v = bound.layout.v(state.y), a = bound.layout.a(state.ydot);
    space.place(bound.model->held(), q, here);
    space.left_from_chart(q, v, a);
    bound.model->hold(here.held);
    state.y.head(n) = here.q, state.y.segment(n, n) = v;
    state.ydot.head(n) = v, state.ydot.segment(n, n) = a;
  }
};

/// The fast top of the sources, or the slow one.
inline std::string heavy_top(const std::string& description, bool fast = true) {
  return "heavy-top-so3:description=" + description + (fast ? "" : ",omega_y=3/2,omega_z=-0.0461538");
}

/// The motion after `every`, 2 `every`, ... of `count` steps, by the description without constraints and a method of
/// order 8.
template <class T>
std::vector<TopMotion<T>> top_motion(bool fast, int count, int every, const T& h) {
  GroupRun<T> run(heavy_top("so3", fast), "index-1", "rkmk:tableau=verner-87");
  std::vector<TopMotion<T>> motions;
  for (int k = every; k <= count; k += every) {
    run.march(every, h);
    motions.push_back(run.motion());
  }
  return motions;
}

/// That in another description, whose velocities are left ones: with its own velocity and its multipliers.
template <class T>
TopMotion<T> described(const TopMotion<T>& so3, const BoundModel<T>& bound) {
  TopMotion<T> m = so3;
  Vector<T> held = bound.model->held();
  const bool is_motion = held.size() == 7;
  const lie::Vector3<T> omega = so3.v, U = lie::cross<T>(omega, {T(0), T(1), T(0)});
  m.v.resize(6), m.v << omega, (is_motion ? U : lie::Vector3<T>(lie::rotation_matrix(so3.p) * U));
  held.template head<4>() = so3.p;
  if (is_motion) held.template tail<3>() = so3.x;
  bound.model->hold(held);
  State<T> at = bound.start;
  at.y.setZero();
  if (!is_motion) at.y.template segment<3>(3) = so3.x;
  at.y.template segment<6>(6) = m.v;
  EXPECT_TRUE(bound.system->consistent_derivatives(T(0), at.y, at.ydot).ok());
  m.lambda = bound.layout.lambda(at.y);
  return m;
}

/// Norms of Euclid over the square root of the number of entries: of (R, x), of velocities, of multipliers.
struct TopErrors {
  double q = 0, v = 0, lambda = 0;

  template <class T>
  void take(const TopMotion<T>& m, const TopMotion<T>& e) {
    using std::sqrt;
    const T R = (lie::rotation_matrix(m.p) - lie::rotation_matrix(e.p)).squaredNorm();
    q = std::max(q, static_cast<double>(sqrt(T((R + (m.x - e.x).squaredNorm()) / T(12)))));
    v = std::max(v, static_cast<double>((m.v - e.v).norm()) / std::sqrt(static_cast<double>(m.v.size())));
    if (m.lambda.size() > 0)
      lambda = std::max(lambda, static_cast<double>((m.lambda - e.lambda).norm()) / std::sqrt(3.0));
  }
};

}  // namespace daelab
