#include "analysis/printed_jacobians.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/rational.hpp"

namespace daelab::printed {
namespace {

using Fractions = std::vector<Rational>;
using FractionMatrix = std::vector<Fractions>;

// ----- derivatives: numbers with their derivatives by the unknowns -----

struct Dual {
  Rational value;
  Fractions by;  // empty: a constant

  Dual(Rational x = 0) : value(std::move(x)) {}  // NOLINT
  Dual(int x) : value(x) {}                      // NOLINT
  Rational derivative(std::size_t i) const { return i < by.size() ? by[i] : Rational(0); }
};

Dual combined(Rational value, const Dual& a, const Rational& da, const Dual& b, const Rational& db) {
  Dual result(std::move(value));
  result.by.resize(std::max(a.by.size(), b.by.size()));
  for (std::size_t i = 0; i < result.by.size(); ++i) result.by[i] = da * a.derivative(i) + db * b.derivative(i);
  return result;
}
Dual operator+(const Dual& a, const Dual& b) { return combined(a.value + b.value, a, 1, b, 1); }
Dual operator-(const Dual& a, const Dual& b) { return combined(a.value - b.value, a, 1, b, -1); }
Dual operator*(const Dual& a, const Dual& b) { return combined(a.value * b.value, a, b.value, b, a.value); }

using Duals = std::vector<Dual>;

// Numbers as unknowns.
Duals unknowns(const Fractions& values) {
  Duals result(values.begin(), values.end());
  for (std::size_t i = 0; i < values.size(); ++i) {
    result[i].by.assign(values.size(), 0);
    result[i].by[i] = 1;
  }
  return result;
}

FractionMatrix derivatives(const Duals& rows, std::size_t columns) {
  FractionMatrix result(rows.size(), Fractions(columns));
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < columns; ++j) result[i][j] = rows[i].derivative(j);
  return result;
}

// ----- a mechanism of two coordinates and one constraint, with all terms that the Jacobians have -----

struct SmallMechanism {
  bool variable_mass = false;
  Rational t = Rational(1, 2);

  Duals momentum_rate(const Duals& q, const Duals& a) const {  // M(q) a
    if (!variable_mass) return {2 * a[0], 3 * a[1]};
    return {(1 + q[0] * q[0]) * a[0], (2 + q[0] * q[1]) * a[1]};
  }
  Duals force(const Duals& q, const Duals& v) const { return {q[0] * v[1] - v[0] * v[0], q[1] * v[0] + q[0] * q[0]}; }
  Dual constraint(const Duals& q) const { return q[0] * q[0] + 2 * q[0] * q[1] + t * q[1] - 3; }
  Duals row(const Duals& q) const { return {2 * q[0] + 2 * q[1], 2 * q[0] + t}; }  // C_q
  Dual velocity_constraint(const Duals& q, const Duals& v) const {                 // C_q v + C_t
    const Duals C_q = row(q);
    return C_q[0] * v[0] + C_q[1] * v[1] + q[1];
  }
  // M a + C_q^T lambda - Q
  Duals balance(const Duals& q, const Duals& v, const Duals& a, const Dual& lambda) const {
    const Duals inertia = momentum_rate(q, a), C_q = row(q), Q = force(q, v);
    return {inertia[0] + C_q[0] * lambda - Q[0], inertia[1] + C_q[1] * lambda - Q[1]};
  }
};

// ----- matrices by blocks -----

FractionMatrix scaled(const Rational& factor, FractionMatrix A) {
  for (Fractions& row : A)
    for (Rational& x : row) x *= factor;
  return A;
}
FractionMatrix operator+(FractionMatrix A, const FractionMatrix& B) {
  for (std::size_t i = 0; i < A.size(); ++i)
    for (std::size_t j = 0; j < A[i].size(); ++j) A[i][j] += B[i][j];
  return A;
}
FractionMatrix transposed(const FractionMatrix& A) {
  FractionMatrix result(A[0].size(), Fractions(A.size()));
  for (std::size_t i = 0; i < A.size(); ++i)
    for (std::size_t j = 0; j < A[i].size(); ++j) result[j][i] = A[i][j];
  return result;
}
FractionMatrix zeros(std::size_t rows, std::size_t columns) { return {rows, Fractions(columns, 0)}; }

using Blocks = std::vector<std::vector<FractionMatrix>>;

// The blocks "row,column" of a printed Jacobian that are not those of the derivative.
std::vector<std::string> differing_blocks(const Blocks& printed, const FractionMatrix& derivative) {
  std::vector<std::string> differing;
  std::size_t row = 0;
  for (std::size_t I = 0; I < printed.size(); ++I) {
    std::size_t column = 0;
    for (std::size_t J = 0; J < printed[I].size(); ++J) {
      const FractionMatrix& block = printed[I][J];
      bool same = true;
      for (std::size_t i = 0; i < block.size(); ++i)
        for (std::size_t j = 0; j < block[i].size(); ++j) same &= block[i][j] == derivative[row + i][column + j];
      if (!same) differing.push_back(fmt::format("{},{}", I + 1, J + 1));
      column += block[0].size();
    }
    row += printed[I][0].size();
  }
  return differing;
}

// Derivatives by q and v at a state, as the paper names them.
struct Terms {
  FractionMatrix M, inertia_q, C_q, C_qq, Q_q, Q_v, rate_q, I = {{1, 0}, {0, 1}};  // rate_q: (C_q v)_q + C_tq

