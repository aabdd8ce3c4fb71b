#include "lab/runs/overrides.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lab/runs/experiment.hpp"

namespace daelab {
namespace {

// Keys of a run of the experiment that the config names; none where it names none.
std::vector<std::string> keys_of_runs(const Json& config) {
  const auto& registry = Registry<Experiment>::instance();
  const Json experiment = config.value("experiment", Json());
  const auto names = registry.names();
  if (std::ranges::none_of(names, [&](const std::string& name) { return experiment == name; })) return {};
  std::vector<std::string> keys{"label", "together", "draws"};
  const Json schema = registry.make({{"name", experiment}}, "")->run_kind().schema();
  for (const auto& [key, value] : schema.items()) keys.push_back(key);
  return keys;
}

// The entries of "runs" with their places.
std::vector<std::pair<std::string, Json>> entries_of(const Json& config) {
  const Json runs = config.value("runs", Json());
  if (!runs.is_array()) return {{"/runs", runs}};
  std::vector<std::pair<std::string, Json>> entries;
  for (std::size_t i = 0; i < runs.size(); ++i) entries.emplace_back(fmt::format("/runs/{}", i), runs[i]);
  return entries;
}

// Where runs have this key, or could have it.
std::string place_in_runs(const Json& config, const std::string& key) {
  const auto entries = entries_of(config);
  for (const auto& [place, entry] : entries)
    if (entry.contains(key)) return place + "/" + key;
  const bool in_all = config.value("common", Json()).contains(key) || entries.size() != 1;
  return (in_all ? "/common" : entries[0].first) + "/" + key;
}

// For what an override leads to.
struct Target {
  std::string part;  // "common", "runs", "reference", or "": the config itself
  std::string key;   // in a run, or in the config; "": the part as a whole
};

bool is_index(const std::string& token) {
  return !token.empty() && token.size() < 9 && token.find_first_not_of("0123456789") == std::string::npos;
}

Target target_of(const std::vector<std::string>& path) {
  const std::string& first = path.front();
  if (first != "common" && first != "runs" && first != "reference") return {"", first};
  const std::size_t key = first == "runs" && path.size() > 1 && is_index(path[1]) ? 2 : 1;
  return {first, path.size() > key ? path[key] : ""};
}

// Lists are not made longer: one entry more would be a run that nobody wrote.
bool leaves_a_list(const Json& config, const std::vector<std::string>& path) {
  const Json* at = &config;
  for (const std::string& token : path) {
    if (at->is_array() && (!is_index(token) || std::stoul(token) >= at->size())) return true;
    if (!at->is_array() && !at->contains(token)) return false;
    at = at->is_array() ? &(*at)[std::stoul(token)] : &(*at)[token];
  }
  return false;
}

// Some run has no value of its own; the scalar of a reference run never comes from there.
bool is_taken_from_common(const Json& config, const std::string& key) {
  auto entries = entries_of(config);
  if (config.contains("reference") && key != "scalar") entries.emplace_back("/reference", config["reference"]);
  return !std::ranges::all_of(entries, [&](const auto& entry) { return entry.second.contains(key); });
}

// Why --set has no effect here; "" if it has one, or if the key is not a run's.
std::string refusal(const Json& config, const Target& target) {
  const std::vector<std::string> keys = keys_of_runs(config);
  if (keys.empty() || target.key.empty()) return "";
  const bool known = std::ranges::find(keys, target.key) != keys.end();
  if (target.part.empty())
    return known && !config.contains(target.key) ? "it is a key of runs: set " + place_in_runs(config, target.key) : "";
  if (target.part == "reference" && !config.contains(target.part)) return "the config has no reference run";
  if (!known) {
    const std::string near = nearest_name(target.key, keys);
    const std::string place = near.empty() ? "" : "; did you mean " + place_in_runs(config, near) + "?";
    return fmt::format("no run takes '{}'{}", target.key, place);
  }
  if (target.part != "common" || is_taken_from_common(config, target.key)) return "";
  return "every run has its own: set " + place_in_runs(config, target.key);
}

void check_place(const Json& config, const std::vector<std::string>& path) {
  if (path.empty()) throw InputError("there is no such place in the config");
  const Target target = target_of(path);
  if (leaves_a_list(config, path))
    throw InputError("there is no such place in the config" +
                     (target.part == "runs" ? ": set " + place_in_runs(config, target.key) : ""));
  if (const std::string why = refusal(config, target); !why.empty()) throw InputError(why);
}

}  // namespace

void apply_override(Json& config, const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || text[0] != '/')
    throw InputError(fmt::format("--set {}: write /json/pointer=VALUE", text));
  const std::string value = text.substr(equals + 1);
  try {
    const Json::json_pointer pointer(text.substr(0, equals));
    check_place(config, pointer.tokens);
    config[pointer] = Json::try_parse(value).value_or(value);
  } catch (const Json::exception&) {
    throw InputError(fmt::format("--set {}: there is no such place in the config", text));
  } catch (const InputError& error) {
    throw error.in("--set " + text);
  }
}

}  // namespace daelab
