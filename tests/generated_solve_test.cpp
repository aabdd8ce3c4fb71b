// Accelerations by generated code: right where its pivots are above their thresholds, and never used where they are
// not.
#include <gmock/gmock.h>

#include "core/equations/formulation.hpp"
#include "core/equations/mechanical_system.hpp"
#include "core/integration/method.hpp"
#include "core/mechanism/forms.hpp"
#include "lab/runs/run.hpp"
#include "results/record_values.hpp"
#include "tests/expression_support.hpp"
#include "tests/numeric_support.hpp"
#include "tests/random_saddle_point.hpp"
#include "tests/scalars.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

// Round-off, and what pivots make of it: measured 2e-14 in double, 2e-49 in 50 digits.
TEST(Elimination, SolvesRandomSaddlePointsByEveryRule) {
  for (unsigned seed = 1; seed <= 200; ++seed)
    for (const PivotRule rule : {PivotRule::definite, PivotRule::stable, PivotRule::tolerable}) {
      const Index n = 1 + seed % 9, m = seed % (n + 1);
      RandomSaddlePoint system(seed, n, m);
      const auto sequence = choose_pivots(system.A, system.samples(), rule, 1000000);
      if (!sequence && rule == PivotRule::stable) continue;  // may ask too much of a matrix
      ASSERT_TRUE(sequence) << "seed " << seed << " rule " << static_cast<int>(rule);
      EXPECT_LT(system.residual<double>(*sequence), 1e-12) << "seed " << seed;
      EXPECT_LT(system.residual<Real50>(*sequence), 1e-46) << "seed " << seed;
    }
}

TEST(Elimination, PairsOfRowsReplaceTheMassThatIsNotThere) {
  RandomSaddlePoint system(1, 5, 5, RandomSaddlePoint::Kind::massless);
  EXPECT_FALSE(choose_pivots(system.A, system.samples(), PivotRule::definite, 1000000));
  const auto sequence = choose_pivots(system.A, system.samples(), PivotRule::tolerable, 1000000);
  ASSERT_TRUE(sequence);
  for (const Pivot& pivot : sequence->pivots) EXPECT_NE(pivot.first, pivot.second);
  EXPECT_LT(system.residual<Real50>(*sequence), 1e-46);  // as above
}

TEST(Elimination, DependentRowsAndFullFactorsHaveNone) {
  RandomSaddlePoint system(4, 6, 3);
  // The third constraint becomes the first.
  const auto entry = [&](std::size_t row, std::size_t column) {
    for (std::size_t k = 0; k < system.A.entries.size(); ++k)
      if (system.A.entries[k].row == row && system.A.entries[k].column == column) return k;
    return system.A.entries.size();
  };
  RandomSaddlePoint dependent(4, 6, 3);
  const std::size_t none = system.A.entries.size();
  for (std::size_t j = 0; j < 6; ++j) {
    const std::size_t first = entry(6, j), third = entry(8, j);
    if (third < none) dependent.values[third] = first < none ? system.values[first] : 0;
    if (third == none && first < none) dependent.values[first] = 0;
  }
  ASSERT_LT(entry(8, 2), none);
  EXPECT_TRUE(choose_pivots(system.A, system.samples(), PivotRule::definite, 1000000));
  EXPECT_FALSE(choose_pivots(system.A, system.samples(), PivotRule::definite, 10));
  for (const PivotRule rule : {PivotRule::definite, PivotRule::stable, PivotRule::tolerable})
    EXPECT_FALSE(choose_pivots(dependent.A, dependent.samples(), rule, 1000000)) << static_cast<int>(rule);
}

