// Methods that a program registers while it runs.
#include "core/integration/foreign_method.hpp"

#include <gmock/gmock.h>

#include "lab/lab.hpp"
#include "lab/runs/run_sources.hpp"
#include "results/provenance.hpp"
#include "tests/test_folder.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;
using testing::ThrowsMessage;

// y_(n+1) = y_n + h ((1 - b) f(y_n) + b f(y_n + h f(y_n))): Heun for b = 1/2, of order 1 for other b.
class TwoStages final : public Stepper<double> {
 public:
  TwoStages(System<double>& system, double b) : system_(system), b_(b) {}
  Status step(const State<double>& from, const double& h, State<double>& to) override {
    to = from;
    to.t = from.t + h, to.y = from.y + h * from.ydot;
    if (const Status status = system_.consistent_derivatives(to.t, to.y, to.ydot); !status.ok()) return status;
    const Index count = system_.differential();
    to.y.head(count) = from.y.head(count) + h * ((1 - b_) * from.ydot + b_ * to.ydot).head(count);
    ++statistics_.steps;
    return system_.consistent_derivatives(to.t, to.y, to.ydot);
  }

 private:
  System<double>& system_;
  double b_;
};

ForeignMethod two_stages(const std::string& name, const std::string& version, double b) {
  return {.name = name,
          .summary = "two stages",
          .source = "this test",
          .version = version,
          .options = {{"weight", b}, {"rounds", 1}, {"aloud", false}, {"word", "none"}},
          .orders = PredictedOrders::everywhere(2, "stated here"),
          .stepper = [](System<double>& system, const Json& options) {
            return std::make_unique<TwoStages>(system, options.at("weight").get<double>());
          }};
}

RunSpec pendulum(const ComponentSpec& method) {
  RunSpec spec;
  spec.problem = "pendulum", spec.formulation = "index-1", spec.method = method, spec.h = "1/50", spec.t_end = "1";
  return spec;
}

Vector<Real50> end_of(const ComponentSpec& method) { return bind(pendulum(method))->integrate().record.state.q; }

TEST(ForeignMethod, IsAMethodBesideTheOthers) {
  register_method(two_stages("own-heun", "1", 0.5));
  EXPECT_THAT(Registry<Method>::instance().names(), testing::Contains("own-heun"));
  const Vector<Real50> own = end_of("own-heun"), heun = end_of("heun");
  // 50 steps of both add the same numbers in another order, the registry's with compensation.
  EXPECT_LT(static_cast<double>(Real50((own - heun).cwiseAbs().maxCoeff())), 1e-14);
}

TEST(ForeignMethod, OptionsAreThoseOfASpecification) {
  register_method(two_stages("own-options", "1", 0.5));
  EXPECT_EQ(bind(pendulum("own-options:weight=1/4,rounds=3"))->json()["method"], (Json{{"name", "own-options"},
                                                                                       {"weight", "1/4"},
                                                                                       {"rounds", 3},
                                                                                       {"aloud", false},
                                                                                       {"word", "none"},
                                                                                       {"source", "1"}}));
  EXPECT_NE(end_of("own-options:weight=1/4"), end_of("own-options"));
  EXPECT_EQ(end_of("own-options:weight=1/2"), end_of("own-options"));
  EXPECT_THAT([] { bind(pendulum("own-options:round=3")); },
              ThrowsMessage<InputError>(HasSubstr("did you mean 'rounds'")));
  EXPECT_THAT([] { bind(pendulum("own-options:rounds=0.5")); }, ThrowsMessage<InputError>(HasSubstr("an integer")));
}

TEST(ForeignMethod, AVersionIsNeverTakenForAnother) {
  register_method(two_stages("own-versions", "1", 0.5));
  const auto first = bind(pendulum("own-versions"));
  register_method(two_stages("own-versions", "2", 0.25));
  const auto second = bind(pendulum("own-versions"));
  EXPECT_NE(content_hash(first->json()), content_hash(second->json()));
  EXPECT_NE(first->integrate().record.state.q, second->integrate().record.state.q);
  EXPECT_EQ(bind(first->spec())->integrate().record.state.q, first->integrate().record.state.q);
  EXPECT_THAT([] { bind(pendulum("own-versions:source=3")); },
              ThrowsMessage<InputError>(HasSubstr("/method/source: the code of own-versions is not the one of '3'")));
}

