// Papers: their configs carried out, and what they claim judged by the results.
#pragma once

#include <string>
#include <vector>

#include "lab/runs/schedule.hpp"
#include "results/artifacts.hpp"
#include "results/told_numbers.hpp"

namespace daelab {

/// Papers that can be reproduced: packs of the project.
std::vector<std::string> papers();
/// Throws InputError, with the nearest name, for any other name.
void require_paper(const std::string& paper);

/// What became of a paper.
struct Reproduction {
  std::string folder;  // of its result sets
  ScheduleSummary runs;
  std::vector<Judgement> judgements;  // none when it was interrupted
  std::vector<TextPassage> passages;  // of documents, as the results have them
};

/// Carries out all configs of a paper that are not stored yet, in the folder options.out_dir/<paper> (or
/// options.out_dir where it has that name), and judges every claim, finding and check; the verdicts are stored beside
/// the results. Passages of documents are compared with them. Throws InputError for a paper that is not known and for
/// wrong configs.
Reproduction reproduce(const std::string& paper, ScheduleOptions options = {});

/// Each verdict is the expected one.
bool as_expected(const std::vector<Judgement>& judgements);

}  // namespace daelab
