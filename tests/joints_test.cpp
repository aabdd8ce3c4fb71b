// Trees of bodies and joints: their recursions against Lagrange's equations and against mechanisms that are written by
// hand, the work of accelerations, charts, and refusals. All in 50 digits, by interpreters.
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include "core/base/registry.hpp"
#include "core/mechanism/forms.hpp"
#include "core/mechanism/joints.hpp"
#include "core/mechanism/problem.hpp"
#include "tests/numeric_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;
using T = Real50;

// Results of 50 digits agree to some units, times what terms of sizes up to 1e4 lose against each other.
constexpr double round_off = 1e-42;

struct Point {
  Vector<T> q, v, a = {};
};

// The forms of a recording in one of its modes, as numbers.
class Evaluated {
 public:
  explicit Evaluated(const std::function<void(Recording&)>& record, int mode = 0) : forms(record, mode) {}

  // The parts of a form at t = 0, each column by column.
  std::vector<Vector<T>> operator()(FormKind kind, const Point& x, int detail = 0) {
    const FormParts parts = forms.parts({kind, detail});
    std::vector<Output> outputs;
    std::vector<Vector<T>> values;
    for (std::size_t k = 0; k < parts.size(); ++k) {
      values.push_back(Vector<T>::Zero(static_cast<Index>(parts[k].rows) * parts[k].columns));
      for (const auto& entry : parts[k].entries)
        outputs.push_back({entry.value, static_cast<int>(k),
                           static_cast<int>(entry.row) + static_cast<int>(entry.column) * parts[k].rows});
    }
    const auto program = make_interpreter<T>(make_tape(forms.recording().graph(), outputs));
    std::vector<T> work(program->work_size());
    std::vector<T*> results;
    for (Vector<T>& value : values) results.push_back(value.data());
    const T t(0);
    const T* const inputs[] = {&t, x.q.data(), x.v.data(), nullptr, nullptr, x.a.data(), nullptr};
    program->run(inputs, results.data(), work.data());
    return values;
  }
  Vector<T> accelerations(const Point& x) {
    EXPECT_FALSE(forms.generated_accelerations().empty());
    return (*this)(FormKind::accelerations, x)[0];
  }
  // Instructions of the program of accelerations.
  std::size_t work() {
    EXPECT_FALSE(forms.generated_accelerations().empty());
    std::vector<Output> outputs;
    const FormParts parts = forms.parts({FormKind::accelerations});
    for (std::size_t k = 0; k < parts.size(); ++k)
      for (const auto& entry : parts[k].entries)
        outputs.push_back({entry.value, static_cast<int>(k), static_cast<int>(entry.row)});
    return make_tape(forms.recording().graph(), outputs).instructions.size();
  }

  Forms forms;
};

Evaluated problem(const std::string& spec, int mode = 0) {
  return Evaluated(Registry<Problem>::instance().make(spec, "")->recorder(), mode);
}

double difference(const Vector<T>& x, const Vector<T>& y) { return largest(x - y) / (1 + largest(y)); }
void expect_equal(const std::vector<Vector<T>>& x, const std::vector<Vector<T>>& y) {
  ASSERT_EQ(x.size(), y.size());
  for (std::size_t k = 0; k < x.size(); ++k) {
    ASSERT_EQ(x[k].size(), y[k].size()) << "part " << k;
    EXPECT_LT(difference(x[k], y[k]), round_off) << "part " << k;
  }
}

Matrix<T> square(const Vector<T>& columns, Index n) { return Matrix<T>::Map(columns.data(), n, n); }

// ---------------------------------------------------------------- all kinds of joints

