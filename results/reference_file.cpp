#include "results/reference_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/base/json_file.hpp"
#include "core/base/json_kind.hpp"
#include "core/base/options.hpp"
#include "results/reference.hpp"

namespace daelab {
namespace {

// A result, unlike a datum, may be below the range of double: y1 of e5 ends at 4e-366.
void check_number(const std::string& text, const std::string& where) {
  try {
    Exact{text};
  } catch (const InputError& error) {
    throw InputError(where, error.what());
  }
}

constexpr const char* proof_numbers[] = {"cpu_seconds", "condition", "relative_condition", "off_by", "check_seconds"};
constexpr const char* proof_keys[] = {"digits",    "certificate",        "steps",  "cpu_seconds",
                                      "condition", "relative_condition", "off_by", "check_seconds"};

void check_proof(const Json& proof, const std::string& where) {
  require(JsonKind::object, proof, where);
  for (const auto& [key, value] : proof.items())
    if (std::ranges::find(proof_keys, key) == std::end(proof_keys))
      throw InputError(where, fmt::format("no key '{}'{} (known: {})", key,
                                          did_you_mean(key, {std::begin(proof_keys), std::end(proof_keys)}),
                                          fmt::join(proof_keys, ", ")));
  const Json& digits = require_member(JsonKind::number, proof, "digits", where);
  if (!digits.is_number_integer() || digits < 1)
    throw InputError(where + "/digits", fmt::format("must be a whole number above 0, not {}", digits.dump()));
  if (proof.contains("certificate")) require_member(JsonKind::text, proof, "certificate", where);
  if (proof.contains("steps")) require_member(JsonKind::number, proof, "steps", where);
  for (const char* key : proof_numbers)
    if (proof.contains(key)) check_number(require_member(JsonKind::text, proof, key, where), where + "/" + key);
}

void check_state(const Json& state, const std::string& where) {
  exact_from_json(require_member(JsonKind::text, state, "t", where), where + "/t");
  require_member(JsonKind::number, state, "digits_trusted", where);
  if (state.contains("route")) require_member(JsonKind::text, state, "route", where);
  if (state.contains("proved")) check_proof(state["proved"], where + "/proved");
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

// The first is the file itself.
Json joined(const std::vector<Json>& list) {
  Json file = list.front();
  for (std::size_t i = 1; i < list.size(); ++i) file["variants"].push_back(list[i]);
  return file;
}

// States of an earlier solution at times that this one does not have stay.
void keep_earlier_states(const Json& earlier, Json& solution) {
  const auto time_of = [](const Json& state) { return Exact(state.at("t").get<std::string>()).value(); };
  const auto is_sooner = [&](const Json& a, const Json& b) { return time_of(a) < time_of(b); };
  Json& states = solution["states"];
  for (const Json& state : earlier.at("states")) {
    if (std::ranges::any_of(states, [&](const Json& own) { return time_of(own) == time_of(state); })) continue;
    states.push_back(state);
    if (!state.contains("route") && earlier.at("route") != solution.at("route"))
      states.back()["route"] = earlier.at("route");
  }
  std::ranges::stable_sort(states.begin(), states.end(), is_sooner);
}

bool is_of(const Json& solution, const Json& problem, const Json& start) {
  return same_problem(solution.at("problem"), problem) && start_of_solution(solution) == start;
}

}  // namespace

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

bool same_problem(const Json& a, const Json& b) { return without_end(a) == without_end(b); }

Json start_of_solution(const Json& solution) { return solution.value("start", Json(References::consistent_start)); }

Json with_solution(const Json& solution, const std::string& path) {
  if (!std::filesystem::exists(path)) return solution;
  std::vector<Json> list = read_solutions(path);
  const auto place = std::ranges::find_if(
      list, [&](const Json& other) { return is_of(other, solution.at("problem"), start_of_solution(solution)); });
  if (place == list.end()) {
    list.push_back(solution);
  } else {
    const Json earlier = std::exchange(*place, solution);
    keep_earlier_states(earlier, *place);
  }
  return joined(list);
}

PlacedSolution placed_solution(const std::string& path, const Json& problem, const Json& start) {
  if (!std::filesystem::exists(path)) return {};
  std::vector<Json> list = read_solutions(path);
  const auto found = std::ranges::find_if(list, [&](const Json& other) { return is_of(other, problem, start); });
  return {static_cast<std::size_t>(found - list.begin()), found == list.end() ? Json() : *found};
}

std::string usual_reference_path(const Json& given, const std::string& name) {
  const std::string file = problem_file(given);
  return file.empty() ? reference_path(name) : reference_path_beside(file);
}

}  // namespace daelab
