#include "modules/peers/sundials_parts.hpp"

#include <nvector/nvector_serial.h>
#include <sundials/sundials_version.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace daelab {
namespace {

// ---------------------------------------------------------------- vectors: those of the library with loops of ours

const double* data(N_Vector x) { return NV_DATA_S(x); }
double* values(N_Vector x) { return NV_DATA_S(x); }
long size(N_Vector x) { return static_cast<long>(NV_LENGTH_S(x)); }

template <class Function>
void for_each(N_Vector z, Function function) {
  double* const out = values(z);
  const long n = size(z);
  for (long i = 0; i < n; ++i) out[i] = function(i);
}

template <class Function>
double sum(N_Vector x, Function function) {
  double total = 0;
  const long n = size(x);
  for (long i = 0; i < n; ++i) total += function(i);
  return total;
}

void linear_sum(double a, N_Vector x, double b, N_Vector y, N_Vector z) {
  const double *p = data(x), *q = data(y);
  for_each(z, [=](long i) { return a * p[i] + b * q[i]; });
}
void fill(double c, N_Vector z) {
  for_each(z, [=](long) { return c; });
}
void product(N_Vector x, N_Vector y, N_Vector z) {
  const double *p = data(x), *q = data(y);
  for_each(z, [=](long i) { return p[i] * q[i]; });
}
void quotient(N_Vector x, N_Vector y, N_Vector z) {
  const double *p = data(x), *q = data(y);
  for_each(z, [=](long i) { return p[i] / q[i]; });
}
void scale(double c, N_Vector x, N_Vector z) {
  const double* p = data(x);
  for_each(z, [=](long i) { return c * p[i]; });
}
void absolute_value(N_Vector x, N_Vector z) {
  const double* p = data(x);
  for_each(z, [=](long i) { return std::abs(p[i]); });
}
void inverse(N_Vector x, N_Vector z) {
  const double* p = data(x);
  for_each(z, [=](long i) { return 1 / p[i]; });
}
void add_constant(N_Vector x, double b, N_Vector z) {
  const double* p = data(x);
  for_each(z, [=](long i) { return p[i] + b; });
}
double dot_product(N_Vector x, N_Vector y) {
  const double *p = data(x), *q = data(y);
  return sum(x, [=](long i) { return p[i] * q[i]; });
}
double largest(N_Vector x) {
  double most = 0;
  for (long i = 0; i < size(x); ++i) most = std::max(most, std::abs(data(x)[i]));
  return most;
}
double weighted_norm(N_Vector x, N_Vector w) {
  const double *p = data(x), *q = data(w);
  const double total = sum(x, [=](long i) { return p[i] * q[i] * (p[i] * q[i]); });
  return std::sqrt(total / static_cast<double>(size(x)));
}
double masked_norm(N_Vector x, N_Vector w, N_Vector mask) {
  const double *p = data(x), *q = data(w), *m = data(mask);
  const double total = sum(x, [=](long i) { return m[i] > 0 ? p[i] * q[i] * (p[i] * q[i]) : 0; });
  return std::sqrt(total / static_cast<double>(size(x)));
}
double least(N_Vector x) { return *std::min_element(data(x), data(x) + size(x)); }

// z = sum c_j x_j; z may be x_0.
int linear_combination(int count, double* c, N_Vector* x, N_Vector z) {
  scale(c[0], x[0], z);
  for (int j = 1; j < count; ++j) linear_sum(1, z, c[j], x[j], z);
  return 0;
}
int scale_add_multiple(int count, double* a, N_Vector x, N_Vector* y, N_Vector* z) {
  for (int j = 0; j < count; ++j) linear_sum(a[j], x, 1, y[j], z[j]);
  return 0;
}

void take_own_loops(N_Vector_Ops ops) {
  ops->nvlinearsum = linear_sum, ops->nvconst = fill, ops->nvprod = product, ops->nvdiv = quotient;
  ops->nvscale = scale, ops->nvabs = absolute_value, ops->nvinv = inverse, ops->nvaddconst = add_constant;
  ops->nvdotprod = dot_product, ops->nvmaxnorm = largest, ops->nvmin = least;
  ops->nvwrmsnorm = weighted_norm, ops->nvwrmsnormmask = masked_norm;
  ops->nvlinearcombination = linear_combination, ops->nvscaleaddmulti = scale_add_multiple;
}

// ---------------------------------------------------------------- the linear solver: the program has factorised

SUNMatrix_ID matrix_id(SUNMatrix) { return SUNMATRIX_CUSTOM; }
int zero_matrix(SUNMatrix) { return 0; }
void free_matrix(SUNMatrix A) { SUNMatFreeEmpty(A); }

SUNMatrix new_matrix(SUNContext context);
SUNMatrix clone_matrix(SUNMatrix A) { return new_matrix(A->sunctx); }

SUNMatrix new_matrix(SUNContext context) {
  SUNMatrix A = SUNMatNewEmpty(context);
  A->ops->getid = matrix_id, A->ops->zero = zero_matrix;
  A->ops->clone = clone_matrix, A->ops->destroy = free_matrix;
  return A;
}

SUNLinearSolver_Type solver_type(SUNLinearSolver) { return SUNLINEARSOLVER_DIRECT; }
int set_up(SUNLinearSolver, SUNMatrix) { return 0; }
int solve(SUNLinearSolver S, SUNMatrix, N_Vector x, N_Vector b, double) {
  if (x != b) scale(1, b, x);
  static_cast<PeerEquations*>(S->content)->solve(values(x));
  return 0;
}
int free_solver(SUNLinearSolver S) {
  S->content = nullptr;
  SUNLinSolFreeEmpty(S);
  return 0;
}

SUNLinearSolver new_solver(PeerEquations& equations, SUNContext context) {
  SUNLinearSolver S = SUNLinSolNewEmpty(context);
  S->content = &equations;
  S->ops->gettype = solver_type, S->ops->setup = set_up, S->ops->solve = solve, S->ops->free = free_solver;
  return S;
}

}  // namespace

