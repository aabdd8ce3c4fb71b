// A store of runs in a folder, and records for it.
#pragma once

#include "results/store.hpp"

#include <gtest/gtest.h>

#include "core/base/write_file.hpp"
#include "results/compare.hpp"
#include "results/run_log.hpp"
#include "results/run_record.hpp"
#include "results/set_files.hpp"
#include "tests/file_support.hpp"
#include "tests/test_folder.hpp"

namespace daelab {

inline Json run_record(const std::string& h, double error = 1) {
  const Json spec = {{"h", h}};
  return {{"key", make_run_key(spec)}, {"spec", spec}, {"status", "ok"}, {"error", error}};
}

inline std::string key_of(const std::string& h) { return make_run_key(Json{{"h", h}}); }

class Store : public testing::Test {
 protected:
  ResultStore open(const std::string& name = "table-1", const Json& config = {{"h", 1}}, bool force = false) const {
    return ResultStore::open(dir_, name, config, force, "daelab run table-1.json");
  }
  std::string runs_file() const { return dir_ + "/runs.jsonl"; }

  TemporaryFolder folder_;
  std::string root_ = folder_.path(), dir_ = root_ + "/out/table-1";
};

}  // namespace daelab
