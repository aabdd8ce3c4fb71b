#include "lab/runs/config.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <map>
#include <set>
#include <span>
#include <thread>
#include <unordered_map>
#include <unordered_set>

#include "core/base/coefficient_document.hpp"
#include "core/base/context.hpp"
#include "core/base/folder_name.hpp"
#include "core/base/in_parallel.hpp"
#include "core/base/interrupted.hpp"
#include "core/base/json_file.hpp"
#include "core/base/limits.hpp"
#include "core/base/paths.hpp"
#include "core/base/utf8.hpp"
#include "core/documents/problem_document.hpp"
#include "lab/runs/draws.hpp"
#include "lab/runs/experiment.hpp"
#include "lab/runs/json_schema.hpp"
#include "lab/runs/labels.hpp"
#include "lab/runs/overrides.hpp"
#include "lab/runs/run_spec.hpp"
#include "results/claims.hpp"
#include "results/provenance.hpp"

namespace daelab {
namespace {

// Keys of every config; all others belong to its experiment.
const std::vector<std::string>& common_keys() {
  static const std::vector<std::string> keys{"$schema",   "name",   "experiment", "title",    "common", "runs",
                                             "reference", "repeat", "claims",     "findings", "checks", "passages"};
  return keys;
}

constexpr const char *together = "together", *draws = "draws";

// The value of these keys is a list; several of them are a list of lists.
bool is_list_valued(const std::string& key) {
  return key == "samples" || key == "step_pattern" || key == "invariants" || key == "observables";
}

std::string required_text(const Json& json, const char* key) {
  if (!json.contains(key)) throw InputError(std::string("/") + key, "is missing");
  if (!json[key].is_string() || json[key].get<std::string>().empty())
    throw InputError(std::string("/") + key, "must be text");
  return json[key].get<std::string>();
}

// Titles, captions and labels reach typesetters and plotting programs, which control characters stop.
void check_texts(const Json& json, const Json::json_pointer& at) {
  if (json.is_string() && has_controls(json.get<std::string>()))
    throw InputError(at.to_string(), fmt::format("must not contain control characters, found \"{}\"",
                                                 with_visible_controls(json.get<std::string>())));
  for (std::size_t i = 0; json.is_array() && i < json.size(); ++i) check_texts(json[i], at / i);
  if (!json.is_object()) return;
  for (const auto& [key, value] : json.items()) {
    if (has_controls(key))
      throw InputError(at.to_string(), fmt::format("a key must not contain control characters, found \"{}\"",
                                                   with_visible_controls(key)));
    check_texts(value, at / key);
  }
}

bool is_run_key(const std::string& key) {
  static const Options of_runs = [] {
    static RunSpec spec;
    return spec.options();
  }();
  const auto& list = of_runs.list();
  return key == draws || key == together || key == "label" ||
         std::ranges::any_of(list, [&](const Option& option) { return option.name() == key; });
}

// A key of runs beside them would be called unknown.
void check_place(const std::string& key, const RegistryEntry& experiment) {
  if (is_run_key(key) && !experiment.options().contains(key))
    throw InputError("/" + key, fmt::format("\"{}\" is a key of runs: it belongs in \"common\", or in an entry of "
                                            "\"runs\"",
                                            key));
}

// The experiment a config names, with the keys that are its own.
std::shared_ptr<const Experiment> make_experiment(const Json& config) {
  Json own = {{"name", required_text(config, "experiment")}};
  const auto& registry = Registry<Experiment>::instance();
  const RegistryEntry& entry = registry.find(own["name"].get<std::string>(), "/experiment");
  for (const auto& [key, value] : config.items()) {
    if (std::find(common_keys().begin(), common_keys().end(), key) != common_keys().end()) continue;
    check_place(key, entry);
    own[key] = value;
  }
  return registry.make(entry, own, "");
}

// A method or problem file is named relative to the config that names it.
void resolve_files(Json& run, const std::string& folder) {
  for (const char* key : {"problem", "method"}) {
    if (!run.contains(key)) continue;
    Json& name = run[key].is_object() && run[key].contains("name") ? run[key]["name"] : run[key];
    if (!name.is_string()) continue;
    const std::string text = name, file = spec_file(text);
    if (!file.empty() && !file.starts_with('/'))
      name = "@" + (std::filesystem::path(folder) / text.substr(text.starts_with('@') ? 1 : 0)).string();
  }
}

// Before memory is asked for: a grid is a product, and a slip in a list makes it large.
void check_run_count(std::size_t runs, const std::string& where) {
  const auto most = static_cast<std::size_t>(limits().runs);
  if (runs > most) throw InputError(where, fmt::format("asks for {} runs or more {}", runs, limit_hint("runs")));
}

// A bound run with the hash of its specification, by which equal ones are found.
struct BoundEntry {
  std::shared_ptr<const BoundRun> run;
  std::string hash;
};

// Those from `begin` on.
void bind_part(const DrawnRuns& grid, std::size_t begin, std::span<BoundEntry> bound, RunBinder& binder,
               const std::string& folder, const std::string& where) {
  for (std::size_t i = 0; i < bound.size(); ++i) {
    stop_where_interrupted();
    Json run = grid[begin + i];
    resolve_files(run, folder);
    bound[i].run = binder.bind(run, where);
    bound[i].hash = content_hash(bound[i].run->specification()->dump());
  }
}

// Of large grids each core binds a part. Throws the same error as serial binding.
std::vector<BoundEntry> bind_grid(const DrawnRuns& grid, RunBinder& binder, const RunKind& kind,
                                  const std::string& folder, const std::string& where) {
  constexpr std::size_t large = 2000;
  std::vector<BoundEntry> bound(grid.size());
  if (grid.size() < large) {
    bind_part(grid, 0, bound, binder, folder, where);
    return bound;
  }
  const std::size_t parts = std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::exception_ptr> failures(parts);
  in_parallel(parts, [&](std::size_t part) {
    const std::size_t begin = part * grid.size() / parts, size = (part + 1) * grid.size() / parts - begin;
    try {
      bind_part(grid, begin, std::span(bound).subspan(begin, size), *kind.binder(), folder, where);
    } catch (...) {
      failures[part] = std::current_exception();
    }
  });
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
  return bound;
}

DrawnRuns expand_grid_and_draws(Json run, const std::string& where) {
  if (!run.contains(draws)) return DrawnRuns(expand_grid(run, where));
  Draws drawn;
  drawn.options().read(run[draws], where + "/draws");
  run.erase(draws);
  std::vector<Json> grid = expand_grid(run, where);
  check_run_count(grid.size() * static_cast<std::size_t>(drawn.count), where + "/draws/count");
  return drawn.applied(std::move(grid), where + "/draws");
}

void add_entry(Config& config, Json merged, RunBinder& binder, std::unordered_set<std::string>& seen,
               const std::string& where) {
  std::string label;
  if (merged.contains("label")) {
    if (!merged["label"].is_string()) throw InputError(where + "/label", "must be text");
    label = merged["label"];
    merged.erase("label");
  }
  const std::string folder = std::filesystem::path(config.path).parent_path().string();
  const DrawnRuns grid = expand_grid_and_draws(std::move(merged), where);
  check_run_count(config.runs.size() + grid.size(), where);
  for (BoundEntry& bound : bind_grid(grid, binder, config.experiment->run_kind(), folder, where)) {
    // A run is asked for once under each label: what entries of different labels have in common belongs to both.
    if (!seen.insert(bound.hash + label).second) continue;
    config.runs.push_back(std::move(bound.run));
    config.entry_labels.push_back(label);
  }
}

void add_runs(Config& config, const Json& entry, RunBinder& binder, std::unordered_set<std::string>& seen,
              const std::string& where) {
  Json merged = config.json.value("common", Json::object());
  for (const auto& [key, value] : entry.items()) merged[key] = value;
  for (Json& one : config.experiment->entries(std::move(merged), where))
    add_entry(config, std::move(one), binder, seen, where);
}

void read_runs(Config& config) {
  if (!config.json.contains("runs")) throw InputError("/runs", "is missing: an object or a list of objects");
  const Json& runs = config.json["runs"];
  std::unordered_set<std::string> seen;
  const auto binder = config.experiment->run_kind().binder();
  if (config.json.contains("common") && !config.json["common"].is_object())
    throw InputError("/common", "must be an object");
  if (runs.is_object()) {
    add_runs(config, runs, *binder, seen, "/runs");
  } else if (runs.is_array() && !runs.empty()) {
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const std::string where = fmt::format("/runs/{}", i);
      if (!runs[i].is_object()) throw InputError(where, "must be an object");
      add_runs(config, runs[i], *binder, seen, where);
    }
  } else {
    throw InputError("/runs", "must be an object or a non-empty list of objects");
  }
}

// The run that serves as reference solution, in 50 digits unless it says otherwise.
void read_reference(Config& config) {
  if (!config.json.contains("reference")) return;
  if (!config.json["reference"].is_object()) throw InputError("/reference", "must be an object: one run");
  Json run = config.json.value("common", Json::object());
  if (!config.json["reference"].contains("scalar")) {
    require_scalar(Scalar::real50, "/reference/scalar", "; \"scalar\": \"double\" in it makes the reference in double");
    run["scalar"] = name_of(Scalar::real50);
  }
  for (const auto& [key, value] : config.json["reference"].items()) run[key] = value;
  for (const char* of_many : {"label", together, draws}) run.erase(of_many);
  for (const auto& [key, value] : run.items())
    if (const std::size_t count = expand_grid({{key, value}}, "/reference").size(); count > 1)
      throw InputError("/reference/" + key,
                       fmt::format("{} values, which \"common\" or the reference gives; the reference is one run: give "
                                   "one there{}",
                                   count, key == "problem" ? ", and each problem a config of its own" : ""));
  resolve_files(run, std::filesystem::path(config.path).parent_path().string());
  config.reference = config.experiment->run_kind().bind(run, "/reference");
}

int repeats(const Json& config) {
  if (!config.contains("repeat")) return 0;
  const Json& repeat = config["repeat"];
  if (!repeat.is_number_integer() || repeat < 0 || repeat > most_repeats)
    throw InputError("/repeat",
                     fmt::format("must be a whole number from 0 to {}, not {}", most_repeats, repeat.dump()));
  return repeat;
}

void validate_schema(const Config& config) {
  static const JsonSchema schema(config_schema());
  if (const std::string error = schema.violation(config.json); !error.empty())
    throw InputError("does not follow the schema: " + error);
}

// The values of a key that each make a run.
std::vector<Json> choices_of(const std::string& key, const Json& value, const std::string& where) {
  if (ValueRange::is_meant(value)) {
    ValueRange range;
    range.options().read(value, where);
    check_run_count(static_cast<std::size_t>(range.count), where);
    return range.values(where);
  }
  if (value.is_object() && key != together) return expand_grid(value, where);
  if (!value.is_array()) return {value};
  const bool holds_lists = !value.empty() && std::ranges::all_of(value, [](const Json& x) { return x.is_array(); });
  if (is_list_valued(key) && !holds_lists) return {value};
  if (value.empty()) throw InputError(where, "the list is empty: no run is left");
  check_run_count(value.size(), where);
  std::vector<Json> choices;
  for (const Json& choice : value)
    if (choice.is_object()) {
      for (Json& inner : expand_grid(choice, where)) choices.push_back(std::move(inner));
      check_run_count(choices.size(), where);
    } else {
      choices.push_back(choice);
    }
  return choices;
}

void merge_together(Json& base, const Json& choice, const Json& run, const std::string& where) {
  if (!choice.is_object()) throw InputError(where, "must be a list of objects: keys that vary together");
  for (const auto& [key, value] : choice.items()) {
    if (run.contains(key)) throw InputError(where, fmt::format("\"{}\" is also given outside of it", key));
    base[key] = value;
  }
}

}  // namespace

