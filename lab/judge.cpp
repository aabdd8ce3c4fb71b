#include "lab/judge.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>

#include "core/base/folder_name.hpp"
#include "core/base/paths.hpp"
#include "core/base/write_file.hpp"
#include "core/equations/formulation.hpp"
#include "core/integration/method.hpp"
#include "experiments/measures/foreign_results.hpp"
#include "experiments/references/agreed_solution.hpp"
#include "lab/project.hpp"
#include "lab/runs/run.hpp"
#include "results/provenance.hpp"
#include "results/store.hpp"

namespace daelab {
namespace {

// Step sizes and tolerances of the judged runs, coarse to fine, each once.
struct Steps {
  std::vector<Exact> h, rtol;

  void add(const ForeignRun& run) { add(run.h, h), add(run.rtol, rtol); }
  static void add(const std::optional<Exact>& value, std::vector<Exact>& list) {
    if (value && std::ranges::none_of(list, [&](const Exact& x) { return x.value() == value->value(); }))
      list.push_back(*value);
  }
  /// What our runs take: the same steps, else the same tolerances, else small ones.
  Json of_our_runs() const {
    Json run = Json::object();
    for (const Exact& x : h) run["h"].push_back(x.text());
    if (!h.empty()) return run;
    if (rtol.empty()) return {{"rtol", "1e-8"}, {"atol", "1e-8"}};
    for (const Exact& x : rtol) run["together"].push_back({{"rtol", x.text()}, {"atol", x.text()}});
    return run;
  }
};

// The problem at its time, for the names in the tables.
std::shared_ptr<const Run> bound_problem(const ForeignTables& tables) {
  RunSpec spec;
  spec.problem = tables.problem, spec.method = tables.beside.front(), spec.rtol = spec.atol = "1e-6";
  if (!tables.t_end.empty()) spec.t_end = exact_from_json(tables.t_end, "/t_end");
  return Run::of(std::move(spec));
}

// The state of a reference that is computed now, by two routes.
Json agreed_now(const Run& run, const MissingReferenceHandler& on_missing) {
  if (on_missing) on_missing(run);
  const Json solution = agreed_solution(run.spec().problem, {run.t_end()});
  Json state = solution.at("states")[0];
  state["source"] = fmt::format("computed for this judgement: {}", solution.at("route").get<std::string>());
  return state;
}

// Names all of up to three files, else the first and how many more there are.
std::string files_text(const std::vector<std::string>& files, const char* comma, const char* more) {
  constexpr std::size_t most_named = 3;
  const std::size_t named = files.size() > most_named ? 1 : files.size();
  const std::string text = fmt::format("{}", fmt::join(files.begin(), files.begin() + named, comma));
  return named == files.size() ? text : text + fmt::format(fmt::runtime(more), files.size() - named);
}

// The name of the result set.
std::string name_of(const std::vector<std::string>& files) {
  std::vector<std::string> stems;
  for (const std::string& file : files) stems.push_back(std::filesystem::path(file).stem().string());
  std::string name = files_text(stems, "-", "-and-{}-more");
  std::ranges::replace_if(
      name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '_' && c != '.'; },
      '-');
  require_folder_name(name, "judge: the name of '" + files_text(files, "', '", "' and {} more") + "'");
  return name;
}

// The title of the result set.
std::string title_of(const ForeignTables& tables) {
  std::vector<std::string> names;
  for (const std::string& file : tables.files) names.push_back(std::filesystem::path(file).filename().string());
  return fmt::format("{} judged on {}", files_text(names, ", ", " and {} more"), tables.problem.text());
}

// What a key says of a file: one value for all, or one for each.
std::string of_file(const ForeignTables& tables, const std::vector<std::string>& values, std::size_t file,
                    const char* key) {
  if (values.size() > 1 && values.size() != tables.files.size())
    throw InputError(key, fmt::format("{} values for {} files; allowed: one, or one for each file", values.size(),
                                      tables.files.size()));
  return values.empty() ? "" : values[values.size() == 1 ? 0 : file];
}

// What a config says beside names and places of files.
Json without_names(Json config) {
  config.erase("name"), config.erase("title");
  for (std::size_t i = 0; i < config["files"].size(); ++i) config["files"][i].erase("path");
  return config;
}

// Whether a result set is this judgement: the same config, of tables with these hashes.
bool is_set_of(const std::string& folder, const Json& config, const std::set<std::string>& tables) {
  try {
    const Json manifest = read_manifest(folder);
    if (!manifest.at("config").contains("files")) return false;
    std::set<std::string> kept;
    for (const auto& [name, file] : manifest.at("inputs").at("files").items())
      kept.insert(file.at("hash").get<std::string>());
    return std::ranges::includes(kept, tables) && without_names(manifest["config"]) == without_names(config);
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace

Json named_apart(Json config, const std::string& out) {
  std::set<std::string> tables;
  for (std::size_t i = 0; i < config["files"].size(); ++i)
    tables.insert(content_hash(file_bytes(path_to_read(absolute_path(config["files"][i]["path"]))).value_or("")));
  const std::string first = config["name"];
  for (int number = 1;; ++number) {
    config["name"] = number == 1 ? first : fmt::format("{}-{}", first, number);
    const std::string folder = out + "/" + config["name"].get<std::string>();
    if (!std::filesystem::exists(folder + "/manifest.json") || is_set_of(folder, config, tables)) return config;
  }
}

Json judge_config(const ForeignTables& tables, const MissingReferenceHandler& on_missing) {
  load_project();
  if (tables.files.empty()) throw InputError("/files", "no table is given");
  if (tables.beside.empty()) throw InputError("/beside", "none of daelab's methods is given to compare with");
  for (const std::string& method : tables.beside) Registry<Method>::instance().make(method, "/beside");
  if (!tables.formulation.empty()) Registry<Formulation>::instance().make(tables.formulation, "/formulation");
  const std::shared_ptr<const Run> run = bound_problem(tables);
  Json files = Json::array();
  Steps steps;
  for (std::size_t i = 0; i < tables.files.size(); ++i) {
    files.push_back({{"path", tables.files[i]}});
    Json& file = files.back();
    if (const std::string h = of_file(tables, tables.h, i, "/h"); !h.empty()) file["h"] = h;
    if (const std::string rtol = of_file(tables, tables.rtol, i, "/rtol"); !rtol.empty()) file["rtol"] = rtol;
    if (!tables.label.empty()) file["label"] = tables.label;
    if (!tables.columns.empty()) file["columns"] = tables.columns;
    ForeignFile table;
    table.options().read(file, "");
    for (const ForeignRun& one : read_foreign_results(table, *run).runs) steps.add(one);
  }
  Json config = {{"name", name_of(tables.files)},
                 {"experiment", "judge"},
                 {"title", title_of(tables)},
                 {"files", std::move(files)},
                 {"common", {{"problem", tables.problem}, {"t_end", run->t_end().text()}}},
                 {"runs", Json::array()}};
  if (!tables.order.empty()) config["order"] = tables.order;
  if (!tables.formulation.empty()) config["common"]["formulation"] = tables.formulation;
  if (!run->references().find(run->t_end())) config["certified"] = agreed_now(*run, on_missing);
  for (const std::string& method : tables.beside) {
    config["runs"].push_back(steps.of_our_runs());
    config["runs"].back()["method"] = config["runs"].back()["label"] = method;
  }
  return config;
}

}  // namespace daelab
