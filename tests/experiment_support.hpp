// Experiments on runs made by hand, and on small configs carried out in a folder of their own.
#pragma once

#include <string>
#include <vector>

#include "core/base/write_file.hpp"
#include "experiments/runs/experiment.hpp"
#include "experiments/runs/schedule.hpp"
#include "results/store.hpp"
#include "tests/temporary_folder.hpp"

namespace daelab {

template <class F>
std::string input_error_of(F&& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no InputError";
}

// A config and its records, without integrating.
struct HandMadeRuns {
  Config config;
  std::vector<LabelledRun> list;
  Json reference;

  HandMadeRuns() { config.name = "runs", config.title = "Runs"; }

  /// `entry_label` is what names a series, `label` the run.
  void add(const std::string& entry_label, const std::string& label, Json record) {
    config.runs.push_back(record["spec"]), config.labels.push_back(label), config.entry_labels.push_back(entry_label);
    list.push_back({label, std::move(record), ""});
  }
  Evaluation evaluate(const std::string& experiment, Json options = Json::object()) const {
    options["name"] = experiment;
    const auto made = Registry<Experiment>::instance().make(options, "");
    made->check(config);
    return made->evaluate(config, list, reference);
  }
};

/// What `daelab run` makes of a config with the name "small".
class SmallConfig {
 public:
  explicit SmallConfig(Json config) {
    config["name"] = "small";
    write_file(path("config.json"), config.dump());
    run_configs({read_config(path("config.json"))}, {path("out"), 1, false, "daelab run config.json"});
  }
  Json analysis() const { return read_analysis(path("out/small")); }
  Json result() const { return read_json_file(path("out/small/result.json")); }
  std::vector<Json> runs() const { return read_runs(path("out/small")); }

 private:
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  TemporaryFolder folder_;
};

}  // namespace daelab
