#include "analysis/g_stability.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iterator>

#include "analysis/multistep.hpp"
#include "analysis/polynomial_text.hpp"
#include "core/base/exact.hpp"

namespace daelab {
namespace {

template <class T>
using Rows = std::vector<std::vector<T>>;

Poly<Real100> ascending(const Vector<Real100>& x) {
  return {std::make_reverse_iterator(x.end()), std::make_reverse_iterator(x.begin())};
}

// a a^T = scale b b^T with a(zeta) a(1/zeta) = (rho(zeta) sigma(1/zeta) + rho(1/zeta) sigma(zeta)) / 2.
template <class T>
struct SpectralFactor {
  T scale{0};
  Poly<T> b;
  Poly<T> rest;  // of zeta^k a(zeta) a(1/zeta) without powers of zeta - 1, zeta + 1 and zeta
};

// zeta^k times the left-hand side for omega = 1/zeta.
template <class T>
Poly<T> symmetric_product(const Poly<T>& rho, const Poly<T>& sigma) {
  const std::size_t k = rho.size() - 1;
  Poly<T> p(2 * k + 1, T(0));
  for (std::size_t i = 0; i <= k; ++i)
    for (std::size_t j = 0; j <= k; ++j) {
      const T half = rho[i] * sigma[j] / T(2);
      p[k + i - j] += half, p[k + j - i] += half;
    }
  return p;
}

// Divides p by factor^2 as often as it goes, and multiplies b by as many factors.
template <class T>
int strip(Poly<T>& p, const Poly<T>& factor, Poly<T>& b) {
  int count = 0;
  while (degree(p) >= 2) {
    auto [quotient, remainder] = divided(p, product(factor, factor));
    if (!trimmed(remainder).empty()) break;
    p = std::move(quotient), b = product(b, factor), ++count;
  }
  return count;
}

template <class T>
SpectralFactor<T> spectral_factor(const Poly<T>& rho, const Poly<T>& sigma) {
  Poly<T> p = trimmed(symmetric_product(rho, sigma));
  if (p.empty()) return {T(0), {T(1)}, {T(1)}};
  SpectralFactor<T> factor{T(1), {T(1)}, {}};
  // |zeta - 1|^2 = -(zeta - 1)^2 / zeta on the circle.
  if (strip(p, Poly<T>{T(-1), T(1)}, factor.b) % 2 == 1) factor.scale = T(-1);
  strip(p, Poly<T>{T(1), T(1)}, factor.b);
  while (is_zero(p.front())) p.erase(p.begin());
  factor.rest = p;
  if (p.size() == 1) factor.scale *= p.front(), factor.rest = {T(1)};
  return factor;
}

// u^2 + v^2 + u v (zeta + 1/zeta) = |u + v zeta|^2 for what a factor of degree 1 leaves.
void take_linear_factor(SpectralFactor<Real100>& factor) {
  const Real100 middle = factor.scale * factor.rest[1], side = 2 * factor.scale * factor.rest[0];
  const Real100 sum = sqrt(Real100(middle + side)), difference = sqrt(Real100(middle - side));
  factor.b = product(factor.b, {(sum + difference) / 2, (sum - difference) / 2});
  factor.scale = 1, factor.rest = {Real100(1)};
}

// (k, k), or nothing unless the identity holds: coefficients of zeta^i omega^j, m_ij = g_(i-1,j-1) - g_ij.
template <class T>
Rows<T> matrix_of(const Poly<T>& rho, const Poly<T>& sigma, const SpectralFactor<T>& factor) {
  const std::size_t k = rho.size() - 1;
  Poly<T> b = factor.b;
  b.resize(k + 1, T(0));
  Rows<T> G(k + 1, std::vector<T>(k + 1, T(0)));
  for (std::size_t i = 0; i <= k; ++i)
    for (std::size_t j = 0; j <= k; ++j) {
      const T m = (rho[i] * sigma[j] + rho[j] * sigma[i]) / T(2) - factor.scale * b[i] * b[j];
      G[i][j] = (i > 0 && j > 0 ? G[i - 1][j - 1] : T(0)) - m;
    }
  for (std::size_t i = 0; i <= k; ++i)
    if (!is_zero(G[k][i])) return {};
  G.pop_back();
  for (auto& row : G) row.pop_back();
  return G;
}

// All pivots of the symmetric elimination are above zero.
template <class T>
bool is_positive_definite(Rows<T> G) {
  for (std::size_t p = 0; p < G.size(); ++p) {
    if (sign(G[p][p]) <= 0) return false;
    for (std::size_t i = p + 1; i < G.size(); ++i) {
      const T factor = G[i][p] / G[p][p];
      for (std::size_t j = p; j < G.size(); ++j) G[i][j] -= factor * G[p][j];
    }
  }
  return true;
}

std::string entry_text(const Rational& x) { return x.str(); }
std::string entry_text(const Real100& x) { return to_text(x, 10); }

template <class T>
std::string matrix_text(const Rows<T>& G) {
  std::vector<std::string> rows;
  for (const auto& row : G) {
    std::vector<std::string> entries;
    for (const T& entry : row) entries.push_back(entry_text(entry));
    rows.push_back(fmt::format("[{}]", fmt::join(entries, ", ")));
  }
  return fmt::format("[{}]", fmt::join(rows, ", "));
}

// "": no matrix was found.
template <class T>
std::string proof_by_matrix(const Poly<T>& rho, const Poly<T>& sigma, const SpectralFactor<T>& factor) {
  if (factor.rest.size() > 1 || sign(factor.scale) < 0) return "";
  const Rows<T> G = matrix_of(rho, sigma, factor);
  if (G.empty() || !is_positive_definite(G)) return "";
  return fmt::format("the identity holds with G = {} and {} a(zeta)^2, a = {}; all pivots of G are above 0",
                     matrix_text(G), entry_text(factor.scale), polynomial_text(factor.b, "zeta"));
}

std::string proof_of(const MultistepFormula& formula) {
  const Poly<Real100> rho = ascending(formula.alpha), sigma = ascending(formula.beta);
  const Poly<Rational> exact_rho = fractions(rho), exact_sigma = fractions(sigma);
  if (!exact_rho.empty() && !exact_sigma.empty())
    if (const std::string proof = proof_by_matrix(exact_rho, exact_sigma, spectral_factor(exact_rho, exact_sigma));
        !proof.empty())
      return "exact, in rational arithmetic: " + proof;
  SpectralFactor<Real100> factor = spectral_factor(rho, sigma);
  if (factor.rest.size() == 3) take_linear_factor(factor);
  const std::string proof = proof_by_matrix(rho, sigma, factor);
  return proof.empty() ? "" : "numerical, in 100 digits, below 1e-60 taken as zero: " + proof;
}

}  // namespace

Property g_stable(const MultistepForm& form) {
  if (form.predictor) return not_applicable("a property of implicit formulas, not of one correction");
  const Property property = a_stable(form);
  if (!property.holds) return {false, proof_kind(property.proof) + ": not A-stable, which G-stability implies"};
  const std::string proof = proof_of(form.formula);
  if (!proof.empty()) return {true, proof};
  return {true, proof_kind(property.proof) + ": A-stable, which is G-stable for irreducible formulas (Dahlquist 1978)"};
}

}  // namespace daelab
