#include "results/reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>

#include "core/base/json_file.hpp"
#include "core/base/json_kind.hpp"
#include "core/base/once.hpp"
#include "core/base/paths.hpp"
#include "core/mechanism/problem.hpp"

namespace daelab {
namespace {

// Empty where the state has no such key.
Vector<Real50> numbers(const Json& state, const char* key) {
  const Json list = state.value(key, Json::array());
  Vector<Real50> x(static_cast<Index>(list.size()));
  for (std::size_t i = 0; i < list.size(); ++i) x[static_cast<Index>(i)] = Real50(list[i].get<std::string>());
  return x;
}

// A result, unlike a datum, may be below the range of double: y1 of e5 ends at 4e-366.
void check_number(const std::string& text, const std::string& where) {
  try {
    Exact{text};
  } catch (const InputError& error) {
    throw InputError(where, error.what());
  }
}

void check_state(const Json& state, const std::string& where) {
  exact_from_json(require_member(JsonKind::text, state, "t", where), where + "/t");
  require_member(JsonKind::number, state, "digits_trusted", where);
  for (const char* kind : {"q", "v", "a", "lambda", "y"}) {
    if (!state.contains(kind)) continue;
    const Json& values = require_member(JsonKind::list, state, kind, where);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::string place = fmt::format("{}/{}/{}", where, kind, i);
      check_number(require(JsonKind::text, values[i], place).get<std::string>(), place);
    }
  }
}

void check_solution(const Json& solution, const std::string& where) {
  require_member(JsonKind::text, require_member(JsonKind::object, solution, "problem", where), "name",
                 where + "/problem");
  require_member(JsonKind::text, solution, "route", where);
  const Json& states = require_member(JsonKind::list, solution, "states", where);
  for (std::size_t i = 0; i < states.size(); ++i) check_state(states[i], fmt::format("{}/states/{}", where, i));
}

// The solution itself, then those of other parameters.
std::vector<Json> read_solutions(const std::string& path) {
  Json file = read_json_file(path);
  require(JsonKind::object, file, path);
  std::vector<Json> list{Json()};
  if (file.contains("variants"))
    for (const Json& variant : require_member(JsonKind::list, file, "variants", path + ": ")) list.push_back(variant);
  file.erase("variants");
  list.front() = std::move(file);
  for (std::size_t i = 0; i < list.size(); ++i)
    check_solution(list[i], path + ": " + (i == 0 ? "" : fmt::format("/variants/{}", i - 1)));
  return list;
}

Json without_end(Json problem) {
  problem.erase("end_time");
  return problem;
}

}  // namespace

struct References::Solution {
  explicit Solution(Json solution)
      : json(std::move(solution)), problem(without_end(json.at("problem"))), numbers(json.at("states").size()) {
    for (const Json& state : json.at("states")) times.push_back(Exact(state.at("t").get<std::string>()).value());
  }

  Json json, problem;
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
      solutions.push_back(std::make_shared<const References::Solution>(std::move(solution)));
    reading = {time, size, std::make_shared<const Solutions>(std::move(solutions))};
  }
  return reading.solutions;
}

}  // namespace

bool same_problem(const Json& a, const Json& b) { return without_end(a) == without_end(b); }

std::string reference_path(const std::string& problem_name) {
  return project_path("results/reference/" + problem_name + ".json");
}

References::References(const Json& problem_spec) : problem_(problem_spec) {
  const std::string path = reference_path(problem_spec.at("name").get<std::string>());
  if (!std::filesystem::exists(path)) return;
  const Json problem = without_end(problem_spec);
  const auto solutions = solutions_of(path);
  const auto found = std::ranges::find(*solutions, problem, [](const auto& x) -> const Json& { return x->problem; });
  if (found != solutions->end()) solution_ = *found;
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
  return {{"route", solution_->json.at("route")}, {"state", solution_->json.at("states")[*place]}};
}

std::optional<ReferenceState> References::find(const Exact& t) const {
  const auto place = place_of(t);
  if (!place) return closed_form(t);
  return solution_->numbers[*place].get([&] {
    const Json& state = solution_->json.at("states")[*place];
    return ReferenceState{numbers(state, "q"),
                          numbers(state, "v"),
                          numbers(state, "a"),
                          numbers(state, "lambda"),
                          numbers(state, "y"),
                          state.at("digits_trusted").get<int>(),
                          "results/reference/" + problem_.at("name").get<std::string>() +
                              ".json: " + solution_->json.at("route").get<std::string>()};
  });
}

// In 50 digits; cancellation costs some of them.
std::optional<ReferenceState> References::closed_form(const Exact& t) const {
  if (problem_.is_null()) return {};
  std::call_once(once_, [this] {
    const auto problem = Registry<Problem>::instance().make(problem_, "/problem");
    if (problem->model(As<double>{})->mechanical() == nullptr) ordinary_ = problem;
  });
  if (!ordinary_) return {};
  const std::optional<Motion> motion = ordinary_->independent_solution(t.as<Real50>(), 50);
  if (!motion) return {};
  return ReferenceState{{}, {}, {}, {}, motion->s, 40, ordinary_->independent_route()};
}

Json stored_reference(const Json& problem_spec, const Exact& t) { return References(problem_spec).stored(t); }

std::optional<ReferenceState> find_reference(const Json& problem_spec, const Exact& t) {
  return References(problem_spec).find(t);
}

Json with_solution(const Json& solution) {
  const std::string path = reference_path(solution.at("problem").at("name").get<std::string>());
  if (!std::filesystem::exists(path)) return solution;
  std::vector<Json> list = read_solutions(path);
  const auto place = std::find_if(list.begin(), list.end(), [&](const Json& other) {
    return same_problem(other.at("problem"), solution.at("problem"));
  });
  if (place == list.end())
    list.push_back(solution);
  else
    *place = solution;
  Json file = list.front();
  for (std::size_t i = 1; i < list.size(); ++i) file["variants"].push_back(list[i]);
  return file;
}

}  // namespace daelab
