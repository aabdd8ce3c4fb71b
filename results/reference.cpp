#include "results/reference.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>

#include "core/base/json_file.hpp"
#include "core/base/json_kind.hpp"
#include "core/base/once.hpp"
#include "core/base/options.hpp"
#include "core/base/paths.hpp"
#include "core/base/spec_text.hpp"
#include "core/mechanism/problem.hpp"
#include "results/reference_file.hpp"

namespace daelab {
namespace {

// Empty where the state has no such key.
Vector<Real50> numbers(const Json& state, const char* key) {
  const Json list = state.value(key, Json::array());
  Vector<Real50> x(static_cast<Index>(list.size()));
  for (std::size_t i = 0; i < list.size(); ++i) x[static_cast<Index>(i)] = Real50(list[i].get<std::string>());
  return x;
}

// A state that was stored for itself has its own.
const Json& route_of(const Json& solution, const Json& state) {
  return state.contains("route") ? state.at("route") : solution.at("route");
}

ReferenceProof proof_in(const Json& json) {
  return {json.at("digits").get<int>(), json.value("certificate", ""), json.value("cpu_seconds", ""),
          json.value("condition", "")};
}

bool has_own_values(const Json& start) {
  return start.is_object() && std::ranges::any_of(std::array{"q", "v", "y"}, [&](const char* key) {
           return start.contains(key) && !start[key].is_null();
         });
}

// Values of the problem that satisfy its constraints, as those of a solution without a start do, stay what they are
// where they are projected.
bool same_start(const Json& of_solution, const Json& of_run) {
  return of_solution == of_run || (of_solution == References::consistent_start && !has_own_values(of_run));
}

}  // namespace

struct References::Solution {
  Solution(Json solution, std::string its_file)
      : json(std::move(solution)),
        problem(without_end(json.at("problem"))),
        start(start_of_solution(json)),
        file(std::move(its_file)),
        numbers(json.at("states").size()) {
    for (const Json& state : json.at("states")) times.push_back(Exact(state.at("t").get<std::string>()).value());
  }

