// RADAU5, RADAU, DASPK, HEM5, LSODE (Adams) and GSL's rk8pd on an exported mechanism, each given what it can make use
// of: errors at the certified end down to 1e-11, least times and evaluations, here for tolerances from 1e-2 to 1e-12,
// three in a decade. bench/reference_codes compiles and runs it. A program of its own, for all but the last are in
// libraries without headers:
//
//   ./daelab show problem seven-body --equations c > problem.c
//   cc -O3 -march=native -fno-math-errno -rdynamic -D RADAU5 -include ./problem.c bench/reference_codes.c LIBRARY -lm
//   ./a.out FORM 2 12 3 RUNS
//
// LIBRARY: of -D RADAU5, -D DASPK and -D LSODE deSolve.so of r-cran-desolve, of -D RADAU and -D HEM5
// libsiconos_externals.so.7 of libsiconos-numerics7, of -D GSL -lgsl -lgslcblas. For mechanisms without algebraic
// states.
//
// FORM is the index, 0 without multipliers, or ggl (Gear, Gupta, Leimkuhler). RADAU5 and RADAU take y = (q, v) with
// v' = a(t, q, v) on index 0, (q, v, a, lambda) on index 1 to 3, both with their special structure (q' = v, v' = a),
// and (q, v, lambda, mu) on ggl; DASPK (q, v, lambda) on index 1 and 2; HEM5 the mechanism (index 2), part by part;
// LSODE and GSL (q, v). With -free behind the form accelerations and multipliers are out of all tests of RADAU5, RADAU
// and DASPK. Jacobians are exact. Accelerations come from triangular factors of M and of C_q M^-1 C_q^T without their
// zeros, or, with -D BY_HAND, from seven_body_by_hand.h. HEM5 factorises full matrices by its own DEC, which takes half
// the time of its DGETRF here.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "reference_equations.h"

static double work[20000];
static int integers[4000], work_size = 20000, integers_size = 4000;

// Messages of deSolve, which would need a running R.
void rprintf_(void) {}
void rprintfd1_(void) {}
void rprintfd2_(void) {}
void rprintfi1_(void) {}
void rprintfi2_(void) {}
void rprintfi3_(void) {}

static void no_output(void) {}
static double
    free_tolerance;  // of accelerations and multipliers, which have no size to go by: none, or that of q and v

#if defined(RADAU5) || defined(RADAU)
enum { unknowns = 3 * n + m, stabilized_unknowns = states + 2 * m };

static void right_side(int* size, double* t, double* y, double* f, double* reals, int* integers) {
  if (constraint_index == 0) {
    explicit_right_side(*t, y, f);
    return;
  }
  memcpy(f, y + n, sizeof(double) * states);
  balance(*t, y, y + n, y + 2 * n, y + 3 * n, f + states);
}

// q' = v - J^T mu, v' = M^-1 (Q - J^T lambda), 0 = J v + C_t, 0 = C.
static void stabilized_right_side(int* size, double* t, double* y, double* f, double* reals, int* integers) {
  const double *v = y + n, *lambda = y + states, *mu = lambda + m;
  double M[n * n], J[m * n], h[m];
  ++evaluations;
  model(*t, y, v, M, f + n, J, h);
  for (int i = 0; i < n; ++i) {
    f[i] = v[i];
    for (int k = 0; k < m; ++k) f[i] -= J[k * n + i] * mu[k], f[n + i] -= J[k * n + i] * lambda[k];
  }
  factorize(M, n);
  solve_lower(M, n, f + n), solve_upper(M, n, f + n);
  constraints(*t, y, v, f + states + m, f + states);
}

