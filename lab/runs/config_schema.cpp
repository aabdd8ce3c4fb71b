// The JSON Schema of configs, from the options of experiments and of their runs.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <map>

#include "lab/runs/config.hpp"
#include "lab/runs/draws.hpp"
#include "lab/runs/experiment.hpp"
#include "results/claims.hpp"
#include "results/entry.hpp"
#include "results/told_numbers.hpp"

namespace daelab {
namespace {

Json defined(const std::string& name) { return {{"$ref", "#/definitions/" + name}}; }

Json list_of(const Json& schema) { return {{"type", "array"}, {"items", schema}, {"minItems", 1}}; }

// A run of this kind in a config, with lists as grids.
Json run_schema(const RunKind& kind) {
  Json properties = {{"label", {{"type", "string"}, {"description", "how tables and legends name these runs"}}}};
  const Json options = kind.schema();
  for (const auto& [key, schema] : options.items()) {
    Json choice = schema;
    const Json description = choice["description"];
    choice.erase("description"), choice.erase("default");
    if (key == "newton" || key == "jacobian") choice = {{"type", {"string", "object"}}};
    properties[key] = {{"anyOf", {choice, list_of(choice), defined("range")}}, {"description", description}};
  }
  properties["together"] = defined("together");
  properties["draws"] = defined("draws");
  return {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
}

Json together_schema() {
  Json schema = list_of({{"type", "object"}});
  schema["description"] = "keys that vary together: a run for each of these objects";
  return schema;
}

// "number-or-null", "number-above-0", "list-of-string": what a value may be.
std::string type_name(const Json& schema) {
  const auto any_of = [](const std::vector<std::string>& names) { return fmt::format("{}", fmt::join(names, "-or-")); };
  if (schema.contains("enum")) return any_of(schema["enum"].get<std::vector<std::string>>());
  if (schema.contains("anyOf")) {
    std::vector<std::string> names;
    for (const Json& choice : schema["anyOf"]) names.push_back(type_name(choice));
    return any_of(names);
  }
  if (schema["type"].is_array()) return any_of(schema["type"].get<std::vector<std::string>>());
  const std::string type = schema["type"];
  if (type == "array") return "list-of-" + type_name(schema["items"]);
  std::string name = type;
  for (const auto& [bound, word] : {std::pair("exclusiveMinimum", "above"), {"minimum", "from"}, {"maximum", "to"}})
    if (schema.contains(bound)) name += fmt::format("-{}-{}", word, schema[bound].dump());
  return name;
}

// Types that several keys of runs have are described once, by name.
void name_shared_types(Json& definitions) {
  std::map<std::string, int> uses;  // by text
  const auto each_key = [&definitions](const auto& visit) {
    for (auto& [name, run] : definitions.members())
      if (run.contains("properties"))
        for (auto& [key, schema] : run["properties"].members())
          if (schema.contains("anyOf")) visit(schema["anyOf"]);
  };
  each_key([&uses](const Json& types) { ++uses[types.dump()]; });
  Json named = Json::object();
  each_key([&](Json& types) {
    if (uses.at(types.dump()) < 2) return;
    const std::string name = "values:" + type_name(types[0]);
    const Json values = {{"anyOf", types}};
    if (named.contains(name) && named[name] != values) return;
    named[name] = values, types = Json::array({defined(name)});
  });
  definitions.update(named);
}

Json repeat_schema() {
  return {{"type", "integer"},
          {"minimum", 0},
          {"maximum", most_repeats},
          {"description", "how many times each run is repeated, alone, for its times"}};
}

}  // namespace

Json config_schema() {
  // Of all configs alike; an experiment allows these keys, with anything, and adds its own.
  Json properties = {{"$schema", {{"type", "string"}}},
                     {"name", {{"type", "string"}, {"description", "name of the result set: out/<name>/"}}},
                     {"title", {{"type", "string"}, {"description", "heading in the report"}}}};
  properties["repeat"] = repeat_schema();
  for (const EntryKind kind : entry_kinds) properties[entry_list(kind)] = entries_schema(kind);
  properties["passages"] = passages_schema();
  std::vector<std::string> common;
  for (const auto& [key, schema] : properties.items()) common.push_back(key == "$schema" ? "\\$schema" : key);
  const Json allowed = {{fmt::format("^({})$", fmt::join(common, "|")), Json::object()}};
  Json variants = Json::array(), definitions = {{"together", together_schema()}};
  definitions["range"] = range_schema(), definitions["draws"] = draws_schema();
  definitions["rule"] = {{"type", "string"}, {"enum", rule_names()}};
  for (const std::string& name : Registry<Experiment>::instance().names()) {
    // Many experiments have the same kind of runs: it is described once, under the name of its file.
    const RunKind& run_kind = Registry<Experiment>::instance().make({{"name", name}}, "")->run_kind();
    const std::string of_kind = std::filesystem::path(run_kind.file).stem().string();
    const Json run = defined("run:" + of_kind);
    if (!definitions.contains("run:" + of_kind)) {
      definitions["run:" + of_kind] = run_schema(run_kind);
      definitions["runs:" + of_kind] = {{"anyOf", {run, list_of(run)}}};
    }
    Json own = {{"experiment", {{"type", "string"}, {"enum", {name}}}},
                {"common", run},
                {"reference", run},
                {"runs", defined("runs:" + of_kind)}};
    own.update(Registry<Experiment>::instance().find(name, "").options());
    variants.push_back({{"properties", own}, {"patternProperties", allowed}, {"additionalProperties", false}});
  }
  name_shared_types(definitions);
  return {{"$schema", "http://json-schema.org/draft-07/schema#"},
          {"title", "daelab experiment"},
          {"definitions", definitions},
          {"type", "object"},
          {"required", {"name", "experiment", "runs"}},
          {"properties", properties},
          {"oneOf", variants}};
}

}  // namespace daelab
