#include "core/documents/model_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "core/mechanism/forms.hpp"
#include "core/mechanism/implicit_rates.hpp"
#include "core/solvers/dense.hpp"
#include "core/start/consistent_start.hpp"

namespace daelab {
namespace {

constexpr int points_tried = 4;
constexpr double round_off = 1e-12;

// The first pair that differs; i = n: none.
std::pair<Index, Index> asymmetry(const Matrix<double>& M) {
  const double allowed = round_off * M.cwiseAbs().maxCoeff();
  for (Index i = 0; i < M.rows(); ++i)
    for (Index j = 0; j < i; ++j)
      if (std::abs(M(i, j) - M(j, i)) > allowed) return {j, i};
  return {M.rows(), 0};
}

void check_symmetry(const Matrix<double>& M, const std::string& where, const char* place) {
  const auto [i, j] = asymmetry(M);
  if (i == M.rows()) return;
  throw InputError(fmt::format("{}/{}/{}", where, i, j),
                   fmt::format("the mass matrix is not symmetric: row {}, column {} is {:.8g}, row {}, column {} is "
                               "{:.8g} {}",
                               i + 1, j + 1, M(i, j), j + 1, i + 1, M(j, i), place));
}

double largest(const Vector<double>& x) { return x.size() == 0 ? 0 : x.cwiseAbs().maxCoeff(); }

// How far the motion goes by its accelerations, or rates, at the start; 0 where they cannot be had.
double first_reach(Model<double>& model, const Vector<double>& y, double length) {
  if (OrdinaryModel<double>* const ordinary = model.ordinary()) {
    Vector<double> rates = Vector<double>::Zero(y.size());
    if (ordinary->is_linearly_implicit()) {
      if (!ImplicitRates<double>(*ordinary).solve(model.initial_t(), y, rates).ok()) return 0;
    } else {
      ordinary->rates(model.initial_t(), y, rates);
    }
    return largest(rates.head(y.size() - ordinary->algebraic_states())) * length;
  }
  MechanicalModel<double>& mechanism = *model.mechanical();
  const Index n = mechanism.coordinates();
  Vector<double> a = Vector<double>::Zero(n), lambda = Vector<double>::Zero(mechanism.multipliers());
  const Status status = solve_accelerations<double>(mechanism, model.initial_t(), y.head(n), y.tail(n), a, lambda);
  return status.ok() ? largest(a) * std::max(length, length * length) : 0;
}

}  // namespace

void check_mass(MechanicalModel<double>& model, const std::string& where) {
  const Index n = model.coordinates();
  const Vector<double> start = model.initial_q();
  const bool is_symmetric = model.forms().recording().mass_inverse.has_value();  // both triangles are the same entries
  if (is_symmetric && (n > largest_dense_mechanism || model.least_mass_pivot(model.initial_t(), start) > 0)) return;
  Matrix<double> M(n, n);
  std::mt19937 random(20261124);
  const auto deviate = [&] { return 2.0 * random() / std::mt19937::max() - 1; };
  for (int k = 0; k < points_tried; ++k) {
    Vector<double> q = start;
    if (k > 0)
      for (double& value : q) value += 0.1 * (std::abs(value) + 0.1) * deviate();
    M.setZero();
    model.mass(model.initial_t() + k, q, M);
    if (!M.allFinite()) continue;
    check_symmetry(M, where, k == 0 ? "at the start" : "near the start");
    if (k > 0 || n > largest_dense_mechanism) continue;
    if (const double least = dense::symmetric_eigenvalues(M).minCoeff(); least < -round_off * largest(M.diagonal()))
      throw InputError(where, fmt::format("the mass matrix has the negative eigenvalue {:.6g} at the start: kinetic "
                                          "energies are positive",
                                          least));
  }
}

Exact size_of_start(Model<double>& model, double length) {
  const Vector<double> y = model.initial_y();
  const OrdinaryModel<double>* const ordinary = model.ordinary();
  double size = largest(ordinary == nullptr ? y : Vector<double>(y.head(y.size() - ordinary->algebraic_states())));
  if (size == 0) size = first_reach(model, y, length);
  if (!(size > 0 && size < 1)) return 1;
  constexpr double round_off_of_log = 1e-9;
  const int power = static_cast<int>(std::ceil(std::log10(size) - round_off_of_log));
  return power == 0 ? Exact(1) : Exact(fmt::format("1e{}", power));
}

}  // namespace daelab