static void mass(int* size, double* A, int* stride, double* reals, int* integers) {
  for (int i = 0; i < *size; ++i) A[i * *stride] = *size == stabilized_unknowns && i < states;
}
// Without the derivatives of J^T mu, since mu = 0 but for round-off.
static void stabilized_jacobian(double t, double* y, double* P, int stride) {
  double A[balances * (3 * n + m)], f[stabilized_unknowns];
  stabilized_right_side(0, &t, y, f, 0, 0);
  balance_jacobian(t, y, y + n, f + n, y + states, A, balances);
  double L[n * n];
  for (int j = 0; j < n; ++j) memcpy(L + j * n, A + (2 * n + j) * balances, sizeof(double) * n);
  factorize(L, n);
  memset(P, 0, sizeof(double) * (size_t)(stride * stabilized_unknowns));
  for (int j = 0; j < states + m; ++j) {  // by q, v, lambda
    const double* const from = A + (j < states ? j : j + n) * balances;
    double* const column = P + j * stride;
    for (int i = 0; i < n; ++i) column[n + i] = -from[i];
    solve_lower(L, n, column + n), solve_upper(L, n, column + n);
    for (int k = 0; k < m && j < states; ++k) column[states + k] = from[n + k];
  }
  for (int i = 0; i < n; ++i) {
    P[i + (n + i) * stride] = 1;
    for (int k = 0; k < m; ++k) {
      const double J_ki = A[i + (3 * n + k) * balances];
      P[i + (states + m + k) * stride] = -J_ki, P[states + m + k + i * stride] = J_ki;
    }
  }
}

// a_q and a_v: M a + J^T lambda = Q and J a + h = 0, differentiated.
static void explicit_jacobian(double t, const double* y, double* P, int stride) {
  double M[n * n], Q[n], J[m * n], h[m], K[n * n], D[n * n], R_q[m * n], R_v[m * n], a[n], lambda[m];
  Saddle saddle;
  model(t, y, y + n, M, Q, J, h);
  factorize_saddle(M, J, &saddle);
  solve_saddle(&saddle, Q, h, a, lambda);
  linearization(t, y, y + n, a, lambda, K, D);
  row_derivatives(t, y, y + n, a, R_q, R_v);
  for (int j = 0; j < states; ++j) {
    const double *const by = j < n ? K : D, *const rows_by = j < n ? R_q : R_v;
    double minus[n], rows[m];
    for (int i = 0; i < n; ++i) minus[i] = -by[i * n + j % n];
    for (int k = 0; k < m; ++k) rows[k] = rows_by[k * n + j % n];
    solve_saddle(&saddle, minus, rows, P + j * stride, lambda);
  }
}

#if defined(RADAU5)  // as it is in deSolve
#define SOLVE radau5_
static void jacobian(int* size, double* t, double* y, int* lower, int* upper, double* A, int* stride, double* reals,
                     int* integers)
#else
#define SOLVE radau_
static void jacobian(int* size, double* t, double* y, double* A, int* stride, double* reals, int* integers)
#endif
{
  if (is_stabilized) {
    stabilized_jacobian(*t, y, A, *stride);
    return;
  }
  if (constraint_index == 0) {
    explicit_jacobian(*t, y, A, *stride);
    return;
  }
  balance_jacobian(*t, y, y + n, y + 2 * n, y + 3 * n, A, *stride);
}
void SOLVE();

static int solve(double tolerance, double* q) {
  enum { most = unknowns + m };
  double y[most] = {0}, relative[most], absolute[most], t = problem_t_start, end = problem_t_end, h = 1e-6;
  const int is_explicit = constraint_index == 0;
  int size = is_stabilized ? stabilized_unknowns : is_explicit ? states : unknowns;
  int rows = is_stabilized ? size : is_explicit ? n : balances, none = 0, one = 1, outcome = 0;
  memcpy(y, problem_start, sizeof(double) * states);
  double a[n];  // no unknowns of the stabilized form
  if (!is_explicit) accelerations(t, y, y + n, is_stabilized ? a : y + states, is_stabilized ? y + states : y + 3 * n);
  for (int i = 0; i < size; ++i) relative[i] = tolerance, absolute[i] = i < states ? tolerance : free_tolerance;
  integers[1] = 100000000;  // steps
  const int of_index_1_2_3[][3] = {{size, 0, 0}, {size, 0, 0}, {states, size - states, 0}, {n, n, balances}};
  memcpy(integers + 4, of_index_1_2_3[constraint_index], sizeof of_index_1_2_3[0]);
  if (!is_stabilized) integers[8] = size - rows, integers[9] = n;  // y_i' = y_(i + n) of so many
  const int has_mass = !is_explicit;
  SOLVE(&size, is_stabilized ? stabilized_right_side : right_side, &t, y, &end, &h, relative, absolute, &one, jacobian,
        &one, &rows, &rows, mass, &has_mass, &none, &none, no_output, &none, work, &work_size, integers, &integers_size,
        work, integers, &outcome);
  memcpy(q, y, sizeof(double) * n);
  return outcome == 1;
}

