// The runs of a result set, read one at a time: of a large set they are not in memory together.
#pragma once

#include <map>
#include <string>

#include "core/base/json.hpp"
#include "results/run_log.hpp"
#include "results/set_files.hpp"

namespace daelab {

class StoredRuns {
 public:
  /// Throws InputError when `dir` is no results folder.
  explicit StoredRuns(const std::string& dir);

  /// The keys of the runs asked for by the canonical texts of their specifications. Of several with one specification
  /// the last one counts.
  std::map<std::string, std::string> keys_by_spec(bool with_reference);
  bool contains(const std::string& key) const { return log_.contains(key); }
  /// Throws InputError when it is not there, or not as it was written.
  Json record(const std::string& key);

 private:
  void refuse_malformed() const;

  std::string dir_;
  OpenFile file_;
  RunLog log_;
};

}  // namespace daelab
