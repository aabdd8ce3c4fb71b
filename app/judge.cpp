// judge: results of other programs against the reference of a problem, as an experiment of the kind `judge`.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "app/run_and_report.hpp"
#include "core/base/folder_name.hpp"
#include "experiments/measures/foreign_results.hpp"
#include "experiments/references/certify.hpp"
#include "experiments/runs/config.hpp"

namespace daelab::app {
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
std::shared_ptr<const Run> bound_problem(const JudgeArguments& arguments) {
  Json run = {{"problem", arguments.problem}, {"method", arguments.beside.front()}, {"rtol", "1e-6"}, {"atol", "1e-6"}};
  if (!arguments.t_end.empty()) run["t_end"] = arguments.t_end;
  return Run::bind(run, "");
}

// The state of a reference that is computed and certified now.
Json certified_now(const Run& run) {
  fmt::print(stderr, "no reference of {} at t = {} s is stored: computing and certifying one ...\n",
             spec_text(run.spec().problem), run.t_end().text());
  const Json solution = certified_solution(run.spec().problem, {run.t_end()});
  Json state = solution.at("states")[0];
  state["source"] = fmt::format("computed for this judgement: {}", solution.at("route").get<std::string>());
  return state;
}

// A name of a result set: that of the first file.
std::string name_of(const std::string& file) {
  std::string name = std::filesystem::path(file).stem().string();
  std::ranges::replace_if(
      name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '_' && c != '.'; },
      '-');
  require_folder_name(name, "judge: the name of '" + file + "'");
  return name;
}

// What an option says of a file: one value for all, or one for each.
std::string of_file(const JudgeArguments& arguments, const std::vector<std::string>& values, std::size_t file,
                    const char* option) {
  if (values.size() > 1 && values.size() != arguments.files.size())
    throw InputError(option, fmt::format("{} values for {} files; allowed: one, or one for each file", values.size(),
                                         arguments.files.size()));
  return values.empty() ? "" : values[values.size() == 1 ? 0 : file];
}

Json config_of(const JudgeArguments& arguments) {
  const std::shared_ptr<const Run> run = bound_problem(arguments);
  Json files = Json::array();
  Steps steps;
  for (std::size_t i = 0; i < arguments.files.size(); ++i) {
    files.push_back({{"path", arguments.files[i]}});
    Json& file = files.back();
    if (const std::string h = of_file(arguments, arguments.h, i, "--h"); !h.empty()) file["h"] = h;
    if (const std::string rtol = of_file(arguments, arguments.rtol, i, "--rtol"); !rtol.empty()) file["rtol"] = rtol;
    if (!arguments.label.empty()) file["label"] = arguments.label;
    if (!arguments.columns.empty()) file["columns"] = arguments.columns;
    ForeignFile table;
    table.options().read(file, "");
    for (const ForeignRun& one : read_foreign_results(table, *run).runs) steps.add(one);
  }
  Json config = {
      {"name", name_of(arguments.files.front())},
      {"experiment", "judge"},
      {"title", fmt::format("{} judged on {}", std::filesystem::path(arguments.files.front()).filename().string(),
                            arguments.problem)},
      {"files", std::move(files)},
      {"common", {{"problem", arguments.problem}, {"t_end", run->t_end().text()}}},
      {"runs", Json::array()}};
  if (!arguments.order.empty()) config["order"] = arguments.order;
  if (!arguments.formulation.empty()) config["common"]["formulation"] = arguments.formulation;
  if (!run->references().find(run->t_end())) config["certified"] = certified_now(*run);
  for (const std::string& method : arguments.beside) {
    config["runs"].push_back(steps.of_our_runs());
    config["runs"].back()["method"] = config["runs"].back()["label"] = method;
  }
  return config;
}

}  // namespace

int judge(const JudgeArguments& arguments, const std::string& command) {
  const Config config = make_config(config_of(arguments), "judge.json");
  RunArguments run;
  run.out = arguments.out, run.quiet = arguments.quiet;
  return run_and_report({config}, run, command);
}

}  // namespace daelab::app
