// Tableaus in rounded decimals, as SUNDIALS and the literature print them: to how many digits they are given, what
// holds to these, and what is refused.
#include <gmock/gmock.h>

#include "analysis/exact_coefficients.hpp"
#include "analysis/method_report.hpp"
#include "analysis/order_conditions.hpp"
#include "analysis/stability.hpp"
#include "core/base/exact.hpp"
#include "core/integration/method.hpp"
#include "lab/runs/run.hpp"
#include "methods/runge_kutta/block_coefficients.hpp"
#include "methods/runge_kutta/collocation.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

// So many places behind the point, zeros at the end among them, whole numbers as they are.
std::string rounded(const Real100& x, int places) {
  if (x == floor(x)) return to_text(x, 3);
  const Real100 scaled = floor(Real100(abs(x) * pow(Real100(10), places) + Real100(1) / 2));
  std::string digits = to_text(scaled, 99);
  digits = digits.substr(0, digits.find('.'));
  while (static_cast<int>(digits.size()) <= places) digits.insert(0, "0");
  return (x < 0 ? "-" : "") + digits.insert(digits.size() - static_cast<std::size_t>(places), ".");
}

Json rounded(const Tableau& t, int places) {
  Json json = {{"name", "rounded"},
               {"order", t.claimed_order},
               {"A", Json::array()},
               {"b", Json::array()},
               {"c", Json::array()}};
  for (Index i = 0; i < t.stages(); ++i) {
    Json row = Json::array();
    for (Index j = 0; j < t.stages(); ++j) row.push_back(rounded(t.A(i, j), places));
    json["A"].push_back(row);
    json["b"].push_back(rounded(t.b[i], places)), json["c"].push_back(rounded(t.c[i], places));
  }
  return json;
}

// The L-stable SDIRK method of order 3, gamma a root of 6 g^3 - 18 g^2 + 9 g - 1. [Alexander 1977]
Tableau alexander() {
  Real100 g("0.4358665215");
  for (int i = 0; i < 8; ++i) g -= (((6 * g - 18) * g + 9) * g - 1) / ((18 * g - 36) * g + 9);
  Tableau t;
  t.claimed_order = 3;
  const Real100 b1 = -(6 * g * g - 16 * g + 1) / 4, b2 = (6 * g * g - 20 * g + 5) / 4;
  t.A = Matrix<Real100>{{g, 0, 0}, {(1 - g) / 2, g, 0}, {b1, b2, g}};
  t.b = t.A.row(2).transpose();
  t.c = t.A.rowwise().sum();
  return t;
}

Tableau radau() {
  Tableau t = radau_iia(3);
  t.claimed_order = 5;
  return t;
}

struct DigitsCase {
  const char* name;
  Tableau (*tableau)();
  int digits;
  friend void PrintTo(const DigitsCase& c, std::ostream* out) { *out << c.name << c.digits; }
};

class DecimalTableau : public testing::TestWithParam<DigitsCase> {};

TEST_P(DecimalTableau, HasItsOrderToTheDigitsGiven) {
  const auto& [name, exact, digits] = GetParam();
  const Tableau t = tableau_from_json(rounded(exact(), digits), "/method");
  EXPECT_EQ(t.digits, digits);
  const OrderReport report = order_report(t), whole = order_report(exact());
  EXPECT_EQ(report.order, whole.order) << report.how;
  EXPECT_TRUE(report.is_exact) << report.how;
  EXPECT_EQ(report.stage_order, whole.stage_order);
  EXPECT_EQ(report.D, whole.D);
  EXPECT_THAT(report.how, HasSubstr(fmt::format("to {} digits", digits)));
  ASSERT_EQ(static_cast<int>(report.residuals.size()), whole.order);
  const Real100 largest = *std::max_element(report.residuals.begin(), report.residuals.end());
  // Residuals are parts of a unit of the last digit: measured half of one.
  EXPECT_GT(largest, pow(Real100(10), -digits - 3));
  EXPECT_LT(largest, 5 * pow(Real100(10), -digits));
  EXPECT_LT(largest, report.tolerance);
}

