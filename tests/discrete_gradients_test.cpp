// Discrete gradients as expressions: difference quotients of all operations, quadratic functions, refusals.
#include "methods/geometric/discrete_gradients.hpp"

#include <gmock/gmock.h>

#include <array>
#include <cmath>

#include "core/base/exact.hpp"
#include "core/base/status.hpp"
#include "core/expressions/derivative.hpp"
#include "core/expressions/graph.hpp"
#include "core/expressions/program.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;
using testing::ThrowsMessage;

// D . (x1 - x0) = f(x1) - f(x0) for every operation, D symmetric in both points, and the gradient where they are one.
template <class T>
void expect_difference_quotients(const std::vector<T>& changes, const T& tolerance) {
  using std::abs;
  Graph graph;
  const RecordingScope scope(graph);
  const Expressions x = {graph.input(0, 0, "x"), graph.input(0, 1, "y")},
                    y = {graph.input(1, 0, "x"), graph.input(1, 1, "y")};
  const Expression p = x[0], q = x[1];
  const Expressions functions = {
      p * q + p,    p / q,   sqrt(p) * q, exp(p * q),  log(p) - q,  sin(p) * cos(q), tan(p / 4), sinh(p),
      cosh(q),      tanh(p), -(p - q),    asin(p / 4), acos(q / 4), atan(p),         abs(p),     pow(p, Exact("1/3")),
      square(p) * p};
  const Expression least = Exact("1e-34");
  for (std::size_t k = 0; k < functions.size(); ++k) {
    const Expressions f = {functions[k]};
    const Expressions D = chain_rule_gradient(f[0], {x, x, y, least}),
                      back = chain_rule_gradient(f[0], {x, y, x, least});
    const Expressions outputs = {
        D[0], D[1], back[0], back[1], f[0], substitute(f, x, y)[0], gradient(f[0], x)[0], gradient(f[0], x)[1]};
    std::vector<Output> list;
    for (const Expression& output : outputs) list.push_back({output, 0, static_cast<int>(list.size())});
    const auto program = make_interpreter<T>(make_tape(graph, list));
    std::vector<T> work(program->work_size()), values(outputs.size());
    for (const T& change : changes) {
      const std::array<T, 2> start{T(7) / 5, T(4) / 5}, end{start[0] + change, start[1] - change / 2};
      const std::array<const T*, 2> inputs{start.data(), end.data()};
      const std::array<T*, 1> out{values.data()};
      program->run(inputs.data(), out.data(), work.data());
      const T work_done = values[0] * (end[0] - start[0]) + values[1] * (end[1] - start[1]);
      EXPECT_LT(abs(work_done - (values[5] - values[4])), tolerance) << k << " " << change;
      for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_LT(abs(values[i] - values[2 + i]), T(1000) * tolerance) << k << " " << change;
        if (change == T(0)) {
          EXPECT_LT(abs(values[i] - values[6 + i]), tolerance) << k;
        }
      }
    }
  }
}
TEST(ChainRuleGradient, HasTheDifferenceQuotientsOfAllOperations) {
  expect_difference_quotients<double>({0.0, 0.3, -0.2, 1e-2, 2.1e-3, 1.9e-3, 1e-5, 1e-9}, 1e-15 * 8);
  expect_difference_quotients<Real50>({Real50(0), Real50("0.3"), Real50("0.0021"), Real50("0.0019"), Real50("1e-9")},
                                      Real50("1e-48"));
}

TEST(ChainRuleGradient, RefusesChoices) {
  Graph graph;
  const RecordingScope scope(graph);
  const Expressions x = {graph.input(0, 0, "x")}, y = {graph.input(1, 0, "x")};
  for (const Expression& f : {max(x[0], 0), select(x[0] < 1, x[0], 1), atan2(x[0], 1)})
    EXPECT_THAT(
        [&] {
          chain_rule_gradient(f, {x, x, y, 0});
        },
        ThrowsMessage<NotApplicable>(HasSubstr("gradient = decomposed or joint")));
}

TEST(GonzalezCorrection, IsNothingOfQuadraticFunctions) {
  Graph graph;
  const RecordingScope scope(graph);
  const Expressions x = {graph.input(0, 0, "x"), graph.input(0, 1, "y")},
                    y = {graph.input(1, 0, "x"), graph.input(1, 1, "y")};
  EXPECT_TRUE(is_quadratic(square(x[0] - 3 * x[1]) + x[0], x));
  EXPECT_FALSE(is_quadratic(square(x[0]) * x[1], x));
  for (const Expression& part : gonzalez_correction(x[0] * x[1], {x, x, y, 0})) EXPECT_TRUE(part.is_zero());
}

}  // namespace TEST_FILE
}  // namespace daelab
