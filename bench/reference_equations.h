// The equations of a mechanism as the printed codes of bench/reference_codes.c take them, from the functions that
// `daelab show problem NAME --equations c` writes.
enum { n = problem_n, m = problem_m, states = 2 * n, balances = n + m };

static int constraint_index;  // 1: accelerations, 2: velocities, 3: positions; 0: no multipliers
static int is_stabilized;     // positions, too, by multipliers mu in q' (Gear, Gupta, Leimkuhler)
static long evaluations;

// A = L D L^T without the zeros of L, which is below the diagonal, column by column; 1/D on the diagonal.
static inline void factorize(double* A, int size) {
  for (int j = 0; j < size; ++j) {
    A[j + j * size] = 1 / A[j + j * size];
    for (int k = j + 1; k < size; ++k) {
      const double factor = A[k + j * size] * A[j + j * size];
      if (factor == 0) continue;
      for (int i = k; i < size; ++i) A[i + k * size] -= factor * A[i + j * size];
    }
    for (int i = j + 1; i < size; ++i) A[i + j * size] *= A[j + j * size];
  }
}
static inline void solve_lower(const double* L, int size, double* x) {
  for (int j = 0; j < size; ++j)
    if (x[j] != 0)
      for (int i = j + 1; i < size; ++i) x[i] -= L[i + j * size] * x[j];
}
static inline void solve_upper(const double* L, int size, double* x) {  // and D
  for (int j = size - 1; j >= 0; --j) {
    x[j] *= L[j + j * size];
    for (int i = j + 1; i < size; ++i) x[j] -= L[i + j * size] * x[i];
  }
}

// M a + J^T lambda = Q, J a + h = 0.
typedef struct {
  double L[n * n], W[m * n], S[m * m];  // M = L D L^T, W = L^-1 J^T by columns, W^T D^-1 W
} Saddle;
static void factorize_saddle(const double* M, const double* J, Saddle* saddle) {
  memcpy(saddle->L, M, sizeof saddle->L), memcpy(saddle->W, J, sizeof saddle->W);
  factorize(saddle->L, n);
  memset(saddle->S, 0, sizeof saddle->S);
  for (int k = 0; k < m; ++k) {
    double* const w = saddle->W + k * n;
    solve_lower(saddle->L, n, w);
    for (int i = 0; i < n; ++i) {
      const double factor = w[i] * saddle->L[i + i * n];
      if (factor == 0) continue;
      for (int l = 0; l <= k; ++l) saddle->S[k + l * m] += factor * saddle->W[l * n + i];
    }
  }
  factorize(saddle->S, m);
}
static void solve_saddle(const Saddle* saddle, const double* Q, const double* h, double* a, double* lambda) {
  memcpy(a, Q, sizeof(double) * n), memcpy(lambda, h, sizeof(double) * m);
  solve_lower(saddle->L, n, a);
  for (int k = 0; k < m; ++k)
    for (int i = 0; i < n; ++i) lambda[k] += saddle->W[k * n + i] * saddle->L[i + i * n] * a[i];
  solve_lower(saddle->S, m, lambda), solve_upper(saddle->S, m, lambda);
  for (int k = 0; k < m; ++k)
    for (int i = 0; i < n; ++i) a[i] -= saddle->W[k * n + i] * lambda[k];
  solve_upper(saddle->L, n, a);
}

#ifdef BY_HAND
#include "seven_body_by_hand.h"
#endif
static void explicit_right_side(double t, const double* y, double* f) {
  ++evaluations;
  memcpy(f, y + n, sizeof(double) * n);
#ifdef BY_HAND
  accelerations_by_hand(y, y + n, f + n);
#else
  double M[n * n], Q[n], J[m * n], h[m], lambda[m];
  Saddle saddle;
  model(t, y, y + n, M, Q, J, h);
  factorize_saddle(M, J, &saddle);
  solve_saddle(&saddle, Q, h, f + n, lambda);
#endif
}

#if defined(RADAU5) || defined(RADAU) || defined(DASPK)
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
  double M[n * n], Q[n], J[m * n], h[m], K[n * n], D[n * n], R_q[m * n], R_v[m * n];
  model(t, q, v, M, Q, J, h);
  linearization(t, q, v, a, lambda, K, D);
  if (constraint_index < 3) row_derivatives(t, q, v, a, R_q, R_v);
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
    for (int j = 0; j < n; ++j) {
      A[n + k + (level * n + j) * stride] = J[k * n + j];
      // h = (J v + C_t)_q v + J_t v + C_tt, so that h_v is twice (J v + C_t)_q.
      if (constraint_index == 2) A[n + k + j * stride] = R_v[k * n + j] / 2;
      if (constraint_index == 1) A[n + k + j * stride] = R_q[k * n + j], A[n + k + (n + j) * stride] = R_v[k * n + j];
    }
}
#endif
