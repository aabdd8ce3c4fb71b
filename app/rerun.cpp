// rerun: a result set carried out again from its manifest and the inputs that it keeps, and compared.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "app/commands.hpp"
#include "app/terminal.hpp"
#include "core/base/context.hpp"
#include "core/base/json_kind.hpp"
#include "core/base/message.hpp"
#include "core/base/process.hpp"
#include "core/base/scratch_folder.hpp"
#include "lab/result_sets.hpp"
#include "lab/runs/config.hpp"
#include "lab/runs/schedule.hpp"
#include "results/input_files.hpp"
#include "results/provenance.hpp"
#include "results/store.hpp"
#include "results/zip_file.hpp"

namespace daelab::app {
namespace {

namespace fs = std::filesystem;

Config config_of(const Json& manifest, const std::string& dir) {
  const std::string where = dir + "/manifest.json: ";
  const Json& inputs = require_member(JsonKind::object, manifest, "inputs", where);
  const std::string file = require_member(JsonKind::text, inputs, "config_file", where + "/inputs");
  Config config;
  try {
    config = make_config(require_member(JsonKind::object, manifest, "config", where), file);
  } catch (const InputError& error) {
    throw error.in(dir + "/manifest.json");
  }
  for (const Json& text : inputs.value("overrides", Json::array()))
    config.overrides.push_back(require(JsonKind::text, text, where + "/inputs/overrides").get<std::string>());
  return config;
}

void print_changes(const Json& then, const Json& now, const std::string& place) {
  if (then == now || place == "/date") return;
  if (!then.is_object() || !now.is_object()) {
    fmt::print("  {}\n", readable_message(fmt::format("{}: {} | {}", place, then.dump(), now.dump())));
    return;
  }
  for (const auto& [key, value] : then.items()) print_changes(value, now.value(key, Json()), place + "/" + key);
  for (const auto& [key, value] : now.items())
    if (!then.contains(key)) print_changes(Json(), value, place + "/" + key);
}

// What made the results, then and now; the date always differs.
void print_provenance(Json then, Json now) {
  then.erase("date"), now.erase("date");
  if (then == now) {
    fmt::print("program, machine and libraries are the same\n");
    return;
  }
  fmt::print("what made the results differs, then | now:\n");
  print_changes(then, now, "");
}

// Result sets of several, each carried out by a process of its own, since each reads the inputs that it keeps.
int rerun_each(const std::string& folder, const RerunArguments& arguments, const std::vector<std::string>& inherited) {
  int code = 0;
  for (const std::string& set : result_sets(folder)) {
    fmt::print("{}\n", tinted(Tint::strong, fs::path(set).filename().string()));
    std::fflush(stdout);
    std::vector<std::string> words{fs::read_symlink("/proc/self/exe").string(), "rerun", set};
    if (!arguments.out.empty()) words.insert(words.end(), {"--out", arguments.out});
    if (arguments.jobs > 0) words.insert(words.end(), {"--jobs", std::to_string(arguments.jobs)});
    words.insert(words.end(), inherited.begin(), inherited.end());
    code = std::max(code, run_in_foreground(words, interrupt_requested));
    if (interrupt_requested()) return 130;
  }
  return code;
}

int rerun_archive(const RerunArguments& arguments, const std::vector<std::string>& inherited) {
  const ScratchFolder temporary("daelab-rerun");
  const std::string folder = temporary.path() + "/pack";
  write_folder(folder, read_zip(arguments.folder));
  if (!fs::is_directory(folder + "/results"))
    throw InputError(arguments.folder, "holds no results: daelab pack build writes files that do");
  return rerun_each(folder + "/results", arguments, inherited);
}

bool is_archive(const std::string& path) { return path.ends_with(".zip"); }

// The results of a pack.
bool holds_several(const std::string& folder) { return fs::exists(folder + "/sets.json"); }

}  // namespace

void use_kept_inputs(const std::string& dir) {
  if (is_archive(dir) || holds_several(dir)) return;
  const Json manifest = read_manifest(dir);
  Context& context = Context::process();
  read_kept_inputs(context, dir, manifest);
  if (manifest.value("provenance", Json::object()).value("strict", Json()) == Json(true)) context.strict = true;
}

int rerun(const RerunArguments& arguments, const std::vector<std::string>& inherited) {
  if (is_archive(arguments.folder)) return rerun_archive(arguments, inherited);
  if (holds_several(arguments.folder)) return rerun_each(arguments.folder, arguments, inherited);
  const Json manifest = read_manifest(arguments.folder);
  const Config config = config_of(manifest, arguments.folder);
  ScratchFolder temporary("daelab-rerun", ": give --out");
  const std::string out = arguments.out.empty() ? temporary.path() : arguments.out, set = out + "/" + config.name;
  if (fs::exists(set) && fs::equivalent(set, arguments.folder))
    throw InputError("--out: this folder holds the results to compare with; a rerun needs another one");
  const ScheduleSummary summary = run_configs(
      {config},
      {.out_dir = out, .jobs = arguments.jobs, .command = manifest.value("command", std::string()), .repeat = 0});
  if (summary.interrupted) {
    fmt::print(stderr, "interrupted{}\n", arguments.out.empty() ? "; with --out finished runs are kept" : "");
    return 130;
  }
  fmt::print(stderr, "{} runs computed, {} reused\n", summary.computed, summary.reused);
  const int code = compare(arguments.folder, set, 0);
  print_provenance(manifest.value("provenance", Json::object()), read_manifest(set)["provenance"]);
  if (code != 0 && arguments.out.empty()) {
    temporary.keep();
    fmt::print("the new results are kept in {}\n", set);
  }
  return code;
}

}  // namespace daelab::app
