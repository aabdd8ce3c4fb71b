// verdicts.json: what became of the claims of a config or of a paper, {"verdicts": [...], "checksum": "..."}.
#pragma once

#include <string>
#include <vector>

#include "results/artifacts.hpp"

namespace daelab {

/// Where they are in a folder.
std::string verdicts_path(const std::string& folder);

/// Writes them into `folder`; where there are none, those of an earlier evaluation go.
void write_verdicts(const std::vector<Judgement>& judgements, const std::string& folder);

/// Those in `folder`; none where there is no file, or no folder (""). Throws InputError when it is not as it was
/// written.
std::vector<Judgement> read_verdicts(const std::string& folder);

}  // namespace daelab
