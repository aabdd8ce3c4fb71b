// The mechanisms of the benchmark libraries: printed digits, ranks, and the independent motions against the
// equations of motion. Digits are those of independent programs, on which two routes agree.
// Bounds of 1e-35 and less are round-off of motions in 50 digits, 1e-14 to 1e-11 of runs and matrices in double.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "core/solvers/dense.hpp"
#include "lab/runs/run.hpp"
#include "results/record_values.hpp"
#include "results/reference.hpp"
#include "tests/benchmark_mechanism.hpp"
#include "tests/numeric_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;
using T = Real50;

#ifndef DAELAB_DOUBLE_ONLY  // its models are in 50 digits
// One unit of the last printed digit.
void expect_digits(const T& value, const std::string& printed) {
  const std::size_t e = printed.find('e'), point = printed.find('.');
  const std::string mantissa = printed.substr(0, e);
  const int exponent = e == std::string::npos ? 0 : std::stoi(printed.substr(e + 1));
  const int decimals = static_cast<int>(mantissa.size() - point) - 1;
  EXPECT_LE(abs(value - T(printed)), pow(T(10), exponent - decimals)) << printed << " is " << value;
}

// ---------------------------------------------------------------- independent motions

class IndependentMotion : public testing::TestWithParam<std::string> {};

TEST_P(IndependentMotion, StaysOnTheConstraintsAndKeepsItsEnergy) {
  const Mechanism mechanism(GetParam());
  const T start = mechanism.energy(T(0));
  for (const char* time : {"0.3", "1", "2.7"}) {
    const Motion at = mechanism.motion(T(time));
    EXPECT_LT(largest(mechanism.level(Level::position, T(time), at)), 1e-45) << time;
    EXPECT_LT(largest(mechanism.level(Level::velocity, T(time), at)), 1e-44) << time;
    EXPECT_LT(abs(mechanism.energy(T(time)) - start), T("1e-43")) << time;
  }
}

// v' by differences is the acceleration that mass, force and constraints give.
TEST_P(IndependentMotion, SatisfiesTheEquationsOfMotion) {
  const Mechanism mechanism(GetParam());
  for (const char* time : {"0.3", "1", "2.7"}) {
    const Motion at = mechanism.motion(T(time));
    Vector<T> a(mechanism.n), lambda(mechanism.m);
    ASSERT_TRUE(solve_accelerations(*mechanism.model, T(time), at.q, at.v, a, lambda).ok());
    const Vector<T> slope = derivative(T(time), [&](const T& t) { return mechanism.motion(t).v; });
    EXPECT_LT(largest(slope - a), difference_tolerance) << time;
  }
}

INSTANTIATE_TEST_SUITE_P(BenchmarkProblems, IndependentMotion,
                         testing::Values("n-four-bar", "n-four-bar:windows=3,mass=2,length=0.7,gravity=5,speed=3",
                                         "bricard", "bricard:mass=2,length=1.5,width=0.3,gravity=5", "oscillator-chain",
                                         "oscillator-chain:size=5,fastest=100,mode_energy=3"),
                         [](const auto& info) { return "case_" + std::to_string(info.index); });

// ---------------------------------------------------------------- N-four-bar

TEST(NFourBar, IndependentSolutionHasTheStoredDigits) {
  struct Row {
    int windows;
    const char *t, *x, *y, *x_rate;
  };
  for (const Row& row : {Row{1, "1", "-0.260712675183650356", "-0.965416439159073168", "-6.63780949612175144"},
                         Row{1, "2", "0.0770854717928670767", "0.997024488183951826", "1.03135687268942319"},
                         Row{1, "5", "-0.944908186042953891", "-0.327335485318983461", "-1.85893089126272456"},
                         Row{1, "10", "0.478385057760970559", "0.878150178791209301", "1.72726407554715364"},
                         Row{2, "1", "-0.195020301949435094", "-0.980799205662173833", "-6.67667803688115807"},
                         Row{2, "2", "0.0578157957680114318", "0.998327267863455481", "1.01726013662043651"},
                         Row{2, "5", "-0.811310461005107412", "-0.584615545348975548", "-3.56911739719320919"},
                         Row{2, "10", "0.328458111540815379", "0.944518538178600962", "1.42305147020694412"},
                         Row{10, "1", "-0.129306015051127739", "-0.991604737015509384", "-6.67528183856300468"},
                         Row{10, "2", "0.0385676665971513009", "0.999255990771759636", "1.00749370528457743"},
                         Row{10, "5", "-0.595545255478628997", "-0.803321759120773797", "-5.15175623063914993"},
                         Row{10, "10", "0.204353560989770985", "0.978897145828304042", "1.18668002375462283"},
                         Row{40, "1", "-0.115356880632109898", "-0.993324111300450186", "-6.66998752394177159"},
                         Row{40, "2", "0.0344663073004071619", "0.999405860329562956", "1.00595117281410938"},
                         Row{40, "5", "-0.540190050675526274", "-0.841543052464443055", "-5.43636911257854875"},
                         Row{40, "10", "0.18051222668672839", "0.983572740582311575", "1.14844127746941413"}}) {
    SCOPED_TRACE(fmt::format("N = {}, t = {}", row.windows, row.t));
    const Mechanism chain({{"name", "n-four-bar"}, {"windows", row.windows}});
    const Vector<T> seen = chain.observed(T(row.t), chain.motion(T(row.t)));
    expect_digits(seen[0], row.x), expect_digits(seen[1], row.y), expect_digits(seen[2], row.x_rate);
  }
}

