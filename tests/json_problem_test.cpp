// Problems in JSON: the same graphs and bits as those in C++, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/documents/json_problem.hpp"
#include "core/documents/problem_document.hpp"
#include "core/export/equations.hpp"
#include "core/expressions/derivative.hpp"
#include "core/expressions/text.hpp"
#include "tests/build_paths.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

std::shared_ptr<Problem> problem_of(const Json& spec) { return Registry<Problem>::instance().make(spec, "/problem"); }
std::string file_spec(const std::string& name) {
  return std::string("@" + source_path("/tests/problems/")) + name + ".json";
}

// ----- twins of problems in C++ -----

struct Twins {
  const char* cpp;
  const char* json;
};

class JsonTwin : public testing::TestWithParam<Twins> {
 protected:
  std::shared_ptr<Problem> cpp = problem_of(GetParam().cpp), json = problem_of(file_spec(GetParam().json));
};

Expressions inputs_of(const Recording& r) {
  Expressions inputs{r.t};
  for (const Expressions* list : {&r.q, &r.v, &r.s}) inputs.insert(inputs.end(), list->begin(), list->end());
  return inputs;
}

Expressions everything(const Recording& r) {
  Expressions all;
  for (const auto& entry : r.mass.entries()) all.push_back(entry.value);
  for (const Expressions* list : {&r.force, &r.constraints, &r.nonholonomic_constraints, &r.rates, &r.observables,
                                  &r.start_q, &r.start_v, &r.start_s})
    all.insert(all.end(), list->begin(), list->end());
  all.push_back(r.start_t);
  all.push_back(r.kinetic_energy.value_or(Expression()));
  all.push_back(r.potential_energy.value_or(Expression()));
  return all;
}

TEST_P(JsonTwin, HasTheSameGraph) {
  Graph graph;
  const RecordingScope scope(graph);
  Recording a(graph, 0), b(graph, 0);
  cpp->recorder()(a), json->recorder()(b);
  const Expressions of_cpp = everything(a);
  const Expressions of_json = substitute(everything(b), inputs_of(b), inputs_of(a));
  ASSERT_EQ(of_cpp.size(), of_json.size());
  for (std::size_t i = 0; i < of_cpp.size(); ++i)
    EXPECT_TRUE(same(of_cpp[i], of_json[i])) << i << ": " << text_of(graph, of_cpp[i]) << "\nbut in JSON\n"
                                             << text_of(graph, of_json[i]);
  EXPECT_EQ(a.observable_names, b.observable_names);
  EXPECT_EQ(a.coordinate_names, b.coordinate_names);
  EXPECT_EQ(cpp->end_time().value(), json->end_time().value());
  EXPECT_EQ(cpp->conserves_energy(), json->conserves_energy());
}

template <class T>
void expect_same_bits(const Problem& one, const Problem& other) {
  const auto a = one.mechanical_model(As<T>{}), b = other.mechanical_model(As<T>{});
  const Index n = a->coordinates(), m = a->constraints();
  ASSERT_EQ(b->coordinates(), n);
  ASSERT_EQ(b->constraints(), m);
  Vector<T> q = a->initial_q(), v = a->initial_v(), accelerations(n), lambda(m);
  EXPECT_EQ(q, b->initial_q());
  EXPECT_EQ(v, b->initial_v());
  for (Index i = 0; i < n; ++i) q[i] += T(1) / T(10 + i), v[i] += T(3) / T(7 + i), accelerations[i] = T(1) / T(3 + i);
  for (Index i = 0; i < m; ++i) lambda[i] = T(2) / T(9 + i);
  MechanicalBlocks<T> x, y;
  for (auto* blocks : {&x, &y}) {
    for (Matrix<T>* block : {&blocks->M, &blocks->K, &blocks->D}) block->setZero(n, n);
    for (Matrix<T>* block : {&blocks->J, &blocks->R_q, &blocks->R_v, &blocks->R_a}) block->setZero(m, n);
  }
  a->blocks(Level::acceleration, T(0), q, v, accelerations, lambda, x);
  b->blocks(Level::acceleration, T(0), q, v, accelerations, lambda, y);
  EXPECT_EQ(x.M, y.M);
  EXPECT_EQ(x.K, y.K);
  EXPECT_EQ(x.D, y.D);
  EXPECT_EQ(x.J, y.J);
  EXPECT_EQ(x.R_q, y.R_q);
  EXPECT_EQ(x.R_v, y.R_v);
  EXPECT_EQ(x.R_a, y.R_a);
  Vector<T> balance(n), row(m), other_balance(n), other_row(m);
  a->residual(Level::acceleration, T(0), q, v, accelerations, lambda, balance, row);
  b->residual(Level::acceleration, T(0), q, v, accelerations, lambda, other_balance, other_row);
  EXPECT_EQ(balance, other_balance);
  EXPECT_EQ(row, other_row);
}

