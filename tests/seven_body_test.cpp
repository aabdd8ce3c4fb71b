// The seven-body mechanism: published start, Lagrange's equations, stored digits, the two sets of coordinates
// against each other, and the two misprints of the source's table.
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098.
// Bounds of 1e-40 and less are round-off in 50 digits.
#include <gmock/gmock.h>

#include "lab/runs/run.hpp"
#include "tests/input_error_support.hpp"
#include "tests/lagrange_support.hpp"
#include "tests/reference_support.hpp"

#ifndef DAELAB_DOUBLE_ONLY  // its models are in 50 digits
namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;
using T = Real50;

// Largest deviation relative to the printed value.
double relative_deviation(const Vector<T>& ours, const Vector<T>& printed) {
  double result = 0;
  for (Index i = 0; i < printed.size(); ++i)
    result = std::max(result, static_cast<double>(T(abs(ours[i] - printed[i]) / abs(printed[i]))));
  return result;
}

struct Mechanism {
  explicit Mechanism(const std::string& spec = "seven-body")
      : problem(Registry<Problem>::instance().make(spec, "")), model(problem->mechanical_model(As<T>{})) {}

  ReferenceState stored(const char* t) const {
    const auto state = find_reference(problem->spec(), t);
    EXPECT_TRUE(state) << t;
    return state.value_or(ReferenceState{});
  }
  void accelerations(const Vector<T>& q, const Vector<T>& v, Vector<T>& a, Vector<T>& lambda) const {
    a.resize(model->coordinates()), lambda.resize(model->constraints());
    ASSERT_TRUE(solve_accelerations(*model, T(0), q, v, a, lambda).ok());
  }
  Vector<T> constraint(const Vector<T>& q) const {
    Vector<T> C(model->constraints());
    model->constraint_level(Level::position, T(0), q, q, q, C);
    return C;
  }

  std::shared_ptr<Problem> problem;
  std::unique_ptr<MechanicalModel<T>> model;
};

// 30 digits of the test set; lambda here has the sign of M a + C_q^T lambda = Q. The bounds are ten units of the last
// digit.
TEST(SevenBody, StartIsThePublishedOne) {
  const Mechanism mechanism;
  const Vector<T> q = mechanism.model->initial_q();
  const Vector<T> published =
      printed_numbers({"-0.0617138900142764496358948458001", "0", "0.455279819163070380255912382449",
                       "0.222668390165885884674473185609", "0.487364979543842550225598953530",
                       "-0.222668390165885884674473185609", "1.23054744454982119249735015568"});
  EXPECT_LT(largest(q - published), 1e-29);
  Vector<T> a, lambda;
  mechanism.accelerations(q, mechanism.model->initial_v(), a, lambda);
  Vector<T> published_a = Vector<T>::Zero(7), published_lambda = Vector<T>::Zero(6);
  published_a.head(2) = printed_numbers({"14222.4439199541138705911625887", "-10666.8329399655854029433719415"});
  published_lambda.head(2) = printed_numbers({"98.5668703962410896057654982170", "-6.12268834425566265503114393122"});
  EXPECT_LT(largest(a - published_a), 1e-24);
  EXPECT_LT(largest(lambda - published_lambda), 1e-27);
  const T energy = mechanism.model->energy(T(0), q, mechanism.model->initial_v()).total();
  EXPECT_LT(abs(energy - T("1.4378329575321399")), 1e-16);  // a unit of the last digit
}

TEST(SevenBody, ForcesObeyLagrangesEquations) {
  for (const char* spec :
       {"seven-body", "seven-body:spring_stiffness=1000,spring_length=1/10,torque=-1", "seven-body-absolute"}) {
    SCOPED_TRACE(spec);
    const Mechanism mechanism(spec);
    const Index n = mechanism.model->coordinates();
    RandomNumbers random(17);
    for (int k = 0; k < 3; ++k) {
      const Vector<T> q = mechanism.model->initial_q() + random.vector<T>(n) / 4, v = random.vector<T>(n) * T(10);
      Vector<T> Q(n);
      Matrix<T> M(n, n);
      mechanism.model->force(T(0), q, v, Q);
      mechanism.model->mass(T(0), q, M);
      EXPECT_LT(largest(Q - lagrange_force(*mechanism.model, T(0), q, v)), difference_tolerance);
      EXPECT_LT(abs(mechanism.model->energy(T(0), q, v).kinetic - v.dot(Vector<T>(M.lazyProduct(v))) / 2), 1e-48);
    }
  }
}

// ---------------------------------------------------------------- stored digits

struct Known {
  const char* t;
  std::vector<const char*> q, v, a, lambda;
};

