// A mechanism with an independent motion, at points of it.
#pragma once

#include "core/solvers/dense.hpp"
#include "lab/runs/run.hpp"
#include "results/record_values.hpp"
#include "results/reference.hpp"
#include "tests/numeric_support.hpp"

namespace daelab {

#ifndef DAELAB_DOUBLE_ONLY  // its models are in 50 digits
struct Mechanism {
  explicit Mechanism(const Json& spec)
      : problem(Registry<Problem>::instance().make(spec, "")),
        model(problem->mechanical_model(As<Real50>{})),
        n(model->coordinates()),
        m(model->constraints()) {}

  Motion motion(const Real50& t) const { return *problem->independent_solution(t, 50); }
  Vector<Real50> observed(const Real50& t, const Motion& at) const {
    Vector<Real50> out(static_cast<Index>(model->observable_names().size()));
    model->observables(t, joined(at.q, at.v), out);
    return out;
  }
  Real50 energy(const Real50& t) const {
    const Motion at = motion(t);
    return model->energy(t, at.q, at.v).total();
  }
  Vector<Real50> level(Level which, const Real50& t, const Motion& at) const {
    Vector<Real50> r(m);
    model->constraint_level(which, t, at.q, at.v, Vector<Real50>::Zero(n), r);
    return r;
  }
  // Singular values of C_q, descending.
  Vector<double> singular_values(const Real50& t, const Vector<Real50>& q) const {
    Vector<Real50> C(m);
    Matrix<Real50> C_q(m, n);
    model->constraint(t, q, C, C_q);
    return dense::singular_values(C_q.unaryExpr([](const Real50& x) { return static_cast<double>(x); }));
  }
  Index rank(const Real50& t, const Vector<Real50>& q) const {
    const Vector<double> values = singular_values(t, q);
    return (values.array() > 1e-12 * values[0]).count();
  }

  std::shared_ptr<Problem> problem;
  std::unique_ptr<MechanicalModel<Real50>> model;
  Index n, m;
};
#endif

}  // namespace daelab
