// What the codes of SUNDIALS are given from our side. Debian compiles the library without optimisation: the operations
// on vectors are loops of this module, matrices are factorised by the program, behind a linear solver that only passes
// right-hand sides on, or by KLU, which Debian compiles with optimisation.
#pragma once

#include <sundials/sundials_context.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_nvector.h>

#include "modules/peers/peer.hpp"

namespace daelab {

/// Whose linear solver a code of SUNDIALS works with.
enum class SundialsSolver { of_program, klu };

/// Context, vectors over arrays of the program, and linear solver of one integrator.
class SundialsParts {
 public:
  SundialsParts(const PeerTask& task, PeerEquations& equations, SundialsSolver solver = SundialsSolver::of_program);
  ~SundialsParts();
  SundialsParts(const SundialsParts&) = delete;
  SundialsParts& operator=(const SundialsParts&) = delete;

  SUNContext context() const { return context_; }
  /// A vector of all unknowns over `data`; null: N_VSetArrayPointer comes later.
  N_Vector vector(double* data);
  N_Vector absolute_tolerances() const { return absolute_; }
  SUNLinearSolver solver() const { return solver_; }
  SUNMatrix matrix() const { return matrix_; }

 private:
  SUNContext context_ = nullptr;
  long size_;
  std::vector<double> tolerances_;
  std::vector<N_Vector> vectors_;
  N_Vector absolute_ = nullptr;
  SUNLinearSolver solver_ = nullptr;
  SUNMatrix matrix_ = nullptr;  // of the program: nothing is in it; of KLU: by compressed columns
};

/// Copies a matrix of the program into one of KLU, which grows where it has to.
void copy_entries(const PeerSparseMatrix& from, SUNMatrix to);

/// What a code of SUNDIALS says of its work: how often a step failed the test of its error, or its iteration, how many
/// iterations there were, and the name of a return value.
struct SundialsReports {
  int (*error_test_failures)(void*, long*);
  int (*failed_iterations)(void*, long*);
  int (*iterations)(void*, long*);
  char* (*name_of)(long);
};

/// The counts of a code, step by step, and its return values.
class SundialsCounts {
 public:
  explicit SundialsCounts(const SundialsReports& reports) : reports_(reports) {}
  /// The code counts from nothing.
  void restart() { rejected_ = failed_ = iterations_ = 0; }
  /// What has come since the last step.
  void take(void* memory, PeerStep& step);
  /// What a return value below zero means: CVODE, IDA and ARKODE number them alike.
  Status status(int flag) const;

 private:
  const SundialsReports reports_;
  long rejected_ = 0, failed_ = 0, iterations_ = 0;  // so far
};

std::unique_ptr<PeerIntegrator> cvode_integrator(const PeerTask& task, PeerEquations& equations, double* y,
                                                 double* ydot);
std::unique_ptr<PeerIntegrator> ida_integrator(const PeerTask& task, PeerEquations& equations, double* y, double* ydot);
std::unique_ptr<PeerIntegrator> arkode_integrator(const PeerTask& task, PeerEquations& equations, double* y,
                                                  double* ydot);

}  // namespace daelab
