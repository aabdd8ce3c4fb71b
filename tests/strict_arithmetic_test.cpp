#include "core/base/strict_arithmetic.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "core/base/context.hpp"
#include "core/expressions/program.hpp"
#include "core/solvers/sparse_rank.hpp"
#include "tests/random_numbers.hpp"

namespace daelab {
namespace TEST_FILE {

// While it lives, of this thread.
struct Strict {
  Context context{.strict = true};
  Context::Scope scope{context};
};

template <class F>
auto strictly(const F& f) {
  const Strict strict;
  return f();
}

constexpr double ulp = std::numeric_limits<double>::epsilon();

// The two libraries are each less than one unit in the last place off.
void expect_close(const std::function<double(double)>& f, double from, double to, const char* name) {
  for (int i = 0; i <= 4000; ++i) {
    const double x = from + (to - from) * i / 4000;
    const double usual = f(x), strict = strictly([&] { return f(x); });
    EXPECT_NEAR(usual, strict, 2 * ulp * std::abs(usual)) << name << "(" << x << ")";
  }
}
#define EXPECT_CLOSE(name, from, to) expect_close([](double x) { return name(x); }, from, to, #name)

TEST(StrictArithmetic, FunctionsAreThoseOfTheLibraryToTheLastPlace) {
  EXPECT_CLOSE(std::exp, -700, 700);
  EXPECT_CLOSE(std::exp2, -1000, 1000);
  EXPECT_CLOSE(std::log, 1e-3, 1e3);
  EXPECT_CLOSE(std::log2, 1e-3, 1e3);
  EXPECT_CLOSE(std::log10, 1e-3, 1e3);
  EXPECT_CLOSE(std::log1p, -0.9, 10);
  EXPECT_CLOSE(std::sin, -50, 50);
  EXPECT_CLOSE(std::cos, -50, 50);
  EXPECT_CLOSE(std::tan, -50, 50);
  EXPECT_CLOSE(arithmetic::asin, -1, 1);
  EXPECT_CLOSE(std::acos, -1, 1);
  EXPECT_CLOSE(std::atan, -20, 20);
  EXPECT_CLOSE(arithmetic::sinh, -20, 20);
  EXPECT_CLOSE(arithmetic::cosh, -20, 20);
  EXPECT_CLOSE(arithmetic::tanh, -5, 5);
  EXPECT_CLOSE(std::cbrt, -1e6, 1e6);
  expect_close([](double x) { return std::pow(1.37, x); }, -50, 50, "pow");
  expect_close([](double x) { return std::atan2(x, 3 - x); }, -5, 5, "atan2");
  expect_close([](double x) { return std::hypot(x, 3 - x); }, -5, 5, "hypot");
}

TEST(StrictArithmetic, TakesThePlaceOfTheLibrary) {
  // Some of 4000 arguments are rounded otherwise, or no function was replaced.
  int different = 0;
  for (int i = 1; i <= 4000; ++i) {
    const double x = 0.01 * i;
    different += std::pow(x, 0.7) != strictly([&] { return std::pow(x, 0.7); }) ? 1 : 0;
  }
  EXPECT_GT(different, 0);
}

TEST(StrictArithmetic, ByNameAndByTheLinkerIsTheSame) {
  for (const bool is_strict : {false, true}) {
    Context context{.strict = is_strict};
    const Context::Scope scope{context};
    for (int i = 1; i <= 1000; ++i) {
      const double x = 0.001 * i;
      EXPECT_EQ(arithmetic::exp(x), std::exp(x));
      EXPECT_EQ(arithmetic::log(x), std::log(x));
      EXPECT_EQ(arithmetic::sin(x), std::sin(x));
      EXPECT_EQ(arithmetic::cos(x), std::cos(x));
      EXPECT_EQ(arithmetic::tan(x), std::tan(x));
      EXPECT_EQ(arithmetic::acos(x), std::acos(x));
      EXPECT_EQ(arithmetic::atan(x), std::atan(x));
      EXPECT_EQ(arithmetic::pow(x, 0.7), std::pow(x, 0.7));
      EXPECT_EQ(arithmetic::atan2(x, 0.7), std::atan2(x, 0.7));
    }
  }
}

TEST(StrictArithmetic, SpecialValuesAreThoseOfTheStandard) {
  const Strict strict;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(std::exp(-infinity), 0);
  EXPECT_EQ(std::exp(1000), infinity);
  EXPECT_EQ(std::log(0.0), -infinity);
  EXPECT_TRUE(std::isnan(std::log(-1.0)));
  EXPECT_EQ(std::pow(-2.0, 3.0), -8);
  EXPECT_EQ(std::pow(0.0, 0.0), 1);
  EXPECT_TRUE(std::isnan(std::pow(-2.0, 0.5)));
  EXPECT_TRUE(std::isnan(arithmetic::asin(2.0)));
  EXPECT_EQ(std::atan2(0.0, -1.0), std::acos(-1.0));
  EXPECT_TRUE(std::signbit(std::sin(-0.0)));
}

TEST(StrictArithmetic, ComplexFunctionsAgree) {
  using Complex = std::complex<double>;
  for (const Complex z : {Complex(0.3, 0.7), Complex(-1.5, 2), Complex(-2, -0.1), Complex(4, 0), Complex(0, -3)}) {
    const auto check = [&](const auto& f) {
      const Complex usual = f(z), strict = strictly([&] { return f(z); });
      // Each is made of several real functions.
      EXPECT_LE(std::abs(usual - strict), 8 * ulp * std::abs(usual)) << z;
    };
    check([](const Complex& x) { return std::exp(x); });
    check([](const Complex& x) { return std::sqrt(x); });
    check([](const Complex& x) { return Complex(std::abs(x), std::arg(x)); });
  }
}

TEST(StrictArithmetic, SinesOfFourAnglesDoWithoutFusedMultiplyAdd) {
  const Strict strict;
  EXPECT_STREQ(sines_and_cosines_variant(), "cinz");
  EXPECT_TRUE(evaluation_text().ends_with("SLEEF cinz; strict")) << evaluation_text();
}

TEST(StrictArithmetic, IndependentRowsAreFoundWithoutBlas) {
  // Rows 0, 2, 4, ... of a random band; each row after is the sum of its neighbours of even number.
  const int rows = 41, columns = 60;
  std::vector<std::vector<double>> full(rows, std::vector<double>(columns, 0));
  RandomNumbers random(7);
  for (int i = 0; i < rows; i += 2)
    for (int j = i; j < i + 4; ++j) full[i][j] = 1.25 + 0.75 * random.next();
  for (int i = 1; i < rows; i += 2)
    for (int j = 0; j < columns; ++j) full[i][j] = full[i - 1][j] + full[i + 1][j];
  auto pattern = std::make_shared<SparsePattern>();
  pattern->rows = rows, pattern->columns = columns;
  pattern->start.assign(1, 0);
  std::vector<double> values;
  for (int j = 0; j < columns; ++j) {
    for (int i = 0; i < rows; ++i)
      if (full[i][j] != 0) pattern->row.push_back(i), values.push_back(full[i][j]);
    pattern->start.push_back(static_cast<int>(values.size()));
  }
  SparseMatrix<double> A;
  A.take(pattern);
  A.values = Eigen::Map<Vector<double>>(values.data(), static_cast<Index>(values.size()));

  const RowDependence usual = find_dependent_rows(A, 1e-9);
  const RowDependence strict = strictly([&] { return find_dependent_rows(A, 1e-9); });
  EXPECT_EQ(usual.independent_rows.size(), 21u);
  EXPECT_EQ(strict.independent_rows.size(), 21u);
  EXPECT_EQ(strict.dependent_rows.size(), 20u);
  // The gap in which the tolerance lies: measured 0.52 and 4e-16.
  EXPECT_GT(strict.smallest_kept, 1e-3);
  EXPECT_LT(strict.largest_dropped, 1e-12);
}

}  // namespace TEST_FILE
}  // namespace daelab
