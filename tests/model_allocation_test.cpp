// No allocation inside solves of multipliers and derivatives of models, for double.
#include <gmock/gmock.h>

#include "tests/allocation_count.hpp"
#include "tests/method_support.hpp"
#include "tests/numeric_support.hpp"

namespace daelab {
namespace TEST_FILE {

// Solves after the first, with ranks that change on the way, so that updated inverses are factorised anew too.
TEST(MultiplierSolvers, AllocateNothingAfterTheFirstSolve) {
  RandomNumbers random(3);
  Matrix<double> X(8, 6);
  for (Index j = 0; j < 6; ++j) X.col(j) = random.vector<double>(8);
  const Matrix<double> M = Matrix<double>::Identity(8, 8), full = X.transpose();
  Matrix<double> redundant = full;
  redundant.bottomRows(2) = full.topRows(2);
  const Vector<double> f = random.vector<double>(8), twice = 2 * f, h = Vector<double>::Zero(6);
  for (std::string spec : Registry<MultiplierSolver>::instance().names()) {
    SCOPED_TRACE(spec);
    if (spec == "sr1-paper") spec += ":eps_abs=1e-10";
    if (spec == "conjugate-gradients") spec += ":eps_abs=1e-10";
    if (spec == "sr1") spec += ":eps_abs=1e-10,minimum_norm=true";
    const auto multipliers = Registry<MultiplierSolver>::instance().make(spec, "")->bind(As<double>{}, 8, 6);
    Vector<double> a(8), mu(6);
    ASSERT_TRUE(multipliers->solve({M, false, full, f, h}, a, mu).ok());
    const long before = allocations();
    for (int k = 1; k <= 4; ++k) {
      const bool change = multipliers->facts().redundant_constraints && k > 2;
      const Status status = multipliers->solve({M, false, change ? redundant : full, k % 2 ? twice : f, h}, a, mu);
      ASSERT_TRUE(status.ok()) << status.cause;
    }
    EXPECT_EQ(allocations() - before, 0);
  }
}

// The model's own derivatives, which every other problem will use too.
TEST(MechanicalModel, DerivativesAllocateNothing) {
  for (const std::string& name : Registry<Problem>::instance().names()) {
    SCOPED_TRACE(name);
    const auto any_model = Registry<Problem>::instance().make(name, "")->model(As<double>{});
    MechanicalModel<double>* const model = any_model->mechanical();
    if (model == nullptr) continue;
    const Index n = model->coordinates(), m = model->constraints();
    const Vector<double> q = model->initial_q(), v = model->initial_v(), a = v, lambda = Vector<double>::Ones(m);
    Vector<double> Q(n), C(m);
    Matrix<double> M(n, n), C_q(m, n), K(n, n), D(n, n);
    const auto evaluate_all = [&] {
      model->mass(0, q, M);
      model->force(0, q, v, Q);
      model->constraint(0, q, C, C_q);
      for (Level level : {Level::position, Level::velocity, Level::acceleration}) {
        model->constraint_level(level, 0, q, v, a, C);
        model->constraint_level_q(level, 0, q, v, a, C_q);
      }
      model->motion_jacobians(0, q, v, a, lambda, K, D);
    };
    evaluate_all();  // makes the forms
    const long before = allocations();
    evaluate_all();
    EXPECT_EQ(allocations() - before, 0);
  }
}

}  // namespace TEST_FILE
}  // namespace daelab
