// Sums of weighted columns: packs of components give the bits of one component after the other.
#include "core/integration/linear_combination.hpp"

#include <gtest/gtest.h>

#include "tests/numeric_support.hpp"

namespace daelab {
namespace TEST_FILE {

TEST(LinearCombination, HasTheBitsOfOneComponentAfterTheOther) {
  RandomNumbers random(1);
  const auto numbers = [&](Index count) {
    std::vector<double> x(static_cast<std::size_t>(count));
    for (double& entry : x) entry = random.next();
    return x;
  };
  for (Index size = 0; size <= 40; ++size)
    for (std::size_t terms : {0, 1, 2, 7, 13}) {
      const std::vector<double> start = numbers(size), factors = numbers(static_cast<Index>(terms));
      std::vector<std::vector<double>> columns;
      std::vector<const double*> addresses;
      for (std::size_t j = 0; j < terms; ++j) columns.push_back(numbers(size));
      for (const auto& column : columns) addresses.push_back(column.data());
      std::vector<double> expected = start, sum = numbers(size), in_place = start;
      for (std::size_t i = 0; i < expected.size(); ++i)
        for (std::size_t j = 0; j < terms; ++j) expected[i] += factors[j] * columns[j][i];
      const WeightedColumns<double> weighted{factors.data(), addresses.data(), terms};
      add_columns(start.data(), weighted, size, sum.data());
      add_columns(in_place.data(), weighted, size, in_place.data());
      EXPECT_EQ(sum, expected) << size << " components, " << terms << " terms";
      EXPECT_EQ(in_place, expected) << size << " components, " << terms << " terms";
    }
}

TEST(LinearCombination, LeavesOutFactorsThatAreZero) {
  const double infinite = std::numeric_limits<double>::infinity(), start = 1, column = 3, no_number = infinite;
  LinearCombination<double> sum(2);
  sum.add(0, &no_number);
  sum.add(2, &column);
  double result = 0;
  sum.evaluate(&start, 1, &result);
  EXPECT_EQ(result, 7);
  sum.clear();
  sum.evaluate(&start, 1, &result);
  EXPECT_EQ(result, 1);
}

}  // namespace TEST_FILE
}  // namespace daelab