// What a margin of zero decides does not fall to the last digit.
TEST_P(DecimalTableau, KeepsItsStability) {
  const auto& [name, exact, digits] = GetParam();
  const auto method = Registry<Method>::instance().make(rounded(exact(), digits), "/method");
  const MethodReport report = method_report(*method);
  EXPECT_TRUE(report.a_stable.holds) << report.a_stable.proof;
  EXPECT_TRUE(report.l_stable.holds) << report.l_stable.proof;
  EXPECT_THAT(report.a_stable.proof, HasSubstr(fmt::format("of coefficients to {} digits", digits)));
  EXPECT_FALSE(report.algebraically_stable.applicable);
  ASSERT_TRUE(report.error_constant);
  EXPECT_EQ(report.error_constant->power, exact().claimed_order + 1);
}

TEST_P(DecimalTableau, ShowsDigitsAndResiduals) {
  const auto& [name, exact, digits] = GetParam();
  const auto method = Registry<Method>::instance().make(rounded(exact(), digits), "/method");
  const Json order = Json(method_report(*method))["order"];
  EXPECT_EQ(order["digits"], digits);
  EXPECT_EQ(static_cast<int>(order["residuals"].size()), order["order"].get<int>());
  const std::string entry = exact_coefficients(*method).find("A")->at(0).at(0).exact;
  EXPECT_THAT(entry, HasSubstr("0."));
  EXPECT_LE(static_cast<int>(entry.size()), digits + 2);  // and "0."
}

INSTANTIATE_TEST_SUITE_P(All, DecimalTableau,
                         testing::Values(DigitsCase{"radau", radau, 16}, DigitsCase{"radau", radau, 25},
                                         DigitsCase{"radau", radau, 40}, DigitsCase{"alexander", alexander, 16},
                                         DigitsCase{"alexander", alexander, 25},
                                         DigitsCase{"alexander", alexander, 40}));

Tableau read(const char* text) { return tableau_from_json(Json::parse(text), "/method"); }

// ESDIRK3(2)4L[2]SA as the tables of SUNDIALS have it (40 digits and more).
TEST(DecimalTableau, TakesTheTablesOfSundials) {
  const Tableau t = read(R"({"order": 3, "embedded_order": 2, "A": [[0, 0, 0, 0],
      ["0.4358665215084589994160194511935568425293", "0.4358665215084589994160194511935568425293", 0, 0],
      ["0.2576482460664272457999960162840797092643", "-0.09351476757488624521601546747763655179361",
       "0.4358665215084589994160194511935568425293", 0],
      ["0.1876410243467238251612921441668043913795", "-0.5952974735769549480478230275858851737782",
       "0.9717899277217721234705114322255239398694", "0.4358665215084589994160194511935568425293"]],
    "b": ["0.1876410243467238251612921441668043913795", "-0.5952974735769549480478230275858851737782",
          "0.9717899277217721234705114322255239398694", "0.4358665215084589994160194511935568425293"],
    "b_embedded": ["0.2147402862233891404862383406484193714659", "-0.4851622638849390928209050808398155895845",
                   "0.86872500252038755116621237682951240796", "0.4016969751411624011684543633618838101586"],
    "c": [0, "0.8717330430169179988320389023871136850586", 0.6, 1]})");
  EXPECT_EQ(t.digits, 40);
  EXPECT_TRUE(l_stable(stability_function(t)).holds);
}

// Kvaerno's method there (KVAERNO_4_2_3) has 15 places except for gamma, which has ten: of order 3 to 15 digits, since
// gamma is free, and L-stable to ten only.
TEST(DecimalTableau, TellsWhatShortDecimalsCost) {
  const Tableau t = read(R"({"order": 3, "embedded_order": 2, "c": [0, 0.871733043, 1, 1],
    "A": [[0, 0, 0, 0], [0.4358665215, 0.4358665215, 0, 0], [0.490563388419108, 0.073570090080892, 0.4358665215, 0],
          [0.308809969973036, 1.490563388254106, -1.235239879727145, 0.4358665215]],
    "b": [0.308809969973036, 1.490563388254106, -1.235239879727145, 0.4358665215],
    "b_embedded": [0.490563388419108, 0.073570090080892, 0.4358665215, 0]})");
  EXPECT_EQ(t.digits, 15);
  const StabilityFunction R = stability_function(t);
  EXPECT_TRUE(a_stable(R).holds);
  EXPECT_FALSE(l_stable(R).holds);
  EXPECT_NEAR(static_cast<double>(R.at_infinity()), 5.57e-11, 0.01e-11);  // a unit of the last digit stated
}

