// judge: results of other programs against the reference of a problem, as an experiment of the kind `judge`.
#include <fmt/format.h>

#include "app/run_and_report.hpp"
#include "app/run_arguments.hpp"
#include "lab/judge.hpp"
#include "lab/runs/config.hpp"
#include "lab/runs/run.hpp"

namespace daelab::app {
namespace {

void announce(const Run& run) {
  fmt::print(stderr, "no reference of {} at t = {} s is stored: computing one by two routes ...\n",
             spec_text(run.spec().problem), run.t_end().text());
}

ForeignTables tables_of(const JudgeArguments& arguments) {
  return {.files = arguments.files,
          .problem = arguments.problem,
          .formulation = arguments.formulation,
          .t_end = arguments.t_end,
          .beside = arguments.beside,
          .columns = arguments.columns,
          .h = arguments.h,
          .rtol = arguments.rtol,
          .label = arguments.label,
          .order = arguments.order};
}

}  // namespace

int judge(const JudgeArguments& arguments, const std::string& command) {
  Config config;
  with_option_names(
      [&] {
        const Json judged = judge_config(tables_of(arguments), announce);
        config = make_config(named_apart(judged, arguments.out), "judge.json");
        if (config.json["name"] != judged["name"])
          fmt::print(stderr, "{0}/{1} is another judgement and stays; this one is {0}/{2}\n", arguments.out,
                     judged["name"].get<std::string>(), config.name);
      },
      {"beside", "columns", "label", "order"});
  RunArguments run;
  run.out = arguments.out, run.quiet = arguments.quiet;
  return run_and_report({config}, run, command);
}

}  // namespace daelab::app