// What it computes by is in its specification; the engines, and the file of the kind, are sources of every run.
TEST(ForeignMethod, HasNoSourceOfThePrograms) {
  register_method(two_stages("own-sources", "1", 0.5));
  const std::string kind = "lab/runs/run.cpp";
  const Json spec = {{"method", {{"name", "own-sources"}, {"source", "1"}}}}, none = {{"method", nullptr}};
  EXPECT_EQ(run_sources(spec, kind), run_sources(none, kind));
}

TEST(ForeignMethod, OnlyTheFormulationsThatItStates) {
  ForeignMethod method = two_stages("own-baumgarte", "1", 0.5);
  method.formulations = {"ode", "baumgarte", "index-1"};
  register_method(std::move(method));
  RunSpec spec = pendulum("own-baumgarte");
  spec.formulation.reset();
  EXPECT_THAT(bind(spec)->formulation_text(), HasSubstr("baumgarte"));
  EXPECT_EQ(bind(pendulum("own-baumgarte"))->integrate().record.status, StatusCode::ok);
  spec.formulation = "projected";
  const RunRecord refused = bind(spec)->integrate().record;
  EXPECT_EQ(refused.status, StatusCode::not_applicable);
  EXPECT_EQ(refused.cause, "own-baumgarte is for ode, baumgarte, index-1");
}

#ifndef DAELAB_DOUBLE_ONLY
TEST(ForeignMethod, ComputesInDoubleAlone) {
  register_method(two_stages("own-double", "1", 0.5));
  RunSpec spec = pendulum("own-double");
  spec.scalar = Scalar::real50;
  const RunRecord refused = bind(spec)->integrate().record;
  EXPECT_EQ(refused.status, StatusCode::not_applicable);
  EXPECT_EQ(refused.cause, "own-double computes in double");
}
#endif

TEST(ForeignMethod, ObservedOrdersAreComparedWithTheStatedOne) {
  register_method(two_stages("own-orders", "1", 0.5));
  const Json runs = Json::array({{{"method", "own-orders"}}, {{"method", "own-orders:weight=1/4"}}});
  const Json json = {
      {"name", "own"},
      {"experiment", "convergence"},
      {"title", "own"},
      {"common",
       {{"problem", "pendulum"},
        {"formulation", "index-1"},
        {"t_end", "1"},
        {"h", {"1/50", "1/100", "1/200", "1/400"}}}},
      {"runs", runs},
      {"reference", {{"method", "gauss:s=6"}, {"formulation", "index-1"}, {"h", "1/50"}, {"scalar", "double"}}}};
  const TemporaryFolder folder;
  run_configs({make_config(json, "own.json")}, {.out_dir = folder.path(), .quiet = true});
  const auto result = load(folder.path() + "/own").result<ConvergenceResult>();
  EXPECT_EQ(result.series.at(0).orders.at("q").agreement, agreement::agrees);
  EXPECT_EQ(result.series.at(1).orders.at("q").agreement, agreement::differs);
  EXPECT_EQ(result.series.at(0).expected.source, "stated here");
}

TEST(ForeignMethod, BadNamesAndDefaultsAreRefused) {
  load_project();  // heun is one of its files
  const auto registering = [](ForeignMethod method) { return [method] { register_method(method); }; };
  EXPECT_THAT(registering(two_stages("heun", "1", 0.5)),
              ThrowsMessage<InputError>(HasSubstr("'heun' is a method of daelab")));
  EXPECT_THAT(registering(two_stages("a:b", "1", 0.5)), ThrowsMessage<InputError>(HasSubstr("is no name of a method")));
  ForeignMethod method = two_stages("own-bad", "1", 0.5);
  method.options["list"] = Json::array();
  EXPECT_THAT(registering(method), ThrowsMessage<InputError>(HasSubstr("/options/list: [] is no value of an option")));
  for (const char* name : {"name", "source", "A", "b"}) {  // the last two are those of a tableau
    method = two_stages("own-bad", "1", 0.5), method.options[name] = 1;
    EXPECT_THAT(registering(method), ThrowsMessage<InputError>(HasSubstr("choose another name"))) << name;
  }
  method = two_stages("own-bad", "1", 0.5), method.formulations = {"index1"};
  EXPECT_THAT(registering(method), ThrowsMessage<InputError>(HasSubstr("did you mean 'index-1'")));
  EXPECT_EQ(Registry<Method>::instance().look_up("own-bad"), nullptr);
}

}  // namespace TEST_FILE
}  // namespace daelab