// States along a motion over the first second, with the first-order states behind v.
struct Point {
  Real50 t;
  Vector<Real50> q, v;
};
std::vector<Point> motion_of(const std::string& problem) {
  const auto component = Registry<Problem>::instance().make(problem, "");
  const auto model = component->mechanical_model(As<double>{});
  std::vector<Point> points{{0, model->initial_q().cast<Real50>(), model->initial_v().cast<Real50>()}};
  Json samples = Json::array();
  const Exact end = component->end_time().value() < 1 ? component->end_time() : Exact(1);
  for (int k = 1; k <= 20; ++k) samples.push_back(fmt::format("{}/20*({})", k, end.text()));
  const Json record = Run::bind({{"problem", problem},
                                 {"formulation", "index-1"},
                                 {"method", "extrapolation"},
                                 {"rtol", "1e-6"},
                                 {"t_end", end.text()},
                                 {"samples", samples},
                                 {"singular", "ignore"}},
                                "")
                          ->execute()
                          .record;
  EXPECT_EQ(record["status"], "ok") << problem << record["cause"];
  for (const Json& sample : record["samples"]) {
    const Index n = model->coordinates();
    Point point{record_number(sample["t"]), Vector<Real50>::Zero(n), Vector<Real50>(n)};
    const Vector<Real50> q = record_vector(sample["q"]), v = record_vector(sample["v"]);
    point.q.head(q.size()) = q, point.v.head(v.size()) = v;
    if (model->integrated_states() > 0) point.v.tail(model->integrated_states()) = record_vector(sample["y"]);
    points.push_back(point);
  }
  return points;
}

// The largest residual of a row relative to the sizes of its terms: how much the data would have to change for the
// solution to be exact, whatever their condition.   [Oettli, Prager 1964] `by_largest`: relative to the largest row.
template <class T>
double backward_error(const SaddlePoint<T>& s, const Vector<T>& a, const Vector<T>& lambda, bool by_largest) {
  const auto wide = [](const auto& x) { return x.template cast<Widest>().eval(); };
  const auto M = wide(s.M), G = wide(s.G);
  const auto f = wide(s.f), h = wide(s.h), x = wide(a), y = wide(lambda);
  const Vector<Widest> balance = M * x + G.transpose() * y - f, rows = G * x + h;
  const Vector<Widest> x_size = x.cwiseAbs(), y_size = y.cwiseAbs(),
                       of_balance = M.cwiseAbs() * x_size + G.transpose().cwiseAbs() * y_size + f.cwiseAbs(),
                       of_rows = G.cwiseAbs() * x_size + h.cwiseAbs();
  double worst = 0;
  const Widest least = by_largest ? std::max(of_balance.maxCoeff(), of_rows.maxCoeff()) : Widest(0);
  const auto add = [&](const Widest& r, const Widest& of_row) {
    using std::abs;
    const Widest size = std::max(of_row, least);
    if (size > Widest(0)) worst = std::max(worst, static_cast<double>(Widest(abs(r) / size)));
  };
  for (Index i = 0; i < x.size(); ++i) add(balance[i], of_balance[i]);
  for (Index i = 0; i < y.size(); ++i) add(rows[i], of_rows[i]);
  return worst;
}

template <class T>
void expect_accelerations(const std::string& name) {
  const auto model = Registry<Problem>::instance().make(name, "")->mechanical_model(As<T>{});
  const Index n = model->coordinates(), m = model->constraints();
  const StartReport report = analyse_start<T>(*model, model->initial_q(), model->initial_v());
  Vector<T> a(n), lambda(m), Q(n), h(m), expected_a(n), expected_lambda(m);
  Matrix<T> M(n, n), J(m, n);
  GeneratedSolve<T> solve(*model, FormKind::accelerations);
  const auto solved = [&](const T& t, const Vector<T>& q, const Vector<T>& v) {
    return solve(t, q.data(), v.data(), a.data(), lambda.data());
  };
  if (report.rank < report.constraints) {
    EXPECT_EQ(solved(T(0), model->initial_q(), model->initial_v()), GeneratedOutcome::absent);
    return;
  }
  const auto dense = multipliers_for(*model, "kkt-lu");
  const double unit = static_cast<double>(epsilon<T>());
  for (const Point& point : motion_of(name)) {
    const T t = static_cast<T>(point.t);
    const Vector<T> q = point.q.cast<T>(), v = point.v.cast<T>();
    ASSERT_EQ(solved(t, q, v), GeneratedOutcome::solved) << name << " at t = " << point.t << ": " << solve.weak_pivot();
    model->data(t, q, v, M, Q, J, h);
    ASSERT_TRUE(dense->solve({M, false, J, Q, h}, expected_a, expected_lambda).ok());
    const auto difference = [](const Vector<T>& x, const Vector<T>& y) {
      return x.size() == 0 ? 0 : largest(Vector<T>(x - y)) / (largest(y) + 1e-300);
    };
    // Some units for each row backward, and up to 1e5 by the condition. Directors of a fast top have accelerations of
    // 1e4 beside some that vanish, in rows of their own.
    const bool by_largest = name == "heavy-top-directors";
    EXPECT_LT(backward_error<T>({M, false, J, Q, h}, a, lambda, by_largest), 30 * static_cast<double>(n + m) * unit)
        << name << " at t = " << point.t;
    EXPECT_LT(difference(a, expected_a), 1e5 * unit) << name << " at t = " << point.t;
    EXPECT_LT(difference(lambda, expected_lambda), 1e5 * unit) << name << " at t = " << point.t;
  }
}