// Revolutions add up: after the time printed for one the links are turned by -2 pi and as fast as at the start.
TEST(NFourBar, LinksRevolve) {
  const Mechanism chain(Json("n-four-bar:windows=2"));
  const Motion start = chain.motion(T(0)), end = chain.motion(T("1.94251492260708368"));
  // The time has 17 decimals.
  EXPECT_LT(abs(end.q[2] - start.q[2] + 2 * pi<T>()), T("1e-17"));
  EXPECT_LT(largest(end.v - start.v), 1e-16);
}

// 2N+1 links and 3N+1 pins; all horizontal, the mobility is N+1 instead of one.
TEST(NFourBar, RankDropsByTheNumberOfWindowsWhenAllLinksAreHorizontal) {
  for (const int N : {1, 2, 10}) {
    const Mechanism chain({{"name", "n-four-bar"}, {"windows", N}});
    EXPECT_EQ(chain.n, 3 * (2 * N + 1));
    EXPECT_EQ(chain.m, 2 * (3 * N + 1));
    EXPECT_EQ(chain.rank(T(0), chain.model->initial_q()), chain.m);
    EXPECT_EQ(chain.rank(T(1), chain.motion(T(1)).q), chain.m);
    Vector<T> q = Vector<T>::Zero(chain.n);  // V_i from (i, 0) to (i+1, 0) and H_i like V_i
    for (Index body = 0; body <= 2 * N; ++body) q[3 * body] = T((body + 1) / 2) + T(1) / 2;
    EXPECT_EQ(largest(chain.level(Level::position, T(0), {q, Vector<T>::Zero(chain.n)})), 0);
    EXPECT_EQ(chain.rank(T(0), q), chain.m - N);
  }
}

// ---------------------------------------------------------------- Bricard

TEST(Bricard, IndependentSolutionHasTheStoredDigits) {
  struct Row {
    const char *t, *x, *y, *z, *theta, *rate;
  };
  const Mechanism loop(Json("bricard"));
  for (const Row& row : {Row{"1", "0.274481319264623", "-0.886707938734672", "-0.462330002687376", "1.035028459518062",
                             "2.03641538096997"},
                         Row{"2", "-0.7781353730332909", "-0.9803526834432566", "-0.1972526706171706",
                             "2.893328205981293", "1.024431027733365"},
                         Row{"5", "0.9999327423021171", "-0.9999999977383532", "-6.725543608396146e-5",
                             "6.725995973259376e-5", "0.01622991486418006"},
                         Row{"10", "0.9997309873038353", "-0.9999999638258173", "-0.0002689765122493046",
                             "0.0002690488833246465", "0.03246201174099792"}}) {
    SCOPED_TRACE(row.t);
    const Vector<T> seen = loop.observed(T(row.t), loop.motion(T(row.t)));
    for (const auto& [i, printed] : {std::pair{0, row.x}, {1, row.y}, {2, row.z}, {3, row.theta}, {4, row.rate}})
      expect_digits(seen[i], printed);
  }
}

TEST(Bricard, RodOneTurnsBackAtPiAfterTheHalfPeriodPrinted) {
  const Mechanism loop(Json("bricard"));
  const T half("2.49585575684436194");
  const Vector<T> seen = loop.observed(half, loop.motion(half));
  EXPECT_LT(abs(seen[3] - pi<T>()), T("1e-30"));  // quadratic in the digits left out
  EXPECT_LT(abs(seen[4]), T("1e-16"));
}

// No degree of freedom by counting, and one in truth; no other singularity comes near.
TEST(Bricard, OneConstraintIsRedundantAllAlongTheMotion) {
  const Mechanism loop(Json("bricard"));
  EXPECT_EQ(loop.n, 16);
  EXPECT_EQ(loop.m, 16);
  for (int k = 0; k <= 10; ++k) {
    const Vector<double> values = loop.singular_values(T(k) / 4, loop.motion(T(k) / 4).q);
    EXPECT_LT(values[15], 1e-14) << k;
    EXPECT_GT(values[14], 0.1) << k;  // far from zero: all lengths are 1
  }
}

// ---------------------------------------------------------------- car axis

const char* const car_axis_end[] = {"0.04934557842752409213", "0.4969894602300081068",   "1.041742524885426115",
                                    "0.3739110272653658194",  "-0.07705836840359208428", "0.007446866592068416491",
                                    "0.01755681575354173663", "0.7703410437796010631"};