#elif defined(DASPK)
enum { unknowns = 2 * n + m };

static void implicit_form(double* t, double* y, double* rate, double* c, double* F, int* outcome, double* reals,
                          int* integers) {
  for (int i = 0; i < n; ++i) F[i] = rate[i] - y[n + i];
  balance(*t, y, y + n, rate + n, y + states, F + n);
}
// F_y + c F_y'
static void iteration_matrix(double* t, double* y, double* rate, double* P, double* c, double* reals, int* integers) {
  double A[balances * (3 * n + m)];
  balance_jacobian(*t, y, y + n, rate + n, y + states, A, balances);
  memset(P, 0, sizeof(double) * unknowns * unknowns);
  for (int i = 0; i < n; ++i) P[i + i * unknowns] = *c, P[i + (n + i) * unknowns] = -1;
  for (int i = 0; i < balances; ++i) {
    double* const row = P + n + i;
    for (int j = 0; j < n; ++j) {
      row[j * unknowns] = A[i + j * balances];
      row[(n + j) * unknowns] = A[i + (n + j) * balances] + *c * A[i + (2 * n + j) * balances];
    }
    for (int k = 0; k < m; ++k) row[(states + k) * unknowns] = A[i + (3 * n + k) * balances];
  }
}
void ddaspk_();

static int solve(double tolerance, double* q) {
  double y[unknowns], rate[unknowns] = {0}, relative[unknowns], absolute[unknowns];
  double t = problem_t_start, end = problem_t_end;
  int info[25] = {0}, size = unknowns, outcome = 0;
  memcpy(y, problem_start, sizeof(double) * states);
  memcpy(rate, y + n, sizeof(double) * n);
  accelerations(t, y, y + n, rate + n, y + states);
  for (int i = 0; i < unknowns; ++i) relative[i] = tolerance, absolute[i] = i < states ? tolerance : free_tolerance;
  info[1] = info[2] = info[3] = info[4] = 1;  // a tolerance each; one step a call, not beyond the end; our matrix
  work[0] = end;
  for (int i = 0; i < unknowns; ++i) integers[40 + i] = i < states ? 1 : -1;
  info[15] = 1;  // multipliers are out of the error test,
  info[20] = constraint_index == 2 ? states : unknowns, info[21] = unknowns - info[20];  // and their weights times h
  do
    ddaspk_(implicit_form, &size, &t, y, rate, &end, info, relative, absolute, &outcome, work, &work_size, integers,
            &integers_size, work, integers, iteration_matrix, no_output);
  while (outcome == 1);
  memcpy(q, y, sizeof(double) * n);
  return outcome > 0;
}

#elif defined(HEM5)
// What it asks for by a number: model() is copied in here, and what is not asked for falls away.
__attribute__((flatten)) static void forces(double t, const double* q, const double* v, double* f, double* M) {
  double J[m * n], h[m];
  model(t, q, v, M, f, J, h);
}
__attribute__((flatten)) static void rows(double t, const double* q, const double* v, double* J) {
  double M[n * n], Q[n], h[m];
  model(t, q, v, M, Q, J, h);
}
static void part(int* what, int* q_size, int* v_size, int* u_size, int* l_size, int* g_rows, int* f_rows, int* a_rows,
                 int* blocks, int* block, int* same_g, int* same_f, int* g_row, int* g_column, int* f_row,
                 int* f_column, double* t, double* q, double* v, double* u, double* lambda, double* g, double* G,
                 double* f, double* curvature, double* g_t, double* f_lambda, double* q_rate, double* u_rate,
                 double* A) {
  double M[n * n], Q[n], J[m * n], h[m], rate[m];
  const int k = *what;
  if (k == 0) return;
  if (k == 4) constraints(*t, q, v, g, rate);
  if (k == 1 || k == 2 || k == 10) memcpy(q_rate, v, sizeof(double) * n);
  if (k == 3 || k == 6 || k >= 10) memset(g_t, 0, sizeof(double) * m);
  if (k == 5 || k == 7) model(*t, q, v, M, f, J, curvature);
  if (k == 6 || k >= 10) {
    rows(*t, q, v, J);
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) G[i + *g_rows * j] = J[i * n + j];
  }
  if (k == 1 || k >= 7) {
    ++evaluations;
    forces(*t, q, v, k == 1 || k == 7 || k == 8 ? f : Q, M);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) A[i + *a_rows * j] = M[i * n + j];
  }
}
void hem5_();

