#include "lab/reproduce.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "core/base/context.hpp"
#include "core/base/input_error.hpp"
#include "core/base/paths.hpp"
#include "core/base/write_file.hpp"
#include "lab/project.hpp"
#include "lab/result_sets.hpp"
#include "lab/runs/config.hpp"
#include "results/claims.hpp"
#include "results/evidence.hpp"
#include "results/packs.hpp"
#include "results/verdicts.hpp"

namespace daelab {
namespace {

namespace fs = std::filesystem;

// Not those of folders in its folder, which hold problems.
std::vector<Config> configs_of(const std::string& paper) {
  std::vector<std::string> files;
  for (const auto& file : fs::directory_iterator(project_path("experiments/" + paper)))
    if (file.path().extension() == ".json" && file.path().filename() != pack_file_name)
      files.push_back(file.path().string());
  std::ranges::sort(files);
  std::vector<Config> configs;
  for (const std::string& file : files) configs.push_back(read_config(file));
  return configs;
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

// By the results in `out` of these sets alone.
ResultLookup results_of(const std::vector<std::string>& sets, const std::string& out) {
  return [names = std::set(sets.begin(), sets.end()), stored = stored_results(out)](const std::string& name) {
    return names.contains(name) ? stored(name) : std::nullopt;
  };
}

// `out_dir` X/li2019 means that folder, not X/li2019/li2019.
std::string folder_of(const std::string& paper, const std::string& out_dir) {
  const fs::path path = fs::path(out_dir) / "";
  return path.parent_path().filename() == paper ? path.parent_path().string() : out_dir + "/" + paper;
}

}  // namespace

std::vector<std::string> papers() { return project_packs(); }

void require_paper(const std::string& paper) {
  const std::vector<std::string> known = papers();
  if (std::find(known.begin(), known.end(), paper) != known.end()) return;
  throw InputError(
      fmt::format("no paper '{}'{} (known: {})", paper, did_you_mean(paper, known), fmt::join(known, ", ")));
}

Reproduction reproduce(const std::string& paper, ScheduleOptions options) {
  load_project();
  const Context::Scope scope(options.context != nullptr ? *options.context : Context::current());
  require_paper(paper);
  std::vector<Config> configs = configs_of(paper);
  const Json entries = read_entries(paper);
  order_as_in_paper(configs, entries);
  const std::vector<std::string> sets = names_of_sets(configs);
  Reproduction result{folder_of(paper, options.out_dir), {}, {}, {}};
  list_paper_sets(result.folder, sets);
  write_file(result.folder + "/" + pack_file_name, file_bytes(entries_path(paper)).value_or(""));
  fs::remove(verdicts_path(result.folder));  // of earlier results, even when this is interrupted
  options.out_dir = result.folder;
  result.runs = run_configs(configs, options);
  if (result.runs.interrupted) return result;
  const ResultLookup results = results_of(sets, result.folder);
  result.judgements = judge(entries, results);
  result.passages = passages_of(entries, results);
  write_verdicts(result.judgements, result.folder);
  return result;
}

bool as_expected(const std::vector<Judgement>& judgements) {
  return std::ranges::all_of(judgements, &Judgement::as_expected);
}

}  // namespace daelab
