// RADAU5, RADAU, DASPK, HEM5 and GSL's rk8pd on an exported mechanism: errors at the certified end and least times of
// nine runs, for tolerances from 1e-2 to 1e-12, one in each decade or as many as -D PER_DECADE=4 says
// (docs/performance.md). A program of its own, for all but the last are in libraries without headers (docs/peers.md):
//
//   ./daelab show problem seven-body --equations c > problem.c
//   cc -O3 -march=native -rdynamic -D RADAU5 -include ./problem.c bench/reference_codes.c LIBRARY -lm -o codes
//
// LIBRARY: of -D RADAU5 and -D DASPK deSolve.so of r-cran-desolve, of -D RADAU and -D HEM5 libsiconos_externals.so.7 of
// libsiconos-numerics7, of -D GSL -lgsl -lgslcblas. For mechanisms without algebraic states.
//
// RADAU5 and RADAU take y = (q, v, a, lambda), as their authors' test set does, in which q' = v and v' = a cost no
// linear algebra, and on the formulation of Gear, Gupta, Leimkuhler y = (q, v, lambda, mu), where a full matrix of more
// unknowns would cost more than the accelerations of each evaluation; DASPK takes (q, v, lambda), HEM5 the mechanism as
// it is, GSL (q, v) with accelerations by an LU factorisation of all unknowns. Jacobians are exact, but for the rows of
// constraints on index 1 and 2, which are by differences.
#include <stdio.h>
#include <time.h>

#ifndef PER_DECADE
#define PER_DECADE 1
#endif

enum { n = problem_n, m = problem_m, states = 2 * n, balances = n + m, runs = 9 };

static int constraint_index;  // 1: accelerations, 2: velocities, 3: positions
static int is_stabilized;     // positions, too, by multipliers mu in q' (Gear, Gupta, Leimkuhler)
static long evaluations;
static double work[100000];
static int integers[10000], work_size = 100000, integers_size = 10000;

// Messages of deSolve, which would need a running R.
void rprintf_(void) {}
void rprintfd1_(void) {}
void rprintfd2_(void) {}
void rprintfi1_(void) {}
void rprintfi2_(void) {}
void rprintfi3_(void) {}

static void no_output(void) {}

#if !defined(HEM5) && !defined(GSL)
static void constraint_rows(double t, const double* q, const double* v, const double* a, const double* J,
                            const double* h, double* rows) {
  double C[m], rate[m];
  if (constraint_index > 1) {
    constraints(t, q, v, C, rate);
    memcpy(rows, constraint_index == 3 ? C : rate, sizeof C);
    return;
  }
  for (int k = 0; k < m; ++k) {
    rows[k] = h[k];
    for (int j = 0; j < n; ++j) rows[k] += J[k * n + j] * a[j];
  }
}

// M a + J^T lambda - Q above the constraints.
static void balance(double t, const double* q, const double* v, const double* a, const double* lambda, double* F) {
  double M[n * n], Q[n], J[m * n], h[m];
  ++evaluations;
  model(t, q, v, M, Q, J, h);
  for (int i = 0; i < n; ++i) {
    F[i] = -Q[i];
    for (int j = 0; j < n; ++j) F[i] += M[i * n + j] * a[j];
    for (int k = 0; k < m; ++k) F[i] += J[k * n + i] * lambda[k];
  }
  constraint_rows(t, q, v, a, J, h, F + n);
}