static int solve(double tolerance, double* q) {
  double v[n], a[n], lambda[m], none_of[1], absolute = tolerance;
  double t = problem_t_start, end = problem_t_end, h = 1e-5;
  int size = n, none = 0, multipliers = m, outcome = 0;
  integers[0] = integers[1] = n * m, integers[10] = 100000000, integers[20] = n, integers[21] = 1;
  memcpy(q, problem_start, sizeof(double) * n);
  memcpy(v, problem_start + n, sizeof v);
  accelerations(t, q, v, a, lambda);
  hem5_(&size, &size, &none, &multipliers, part, &t, q, v, none_of, a, lambda, &end, &h, &tolerance, &absolute, &none,
        no_output, &none, work, &work_size, integers, &integers_size, &outcome);
  return outcome >= 0;
}

#elif defined(LSODE)
static void right_side(int* size, double* t, double* y, double* f, double* reals, int* integers) {
  explicit_right_side(*t, y, f);
}
void dlsode_();

static int solve(double tolerance, double* q) {
  double y[states], t = problem_t_start, end = problem_t_end;
  int size = states, one = 1, state = 1, adams = 10;
  memcpy(y, problem_start, sizeof y);
  integers[5] = 100000000;  // steps
  dlsode_(right_side, &size, y, &t, &end, &one, &tolerance, &tolerance, &one, &state, &one, work, &work_size, integers,
          &integers_size, no_output, &adams, work, integers);
  memcpy(q, y, sizeof(double) * n);
  return state == 2;
}

#elif defined(GSL)
#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>

static int right_side(double t, const double* y, double* f, void* parameters) {
  explicit_right_side(t, y, f);
  return GSL_SUCCESS;
}

static int solve(double tolerance, double* q) {
  gsl_odeiv2_system equations = {right_side, NULL, states, NULL};
  gsl_odeiv2_driver* driver =
      gsl_odeiv2_driver_alloc_y_new(&equations, gsl_odeiv2_step_rk8pd, 1e-5, tolerance, tolerance);
  double y[states], t = problem_t_start;
  memcpy(y, problem_start, sizeof y);
  const int outcome = gsl_odeiv2_driver_apply(driver, &t, problem_t_end, y);
  gsl_odeiv2_driver_free(driver);
  memcpy(q, y, sizeof(double) * n);
  return outcome == GSL_SUCCESS;
}
#endif

static double milliseconds(void) {  // of the processor
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

int main(int count, char** arguments) {
  if (count != 6) return 2;
  const char* const form = arguments[1];
  const int first = atoi(arguments[2]), last = atoi(arguments[3]), per_decade = atoi(arguments[4]);
  const int runs = atoi(arguments[5]);
  is_stabilized = strstr(form, "ggl") != NULL;
  constraint_index = is_stabilized ? 2 : atoi(form);
  const int is_free = strstr(form, "free") != NULL;
  for (int step = first * per_decade; step <= last * per_decade; ++step) {
    double q[n], least = HUGE_VAL, error = 0;
    const double tolerance = pow(10, -(double)step / per_decade);
    free_tolerance = is_free ? 1e10 : tolerance;
    int is_good = 1;
    for (int run = 0; run < runs; ++run) {
      evaluations = 0;
      memset(work, 0, sizeof work);
      memset(integers, 0, sizeof integers);
      const double start = milliseconds();
      is_good = solve(tolerance, q) && is_good;
      least = fmin(least, milliseconds() - start);
    }
    for (int i = 0; i < n; ++i) {
      const double of_q = fabs(q[i] - problem_reference[i]);
      if (!(of_q <= error)) error = of_q;  // NaN, too
    }
    if (error < 1e-11) break;
    if (is_good) printf("%d %.3e %.5f %ld\n", step, error, least, evaluations);
  }
  return 0;
}