// Two branches on the ground, axes in all directions, springs, a damper.
JointTree branches() {
  JointTree tree;
  const auto inertia = [](int k) -> Matrix3 {
    const Exact small("1/10");
    return {{{2 + k, small, small}, {small, 3, Exact("1/5")}, {small, Exact("1/5"), 4}}};
  };
  for (int k = 0; k < 6; ++k)
    tree.body({"body" + std::to_string(k), 1 + k, {Exact("1/3"), Exact("-1/2"), k}, inertia(k)});
  const Vector3 here{1, Exact("1/2"), -1}, there{0, Exact("1/4"), 2};
  Matrix3 quarter = turn_about(1, pi<Real100>() / 2);
  tree.joint({.name = "hinge", .on = {ground_body, here}, .body = 0, .at = there, .axis = {1, 2, 2}});
  tree.joint({.name = "ball",
              .kind = JointKind::spherical,
              .on = {0, there},
              .body = 1,
              .at = here,
              .turned = quarter,
              .angles = AngleSequence::zxz});
  tree.joint({.name = "slide", .kind = JointKind::prismatic, .on = {1, here}, .body = 2, .axis = {0, -1, 0}});
  tree.joint({.name = "side", .on = {0, here}, .body = 3, .at = there, .axis = {0, 1, 0}});
  tree.joint({.name = "last", .on = {5, here}, .body = 4, .axis = {0, 0, -1}, .turned = quarter});
  tree.joint({.name = "flight", .kind = JointKind::free, .on = {ground_body, here}, .body = 5, .at = there});
  tree.gravity = {1, Exact("-9.81"), 2};
  return tree;
}

void record_branches(Recording& r) {
  const JointTree tree = branches();
  r.coordinates(tree.coordinate_names());
  for (Expression& q : r.start_q) q = Exact("7/10");
  JointRecorder joints(tree, r);
  joints.spring({ground_body, {1, 2, 3}}, {2, {1, 0, 1}}, 7, Exact("1/2"));
  joints.spring({3, {1, 1, 0}}, {4, {0, 0, 1}}, 5, 0);
  const Vector3 x = joints.position({4, {1, 2, 3}});
  r.observe("x", x[0]), r.observe("y", x[1]), r.observe("z", x[2]);
  joints.record();
}

// The same energies, and nothing else: Lagrange's equations follow from them.
void record_energies(Recording& r) {
  record_branches(r);
  r.mass = {}, r.force.assign(r.q.size(), 0), r.mass_inverse.reset();
}

Point random_point(RandomNumbers& random, Index n) {
  Point x{random.vector<T>(n), random.vector<T>(n)};
  for (T& q : x.q) q = T(7) / 10 + q / 2;  // away from the singularities of both sequences
  x.a = random.vector<T>(n);
  return x;
}

TEST(Joints, ObeyLagrangesEquationsInAllCharts) {
  for (int chart = 0; chart < 4; ++chart) {
    SCOPED_TRACE(chart);
    Evaluated recursive(record_branches, chart), lagrange(record_energies, chart);
    ASSERT_EQ(recursive.forms.recording().charts, 4);
    RandomNumbers random(3);
    for (int k = 0; k < 3; ++k) {
      const Point x = random_point(random, recursive.forms.facts().coordinates);
      expect_equal(recursive(FormKind::mass, x), lagrange(FormKind::mass, x));
      expect_equal(recursive(FormKind::force, x), lagrange(FormKind::force, x));
    }
  }
}

TEST(Joints, ArticulatedBodiesSolveWithTheMass) {
  Evaluated mechanism(record_branches);
  const Index n = mechanism.forms.facts().coordinates;
  RandomNumbers random(5);
  for (int k = 0; k < 3; ++k) {
    const Point x = random_point(random, n);
    const Vector<T> a = mechanism.accelerations(x), Q = mechanism(FormKind::force, x)[0];
    EXPECT_LT(difference(square(mechanism(FormKind::mass, x)[0], n) * a, Q), round_off);
    const Vector<T> pivots = mechanism(FormKind::accelerations, x)[2];
    EXPECT_GT(pivots.size(), 0);
    for (const T& pivot : pivots) EXPECT_GT(pivot, 0);
  }
}

