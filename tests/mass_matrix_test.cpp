// Mass matrices that are written when somebody asks for them, and what is known of those of trees without them.
#include <gmock/gmock.h>

#include "core/mechanism/forms.hpp"
#include "core/mechanism/joints.hpp"
#include "core/mechanism/recording_checks.hpp"
#include "tests/numeric_support.hpp"

namespace daelab {
namespace TEST_FILE {

TEST(ExpressionMatrix, IsWrittenOnceByTheFirstWhoAsks) {
  Graph graph;
  const RecordingScope scope(graph);
  Recording r(graph, 0);
  r.coordinates(2);
  int calls = 0;
  ExpressionMatrix M;
  EXPECT_TRUE(M.empty());
  M.write_when_asked(
      [&calls, q = r.q](ExpressionMatrix& matrix) {
        ++calls;
        matrix(0, 0) = 2, matrix(1, 1) = cos(q[1]);
      },
      {r.q[1]});
  EXPECT_FALSE(M.empty());
  ASSERT_EQ(M.ingredients().size(), 1u);
  EXPECT_TRUE(same(M.ingredients()[0], r.q[1]));
  EXPECT_EQ(calls, 0);
  const ExpressionMatrix& read = M;
  EXPECT_TRUE(same(read(1, 1), cos(r.q[1])));
  EXPECT_EQ(M.entries().size(), 2u);
  EXPECT_EQ(M.ingredients().size(), 2u);
  M(0, 1) = 5;
  EXPECT_EQ(M.entries().size(), 3u);
  EXPECT_EQ(calls, 1);
}

// Bars of mass 1 one after the other; the spatial one hangs from its joint by three angles.
std::function<void(Recording&)> pendulum(int links, bool is_spatial = false, const Exact& start = 0) {
  return [=](Recording& r) {
    JointTree tree;
    for (int k = 0; k < links; ++k) {
      tree.body({"link" + std::to_string(k), 1, {0, Exact("-1/2"), 0}, diagonal(Exact("1/12"), 0, Exact("1/12"))});
      tree.joint({.name = "q" + std::to_string(k),
                  .kind = is_spatial ? JointKind::spherical : JointKind::revolute,
                  .on = {k - 1, {0, k == 0 ? 0 : -1, 0}},
                  .body = k,
                  .two_charts = false});
    }
    tree.gravity = {0, Exact("-9.81"), 0};
    r.coordinates(tree.coordinate_names());
    for (Expression& q : r.start_q) q = start;
    JointRecorder(tree, r).record();
  };
}

TEST(MassOfATree, IsConstantWhereItsEntriesAre) {
  EXPECT_TRUE(recorded_model<double>(pendulum(1))->constant_mass());
  EXPECT_FALSE(recorded_model<double>(pendulum(2))->constant_mass());
}

TEST(MassOfATree, PivotsTellWhetherItIsSingular) {
  const auto is_singular = [](const std::function<void(Recording&)>& record) {
    const auto model = recorded_model<double>(record);
    return analyse_start(*model, model->initial_q(), model->initial_v()).singular_mass;
  };
  EXPECT_FALSE(is_singular(pendulum(100)));
  EXPECT_TRUE(is_singular(pendulum(1, true, Exact("1/3"))));  // a bar without inertia about its axis
}

#ifndef DAELAB_DOUBLE_ONLY
// In 50 digits, which no pivot loses.
TEST(MassOfATree, HasThePivotsOfItsElimination) {
  using T = Real50;
  const auto model = recorded_model<T>(pendulum(3, false, Exact("1/3")));
  Matrix<T> M(3, 3);
  model->mass(0, model->initial_q(), M);
  // Elimination from the last link inwards, as a tree has it: pivots beside the diagonal.
  Matrix<T> left = M;
  T least(1);
  for (Index k = 3; k-- > 0;) {
    least = std::min(least, T(left(k, k) / M(k, k)));
    for (Index i = 0; i < k; ++i)
      for (Index j = 0; j < k; ++j) left(i, j) -= left(i, k) * left(k, j) / left(k, k);
  }
  const std::optional<T> pivot = model->least_mass_pivot(0, model->initial_q());
  ASSERT_TRUE(pivot.has_value());
  EXPECT_LT(abs(*pivot - least), T("1e-45"));
  const auto by_entries = recorded_model<T>([](Recording& r) {
    r.coordinates(1);
    r.mass(0, 0) = 1;
  });
  EXPECT_FALSE(by_entries->least_mass_pivot(0, by_entries->initial_q()).has_value());
}
#endif

TEST(ConstraintJacobian, OnItsPatternIsThatOfTheData) {
  for (const char* name : {"seven-body", "seven-body-joints", "rolling-disc", "link-chain:links=3"}) {
    SCOPED_TRACE(name);
    const auto model = Registry<Problem>::instance().make(name, "")->mechanical_model(As<double>{});
    const Vector<double> q = model->initial_q(), v = model->initial_v();
    SparseData<double> data;
    SparseMatrix<double> J;
    model->data(model->initial_t(), q, v, data);
    model->jacobian(model->initial_t(), q, v, J);
    EXPECT_EQ(J.pattern->row, data.J.pattern->row);
    EXPECT_EQ(J.pattern->start, data.J.pattern->start);
    EXPECT_EQ(J.values, data.J.values);
  }
}

}  // namespace TEST_FILE
}  // namespace daelab
