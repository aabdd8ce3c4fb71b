// Tableaus in fractions that approximate, as the literature prints them: to how many digits they hold, and what is
// refused.
#include <gmock/gmock.h>

#include <algorithm>

#include "analysis/order_conditions.hpp"

namespace daelab {
namespace TEST_FILE {

Tableau read(const char* text) { return tableau_from_json(Json::parse(text), "/method"); }

// RK8(7)13M, as GSL's rk8pd and others have it: denominators of eight to ten digits, and zeros that hold to 1E-17.
// [Prince, Dormand, J. Comput. Appl. Math. 7(1), 1981, 67-75, table 2]
const char* const prince_dormand_87 = R"({"order": 8, "embedded_order": 7, "A": [
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    ["1/18", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    ["1/48", "1/16", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    ["1/32", 0, "3/32", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    ["5/16", 0, "-75/64", "75/64", 0, 0, 0, 0, 0, 0, 0, 0, 0],
    ["3/80", 0, 0, "3/16", "3/20", 0, 0, 0, 0, 0, 0, 0, 0],
    ["29443841/614563906", 0, 0, "77736538/692538347", "-28693883/1125000000", "23124283/1800000000", 0, 0, 0, 0,
     0, 0, 0],
    ["16016141/946692911", 0, 0, "61564180/158732637", "22789713/633445777", "545815736/2771057229",
     "-180193667/1043307555", 0, 0, 0, 0, 0, 0],
    ["39632708/573591083", 0, 0, "-433636366/683701615", "-421739975/2616292301", "100302831/723423059",
     "790204164/839813087", "800635310/3783071287", 0, 0, 0, 0, 0],
    ["246121993/1340847787", 0, 0, "-37695042795/15268766246", "-309121744/1061227803", "-12992083/490766935",
     "6005943493/2108947869", "393006217/1396673457", "123872331/1001029789", 0, 0, 0, 0],
    ["-1028468189/846180014", 0, 0, "8478235783/508512852", "1311729495/1432422823", "-10304129995/1701304382",
     "-48777925059/3047939560", "15336726248/1032824649", "-45442868181/3398467696", "3065993473/597172653", 0, 0,
     0],
    ["185892177/718116043", 0, 0, "-3185094517/667107341", "-477755414/1098053517", "-703635378/230739211",
     "5731566787/1027545527", "5232866602/850066563", "-4093664535/808688257", "3962137247/1805957418",
     "65686358/487910083", 0, 0],
    ["403863854/491063109", 0, 0, "-5068492393/434740067", "-411421997/543043805", "652783627/914296604",
     "11173962825/925320556", "-13158990841/6184727034", "3936647629/1978049680", "-160528059/685178525",
     "248638103/1413531060", 0, 0]],
  "b": ["14005451/335480064", 0, 0, 0, 0, "-59238493/1068277825", "181606767/758867731", "561292985/797845732",
     "-1041891430/1371343529", "760417239/1151165299", "118820643/751138087", "-528747749/2220607170", "1/4"],
  "b_embedded": ["13451932/455176623", 0, 0, 0, 0, "-808719846/976000145", "1757004468/5645159321",
     "656045339/265891186", "-3867574721/1518517206", "465885868/322736535", "53011238/667516719", "2/45", 0],
  "c": [0, "1/18", "1/12", "1/8", "5/16", "3/8", "59/400", "93/200", "5490023248/9719169821", "13/20",
     "1201146811/1299019798", "1", "1"]})";

TEST(FractionTableau, TakesShorterFractionsThatApproximate) {
  const Tableau t = read(prince_dormand_87);
  EXPECT_EQ(t.digits, 16);  // the shortest denominator, 1.6E8, squared
  const OrderReport report = order_report(t);
  EXPECT_EQ(report.order, 8) << report.how;
  EXPECT_TRUE(report.is_exact);
  const Real100 largest = *std::max_element(report.residuals.begin(), report.residuals.end());
  EXPECT_GT(largest, Real100("1e-18"));  // measured 6.5e-18
  EXPECT_LT(largest, Real100("1e-17"));
  Tableau embedded = t;
  embedded.b = t.b_embedded, embedded.b_error = t.b_embedded_error;
  EXPECT_EQ(order_report(embedded).order, 7);
}

// Denominators of seven to ten digits. [Calvo, Montijano, Rández, Computers Math. Applic. 20(1), 1990, 15-24]
const char* const calvo_montijano_randez = R"({"order": 6, "embedded_order": 5, "A": [
    [0, 0, 0, 0, 0, 0, 0, 0, 0],
    ["2/15", 0, 0, 0, 0, 0, 0, 0, 0],
    ["1/20", "3/20", 0, 0, 0, 0, 0, 0, 0],
    ["3/40", 0, "9/40", 0, 0, 0, 0, 0, 0],
    ["86727015/196851553", "-60129073/52624712", "957436434/1378352377", "83886832/147842441", 0, 0, 0, 0, 0],
    ["-86860849/45628967", "111022885/25716487", "108046682/101167669", "-141756746/36005461", "73139862/60170633",
     0, 0, 0, 0],
    ["77759591/16096467", "-49252809/6452555", "-381680111/51572984", "879269579/66788831", "-90453121/33722162",
     "111179552/157155827", 0, 0, 0],
    ["237564263/39280295", "-100523239/10677940", "-265574846/27330247", "317978411/18988713",
     "-124494385/35453627", "86822444/100138635", "-12873523/724232625", 0, 0],
    ["17572349/289262523", 0, "57513011/201864250", "15587306/354501571", "71783021/234982865",
     "29672000/180480167", "65567621/127060952", "-79074570/210557597", 0]],
  "b": ["17572349/289262523", 0, "57513011/201864250", "15587306/354501571", "71783021/234982865",
     "29672000/180480167", "65567621/127060952", "-79074570/210557597", 0],
  "b_embedded": ["15231665/510830334", 0, "59452991/116050448", "-28398517/122437738", "56673824/137010559",
     "68003849/426673583", "7097631/37564021", "-71226429/583093742", "1/20"],
  "c": [0, "2/15", "1/5", "3/10", "14/25", "19/25", "35226607/35688279", "1", "1"]})";