class GeneratedProblems : public testing::TestWithParam<std::string> {};
TEST_P(GeneratedProblems, AgreeWithPivotsChosenAnew) {
#define DAELAB_EXPECT(T) expect_accelerations<T>(GetParam());
  DAELAB_FOR_SCALARS(DAELAB_EXPECT)
#undef DAELAB_EXPECT
}
INSTANTIATE_TEST_SUITE_P(All, GeneratedProblems, testing::ValuesIn(problem_names(true)),
                         [](const auto& info) { return test_name_of(info.param); });

// A point without mass that is led along a given path in axes that turn: whichever entry is a pivot passes zero.
//   c x + s y = t,  -s x + c y = t^2,  (c, s) = (cos t, sin t)
void record_led_point(Recording& r) {
  r.coordinates({"x", "y"});
  const Expression &t = r.t, &x = r.q[0], &y = r.q[1];
  r.force = {1, 2};
  r.constraints = {cos(t) * x + sin(t) * y - t, cos(t) * y - sin(t) * x - t * t};
}

template <class T>
class GeneratedFallback : public testing::Test {};
TYPED_TEST_SUITE(GeneratedFallback, Scalars);

TYPED_TEST(GeneratedFallback, TakesOverWherePivotsVanish) {
  using T = TypeParam;
  using std::sin, std::cos, std::acos;
  const auto model = recorded_model<T>(record_led_point);
  const auto multipliers = multipliers_for<T>(*model, "written-out:fallback=kkt-lu");
  AccelerationSolver<T> solver(*model, *multipliers);
  Vector<T> a(2), lambda(2);
  for (int k = 0; k <= 64; ++k) {
    const T t = T(k) * acos(T(-1)) / T(32), c = cos(t), s = sin(t);
    // z = (t, t^2) in the axes that turn: r = R z with R' = R W, r'' = R (z'' + 2 W z' - z), W = (0, -1; 1, 0).
    const Vector<T> z{{t, t * t}}, in_axes{{T(0) - 2 * 2 * t - z[0], T(2) + 2 * T(1) - z[1]}};
    const auto turned = [&](const T& x, const T& y) { return Vector<T>{{c * x - s * y, s * x + c * y}}; };
    const Vector<T> q = turned(z[0], z[1]), v = turned(T(1) - z[1], 2 * t + z[0]);
    ASSERT_TRUE(solver.solve(t, q, v, a, lambda).ok()) << "t = " << t;
    const Vector<T> expected = turned(in_axes[0], in_axes[1]), force{{c + 2 * s, 2 * c - s}};
    const T tolerance = 1000 * epsilon<T>() * (1 + t * t);
    EXPECT_LT(largest(Vector<T>(a - expected)), tolerance) << "t = " << t;
    EXPECT_LT(largest(Vector<T>(lambda - force)), tolerance) << "t = " << t;
  }
  const SolveStatistics& statistics = multipliers->statistics();
  EXPECT_EQ(statistics.solves, 65);
  EXPECT_GT(statistics.pivot_fallbacks, 0);
  EXPECT_LT(statistics.pivot_fallbacks, 40);  // and not everywhere
  EXPECT_THAT(statistics.first_pivot_fallback, HasSubstr("the pivot of "));
}

