// How the stages of a fully implicit step are iterated: what the options of Newton's method ask for, decided once.
#pragma once

#include <algorithm>
#include <type_traits>

#include "core/base/norm.hpp"
#include "core/integration/algebraic_corrections.hpp"
#include "core/solvers/newton.hpp"

namespace daelab {

/// How a step is iterated, and for how long its Jacobian serves.
enum class StageIteration {
  newton,           // newton(), whose options say when it evaluates a Jacobian
  reused_jacobian,  // the same with the Jacobian of the last step where that had the same size
  quasi_each_step,  // QuasiNewton, from a Jacobian for each step
  quasi             // QuasiNewton with a Jacobian kept over steps
};

/// Without QuasiNewton, which the stages may not allow, a newton().
inline StageIteration stage_iteration(const NewtonOptions& options, int index, bool may_be_quasi = true) {
  const bool automatic = options.iteration == NewtonIteration::automatic;
  if (may_be_quasi && automatic && index == 3) return StageIteration::quasi_each_step;
  if (may_be_quasi && (automatic || options.iteration == NewtonIteration::quasi)) return StageIteration::quasi;
  return options.jacobian == JacobianUse::reused ? StageIteration::reused_jacobian : StageIteration::newton;
}

/// Whether stages are solved apart where they can be. On index 3, what an approximate Jacobian leaves comes back as
/// 1/h^2 times as much; in more digits than double's the coupled matrix, factorised in double, is the cheaper one.
inline bool may_decouple(NewtonIteration newton, int index, bool in_double) {
  if (newton == NewtonIteration::automatic && (index == 3 || !in_double)) return false;
  return newton != NewtonIteration::full && newton != NewtonIteration::modified;
}

/// Stages one at a time, in coordinates where the coefficient matrix is diagonal.
inline bool asks_for_decoupled_stages(const NewtonOptions& options) {
  return options.iteration == NewtonIteration::simplified || options.iteration == NewtonIteration::quasi;
}

/// The largest norm of a stage, of components times these weights where there are some.
template <class T>
T size_of_stages(const Matrix<T>& stages, Norm which, const Vector<T>* weights) {
  NormOf<T> norm(which);
  for (const auto& stage : stages.colwise())
    weights != nullptr ? norm.add_all(weights->cwiseProduct(stage)) : norm.add_all(stage);
  return norm.value();
}

/// Sets what the automatic iteration may leave under error control, and how long it keeps a Jacobian.
///
/// A new Jacobian costs less than the corrections that it saves, and what an old one leaves of a step adds up over the
/// next ones; RADAU5 keeps one at rates up to 1e-3. A hundredth of the tolerance is left where the order is at most one
/// above that of the estimate, whose error goes like h^exponent. Methods of higher order are more exact than their
/// estimates say, and index 3 amplifies in the velocities what is left: there it is a thousandth (docs/newton.md).
template <class T>
void iterate_to_error(int order, int exponent, int index, NewtonSettings<T>& settings) {
  const bool coarsely = order <= exponent + 1 && index < 3;
  settings.set_tolerance(coarsely ? T(1) / T(100) : T(1) / T(1000));
  settings.kept_rate = T(1) / T(10000);
}

/// Sets how far the automatic iteration goes with fixed steps.
///
/// Where decoupled stages contract at 1e-5, two corrections seem to do, but components that contract at rates of their
/// own are left, in the same direction step by step: so the last correction is 33 units of round-off at most.
template <class T>
void iterate_to_round_off(bool decoupled, NewtonSettings<T>& settings) {
  settings.go_to_round_off();
  if (decoupled) settings.least_rate = T(3) / T(4);  // 3 |correction| <= 100 units
}

/// The rate up to which decoupled stages keep a Jacobian over fixed steps that contracted at `rate_when_new` in the
/// step it was made in.
///
/// They have one Jacobian of the size of the system, and go down to round-off: at slow rates, a new one costs less than
/// the corrections that it saves. What contracts to 1e-2 is fast enough. Where steps are so long that a new one
/// contracts slowly, another one would do no better, and is made when the rate has doubled (docs/newton.md).
template <class T>
T rate_to_keep(const T& rate_when_new) {
  const T fast = T(1) / T(100), slow = T(1) / T(3);
  return std::clamp(T(T(2) * rate_when_new), fast, slow);
}

/// Where the iteration starts.
enum class StageGuess {
  constant,      // at the slopes of the step's start
  extrapolated,  // on the polynomial through the stages of the last step
  nearer         // with the one of them that was nearer to the stages of the last step
};

inline StageGuess stage_guess(const NewtonOptions& options) {
  if (options.guess == NewtonGuess::extrapolated) return StageGuess::extrapolated;
  const bool automatic = options.guess == NewtonGuess::automatic && options.iteration == NewtonIteration::automatic;
  return automatic ? StageGuess::nearer : StageGuess::constant;
}

/// The size of corrections of stages, slopes and algebraic components (N, r), for a step of size h from y, in
/// tolerances.
///
/// Where positions are down to their round-off, velocities are too: on index 3 to 1/h times as much. Algebraic states
/// of an index-1 system are results like the others; nothing else would bring them onto their equations. Those near
/// zero carry the round-off of the others, which no small absolute tolerance removes.
template <class T>
T correction_in_tolerances(const Matrix<T>& corrections, const T& h, const Vector<T>& y, const System<T>& system,
                           const ErrorNorm<T>& error_norm, const AlgebraicCorrections<T>& algebraic) {
  const Index N = system.size(), differential = system.differential();
  const bool has_algebraic_states = system.positions() == 0 && N > differential;
  const int index = system.index();
  const bool index_3 = index == 3;
  const T held = index_3 ? T(h * h) : index == 2 ? h : T(1);  // algebraic states hold the others by that
  const T round_off = index_3 ? T(T(100) * epsilon<T>() * error_norm.positions(y)) : T(0);
  const T least = has_algebraic_states ? T(T(100) * epsilon<T>() * y.cwiseAbs().maxCoeff()) : T(0);
  NormOf<T> norm;
  for (const auto& correction : corrections.colwise()) {
    const T positions = index_3 ? T(h * error_norm.positions(correction)) : T(0);
    norm.add(index_3 && positions <= round_off ? positions : T(h * error_norm(correction)));
    norm.add(algebraic.size(correction, h, y, error_norm));
    if (has_algebraic_states && correction.tail(N - differential).cwiseAbs().maxCoeff() > least)
      norm.add(T(held * error_norm(correction, differential, N - differential, differential)));
  }
  return norm.value();
}

}  // namespace daelab
