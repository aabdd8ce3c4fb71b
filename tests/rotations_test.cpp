// Rotations as states: what recordings say of them, blocks on the group, runs whose bases follow the motion.
#include <gmock/gmock.h>

#include "core/integration/event_watch.hpp"
#include "core/integration/integrate.hpp"
#include "core/integration/method.hpp"
#include "core/integration/observers.hpp"
#include "core/mechanism/configuration_space.hpp"
#include "core/mechanism/group_charts.hpp"
#include "core/mechanism/rotations.hpp"
#include "lab/runs/run.hpp"
#include "results/reference.hpp"
#include "tests/input_error_support.hpp"
#include "tests/numeric_support.hpp"
#include "tests/scalars.hpp"

namespace daelab {
namespace TEST_FILE {

// ---------------------------------------------------------------- recordings

// A body that says all of itself: R by rows, Omega, x, x', R^T x', |R0^T x'|^2.
void record_body(Recording& r) {
  const RigidMotion body(r, "body");
  r.kinetic_energy = (dot(body.angular_velocity(), body.angular_velocity()) +
                      dot(body.velocity_in_base_axes(), body.velocity_in_base_axes())) /
                     2;
  const auto observe = [&](const Vector3& x) {
    for (const Expression& entry : x) r.observe("x" + std::to_string(r.observables.size()), entry);
  };
  for (const Vector3& row : body.matrix()) observe(row);
  observe(body.angular_velocity()), observe(body.place()), observe(body.velocity()), observe(body.body_velocity());
  r.observe("speed", dot(body.velocity_in_base_axes(), body.velocity_in_base_axes()));
}

template <class T>
class RecordedBody : public testing::Test {
 protected:
  RecordedBody() : model(recorded_model<T>(record_body)) {
    RandomNumbers random(11);
    q = random.vector<T>(6), v = random.vector<T>(6), a = random.vector<T>(6);
    held = model->held();
    Vector<T> place = random.vector<T>(6);
    from_reported(model->groups(), held, place);
    model->hold(held);
  }
  Vector<T> observed(const Vector<T>& at, const Vector<T>& rate) {
    Vector<T> out(static_cast<Index>(model->observable_names().size()));
    model->observables(T(0), joined(at, rate), out);
    return out;
  }
  double tolerance() const { return 100 * static_cast<double>(epsilon<T>()); }
  std::unique_ptr<MechanicalModel<T>> model;
  Vector<T> q, v, a, held;
};
TYPED_TEST_SUITE(RecordedBody, Scalars);

TYPED_TEST(RecordedBody, IsThePointOfTheGroupThatIntegratorsMove) {
  using T = TypeParam;
  const ConfigurationSpace<T> space(this->model->groups());
  Configuration<T> here;
  space.place(this->held, this->q, here);
  Vector<T> left = this->v, second = this->a;
  space.left_from_chart(this->q, left, second);
  const Vector<T> x = this->observed(this->q, this->v);
  const lie::Matrix3<T> R = lie::rotation_matrix(lie::Quaternion<T>(here.held.head(4)));
  for (Index i = 0; i < 3; ++i)
    for (Index j = 0; j < 3; ++j) EXPECT_NEAR(static_cast<double>(x[3 * i + j] - R(i, j)), 0, this->tolerance());
  EXPECT_LT(largest(x.segment(9, 3) - left.head(3)), this->tolerance());
  EXPECT_LT(largest(x.segment(12, 3) - here.held.tail(3)), this->tolerance());
  EXPECT_LT(largest(x.segment(15, 3) - R * left.tail(3)), this->tolerance());
  EXPECT_LT(largest(x.segment(18, 3) - left.tail(3)), this->tolerance());
  EXPECT_NEAR(static_cast<double>(x[21] - left.tail(3).squaredNorm()), 0, this->tolerance());
}

TYPED_TEST(RecordedBody, IsTheSameAboutAnotherBase) {
  using T = TypeParam;
  const Vector<T> before = this->observed(this->q, this->v);
  const Vector<T> bases = bases_at(this->model->groups(), this->held, this->q);
  Vector<T> x = this->q, rate = this->v, second = this->a;
  change_bases(this->model->groups(), this->held, bases, x, rate, second);
  EXPECT_LT(largest(x), this->tolerance()) << "the base is where the motion is";
  this->model->hold(bases);
  EXPECT_LT(largest(this->observed(x, rate) - before), this->tolerance());
  change_bases(this->model->groups(), bases, this->held, x, rate, second);
  EXPECT_LT(largest(x - this->q), this->tolerance());
  EXPECT_LT(largest(rate - this->v), this->tolerance());
  EXPECT_LT(largest(second - this->a), this->tolerance());
}

TYPED_TEST(RecordedBody, IsReportedWithoutItsBaseAndTakenUpAgain) {
  using T = TypeParam;
  const Vector<T> before = this->observed(this->q, this->v), zero = Vector<T>::Zero(6);
  Vector<T> x = this->q, rate = this->v, second = this->a;
  to_reported(this->model->groups(), this->held, zero, x, rate, second);
  const Vector<T> reported = x;
  Vector<T> held = this->model->held();
  from_reported(this->model->groups(), held, x);
  EXPECT_EQ(largest(x), 0);
  this->model->hold(held);
  EXPECT_LT(largest(this->observed(x, rate) - before), this->tolerance());
  // A whole turn on, the vector next to that is another one of the same rotation.
  const T angle = reported.head(3).norm();
  Vector<T> near = reported, y = this->q, w = this->v, b = this->a;
  near.head(3) *= (angle + T(2) * pi<T>() + T(1) / T(10)) / angle;
  to_reported(this->model->groups(), this->held, near, y, w, b);
  EXPECT_NEAR(static_cast<double>(y.head(3).norm() - angle - T(2) * pi<T>()), 0, this->tolerance());
  EXPECT_LT(largest(w - rate), this->tolerance());
}

// At the base, where coordinates are zero, energies of a body give the equations of Newton and Euler on the group.
TYPED_TEST(RecordedBody, HasAtTheBaseTheEquationsOnTheGroup) {
  using T = TypeParam;
  const Vector<T> zero = Vector<T>::Zero(6);
  Matrix<T> M(6, 6);
  Vector<T> Q(6);
  this->model->mass(T(0), zero, M), this->model->force(T(0), zero, this->v, Q);
  EXPECT_LT(largest(M - Matrix<T>::Identity(6, 6)), this->tolerance());
  const lie::Vector3<T> omega = this->v.head(3), u = this->v.tail(3);
  EXPECT_LT(largest(Q.head(3)), this->tolerance()) << "Omega x Omega";
  EXPECT_LT(largest(Q.tail(3) + lie::cross(omega, u)), this->tolerance());
}

// ---------------------------------------------------------------- starts

TEST(StartOfARotation, IsTheSameByMatrixQuaternionAndAxis) {
  Graph graph;
  const RecordingScope scope(graph);
  const Quaternion by_axis = quaternion_of_axis({1, 2, -2}, Exact("5/2"));
  const Quaternion by_matrix = quaternion_of_matrix(matrix_of_quaternion(by_axis));
  const Quaternion by_quaternion = unit_quaternion({by_axis[0] * 7, by_axis[1] * 7, by_axis[2] * 7, by_axis[3] * 7});
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_LT(abs(constant_value(by_matrix[i] - by_axis[i])), Real100("1e-95")) << i;
    EXPECT_LT(abs(constant_value(by_quaternion[i] - by_axis[i])), Real100("1e-95")) << i;
  }
}

TEST(StartOfARotation, IsRefusedWithItsResidualWhereItIsNone) {
  Graph graph;
  const RecordingScope scope(graph);
  Matrix3 R = diagonal(1, 1, 1);
  R[0][1] = Exact("1e-3");
  EXPECT_EQ(input_error_of([&] { quaternion_of_matrix(R); }),
            "no rotation: R^T R - I has an entry 0.001; allowed: 1e-9, which is put right");
  EXPECT_EQ(input_error_of([&] { quaternion_of_matrix(diagonal(1, 1, -1)); }),
            "no rotation but a reflection: the determinant is -1");
  EXPECT_EQ(input_error_of([&] {
              unit_quaternion({0, 0, 0, 0});
            }),
            "no rotation: all entries of the quaternion are zero");
  EXPECT_EQ(input_error_of([&] { quaternion_of_axis({0, 0, 0}, 1); }), "no rotation: all entries of the axis are zero");
}

// ---------------------------------------------------------------- the heavy top on its groups

template <class T>
struct TopBlocks {
  Matrix<T> M, J;
  Vector<T> Q, h;
};

// At random velocities about a random base, where Phi need not hold.
template <class T>
TopBlocks<T> blocks_of_top(const char* description, const Vector<T>& held, const Vector<T>& q, const Vector<T>& v) {
  const auto problem = Registry<Problem>::instance().make(std::string("heavy-top-so3:description=") + description, "");
  const auto model = problem->mechanical_model(As<T>{});
  model->hold(held);
  const Index n = model->coordinates(), m = model->constraints();
  TopBlocks<T> x{Matrix<T>(n, n), Matrix<T>(m, n), Vector<T>(n), Vector<T>(m)};
  model->data(T(0), q, v, x.M, x.Q, x.J, x.h);
  return x;
}

template <class T>
class HeavyTopOnGroups : public testing::Test {
 protected:
  HeavyTopOnGroups() {
    RandomNumbers random(7);
    base = lie::exponential(lie::Vector3<T>(random.vector<T>(3)));
    R = lie::rotation_matrix(base);
    omega = random.vector<T>(3), u = random.vector<T>(3), x = random.vector<T>(3);
    J = lie::Vector3<T>(T(0.234375), T(0.46875), T(0.234375)).asDiagonal();
    X << T(0), T(1), T(0);
    gravity << T(0), T(0), -T(981) / T(100);
  }
  double tolerance() const { return 1e4 * static_cast<double>(epsilon<T>()); }  // forces are of size 100
  lie::Quaternion<T> base;
  lie::Matrix3<T> R, J;
  lie::Vector3<T> omega, u, x, X, gravity;
  const T m{15};
};
TYPED_TEST_SUITE(HeavyTopOnGroups, Scalars);

TYPED_TEST(HeavyTopOnGroups, AboutItsFixedPoint) {
  using T = TypeParam;
  const lie::Matrix3<T> X_hat = lie::skew(this->X), M = this->J - this->m * X_hat * X_hat;
  const TopBlocks<T> top = blocks_of_top<T>("so3", this->base, Vector<T>::Zero(3), this->omega);
  EXPECT_LT(largest(top.M - M), this->tolerance());
  const lie::Vector3<T> weight = this->m * lie::cross(this->X, lie::Vector3<T>(this->R.transpose() * this->gravity));
  EXPECT_LT(largest(top.Q - (weight - lie::cross(this->omega, lie::Vector3<T>(M * this->omega)))), this->tolerance());
}

TYPED_TEST(HeavyTopOnGroups, AsABodyWithPlaceInSpace) {
  using T = TypeParam;
  Vector<T> q = Vector<T>::Zero(6), v(6);
  q.tail(3) = this->x, v << this->omega, this->u;
  const TopBlocks<T> top = blocks_of_top<T>("so3xr3", this->base, q, v);
  Matrix<T> M = Matrix<T>::Zero(6, 6), B(3, 6);
  M.topLeftCorner(3, 3) = this->J, M.bottomRightCorner(3, 3) = this->m * lie::Matrix3<T>::Identity();
  const lie::Vector3<T> in_body = this->R.transpose() * this->x, along = this->R.transpose() * this->u;
  B << lie::skew(in_body), this->R.transpose();
  EXPECT_LT(largest(top.M - M), this->tolerance());
  EXPECT_LT(largest(top.J - B), this->tolerance());
  Vector<T> Q(6);
  Q << -lie::cross(this->omega, lie::Vector3<T>(this->J * this->omega)), this->m * this->gravity;
  EXPECT_LT(largest(top.Q - Q), this->tolerance());
  // (R^T x)'' at rest in v': Omega x (Omega x R^T x) - 2 Omega x R^T u.
  const lie::Vector3<T> Z =
      lie::cross(this->omega, lie::cross(this->omega, in_body)) - T(2) * lie::cross(this->omega, along);
  EXPECT_LT(largest(top.h - Z), this->tolerance());
}

TYPED_TEST(HeavyTopOnGroups, AsAMotionInBodyAxes) {
  using T = TypeParam;
  Vector<T> held(7), v(6), Q(6);
  held << this->base, this->x;
  v << this->omega, this->u;
  const TopBlocks<T> top = blocks_of_top<T>("se3", held, Vector<T>::Zero(6), v);
  Matrix<T> M = Matrix<T>::Zero(6, 6), B(3, 6);
  M.topLeftCorner(3, 3) = this->J, M.bottomRightCorner(3, 3) = this->m * lie::Matrix3<T>::Identity();
  const lie::Vector3<T> in_body = this->R.transpose() * this->x;
  B << lie::skew(in_body), lie::Matrix3<T>::Identity();
  EXPECT_LT(largest(top.M - M), this->tolerance());
  EXPECT_LT(largest(top.J - B), this->tolerance());
  Q << -lie::cross(this->omega, lie::Vector3<T>(this->J * this->omega)),
      this->m * (this->R.transpose() * this->gravity - lie::cross(this->omega, this->u));
  EXPECT_LT(largest(top.Q - Q), this->tolerance());
}

// ---------------------------------------------------------------- runs

Json run_to_end(const Json& spec) {
  const Json record = Run::bind(spec, "")->execute().record;
  EXPECT_EQ(record["status"], "ok") << record["cause"];
  return record;
}

lie::Vector3<double> vector_in(const Json& list) { return {list[0], list[1], list[2]}; }

// An angle between two rotations given by rotation vectors.
double angle_between(const lie::Vector3<double>& a, const lie::Vector3<double>& b) {
  return lie::logarithm(lie::product(lie::conjugate(lie::exponential(a)), lie::exponential(b))).norm();
}

// Rotations at t = 1 of the slow top (RK4 with 2^16 steps, extrapolated, by a program of its own).
const lie::Quaternion<double> slow_end{0.05545612, -0.73257205, 0.07233794, -0.67455914};
constexpr double digits_of_slow_end = 2e-8;

Json slow_top(const char* description) {
  return {{"name", "heavy-top-so3"}, {"description", description}, {"omega_y", "1.5"}, {"omega_z", "-0.0461538"}};
}

struct StandardRun {
  const char *description, *formulation, *method;
  Json control = {{"rtol", "1e-10"}};
  double tolerance = 1e-7;
};

class StandardMethods : public testing::TestWithParam<StandardRun> {};

TEST_P(StandardMethods, TurnTheSlowTopThroughManyBases) {
  const StandardRun& x = GetParam();
  method_of(x.method);  // with the methods that are files
  Json spec = {{"problem", slow_top(x.description)}, {"formulation", x.formulation}, {"method", x.method}};
  spec.update(x.control);
  const Json end = run_to_end(spec);
  const lie::Vector3<double> wanted = lie::logarithm(slow_end);
  EXPECT_LT(angle_between(vector_in(end["q"]), wanted), x.tolerance + digits_of_slow_end);
  EXPECT_NEAR(end["v"][1].get<double>(), 1.5, x.tolerance);
  if (std::string(x.description) == "so3") return;
  const lie::Vector3<double> place{-0.03116865, -0.98338368, -0.17884365};
  const lie::Vector3<double> found{end["q"][3], end["q"][4], end["q"][5]};
  EXPECT_LT((found - place).norm(), x.tolerance + digits_of_slow_end);
}

INSTANTIATE_TEST_SUITE_P(OfAllKinds, StandardMethods,
                         testing::Values(StandardRun{"so3", "index-1", "runge-kutta:tableau=dormand-prince"},
                                         StandardRun{"so3", "index-1", "radau-iia"},
                                         StandardRun{"so3", "index-1", "bdf", {{"rtol", "1e-9"}}, 1e-5},
                                         StandardRun{"so3", "index-1", "rodas4", {{"rtol", "1e-8"}}, 1e-5},
                                         StandardRun{"so3", "index-1", "extrapolation"},
                                         StandardRun{"so3", "index-1", "gauss:s=3", {{"h", "1/200"}}},
                                         StandardRun{"so3xr3", "ggl", "radau-iia"},
                                         StandardRun{"se3", "index-2", "radau-iia"},
                                         StandardRun{"se3", "index-3", "bdf", {{"h", "1/2000"}}, 1e-5},
                                         StandardRun{"so3xr3", "index-3", "generalized-alpha", {{"h", "1/4000"}}, 1e-5},
                                         StandardRun{"se3", "index-3", "generalized-alpha", {{"h", "1/4000"}}, 1e-5},
                                         StandardRun{"so3xr3", "null-space", "runge-kutta:tableau=dormand-prince"},
                                         StandardRun{"se3", "projected", "runge-kutta:tableau=dormand-prince"}),
                         [](const auto& info) {
                           return test_name_of(std::string(info.param.description) + "_" + info.param.formulation +
                                               "_" + info.param.method);
                         });

// Steps of a run that is told their number are not moved by bases.
TEST(Bases, LeaveTheGridOfConstantSteps) {
  const Json end = run_to_end({{"problem", slow_top("so3")}, {"method", "gauss:s=2"}, {"h", "1/50"}});
  EXPECT_EQ(end["stats"]["steps"], 50);
}

// With the order of the method, although bases move more often as the steps shrink.
class OrderThroughBases : public testing::TestWithParam<std::pair<const char*, int>> {};
TEST_P(OrderThroughBases, IsThatOfTheMethod) {
  const char* const method = GetParam().first;
  const int order = GetParam().second;
  const auto q = [&](const char* h) {
    const Json spec = {{"problem", {{"name", "rigid-body"}}}, {"method", method}, {"h", h}, {"formulation", "index-1"}};
    return vector_in(run_to_end(spec)["q"]);
  };
  const auto exact = Registry<Problem>::instance().make("rigid-body", "")->independent_solution(5, 50)->q;
  const lie::Vector3<double> wanted = exact.cast<double>();
  const double coarse = angle_between(q("1/80"), wanted), fine = angle_between(q("1/160"), wanted);
  EXPECT_NEAR(std::log2(coarse / fine), order, 0.25) << coarse << " " << fine;
}
INSTANTIATE_TEST_SUITE_P(Fixed, OrderThroughBases,
                         testing::Values(std::pair{"runge-kutta:tableau=rk4-classical", 4}, std::pair{"gauss:s=2", 4},
                                         std::pair{"bdf:k=2", 2}, std::pair{"generalized-alpha", 2}),
                         [](const auto& info) { return test_name_of(info.param.first); });

constexpr const char* dormand_prince = "runge-kutta:tableau=dormand-prince";

// A run that begins where another one ended goes on.
TEST(Bases, AreNoPartOfWhatARunLeavesToTheNext) {
  const Json whole = run_to_end(
      {{"problem", {{"name", "rigid-body"}}}, {"method", dormand_prince}, {"rtol", "1e-12"}, {"t_end", "4"}});
  const Json half = run_to_end(
      {{"problem", {{"name", "rigid-body"}}}, {"method", dormand_prince}, {"rtol", "1e-12"}, {"t_end", "2"}});
  const Json other = run_to_end({{"problem", {{"name", "rigid-body"}}},
                                 {"method", dormand_prince},
                                 {"rtol", "1e-12"},
                                 {"t_end", "2"},
                                 {"start", {{"q", half["q"]}, {"v", half["v"]}}}});
  EXPECT_LT(angle_between(vector_in(whole["q"]), vector_in(other["q"])), 1e-9);
  EXPECT_LT((vector_in(whole["v"]) - vector_in(other["v"])).norm(), 1e-9);
}

// Compares the stored digits of the fast top with those of another program (RK4 with 2^16 steps, extrapolated).
TEST(HeavyTops, HaveTheReferenceThatOthersFound) {
  for (const char* description : {"so3", "so3xr3", "se3"}) {
    SCOPED_TRACE(description);
    const Json problem =
        Registry<Problem>::instance().make(std::string("heavy-top-so3:description=") + description, "")->spec();
    const auto reference = find_reference(problem, 1);
    ASSERT_TRUE(reference);
    const Vector<double> q = reference->q.cast<double>(), v = reference->v.cast<double>();
    const lie::Quaternion<double> found{0.73294398, -0.27828572, 0.53182461, -0.32017614};
    EXPECT_LT(angle_between(q.head<3>(), lie::logarithm(found)), 3e-8);
    EXPECT_LT((v.head<3>() - Eigen::Vector3d(-0.8220781, 150, -5.92329135)).norm(), 1e-8);
    if (q.size() < 6) continue;
    EXPECT_LT((q.tail<3>() - Eigen::Vector3d(0.17334396, 0.64008859, -0.74849079)).norm(), 1e-8);
  }
}

// The same top in five descriptions: the steady cone of heavy-top-directors, with a spin that makes it nod.
TEST(HeavyTops, AreTheSameInAllDescriptions) {
  const Json directors = {{"name", "heavy-top-directors"}, {"inclination", "-pi/3"}, {"spin", "100"}};
  // Omega of axes whose second one is the axis: (0, spin + precession cos, precession sin).
  Json body = {{"name", "heavy-top-so3"},
               {"mass", "9*pi/40"},
               {"distance", "3/40"},
               {"transverse_inertia", "27*pi/160000"},
               {"axial_inertia", "27*pi/160000"},
               {"elevation", "pi/6"},
               {"omega_y", "105"},
               {"omega_z", "10*cos(pi/6)"}};
  const auto height = [](Json problem, const char* formulation) {
    const Json spec = {{"problem", std::move(problem)},
                       {"formulation", formulation},
                       {"method", "radau-iia"},
                       {"rtol", "1e-12"},
                       {"t_end", "1/10"}};
    return run_to_end(spec)["q"];
  };
  const Json wanted = height(directors, "ggl");
  for (const char* description : {"so3xr3", "se3"}) {
    SCOPED_TRACE(description);
    body["description"] = description;
    const Json q = height(body, "ggl");
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(q[3 + i].get<double>(), wanted[i].get<double>(), 1e-9) << i;
  }
}

}  // namespace TEST_FILE
}  // namespace daelab