// Its derivatives by (q, v, a, lambda); columns of `stride` numbers.
static void balance_jacobian(double t, const double* q, const double* v, const double* a, const double* lambda,
                             double* A, int stride) {
  double M[n * n], Q[n], J[m * n], h[m], K[n * n], D[n * n], rows[m], shifted[m], x[states];
  model(t, q, v, M, Q, J, h);
  linearization(t, q, v, a, lambda, K, D);
  memset(A, 0, sizeof(double) * (size_t)(stride * (3 * n + m)));
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      A[i + j * stride] = K[i * n + j];
      A[i + (n + j) * stride] = D[i * n + j];
      A[i + (2 * n + j) * stride] = M[i * n + j];
    }
    for (int k = 0; k < m; ++k) A[i + (3 * n + k) * stride] = J[k * n + i];
  }
  const int level = 3 - constraint_index;  // J is the derivative by q, v or a
  for (int k = 0; k < m; ++k)
    for (int j = 0; j < n; ++j) A[n + k + (level * n + j) * stride] = J[k * n + j];
  memcpy(x, q, sizeof(double) * n);
  memcpy(x + n, v, sizeof(double) * n);
  constraint_rows(t, x, x + n, a, J, h, rows);
  for (int j = 0; j < level * n; ++j) {
    const double before = x[j];
    x[j] += 1e-8 * fmax(j < n ? 1 : 100, fabs(x[j]));
    const double step = x[j] - before;
    if (constraint_index == 1) model(t, x, x + n, M, Q, J, h);
    constraint_rows(t, x, x + n, a, J, h, shifted);
    x[j] = before;
    for (int k = 0; k < m; ++k) A[n + k + j * stride] = (shifted[k] - rows[k]) / step;
  }
}
#endif

#if defined(RADAU5) || defined(RADAU)
enum { unknowns = 3 * n + m, stabilized_unknowns = states + 2 * m, forms = 4 };

static void right_side(int* size, double* t, double* y, double* f, double* reals, int* integers) {
  memcpy(f, y + n, sizeof(double) * states);
  balance(*t, y, y + n, y + 2 * n, y + 3 * n, f + states);
}

// M = L L^T, L below the diagonal, its inverse diagonal on it.
static void factorize(double* M) {
  for (int j = 0; j < n; ++j) {
    for (int k = 0; k < j; ++k)
      for (int i = j; i < n; ++i) M[i + j * n] -= M[i + k * n] * M[j + k * n];
    M[j + j * n] = 1 / sqrt(M[j + j * n]);
    for (int i = j + 1; i < n; ++i) M[i + j * n] *= M[j + j * n];
  }
}
static void solve_factorized(const double* L, double* x) {
  for (int j = 0; j < n; ++j) {
    x[j] *= L[j + j * n];
    for (int i = j + 1; i < n; ++i) x[i] -= L[i + j * n] * x[j];
  }
  for (int j = n - 1; j >= 0; --j) {
    for (int i = j + 1; i < n; ++i) x[j] -= L[i + j * n] * x[i];
    x[j] *= L[j + j * n];
  }
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
  factorize(M);
  solve_factorized(M, f + n);
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
  factorize(L);
  memset(P, 0, sizeof(double) * (size_t)(stride * stabilized_unknowns));
  for (int j = 0; j < states + m; ++j) {  // by q, v, lambda
    const double* const from = A + (j < states ? j : j + n) * balances;
    double* const column = P + j * stride;
    for (int i = 0; i < n; ++i) column[n + i] = -from[i];
    solve_factorized(L, column + n);
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
  balance_jacobian(*t, y, y + n, y + 2 * n, y + 3 * n, A, *stride);
}
void SOLVE();

static int solve(double tolerance, double* q) {
  enum { most = unknowns + m };
  double y[most] = {0}, relative[most], absolute[most], t = problem_t_start, end = problem_t_end, h = 1e-6;
  int size = is_stabilized ? stabilized_unknowns : unknowns, rows = is_stabilized ? size : balances;
  int none = 0, one = 1, outcome = 0;
  memcpy(y, problem_start, sizeof(double) * states);
  double a[n];  // no unknowns of the stabilized form
  accelerations(t, y, y + n, is_stabilized ? a : y + states, is_stabilized ? y + states : y + 3 * n);
  for (int i = 0; i < size; ++i) relative[i] = absolute[i] = tolerance;
  integers[1] = 100000000;  // steps
  const int of_index_1_2_3[][3] = {{unknowns, 0, 0}, {states, size - states, 0}, {n, n, balances}};
  memcpy(integers + 4, of_index_1_2_3[constraint_index - 1], sizeof of_index_1_2_3[0]);
  if (!is_stabilized) integers[8] = states, integers[9] = n;  // y_i' = y_(i + n) of so many
  SOLVE(&size, is_stabilized ? stabilized_right_side : right_side, &t, y, &end, &h, relative, absolute, &one, jacobian,
        &one, &rows, &rows, mass, &one, &none, &none, no_output, &none, work, &work_size, integers, &integers_size, work,
        integers, &outcome);
  memcpy(q, y, sizeof(double) * n);
  return outcome == 1;
}

#elif defined(DASPK)
enum { unknowns = 2 * n + m, forms = 2 };

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
  for (int i = 0; i < unknowns; ++i) relative[i] = absolute[i] = tolerance, integers[40 + i] = i < states ? 1 : -1;
  info[1] = info[2] = info[3] = info[4] = 1;  // a tolerance each; one step a call, not beyond the end; our matrix
  work[0] = end;
  info[15] = constraint_index == 2;  // multipliers are out of the error test,
  info[20] = constraint_index == 2 ? states : unknowns, info[21] = unknowns - info[20];  // and their weights times h
  do
    ddaspk_(implicit_form, &size, &t, y, rate, &end, info, relative, absolute, &outcome, work, &work_size, integers,
            &integers_size, work, integers, iteration_matrix, no_output);
  while (outcome == 1);
  memcpy(q, y, sizeof(double) * n);
  return outcome > 0;
}

