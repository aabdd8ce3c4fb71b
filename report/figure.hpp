// Figures one journal column wide, drawn by gnuplot from a script an author can edit and run again.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "results/artifacts.hpp"

namespace daelab {

/// Writes <id>.gp and <id>.dat into `folder`, and draws <id>.svg and <id>.pdf as far as `formats`
/// asks for them. `result_dir` is where trajectory files are relative to; `command` is named in the
/// script. Returns the file names written. Throws std::runtime_error with gnuplot's message when it
/// fails.
std::vector<std::string> write_figure(const Figure& figure, const std::string& result_dir, const std::string& folder,
                                      const std::set<std::string>& formats, const std::string& command = "");

}  // namespace daelab
