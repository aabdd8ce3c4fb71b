#include "results/reference.hpp"

#include <filesystem>

#include "core/paths.hpp"

namespace daelab {
namespace {

Vector<Real50> numbers(const Json& list) {
  Vector<Real50> x(static_cast<Index>(list.size()));
  for (std::size_t i = 0; i < list.size(); ++i) x[static_cast<Index>(i)] = Real50(list[i].get<std::string>());
  return x;
}

bool same_problem(Json a, Json b) {
  a.erase("end_time"), b.erase("end_time");
  return a == b;
}

}  // namespace

std::string reference_path(const std::string& problem_name) {
  return project_path("results/reference/" + problem_name + ".json");
}

std::optional<ReferenceState> find_reference(const Json& problem_spec, const Exact& t) {
  const std::string path = reference_path(problem_spec.at("name").get<std::string>());
  if (!std::filesystem::exists(path)) return {};
  const Json file = read_json_file(path);
  if (!same_problem(file.at("problem"), problem_spec)) return {};
  for (const Json& state : file.at("states"))
    if (Exact(state.at("t").get<std::string>()).value() == t.value())
      return ReferenceState{numbers(state.at("q")), numbers(state.at("v")), numbers(state.at("a")),
                            numbers(state.at("lambda")), state.at("digits_trusted").get<int>(),
                            "results/reference/" + problem_spec.at("name").get<std::string>() +
                                ".json: " + file.at("route").get<std::string>()};
  return {};
}

}  // namespace daelab
