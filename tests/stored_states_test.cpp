// Every stored state that a run reaches in few steps: entries in the order of the problem, angles of its charts.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>

#include "core/base/json_file.hpp"
#include "core/base/paths.hpp"
#include "core/base/spec_text.hpp"
#include "lab/project.hpp"
#include "lab/runs/run.hpp"
#include "results/reference.hpp"
#include "results/reference_file.hpp"

namespace daelab {
namespace TEST_FILE {

// The record of the first method that reaches the end; null where none does.
Json reached(const Json& problem, const std::string& t) {
  for (const char* method : {"radau-iia:s=auto", "verner-87"}) {
    const Json spec{{"problem", problem}, {"method", method}, {"rtol", 1e-8}, {"t_end", t}, {"max_steps", 2000}};
    if (const Json record = Run::bind(spec, "")->execute().record; record["status"] == "ok") return record;
  }
  return {};
}

double size_of(const Json& values) {
  double largest = 1e-6;  // of bodies at rest
  for (const Json& value : values) largest = std::max(largest, std::abs(static_cast<double>(Real100(value.text()))));
  return largest;
}

TEST(StoredStates, AreWhatRunsReach) {
  load_project();
  int compared = 0;
  for (const auto& entry : std::filesystem::directory_iterator(project_path("results/reference"))) {
    const std::string name = entry.path().stem().string();
    // Its motions pass singular positions, where round-off decides how they go on.
    if (entry.path().extension() != ".json" || name == "n-four-bar") continue;
    if (!read_json_file(entry.path().string()).is_object()) continue;
    const Json solution = read_solutions(entry.path().string()).front();
    if (start_of_solution(solution) != References::consistent_start) continue;
    const Json& problem = solution.at("problem");
    for (const Json& state : solution.at("states")) {
      const Json record = reached(short_spec(problem), state.at("t").text());
      if (record.is_null()) continue;
      ++compared;
      ASSERT_TRUE(record["error"].is_object()) << name << " at " << state.at("t");
      for (const char* kind : {"q", "v", "y"})
        if (state.contains(kind) && record["error"].contains(kind) && !state[kind].empty())
          EXPECT_LT(record["error"][kind].get<double>(), 1e-3 * size_of(state[kind]))
              << name << ": " << kind << " at " << state.at("t");
    }
  }
  EXPECT_GT(compared, 120);
}

}  // namespace TEST_FILE
}  // namespace daelab
