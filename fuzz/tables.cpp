// Tables that other programs wrote, by the kinds of files that `judge` takes.
#include "core/base/input_error.hpp"
#include "experiments/measures/foreign_results.hpp"
#include "fuzz/target.hpp"

namespace daelab::fuzzing {
namespace {

const Run& judged_run() {
  static const std::shared_ptr<const Run> run = [] {
    RunSpec spec;
    spec.problem = "prothero-robinson", spec.method = "radau-iia:s=3", spec.rtol = spec.atol = "1e-6";
    return Run::of(std::move(spec));
  }();
  return *run;
}

// Gives names to the columns of arrays without any, so that their numbers are read, too.
void read_as_table(const std::string& name, const std::string& input) {
  ForeignFile file;
  file.path = scratch_file(name, input);
  try {
    read_foreign_results(file, judged_run());
  } catch (const InputError&) {
    file.columns = {"1=h", "2=y1"};
    read_foreign_results(file, judged_run());
  }
}

const TargetEntry entries[] = {{"csv", [](const std::string& input) { read_as_table("table.csv", input); }},
                               {"npy", [](const std::string& input) { read_as_table("table.npy", input); }},
                               {"npz", [](const std::string& input) { read_as_table("table.npz", input); }},
                               {"h5", [](const std::string& input) { read_as_table("table.h5", input); }}};

}  // namespace
}  // namespace daelab::fuzzing
