#include "app/run_arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "core/integration/method.hpp"
#include "core/mechanism/problem.hpp"

namespace daelab::app {
namespace {

bool is_run_key(const std::string& key) {
  RunSpec spec;
  const Options options = spec.options();
  return std::ranges::any_of(options.list(), [&](const Option& option) { return option.name() == key; });
}

// Names a part of an option's value: the option of a component, or an entry of a list or of values by name.
std::string part_text(const std::string& pointer, const char* what) {
  if (pointer.empty()) return "";
  const std::string part = pointer.substr(1);
  const bool is_place = std::ranges::all_of(part, [](unsigned char c) { return std::isdigit(c) != 0; });
  if (is_place && part.size() < 9) return fmt::format(", entry {}", std::stoi(part) + 1);
  return fmt::format(", {} {}", what, part);
}

// The first key of a JSON pointer; "" of other places.
std::string first_key(const std::string& where) {
  return where.starts_with("/") ? where.substr(1, where.find('/', 1) - 1) : "";
}

std::string as_option(const std::string& where, const std::vector<std::string>& options) {
  const std::string key = first_key(where);
  const std::string rest = key.empty() ? "" : where.substr(1 + key.size()), inner = first_key(rest);
  if (key == "common") return as_option(rest, options);  // of all runs of a config that was made of arguments
  if (!is_run_key(key) && std::ranges::find(options, key) == options.end()) return where;
  if (key == "atol_components") return option_name("atol") + part_text(rest, "entry");
  const auto& values = StartOptions::value_keys();
  if (key == "start" && std::ranges::find(values, inner) != values.end())
    return option_name(inner) + part_text(rest.substr(1 + inner.size()), "entry");
  return option_name(key) + part_text(rest, "option");
}

// Whether it is said how large steps are, or how accurate.
bool has_steps(const Json& run) { return run.contains("h") || run.contains("rtol") || run.contains("atol"); }

}  // namespace

std::string option_name(const std::string& key) {
  std::string name = "--" + key;
  std::ranges::replace(name, '_', '-');
  return name;
}

void add_start(const std::map<std::string, std::string>& values, Json& run) {
  if (values.empty()) return;
  Json start = Json::object();
  if (run.contains("start")) start["analysis"] = run["start"];
  for (const auto& [key, value] : values) start[key] = value;
  run["start"] = start;
}

StartOptions start_options(const std::string& analysis, const std::map<std::string, std::string>& values) {
  Json run = Json::object();
  if (!analysis.empty()) run["start"] = analysis;
  add_start(values, run);
  StartOptions start;
  if (run.contains("start")) start.read(run["start"], "/start");
  return start;
}

void separate_atol_components(Json& run) {
  if (!run.contains("atol")) return;
  const std::vector<std::string> parts = comma_separated(run["atol"]);
  std::string components;
  run.erase("atol");
  for (const std::string& part : parts) {
    if (part.find('=') != std::string::npos)
      components += (components.empty() ? "" : ",") + part;
    else if (run.contains("atol"))
      throw InputError(option_name("atol"), "'" + part + "' is a second tolerance for all components");
    else
      run["atol"] = part;
  }
  if (!components.empty()) run["atol_components"] = components;
}

bool completed_by_default(Json& run) {
  if (!run.contains("problem"))
    throw InputError(
        "--problem is missing: daelab solve PROBLEM, a file, or one of those that daelab list problems shows");
  if (!run.contains("method")) run["method"] = "radau-iia:s=3";  // for every form and index, stiff or not
  if (has_steps(run)) return false;
  run["rtol"] = "1e-6";
  return true;
}

RunSpec spec_of_arguments(Json run, const std::map<std::string, std::string>& start) {
  add_start(start, run);
  separate_atol_components(run);
  if (has_steps(run)) return read_run_spec(std::move(run), "");
  // Say first what is wrong with them.
  Registry<Problem>::instance().make(run["problem"], "--problem");
  Registry<Method>::instance().make(run["method"], "--method");
  throw InputError("--h is missing: the step size in seconds; or --rtol, --atol for error control");
}

void with_option_names(const std::function<void()>& read, const std::vector<std::string>& options) {
  try {
    read();
  } catch (const InputError& error) {
    throw InputError(as_option(error.where(), options), error.message());
  }
}

}  // namespace daelab::app