std::vector<Json> specifications(const Config& config) {
  std::vector<Json> specs;
  for (const auto& run : config.runs) specs.push_back(*run->specification());
  return specs;
}

std::vector<Json> expand_grid(const Json& run, const std::string& where) {
  if (holds_coefficients(run) || is_problem_document(run)) return {run};  // their lists are no grids
  std::vector<Json> grid{Json::object()};
  for (const auto& [key, value] : run.items()) {
    const std::vector<Json> choices = choices_of(key, value, where + "/" + key);
    check_run_count(grid.size() * choices.size(), where + "/" + key);
    std::vector<Json> wider;
    for (const Json& base : grid)
      for (const Json& choice : choices) {
        wider.push_back(base);
        if (key == together)
          merge_together(wider.back(), choice, run, where + "/" + key);
        else
          wider.back()[key] = choice;
      }
    grid = std::move(wider);
  }
  return grid;
}

std::vector<RunGroup> group_runs(const Config& config, const std::string& varied) {
  const Json::json_pointer pointer(varied);
  return group_runs(config, [&](Json& spec) {
    if (spec.contains(pointer)) spec.erase(pointer);
  });
}

std::vector<RunGroup> group_runs(const Config& config, const std::function<void(Json& spec)>& leave_out) {
  std::vector<RunGroup> groups;
  std::unordered_map<std::string, std::size_t> places;  // by the text of the rest and the label
  for (std::size_t i = 0; i < config.runs.size(); ++i) {
    Json spec = *config.runs[i]->specification();
    leave_out(spec);
    const std::string rest = spec.dump(-1, Json::Utf8::replace);
    const auto [place, is_new] = places.try_emplace(rest + '\n' + config.entry_labels[i], groups.size());
    if (is_new) groups.push_back({std::move(spec), "", {}, config.entry_labels[i], {}});
    groups[place->second].runs.push_back(i);
  }
  std::vector<std::string> given;
  for (const RunGroup& group : groups) given.push_back(group.entry_label);
  std::vector<Labelled> labels =
      label_and_factors(given, [&](std::size_t g) { return std::make_shared<const Json>(groups[g].spec); });
  for (std::size_t g = 0; g < groups.size(); ++g)
    groups[g].label = std::move(labels[g].label), groups[g].factors = std::move(labels[g].factors);
  return groups;
}