// Short decimals, fractions and roots are exact, alone and beside rounded ones.
TEST(DecimalTableau, LeavesExactOnesExact) {
  EXPECT_EQ(read(R"({"A": [[0,0], [0.5,0]], "b": [0,1], "order": 2})").digits, 0);
  EXPECT_EQ(read(R"({"A": [[0,0], ["1/1024",0]], "b": [-511,512], "order": 1})").digits, 0);
  EXPECT_EQ(read(R"({"A": [[0,0], ["0.0009765625",0]], "b": ["-511","512"], "order": 2})").digits, 0);
  EXPECT_EQ(read(R"({"A": [["1 - sqrt(2)/2",0], ["sqrt(2)/2","1 - sqrt(2)/2"]], "b": ["sqrt(2)/2","1 - sqrt(2)/2"],
                     "order": 2})")
                .digits,
            0);
  const Tableau mixed = read(R"({"A": [[0.25,0], ["1/2",0.25]], "b": ["0.33333333333333333333","2/3"]})");
  EXPECT_EQ(mixed.digits, 20);
  EXPECT_EQ(exact_text(mixed.b[1]), "2/3");
  EXPECT_EQ(exact_text(mixed.A(0, 0)), "1/4");
}

// Of doubles, as programs print them: 17 digits at most, fewer where the last ones are zeros.
TEST(DecimalTableau, TakesDoubles) {
  const Tableau t = read(R"({"A": [[0.2928932188134524,0], [0.7071067811865476,0.2928932188134524]],
                            "b": [0.7071067811865476,0.2928932188134524]})");
  EXPECT_EQ(t.digits, 16);
  EXPECT_EQ(order_report(t).order, 2);
}

// The weakest coefficients tell.
TEST(DecimalTableau, TakesTheDigitsThatHold) {
  const Tableau t = read(R"({"A": [["0.2928932188134524755991556378951509607152",0],
                                   ["0.7071067811865475244008443621048490392848","0.2928932188134524755991556378951509607152"]],
                            "b": ["0.7071067811865475","0.2928932188134525"], "order": 2})");
  EXPECT_EQ(t.digits, 16);
}

// A short decimal among long ones says nothing of these: each is asked by its own places. Verner's pair in 16 places,
// with one entry that is exact in eight places, and then a wrong seventh place in each of the others.
TEST(DecimalTableau, AsksEachEntryByItsOwnPlaces) {
  const Tableau exact = tableau_by_name("verner-87", "");
  Json json = rounded(exact, 16);
  ASSERT_EQ(exact.c[1], Real100(1) / 16);
  json["c"][1] = json["A"][1][0] = "0.06250000";
  EXPECT_EQ(tableau_from_json(json, "/method").digits, 16);
  int mutants = 0;
  for (Index i = 2; i < exact.stages(); ++i)
    for (Index j = 0; j < i; ++j) {
      if (exact.A(i, j) == 0) continue;
      Json mutant = json;
      std::string entry = mutant["A"][i][j];
      char& digit = entry[entry.find('.') + 7];
      digit = digit == '9' ? '8' : static_cast<char>(digit + 1);
      mutant["A"][i][j] = entry;
      EXPECT_THROW(tableau_from_json(mutant, "/method"), InputError) << i << " " << j;
      ++mutants;
    }
  EXPECT_GT(mutants, 40);  // measured 57
}

