// Vectors, loops and sums in texts of problem files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/input_error.hpp"
#include "core/documents/indexed_text.hpp"
#include "core/documents/json_problem.hpp"
#include "core/documents/problem_document.hpp"
#include "core/mechanism/problem.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::ElementsAre;
using testing::HasSubstr;

class Indices : public testing::Test {
 protected:
  Indices() {
    texts.add_parameter("N", 3);
    texts.add_parameter("g", "9.81");
    texts.add_vector("x", {3});
    texts.add_vector("A", {2, 3});
  }
  std::vector<std::string> copies(const std::string& text) const {
    std::vector<std::string> list;
    const IndexedTexts::Loops loops = texts.loops(text);
    for (const auto& bindings : loops.bindings) list.push_back(texts.expanded(loops.text, bindings));
    return list;
  }
  std::string refusal(const std::string& text) const {
    try {
      copies(text);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  }
  IndexedTexts texts;
};

TEST_F(Indices, EntriesBecomeNames) {
  EXPECT_EQ(texts.expanded("x[2]*g + x[N]' - A[1, N-1]"), "x2*g + x3' - A1_2");
  EXPECT_THAT(texts.entries("A"), ElementsAre("A1_1", "A1_2", "A1_3", "A2_1", "A2_2", "A2_3"));
}

TEST_F(Indices, TextsWithoutThemStayAsTheyAre) {
  const std::string text = "m/2*(x'^2 + sin(theta))  - 1.5e-3*max(a, b)";
  EXPECT_EQ(texts.expanded(text), text);
  EXPECT_THAT(copies(text), ElementsAre(text));
}

TEST_F(Indices, LoopsMakeCopies) {
  EXPECT_THAT(copies("x[i]^i for i in 1..N"), ElementsAre("x1^1", "x2^2", "x3^3"));
  EXPECT_THAT(copies("A[i,j] for i in 1..2 for j in i..N if not (i == j)"), ElementsAre("A1_2", "A1_3", "A2_3"));
  EXPECT_THAT(copies("x[i] for i in 2..1"), ElementsAre());
  EXPECT_THAT(copies("i*g for i in -1..0"), ElementsAre("(-1)*g", "0*g"));
}

TEST_F(Indices, SumsAreExpanded) {
  EXPECT_EQ(texts.expanded("1/sum(i in 1..N, x[i]^2)"), "1/((x1^2) + (x2^2) + (x3^2))");
  EXPECT_EQ(texts.expanded("product(i in 1..2, x[i+1])"), "((x2) * (x3))");
  EXPECT_EQ(texts.expanded("sum(i in 1..2, sum(j in i..2, A[i,j]))"), "((((A1_1) + (A1_2))) + (((A2_2))))");
  EXPECT_EQ(texts.expanded("sum(i in 1..0, x[i])"), "0");
  EXPECT_EQ(texts.expanded("sum(j in 1..N if not (j == 2), x[j])"), "((x1) + (x3))");
}

TEST_F(Indices, WhatCannotBeReadIsRefused) {
  EXPECT_THAT(refusal("x[4]"), HasSubstr("entry 4 does not exist, entries are 1 to 3"));
  EXPECT_THAT(refusal("xx[1]"), HasSubstr("'xx' has no entries: it does not stand in \"vectors\"; did you mean 'x'?"));
  EXPECT_THAT(refusal("A[1]"), HasSubstr("1 of 2 indices given"));
  EXPECT_THAT(refusal("x[g]"), HasSubstr("unknown name 'g'"));
  EXPECT_THAT(refusal("x[1/2]"), HasSubstr("must be a whole number"));
  EXPECT_THAT(refusal("x[1"), HasSubstr("missing ']'"));
  EXPECT_THAT(refusal("x[i] for i = 1..3"), HasSubstr("is no range; write i in 1..N"));
  EXPECT_THAT(refusal("sum(x[1])"), HasSubstr("write sum(i in 1..N, x[i])"));
  EXPECT_THAT(refusal("x[i] for i in 1..100000000"), HasSubstr("--limit terms=N"));
  EXPECT_THAT(refusal("sum(i in 1..2, sum(i in 1..2, x[i]))"), HasSubstr("the index 'i' is in use outside"));
}

// ----- in problems -----

std::shared_ptr<Problem> problem_of(const Json& spec) { return Registry<Problem>::instance().make(spec, "/problem"); }

Json chain() {
  return Json::parse(R"json({
    "name": "springs", "parameters": {"N": "3", "k": ["2", "5", "7"]}, "vectors": {"x": "N"},
    "coordinates": ["x"], "mass": ["i for i in 1..N"],
    "forces": {"x[i] for i in 1..N": "-k[i]*x[i] + sum(j in 1..N if j < i, x[j])"},
    "start": {"x[i] for i in 1..N": "i/10"}, "end_time": "1"})json");
}

TEST(IndexedProblem, EqualsTheExpandedOne) {
  const Json expanded = Json::parse(R"json({
    "name": "springs", "coordinates": ["x1", "x2", "x3"], "mass": ["1", "2", "3"],
    "forces": {"x1": "-2*x1", "x2": "-5*x2 + x1", "x3": "-7*x3 + (x1 + x2)"},
    "start": {"x1": "1/10", "x2": "2/10", "x3": "3/10"}, "end_time": "1"})json");
  const auto one = problem_of(chain())->mechanical_model(As<double>{}),
             other = problem_of(expanded)->mechanical_model(As<double>{});
  const Vector<double> q = one->initial_q();
  ASSERT_EQ(q, other->initial_q());
  Vector<double> Q(3), other_Q(3);
  one->force(0, q, q, Q), other->force(0, q, q, other_Q);
  EXPECT_EQ(Q, other_Q);
  Matrix<double> M(3, 3), other_M(3, 3);
  one->mass(0, q, M), other->mass(0, q, other_M);
  EXPECT_EQ(M, other_M);
}

TEST(IndexedProblem, EntriesOfParametersAreOptions) {
  const Json spec = with_parameters(chain(), {{"k2", "50"}}, "/problem");
  EXPECT_EQ(spec["parameters"]["k"][1], "50");
  EXPECT_THROW(with_parameters(chain(), {{"k4", "50"}}, "/problem"), InputError);
}

TEST(IndexedProblem, ErrorsNameThePlaceInTheFile) {
  Json json = chain();
  json["forces"] = {{"x[i] for i in 1..N", "x[i+1]"}};
  try {
    problem_of(json);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("/forces/x[i] for i in 1..N: x[3+1]: entry 4 does not exist"));
  }
}

}  // namespace TEST_FILE
}  // namespace daelab
