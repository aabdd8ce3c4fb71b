// choose: which method and formulation are cheapest on a problem, tried on the spot.
#include <fmt/format.h>
#include <unistd.h>

#include <cmath>

#include "app/commands.hpp"
#include "app/solve_command.hpp"
#include "app/terminal.hpp"
#include "lab/choose.hpp"

namespace daelab::app {
namespace {

constexpr std::size_t most_shown = 3;

std::string tolerance_of(const Candidate& candidate) { return candidate.run->spec().rtol->text(); }

// The command that makes the run again.
std::string command_of(const Candidate& candidate, const ChooseArguments& arguments) {
  std::string command = "./daelab solve " + quoted(arguments.problem);
  if (!candidate.formulation.empty()) command += " --formulation " + candidate.formulation;
  command += fmt::format(" --method {0} --rtol {1} --atol {1}", candidate.method, tolerance_of(candidate));
  return arguments.t_end.empty() ? command : command + " --t-end " + quoted(arguments.t_end);
}

Json json_of(const Candidate& candidate, const ChooseArguments& arguments) {
  return {{"method", candidate.method},
          {"formulation", candidate.formulation},
          {"rtol", tolerance_of(candidate)},
          {"status", to_string(candidate.record.status)},
          {"digits", std::isfinite(candidate.digits) ? Json(candidate.digits) : Json()},
          {"seconds", candidate.record.stats.seconds()},
          {"steps", candidate.record.stats.steps},
          {"command", command_of(candidate, arguments)}};
}

Json json_of(const Choice& choice, const ChooseArguments& arguments) {
  Json json{{"reference", choice.reference}, {"reached", Json::array()}, {"missed", Json::array()}};
  for (const Candidate& candidate : choice.reached) json["reached"].push_back(json_of(candidate, arguments));
  for (const Candidate& candidate : choice.missed) json["missed"].push_back(json_of(candidate, arguments));
  return json;
}

// What speaks for a run and what against it.
std::string reason(const Candidate& candidate) {
  const RunRecord& record = candidate.record;
  std::string text = fmt::format("{} steps, ", record.stats.steps);
  if (record.stats.newton_iterations > 0)
    text += fmt::format("{} iterations of Newton's method", record.stats.newton_iterations);
  else
    text += fmt::format("{} evaluations", record.stats.residuals);
  if (record.max.position_constraint && *record.max.position_constraint > 0)
    text += fmt::format("; constraints are violated by {:.0e} at most",
                        static_cast<double>(*record.max.position_constraint));
  for (const Warning& warning : record.warnings) text += "; warning " + warning.kind;
  return text;
}

std::string name_of(const Candidate& candidate) {
  return candidate.formulation.empty() ? candidate.method : candidate.method + " on " + candidate.formulation;
}

void print_choice(const Choice& choice, const ChooseArguments& arguments) {
  print_wrapped(fmt::format("{} digits of positions; errors against {}", arguments.digits, choice.reference), 2);
  fmt::print("{}\n",
             tinted(Tint::strong, fmt::format("  {:<32} {:<7} {:>6} {:>12}", "method", "rtol", "digits", "time")));
  for (std::size_t i = 0; i < std::min(most_shown, choice.reached.size()); ++i) {
    const Candidate& candidate = choice.reached[i];
    fmt::print("  {:<32} {:<7} {:>6.1f} {:>9.3g} ms\n    {}\n", name_of(candidate), tolerance_of(candidate),
               std::min(candidate.digits, 99.), 1e3 * candidate.record.stats.seconds(), reason(candidate));
  }
  if (const std::size_t reached = choice.reached.size(); reached > most_shown)
    fmt::print("{} more reach them: --json\n", reached - most_shown);
  for (const Candidate& candidate : choice.missed) {
    const RunRecord& record = candidate.record;
    print_wrapped(
        fmt::format("missed by {}: {}", name_of(candidate),
                    record.ok() ? fmt::format("{:.1f} digits", candidate.digits)
                                : fmt::format("{}, {}", tinted(Tint::bad, to_string(record.status)), record.cause)),
        2);
  }
  if (!choice.reached.empty()) fmt::print("\n  {}\n", command_of(choice.reached.front(), arguments));
}

}  // namespace

int choose(const ChooseArguments& arguments) {
  const bool shows = isatty(STDERR_FILENO) != 0;
  const Choice choice = choose_methods(arguments.problem, arguments.t_end, arguments.digits,
                                       [&](std::size_t done, std::size_t all, const auto& next) {
                                         if (shows) fmt::print(stderr, "\r\033[K{} of {}: {}", done, all, next);
                                       });
  if (shows) fmt::print(stderr, "\r\033[K");
  if (arguments.json)
    fmt::print("{}\n", json_of(choice, arguments).dump(2));
  else
    print_choice(choice, arguments);
  return choice.reached.empty() ? 1 : 0;
}

}  // namespace daelab::app
