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

Json json_of(const Candidate& candidate) {
  const Run& run = *candidate.run;
  return {{"method", run.spec().method.text()},
          {"formulation", run.formulation_text()},
          {"rtol", tolerance_of(candidate)},
          {"status", to_string(candidate.record.status)},
          {"digits", std::isfinite(candidate.digits) ? Json(candidate.digits) : Json()},
          {"seconds", candidate.record.stats.seconds()},
          {"steps", candidate.record.stats.steps},
          {"command", solve_command(Json(candidate.record)["spec"])}};
}

Json json_of(const Choice& choice) {
  Json json{{"reference", choice.reference}, {"reached", Json::array()}, {"missed", Json::array()}};
  for (const Candidate& candidate : choice.reached) json["reached"].push_back(json_of(candidate));
  for (const Candidate& candidate : choice.missed) json["missed"].push_back(json_of(candidate));
  return json;
}

// What speaks for a run and what against it.
std::string reason(const Candidate& candidate) {
  const RunRecord& record = candidate.record;
  std::string text = record.stats.factorizations > 0
                         ? fmt::format("{} steps, {} factorisations", record.stats.steps, record.stats.factorizations)
                         : fmt::format("{} steps without linear systems", record.stats.steps);
  if (record.max.position_constraint && *record.max.position_constraint > 0)
    text += fmt::format("; constraints are violated by {:.0e} at most",
                        static_cast<double>(*record.max.position_constraint));
  for (const Warning& warning : record.warnings) text += "; warning " + warning.kind;
  return text;
}

void print_row(const Candidate& candidate) {
  const Run& run = *candidate.run;
  fmt::print("  {:<20} {:<12} {:<7} {:>6.1f} {:>9.3g} ms\n", run.spec().method.text(),
             run.is_ode() ? "-" : run.formulation_text(), tolerance_of(candidate), std::min(candidate.digits, 99.),
             1e3 * candidate.record.stats.seconds());
}

void print_choice(const Choice& choice, int digits) {
  print_wrapped(fmt::format("{} digits of {}; errors against {}", digits,
                            choice.reached.empty() ? "the solution" : choice.reached.front().run->classes().front(),
                            choice.reference),
                2);
  fmt::print("  {:<20} {:<12} {:<7} {:>6} {:>12}\n", "method", "formulation", "rtol", "digits", "time");
  for (std::size_t i = 0; i < std::min(most_shown, choice.reached.size()); ++i) {
    print_row(choice.reached[i]);
    print_wrapped("    " + reason(choice.reached[i]), 4);
  }
  const std::size_t reached = choice.reached.size();
  if (reached > most_shown) fmt::print("{} more reach them: --json\n", reached - most_shown);
  for (const Candidate& candidate : choice.missed)
    print_wrapped(fmt::format("{} on {}: {}", candidate.run->spec().method.text(), candidate.run->formulation_text(),
                              candidate.record.ok()
                                  ? fmt::format("{:.1f} digits", candidate.digits)
                                  : fmt::format("{}: {}", to_string(candidate.record.status), candidate.record.cause)),
                  2);
  if (!choice.reached.empty()) fmt::print("\n  {}\n", solve_command(Json(choice.reached.front().record)["spec"]));
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
    fmt::print("{}\n", json_of(choice).dump(2));
  else
    print_choice(choice, arguments.digits);
  return choice.reached.empty() ? 1 : 0;
}

}  // namespace daelab::app
