// What a method is on problems without constraints and with constant steps, as coefficients: all that can be said of it
// without integrating follows from them.
//
// [HNW93] Hairer, Nørsett, Wanner, Solving Ordinary Differential Equations I, 2nd ed., Springer, 1993.
// [Jay96] Jay, Symplectic partitioned Runge-Kutta methods for constrained Hamiltonian systems, SIAM J. Numer. Anal.
//         33(1), 1996, 368-387.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <variant>

#include "core/integration/nystrom_tableau.hpp"
#include "core/integration/rosenbrock_tableau.hpp"
#include "core/integration/tableau.hpp"

namespace daelab {

/// sum_(j=0)^k alpha_j y_(n+1-j) = h sum_(j=0)^k beta_j f_(n+1-j). Both (k + 1), alpha_0 not zero. [HNW93, eq.
/// (III.2.1)]
struct MultistepFormula {
  Vector<Real100> alpha, beta;
  Index steps() const { return alpha.size() - 1; }
};

/// A linear multistep method. With a predictor (explicit, beta_0 = 0), f_(n+1) is taken at the predicted value, once:
/// the mode PECE. The first steps may be of a one-step method whose order limits that of the method.
struct MultistepForm {
  MultistepFormula formula;
  std::optional<MultistepFormula> predictor;
  std::optional<Tableau> start = {};  // where it is not known to be of order p - 1 or more
  bool is_one_leg = false;            // f is taken once, at the means of t and y that beta makes
};

/// A one-step method of second-order systems only, by what it does to q'' + 2 zeta omega q' + omega^2 q = 0:
///
///   (next_0 + delta next_1 + kappa next_2) X_(n+1) = (now_0 + delta now_1 + kappa now_2) X_n,
///   kappa = (omega h)^2,  delta = 2 zeta omega h,
///
/// X = (q, h v) or (q, h v, h^2 a), with a the acceleration the method carries. Matrices are square, of the size of X.
struct OscillatorForm {
  std::array<Matrix<Real100>, 3> next, now;
  Index size() const { return next[0].rows(); }
};

/// Two tableaus with the same weights, of positions and of velocities, whose last multipliers meet the constraints of
/// velocities at the step end:
///
///   Q_i = q_n + h sum_j a_ij V_j,   V_i = v_n + h sum_j â_ij A_j,   0 = g(Q_i), i > 1,   0 = (g_q v)_(n+1),
///
/// the first row of a and the last column of â zero, the last row of a the weights. [Jay96]
struct PairForm {
  Matrix<Real100> A, conjugate;  // (s, s): a and â
  Vector<Real100> b;             // (s)
  std::optional<OscillatorForm> on_oscillator = {};
  Index stages() const { return b.size(); }
};

/// A method that has none of these, and why.
struct NoForm {
  std::string reason;
};

using MethodForm =
    std::variant<NoForm, Tableau, RosenbrockTableau, NystromTableau, MultistepForm, OscillatorForm, PairForm>;

/// The form that the method has on linear equations, if it is another one: stability follows from it.
std::optional<MethodForm> linear_form(const MethodForm& form);

}  // namespace daelab
