// pack new, check, build: packs of a user's own experiments.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <map>

#include "app/argument_checks.hpp"
#include "app/commands.hpp"
#include "app/pack_options.hpp"
#include "app/reproduced_pack.hpp"
#include "app/run_output.hpp"
#include "app/terminal.hpp"
#include "core/base/input_error.hpp"
#include "core/base/write_file.hpp"
#include "lab/pack_maker.hpp"

namespace daelab::app {
namespace {

namespace fs = std::filesystem;

// The folder of a pack in the making, removed unless it was finished.
class UnfinishedFolder {
 public:
  explicit UnfinishedFolder(std::string path) : path_(std::move(path)) {}
  ~UnfinishedFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  UnfinishedFolder(const UnfinishedFolder&) = delete;
  UnfinishedFolder& operator=(const UnfinishedFolder&) = delete;
  void finish() { path_.clear(); }

 private:
  std::string path_;
};

int print_remarks(const std::vector<PackRemark>& remarks) {
  for (const PackRemark& remark : remarks) print_wrapped(fmt::format("{}: {}", remark.place, remark.what), 2);
  return remarks.empty() ? 0 : 1;
}

ReproduceArguments quiet_reproduction(const PackArguments& arguments) {
  ReproduceArguments reproduction;
  reproduction.out = arguments.out, reproduction.jobs = arguments.jobs, reproduction.quiet = true;
  return reproduction;
}

int pack_new(const PackArguments& arguments) {
  const Pack empty = lay_out_pack({.folder = arguments.pack,
                                   .configs = arguments.configs,
                                   .title = arguments.title,
                                   .authors = arguments.authors,
                                   .licence = arguments.licence,
                                   .out_dir = arguments.out});
  UnfinishedFolder unfinished(empty.folder);
  const Reproduction results = daelab::reproduce(empty, {.out_dir = arguments.out,
                                                         .jobs = arguments.jobs,
                                                         .quiet = arguments.quiet,
                                                         .command = "./daelab reproduce " + arguments.pack});
  if (results.runs.interrupted) return stop_interrupted(results.folder);
  const int left_out = claim_results(empty, arguments.out);
  unfinished.finish();
  std::string counts;
  const Pack pack = pack_in(empty.folder);
  const int code = reproduce_pack(pack, arguments.pack, quiet_reproduction(arguments), counts);
  if (arguments.quiet || code == interrupted) return code;
  fmt::print("{}", counts);
  if (left_out > 0)
    print_wrapped(
        fmt::format("{} numbers of tables have no claim: times, and what no result holds, such as orders "
                    "between two step sizes",
                    left_out));
  print_wrapped(fmt::format("{}/{} holds the claims: keep those that your paper prints, and give them its places",
                            arguments.pack, pack_file_name));
  return code;
}

int pack_check(const PackArguments& arguments) {
  const std::vector<PackRemark> remarks = check_pack(open_pack(arguments.pack, arguments.out), arguments.out);
  if (remarks.empty() && !arguments.quiet) fmt::print("{}: nothing is missing\n", arguments.pack);
  return print_remarks(remarks);
}

int pack_build(const PackArguments& arguments) {
  const Pack pack = open_pack(arguments.pack, arguments.out);
  if (!arguments.to.ends_with(".zip")) throw InputError("--to", "must end with .zip");
  if (!has_current_results(pack, arguments.out)) {
    std::string counts;
    if (const int code = reproduce_pack(pack, arguments.pack, quiet_reproduction(arguments), counts); code != 0)
      return code;
  }
  if (const int code = print_remarks(check_pack(pack, arguments.out)); code != 0) {
    fmt::print(stderr, "nothing is built: mend what is said above\n");
    return code;
  }
  const std::string bytes = artifact_of(pack, arguments.out);
  write_file(arguments.to, bytes);
  if (!arguments.quiet) fmt::print("{}: {:.1f} MB\n", arguments.to, static_cast<double>(bytes.size()) / 1e6);
  return 0;
}

using Action = int (*)(const PackArguments&);
const std::map<std::string, Action>& actions() {
  static const std::map<std::string, Action> all{{"new", pack_new}, {"check", pack_check}, {"build", pack_build}};
  return all;
}

}  // namespace

void add_pack_verb(CLI::App& app, PackArguments& arguments, Candidates& candidates, int& code) {
  CLI::App& verb =
      *app.add_subcommand("pack", "papers of your own as folders that others can check: new, check, build");
  std::vector<std::string> names;
  for (const auto& [name, action] : actions()) names.push_back(name);
  candidates[verb.add_option(
                     "action", arguments.action,
                     "new: make a pack of configs, with a claim for each number of their tables; check: what it "
                     "lacks; build: put it, its results and report into one file, an RO-Crate")
                 ->required()] = [names](const auto&) { return names; };
  candidates[verb.add_option("pack", arguments.pack,
                             "folder; of check and build also a .zip file or the name of a paper")
                 ->required()] = [](const auto&) { return papers(); };
  verb.add_option("configs", arguments.configs, "of new: JSON files or result sets; default: all result sets in --out");
  verb.add_option("--title", arguments.title, "of new; default: that of the first config");
  verb.add_option("--author", arguments.authors, "of new: a name; repeat it for more")
      ->take_all()
      ->allow_extra_args(false);
  verb.add_option("--licence", arguments.licence, "of new, as SPDX names it: CC-BY-4.0");
  verb.add_option("--to", arguments.to, "of build: the .zip file to write");
  verb.add_option("-o,--out", arguments.out, "folder of the results")->capture_default_str();
  verb.add_option("-j,--jobs", arguments.jobs, "runs at a time; 0: one per core")->check(job_number);
  verb.add_flag("-q,--quiet", arguments.quiet, "print only what is wrong");
  verb.callback([&] { code = pack(arguments); });
}

int pack(const PackArguments& arguments) {
  const auto action = actions().find(arguments.action);
  std::vector<std::string> names;
  for (const auto& [name, function] : actions()) names.push_back(name);
  if (action == actions().end())
    throw InputError(fmt::format("pack: no action '{}'{} (known: {})", arguments.action,
                                 did_you_mean(arguments.action, names), fmt::join(names, ", ")));
  if (!arguments.configs.empty() && arguments.action != "new")
    throw InputError(
        fmt::format("pack {}: one pack is allowed, and '{}' is more", arguments.action, arguments.configs.front()));
  return action->second(arguments);
}

}  // namespace daelab::app