TEST(Joints, ChartsAreCoordinatesOfTheSameMotion) {
  Evaluated first(record_branches);
  RandomNumbers random(7);
  const Point x = random_point(random, first.forms.facts().coordinates);
  for (int chart = 0; chart < 4; ++chart) {
    SCOPED_TRACE(chart);
    Evaluated other(record_branches, chart);
    const std::vector<Vector<T>> moved = first(FormKind::to_chart, x, chart);
    const Point there{moved[0], moved[1], moved[2]};
    EXPECT_EQ(difference(there.q, x.q) > 1e-3, chart != 0);
    expect_equal(other(FormKind::observables, there), first(FormKind::observables, x));
    expect_equal(other(FormKind::energy, there), first(FormKind::energy, x));
    expect_equal(other(FormKind::to_chart, there, 0), {x.q, x.v, x.a});
    // Accelerations of the one are those of the other.
    const Point at_rest{x.q, x.v, first.accelerations(x)};
    const Vector<T> a = first(FormKind::to_chart, at_rest, chart)[2];
    EXPECT_LT(difference(other.accelerations(there), a), round_off);
  }
}

TEST(Joints, DampersTakeEnergy) {
  const auto record = [](int damping) {
    return [damping](Recording& r) {
      const JointTree tree = branches();
      r.coordinates(tree.coordinate_names());
      JointRecorder joints(tree, r);
      joints.spring({2, {1, 0, 1}}, {4, {1, 2, 3}}, 0, 0, damping);
      joints.push({4, {1, 2, 3}}, {1, 2, 3}), joints.twist(1, {3, 2, 1});
      const Vector3 way = joints.position({4, {1, 2, 3}}) - joints.position({2, {1, 0, 1}}),
                    rate = joints.velocity({4, {1, 2, 3}}) - joints.velocity({2, {1, 0, 1}});
      r.observe("stretch", dot(way, rate) * dot(way, rate) / dot(way, way));
      r.observe("power", dot(joints.velocity({4, {1, 2, 3}}), {1, 2, 3}));
      joints.record();
    };
  };
  Evaluated without(record(0)), with(record(3));
  RandomNumbers random(9);
  const Point x = random_point(random, with.forms.facts().coordinates);
  const T power = x.v.dot(Vector<T>(with(FormKind::force, x)[0] - without(FormKind::force, x)[0]));
  EXPECT_LT(abs(power + 3 * with(FormKind::observables, x)[0][0]), round_off);
}

// ---------------------------------------------------------------- mechanisms that are written by hand

TEST(Joints, SevenBodyIsTheOneWrittenByHand) {
  Evaluated tree = problem("seven-body-joints"), hand = problem("seven-body");
  const auto motion = Registry<Problem>::instance().make("seven-body", "");
  for (const char* t : {"0", "0.004", "0.013", "0.03"}) {
    SCOPED_TRACE(t);
    const Motion at = *motion->independent_solution(T(t), 40);
    const Point x{at.q, at.v};
    for (const FormKind kind : {FormKind::data, FormKind::constraint, FormKind::energy})
      expect_equal(tree(kind, x), hand(kind, x));
    ASSERT_FALSE(tree.forms.generated_accelerations().empty() || hand.forms.generated_accelerations().empty());
    const auto a = tree(FormKind::accelerations, x), b = hand(FormKind::accelerations, x);
    EXPECT_LT(difference(a[0], b[0]), round_off);  // accelerations
    EXPECT_LT(difference(a[1], b[1]), round_off);  // multipliers
  }
}

void record_top(Recording& r) {
  const Expression mass = 1, distance = Exact("1/10"), across = Exact("1/80"), along = Exact("1/200");
  JointTree tree;
  const Expression about_centre = across - mass * distance * distance;
  const int top = tree.body({"top", mass, {0, 0, distance}, diagonal(about_centre, about_centre, along)});
  tree.joint({.name = "turn", .kind = JointKind::spherical, .body = top, .angles = AngleSequence::zxz});
  tree.gravity = {0, 0, Exact("-9.81")};
  r.coordinates(tree.coordinate_names());
  r.start_q = {0, Exact("7/5"), 0};
  JointRecorder joints(tree, r);
  const Vector3 axis = joints.position({top, {0, 0, 1}});
  r.observe("axis_x", axis[0]), r.observe("axis_y", axis[1]), r.observe("axis_z", axis[2]);
  joints.record();
}