Config read_config(const std::string& path, const std::vector<std::string>& overrides) {
  Json json = read_json_file(path);
  try {
    return make_config(std::move(json), path, overrides);
  } catch (const InputError& error) {
    throw error.in(path);
  }
}

Config make_config(Json json, const std::string& path, const std::vector<std::string>& overrides) {
  Config config;
  config.path = path;
  config.json = std::move(json);
  config.overrides = overrides;
  if (!config.json.is_object()) throw InputError("a config is an object");
  for (const std::string& text : overrides) apply_override(config.json, text);
  config.name = required_text(config.json, "name");
  require_folder_name(config.name, "/name");
  check_texts(config.json, Json::json_pointer());
  config.title = config.json.contains("title") ? required_text(config.json, "title") : config.name;
  config.experiment = make_experiment(config.json);
  read_runs(config);
  read_reference(config);
  config.repeat = repeats(config.json);
  const auto given = [&](EntryKind kind) { return config.json.contains(entry_list(kind)); };
  if (std::any_of(entry_kinds.begin(), entry_kinds.end(), given) || config.json.contains("passages"))
    config.entries = entries_of_config(config.json, config.name, specifications(config));
  const auto spec_of_run = [&](std::size_t i) { return config.runs[i]->specification(); };
  for (Labelled& one : label_and_factors(config.entry_labels, spec_of_run))
    config.labels.push_back(std::move(one.label)), config.factors.push_back(std::move(one.factors));
  validate_schema(config);
  config.experiment->check(config);
  return config;
}

}  // namespace daelab