SundialsParts::SundialsParts(const PeerTask& task, PeerEquations& equations, SundialsSolver solver)
    : size_(static_cast<long>(task.size)), tolerances_(task.absolute) {
#if SUNDIALS_VERSION_MAJOR >= 7
  SUNContext_Create(SUN_COMM_NULL, &context_);
  SUNContext_ClearErrHandlers(context_);  // messages are ours
#else
  SUNContext_Create(nullptr, &context_);
#endif
  absolute_ = vector(tolerances_.data());
  if (solver == SundialsSolver::klu) {
    matrix_ = SUNSparseMatrix(size_, size_, 0, CSC_MAT, context_);
    solver_ = SUNLinSol_KLU(absolute_, matrix_, context_);
    return;
  }
  solver_ = new_solver(equations, context_);
  matrix_ = new_matrix(context_);
}

SundialsParts::~SundialsParts() {
  SUNLinSolFree(solver_);
  SUNMatDestroy(matrix_);
  for (N_Vector x : vectors_) N_VDestroy(x);
  SUNContext_Free(&context_);
}

N_Vector SundialsParts::vector(double* data) {
  N_Vector x = N_VMake_Serial(size_, data, context_);
  take_own_loops(x->ops);
  vectors_.push_back(x);
  return x;
}

void copy_entries(const PeerSparseMatrix& from, SUNMatrix to) {
  const auto columns = static_cast<std::size_t>(SUNSparseMatrix_Columns(to));
  const int entries = from.start[columns];
  if (SUNSparseMatrix_NNZ(to) < entries) SUNSparseMatrix_Reallocate(to, entries);
  std::copy_n(from.start, columns + 1, SUNSparseMatrix_IndexPointers(to));
  std::copy_n(from.row, entries, SUNSparseMatrix_IndexValues(to));
  std::copy_n(from.value, entries, SUNSparseMatrix_Data(to));
}

void SundialsCounts::take(void* memory, PeerStep& step) {
  long errors = 0, failed = 0, iterations = 0;
  reports_.error_test_failures(memory, &errors);
  reports_.failed_iterations(memory, &failed);
  reports_.iterations(memory, &iterations);
  step.rejected = errors + failed - rejected_, step.failed = failed - failed_;
  step.iterations = iterations - iterations_;
  rejected_ = errors + failed, failed_ = failed, iterations_ = iterations;
}

Status SundialsCounts::status(int flag) const {
  const std::unique_ptr<char, decltype(&std::free)> text(reports_.name_of(flag), std::free);
  const std::string name = text.get();
  switch (flag) {
    case -2:
      return {StatusCode::step_too_small, "the tolerances ask for more than double precision has (" + name + ")"};
    case -3:
      return {StatusCode::step_too_small, "the error test failed again and again (" + name + ")"};
    case -4:
      return {StatusCode::newton_diverged, "the iteration failed again and again (" + name + ")"};
    case -6:
    case -7:
      return {StatusCode::singular, "the matrix could not be factorised (" + name + ")"};
    case -8:
    case -9:
    case -10:
    case -11:
      return {StatusCode::non_finite, "the equations cannot be evaluated (" + name + ")"};
    default:
      return {StatusCode::not_applicable, "the code refuses to work (" + name + ")"};
  }
}

}  // namespace daelab