  Terms(const SmallMechanism& mechanism, const Fractions& q, const Fractions& v, const Fractions& a) {
    const Duals x = unknowns({q[0], q[1], v[0], v[1], a[0], a[1]});
    const Duals by_q{x[0], x[1]}, by_v{x[2], x[3]}, by_a{x[4], x[5]};
    const FractionMatrix inertia = derivatives(mechanism.momentum_rate(by_q, by_a), 6);
    const FractionMatrix Q = derivatives(mechanism.force(by_q, by_v), 6), row = derivatives(mechanism.row(by_q), 6);
    const FractionMatrix rate = derivatives({mechanism.velocity_constraint(by_q, by_v)}, 6);
    const auto columns = [](const FractionMatrix& A, std::size_t first) {
      FractionMatrix part;
      for (const Fractions& r : A) part.push_back({r[first], r[first + 1]});
      return part;
    };
    M = columns(inertia, 4), inertia_q = columns(inertia, 0), Q_q = columns(Q, 0), Q_v = columns(Q, 2);
    C_qq = columns(row, 0), C_q = columns(derivatives({mechanism.constraint(by_q)}, 6), 0), rate_q = columns(rate, 0);
  }
};

// ----- the discretised equations and their printed Jacobians -----

const Rational step_size(1, 3), lambda(3, 4), mu(2, 5);
const Fractions q_predicted{Rational(1, 2), Rational(2, 3)}, v_predicted{Rational(1, 3), Rational(-1, 4)},
    a_predicted{Rational(2, 7), Rational(3, 5)}, first_update{Rational(1, 5), Rational(-2, 7)},
    second_update{Rational(3, 11), Rational(1, 2)};

// rho = 4/5, the sign of alpha_m in (27) mended.
const Rational eta(6, 5), gamma_(11, 18), beta(25, 81);

Duals moved(const Fractions& from, const Rational& factor, const Duals& update) {
  return {from[0] + factor * update[0], from[1] + factor * update[1]};
}
Fractions values(const Duals& x) { return {x[0].value, x[1].value}; }
Duals part(const Duals& x, std::size_t first) { return {x[first], x[first + 1]}; }

}  // namespace

std::vector<std::string> jacobian_33(bool variable_mass) {
  const SmallMechanism mechanism{variable_mass};
  const Rational h = step_size;
  const Duals u = unknowns({first_update[0], first_update[1], lambda}), x = part(u, 0);
  const Duals q = moved(q_predicted, beta * h * h, x), v = moved(v_predicted, gamma_ * h, x);
  const Duals a = moved(a_predicted, eta, x);
  Duals rows = mechanism.balance(q, v, a, u[2]);
  rows.push_back(Rational(1 / (beta * h * h)) * mechanism.constraint(q));
  const Terms of(mechanism, values(q), values(v), values(a));
  const FractionMatrix K = scaled(lambda, of.C_qq) + scaled(-1, of.Q_q);
  return differing_blocks(
      {{scaled(eta, of.M) + scaled(beta * h * h, K) + scaled(-h * gamma_, of.Q_v), transposed(of.C_q)},
       {of.C_q, zeros(1, 1)}},
      derivatives(rows, 3));
}

