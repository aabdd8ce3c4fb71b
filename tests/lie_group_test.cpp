// Operators of SO(3) and SE(3): against their series, each other's inverses, and derivatives by central differences.
#include "core/mechanism/lie_group.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "tests/scalars.hpp"

namespace daelab {
namespace TEST_FILE {

using lie::Operators;
using lie::Retraction;

template <class T>
class LieGroups : public testing::Test {};
TYPED_TEST_SUITE(LieGroups, Scalars);

constexpr LieGroup both[] = {LieGroup::so3, LieGroup::se3};
constexpr Retraction retractions[] = {Retraction::exponential, Retraction::cayley};

template <class T>
Vector<T> sample(Index n, int seed, double scale = 1) {
  Vector<T> x(n);
  for (Index i = 0; i < n; ++i) x[i] = T(scale) * (T((7 * i + 3 * seed) % 11) - T(5)) / T(6);
  return x;
}
template <class T>
Vector<T> unit(LieGroup group) {
  Vector<T> g = Vector<T>::Zero(base_size(group));
  g[0] = T(1);
  return g;
}
template <class T>
double distance(const Vector<T>& x, const Vector<T>& y) {
  return static_cast<double>((x - y).cwiseAbs().maxCoeff() / epsilon<T>());  // in units of round-off
}
template <class T>
Matrix<T> matrix_of(const std::function<void(T*)>& apply, Index n) {
  Matrix<T> A = Matrix<T>::Identity(n, n);
  for (Index j = 0; j < n; ++j) apply(A.col(j).data());
  return A;
}

// T(w) = sum_i (-hat(w))^i/(i+1)!, on both sides of where series and closed forms meet, and next to zero.
TYPED_TEST(LieGroups, TangentIsItsSeries) {
  using T = TypeParam;
  for (const LieGroup group : both)
    for (const double scale : {1e-30, 1e-4, 0.3, 1.4, 1.7, 2.5}) {
      const Operators<T> with(group);
      const Index n = with.dimension();
      const Vector<T> w = sample<T>(n, 1, scale);
      const Matrix<T> hat = matrix_of<T>([&](T* x) { with.bracket(w.data(), x); }, n);
      Matrix<T> power = Matrix<T>::Identity(n, n), sum = power;
      for (int i = 1; i < 80; ++i) sum += power = Matrix<T>(-power * hat / T(i + 1));
      const Matrix<T> A = matrix_of<T>([&](T* x) { with.tangent(w.data(), x); }, n);
      EXPECT_LT(static_cast<double>((A - sum).cwiseAbs().maxCoeff() / epsilon<T>()), 200) << scale;
      const Matrix<T> inverse = matrix_of<T>([&](T* x) { with.inverse_tangent(w.data(), x); }, n);
      EXPECT_LT(static_cast<double>((A * inverse - Matrix<T>::Identity(n, n)).cwiseAbs().maxCoeff() / epsilon<T>()),
                500)
          << scale;
      const Matrix<T> transposed = matrix_of<T>([&](T* x) { with.transposed_inverse_tangent(w.data(), x); }, n);
      EXPECT_LT(static_cast<double>((transposed.transpose() - inverse).cwiseAbs().maxCoeff() / epsilon<T>()), 20);
      const Matrix<T> hat_t = matrix_of<T>([&](T* x) { with.transposed_bracket(w.data(), x); }, n);
      EXPECT_EQ(static_cast<double>((hat_t.transpose() - hat).cwiseAbs().maxCoeff()), 0);
    }
}

TYPED_TEST(LieGroups, DifferenceIsTheInverseOfComposition) {
  using T = TypeParam;
  for (const LieGroup group : both)
    for (const Retraction retraction : retractions)
      for (const double scale : {1e-30, 1e-4, 0.5, 1.5}) {
        const Operators<T> with(group);
        Vector<T> base = unit<T>(group), w = sample<T>(with.dimension(), 2, scale), back = w;
        with.compose(Retraction::exponential, sample<T>(with.dimension(), 5).data(), base.data());
        Vector<T> g = base;
        with.compose(retraction, w.data(), g.data());
        with.difference(retraction, base.data(), g.data(), back.data());
        EXPECT_LT(distance(back, w), 50) << scale;
      }
}

// exp(w) and the chart agree to second order: their difference falls by 8 from w to w/2.
TYPED_TEST(LieGroups, ChartAgreesWithTheExponentialToSecondOrder) {
  using T = TypeParam;
  for (const LieGroup group : both) {
    const Operators<T> with(group);
    std::vector<double> gaps;
    for (const double scale : {0.02, 0.01}) {
      Vector<T> w = sample<T>(with.dimension(), 3, scale), u = w, g = unit<T>(group);
      with.compose(Retraction::exponential, w.data(), g.data());
      with.difference(Retraction::cayley, unit<T>(group).data(), g.data(), u.data());
      gaps.push_back(static_cast<double>((u - w).cwiseAbs().maxCoeff()));
    }
    EXPECT_NEAR(gaps[0] / gaps[1], 8, 0.05);
  }
}

// Left velocities from points nearby: g(t)^-1 g(t + h) = exp(h v + h^2 v'/2 + O(h^3)), so half the difference of both
// sides is h v and half the sum h^2 v'/2, up to O(h^3).
template <class T>
void expect_derivatives(const Operators<T>& with, LieGroup group,
                        const std::function<void(const T&, Vector<T>&)>& point, const Vector<T>& v, const Vector<T>& a,
                        const T& h) {
  Vector<T> now = unit<T>(group), later = now, before = now, forth = v, back = v;
  point(T(0), now), point(h, later), point(-h, before);
  with.difference(Retraction::exponential, now.data(), later.data(), forth.data());
  with.difference(Retraction::exponential, now.data(), before.data(), back.data());
  const Vector<T> velocity = (forth - back) / (T(2) * h), acceleration = (forth + back) / (h * h);
  const double size = static_cast<double>(h * h);
  EXPECT_LT(static_cast<double>((velocity - v).cwiseAbs().maxCoeff()), 30 * size);
  EXPECT_LT(static_cast<double>((acceleration - a).cwiseAbs().maxCoeff()),
            30 * size + 30 * static_cast<double>(epsilon<T>()) / size);
}

TYPED_TEST(LieGroups, VelocitiesAndAccelerationsOfTheChartAreDerivatives) {
  using T = TypeParam;
  for (const LieGroup group : both) {
    const Operators<T> with(group);
    const Index n = with.dimension();
    const Vector<T> u = sample<T>(n, 1), rate = sample<T>(n, 4), second = sample<T>(n, 6);
    Vector<T> v = rate, a = second;
    with.left_from_chart(u.data(), v.data(), a.data());
    expect_derivatives<T>(
        with, group,
        [&](const T& t, Vector<T>& g) {
          const Vector<T> at = u + t * rate + (t * t / T(2)) * second;
          with.compose(Retraction::cayley, at.data(), g.data());
        },
        v, a, T(1) / T(4096));
    with.chart_from_left(u.data(), v.data(), a.data());
    EXPECT_LT(distance(v, rate), 50);
    EXPECT_LT(distance(a, second), 100);
  }
}

// The velocity T(w) w' of g0 exp(w(t)).
TYPED_TEST(LieGroups, TangentGivesLeftVelocities) {
  using T = TypeParam;
  for (const LieGroup group : both) {
    const Operators<T> with(group);
    const Index n = with.dimension();
    const Vector<T> w = sample<T>(n, 1), rate = sample<T>(n, 4);
    Vector<T> v = rate;
    with.tangent(w.data(), v.data());
    const T h = T(1) / T(4096);
    Vector<T> now = unit<T>(group), later = now, difference = v;
    with.compose(Retraction::exponential, Vector<T>(w - h * rate).data(), now.data());
    with.compose(Retraction::exponential, Vector<T>(w + h * rate).data(), later.data());
    with.difference(Retraction::exponential, now.data(), later.data(), difference.data());
    EXPECT_LT(static_cast<double>((difference / (T(2) * h) - v).cwiseAbs().maxCoeff()), 1e-6);
  }
}

}  // namespace TEST_FILE
}  // namespace daelab