#elif defined(HEM5)
enum { forms = 1 };

// What it asks for by a number, and gets with the rest of the model.
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
  if (k >= 2 && k <= 4) return;
  ++evaluations;
  model(*t, q, v, M, Q, J, h);
  if (k == 1 || k == 5 || k == 7 || k == 8) memcpy(f, Q, sizeof Q);
  if (k == 5 || k == 7) memcpy(curvature, h, sizeof h);
  if (k == 6 || k >= 10)
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) G[i + *g_rows * j] = J[i * n + j];
  if (k == 1 || k >= 7)
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) A[i + *a_rows * j] = M[i * n + j];
}
void hem5_();

static int solve(double tolerance, double* q) {
  double v[n], a[n], lambda[m], none_of[1], absolute = tolerance;
  double t = problem_t_start, end = problem_t_end, h = 1e-5;
  int size = n, none = 0, multipliers = m, outcome = 0;
  // The 14th is zero: full matrices, factorised by its own DEC.
  integers[0] = integers[1] = n * m, integers[10] = 100000000, integers[20] = n, integers[21] = 1;
  memcpy(q, problem_start, sizeof(double) * n);
  memcpy(v, problem_start + n, sizeof v);
  accelerations(t, q, v, a, lambda);
  hem5_(&size, &size, &none, &multipliers, part, &t, q, v, none_of, a, lambda, &end, &h, &tolerance, &absolute, &none,
        no_output, &none, work, &work_size, integers, &integers_size, &outcome);
  return outcome >= 0;
}

#elif defined(GSL)
#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
enum { forms = 1 };

static int right_side(double t, const double* y, double* f, void* parameters) {
  double lambda[m];
  ++evaluations;
  memcpy(f, y + n, sizeof(double) * n);
  accelerations(t, y, y + n, f + n, lambda);
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

static double milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

int main(void) {
  static const char* const names[] = {"", "1", "2", "3", "ggl"};
  printf("form tolerance error_q ms evaluations\n");
  for (int form = 1; form <= forms; ++form) {
    is_stabilized = form == 4;
    constraint_index = is_stabilized ? 2 : form;
    for (int step = 2 * PER_DECADE; step <= 12 * PER_DECADE; ++step) {
      const double digits = (double)step / PER_DECADE;
      double q[n], least = HUGE_VAL, error = 0;
      int is_good = 1;
      for (int run = 0; run < runs; ++run) {
        const double start = milliseconds();
        evaluations = 0;
        memset(work, 0, sizeof work);
        memset(integers, 0, sizeof integers);
        is_good = solve(pow(10, -digits), q) && is_good;
        least = fmin(least, milliseconds() - start);
      }
      for (int i = 0; i < n; ++i) error = fmax(error, fabs(q[i] - problem_reference[i]));
      printf("%s 1e-%g %.2e %.4f %ld%s\n", names[form], digits, error, least, evaluations, is_good ? "" : " failed");
    }
  }
  return 0;
}