// ARK5(4)8L[2]SA, the implicit part, as printed: fractions that hold to 1E-25. [Kennedy, Carpenter, Applied Numerical
// Mathematics 44 (2003), 139-181, Appendix D]
const char* const ark548 = R"({"order": 5, "embedded_order": 4, "A": [
    [0, 0, 0, 0, 0, 0, 0, 0], ["41/200", "41/200", 0, 0, 0, 0, 0, 0],
    ["41/400", "-567603406766/11931857230679", "41/200", 0, 0, 0, 0, 0],
    ["683785636431/9252920307686", 0, "-110385047103/1367015193373", "41/200", 0, 0, 0, 0],
    ["3016520224154/10081342136671", 0, "30586259806659/12414158314087", "-22760509404356/11113319521817", "41/200", 0, 0,
     0],
    ["218866479029/1489978393911", 0, "638256894668/5436446318841", "-1179710474555/5321154724896",
     "-60928119172/8023461067671", "41/200", 0, 0],
    ["1020004230633/5715676835656", 0, "25762820946817/25263940353407", "-2161375909145/9755907335909",
     "-211217309593/5846859502534", "-4269925059573/7827059040749", "41/200", 0],
    ["-872700587467/9133579230613", 0, 0, "22348218063261/9555858737531", "-1143369518992/8141816002931",
     "-39379526789629/19018526304540", "32727382324388/42900044865799", "41/200"]],
  "b": ["-872700587467/9133579230613", 0, 0, "22348218063261/9555858737531", "-1143369518992/8141816002931",
        "-39379526789629/19018526304540", "32727382324388/42900044865799", "41/200"],
  "b_embedded": ["-975461918565/9796059967033", 0, 0, "78070527104295/32432590147079", "-548382580838/3424219808633",
                 "-33438840321285/15594753105479", "3629800801594/4656183773603", "4035322873751/18575991585200"],
  "c": [0, "41/100", "2935347310677/11292855782101", "1426016391358/7196633302097", "23/25", "6/25", "3/5", 1]})";

TEST(DecimalTableau, TakesFractionsThatApproximate) {
  const Tableau t = read(ark548);
  EXPECT_EQ(t.digits, 24);  // the shortest denominator, 1.4E12, squared
  EXPECT_EQ(order_report(t).order, 5);
  EXPECT_TRUE(l_stable(stability_function(t)).holds);
  EXPECT_EQ(exact_text(t.c[2]), "2935347310677/11292855782101");
}

TEST(DecimalTableau, RefusesAWrongDigitOfAFraction) {
  std::string text = ark548;
  text.replace(text.find("567603406766"), 12, "567603406767");
  EXPECT_THAT([&] { tableau_from_json(Json::parse(text), "/method"); },
              ThrowsMessage<InputError>(AllOf(HasSubstr("/method/c/2"), HasSubstr("coefficients to 24 digits"))));
}

// x by the continued fraction, until the denominator has so many digits.
std::string approximated(const Real100& x, int digits) {
  const Real100 least = pow(Real100(10), digits - 1);
  Real100 rest = abs(x), p0 = 1, q0 = 0, p1 = floor(rest), q1 = 1;
  while (q1 < least && rest - floor(rest) > Real100("1e-60")) {
    rest = 1 / (rest - floor(rest));
    const Real100 a = floor(rest), p = a * p1 + p0, q = a * q1 + q0;
    p0 = p1, q0 = q1, p1 = p, q1 = q;
  }
  const auto whole = [](const Real100& n) { return to_text(n, 60).substr(0, to_text(n, 60).find('.')); };
  return (x < 0 ? "-" : "") + whole(p1) + (q1 == 1 ? "" : "/" + whole(q1));
}

TEST(DecimalTableau, TakesFractionsOfSixDigitsAndMore) {
  for (const int digits : {6, 7, 8, 9, 12}) {
    Json json = rounded(radau(), 40);
    const Tableau exact = radau();
    for (Index i = 0; i < 3; ++i) {
      for (Index j = 0; j < 3; ++j) json["A"][i][j] = approximated(exact.A(i, j), digits);
      json["b"][i] = approximated(exact.b[i], digits), json["c"][i] = approximated(exact.c[i], digits);
    }
    const Tableau t = tableau_from_json(json, "");
    EXPECT_GE(t.digits, 2 * digits - 2) << digits;
    EXPECT_EQ(order_report(t).order, 5) << digits;
  }
}

