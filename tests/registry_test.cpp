// Registries: what a spec says is made, and bad input is told with its place, what is allowed and what was probably
// meant.
#include "core/base/options.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <memory>
#include <variant>

#include "core/base/context.hpp"
#include "core/base/paths.hpp"
#include "core/base/registry.hpp"
#include "core/integration/method.hpp"
#include "core/integration/method_files.hpp"
#include "core/mechanism/problem.hpp"
#include "tests/input_error_support.hpp"
#include "tests/test_folder.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

struct Widget : Component {
  static constexpr const char* kind = "widget";
};
struct RoundWidget {
  static constexpr const char* name = "round-widget";
  static constexpr const char* summary = "A widget for this test.";
  static constexpr const char* source = "none";
  int size = 2;
  std::optional<int> twice;
  Options options() {
    return {option("size", size, "size", between(1, 5)), option("twice", twice, "null: 2 size", at_least(0))};
  }
  void resolve() {
    if (!twice) twice = 2 * size;
  }
};
struct WidgetOf : Widget {
  WidgetOf(RoundWidget widget, const std::string&) : definition(widget) {}
  RoundWidget definition;
};

Registry<Widget> widgets() {
  Registry<Widget> registry;
  registry.add(registry_entry<Widget, RoundWidget, WidgetOf>("widgets/round.cpp"));
  return registry;
}

TEST(Registry, MakesWhatASpecSays) {
  const auto widget = widgets().make("round-widget:size=3", "/widget");
  EXPECT_EQ(widget->name(), "round-widget");
  EXPECT_EQ(widget->spec(), Json::parse(R"({"name": "round-widget", "size": 3, "twice": 6})"))
      << "every option with its value, automatic ones resolved";
  EXPECT_EQ(dynamic_cast<const WidgetOf&>(*widget).definition.size, 3);
}

TEST(Registry, EqualComponentsHaveEqualSpecs) {
  EXPECT_EQ(widgets().make("round-widget", "")->spec(), widgets().make("round-widget:twice=4,size=2", "")->spec());
}

struct Tool : Widget {
  static constexpr bool made_once = true;
};
struct ToolOf : Tool {
  ToolOf(RoundWidget, const std::string&) {}
};

TEST(Registry, OfATypeThatIsMadeOnceEqualSpecificationsShareAComponent) {
  Registry<Tool> tools;
  tools.add(registry_entry<Tool, RoundWidget, ToolOf>("tools/round.cpp"));
  const auto tool = tools.make("round-widget:size=3", "");
  EXPECT_EQ(tools.make({{"name", "round-widget"}, {"size", 3}}, "/other"), tool);
  EXPECT_NE(tools.make("round-widget:size=4", ""), tool);
  EXPECT_NE(widgets().make("round-widget", ""), widgets().make("round-widget", ""));

  Context other;
  other.largest_dense_size = 7;
  {
    const Context::Scope scope(other);
    EXPECT_NE(tools.make("round-widget:size=3", ""), tool);
  }
  tools.forget_made();
  EXPECT_NE(tools.make("round-widget:size=3", ""), tool);
}

TEST(Registry, KeepsABoundedNumberOfComponents) {
  Registry<Tool> tools;
  tools.add(registry_entry<Tool, RoundWidget, ToolOf>("tools/round.cpp"));
  const std::weak_ptr<Tool> first = tools.make("round-widget:twice=0", "");
  for (int i = 1; i < 1000 && !first.expired(); ++i) tools.make({{"name", "round-widget"}, {"twice", i}}, "");
  EXPECT_TRUE(first.expired());
}

TEST(Registry, AMethodFollowsItsFiles) {
  const TemporaryFolder folder;
  const std::string weights = folder.path() + "/weights.json", tableau = folder.path() + "/tableau.json";
  const auto copy = [](const std::string& name, const std::string& to) {
    std::filesystem::copy_file(project_path("methods/" + name), to, std::filesystem::copy_options::overwrite_existing);
  };
  const auto stages = [](const Json& spec) {
    return std::get<Tableau>(Registry<Method>::instance().make(spec, "")->form()).stages();
  };
  const Json composition = {{"name", "composition"}, {"base", "gauss:s=1"}, {"scheme", "@" + weights}};
  copy("geometric/suzuki-4.json", weights), copy("runge_kutta/heun.json", tableau);
  EXPECT_EQ(stages(composition), 5);
  EXPECT_EQ(stages("@" + tableau), 2);
  copy("geometric/yoshida-4.json", weights), copy("runge_kutta/rk4-classical.json", tableau);
  EXPECT_EQ(stages(composition), 3);
  EXPECT_EQ(stages("@" + tableau), 4);
}

