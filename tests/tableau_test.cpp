// Tableaus: predicates, reading, and what a malformed file is told.
// Bounds of 1e-98 are round-off in 100 digits.
#include "core/integration/tableau.hpp"

#include <gmock/gmock.h>

#include <filesystem>

#include "analysis/order_conditions.hpp"
#include "core/base/exact.hpp"
#include "core/base/json_file.hpp"
#include "core/base/paths.hpp"
#include "methods/runge_kutta/runge_kutta.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;
using testing::ThrowsMessage;

Tableau read(const char* text) { return tableau_from_json(Json::parse(text), "/method"); }

TEST(TableauPredicates, TellTheKindsApart) {
  const Tableau rk4 = read(R"({"A": [[0,0,0,0], ["1/2",0,0,0], [0,0.5,0,0], [0,0,1,0]],
                               "b": ["1/6", "1/3", "1/3", "1/6"]})");
  EXPECT_TRUE(rk4.is_explicit());
  EXPECT_TRUE(rk4.explicit_first_stage());
  EXPECT_FALSE(rk4.stiffly_accurate());

  const Tableau trapezoidal = read(R"({"A": [[0,0], ["1/2","1/2"]], "b": ["1/2","1/2"]})");
  EXPECT_FALSE(trapezoidal.is_explicit());
  EXPECT_TRUE(trapezoidal.explicit_first_stage());
  EXPECT_TRUE(trapezoidal.stiffly_accurate());

  const Tableau radau = read(R"({"A": [["5/12","-1/12"], ["3/4","1/4"]], "b": ["3/4","1/4"]})");
  EXPECT_FALSE(radau.is_explicit());
  EXPECT_FALSE(radau.explicit_first_stage());
  EXPECT_TRUE(radau.stiffly_accurate());
}

TEST(TableauPredicates, IgnoreRoundOffOnly) {
  Tableau t = read(R"({"A": [[0,0], [1,0]], "b": ["1/2","1/2"]})");
  t.A(0, 0) = Real100("1e-90");
  EXPECT_TRUE(t.is_explicit());
  t.A(0, 0) = Real100("1e-60");
  EXPECT_FALSE(t.is_explicit());
}

TEST(TableauFromJson, ReadsEveryKey) {
  const Tableau t = read(R"({"name": "sdirk-2", "A": [["1 - sqrt(2)/2", 0],
      ["sqrt(2)/2", "1 - sqrt(2)/2"]], "b": ["sqrt(2)/2", "1 - sqrt(2)/2"],
      "c": ["1 - sqrt(2)/2", 1], "order": 2, "source": "Alexander 1977"})");
  EXPECT_EQ(t.name, "sdirk-2");
  EXPECT_EQ(t.claimed_order, 2);
  EXPECT_EQ(t.source, "Alexander 1977");
  EXPECT_EQ(t.stages(), 2);
  EXPECT_LT(abs(t.A(0, 0) - (1 - sqrt(Real100(2)) / 2)), Real100("1e-98"));
}

TEST(TableauFromJson, TakesRowSumsForMissingNodes) {
  const Tableau t = read(R"({"A": [[0,0], ["1/3","1/3"]], "b": ["1/4","3/4"]})");
  EXPECT_EQ(t.claimed_order, 0);
  EXPECT_EQ(t.c[0], 0);
  EXPECT_LT(abs(t.c[1] - Real100(2) / 3), Real100("1e-98"));
}

TEST(TableauFromJson, ReadsEmbeddedWeights) {
  const Tableau t = read(R"({"A": [[0,0], [1,0]], "b": ["1/2","1/2"], "b_embedded": [1,0],
                             "embedded_order": 1})");
  EXPECT_EQ(t.embedded_order, 1);
  EXPECT_EQ(t.b_embedded, (Vector<Real100>{{Real100(1), Real100(0)}}));
  EXPECT_EQ(read(R"({"A": [[0]], "b": [1]})").b_embedded.size(), 0);
}

// The files of the project claim the orders they have, neither more (checked on load) nor less.
TEST(TableauFiles, ClaimTheirExactOrders) {
  int tableaus = 0, embedded = 0;
  for (const auto& file : std::filesystem::recursive_directory_iterator(project_path("methods"))) {
    if (file.path().extension() != ".json" || !is_tableau(read_json_file(file.path().string()))) continue;
    ++tableaus;
    SCOPED_TRACE(file.path().stem().string());
    Tableau t = tableau_by_name(file.path().stem().string(), "");
    EXPECT_EQ(t.name, file.path().stem().string());
    EXPECT_FALSE(t.source.empty());
    EXPECT_EQ(order_report(t).order, t.claimed_order);
    if (t.b_embedded.size() == 0) continue;
    t.b = t.b_embedded;
    EXPECT_EQ(order_report(t).order, t.embedded_order);
    ++embedded;
  }
  EXPECT_GT(tableaus, 20);  // there were 27
  EXPECT_GT(embedded, 10);  // 14 of them
}

// b - b_embedded as published for the error estimate; the embedded weights are shown with the method.
TEST(TableauFiles, DormandPrinceHasThePublishedErrorWeights) {
  const Tableau t = tableau_by_name("dormand-prince", "");
  const char* error[] = {"71/57600", "0", "-71/16695", "71/1920", "-17253/339200", "22/525", "-1/40"};
  for (Index i = 0; i < 7; ++i) EXPECT_EQ(exact_text(t.b[i] - t.b_embedded[i]), error[i]);
  EXPECT_TRUE(t.stiffly_accurate());
  const auto shown = RungeKuttaMethod(t).coefficients();
  ASSERT_EQ(shown.size(), 1u);
  EXPECT_EQ(shown[0].symbol, "b_embedded");
  EXPECT_EQ(exact_text(shown[0].values(0, 0)), "5179/57600");
}