TEST(FractionTableau, TakesThePairOfCalvoMontijanoAndRandez) {
  const Tableau t = read(calvo_montijano_randez);
  EXPECT_EQ(t.digits, 14);
  EXPECT_EQ(order_report(t).order, 6);
  Tableau embedded = t;
  embedded.b = t.b_embedded, embedded.b_error = t.b_embedded_error;
  EXPECT_EQ(order_report(embedded).order, 5);
}

// Each wrong by one in the last digit of a numerator.
TEST(FractionTableau, RefusesEachWrongDigitOfShorterFractions) {
  const Json json = Json::parse(prince_dormand_87);
  int mutants = 0;
  const auto refuses = [&](const Json::json_pointer& at) {
    Json mutant = json;
    const std::string text = json[at].is_string() ? json[at].get<std::string>() : "";
    const std::size_t bar = text.find('/');
    if (bar == std::string::npos) return;
    std::string wrong = text;
    wrong[bar - 1] = wrong[bar - 1] == '9' ? '8' : static_cast<char>(wrong[bar - 1] + 1);
    mutant[at] = wrong;
    EXPECT_THROW(tableau_from_json(mutant, ""), InputError) << at.to_string();
    ++mutants;
  };
  for (std::size_t i = 0; i < json["b"].size(); ++i) {
    for (const char* list : {"b", "b_embedded", "c"}) refuses(Json::json_pointer("/" + std::string(list)) / i);
    for (std::size_t j = 0; j < i; ++j) refuses(Json::json_pointer("/A") / i / j);
  }
  EXPECT_EQ(mutants, 86);
}

}  // namespace TEST_FILE
}  // namespace daelab
