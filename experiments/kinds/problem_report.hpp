// The result of the experiment `problem-report`: sketches of mechanisms and constants of problems.
#pragma once

#include <string>
#include <vector>

#include "lab/runs/problem_run.hpp"
#include "results/members.hpp"

namespace daelab {

struct ProblemReportResult {
  struct Card {
    std::string label;
    Json spec;
    std::vector<DrawnShape> shapes;  // empty where the problem draws nothing
    std::vector<DataTable> data;
  };
  std::vector<Card> cards;
};

/// {"series": [{"label", "spec", "status", "data": {TITLE: {NAME: value}}, "tables", "sketch"}]}: what claims point
/// into. "tables" have the meanings of the constants beside them.
void members(JsonMembers& json, ProblemReportResult& result);

}  // namespace daelab
