// Results of experiments as analysis.json holds them, beside the structs that they are written from.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/base/write_file.hpp"
#include "lab/lab.hpp"
#include "tests/test_folder.hpp"

namespace daelab {

// The values at a pointer whose tokens may be "*", any key or index.
inline std::vector<Json> values_at(const Json& json, const std::string& pointer) {
  if (pointer.empty()) return {json};
  const std::size_t end = std::min(pointer.find('/', 1), pointer.size());
  const std::string token = pointer.substr(1, end - 1), rest = pointer.substr(end);
  std::vector<Json> values;
  const auto add = [&](const Json& inner) {
    for (Json& value : values_at(inner, rest)) values.push_back(std::move(value));
  };
  if (json.is_array())
    for (const Json& entry : token == "*" ? json : Json::array()) add(entry);
  else if (json.is_object())
    for (const auto& [key, value] : json.items())
      if (token == "*" || token == key) add(value);
  return values;
}

// The result set of a config that is carried out.
class Made {
 public:
  /// "without" in the config: pointers of units that it has no numbers at.
  explicit Made(Json config) {
    load_project();
    const auto without = config.value("without", std::vector<std::string>());
    config.erase("without");
    config["name"] = "made";
    write_file(path("config.json"), config.dump());
    run_configs({read_config(path("config.json"))}, {.out_dir = path("out"), .jobs = 1, .quiet = true});
    set_ = load(path("out/made"));
    check_units(without);
  }
  const LoadedSet& set() const { return set_; }
  /// The analysis read, and written again.
  template <class Result>
  Json again() const {
    return set_.result<Result>();
  }

 private:
  // Results have no units of their own: taken out of the analysis here.
  void check_units(const std::vector<std::string>& without) {
    if (!set_.analysis.contains("units")) return;
    const Json units = set_.analysis["units"];
    set_.analysis.erase("units");
    for (const auto& [pointer, unit] : units.items()) {
      const std::vector<Json> values = values_at(set_.analysis, pointer);
      const bool has_none = std::ranges::find(without, pointer) != without.end();
      EXPECT_EQ(values.empty(), has_none) << pointer;
      for (const Json& value : values) EXPECT_FALSE(value.is_object() || value.is_boolean()) << pointer << value;
    }
  }

  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  TemporaryFolder folder_;
  LoadedSet set_;
};

inline Json pendulum_config(const Json& more) {
  Json run = {{"problem", "pendulum"}, {"method", "gauss"}, {"t_end", "1"}};
  run.update(more);
  return run;
}

}  // namespace daelab
