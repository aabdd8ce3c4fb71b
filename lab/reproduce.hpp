// Papers, which are packs (results/packs.hpp): their configs carried out, and what they claim judged by the results.
#pragma once

#include <string>
#include <vector>

#include "lab/runs/schedule.hpp"
#include "results/artifacts.hpp"
#include "results/packs.hpp"
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

/// Methods in Python that a pack from elsewhere brings: programs that may do anything.
enum class PackPython {
  refused,    // such a pack is not carried out
  registered  // who called has run them
};

/// The pack of this name of the project, in this folder, or in this .zip file, which is unpacked to
/// out_dir/<name>/pack/. Throws InputError for anything else, and for a pack that is not as it must be.
Pack open_pack(const std::string& pack, const std::string& out_dir);

/// Where the results of a pack go: out_dir/<name>, or `out_dir` where that is its last part.
std::string results_folder(const std::string& paper, const std::string& out_dir);

/// Carries out all configs of a pack that are not stored yet, in results_folder(), and judges every claim, finding and
/// check; the verdicts are stored beside the results. Passages of documents are compared with them. Throws InputError
/// for wrong configs, and where those of a pack from elsewhere name files outside of it. In a context of its own such a
/// pack does not learn of its interruption.
/// `only`: these result sets, and what they decide; none: all.
Reproduction reproduce(const Pack& pack, ScheduleOptions options = {}, PackPython python = PackPython::refused,
                       const std::vector<std::string>& only = {});
/// The same of open_pack().
Reproduction reproduce(const std::string& paper, ScheduleOptions options = {});

/// Each verdict is the expected one.
bool as_expected(const std::vector<Judgement>& judgements);

}  // namespace daelab