const char* const car_axis_multipliers[] = {"-0.0047368865908533265", "-0.0011046803312595658"};

// The springs are relaxed and weightless masses would stay: both ends fall with g.
TEST(CarAxis, StartsWithoutReactions) {
  const Mechanism axis(Json("car-axis"));
  Vector<T> a(4), lambda(2);
  ASSERT_TRUE(solve_accelerations(*axis.model, T(0), axis.model->initial_q(), axis.model->initial_v(), a, lambda).ok());
  EXPECT_LT(largest(a - Vector<T>{{T(0), T(-1), T(0), T(-1)}}), 1e-45);
  EXPECT_LT(largest(lambda), 1e-45);
}

TEST(CarAxis, ReachesTheStoredEnd) {
  const Json record = Run::bind({{"problem", "car-axis"},
                                 {"formulation", "index-1"},
                                 {"method", "gauss:s=5"},
                                 {"h", "1/1000"},
                                 {"scalar", "double"}},
                                "")
                          ->execute()
                          .record;
  ASSERT_EQ(record["status"], "ok") << record["cause"];
  const Vector<T> q = record_vector(record["q"]), v = record_vector(record["v"]);
  const Vector<T> lambda = record_vector(record["lambda"]);
  for (Index i = 0; i < 4; ++i) {
    EXPECT_LT(abs(q[i] - T(car_axis_end[i])), T("1e-11")) << i;  // round-off of 3000 steps, stiff
    EXPECT_LT(abs(v[i] - T(car_axis_end[4 + i])), T("1e-9")) << i;
  }
  for (Index i = 0; i < 2; ++i) EXPECT_LT(abs(lambda[i] + T(car_axis_multipliers[i])), T("1e-10")) << i;
}

TEST(CarAxis, StoredReferenceHasTheStoredDigits) {
  const auto problem = Registry<Problem>::instance().make("car-axis", "");
  const std::optional<ReferenceState> reference = find_reference(problem->spec(), "3");
  ASSERT_TRUE(reference);
  for (Index i = 0; i < 4; ++i) {
    expect_digits(reference->q[i], car_axis_end[i]);
    expect_digits(reference->v[i], car_axis_end[4 + i]);
  }
  for (Index i = 0; i < 2; ++i) expect_digits(-reference->lambda[i], car_axis_multipliers[i]);
}

// All printed digits are those of the stored state to 12, except yl': two routes agree that it is off.
TEST(CarAxis, StoredReferenceJudgesThePublishedValues) {
  const Json state = stored_reference(Registry<Problem>::instance().make("car-axis", "")->spec(), "3").at("state");
  const Json& deviation = state.at("published").at(0).at("deviation");
  for (const char* kind : {"q", "v", "lambda"})
    // The others are off by 1.03e-11 at the most.
    for (std::size_t i = 0; i < deviation[kind].size(); ++i)
      EXPECT_NEAR(deviation[kind][i].get<double>(), kind[0] == 'v' && i == 1 ? -6.487e-10 : 0, 1.1e-11) << kind << i;
}

TEST(CarAxis, RefusesARoadItCannotSpan) {
  try {
    Registry<Problem>::instance().make("car-axis:road_height=1", "--problem");
    ADD_FAILURE() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("road_height"));
    EXPECT_THAT(error.what(), HasSubstr("below 1"));
  }
}

// ---------------------------------------------------------------- many four-bar windows

class ManyWindows : public testing::TestWithParam<int> {};

// The witness of the references is one window under a smaller gravity.
TEST_P(ManyWindows, MoveAsOneWindowDoes) {
  const Mechanism chain(Json{{"name", "n-four-bar"}, {"windows", GetParam()}});
  const Mechanism one(chain.problem->smaller_problem());
  EXPECT_EQ(one.n, 9);
  for (const char* time : {"1", "10"}) {
    Motion small = one.motion(T(time));
    small.a = Vector<T>(one.n);
    Vector<T> lambda(one.m);
    ASSERT_TRUE(solve_accelerations(*one.model, T(time), small.q, small.v, small.a, lambda).ok());
    const Motion all = chain.problem->from_smaller(small), own = chain.motion(T(time));
    EXPECT_LT(largest(all.q - own.q), 1e-43);
    EXPECT_LT(largest(all.v - own.v), 1e-43);
    const std::optional<ReferenceState> stored = find_reference(chain.problem->spec(), time);
    ASSERT_TRUE(stored);
    EXPECT_LT(largest(all.a - stored->a), 1e-40);
    EXPECT_GE(stored->digits_trusted, 41);  // what the bound above needs
  }
}
INSTANTIATE_TEST_SUITE_P(FourBar, ManyWindows, testing::Values(10, 40));

TEST(FewWindows, AreTheirOwnWitness) {
  for (const char* spec : {"n-four-bar:windows=1", "n-four-bar"})
    EXPECT_TRUE(Mechanism(Json(spec)).problem->smaller_problem().is_null()) << spec;
}
#endif

}  // namespace TEST_FILE
}  // namespace daelab
