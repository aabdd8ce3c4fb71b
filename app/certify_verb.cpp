// certify: an enclosure of the motion of a problem, proved in interval arithmetic, and its certificate.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ctime>
#include <filesystem>

#include "app/commands.hpp"
#include "app/run_arguments.hpp"
#include "core/base/write_file.hpp"
#include "core/mechanism/state_names.hpp"
#include "core/start/start_options.hpp"
#include "experiments/references/enclosure_certificate.hpp"
#include "experiments/references/proved_state.hpp"
#include "results/reference.hpp"
#include "results/reference_file.hpp"

namespace daelab::app {
namespace {

namespace fs = std::filesystem;

// Larger certificates are not kept: the command gives them again.
constexpr std::size_t most_bytes = 400'000;

StartOptions start_of(const CertifyArguments& arguments) {
  StartOptions start = start_options(arguments.analysis, arguments.start);
  if (start.analysis != StartAnalysis::consistent)
    throw InputError("--start", "only consistent starts are enclosed: values that satisfy the constraints");
  return start;
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

// The solution with the state at the end of the certificate, which is put into it if it is not stored.
Json with_state(Json solution, const Json& certificate, const Json& start, std::size_t& place) {
  if (solution.is_null()) {
    solution = {{"problem", certificate.at("problem")}, {"route", enclosure_route}, {"states", Json::array()}};
    if (start != References::consistent_start) solution["start"] = start;
  }
  const Exact t(certificate.at("end").at("t").get<std::string>());
  const auto time = [](const Json& state) { return Exact(state.at("t").get<std::string>()).value(); };
  Json states = Json::array();
  bool is_stored = false;
  place = 0;
  for (const Json& state : solution.at("states")) {
    if (time(state) < t.value()) ++place;
    is_stored = is_stored || time(state) == t.value();
  }
  for (const Json& state : solution.at("states")) {
    if (states.size() == place && !is_stored) states.push_back(proved_state(certificate));
    states.push_back(state);
  }
  if (states.size() == place) states.push_back(proved_state(certificate));
  solution["states"] = states;
  return solution;
}

std::string shown(double x) { return fmt::format("{:.3g}", x); }

Json proof_of(const StateJudgement& judgement, const Json& certificate, double seconds) {
  return {{"digits", judgement.digits},
          {"steps", certificate.at("steps").size() - 1},
          {"cpu_seconds", fmt::format("{:.2g}", seconds)},
          {"condition", certificate.at("condition").at("largest")},
          {"relative_condition", shown(relative_condition(certificate))},
          {"off_by", shown(judgement.off_by)}};
}

// Beside the references of the problem: in the folder certificates/; variants of the file have their number.
void store_certificate(const fs::path& path, std::size_t variant, const std::string& t, const std::string& text,
                       Json& proof) {
  std::string stem = path.stem().string();
  if (stem.ends_with(".reference")) stem.resize(stem.size() - std::string_view(".reference").size());
  const std::string name =
      fmt::format("certificates/{}-{}{}.json", stem, t, variant > 0 ? fmt::format("-{}", variant) : "");
  if (text.size() > most_bytes) {
    fmt::print(stderr, "the certificate has {} kB and is not kept; allowed: {} kB (--to FILE writes it)\n",
               text.size() / 1000, most_bytes / 1000);
    return;
  }
  fs::create_directories((path.parent_path() / name).parent_path());
  write_named_file((path.parent_path() / name).string(), text);
  proof["certificate"] = name;
}

// 1 if a number that is stored is refuted.
int store(const CertifyArguments& arguments, const Json& certificate, const Json& start, double seconds) {
  const std::string usual =
      usual_reference_path(arguments.problem, certificate.at("problem").at("name").get<std::string>());
  const std::string path =
      arguments.folder.empty() ? usual : (fs::path(arguments.folder) / fs::path(usual).filename()).string();
  const PlacedSolution found = placed_solution(fs::exists(path) ? path : usual, certificate.at("problem"), start);
  std::size_t place = 0;
  Json solution = with_state(found.solution, certificate, start, place);
  Json& state = solution["states"][place];
  const StateJudgement judgement = judge_state(state, certificate);
  if (!judgement.refutation.empty()) {
    fmt::print(stderr, "refuted: t = {}: {}\n", state.at("t").get<std::string>(), judgement.refutation);
    return 1;
  }
  Json proof = proof_of(judgement, certificate, seconds);
  if (!arguments.folder.empty()) fs::create_directories(arguments.folder);
  if (!fs::exists(path) && fs::exists(usual)) fs::copy_file(usual, path);
  store_certificate(path, found.place, certificate.at("end").at("t").get<std::string>(), certificate.dump(1) + "\n",
                    proof);
  state["proved"] = proof;
  write_named_file(path, with_solution(solution, path).dump(1) + "\n");
  fmt::print(stderr, "stored in {}: proved to {} decimals\n", path, judgement.digits);
  return 0;
}

}  // namespace

int certify(const CertifyArguments& arguments) {
  const auto problem = Registry<Problem>::instance().make(arguments.problem, "--problem");
  const Exact t = arguments.t.empty() ? problem->end_time() : exact_from_json(arguments.t, "--t");
  CertifiedEnclosure proved;
  const double begin = cpu_seconds();
  StartOptions start = start_of(arguments);
  Json told_start = References::consistent_start;
  with_option_names([&] {
    const StartValues values = start.resolve(StateNames(*problem), "/start");
    if (values.replaces()) told_start = start.write();
    proved = enclosed_motion(*problem, t, arguments.digits, values);
  });
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
  return arguments.store ? store(arguments, json, told_start, seconds) : 0;
}

}  // namespace daelab::app