TEST_P(JsonTwin, HasTheSameBits) {
#define DAELAB_COMPARE(T) expect_same_bits<T>(*cpp, *json);
  DAELAB_FOR_SCALARS(DAELAB_COMPARE)
#undef DAELAB_COMPARE
}

INSTANTIATE_TEST_SUITE_P(Problems, JsonTwin,
                         testing::Values(Twins{"pendulum", "pendulum"},
                                         Twins{"two-link-manipulator", "two_link_manipulator"},
                                         Twins{"seven-body", "seven_body"}),
                         [](const auto& info) { return std::string(info.param.json); });

// ----- what documents mean -----

class JsonProblems : public testing::Test {
 protected:
  Json pendulum = Json::parse(R"json({
    "name": "my-pendulum", "parameters": {"L": "1", "g": 9.81, "m": "1"},
    "definitions": {"V": "m*g*h", "h": "y"},
    "coordinates": ["x", "y"], "kinetic_energy": "m/2*(x'^2 + y'^2)", "potential_energy": "V",
    "constraints": ["x^2 + y^2 = L^2"], "start": {"x": "-L"}, "end_time": "10"})json");

  static Json changed(Json json, const std::string& pointer, const Json& value) {
    json[Json::json_pointer(pointer)] = value;
    return json;
  }
  Json with(const std::string& pointer, const Json& value) const { return changed(pendulum, pointer, value); }
  static std::string refusal(const Json& document) {
    try {
      problem_of(document);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  }
  static void refused(const Json& document, const std::vector<std::string>& parts) {
    const std::string message = refusal(document);
    for (const std::string& part : parts) EXPECT_THAT(message, HasSubstr(part));
    EXPECT_LT(message.size(), 1000u);
  }
};

TEST_F(JsonProblems, DefinitionsStandInAnyOrder) {
  const auto model = problem_of(pendulum)->mechanical_model(As<double>{});
  EXPECT_EQ(model->energy(0.0, Vector<double>{{0.0, 2.0}}, Vector<double>{{3.0, 4.0}}).potential, 9.81 * 2.0);
  EXPECT_EQ(model->initial_q(), (Vector<double>{{-1.0, 0.0}}));
  EXPECT_TRUE(problem_of(pendulum)->conserves_energy());
}

TEST_F(JsonProblems, ParametersAreOptions) {
  const Json longer =
      with_parameters(pendulum, Json::parse(R"json({"name": "my-pendulum", "L": "sqrt(2)", "end_time": 3})json"), "");
  const auto problem = problem_of(longer);
  EXPECT_EQ(problem->mechanical_model(As<double>{})->initial_q()[0], -std::sqrt(2.0));
  EXPECT_EQ(problem->end_time().value(), 3);
  EXPECT_EQ(problem->spec(), longer);
  EXPECT_EQ(spec_text(problem_of(pendulum)->spec()), "my-pendulum:L=1,g=9.81,m=1");
  EXPECT_THAT([&] { with_parameters(pendulum, Json::parse(R"json({"l": 2, "LL": 1})json"), "/problem"); },
              testing::ThrowsMessage<InputError>(HasSubstr(
                  "/problem/l: unknown option 'l'; did you mean 'L'? (known: L, g, m, start_time, end_time)")));
}