// Unknowns x, y, lambda, mu.
std::vector<std::string> jacobian_39(bool variable_mass, bool mended) {
  const SmallMechanism mechanism{variable_mass};
  const Rational h = step_size;
  const Duals u = unknowns({first_update[0], first_update[1], second_update[0], second_update[1], lambda, mu});
  const Duals x = part(u, 0), y = part(u, 2);
  const Duals q = moved(q_predicted, beta * h, x), v = moved(v_predicted, gamma_ * h, y), C_q = mechanism.row(q);
  const Duals a = moved(a_predicted, eta, y);
  Duals rows;
  for (std::size_t i = 0; i < 2; ++i) rows.push_back(gamma_ * x[i] - Rational(h * gamma_) * y[i] + C_q[i] * u[5]);
  for (const Dual& row : mechanism.balance(q, v, a, u[4])) rows.push_back(row);
  rows.push_back(Rational(1 / (beta * h * h)) * mechanism.constraint(q));
  rows.push_back(Rational(1 / (gamma_ * h)) * mechanism.velocity_constraint(q, v));

  const Terms of(mechanism, values(q), values(v), values(a));
  const FractionMatrix K = of.inertia_q + scaled(lambda, of.C_qq) + scaled(-1, of.Q_q), column = transposed(of.C_q);
  const FractionMatrix first = scaled(gamma_, of.I) + scaled((mended ? 1 : -1) * beta * h * mu, of.C_qq);
  const FractionMatrix by_y = scaled(eta, of.M) + scaled(-gamma_ * h, of.Q_v), by_x = scaled(beta * h, K);
  return differing_blocks(
      {{first, scaled(-gamma_ * h, of.I), zeros(2, 1), column},
       {mended ? by_x : by_y, mended ? by_y : by_x, column, zeros(2, 1)},
       {scaled(mended ? Rational(1 / h) : Rational(1), of.C_q), zeros(1, 2), zeros(1, 1), zeros(1, 1)},
       {scaled(beta / gamma_, of.rate_q), of.C_q, zeros(1, 1), zeros(1, 1)}},
      derivatives(rows, 6));
}

// Unknowns delta and h^2 lambda; h is h/c_k.
std::vector<std::string> jacobian_79(bool variable_mass) {
  const SmallMechanism mechanism{variable_mass};
  const Rational h = step_size, scale = 1 / (h * h);
  const Duals u = unknowns({first_update[0], first_update[1], h * h * lambda}), delta = part(u, 0);
  const Duals q = moved(q_predicted, 1, delta), v = moved(v_predicted, 1 / h, delta);
  const Duals a = moved(a_predicted, scale, delta);
  Duals rows = mechanism.balance(q, v, a, scale * u[2]);
  rows.push_back(scale * mechanism.constraint(q));
  const Terms of(mechanism, values(q), values(v), values(a));
  const FractionMatrix M = of.M + scaled(-h, of.Q_v) + scaled(h * h, scaled(lambda, of.C_qq) + scaled(-1, of.Q_q));
  return differing_blocks({{scaled(scale, M), scaled(scale, transposed(of.C_q))}, {scaled(scale, of.C_q), zeros(1, 1)}},
                          derivatives(rows, 3));
}

// Unknowns epsilon, delta, h mu, h lambda: the text names lambda first, the columns have the other order.
std::vector<std::string> jacobian_84(bool variable_mass, bool mended) {
  const SmallMechanism mechanism{variable_mass};
  const Rational h = step_size;
  const Duals u = unknowns({first_update[0], first_update[1], second_update[0], second_update[1], h * mu, h * lambda});
  const Duals epsilon = part(u, 0), delta = part(u, 2);
  const Duals q = moved(q_predicted, 1, delta), v = moved(v_predicted, 1, epsilon), C_q = mechanism.row(q);
  const Duals rate = moved(a_predicted, 1, epsilon);  // h v'
  const Duals inertia = mechanism.momentum_rate(q, rate), Q = mechanism.force(q, v);
  Duals rows;
  for (std::size_t i = 0; i < 2; ++i) rows.push_back(inertia[i] + C_q[i] * u[5] - h * Q[i]);
  for (std::size_t i = 0; i < 2; ++i) rows.push_back(delta[i] - h * v[i] + C_q[i] * u[4]);
  rows.push_back(mechanism.constraint(q));
  rows.push_back(mechanism.velocity_constraint(q, v));

  const Terms of(mechanism, values(q), values(v), values(rate));
  const FractionMatrix K = scaled(h, scaled(lambda, of.C_qq) + scaled(-1, of.Q_q)), column = transposed(of.C_q);
  return differing_blocks({{of.M + scaled(-h, of.Q_v), K, zeros(2, 1), column},
                           {scaled(-h, of.I), of.I + scaled((mended ? 1 : -1) * h * mu, of.C_qq), column, zeros(2, 1)},
                           {zeros(1, 2), of.C_q, zeros(1, 1), zeros(1, 1)},
                           {of.C_q, of.rate_q, zeros(1, 1), zeros(1, 1)}},
                          derivatives(rows, 6));
}

}  // namespace daelab::printed