  Json json, problem, start;
  std::string file;
  std::vector<Real100> times;                 // of its states
  std::vector<Once<ReferenceState>> numbers;  // of its states, each when it is first asked for
};

namespace {

using Solutions = std::vector<std::shared_ptr<const References::Solution>>;

// Read and checked once, and again when the file has changed: every run asks for its reference, for its key and its
// error.
std::shared_ptr<const Solutions> solutions_of(const std::string& path) {
  struct Reading {
    std::filesystem::file_time_type time;
    std::uintmax_t size;
    std::shared_ptr<const Solutions> solutions;
  };
  static std::mutex mutex;
  static std::map<std::string, Reading> readings;
  const std::scoped_lock lock(mutex);
  Reading& reading = readings[path];
  const auto time = std::filesystem::last_write_time(path);
  const std::uintmax_t size = std::filesystem::file_size(path);
  if (!reading.solutions || reading.time != time || reading.size != size) {
    Solutions solutions;
    for (Json& solution : read_solutions(path))
      solutions.push_back(std::make_shared<const References::Solution>(std::move(solution), path));
    reading = {time, size, std::make_shared<const Solutions>(std::move(solutions))};
  }
  return reading.solutions;
}

// " --start project --fix q1": what a run says of its start, as options.
std::string start_arguments(const Json& start) {
  const Json keys = start.is_object() ? start : Json{{"analysis", start}};
  std::string arguments;
  for (const auto& [key, value] : keys.items()) {
    std::string text = value.is_string() ? value.get<std::string>() : "";
    if (value.is_object())
      for (const auto& [name, number] : value.items())
        text += fmt::format("{}{}={}", text.empty() ? "" : ",", name, number.get<std::string>());
    std::string option = key == "analysis" ? "start" : key;
    std::ranges::replace(option, '_', '-');
    arguments += fmt::format(" --{} {}", option, text);
  }
  return arguments;
}

// Without folders, which are others on every machine, and of its copy, where that is read, the name of the file itself.
std::string shown_file(const References::Solution& solution, const Json& problem, const Json& given) {
  const std::string name = problem.at("name").get<std::string>();
  if (solution.file == reference_path(name)) return "results/reference/" + name + ".json";
  return std::filesystem::path(reference_path_beside(problem_file(given))).filename().string();
}

// The file beside that of the problem, or its copy; "" where there is none.
std::string stored_beside(const Json& given) {
  const std::string file = problem_file(given);
  if (file.empty()) return "";
  const std::string absolute = absolute_path(reference_path_beside(file)), path = path_to_read(absolute);
  const bool is_copied = !copies_are_read() || path != absolute;
  return is_copied && std::filesystem::exists(path) ? path : "";
}

std::shared_ptr<const References::Solution> solution_in(const std::string& path, const Json& problem,
                                                        const Json& start) {
  if (path.empty() || !std::filesystem::exists(path)) return nullptr;
  const auto solutions = solutions_of(path);
  const auto found = std::ranges::find_if(
      *solutions, [&](const auto& x) { return x->problem == problem && same_start(x->start, start); });
  return found == solutions->end() ? nullptr : *found;
}

}  // namespace

std::string ReferenceState::digits_text() const {
  if (is_closed_form) return fmt::format("a closed form, to {} digits", digits_trusted);
  const std::string agreed = fmt::format("agreed by two routes to {} digits", digits_trusted);
  if (!proof) return agreed;
  const std::string proved = fmt::format("proved to {} digits", proof->digits);
  return proof->digits < digits_trusted ? proved + ", " + agreed : proved;
}

std::string reference_path(const std::string& problem_name) {
  return project_path("results/reference/" + problem_name + ".json");
}

std::string reference_path_beside(const std::string& problem_file) {
  std::filesystem::path path = problem_file;
  return path.replace_extension(".reference.json").string();
}

std::string problem_file(const Json& given) {
  const Json name = given.is_object() ? given.value("name", Json()) : given;
  return name.is_string() ? spec_file(name.get<std::string>()) : "";
}

References::References(const Json& problem_spec, const Json& start, const Json& given)
    : problem_(problem_spec), start_(start), given_(given) {
  solution_ = find_solution();
}

std::shared_ptr<const References::Solution> References::find_solution() const {
  const Json problem = without_end(problem_);
  if (auto beside = solution_in(stored_beside(given_), problem, start_)) return beside;
  return solution_in(reference_path(problem_.at("name").get<std::string>()), problem, start_);
}

bool References::are_current() const {
  const bool reads_no_file = start_.is_null();
  return reads_no_file || find_solution() == solution_;
}

std::string References::storing_command(const Exact& t) const {
  if (problem_.is_null() || is_problem_document(given_)) return "";
  const Json named = problem_file(given_).empty() ? without_end(problem_) : given_;
  std::string command = fmt::format("daelab reference '{}' --t {}",
                                    named.is_string() ? named.get<std::string>() : spec_text(named), t.text());
  if (start_ != consistent_start) command += start_arguments(start_);
  return command + " --store";
}

References References::of_closed_form(const Json& problem_spec) { return {problem_spec, ClosedFormOnly{}}; }

std::optional<std::size_t> References::place_of(const Exact& t) const {
  if (!solution_) return {};
  const auto found = std::ranges::find(solution_->times, t.value());
  if (found == solution_->times.end()) return {};
  return static_cast<std::size_t>(found - solution_->times.begin());
}

Json References::stored(const Exact& t) const {
  const auto place = place_of(t);
  if (!place) return {};
  const Json& state = solution_->json.at("states")[*place];
  return {{"route", route_of(solution_->json, state)}, {"state", state}};
}

std::optional<ReferenceState> References::find(const Exact& t) const {
  const auto place = place_of(t);
  if (!place) return closed_form(t);
  return solution_->numbers[*place].get([&] {
    const Json& state = solution_->json.at("states")[*place];
    return ReferenceState{
        numbers(state, "q"),
        numbers(state, "v"),
        numbers(state, "a"),
        numbers(state, "lambda"),
        numbers(state, "y"),
        state.at("digits_trusted").get<int>(),
        shown_file(*solution_, problem_, given_) + ": " + route_of(solution_->json, state).get<std::string>(),
        state.contains("proved") ? std::optional(proof_in(state.at("proved"))) : std::nullopt};
  });
}

// In 50 digits; cancellation costs some of them.
std::optional<ReferenceState> References::closed_form(const Exact& t) const {
  if (problem_.is_null() || has_own_values(start_)) return {};
  std::call_once(once_, [this] {
    const auto problem = Registry<Problem>::instance().make(problem_, "/problem");
    if (problem->model(As<double>{})->mechanical() == nullptr) ordinary_ = problem;
  });
  if (!ordinary_) return {};
  const std::optional<Motion> motion = ordinary_->independent_solution(t.as<Real50>(), 50);
  if (!motion) return {};
  ReferenceState state{{}, {}, {}, {}, motion->s, 40, ordinary_->independent_route()};
  state.is_closed_form = true;
  return state;
}

Json stored_reference(const Json& problem_spec, const Exact& t) { return References(problem_spec).stored(t); }

std::optional<ReferenceState> find_reference(const Json& problem_spec, const Exact& t) {
  return References(problem_spec).find(t);
}

}  // namespace daelab