TEST_F(JsonProblems, StartValuesStandOnEachOther) {
  const Json document =
      with("/start", Json::parse(R"json({"y": "-sqrt(L^2 - x^2)", "x": "h0*2", "x'": "-y", "y'": "x"})json"));
  refused(document, {"/start/x", "unknown name 'h0'"});
  const auto model = problem_of(changed(document, "/start/x", "L*0.6"))->mechanical_model(As<double>{});
  EXPECT_EQ(model->initial_q(), (Vector<double>{{0.6, -0.8}}));
  EXPECT_EQ(model->initial_v(), (Vector<double>{{0.8, 0.6}}));
}

TEST_F(JsonProblems, EquationsWithoutCoordinates) {
  const auto problem = problem_of(Json::parse(R"json({
    "name": "robertson-in-json", "parameters": {"k": "10^4"},
    "states": {"a": "-b*c/25 - a/25", "b": "a/25 - k*b*c"}, "algebraic": {"c": "a + b + c = 1"},
    "start": {"a": 1}, "end_time": "40*k/k"})json"));
  const auto model = problem->ordinary_model(As<double>{});
  EXPECT_EQ(model->states(), 3);
  EXPECT_EQ(model->algebraic_states(), 1);
  EXPECT_EQ(problem->end_time().value(), 40);
  Vector<double> r(3);
  model->rates(0.0, Vector<double>{{0.5, 0.25, 0.25}}, r);
  EXPECT_EQ(r[2], 0.0);
}

TEST_F(JsonProblems, EventsChangeVelocities) {
  Json document =
      with("/events", Json::parse(R"json({"wall": {"function": "x + 1/2", "direction": -1, "consequence": "impact",
                                                           "then": {"x'": "-x'/2", "y'": "-y'/2"}},
                                                  "lowest": {"function": "x'"},
                                                  "end": {"function": "y", "consequence": "stop"}})json"));
  const auto problem = problem_of(document);
  const auto model = problem->mechanical_model(As<double>{});
  const std::vector<Event> events = model->events();
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[0].crossing, Crossing::falling);
  EXPECT_EQ(events[0].consequence, Consequence::impact);
  EXPECT_EQ(events[1].crossing, Crossing::either);
  EXPECT_EQ(events[1].consequence, Consequence::observe);
  EXPECT_EQ(events[2].consequence, Consequence::stop);
  Vector<double> y{{-0.5, -0.5, -2.0, 1.0}};
  model->carry_out(0, 0.0, y);
  EXPECT_EQ(y, (Vector<double>{{-0.5, -0.5, 1.0, -0.5}}));
  EXPECT_FALSE(problem->conserves_energy());
}

