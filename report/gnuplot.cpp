#include "report/gnuplot.hpp"

#include <stdexcept>

#include "core/base/process.hpp"
#include "core/integration/integrate.hpp"

namespace daelab {

void run_gnuplot(const std::string& folder, const std::string& script, const std::string& setup) {
  if (find_program("gnuplot").empty())
    throw std::runtime_error("cannot run gnuplot in " + folder + ": not found (figures need gnuplot with pdfcairo)");
  // Its defaults alone: a file of settings in the user's home would make figures differ between machines.
  // "./": the name of a figure may begin with a dash, as options do.
  const ProcessOutcome outcome = run_process({"gnuplot", "-d", "-e", setup, "./" + script}, folder);
  if (interrupt_requested) throw std::runtime_error("interrupted");
  if (outcome.code != 0)
    throw std::runtime_error("gnuplot failed on " + folder + "/" + script + ":\n" + outcome.output);
}

}  // namespace daelab