TEST(Registry, UnknownNamesAreToldTheKnownAndTheNearest) {
  EXPECT_THAT([] { widgets().make("round-wigdet", "/widget"); },
              throws_input_error("/widget: ", "no widget 'round-wigdet'", "known: round-widget",
                                 "did you mean 'round-widget'?"));
  EXPECT_THAT(
      [] { Registry<Problem>::instance().make("pendulm", "/problem"); },
      throws_input_error("/problem: ", "no problem 'pendulm'", "two-link-manipulator", "did you mean 'pendulum'?"));
  EXPECT_THAT([] { Registry<Method>::instance().make("radau-iaa", "/method"); },
              throws_input_error("/method: ", "did you mean 'radau-iia'?"));
}

TEST(Registry, BadOptionsOfAComponentNameTheirPlace) {
  EXPECT_THAT([] { Registry<Method>::instance().make("pade-block:r=11", "/method"); },
              throws_input_error("/method/r: ", "1 to 10"));
  EXPECT_THAT([] { Registry<Method>::instance().make("pade-block:node=uniform", "/method"); },
              throws_input_error("/method/node: ", "did you mean 'nodes'?"));
  EXPECT_THAT([] { Registry<Problem>::instance().make("pendulum:length=0", "/problem"); },
              throws_input_error("/problem/length: ", "above 0"));
}

TEST(Registry, TheSameNameTwiceNamesBothFiles) {
  Registry<Widget> registry = widgets();
  EXPECT_THAT([&] { registry.add(registry_entry<Widget, RoundWidget, WidgetOf>("widgets/other.cpp")); },
              ThrowsMessage<std::logic_error>(
                  AllOf(HasSubstr("round-widget"), HasSubstr("widgets/round.cpp"), HasSubstr("widgets/other.cpp"))));
}

TEST(Registry, AliasesFindWhatTheyStandFor) {
  load_method_files(project_path("methods"));
  const auto& methods = Registry<Method>::instance();
  EXPECT_EQ(methods.find("crank-nicolson", "").name, "trapezoidal");
  EXPECT_EQ(methods.make("crank-nicolson", "")->spec(), methods.make("trapezoidal", "")->spec()) << "one record";
  EXPECT_THAT(methods.names(), testing::Not(testing::Contains("crank-nicolson")));
  EXPECT_THAT([&] { methods.make("crank-nickolson", "/method"); },
              throws_input_error("did you mean 'crank-nicolson'?"));
}

TEST(Registry, AnAliasIsTakenLikeAName) {
  Registry<Widget> registry = widgets();
  RegistryEntry other = registry_entry<Widget, RoundWidget, WidgetOf>("widgets/other.cpp");
  other.name = "another", other.aliases = {"round-widget"};
  EXPECT_THAT([&] { registry.add(other); },
              ThrowsMessage<std::logic_error>(AllOf(HasSubstr("'round-widget'"), HasSubstr("widgets/other.cpp"))));
}

TEST(Registry, WhatIsMissingSaysWhatToDo) {
  Registry<Widget> registry = widgets();
  const std::vector<std::string> there = registry.names();
  RegistryEntry other = registry_entry<Widget, RoundWidget, WidgetOf>("widgets/other.cpp");
  other.name = "foreign", other.missing = [] { return std::string("install libforeign-dev and build again"); };
  registry.add(other);
  EXPECT_EQ(registry.names(), there);
  EXPECT_EQ(registry.missing().at("foreign"), "install libforeign-dev and build again");
  EXPECT_THAT([&] { registry.make("foreign", "/widget"); },
              throws_input_error("/widget: ", "'foreign' is not in this build: install libforeign-dev"));
}

// What `list` and `show` print comes from here: nothing may be empty.
TEST(Registry, EveryEntryDescribesItself) {
  const auto check = [](const auto& registry) {
    for (const std::string& name : registry.names()) {
      const auto& entry = registry.find(name, "");
      EXPECT_FALSE(entry.summary.empty()) << name;
      EXPECT_FALSE(entry.source.empty()) << name;
      const Json options = entry.options();
      for (const auto& [key, schema] : options.items())
        EXPECT_FALSE(schema.at("description").template get<std::string>().empty()) << name << " " << key;
      EXPECT_EQ(registry.make(name, "")->name(), name) << "its defaults are valid";
    }
  };
  check(Registry<Problem>::instance());
  check(Registry<Method>::instance());
}

}  // namespace TEST_FILE
}  // namespace daelab
