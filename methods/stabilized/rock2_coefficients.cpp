#include "methods/stabilized/rock2_coefficients.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>

#include "methods/stabilized/rock_polynomial.hpp"

namespace daelab {
namespace {

// Found from many starts; others lead to shorter intervals.
constexpr RockStart<2> rock2_start{
    {3, 10, 100},
    {{-1.1631, 1.2174, 0.6839, -3.9235}, {-1.3142, 1.3485, 0.7986, -5.6566}, {-1.3306, 1.3604, 0.8089, -5.8474}}};

Rock2Coefficients rock2_of(int stages) {
  const auto polynomial = solved_rock_polynomial<2>(stages, rock2_start);
  Rock2Coefficients method;
  method.length = polynomial.length();
  polynomial.recurrence(method.mu, method.gamma);
  const std::array<Real100, 3> w = polynomial.weight_series();
  method.sigma = w[1] / 2, method.tau = w[2];
  return method;
}

}  // namespace

const Rock2Coefficients& rock2_coefficients(int stages) {
  if (stages < rock2_least_stages || stages > rock2_most_stages)
    throw std::logic_error(fmt::format("rock2 has {} to {} stages", rock2_least_stages, rock2_most_stages));
  static std::mutex mutex;
  static std::map<int, std::unique_ptr<const Rock2Coefficients>> known;
  const std::lock_guard lock(mutex);
  auto& entry = known[stages];
  if (!entry) entry = std::make_unique<const Rock2Coefficients>(rock2_of(stages));
  return *entry;
}

double rock2_length(int stages) { return 0.808 * stages * stages - 1.13; }

double rock2_stages(double length, int most) {
  const double least = std::max(std::ceil(std::sqrt((length + 1.13) / 0.808)), double(rock2_least_stages));
  const double spacing = std::floor(least / 10), listed = spacing < 2 ? least : spacing * std::ceil(least / spacing);
  return std::min(listed, std::max(least, double(most)));
}

Tableau rock2_tableau(int stages) {
  const Rock2Coefficients& method = rock2_coefficients(stages);
  const Index m = stages - 2;
  Tableau t;
  t.name = fmt::format("rock2, {} stages", stages);
  t.claimed_order = 2;
  t.embedded_order = 1;
  t.A = Matrix<Real100>::Zero(stages, stages);
  for (Index j = 0; j < m; ++j) {
    t.A.row(j + 1) = t.A.row(j) * (1 + method.gamma[j]);
    if (j > 0) t.A.row(j + 1) -= method.gamma[j] * t.A.row(j - 1);
    t.A(j + 1, j) += method.mu[j];
  }
  t.A.row(m + 1) = t.A.row(m);
  t.A(m + 1, m) += method.sigma;
  t.b = t.A.row(m).transpose();
  t.b_embedded = t.b;
  t.b_embedded.tail(2).array() += method.sigma;
  const Real100 last = method.tau / method.sigma;
  t.b[m] += 2 * method.sigma - last, t.b[m + 1] += last;
  t.c = t.A.rowwise().sum();
  return t;
}

}  // namespace daelab