// E = T + V of a damped oscillator changes by the power of its damper, and that of a motor by what it does.
TEST_F(JsonProblems, ForcesBesideEnergiesMayDoWork) {
  EXPECT_FALSE(problem_of(with("/forces", Json::parse(R"json({"x": "-x'/10"})json")))->conserves_energy());
  EXPECT_EQ(refusal(with("/constraints/0", "x*cos(t) = y*sin(t)")), "accepted");
}

// A spring whose end is moved by a controller: its energy is that of both.
TEST_F(JsonProblems, StatesMayChangeTheEnergy) {
  Json document = with("/states", Json::parse(R"json({"s": "x - s"})json"));
  document["potential_energy"] = "m*g*y + (x - s)^2/2";
  EXPECT_EQ(refusal(document), "accepted");
  EXPECT_FALSE(problem_of(document)->conserves_energy());
}

TEST_F(JsonProblems, RefusesEnergiesThatContradict) {
  Json given = with("/mass", Json::parse(R"json(["m", "m"])json"));
  given["forces"] = Json::parse(R"json({"y": "-m*g"})json");
  EXPECT_EQ(refusal(given), "accepted");
  refused(changed(given, "/mass", Json::parse(R"json([["m", 0], [0, "2*m"]])json")),
          {"/kinetic_energy", "row 2, column 2 is 2, the second derivative of the kinetic energy 1 at x = "});
  refused(changed(given, "/forces/y", "m*g"), {"/kinetic_energy", "the energy changes by", "\"energy\": \"changes\""});
  Json damped = changed(given, "/forces/x", "-x'");
  refused(damped, {"the energy changes by"});
  damped["energy"] = "changes";
  EXPECT_EQ(refusal(damped), "accepted");
  refused(with("/kinetic_energy", "m/2*(x'^2 + y'^2) + m*x'*y"),
          {"is it quadratic in the velocities?", "\"energy\": \"changes\""});
}

TEST_F(JsonProblems, RefusesWrongKeysAndCounts) {
  refused(with("/constraint", Json::array()), {"/problem/constraint", "unknown key", "did you mean 'constraints'?"});
  refused(with("/multipliers", 1), {"/problem/multipliers", "unknown key"});
  refused(with("/start/z", 1), {"/problem/start/z", "unknown name 'z'", "known: x, y, x', y'"});
  refused(with("/start", "project"), {"--start project"});
  refused(with("/mass", Json::parse(R"json([["m", 0]])json")),
          {"/problem/mass", "1 row given, 2 needed, one for each coordinate (x, y)"});
  refused(with("/mass", Json::parse(R"json([["m", 0], ["m"]])json")), {"/problem/mass/1", "1 entry given, 2 needed"});
  refused(with("/forces", Json::parse(R"json(["m"])json")), {"/problem/forces", "1 given, 2 needed"});
  refused(with("/forces", Json::parse(R"json({"xx": 1})json")), {"/problem/forces/xx", "did you mean 'x'?"});
  refused(with("/end_time", 0), {"/problem/end_time", "0 is not allowed; allowed: above 0"});
  refused(with("/constraints/0", true), {"/problem/constraints/0", "expected an expression as text", "found boolean"});
  refused(with("/energy", "none"), {"/problem/energy", "allowed: automatic, changes"});
  refused(with("/algebraic", Json::parse(R"json({"z": "x"})json")), {"/problem/algebraic"});
  refused(with("/name", "My Problem"), {"/problem/name", "lower-case"});
  refused(Json::parse(R"json({"name": "a", "coordinates": [], "end_time": 1})json"), {"there are no unknowns"});
  refused(Json::parse(R"json({"name": "a", "coordinates": ["x"], "end_time": 1})json"),
          {"\"kinetic_energy\" or \"mass\" is missing"});
  refused(Json::parse(R"json({"name": "a", "states": {"x": "-x"}, "mass": [], "end_time": 1})json"),
          {"/problem/mass", "requires coordinates"});
  refused(Json::parse(R"json({"name": "a", "states": {"x": "-x"}, "algebraic": {"z": "z = x"}, "start": {"x": 1},
                              "events": {"half": {"function": "z - 1/2", "then": {"z": "1"}}}, "end_time": 1})json"),
          {"/problem/events/half/then/z"});
  Json timeless = pendulum;
  timeless.erase("end_time");
  refused(timeless, {"/problem/end_time", "is missing"});
}

TEST_F(JsonProblems, RefusesNames) {
  refused(with("/definitions/x", "1"), {"the name 'x' is used twice", "/problem/coordinates/0"});
  refused(with("/coordinates/1", "x"), {"the name 'x' is used twice"});
  refused(with("/parameters/sin", 1), {"/problem/parameters/sin", "it is the name of a function"});
  refused(with("/parameters/t", 1), {"/problem/parameters/t", "it is the time"});
  refused(with("/coordinates/0", "1x"), {"/problem/coordinates/0", "letters, digits"});
  refused(with("/parameters/end_time", 1), {"/problem/parameters/end_time"});
  refused(with("/parameters/constraints", 1), {"/problem/parameters/constraints", "is a key of the document"});
}

TEST_F(JsonProblems, RefusesExpressions) {
  refused(with("/potential_energy", "m*gg*y"),
          {"/problem/potential_energy", "unknown name 'gg'", "position 3", "did you mean 'g'?"});
  refused(with("/potential_energy", "m*g*sine(y)"), {"unknown function 'sine'", "did you mean 'sin'?", "position 5"});
  refused(with("/potential_energy", std::string(1000000, '(') + "y"),
          {"/problem/potential_energy", "nested more than 200 levels"});
  refused(with("/definitions", Json::parse(R"json({"V": "m*g*h", "h": "k + y", "k": "2*h"})json")),
          {"/problem/definitions/h", "definitions in a cycle: h -> k -> h"});
  refused(with("/definitions/h", "h + y"), {"definitions in a cycle: h -> h"});
  refused(with("/start", Json::parse(R"json({"x": "y", "y": "x"})json")), {"definitions in a cycle: "});
  refused(with("/potential_energy", "m*g*y'"),
          {"the potential energy must not depend on a velocity: it depends on y'"});
  refused(with("/constraints/0", "x'"), {"/problem/constraints/0", "a constraint must not depend on a velocity"});
  refused(with("/constraints/0", "L - 1"), {"depends on no coordinate"});
  refused(with("/nonholonomic_constraints", Json::parse(R"json(["x - y"])json")), {"it belongs to \"constraints\""});
  refused(with("/kinetic_energy", "x"), {"depends on no velocity"});
  refused(with("/outline", Json::parse(R"json([{"circle": ["x", "y"]}])json")),
          {"/problem/outline/0/circle", "3 needed: x, y, radius"});
  refused(with("/outline", Json::parse(R"json([{"line": [["x", "y"], ["x", "u"]]}])json")),
          {"/problem/outline/0/line/1/1", "unknown name 'u'"});
  refused(with("/events", Json::parse(R"json({"a": {"function": "x", "direction": 2}})json")),
          {"/problem/events/a/direction", "2 is not allowed"});
  refused(with("/events", Json::parse(R"json({"a": {"function": "x", "then": {"z": 1}}})json")),
          {"/problem/events/a/then/z"});
  // It leaves x at zero: turned back or passing? A change of x itself, and an event in time, leave no question.
  refused(with("/events", Json::parse(R"json({"a": {"function": "x", "direction": -1, "then": {"x'": "-x'/2"}}})json")),
          {"/problem/events/a/consequence", "\"impact\" for a contact", "\"jump\" for a change in passing"});
  EXPECT_EQ(refusal(with("/events", Json::parse(R"json({"a": {"function": "x'", "then": {"x'": "0"}},
                                                        "b": {"function": "t - 1", "then": {"x'": "0"}}})json"))),
            "accepted");
  refused(with("/events", Json::parse(R"json({"a": {"function": "x", "consequence": "halt"}})json")),
          {"/problem/events/a/consequence"});
}

// A long chain of definitions, written from its end: no recursion may depend on the length of it.
TEST_F(JsonProblems, LongChainsOfDefinitions) {
  constexpr int length = 20000;
  Json definitions = Json::object();
  for (int i = length; i > 0; --i) definitions["d" + std::to_string(i)] = "d" + std::to_string(i - 1) + " + y/3";
  definitions["d0"] = "y";
  Json document = with("/definitions", definitions);
  document["potential_energy"] = "m*g*d" + std::to_string(length);
  EXPECT_EQ(refusal(document), "accepted");
}

TEST_F(JsonProblems, EquationsArePrinted) {
  const std::string page = page_of(equations_of(*problem_of(pendulum), Notation::text), Notation::text);
  EXPECT_EQ(page,
            "Energies\n  T = (x'^2 + y'^2)/2\n  V = 9.81*y\n\nConstraints, 0 = C\n  C1 = x^2 + y^2 - 1\n\nStart\n"
            "  x = -1\n  y = 0\n  x' = 0\n  y' = 0\n");
  EXPECT_THAT(page_of(equations_of(*problem_of(pendulum), Notation::latex), Notation::latex),
              HasSubstr("% Energies\n\\begin{align*}\n  T &= \\frac{\\dot{x}^{2} + \\dot{y}^{2}}{2} \\\\\n  V &= 9.81 "
                        "y\n\\end{align*}\n"));
}

// For all problems: something, of a length one can read or at least store.
TEST(Equations, OfAllProblems) {
  for (const std::string& name : Registry<Problem>::instance().names())
    for (const Notation notation : {Notation::text, Notation::latex}) {
      const std::string page = page_of(equations_of(*problem_of(name), notation), notation);
      EXPECT_THAT(page, HasSubstr("Start")) << name;
      EXPECT_LT(page.size(), 300000u) << name;
    }
}

}  // namespace TEST_FILE
}  // namespace daelab