TYPED_TEST(GeneratedFallback, IsAskedForWhereAPivotIsTooSmall) {
  using T = TypeParam;
  const auto model = recorded_model<T>(record_led_point);
  const Vector<T> q = model->initial_q(), v = model->initial_v();
  Vector<T> a(2), lambda(2);
  GeneratedSolve<T> solve(*model, FormKind::accelerations);
  int solved = 0;
  for (int k = 0; k <= 64; ++k)
    if (solve(T(k) / T(10), q.data(), v.data(), a.data(), lambda.data()) == GeneratedOutcome::solved) ++solved;
  EXPECT_GT(solved, 0);
  EXPECT_LT(solved, 65);
}

// Steps take generated code, or the fallback where a pivot is too small, and both are counted.
TYPED_TEST(GeneratedFallback, ServesStepsOfExplicitMethods) {
  using T = TypeParam;
  const auto model = recorded_model<T>(record_led_point);
  const auto multipliers = multipliers_for<T>(*model, "written-out:fallback=kkt-lu");
  const auto system = Registry<Formulation>::instance().make("index-1", "")->system(*model, *multipliers);
  const auto stepper = Registry<Method>::instance().make("runge-kutta", "")->stepper(*system, {});
  State<T> from, to;
  from.y = Vector<T>::Zero(6), from.y.segment(2, 2) = model->initial_v();
  for (Vector<T>* x : {&from.ydot, &from.compensation}) x->setZero(6);
  ASSERT_TRUE(system->consistent_derivatives(T(0), from.y, from.ydot).ok());
  to = from;
  for (int k = 0; k < 30; ++k) {
    ASSERT_TRUE(stepper->step(from, T(1) / T(20), to).ok()) << k;
    std::swap(from, to);
  }
  EXPECT_EQ(multipliers->statistics().solves, 1 + stepper->statistics().residuals);
  EXPECT_GT(multipliers->statistics().pivot_fallbacks, 0);
}

TYPED_TEST(GeneratedFallback, IsWhatSaysThatThereIsNoNumber) {
  using T = TypeParam;
  const auto model = Registry<Problem>::instance().make("seven-body", "")->mechanical_model(As<T>{});
  const auto multipliers = multipliers_for<T>(*model, "written-out");
  Vector<T> q = model->initial_q(), a(model->coordinates()), lambda(model->constraints());
  q[1] = std::numeric_limits<T>::quiet_NaN();
  EXPECT_EQ(AccelerationSolver<T>(*model, *multipliers).solve(T(0), q, model->initial_v(), a, lambda).code,
            StatusCode::non_finite);
  EXPECT_EQ(multipliers->statistics().pivot_fallbacks, 1);
}

TEST(GeneratedRuns, AreTheDefaultAndNamedSolversAreAsNamed) {
  const Json spec = {{"problem", "seven-body"},
                     {"formulation", "index-1"},
                     {"method", "runge-kutta"},
                     {"h", "1/10000"},
                     {"t_end", "1/100"}};
  const Json automatic = Run::bind(spec, "")->execute().record;
  EXPECT_EQ(automatic["multiplier_solver"], Json::parse(R"({"name": "written-out", "fallback": "schur-cholesky"})"));
  EXPECT_EQ(automatic["multipliers"]["pivot_fallbacks"], 0);
  EXPECT_EQ(automatic["multipliers"]["rank"], Json::parse("[6, 6]"));
  Json named = spec;
  named["multiplier_solver"] = "schur-cholesky";
  const Json other = Run::bind(named, "")->execute().record;
  EXPECT_EQ(other["multiplier_solver"]["name"], "schur-cholesky");
  EXPECT_EQ(automatic["multipliers"]["solves"], other["multipliers"]["solves"]);
  const Vector<Real50> q = record_vector(automatic["q"]), q_of_other = record_vector(other["q"]);
  EXPECT_LT(largest(Vector<Real50>(q - q_of_other)), 1e-13);  // round-off of 100 steps
  EXPECT_NE(largest(Vector<Real50>(q - q_of_other)), 0);
}

}  // namespace TEST_FILE
}  // namespace daelab
