#include "core/base/norm.hpp"

#include <gtest/gtest.h>

namespace daelab {
namespace TEST_FILE {

template <class T>
T norm_of(Norm norm, std::initializer_list<double> entries) {
  NormOf<T> result(norm);
  for (const double x : entries) result.add(T(x));
  return result.value();
}

TEST(Norm, IsThatOfEuclidOrTheLargestSize) {
  EXPECT_EQ(norm_of<double>(Norm::two, {3, -4}), 5);
  EXPECT_EQ(norm_of<double>(Norm::max, {3, -4}), 4);
  EXPECT_EQ(norm_of<double>(Norm::scaled, {3, -4}), 4);  // of weighted values
  EXPECT_EQ(norm_of<Real50>(Norm::max, {3, -4}), 4);
  for (const Norm norm : {Norm::two, Norm::max}) EXPECT_EQ(norm_of<double>(norm, {}), 0);
}

TEST(Norm, KeepsANaN) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Norm norm : {Norm::two, Norm::max}) {
    EXPECT_TRUE(std::isnan(norm_of<double>(norm, {1, nan, 2})));
    EXPECT_TRUE(isnan(norm_of<Real50>(norm, {nan, 1})));
  }
}

TEST(Norm, OfAVectorIsTheLargestSize) {
  EXPECT_EQ(max_norm(Vector<double>{{1, -7, 3}}), 7);
  EXPECT_EQ(max_norm(Vector<double>()), 0);
}

TEST(Norm, OfWeightedEntriesKeepsANaNWhereverItIs) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinite = std::numeric_limits<double>::infinity();
  for (Index count = 0; count <= 13; ++count) {
    Vector<double> x = Vector<double>::LinSpaced(count, -3, 2), w = Vector<double>::LinSpaced(count, 1, 9);
    const auto of_all = [&] {
      NormOf<double> norm;
      norm.add_all(x.cwiseProduct(w));
      return norm.value();
    };
    NormOf<double> one_by_one;
    for (Index i = 0; i < count; ++i) one_by_one.add(x[i] * w[i]);
    EXPECT_EQ(of_all(), one_by_one.value()) << count;
    for (Index i = 0; i < count; ++i) {
      const double kept = std::exchange(x[i], nan);
      EXPECT_TRUE(std::isnan(of_all())) << i << " of " << count;
      x[i] = -infinite;
      EXPECT_EQ(of_all(), infinite) << i << " of " << count;
      x[i] = kept;
    }
  }
}

TEST(Norm, IsNamedAsInTheOptionsOfNewton) {
  const std::vector<std::string> names = names_of(Norm{});
  EXPECT_EQ(names.at(static_cast<std::size_t>(Norm::two)), "two");
  EXPECT_EQ(names.at(static_cast<std::size_t>(Norm::max)), "max");
  EXPECT_EQ(names.at(static_cast<std::size_t>(Norm::scaled)), "scaled");
}

}  // namespace TEST_FILE
}  // namespace daelab
