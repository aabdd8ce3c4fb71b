#include "methods/stabilized/rock4_coefficients.hpp"

#include <fmt/format.h>

#include <array>
#include <map>
#include <memory>
#include <mutex>

#include "methods/stabilized/rock_polynomial.hpp"

namespace daelab {
namespace {

// Found by continuation from the zeros of 1 + z + ... + z^4/24.
constexpr RockStart<4> rock4_start{{5, 10, 25},
                                   {{-0.222, 2.856, -2.011, 1.087, 0.2397, -4.64},
                                    {-0.257, 3.387, -2.377, 1.268, 0.3228, -7.31},
                                    {-0.297, 3.552, -2.481, 1.310, 0.3464, -8.16}}};

// Elementary weights of the first s - 4 stages, by the recurrence that the stages follow: of the trees t, [t], [t,t],
// [[t]], [t,t,t], [t,[t]], [[t,t]].
std::array<Real100, 8> elementary_weights(const Vector<Real100>& mu, const Vector<Real100>& gamma) {
  std::array<Real100, 8> before{}, now{};
  for (Index j = 0; j < mu.size(); ++j) {
    const Real100& c = now[1];
    const std::array<Real100, 8> slope{0, 1, c, c * c, now[2], c * c * c, c * now[2], now[3]};
    std::array<Real100, 8> next;
    for (int t = 1; t < 8; ++t) next[t] = now[t] + mu[j] * slope[t] + gamma[j] * (now[t] - before[t]);
    before = now, now = next;
  }
  return now;
}

// What is left for the finishing method: sum b c^2, b c^3, b c (A c), b A c^2.
struct Remaining {
  Real100 cc, ccc, c_Ac, Acc;
};
Remaining remaining_conditions(const std::array<Real100, 8>& p, const std::array<Real100, 5>& w) {
  Remaining r;
  const Real100 p1 = p[1];
  r.cc = Real100(1) / 3 - p[3] - w[1] * p1 * p1 - 2 * p1 * w[2];
  r.ccc = Real100(1) / 4 - p[5] - w[1] * p1 * p1 * p1 - 3 * p1 * p1 * w[2] - 3 * p1 * r.cc;
  r.c_Ac = Real100(1) / 8 - p[6] - w[1] * p1 * p[2] - (p1 * p1 + p[2]) * w[2] - p1 * r.cc - p1 * w[3];
  r.Acc = Real100(1) / 12 - p[7] - w[1] * p[3] - p1 * p1 * w[2] - 2 * p1 * w[3];
  return r;
}

// With c_2 and c_3 chosen, sum b A c^2 gives (A c)_3, sum b c (A c) gives c_4, the moments b, and the rest A.
void set_finishing_method(const std::array<Real100, 5>& w, const Remaining& r, Rock4Coefficients& method) {
  const Real100 c2 = w[1] / 4, c3 = w[1] / 2, D = w[4] / (r.Acc - c2 * w[3]);
  const Real100 c4 = (r.c_Ac - D * (r.ccc - c2 * r.cc)) / (w[3] - D * (r.cc - c2 * w[2]));
  Vector<Real100>& b = method.b;
  b.resize(4);
  b[1] = (r.ccc - (c3 + c4) * r.cc + c3 * c4 * w[2]) / (c2 * (c2 - c3) * (c2 - c4));
  b[2] = (r.ccc - (c2 + c4) * r.cc + c2 * c4 * w[2]) / (c3 * (c3 - c2) * (c3 - c4));
  b[3] = (r.ccc - (c2 + c3) * r.cc + c2 * c3 * w[2]) / (c4 * (c4 - c2) * (c4 - c3));
  b[0] = w[1] - b[1] - b[2] - b[3];
  const Real100 Ac3 = D * c3 * (c3 - c2), Ac4 = (w[3] - b[2] * Ac3) / b[3];
  Matrix<Real100>& A = method.A;
  A = Matrix<Real100>::Zero(4, 4);
  A(1, 0) = c2;
  A(2, 1) = Ac3 / c2;
  A(2, 0) = c3 - A(2, 1);
  A(3, 2) = w[4] / (b[3] * Ac3);
  A(3, 1) = (Ac4 - A(3, 2) * c3) / c2;
  A(3, 0) = c4 - A(3, 1) - A(3, 2);

  // sum e = sum e c = sum e c^2 = sum e (A c) = 0 over four stages and the step end, where c = sum b, A c = sum b c.
  Matrix<Real100> M(4, 4);
  M << 1, 1, 1, 1, 0, c2, c3, c4, 0, c2 * c2, c3 * c3, c4 * c4, 0, 0, Ac3, Ac4;
  const Vector<Real100> end{{Real100(1), w[1], w[1] * w[1], w[2]}};
  method.error.resize(5);
  method.error.head(4) = dense::solve(M, Vector<Real100>(-w[1] / 10 * end));
  method.error[4] = w[1] / 10;
}

Rock4Coefficients rock4_of(int stages) {
  const auto polynomial = solved_rock_polynomial<4>(stages, rock4_start);
  Rock4Coefficients method;
  method.length = polynomial.length();
  polynomial.recurrence(method.mu, method.gamma);
  const std::array<Real100, 5> w = polynomial.weight_series();
  set_finishing_method(w, remaining_conditions(elementary_weights(method.mu, method.gamma), w), method);
  return method;
}

}  // namespace

const Rock4Coefficients& rock4_coefficients(int stages) {
  if (stages < rock4_least_stages || stages > rock4_most_stages)
    throw std::logic_error(fmt::format("rock4 has {} to {} stages", rock4_least_stages, rock4_most_stages));
  static std::mutex mutex;
  static std::map<int, std::unique_ptr<const Rock4Coefficients>> known;
  const std::lock_guard lock(mutex);
  auto& entry = known[stages];
  if (!entry) entry = std::make_unique<const Rock4Coefficients>(rock4_of(stages));
  return *entry;
}

Tableau rock4_tableau(int stages) {
  const Rock4Coefficients& method = rock4_coefficients(stages);
  const Index m = stages - 4;
  Tableau t;
  t.name = fmt::format("rock4, {} stages", stages);
  t.claimed_order = 4;
  t.embedded_order = 3;
  t.A = Matrix<Real100>::Zero(stages + 1, stages + 1);
  for (Index j = 0; j < m; ++j) {
    t.A.row(j + 1) = t.A.row(j) * (1 + method.gamma[j]);
    if (j > 0) t.A.row(j + 1) -= method.gamma[j] * t.A.row(j - 1);
    t.A(j + 1, j) += method.mu[j];
  }
  for (Index i = 1; i < 5; ++i) {
    t.A.row(m + i) = t.A.row(m);
    const Vector<Real100> weights = i < 4 ? Vector<Real100>(method.A.row(i).transpose()) : method.b;
    t.A.row(m + i).segment(m, 4) += weights.transpose();
  }
  t.b = t.A.row(stages).transpose();
  t.b_embedded = t.b;
  t.b_embedded.tail(5) += method.error;
  t.c = t.A.rowwise().sum();
  return t;
}

}  // namespace daelab
