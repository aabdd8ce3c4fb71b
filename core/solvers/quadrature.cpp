#include "core/solvers/quadrature.hpp"

#include <vector>

namespace daelab {
namespace {

using Vec = Vector<Real100>;

// P_n(x), P'_n(x) and P''_n(x) for |x| < 1.
template <class T>
struct Legendre {
  T p, dp, ddp;
};

// Three-term recurrence; the derivatives from (1 - x^2) P'_n = n (P_(n-1) - x P_n) and Legendre's
// equation (1 - x^2) P''_n = 2 x P'_n - n (n + 1) P_n.
template <class T>
Legendre<T> legendre(int n, const T& x) {
  T before = 0, p = 1;
  for (int i = 1; i <= n; ++i) {
    const T next = ((2 * i - 1) * x * p - (i - 1) * before) / i;
    before = p;
    p = next;
  }
  const T weight = 1 - x * x;
  const T dp = n * (before - x * p) / weight;
  return {p, dp, (2 * x * dp - n * (n + 1) * p) / weight};
}

template <class T>
struct ValueAndSlope {
  T value, slope;
};

// The one sign change of f in (low, high), in double: bisection until Newton is safe, then Newton to the end.
double zero_between(const auto& f, double low, double high) {
  const bool rising = f(high).value > 0;
  for (int i = 0; i < 20; ++i) {
    const double middle = (low + high) / 2;
    ((f(middle).value > 0) == rising ? high : low) = middle;
  }
  double x = (low + high) / 2;
  for (int i = 0; i < 5; ++i) x -= f(x).value / f(x).slope;
  return x;
}

// One zero in each gap between neighbouring entries of `brackets`.
std::vector<double> zeros_between(const auto& f, const std::vector<double>& brackets) {
  std::vector<double> zeros;
  for (std::size_t i = 0; i + 1 < brackets.size(); ++i) zeros.push_back(zero_between(f, brackets[i], brackets[i + 1]));
  return zeros;
}

// Newton's method in 100 digits from zeros in double.
std::vector<Real100> refined(const auto& f, const std::vector<double>& rough) {
  std::vector<Real100> zeros;
  for (Real100 x : rough) {
    for (int i = 0; i < 10; ++i) {
      const ValueAndSlope<Real100> at = f(x);
      const Real100 step = at.value / at.slope;
      x -= step;
      if (abs(step) < Real100("1e-60")) break;  // quadratic: the next step would be below 1e-110
    }
    zeros.push_back(x);
  }
  return zeros;
}

// Zeros of an even or odd function: makes the symmetry exact, with 0 in the middle.
std::vector<Real100> symmetric(std::vector<Real100> zeros) {
  const std::size_t n = zeros.size();
  for (std::size_t i = 0; i < n / 2; ++i) zeros[n - 1 - i] = -zeros[i];
  if (n % 2 == 1) zeros[n / 2] = 0;
  return zeros;
}

auto legendre_polynomial(int n) {
  return [n]<class T>(const T& x) -> ValueAndSlope<T> {
    const Legendre<T> l = legendre(n, x);
    return {l.p, l.dp};
  };
}

// Ascending zeros of P_n on (-1, 1), in double: they separate, and are separated by, those of P_(n-1).
std::vector<double> zeros_of_legendre(int n) {
  // The recurrence divides by 1 - x^2; no zero is that close to the ends (n <= 100).
  const double end = 1 - 1e-6;
  std::vector<double> zeros;
  for (int degree = 1; degree <= n; ++degree) {
    zeros.insert(zeros.begin(), -end);
    zeros.push_back(end);
    zeros = zeros_between(legendre_polynomial(degree), zeros);
  }
  return zeros;
}

Vec moved_to_unit_interval(const std::vector<Real100>& x) {
  Vec c(static_cast<Index>(x.size()));
  for (Index i = 0; i < c.size(); ++i) c[i] = (1 + x[static_cast<std::size_t>(i)]) / 2;
  return c;
}

// int_0^x of the polynomial with the given coefficients.
Real100 integral(const Eigen::Ref<const Vec>& coefficients, const Real100& x) {
  Real100 sum = 0;
  for (Index m = coefficients.size() - 1; m >= 0; --m) sum = (sum + coefficients[m] / (m + 1)) * x;
  return sum;
}

}  // namespace

Vec legendre_zeros(int n) {
  return moved_to_unit_interval(symmetric(refined(legendre_polynomial(n), zeros_of_legendre(n))));
}

Vec legendre_derivative_zeros(int n) {
  const auto dp = [n]<class T>(const T& x) -> ValueAndSlope<T> {
    const Legendre<T> l = legendre(n, x);
    return {l.dp, l.ddp};
  };
  return moved_to_unit_interval(symmetric(refined(dp, zeros_between(dp, zeros_of_legendre(n)))));
}

Vec radau_nodes(int s) {
  // At the zeros of P_s the function is -P_(s-1), whose sign alternates there.
  const auto f = [s]<class T>(const T& x) -> ValueAndSlope<T> {
    const Legendre<T> a = legendre(s, x), b = legendre(s - 1, x);
    return {a.p - b.p, a.dp - b.dp};
  };
  std::vector<Real100> zeros = refined(f, zeros_between(f, zeros_of_legendre(s)));
  zeros.push_back(1);
  return moved_to_unit_interval(zeros);
}

Matrix<Real100> lagrange_basis(const Vec& nodes) {
  const Index s = nodes.size();
  Matrix<Real100> basis = Matrix<Real100>::Zero(s, s);
  for (Index j = 0; j < s; ++j) {
    Vec l = Vec::Unit(s, 0);
    for (Index m = 0; m < s; ++m) {
      if (m == j) continue;
      for (Index i = s - 1; i >= 0; --i)  // times (x - c_m) / (c_j - c_m)
        l[i] = ((i > 0 ? l[i - 1] : Real100(0)) - nodes[m] * l[i]) / (nodes[j] - nodes[m]);
    }
    basis.row(j) = l.transpose();
  }
  return basis;
}

Vec interpolatory_weights(const Vec& nodes, const Real100& x) {
  const Matrix<Real100> basis = lagrange_basis(nodes);
  Vec weights(nodes.size());
  for (Index j = 0; j < nodes.size(); ++j) weights[j] = integral(basis.row(j).transpose(), x);
  return weights;
}

}  // namespace daelab
