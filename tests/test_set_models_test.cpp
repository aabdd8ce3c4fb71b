// Circuits, tubes, and partial equations by lines, of the Test Set for IVP Solvers and of SciML's DAE benchmarks:
// their certified ends against formulas that share nothing with integration, and published sizes of them against
// printed ends.
// [TS] Mazzia, Magherini, Test Set for IVP Solvers, release 2.4, 2008.
#include <gmock/gmock.h>

#include "experiments/references/agreed_solution.hpp"
#include "lab/project.hpp"
#include "lab/runs/run.hpp"
#include "results/record_values.hpp"
#include "results/reference.hpp"
#include "tests/numeric_support.hpp"

#ifndef DAELAB_DOUBLE_ONLY  // its models are in 50 digits
namespace daelab {
namespace TEST_FILE {

using T = Real50;

std::shared_ptr<Problem> problem_of(const Json& spec) {
  load_project();
  return Registry<Problem>::instance().make(spec, "--problem");
}

Vector<T> certified(const std::string& name, const Exact& t) {
  const std::optional<ReferenceState> reference = find_reference(problem_of(name)->spec(), t);
  if (!reference) throw std::runtime_error("store one: results/reference/" + name + ".json");
  return reference->y;
}
Vector<T> certified_end(const std::string& name) { return certified(name, problem_of(name)->end_time()); }

Json run(const std::string& problem, const char* method, const char* rtol, const char* atol, const char* t_end) {
  load_project();
  const Json record =
      Run::bind({{"problem", problem}, {"method", method}, {"rtol", rtol}, {"atol", atol}, {"t_end", t_end}}, "")
          ->execute()
          .record;
  EXPECT_EQ(record["status"], "ok") << record["cause"];
  return record;
}

Vector<T> rates_at(const std::string& problem, const Vector<T>& y) {
  const auto model = problem_of(problem)->ordinary_model(As<T>{});
  Vector<T> r(model->states());
  model->rates(T(0), y, r);
  return r;
}

void expect_near(const T& ours, const T& theirs, double relative) {
  EXPECT_LT(abs(ours - theirs), T(relative) * abs(theirs)) << ours << " and " << theirs;
}

// ---------------------------------------------------------------- all that are certified

class CertifiedModels : public testing::TestWithParam<const char*> {};

// Two stiff methods that share no coefficients, in double.
TEST_P(CertifiedModels, TwoMethodsReachTheEnd) {
  const Vector<T> end = certified_end(GetParam());
  const std::string t_end = problem_of(GetParam())->end_time().text();
  for (const char* method : {"radau-iia:s=5", "lobatto-iiic:s=4"}) {
    SCOPED_TRACE(method);
    const Vector<T> y = record_vector(run(GetParam(), method, "1e-8", "1e-20", t_end.c_str())["y"]);
    ASSERT_EQ(y.size(), end.size());
    for (Index i = 0; i < y.size(); ++i)  // 1000 tolerances: a margin
      EXPECT_LT(abs(y[i] - end[i]), T("1e-5") * abs(end[i]) + T("1e-14")) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, CertifiedModels,
                         testing::Values("charge-pump", "robertson-dae", "rlc-circuit", "rotating-masses", "rl-network",
                                         "mass-spring-damper", "medical-akzo-nobel", "beam", "cusp", "brusselator-1d",
                                         "brusselator-2d"),
                         [](const auto& info) { return test_name_of(info.param); });

// A condition of time is met by steps that end there, a kink in the motion only by error control: equal steps over it
// do not gain digits, and short steps confirm the reference instead. x' = 1/2 + x to ln 2, then 3/2 - x.
TEST(References, OfKinksAreConfirmedByShortSteps) {
  const Json kink = Json::parse(R"json({"name": "kink", "start": {"y": "1"}, "end_time": "1", "states":
    {"x": "1 - abs(x - 1/2)", "y": "select(t < 1/3, x, 2*x)"}})json");
  const Json solution = agreed_solution(kink, {Exact(1)});
  expect_near(record_vector(solution.at("states").at(0).at("y"))[0], T(3) / 2 - 2 * exp(T(-1)), 1e-19);
  const std::string certificate = solution.at("certificate");
  EXPECT_THAT(certificate, testing::HasSubstr("Lobatto IIIC of order 20 under error control"));
  EXPECT_THAT(certificate, testing::HasSubstr("on the way: a condition at t = 0.3333333333"));
}

// ---------------------------------------------------------------- charge pump

// Below its threshold the transistor has a depletion layer alone, whose charge is a function of U1: at the end U1 = 0,
// falling by 2 V/ns. (The printed current is that at U1 = 1.03e-5 V.)
TEST(ChargePump, EndsWithTheDepletionLayerOfNoVoltage) {
  const T Cox = 4, gamma("0.035"), phi("1.01"), Vfb = T("0.2") - gamma * sqrt(phi) - phi;
  const T layer = sqrt(gamma * gamma / 4 - Vfb);
  const Vector<T> end = certified_end("charge-pump");
  expect_near(end[0], Cox * gamma * (layer - gamma / 2), 1e-20);
  expect_near(end[6] - 1, Cox * gamma / layer, 1e-20);
}

// While it is open and U1 constant, both capacitors hold the charge of the channel, Cox (U1 - U2 - Vte(U2))/3.
TEST(ChargePump, ChargesBothCapacitorsWithTheChannel) {
  const Vector<T> y = record_vector(run("charge-pump", "radau-iia:s=5", "1e-9", "1e-9", "100")["y"]);
  const double U2 = static_cast<double>(T(y[1] - 1)) / 1.6;
  const double threshold = 0.2 + 0.035 * (std::sqrt(1.01 + U2) - std::sqrt(1.01));
  EXPECT_NEAR(1.6 * U2, 4 * (20 - U2 - threshold) / 3, 1e-7);
  EXPECT_NEAR(static_cast<double>(y[3]), static_cast<double>(y[1]), 1e-7);  // 100 tolerances, here and above
}

// ---------------------------------------------------------------- NAND gate

// The capacitances are regular, so the equations are those of an implicit differential equation.
TEST(NandGate, HasIndexZero) {
  const auto model = problem_of("nand-gate")->ordinary_model(As<double>{});
  EXPECT_TRUE(model->is_linearly_implicit());
  EXPECT_EQ(model->index(), 0);
}

// Two methods that share nothing, at the end: both inputs fall, node 5 is high.
TEST(NandGate, EndsAsPrinted) {
  const std::vector<const char*> printed = {"4.971088699385777",   "4.999752103929311",      "-2.499998781491227",
                                            "-2.499999999999975",  "4.970837023296724",      "-0.2091214032073855",
                                            "4.970593243278363",   "-2.500077409198803",     "-2.499998781491227",
                                            "-0.2090289583878100", "-0.2399999999966269e-3", "-0.2091214032073855",
                                            "-2.499999999999991",  "-2.500077409198803"};
  for (const char* method : {"radau-iia:s=5", "lobatto-iiic:s=4"}) {
    SCOPED_TRACE(method);
    const Vector<T> x = record_vector(run("nand-gate", method, "1e-10", "1e-10", "80")["y"]);
    for (std::size_t i = 0; i < printed.size(); ++i)
      EXPECT_LT(abs(x[static_cast<Index>(i)] - 10 - T(printed[i])), T("5e-9")) << i;
  }
}

// 175 nodes. Sums of charges that no capacitor connects with ground are constant: 16 states fewer than in [TS].
TEST(TwoBitAdder, EndsAsPrinted) {
  const Json record = run("two-bit-adder", "radau-iia:s=3", "1e-4", "1e-4", "320");
  const Vector<T> y = record_vector(record["y"]);
  ASSERT_EQ(y.size(), 350 - 16);
  const auto potential = [&](int node) { return y[350 - 16 - 175 + node - 1]; };
  expect_near(potential(49), T("0.2040419147264534"), 1e-6);  // [TS] computed with a tolerance of 1e-5
  expect_near(potential(130), T("4.997238455712048"), 1e-5);
  expect_near(potential(148), T("0.2038985905095614"), 1e-6);
}

// ---------------------------------------------------------------- water tubes

// The buffers at nodes 5 and 8 hold what has come in and not gone out: their pressures rise by rho g/b each.
TEST(WaterTube, HoldsTheWaterThatCameIn) {
  constexpr double end = 61200;
  const auto inflow = [](double t) {
    const double h = t / 3600;
    const double in = (1 - std::cos(std::exp(-h) - 1)) * (1.0 / 200 + 1.0 / 80);
    return in - h * h * (3 * h * h - 92 * h + 720) / 1e6;
  };
  constexpr int parts = 20000;  // of Simpson's rule
  double volume = 0;
  for (int i = 0; i < parts; ++i) {
    const double a = end * i / parts, b = end * (i + 1) / parts;
    volume += (b - a) / 6 * (inflow(a) + 4 * inflow((a + b) / 2) + inflow(b));
  }
  const Vector<T> y = record_vector(run("water-tube", "radau-iia:s=5", "1e-8", "1e-8", "61200")["y"]);
  const double held = static_cast<double>(T(y[18] + y[19])) * 200 / (1e3 * 9.8);
  EXPECT_NEAR(held, volume, 1e-7 * std::abs(volume));  // 10 tolerances
}

// Flows of the 18 tubes, and pressures at the buffers over that at the start.
TEST(WaterTube, EndsAsPrinted) {
  const std::vector<const char*> printed = {
      "0.2298488296477430e-2", "0.1188984650746585e-2", "0.1109503645730845e-2", "0.1589620100314825e-3",
      "0.1030022640715102e-2", "0.8710606306836165e-3", "0.3243571480903489e-2", "0.1109503645730845e-2",
      "0.7120986206521341e-3", "0.6414613963833099e-3", "0.9416978549524347e-3", "0.3403428519096511e-2",
      "0.2397639310739395e-2", "0.2397639310739395e-2", "0.3348581430454180e-2", "0.1353560017035444e-2",
      "0.1995021413418736e-2", "0.5746220741193575e-2", "1326.8591478108",       "1327.0045592387"};
  const Vector<T> y = record_vector(run("water-tube", "radau-iia:s=5", "1e-8", "1e-8", "61200")["y"]);
  for (std::size_t i = 0; i < printed.size(); ++i) expect_near(y[static_cast<Index>(i)], T(printed[i]), 1e-8);
}

// ---------------------------------------------------------------- reactions

TEST(RobertsonDae, EndsAsTheDifferentialEquation) {
  const Vector<T> dae = certified_end("robertson-dae"), ode = certified_end("robertson");
  for (Index i = 0; i < 3; ++i) expect_near(dae[i], ode[i], 1e-20);
}

// In the last cell, where nothing flows, one molecule of each species is used up by the other.
TEST(MedicalAkzoNobel, UsesUpBothSpeciesAlike) {
  const Vector<T> end = certified_end("medical-akzo-nobel");
  EXPECT_LT(abs(end[end.size() - 2] - end[end.size() - 1] + 1), T(1e-25));
}

// 400 unknowns, as [TS] has them.
TEST(MedicalAkzoNobel, OfPublishedSizeEndsAsPrinted) {
  const Vector<T> y = record_vector(run("medical-akzo-nobel:N=200", "radau-iia:s=5", "1e-11", "1e-14", "20")["y"]);
  ASSERT_EQ(y.size(), 400);
  for (const auto& [i, printed] : {std::pair{79, "0.2339942217046434e-3"},
                                   {149, "0.3595616017506735e-3"},
                                   {199, "0.1173741304462833e-3"},
                                   {200, "0.6190822732534586e-5"},
                                   {239, "0.6860095639285670e-11"}})
    expect_near(y[i - 1], T(printed), 2e-7);  // [TS] computed with a tolerance of 1e-10
}

// Five days of chemistry, 66 species.
TEST(Emep, EndsAsPrinted) {
  const Vector<T> y = record_vector(run("emep", "radau-iia:s=5", "1e-8", "1", "417600")["y"]);
  ASSERT_EQ(y.size(), 66);
  for (const auto& [i, printed] : {std::pair{1, "0.25645805093601e8"},
                                   {2, "0.51461347708556e11"},
                                   {14, "0.31503085853931e13"},
                                   {37, "0.40635893499335e5"},
                                   {40, "0.76845966195032e9"},
                                   {66, "0.11449876348727e9"}})
    expect_near(y[i - 1], T(printed), 1e-8);
}

// Without reactions between cells a state that is the same in all of them does not diffuse.
TEST(Brusselator, RestsAtItsEquilibrium) {
  Vector<T> y(16);
  for (Index i = 0; i < 8; ++i) y[2 * i] = 1, y[2 * i + 1] = 3;
  EXPECT_EQ(largest(rates_at("brusselator-1d", y)), 0);
  Vector<T> both(18);
  both.head(9).setOnes(), both.tail(9).setConstant(T("3.4"));
  EXPECT_LT(largest(rates_at("brusselator-2d", both)), 1e-48);  // rounding
}

// Diffusion on a ring moves, and makes nothing: sums of rates over the cells are those of the reactions.
TEST(Cusp, DiffusionMakesNothing) {
  RandomNumbers random(4);
  const Vector<T> x = random.vector<T>(18), with = rates_at("cusp", x), without = rates_at("cusp:sigma=0", x);
  EXPECT_GT(largest(with - without), 1e-3);
  for (Index species = 0; species < 3; ++species) {
    T sum(0);
    for (Index i = 0; i < 6; ++i) sum += with[3 * i + species] - without[3 * i + species];
    EXPECT_LT(abs(sum), T(1e-43)) << species;  // rounding of rates of size 1e4
  }
}

// ---------------------------------------------------------------- beam

// 80 unknowns, as [TS] has them.
TEST(Beam, OfPublishedSizeEndsAsPrinted) {
  const Vector<T> y = record_vector(run("beam:n=40", "radau-iia:s=7", "1e-9", "1e-9", "5")["y"]);
  ASSERT_EQ(y.size(), 80);
  for (const auto& [i, printed] : {std::pair{10, "-0.9119134654647947e-1"},
                                   {20, "-0.1483595472463012"},
                                   {30, "-0.1725821847462537"},
                                   {40, "-0.1767201761075488"},
                                   {80, "1.186724615113034"}})
    expect_near(y[i - 1], T(printed), 1e-6);
}

// ---------------------------------------------------------------- linear equations with closed forms

// L i'' + R i' + i/C = 0, i(0) = 0, L i'(0) = u; vC = u - vL - vR.
TEST(LinearDae, RlcCircuitEndsAsItsClosedForm) {
  const T L("1e-3"), C("1e-6"), R("1e3"), t("1e-3");
  const T root = sqrt(R * R / (4 * L * L) - 1 / (L * C)), slow = -R / (2 * L) + root, fast = -R / (2 * L) - root;
  const Vector<T> y = certified_end("rlc-circuit");
  expect_near(y[0], (exp(slow * t) - exp(fast * t)) / (2 * L * root), 1e-25);
  expect_near(y[2], (slow * exp(slow * t) - fast * exp(fast * t)) / (2 * root), 1e-25);
}

// (J1 + J2) omega' = u1 + u2, M1 = J1 omega' - u1.
TEST(LinearDae, RotatingMassesEndAsTheirClosedForm) {
  const Vector<T> y = certified_end("rotating-masses");
  expect_near(y[0], T("0.5"), 1e-25);
  expect_near(y[2], T("-0.5"), 1e-25);
}

// i = u, e2 = L u'.
TEST(LinearDae, RlNetworkFollowsItsSource) {
  const Vector<T> y = certified_end("rl-network");
  expect_near(y[0], 1 + sin(T(3)) / 2, 1e-25);
  expect_near(y[2], T(3) / 2 * cos(T(3)), 1e-25);
  expect_near(y[1], T(3) / 2 * cos(T(3)) + 1 + sin(T(3)) / 2, 1e-25);
}

// 2 m x'' + d x' + k x = u: from a constant force, then from A e^(-5t), each a particular solution and an oscillation.
struct Oscillation {
  T x, v;
};
Oscillation oscillate(const Oscillation& from, const T& t) {
  const T damping = T(5) / 400, omega = sqrt(T(2) / 200 - damping * damping);
  const T sine = (from.v + damping * from.x) / omega;
  const T c = cos(omega * t), s = sin(omega * t), e = exp(T(-damping * t));
  return {e * (from.x * c + sine * s),
          e * ((sine * omega - damping * from.x) * c - (from.x * omega + damping * sine) * s)};
}
TEST(LinearDae, MassSpringDamperEndsAsItsClosedForm) {
  const T until("0.1"), end = 2;
  const Oscillation jolted = oscillate({T(-5), T(0)}, until);  // about x = 10/k
  const T A = T("0.1") / (200 * 25 - 5 * 5 + 2), at = A * exp(T(-5 * until));
  const Oscillation rest = oscillate({jolted.x + 5 - at, jolted.v + 5 * at}, T(end - until));
  const T x = rest.x + A * exp(T(-5 * end)), v = rest.v - 5 * A * exp(T(-5 * end));
  const Vector<T> y = certified_end("mass-spring-damper");
  expect_near(y[0], x, 1e-22), expect_near(y[1], x, 1e-22);
  expect_near(y[2], v, 1e-22);
  expect_near(y[4], (2 * x + 5 * v - T("0.1") * exp(T(-5 * end))) / 2, 1e-20);
}

}  // namespace TEST_FILE
}  // namespace daelab
#endif
