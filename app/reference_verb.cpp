// reference: solutions of a problem that two routes agree on, printed and stored.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/commands.hpp"
#include "app/run_arguments.hpp"
#include "core/base/write_file.hpp"
#include "core/expressions/constant_text.hpp"
#include "core/mechanism/problem.hpp"
#include "core/start/start_options.hpp"
#include "experiments/references/agreed_solution.hpp"
#include "results/reference.hpp"
#include "results/reference_file.hpp"

namespace daelab::app {
namespace {

std::vector<Exact> ascending_times(const ReferenceArguments& arguments) {
  const Real100 t_start = Registry<Problem>::instance().make(arguments.problem, "--problem")->start_time();
  std::vector<Exact> times;
  for (const std::string& time : arguments.times)
    if (times.push_back(exact_from_json(time, "--t")); times.back().value() <= t_start)
      throw InputError("--t", fmt::format("{} is out of range; allowed: above {}", time, constant_text(t_start)));
  std::ranges::sort(times, {}, [](const Exact& t) { return t.value(); });
  return times;
}

}  // namespace

int reference(const ReferenceArguments& arguments) {
  const std::vector<Exact> times = ascending_times(arguments);
  refuse_events(arguments.problem);
  Json solution;
  with_option_names([&] {
    solution = agreed_solution(arguments.problem, times, start_options(arguments.analysis, arguments.start));
  });
  const std::string usual = usual_reference_path(arguments.problem, solution.at("problem").at("name"));
  namespace fs = std::filesystem;
  const std::string path =
      arguments.folder.empty() ? usual : (fs::path(arguments.folder) / fs::path(usual).filename()).string();
  const std::string text = with_solution(solution, path).dump(1) + "\n";
  if (arguments.store) {
    if (!arguments.folder.empty()) fs::create_directories(arguments.folder);
    write_named_file(path, text);
    const bool is_usual = fs::weakly_canonical(path) == fs::weakly_canonical(usual);
    fmt::print(stderr, "stored in {}{}\n", path, is_usual ? "" : fmt::format("; runs look for it in {}", usual));
  }
  fmt::print("{}", text);
  return 0;
}

}  // namespace daelab::app
