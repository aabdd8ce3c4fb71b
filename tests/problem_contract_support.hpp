// A registered mechanism at a point off its constraints.
#pragma once

#include "core/integration/method.hpp"
#include "core/integration/observers.hpp"
#include "core/start/consistent_start.hpp"
#include "lab/runs/run.hpp"
#include "results/reference.hpp"
#include "tests/numeric_support.hpp"

namespace daelab {

#ifndef DAELAB_DOUBLE_ONLY  // its models are in 50 digits
inline std::string name_of_problem_test(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

// q, v and a of the coordinates, y of first-order states beside them.
struct FullState {
  Vector<Real50> q, v, a, lambda, y;
};

class EveryProblem : public testing::TestWithParam<std::string> {
 protected:
  EveryProblem()
      : problem(Registry<Problem>::instance().make(GetParam(), "")),
        model(problem->mechanical_model(As<Real50>{})),
        n(model->coordinates()),
        m(model->constraints()) {
    // A point off the constraints, where nothing cancels by accident.
    RandomNumbers random(4711);
    t = Real50(random.next() + 2) / 4;
    q = model->initial_q() + random.vector<Real50>(n) / 8;
    v = model->initial_v();
    v = v / Real50(std::max(1.0, largest(v))) +
        random.vector<Real50>(n);  // of size one: differences err by its fifth power
    a = random.vector<Real50>(n);
    lambda = random.vector<Real50>(m);
  }

  Vector<Real50> level(Level level, const Real50& s, const Vector<Real50>& x, const Vector<Real50>& w,
                       const Vector<Real50>& b) const {
    Vector<Real50> r(m);
    model->constraint_level(level, s, x, w, b, r);
    return r;
  }
  // Every constraint at its lowest level, and the constraint Jacobian.
  struct ConstraintJacobian {
    Vector<Real50> C;
    Matrix<Real50> J;
  };
  ConstraintJacobian constraint_jacobian(const Real50& s, const Vector<Real50>& x, const Vector<Real50>& w) const {
    ConstraintJacobian result{Vector<Real50>::Zero(m), Matrix<Real50>::Zero(m, n)};
    model->constraints_and_jacobian(s, x, w, result.C, result.J);
    return result;
  }
  // M a + C_q^Real50 lambda + G_v^Real50 mu - Q, of its parts.
  Vector<Real50> balance(const Vector<Real50>& x, const Vector<Real50>& w) const {
    Matrix<Real50> M(n, n);
    Vector<Real50> Q(n);
    model->mass(t, x, M);
    model->force(t, x, w, Q);
    return M * a + constraint_jacobian(t, x, w).J.transpose() * lambda - Q;
  }
  // The rows of constraints beside it: nonholonomic ones are at their own, not the position level.
  Vector<Real50> rows(Level l, const Vector<Real50>& x, const Vector<Real50>& w, const Vector<Real50>& b) const {
    Vector<Real50> forces(n), row(m);
    model->residual(l, t, x, w, b, lambda, forces, row);
    return row;
  }
  // At the time of reference; relative: each class by its own size.
  double distance(const FullState& x, const FullState& y, bool relative = false) const;

  std::shared_ptr<Problem> problem;
  std::unique_ptr<MechanicalModel<Real50>> model;
  Index n, m;
  Real50 t;
  Vector<Real50> q, v, a, lambda;
};

// States of two formulations differ in the many possible multipliers of redundant constraints, but
// not in the reaction, C_q^Real50 lambda + G_v^Real50 mu.
double EveryProblem::distance(const FullState& x, const FullState& y, bool relative) const {
  const auto reaction = [&](const FullState& state) {
    Vector<Real50> all_q = Vector<Real50>::Zero(n), all_v = Vector<Real50>::Zero(n);
    all_q.head(state.q.size()) = state.q, all_v << state.v, state.y;
    const Real50 reached = std::min(Real50(1), problem->end_time().as<Real50>());
    return Vector<Real50>(constraint_jacobian(reached, all_q, all_v).J.transpose().lazyProduct(state.lambda));
  };
  const auto part = [&](const Vector<Real50>& ours, const Vector<Real50>& theirs) {
    return largest(ours - theirs) / (relative ? 1 + largest(theirs) : 1);
  };
  const double motion =
      std::max({part(x.q, y.q), part(x.v, y.v), part(x.a, y.a), part(x.y, y.y), part(reaction(x), reaction(y))});
  return problem->redundant_constraints() > 0 ? motion : std::max(motion, part(x.lambda, y.lambda));
}
#endif

}  // namespace daelab