TEST(TableauByName, NamesTheKnownOnes) {
  EXPECT_THAT([] { tableau_by_name("huen", "/method/tableau"); },
              ThrowsMessage<InputError>(
                  AllOf(StartsWith("/method/tableau: no tableau 'huen'"), HasSubstr("did you mean 'heun'?"))));
}

struct MalformedCase {
  const char* name;
  const char* text;
  const char* pointer;
  const char* what;
};

class MalformedTableau : public testing::TestWithParam<MalformedCase> {};

TEST_P(MalformedTableau, IsRefusedWithPointerAndReason) {
  const MalformedCase& expected = GetParam();
  EXPECT_THAT(
      [&] { read(expected.text); },
      ThrowsMessage<InputError>(AllOf(StartsWith(std::string(expected.pointer) + ": "), HasSubstr(expected.what))));
}

INSTANTIATE_TEST_SUITE_P(
    All, MalformedTableau,
    testing::Values(
        MalformedCase{"NoObject", R"([1, 2])", "/method", "found array"},
        MalformedCase{"NoA", R"({"b": [1]})", "/method/A", "missing"},
        MalformedCase{"NoB", R"({"A": [[1]]})", "/method/b", "missing"},
        MalformedCase{"EmptyA", R"({"A": [], "b": []})", "/method/A", "at least one"},
        MalformedCase{"RowIsNumber", R"({"A": [1], "b": [1]})", "/method/A/0", "found number"},
        MalformedCase{"NonSquare", R"({"A": [[0,0], [1]], "b": ["1/2","1/2"]})", "/method/A/1",
                      "has 1 entries, must have 2"},
        MalformedCase{"NoNumber", R"({"A": [[0,0], ["one",0]], "b": ["1/2","1/2"]})", "/method/A/1/0",
                      "unknown name 'one'"},
        MalformedCase{"WrongType", R"({"A": [[0,0], [1,true]], "b": ["1/2","1/2"]})", "/method/A/1/1", "found boolean"},
        MalformedCase{"SummaryIsNumber", R"({"A": [[1]], "b": [1], "summary": 3})", "/method/summary", "must be text"},
        MalformedCase{"BeyondDouble", R"({"A": [["1e400"]], "b": [1]})", "/method/A/0/0", "beyond the range of double"},
        MalformedCase{"BelowDouble", R"({"A": [["1e-400"]], "b": [1]})", "/method/A/0/0", "below the range of double"},
        MalformedCase{"LongB", R"({"A": [[1]], "b": [1, 0]})", "/method/b", "must have 1"},
        MalformedCase{"NoNumberInB", R"({"A": [[1]], "b": ["1/0"]})", "/method/b/0", "division by zero"},
        MalformedCase{"WrongRowSum", R"({"A": [[0,0], ["1/3",0]], "b": ["1/2","1/2"], "c": [0,"1/2"]})", "/method/c/1",
                      "is 1/2, but row 1 of A sums to 1/3 (residual -0.167)"},
        MalformedCase{"ShortDecimals", R"({"A": [[0,0], ["1/3",0]], "b": ["1/2","1/2"], "c": [0,0.3333333]})",
                      "/method/c/1", "write fractions, roots"},
        MalformedCase{"WeightsDoNotSumToOne", R"({"A": [[0,0], [1,0]], "b": ["1/2","1/3"]})", "/method/b",
                      "sums to 5/6, must be 1 (residual -0.167)"},
        MalformedCase{"OrderIsText", R"({"A": [[1]], "b": [1], "order": "two"})", "/method/order", "whole number"},
        MalformedCase{"OrderIsFalse", R"({"A": [[0,0], ["1/2",0]], "b": [0,1], "order": 3})", "/method/order",
                      "claims order 3, but the order is 2: all rooted trees with up to 3 nodes; order 3 fails with "
                      "residual 0.167: b^T(A(c)) = 0, must be 1/6"},
        MalformedCase{"OrderIsZero", R"({"A": [[1]], "b": [1], "order": 0})", "/method/order", "whole number"},
        MalformedCase{"NameIsNumber", R"({"name": 3, "A": [[1]], "b": [1]})", "/method/name", "must be text"},
        MalformedCase{"UnknownKey", R"({"A": [[1]], "b": [1], "ordre": 1})", "/method/ordre", "did you mean 'order'?"},
        MalformedCase{"EmbeddedWeightsTooMany", R"({"A": [[1]], "b": [1], "b_embedded": [1, 0]})", "/method/b_embedded",
                      "must have 1"},
        MalformedCase{"EmbeddedWeightsDoNotSumToOne",
                      R"({"A": [[0,0], [1,0]], "b": ["1/2","1/2"], "b_embedded": [1,1]})", "/method/b_embedded",
                      "sums to 2, must be 1"},
        MalformedCase{"EmbeddedOrderAlone", R"({"A": [[1]], "b": [1], "embedded_order": 1})", "/method/b_embedded",
                      "missing"},
        MalformedCase{"EmbeddedOrderIsText", R"({"A": [[1]], "b": [1], "b_embedded": [1], "embedded_order": "1"})",
                      "/method/embedded_order", "whole number"},
        MalformedCase{"EmbeddedOrderIsFalse",
                      R"({"A": [[0,0], [1,0]], "b": ["1/2","1/2"], "order": 2, "b_embedded": [1,0],
                          "embedded_order": 2})",
                      "/method/embedded_order", "claims order 2, but the order is 1"}),
    [](const auto& info) { return info.param.name; });

}  // namespace TEST_FILE
}  // namespace daelab