TEST(Joints, SphericalJointIsTheHeavyTopInBothCharts) {
  for (const int chart : {0, 1}) {
    SCOPED_TRACE(chart);
    Evaluated tree(record_top, chart), hand = problem("heavy-top", chart);
    RandomNumbers random(11);
    for (int k = 0; k < 4; ++k) {
      const Point x = random_point(random, 3);
      for (const FormKind kind : {FormKind::mass, FormKind::force, FormKind::energy, FormKind::event_functions})
        expect_equal(tree(kind, x), hand(kind, x));
      EXPECT_LT(difference(tree(FormKind::observables, x)[0], Vector<T>(hand(FormKind::observables, x)[0].head(3))),
                round_off);
      expect_equal(tree(FormKind::to_chart, x, 0), hand(FormKind::to_chart, x, 0));
      expect_equal(tree(FormKind::to_chart, x, 1), hand(FormKind::to_chart, x, 1));
    }
  }
}

// ---------------------------------------------------------------- chains

// Links of length and mass 1 as `link-chain` has them, in the angle of each against the one before.
std::function<void(Recording&)> chain(int links, bool is_spatial = false) {
  return [=](Recording& r) {
    JointTree tree;
    const Expression J = Expression(1) / 12;
    for (int k = 0; k < links; ++k) {
      tree.body(
          {"link" + std::to_string(k), 1, {Exact("1/2"), 0, 0}, is_spatial ? diagonal(J, J, J) : planar_inertia(J)});
      const Vector3 axis = is_spatial && k % 2 == 1 ? Vector3{0, 1, 0} : Vector3{0, 0, 1};
      tree.joint({.name = "q" + std::to_string(k), .on = {k - 1, {k == 0 ? 0 : 1, 0, 0}}, .body = k, .axis = axis});
    }
    tree.gravity = {0, Exact("-9.81"), 0};
    r.coordinates(tree.coordinate_names());
    JointRecorder(tree, r).record();
  };
}

TEST(Chain, AcceleratesAsItDoesInAbsoluteCoordinates) {
  constexpr Index N = 6;
  Evaluated tree(chain(N)), absolute = problem("link-chain:links=6");
  RandomNumbers random(13);
  Point x{random.vector<T>(N), random.vector<T>(N)}, there{Vector<T>(3 * N), Vector<T>(3 * N)};
  T angle(0), rate(0), joint[2] = {0, 0}, joint_rate[2] = {0, 0};
  for (Index i = 0; i < N; ++i) {
    angle += x.q[i], rate += x.v[i];
    const T e[2] = {cos(angle) / 2, sin(angle) / 2}, e_rate[2] = {-e[1] * rate, e[0] * rate};
    for (Index k = 0; k < 2; ++k) {
      there.q[3 * i + k] = joint[k] + e[k], there.v[3 * i + k] = joint_rate[k] + e_rate[k];
      joint[k] += 2 * e[k], joint_rate[k] += 2 * e_rate[k];
    }
    there.q[3 * i + 2] = angle, there.v[3 * i + 2] = rate;
  }
  const Vector<T> relative = tree.accelerations(x), expected = absolute.accelerations(there);
  T sum(0);
  for (Index i = 0; i < N; ++i) {
    sum += relative[i];
    EXPECT_LT(abs(sum - expected[3 * i + 2]), round_off) << i;
  }
  EXPECT_LT(abs(tree(FormKind::energy, x)[0][0] - absolute(FormKind::energy, there)[0][0]), round_off);
}

// Counts nodes of the graph after the questions of an explicit run. Each link adds as many, except for products near
// both ends, which have zeros. M has N^2 entries.
TEST(Chain, RecordsAsMuchForEachLinkUntilTheMassIsAskedFor) {
  std::vector<Node> nodes, with_mass;
  for (const int links : {50, 100, 200}) {
    Evaluated tree(chain(links));
    EXPECT_FALSE(tree.forms.generated_accelerations().empty());
    for (const FormKind kind : {FormKind::mass_pivots, FormKind::force, FormKind::energy}) tree.forms.parts({kind});
    tree.forms.switches();
    nodes.push_back(tree.forms.recording().graph().size());
    EXPECT_EQ(tree.forms.parts({FormKind::mass})[0].entries.size(), static_cast<std::size_t>(links * links));
    with_mass.push_back(tree.forms.recording().graph().size());
  }
  EXPECT_NEAR(nodes[2] - nodes[1], 2 * (nodes[1] - nodes[0]), 10);
  EXPECT_GT(with_mass[2] - nodes[2], 3 * (with_mass[1] - nodes[1]));
}