// 18 significant digits each, relative to the value.
TEST(SevenBody, StoredReferencesHaveTheStoredDigits) {
  const Known states[] = {
      {"0.03",
       {"15.8107711951537071", "-15.7563710584118395", "0.0408222401196458049", "-0.534730116342079594",
        "0.524409965879954069", "0.534730116342079594", "1.04808074104193787"},
       {"1139.92030225910606", "-1424.37929517754007", "11.0329119106185937", "19.2933741050320408",
        "0.573569914829502454", "-19.2933741050320408", "0.323179149249130875"},
       {"-24631.7631228746345", "51850.3196364642315", "324102.600707578606", "566749.422000995326",
        "16743.6354183454446", "-566749.422000995326", "9826.50780154416269"},
       {"199.175348104538628", "-29.7553099749717633", "23.0665436116221511", "31.4527252757711371",
        "22.6424947863943786", "11.6173923526112559"}},
      {"0.05",
       {"33.8258677669545173", "-33.5834315174638685", "0.113395073812599015", "-0.407852865601884442",
        "0.526060444916995827", "0.407852865601884442", "1.05690242943496283"},
       {"1144.53550265384747", "-1336.03372265119245", "-190.937068604294625", "-334.317060870864654",
        "0.875865082943015161", "334.317060870864654", "-39.617288978352995"},
       {"391866.39768930252", "-745643.518791303292", "107933.165036668238", "194626.860807324413",
        "-26303.8173541497841", "-194626.860807324413", "102937.818041449619"},
       {"108.905488429529247", "-27.2162211484448085", "12.6020417407499296", "-41.5477528162047621",
        "18.1583411146895812", "105.3745518262451"}}};
  for (const Known& state : states) {
    const ReferenceState ours = Mechanism().stored(state.t);
    EXPECT_LT(relative_deviation(ours.q, printed_numbers(state.q)), 1e-17);
    EXPECT_LT(relative_deviation(ours.v, printed_numbers(state.v)), 1e-17);
    EXPECT_LT(relative_deviation(ours.a, printed_numbers(state.a)), 1e-17);
    EXPECT_LT(relative_deviation(ours.lambda, printed_numbers(state.lambda)), 1e-17);
    EXPECT_GE(ours.digits_trusted, 25);  // more than are compared
  }
}

TEST(SevenBody, QuadratureGivesTheStoredCrankAngles) {
  const std::pair<const char*, const char*> angles[] = {{"0.005", "0.211076385903266679"},
                                                        {"0.01", "2.16011313153152651"},
                                                        {"0.015", "5.65542974999179409"},
                                                        {"0.02", "8.18490588966167554"},
                                                        {"0.025", "12.1071492344476587"}};
  const Mechanism mechanism;
  for (const auto& [t, angle] : angles) {
    const Motion motion = *mechanism.problem->independent_solution(T(t), 40);
    EXPECT_LT(abs(motion.q[0] - T(angle)), abs(T(angle)) * T("1e-17")) << t;  // 18 digits
    EXPECT_LT(largest(mechanism.constraint(motion.q)), 1e-48);
  }
}

TEST(SevenBody, QuadratureNeedsACrankThatKeepsTurning) {
  const auto motion = [](const char* options, const char* t) {
    return Mechanism(std::string("seven-body:") + options).problem->independent_solution(T(t), 30);
  };
  EXPECT_TRUE(motion("torque=0.033", "0.001"));
  EXPECT_FALSE(motion("torque=-0.033", "0.001"));
  EXPECT_FALSE(motion("torque=0", "0.001"));
  EXPECT_FALSE(motion("data=printed", "0.001"));
  EXPECT_FALSE(motion("torque=1/1000,spring_length=1/100", "0.5"));  // a relaxed spring that must be stretched
}

// The published end value is good to 10 digits in q and to 7 in the small velocities.
// The bounds are half a unit of the digits given here.
TEST(SevenBody, PublishedValueIsWrongInLaterDigits) {
  const Json state = stored_state("seven-body", "0.03");
  const Json& deviation = state.at("published").at(0).at("deviation");
  EXPECT_NEAR(std::abs(deviation["q"][0].get<double>()), 7.2e-11, 0.05e-11);
  EXPECT_NEAR(std::abs(deviation["q"][1].get<double>()), 9.1e-11, 0.05e-11);
  EXPECT_NEAR(std::abs(deviation["q"][2].get<double>()), 2.7e-10, 0.05e-10);
  EXPECT_NEAR(std::abs(deviation["q"][3].get<double>()), 3.6e-11, 0.05e-11);
  EXPECT_NEAR(std::abs(deviation["v"][0].get<double>()), 9.5e-11, 0.05e-11);
  EXPECT_NEAR(std::abs(deviation["v"][2].get<double>()), 2.8e-8, 0.05e-8);
  EXPECT_NEAR(std::abs(deviation["v"][6].get<double>()), 5.1e-8, 0.05e-8);
}

// ---------------------------------------------------------------- absolute coordinates

