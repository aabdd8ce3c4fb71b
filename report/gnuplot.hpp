// gnuplot as a child process.
#pragma once

#include <string>

namespace daelab {

/// Runs `gnuplot -e <setup> <script>` in `folder`. Throws std::runtime_error with gnuplot's own
/// message when it fails or is not installed.
void run_gnuplot(const std::string& folder, const std::string& script, const std::string& setup);

}  // namespace daelab
