#include "lab/reproduce.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <utility>

#include "core/base/context.hpp"
#include "core/base/input_error.hpp"
#include "core/base/json_file.hpp"
#include "core/base/paths.hpp"
#include "core/base/scratch_folder.hpp"
#include "core/base/write_file.hpp"
#include "lab/pack_audits.hpp"
#include "lab/pack_context.hpp"
#include "lab/project.hpp"
#include "lab/result_sets.hpp"
#include "lab/runs/config.hpp"
#include "lab/runs/experiment.hpp"
#include "results/claims.hpp"
#include "results/evidence.hpp"
#include "results/packs.hpp"
#include "results/stored_files.hpp"
#include "results/verdicts.hpp"
#include "results/zip_file.hpp"

namespace daelab {
namespace {

namespace fs = std::filesystem;

std::vector<Config> configs_of(const Pack& pack) {
  std::vector<Config> configs;
  for (const std::string& path : pack.config_paths()) configs.push_back(read_config(path));
  if (configs.empty() && !pack.entries.contains("audits"))
    throw InputError(pack.folder, "holds neither configs beside pack.json nor audits: a pack has some");
  return configs;
}

// Tables of others that a config names itself, and folders where something else is.
void check_foreign_configs(const std::vector<Config>& configs) {
  for (const Config& config : configs) {
    if (config.name == "pack" || config.name == "report")
      throw InputError(
          config.path,
          fmt::format("/name: '{}' is the name of another folder beside the results of a pack", config.name));
    for (const std::string& file : config.experiment->inputs(config)) require_copy(file);
  }
}

void require_python(const Pack& pack, PackPython python) {
  if (pack.of_project || python == PackPython::registered || pack.entries.value("python", Json::array()).empty())
    return;
  throw InputError(pack.folder,
                   "has methods in Python, which are programs that may do anything: --allow-python runs "
                   "them, for packs whose authors you trust");
}

// In the order in which the entries refer to them, the others after these by title.
void order_as_in_paper(std::vector<Config>& configs, const Json& entries) {
  const std::vector<std::string> sets = sets_in_order(entries);
  const auto place = [&](const Config& config) { return std::find(sets.begin(), sets.end(), config.name); };
  std::stable_sort(configs.begin(), configs.end(), [&](const Config& a, const Config& b) {
    return place(a) != place(b) ? place(a) < place(b) : a.title < b.title;
  });
}

std::vector<std::string> names_of_sets(const std::vector<Config>& configs) {
  std::vector<std::string> names;
  for (const Config& config : configs) names.push_back(config.name);
  return names;
}

// The configs of these result sets; none named: all.
void keep_only(const std::vector<std::string>& only, std::vector<Config>& configs) {
  const std::vector<std::string> known = names_of_sets(configs);
  for (const std::string& name : only)
    if (std::ranges::find(known, name) == known.end())
      throw InputError("--only", fmt::format("no result set '{}'{} (known: {})", name, did_you_mean(name, known),
                                             fmt::join(known, ", ")));
  if (!only.empty())
    std::erase_if(configs, [&](const Config& config) { return std::ranges::find(only, config.name) == only.end(); });
}

// By the results in `out` of these sets alone.
ResultLookup results_of(const std::vector<std::string>& sets, const std::string& out) {
  return [names = std::set(sets.begin(), sets.end()), stored = stored_results(out)](const std::string& name) {
    return names.contains(name) ? stored(name) : std::nullopt;
  };
}

// A pack in one file. It is checked before anything is written where results go.
Pack unpacked_pack(const std::string& file, const std::string& out_dir) {
  const FilesByPath files = read_zip(file);
  const ScratchFolder temporary("daelab-pack");
  const std::string tried = temporary.path() + "/pack";
  write_folder(tried, files);
  std::string name;
  try {
    name = pack_in(tried).name;
  } catch (const InputError& error) {
    const std::string message = error.what();
    throw InputError(file, message.starts_with(tried + "/") ? message.substr(tried.size() + 1)
                           : message.starts_with(tried)     ? "it" + message.substr(tried.size())
                                                            : message);
  }
  const std::string folder = results_folder(name, out_dir) + "/pack";
  write_folder(folder, files);
  return pack_in(folder);
}

// Results are judged again without the pack: by its entries, and the files of others that they name.
void keep_entries(const Pack& pack, const std::string& folder) {
  std::vector<std::string> files = stored_file_names(read_json_file(pack.folder + "/" + pack_file_name));
  files.emplace_back(pack_file_name);
  for (const std::string& file : files) {
    fs::create_directories(fs::path(folder + "/" + file).parent_path());
    write_file(folder + "/" + file, file_bytes(pack.folder + "/" + file).value_or(""));
  }
}

}  // namespace

std::vector<std::string> papers() { return project_packs(); }

void require_paper(const std::string& paper) {
  const std::vector<std::string> known = papers();
  if (std::find(known.begin(), known.end(), paper) != known.end()) return;
  throw InputError(fmt::format("no paper '{}'{} (known: {}, and folders or .zip files of packs)", paper,
                               did_you_mean(paper, known), fmt::join(known, ", ")));
}

std::string results_folder(const std::string& paper, const std::string& out_dir) {
  const fs::path path = fs::path(out_dir) / "";
  return path.parent_path().filename() == paper ? path.parent_path().string() : out_dir + "/" + paper;
}

Pack open_pack(const std::string& pack, const std::string& out_dir) {
  const std::vector<std::string> known = papers();
  if (std::find(known.begin(), known.end(), pack) != known.end()) return project_pack(pack);
  if (pack.ends_with(".zip")) return unpacked_pack(pack, out_dir);
  if (fs::is_directory(pack)) return pack_in(pack);
  require_paper(pack);
  return {};
}

Reproduction reproduce(const std::string& paper, ScheduleOptions options) {
  const std::string out = options.out_dir;
  return reproduce(open_pack(paper, out), std::move(options));
}

Reproduction reproduce(const Pack& pack, ScheduleOptions options, PackPython python,
                       const std::vector<std::string>& only) {
  load_project();
  require_python(pack, python);
  const PackContext context(pack, options.context != nullptr ? *options.context : Context::current());
  const Context::Scope scope(context.get());
  options.context = &context.get();
  std::vector<Config> configs = configs_of(pack);
  if (!pack.of_project) check_foreign_configs(configs);
  order_as_in_paper(configs, pack.entries);
  keep_only(only, configs);
  const std::vector<std::string> sets = names_of_sets(configs);
  const Json entries = only.empty() ? pack.entries : entries_about(pack.entries, sets);
  Reproduction result{results_folder(pack.name, options.out_dir), {}, {}, {}};
  list_paper_sets(result.folder, sets);
  keep_entries(pack, result.folder);
  fs::remove(verdicts_path(result.folder));  // of earlier results, even when this is interrupted
  options.out_dir = result.folder;
  result.runs = run_configs(configs, options);
  if (result.runs.interrupted) return result;
  const ResultLookup results = results_of(sets, result.folder);
  result.judgements = judge(entries, results);
  if (only.empty()) std::ranges::move(judged_audits(pack), std::back_inserter(result.judgements));
  if (pack.of_project) result.passages = passages_of(entries, results);
  write_verdicts(result.judgements, result.folder);
  return result;
}

bool as_expected(const std::vector<Judgement>& judgements) {
  return std::ranges::all_of(judgements, &Judgement::as_expected);
}

}  // namespace daelab
