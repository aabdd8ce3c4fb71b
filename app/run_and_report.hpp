// The way from configs to what the user sees: runs, verdicts, report, the main table in the terminal.
#pragma once

#include <string>
#include <vector>

#include "app/commands.hpp"
#include "lab/runs/config.hpp"

namespace daelab::app {

/// Of `arguments` all but the names of configs and their changes. Returns the exit code.
int run_and_report(const std::vector<Config>& configs, const RunArguments& arguments, const std::string& command);

}  // namespace daelab::app
