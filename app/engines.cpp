#include "app/engines.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>
#include <utility>

#include "cluster/mpirun.hpp"
#include "cluster/ranks.hpp"
#include "cluster/run_as_array.hpp"
#include "cluster/run_on_ranks.hpp"
#include "core/base/context.hpp"
#include "core/base/input_error.hpp"
#include "core/base/process.hpp"
#include "core/base/strict_arithmetic.hpp"
#include "lab/runs/cells.hpp"

namespace daelab::app {
namespace {

// Of this process, made when first asked for; they last until main ends.
Ranks& ranks_of(const RunArguments& arguments) {
  if (make_ranks == nullptr) become_mpi_program(arguments.typed);
  static const std::unique_ptr<Ranks> ranks = make_ranks();
  return *ranks;
}

ScheduleSummary manage_ranks(const std::vector<Config>& configs, ScheduleOptions options, Ranks& ranks) {
  options.engine = engine_of(ranks);
  try {
    return run_configs(configs, options);
  } catch (const std::exception& error) {  // the workers would wait for ever
    fmt::print(stderr, "daelab: {}\n", error.what());
    ranks.abort(dynamic_cast<const InputError*>(&error) ? 2 : 1);
    throw;
  }
}

// One mpirun after the other, as long as each adds runs: a lost node or a time limit ends one of them.
ScheduleSummary start_ranks(const std::vector<Config>& configs, ScheduleOptions options,
                            const RunArguments& arguments) {
  std::vector<std::string> typed = arguments.typed;
  if (!arguments.no_report) typed.push_back("--no-report");
  if (strict_arithmetic()) typed.push_back("--strict");  // ranks elsewhere have another environment
  const std::vector<std::string> command = mpirun_command(typed, {arguments.engine.ranks, arguments.engine.mpirun});
  const int begin = count_missing(configs, options);
  options.force = false;  // the ranks have computed them again
  for (int missing = begin; missing > 0;) {
    const int code = run_in_foreground(command, interrupt_requested);
    if (interrupt_requested()) return {.interrupted = true};
    const int left = count_missing(configs, options);
    if (left >= missing)
      throw std::runtime_error(fmt::format("mpirun ended with exit code {}, and {} runs are missing", code, left));
    if (left > 0)
      fmt::print(stderr, "mpirun ended with exit code {}: starting again, {} of {} runs are missing\n", code, left,
                 begin);
    missing = left;
  }
  ScheduleSummary summary = run_configs(configs, options);
  summary.computed += begin, summary.reused -= begin;
  return summary;
}

ScheduleSummary submit(const std::vector<Config>& configs, const ScheduleOptions& options,
                       const RunArguments& arguments) {
  if (options.force) throw InputError("--force", "is not for --engine slurm: remove the result set instead");
  ArrayOptions array{arguments.engine.shards, arguments.engine.slurm, arguments.engine.inherited};
  if (strict_arithmetic()) array.arguments.push_back("--strict");  // a task may be started without this environment
  for (const std::string& change : arguments.overrides)
    array.arguments.insert(array.arguments.end(), {"--set", change});
  int computed = 0;
  for (const Config& config : configs) {
    const ArraySummary one = run_as_array(config, options, array);
    if (one.interrupted) return {.interrupted = true};
    computed += one.computed;
  }
  ScheduleSummary summary = run_configs(configs, options);
  summary.computed += computed, summary.reused -= computed;
  return summary;
}

}  // namespace

ScheduleSummary run_by_engine(const std::vector<Config>& configs, ScheduleOptions options,
                              const RunArguments& arguments) {
  const std::string& name = arguments.engine.name;
  if (name == "local") return run_configs(configs, options);
  if (name == "slurm") return submit(configs, options, arguments);
  if (name == "mpi" && started_as_rank()) return manage_ranks(configs, std::move(options), ranks_of(arguments));
  if (name == "mpi") return start_ranks(configs, std::move(options), arguments);
  const std::vector<std::string> known{"local", "mpi", "slurm"};
  throw InputError("--engine",
                   fmt::format("no engine '{}'{} (known: local, mpi, slurm)", name, did_you_mean(name, known)));
}

bool is_worker(const RunArguments& arguments) {
  return arguments.engine.name == "mpi" && started_as_rank() && !ranks_of(arguments).is_manager();
}

int work_for_manager(const RunArguments& arguments) {
  Ranks& ranks = ranks_of(arguments);
  std::vector<Config> configs;
  try {
    for (const std::string& path : arguments.configs) configs.push_back(read_config(path, arguments.overrides));
  } catch (const InputError&) {
    return 2;
  }
  serve_manager(ranks, configs);
  return 0;
}

Shard read_shard(const std::string& text) {
  Shard shard{0, 0};
  const char* const end = text.data() + text.size();
  const auto [slash, bad_index] = std::from_chars(text.data(), end, shard.index);
  if (bad_index == std::errc() && slash != end && *slash == '/')
    if (const auto [rest, bad_count] = std::from_chars(slash + 1, end, shard.count);
        bad_count == std::errc() && rest == end && 1 <= shard.index && shard.index <= shard.count)
      return shard;
  throw InputError("part", "'" + text + "' is no part of a set: i/n with i from 1 to n, as 3/8");
}

}  // namespace daelab::app
