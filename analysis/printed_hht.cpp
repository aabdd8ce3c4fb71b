#include "analysis/printed_hht.hpp"

#include <array>

namespace daelab::printed {
namespace {

// ----- HHT: alpha in [0, 1/3] -----

const std::array<Rational, 3> alphas{Rational(0), Rational(1, 9), Rational(1, 3)};

Rational gamma_of(const Rational& alpha) { return Rational(1, 2) + alpha; }
Rational beta_of(const Rational& alpha) { return (1 + alpha) * (1 + alpha) / 4; }

// Adds a name once.
void add(std::vector<std::string>& differing, const char* name, bool agrees) {
  if (!agrees && (differing.empty() || differing.back() != name)) differing.emplace_back(name);
}

// The weights of a_(n-1), a_n and a_(n+1) in q_(n+1) and v_(n+1), over h^2 and h.
struct StateWeights {
  std::array<Rational, 3> q, v;
};

StateWeights weights_22(const Rational& alpha, bool mended) {
  const Rational gamma = gamma_of(alpha), beta = beta_of(alpha), half(1, 2);
  if (mended) return {{0, half - beta, beta}, {0, 1 - gamma, gamma}};
  return {{half - beta + beta, 0, 0}, {gamma, 1 - gamma, 0}};
}

}  // namespace

std::vector<std::string> parameters_21() {
  std::vector<std::string> gamma_differs, beta_differs, forms_differ;
  for (const Rational& alpha : alphas) {
    const Rational gamma = gamma_of(alpha), beta = (Rational(1, 2) + gamma) * (Rational(1, 2) + gamma) / 4;
    // q'' = t from t_n = 0 with h = 1: a_n = -alpha, a_(n+1) = 1 - alpha, and v grows by 1/2.
    add(gamma_differs, "gamma", (1 - gamma) * -alpha + gamma * (1 - alpha) == Rational(1, 2));
    // (17) at infinite frequency: beta r^2 + (1/2 + gamma - 2 beta) r + (1/2 + beta - gamma) has a double root.
    const Rational linear = Rational(1, 2) + gamma - 2 * beta, constant = Rational(1, 2) + beta - gamma;
    add(beta_differs, "beta", linear * linear == 4 * beta * constant);
    add(forms_differ, "forms", beta == beta_of(alpha));
  }
  for (const auto* more : {&beta_differs, &forms_differ})
    gamma_differs.insert(gamma_differs.end(), more->begin(), more->end());
  return gamma_differs;
}

std::vector<std::string> states_22(bool mended) {
  bool velocity = true, position = true;
  for (const Rational& alpha : alphas) {
    const StateWeights weights = weights_22(alpha, mended);
    const std::array<Rational, 3> a{-1 - alpha, -alpha, 1 - alpha};  // q'' = t, h = 1
    Rational change = 0;
    for (std::size_t i = 0; i < a.size(); ++i) change += weights.v[i] * a[i];
    velocity = velocity && weights.v[2] == gamma_of(alpha) && change == Rational(1, 2);
    const Rational sum = weights.q[0] + weights.q[1] + weights.q[2];  // q'' = 1
    position = position && weights.q[2] == beta_of(alpha) && sum == Rational(1, 2);
  }
  std::vector<std::string> differing;
  add(differing, "velocity", velocity);
  add(differing, "position", position);
  return differing;
}

std::vector<std::string> accelerations_23(bool mended) {
  const Rational alpha(1, 9);
  const auto a = [&](const Rational& n) { return Rational(n - alpha); };  // the first formula, q'' = t, h = 1
  std::vector<std::string> differing;
  add(differing, "a_(n+1)", a(mended ? Rational(1) : Rational(1 - alpha)) == 1 - alpha);
  return differing;
}

// M q'' + C_q^T lambda = Q with lambda and Q linear in time; M = 2, C_q = 3.
std::vector<std::string> balance_24() {
  const Rational mass = 2, constraint = 3;
  const auto lambda = [](const Rational& t) { return Rational(5 - 7 * t); };
  const auto force = [](const Rational& t) { return Rational(1 + 4 * t); };
  const auto acceleration = [&](const Rational& t) { return Rational((force(t) - constraint * lambda(t)) / mass); };
  const auto q_25 = [&](const Rational& t) { return Rational(constraint * lambda(t) - force(t)); };
  std::vector<std::string> differing;
  for (const Rational& alpha : alphas)
    add(differing, "balance", mass * acceleration(1 - alpha) + (1 - alpha) * q_25(1) + alpha * q_25(0) == 0);
  return differing;
}

// q'' = t from t_n = 0 with h = 1. By (26) a_n = q''_n + s for linear accelerations, the same s in each step.
Rational error_constant_34(const Rational& rho) {
  const Rational alpha_m = (2 * rho - 1) / (1 + rho), alpha_f = rho / (1 + rho);
  const Rational gamma = Rational(1, 2) - alpha_m + alpha_f, root = Rational(1, 2) + gamma, beta = root * root / 4;
  const Rational s = alpha_m - alpha_f, a_n = s, a_next = 1 + s;
  const Rational q = (Rational(1, 2) - beta) * a_n + beta * a_next, exact(1, 6);
  return (q - exact) / a_next;  // x = a_(n+1) - q''_n
}

}  // namespace daelab::printed
