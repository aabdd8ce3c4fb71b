// The runs of a result set, read some at a time: of a large set they are not in memory together.
#pragma once

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/json.hpp"
#include "results/run_log.hpp"
#include "results/set_files.hpp"

namespace daelab {

class StoredRuns {
 public:
  /// Throws InputError when `dir` is no results folder.
  explicit StoredRuns(const std::string& dir);

  using KeysBySpec = std::map<std::string, std::string>;
  /// The keys of the runs asked for by the canonical texts of their specifications. Of several with one specification
  /// the last one counts.
  KeysBySpec keys_by_spec(bool with_reference);
  bool contains(const std::string& key) const { return log_.contains(key); }
  /// Throws InputError when it is not there, or not as it was written.
  Json record(const std::string& key) { return std::move(records({&key, 1}).front()); }
  /// Records of the first of these keys, as many as RunLog::read_ahead() reads. Throws InputError as record() does.
  std::vector<Json> records(std::span<const std::string> keys);

 private:
  void refuse_malformed() const;

  std::string dir_;
  OpenFile file_;
  RunLog log_;
};

/// Reads the records of some keys one after another, and the next ones with them.
class RecordReader {
 public:
  RecordReader(StoredRuns& set, std::vector<std::string> keys) : set_(set), keys_(std::move(keys)) {}
  /// The record of the next key. There must be one.
  Json next();

 private:
  StoredRuns& set_;
  std::vector<std::string> keys_;
  std::size_t read_ = 0;  // of the keys
  std::vector<Json> ahead_;
  std::size_t next_ = 0;  // of these
};

}  // namespace daelab
