// What the scripts of a page read: one JSON block with the curves, long tables, runs and motions of its result sets.
// Numbers of tables and results are not rounded. Curves that come from trajectories are thinned as in the drawings;
// they and the histories of steps have the digits that a plot can show.
#pragma once

#include <functional>
#include <string>

#include "core/base/json.hpp"
#include "report/page/page.hpp"

namespace daelab {

/// The command that makes a run again, alone, from its specification; "" where there is none.
using CommandOfRun = std::function<std::string(const Json& spec)>;

/// For a result set in this folder. What cannot be read is missing, and "missing" says so: a page is made of what there
/// is.
Json set_data(const Artifacts& artifacts, const std::string& result_dir, const CommandOfRun& command_of);

/// Runs in the order of their records, which have "key" and "spec"; what is left out of very many is added to
/// `missing`.
Json runs_data(std::vector<Json> records, const CommandOfRun& command_of, std::string& missing);

/// The data of a whole page as JSON.
std::string page_data(const Page& page);

}  // namespace daelab