// beta, beta + theta, gamma, phi + delta, delta, Omega + eps, eps from the minimal coordinates, and likewise of rates.
Vector<T> body_angles(const Vector<T>& q) {
  return Vector<T>{{q[0], q[0] + q[1], q[2], q[3] + q[4], q[4], q[5] + q[6], q[6]}};
}
Vector<T> every_third(const Vector<T>& x) {
  Vector<T> angles(7);
  for (Index k = 0; k < 7; ++k) angles[k] = x[3 * k + 2];
  return angles;
}

TEST(SevenBody, AbsoluteCoordinatesHaveTheSameAccelerationsAndEnergy) {
  const Mechanism minimal, absolute("seven-body-absolute");
  EXPECT_EQ(absolute.model->coordinates(), 21);
  EXPECT_EQ(absolute.model->constraints(), 20);
  for (const char* t : {"0", "0.01", "0.03"}) {
    SCOPED_TRACE(t);
    const Motion x = *minimal.problem->independent_solution(T(t), 40);
    const Motion y = *absolute.problem->independent_solution(T(t), 40);
    EXPECT_LT(largest(every_third(y.q) - body_angles(x.q)), 1e-48);
    EXPECT_LT(largest(every_third(y.v) - body_angles(x.v)), 1e-45);
    EXPECT_LT(largest(absolute.constraint(y.q)), 1e-48);
    Vector<T> a, b, lambda, mu;
    minimal.accelerations(x.q, x.v, a, lambda);
    absolute.accelerations(y.q, y.v, b, mu);
    EXPECT_LT(largest(every_third(b) - body_angles(a)), 1e-40);  // up to 6e5
    const T energy = minimal.model->energy(T(0), x.q, x.v).total();
    EXPECT_LT(abs(absolute.model->energy(T(0), y.q, y.v).total() - energy), 1e-48);
  }
}

// The centres of mass as [Ren20] has them, from the minimal coordinates.
TEST(SevenBody, CentresOfMassAreWhereTheSourceHasThem) {
  const Motion minimal = *Mechanism().problem->independent_solution(T("0.02"), 40);
  const Motion absolute = *Mechanism("seven-body-absolute").problem->independent_solution(T("0.02"), 40);
  const T xa("-0.06934"), ya("-0.00227"), xb("-0.03635"), yb("0.03273"), rr("0.007"), ra("0.00092"), da("0.0115");
  const T sa("0.01874"), sb("0.01043"), zt("0.04"), zf("0.02"), u("0.04"), ua("0.01228"), ub("0.00449"), fa("0.01421");
  const T ta("0.02308"), tb("0.00916"), e("0.02"), ea("0.01421");
  const Vector<T> angle = body_angles(minimal.q);
  std::array<T, 7> s, c;
  for (Index k = 0; k < 7; ++k) s[k] = sin(angle[k]), c[k] = cos(angle[k]);
  const T centres[7][2] = {{ra * c[0], ra * s[0]},
                           {rr * c[0] - da * c[1], rr * s[0] - da * s[1]},
                           {xb + sa * s[2] + sb * c[2], yb - sa * c[2] + sb * s[2]},
                           {xa + zt * c[4] + (e - ea) * s[3], ya + zt * s[4] - (e - ea) * c[3]},
                           {xa + ta * c[4] - tb * s[4], ya + ta * s[4] + tb * c[4]},
                           {xa + u * s[6] + (zf - fa) * c[5], ya - u * c[6] + (zf - fa) * s[5]},
                           {xa + ua * s[6] - ub * c[6], ya - ua * c[6] - ub * s[6]}};
  for (Index k = 0; k < 7; ++k) {
    EXPECT_LT(abs(absolute.q[3 * k] - centres[k][0]), 1e-48) << k;
    EXPECT_LT(abs(absolute.q[3 * k + 1] - centres[k][1]), 1e-48) << k;
  }
}

// ---------------------------------------------------------------- misprints

// y_A is off by 0.5 mm and x_B by 0.015 mm: the loops through A miss by the one, that through B by the other.
TEST(SevenBody, PrintedDataViolateTheConstraintsAtTheStart) {
  const Mechanism printed("seven-body:data=printed");
  EXPECT_EQ(printed.model->initial_q(), Mechanism().model->initial_q());
  const Vector<T> violation = printed_numbers({"-0.000015", "0", "0", "0.0005", "0", "0.0005"});
  // 30 digits of the published start
  EXPECT_LT(largest(printed.constraint(printed.model->initial_q()) - violation), 1e-29);
  EXPECT_THAT(input_error_of([] {
                Run::bind({{"problem", "seven-body:data=printed"},
                           {"formulation", "index-1"},
                           {"method", "radau-iia"},
                           {"h", "1/10000"}},
                          "");
              }),
              HasSubstr("|C| = 5.00e-04"));
}

}  // namespace TEST_FILE
}  // namespace daelab
#endif
