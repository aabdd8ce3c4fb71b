// runs.jsonl: the runs of a results folder, a line each, in the order in which they were appended.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/json.hpp"
#include "core/base/scalar.hpp"

namespace daelab {

/// How much of a record to read: everything, or the members of RunHead at its end.
enum class RunParts { all, identity };

/// The runs of a folder as they were appended. Lines are checked by their checksums when the file is read; a record is
/// parsed when it is asked for.
class RunLog {
 public:
  /// Reads from a file that is open, from its begin on; it must stay open.
  explicit RunLog(int fd);

  bool contains(const std::string& key) const { return places_.contains(key); }
  std::size_t size() const { return places_.size(); }
  /// The last record of this key. None when there is none, and when it is not what a run leaves behind: then it is
  /// contained no more, and is among the malformed ones.
  std::optional<Json> find(const std::string& key, RunParts parts = RunParts::all);
  /// The same of the first of these keys, as many as are read together on all cores: at least one, some megabytes.
  std::vector<std::optional<Json>> read_ahead(std::span<const std::string> keys, RunParts parts = RunParts::all);
  /// Its line; "" when there is none.
  std::string line(const std::string& key) const;
  /// For a line without its newline that was appended at this place.
  void add(const std::string& key, off_t begin, std::size_t length);

  /// The number and fault of the first line that is no record, and that no later one replaces; "" when there is none.
  std::string first_malformed() const;
  /// What a reader must know of lines that were changed since they were written, a torn last one apart; "" for nothing.
  std::string damage() const;
  /// Lines that are no records, apart from blank ones.
  int unreadable() const { return unreadable_; }
  off_t good_bytes() const { return good_bytes_; }       // up to and with the last complete line
  bool complete_tail() const { return complete_tail_; }  // only the newline of the last line is missing
  bool torn_tail() const { return torn_tail_; }          // bytes follow the good lines

  /// How many of the runs with different keys have none of these.
  std::size_t count_others(const std::set<std::string>& keys) const;
  /// What the config of the manifest asks for; all of them where it does not say. One for each specification, the last
  /// one, sorted by specification.
  std::vector<Json> asked_for(const Json& manifest, bool with_reference, RunParts parts = RunParts::all);
  /// The same one by one as they were appended, each of several with one specification: some are in memory at a time.
  void visit(const Json& manifest, bool with_reference, const std::function<void(Json record)>& visit,
             RunParts parts = RunParts::all);

 private:
  struct Place {
    off_t begin;
    std::uint32_t length;
    std::uint32_t line;
  };
  /// A record, or why the line at its place is none.
  struct Checked {
    std::optional<Json> record;
    std::string fault;
  };
  void add_line(std::string_view line, off_t begin);
  std::string read(const Place& place) const;
  Checked checked(const std::string& key, const Place& place, RunParts parts) const;
  void drop(const std::string& key, const std::string& fault);

  int fd_;
  std::unordered_map<std::string, Place> places_;                           // of the last one of each key
  std::map<std::string, std::pair<std::uint32_t, std::string>> malformed_;  // by key: line and fault
  std::uint32_t lines_ = 0, first_without_key_ = 0;                         // of damaged lines
  int unreadable_ = 0;
  off_t good_bytes_ = 0;
  bool complete_tail_ = false, torn_tail_ = false;
};

/// The line of a record, with a checksum of itself as its last member.
std::string run_line(const Json& record);
/// The key of a line that is as run_line() wrote it, without reading more of it; none for others.
std::optional<std::string> key_of_line(std::string_view line);
/// What this member of a line that is as it was written is, without reading more of it: text, at the end of the record,
/// where the store puts its own members; "" when it is not there.
std::string text_at_end(std::string_view line, std::string_view member);
/// One line of runs.jsonl, without its checksum; null when it is none, or not as it was written.
Json parse_run(std::string_view line, RunParts parts = RunParts::all);

/// Throws InputError with a JSON pointer for what no record of a run of any kind holds.
void check_run(const Json& record);

/// What tells a run from others, whatever computed it.
Json spec_of(const Json& run);

/// The keys of the runs that the config of the manifest asks for.
std::set<std::string> asked_keys(const Json& manifest, bool with_reference);

/// A JSON number, or a string that is a decimal number.
std::optional<Real50> as_number(const Json& json);

}  // namespace daelab