// Collocation on nodes of 18 decimals, which are exact; all else is given to 85.
TEST(DecimalTableau, HoldsLongDecimalsToTheirOwnDigits) {
  Tableau exact;
  exact.claimed_order = 3;
  exact.c = Vector<Real100>{{Real100("0.155051025721682190"), Real100("0.644948974278317811"), Real100(1)}};
  exact.A.resize(3, 3), exact.b.resize(3);
  for (Index j = 0; j < 3; ++j) {  // the polynomial that is 1 at c_j and 0 at the others, integrated to x
    const Real100 c1 = exact.c[(j + 1) % 3], c2 = exact.c[(j + 2) % 3], cj = exact.c[j];
    const auto integral = [&](const Real100& x) {
      return Real100((x * x * x / 3 - (c1 + c2) * x * x / 2 + c1 * c2 * x) / ((cj - c1) * (cj - c2)));
    };
    for (Index i = 0; i < 3; ++i) exact.A(i, j) = integral(exact.c[i]);
    exact.b[j] = integral(Real100(1));
  }
  Json json = rounded(exact, 85);
  json["c"] = {"0.155051025721682190", "0.644948974278317811", "1"};
  EXPECT_EQ(tableau_from_json(json, "").digits, 85);
  EXPECT_EQ(order_report(tableau_from_json(json, "")).order, 3);
  for (const std::size_t place : {12, 17, 19, 21, 30, 40, 50, 61, 75})
    for (const char* entry : {"/A/0/0", "/A/1/2", "/A/2/1", "/b/1"}) {
      Json mutant = json;
      std::string text = mutant[Json::json_pointer(entry)];
      char& digit = text[text.find('.') + place];
      digit = digit == '9' ? '8' : static_cast<char>(digit + 1);
      mutant[Json::json_pointer(entry)] = text;
      EXPECT_THROW(tableau_from_json(mutant, ""), InputError) << entry << ", place " << place;
    }
  // Where all nodes are rounded to 18 decimals, that is what the table is given to.
  json = rounded(radau(), 40);
  for (Index i = 0; i < 2; ++i) json["c"][i] = rounded(radau().c[i], 18);
  EXPECT_EQ(tableau_from_json(json, "").digits, 18);
}

TEST(DecimalTableau, RefusesAWrongDigit) {
  Json json = rounded(radau(), 25);
  std::string b = json["b"][0];
  b[12] = b[12] == '9' ? '8' : static_cast<char>(b[12] + 1);
  json["b"][0] = b;
  EXPECT_THAT(
      [&] { tableau_from_json(json, "/method"); },
      ThrowsMessage<InputError>(AllOf(HasSubstr("/method/b"), HasSubstr("too large for coefficients to 25 digits"))));
  json = rounded(radau(), 25);
  json["order"] = 6;
  EXPECT_THAT([&] { tableau_from_json(json, "/method"); },
              ThrowsMessage<InputError>(AllOf(HasSubstr("claims order 6"), HasSubstr("the order is 5"))));
}

TEST(DecimalPlaces, AreThoseOfPlainNumbers) {
  EXPECT_EQ(decimal_places("0.25"), 2);
  EXPECT_EQ(decimal_places("-1.5e-3"), 4);
  EXPECT_EQ(decimal_places("4.358E-1"), 4);
  EXPECT_EQ(decimal_places("1.5e3"), 0);
  EXPECT_EQ(decimal_places("-3"), 0);
  EXPECT_EQ(decimal_places(".500"), 3);
  for (const char* text : {"1/3", "sqrt(2)", "0.1 + 0.2", "pi", "-", "2 sqrt(3)"})
    EXPECT_FALSE(decimal_places(text)) << text;
}

// ---------------------------------------------------------------- runs

Json warnings_of(const Json& method, const char* scalar) {
  return Run::bind({{"problem", "pendulum"},
                    {"formulation", "index-1"},
                    {"method", method},
                    {"h", "1/10"},
                    {"t_end", "1/5"},
                    {"scalar", scalar}},
                   "")
      ->execute()
      .record["warnings"];
}

TEST(DecimalTableau, WarnsWhereDigitsLimitARun) {
  EXPECT_TRUE(warnings_of(rounded(radau(), 16), "double").empty());
  EXPECT_TRUE(warnings_of("radau-iia", "double").empty());
  const Json few = warnings_of(rounded(radau(), 10), "double");
  ASSERT_EQ(few.size(), 1u);
  EXPECT_EQ(few[0]["kind"], "coefficient-digits");
  EXPECT_THAT(few[0]["text"].get<std::string>(), HasSubstr("given to 10 digits"));
#ifndef DAELAB_DOUBLE_ONLY
  EXPECT_TRUE(warnings_of("radau-iia", "real50").empty());
  EXPECT_EQ(warnings_of(rounded(radau(), 40), "real50").size(), 1u);
  EXPECT_TRUE(warnings_of(rounded(radau(), 50), "real50").empty());
#endif
}

}  // namespace TEST_FILE
}  // namespace daelab