// Work is counted, not timed. A link in the middle is like any other, so that each costs exactly the same.
TEST(Chain, CostsTheSameForEachLink) {
  for (const bool is_spatial : {false, true}) {
    std::vector<std::size_t> work;
    for (const int links : {8, 16, 32, 64}) work.push_back(Evaluated(chain(links, is_spatial)).work());
    RecordProperty(is_spatial ? "in_space" : "in_the_plane", fmt::format("{}", fmt::join(work, ", ")));
    for (std::size_t k = 1; k + 1 < work.size(); ++k)
      EXPECT_NEAR(static_cast<double>(work[k + 1] - work[k]), 2 * static_cast<double>(work[k] - work[k - 1]),
                  0.02 * static_cast<double>(work[k + 1] - work[k]))  // sines are taken four at a time
          << work[0] << " " << work[1] << " " << work[2] << " " << work[3];
  }
}

// ---------------------------------------------------------------- refusals

std::string refusal(const std::function<void(JointTree&)>& change) {
  JointTree tree;
  for (const char* name : {"a", "b", "c"}) tree.body({name, 1, {}, diagonal(1, 1, 1), std::string("/bodies/") + name});
  for (int k = 0; k < 3; ++k)
    tree.joint(
        {.name = "j" + std::to_string(k), .on = {k - 1, {}}, .body = k, .where = "/joints/j" + std::to_string(k)});
  Graph graph;
  const RecordingScope scope(graph);
  Recording r(graph, 0);
  change(tree);
  try {
    r.coordinates(tree.coordinate_names());
    JointRecorder(tree, r).record();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Tree, RefusesWhatIsNone) {
  EXPECT_EQ(refusal([](JointTree&) {}), "");
  EXPECT_THAT(refusal([](JointTree& x) { x.joints[1].on.body = 1; }),
              HasSubstr("/joints/j1: the joint 'j1' is between b and itself"));
  EXPECT_THAT(refusal([](JointTree& x) { x.joints[2].body = 0; }),
              HasSubstr("/joints/j2: a hangs on two joints, 'j0' and 'j2'"));
  EXPECT_THAT(refusal([](JointTree& x) { x.joints.pop_back(); }), HasSubstr("/bodies/c: c hangs on no joint"));
  EXPECT_THAT(refusal([](JointTree& x) { x.joints[0].on.body = 2; }),
              HasSubstr("joints that do not form a tree: a - c - b - a is a circle"));
  EXPECT_THAT(
      refusal([](JointTree& x) { x.joints[1].on.body = 2; }),
      HasSubstr("/joints/j1: joints that do not form a tree: b - c - b is a circle that nothing holds; state the "
                "joint 'j1' as a pin, and hang b on the ground"));
  EXPECT_THAT(refusal([](JointTree& x) { x.bodies[1].mass = 0; }), HasSubstr("/bodies/b: b has no mass"));
  EXPECT_THAT(refusal([](JointTree& x) { x.joints[1].axis = {}; }),
              HasSubstr("/joints/j1: the axis of the joint is zero"));
}

TEST(Tree, RefusesMoreChartsThanCanBeNumbered) {
  JointTree tree;
  for (int k = 0; k < 9; ++k) {
    tree.body({"b" + std::to_string(k), 1, {}, diagonal(1, 1, 1)});
    tree.joint({.name = "j" + std::to_string(k), .kind = JointKind::free, .body = k});
  }
  Graph graph;
  const RecordingScope scope(graph);
  Recording r(graph, 0);
  r.coordinates(tree.coordinate_names());
  EXPECT_THROW(JointRecorder(tree, r), InputError);
  tree.joints.back().two_charts = false;
  EXPECT_EQ(tree.charted_joints().size(), 8u);
  EXPECT_NO_THROW(JointRecorder(tree, r));
}

}  // namespace TEST_FILE
}  // namespace daelab
