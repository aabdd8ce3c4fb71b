// certify: an enclosure of the motion of a problem, proved in interval arithmetic, and its certificate.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ctime>

#include "app/commands.hpp"
#include "app/run_arguments.hpp"
#include "core/base/write_file.hpp"
#include "core/mechanism/state_names.hpp"
#include "core/start/start_options.hpp"
#include "experiments/references/enclosure_certificate.hpp"

namespace daelab::app {
namespace {

StartValues start_of(const CertifyArguments& arguments, const Problem& problem) {
  Json run = Json::object();
  if (!arguments.analysis.empty()) run["start"] = arguments.analysis;
  add_start(arguments.start, run);
  StartOptions start;
  if (run.contains("start")) start.read(run["start"], "/start");
  if (start.analysis != StartAnalysis::consistent)
    throw InputError("--start", "only consistent starts are enclosed: values that satisfy the constraints");
  return start.resolve(StateNames(problem), "/start");
}

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// A centre without the decimals that are not proved.
std::string proved_decimals(const std::string& centre, int digits) {
  const std::size_t point = centre.find('.');
  return point == std::string::npos ? centre : centre.substr(0, point + 1 + static_cast<std::size_t>(digits));
}

void print_values(const std::vector<std::string>& names, const EnclosureSet& set, int digits, std::size_t first = 0) {
  for (std::size_t i = 0; i < names.size(); ++i)
    fmt::print("  {:<10} {:>} ± {}\n", names[i], proved_decimals(set.centre[first + i], digits), set.radii[first + i]);
}

std::vector<std::string> second_derivatives(const CertifiedEnclosure& proved) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < proved.equations.coordinates; ++i) names.push_back(proved.equations.task.names[i] + "''");
  return names;
}

void print_proved(const Problem& problem, const CertifiedEnclosure& proved, const Json& json, double seconds) {
  const MotionEnclosure& enclosure = proved.enclosure;
  const EnclosedEquations& equations = proved.equations;
  fmt::print("{} at t = {}: proved to {} decimals\n", problem.name(), enclosure.end.t, enclosure.digits);
  print_values(equations.task.names, enclosure.end, enclosure.digits);
  print_values(second_derivatives(proved), enclosure.solved, enclosure.digits);
  fmt::print("steps         {}, order {}, {} bits ({})\n", enclosure.steps.size() - 1, enclosure.order,
             enclosure.precision, proved.engine);
  fmt::print("CPU time      {:.2g} s\n", seconds);
  fmt::print("growth        {} of deviations at the start, at most\n",
             json.at("condition").at("largest").get<std::string>());
  if (equations.constraints > 0 && equations.independent.size() < equations.constraints)
    fmt::print("constraints   {} of {} are independent and used; the others hold within the enclosure\n",
               equations.independent.size(), equations.constraints);
  fmt::print("start         {}\n",
             equations.fixed.size() == equations.task.names.size()
                 ? "as given"
                 : fmt::format("from {}, the others by the constraints", fmt::join(equations.fixed, ", ")));
}

}  // namespace

int certify(const CertifyArguments& arguments) {
  const auto problem = Registry<Problem>::instance().make(arguments.problem, "--problem");
  const Exact t = arguments.t.empty() ? problem->end_time() : exact_from_json(arguments.t, "--t");
  CertifiedEnclosure proved;
  const double begin = cpu_seconds();
  with_option_names([&] { proved = enclosed_motion(*problem, t, arguments.digits, start_of(arguments, *problem)); });
  const double seconds = cpu_seconds() - begin;
  const MotionEnclosure& enclosure = proved.enclosure;
  if (!enclosure.refusal.empty() || enclosure.digits < arguments.digits) {
    fmt::print(stderr, "not enclosed: t = {:.6g}: {}{}\n", enclosure.reached,
               enclosure.refusal.empty()
                   ? fmt::format("{} decimals are proved, not {}", enclosure.digits, arguments.digits)
                   : enclosure.refusal,
               enclosure.help.empty() ? "" : "; what would help: " + enclosure.help);
    return 1;
  }
  const Json json = certificate(*problem, proved);
  if (!arguments.to.empty()) write_named_file(arguments.to, json.dump(1) + "\n");
  if (arguments.json)
    fmt::print("{}\n", json.dump(1));
  else
    print_proved(*problem, proved, json, seconds);
  return 0;
}

}  // namespace daelab::app
