// Experiments on runs made by hand, and on small configs carried out in a folder of their own.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/json_file.hpp"
#include "core/base/write_file.hpp"
#include "lab/runs/experiment.hpp"
#include "lab/runs/schedule.hpp"
#include "results/store.hpp"
#include "tests/input_error_support.hpp"
#include "tests/test_folder.hpp"

namespace daelab {

/// An integration as the store keeps it: `given`, which need not say more than its "spec", completed by what a run
/// that did nothing leaves behind.
inline StoredRun stored_run(const std::string& label, const Json& given) {
  const auto run = Run::bind(given.at("spec"), "");
  RunRecord nothing;
  nothing.spec = run->json(), nothing.scalar = run->spec().scalar, nothing.state.is_ode = run->is_ode();
  Json record = nothing;
  for (const auto& [key, value] : given.items())
    if (value.is_object() && record.contains(key) && record[key].is_object())
      record[key].update(value);
    else
      record[key] = value;
  record["spec"] = run->json();
  return {label, run, std::move(record)};
}

// A config and its records, without integrating.
struct HandMadeRuns {
  Config config;
  std::vector<StoredRun> list;
  std::optional<StoredRun> reference;

  HandMadeRuns() { config.name = "runs", config.title = "Runs"; }

  /// `entry_label` is what names a series, `label` the run. Records as stored_run takes them.
  Json& add(const std::string& entry_label, const std::string& label, const Json& record) {
    list.push_back(stored_run(label, record));
    config.runs.push_back(list.back().run), config.labels.push_back(label), config.entry_labels.push_back(entry_label);
    return list.back().record;
  }
  void compare_with(const Json& record) {
    reference = stored_run("reference", record);
    config.reference = reference->run;
  }
  Evaluation evaluate(const std::string& experiment, Json options = Json::object()) const {
    options["name"] = experiment;
    const auto made = Registry<Experiment>::instance().make(options, "");
    made->check(config);
    return made->evaluate(
        config, [this](std::size_t i) { return list[i]; }, reference ? &*reference : nullptr);
  }
};

/// What `daelab run` makes of a config with the name "small".
class SmallConfig {
 public:
  explicit SmallConfig(Json config) {
    config["name"] = "small";
    write_file(path("config.json"), config.dump());
    run_configs({read_config(path("config.json"))},
                {.out_dir = path("out"), .jobs = 1, .command = "daelab run config.json"});
  }
  Json analysis() const { return read_analysis(path("out/small")); }
  Json result() const { return read_json_file(path("out/small/result.json")); }
  std::vector<Json> runs() const { return read_runs(path("out/small")); }

 private:
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  TemporaryFolder folder_;
};

}  // namespace daelab
