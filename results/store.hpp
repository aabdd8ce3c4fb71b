// The results folder of one config, out/<name>/:
//
//   manifest.json   config, its hash, provenance, command, times, the keys of the runs that the config asks for, and
//                   the sources of what computes them
//   inputs/         the files that the runs read, as they were (results/input_files.hpp)
//   runs.jsonl      one line per finished run, appended and flushed; every line carries "key" and its own checksum
//   trajectories/   <key>.csv, or many of them packed (results/trajectory_store.hpp)
//   result.json     tables, figures and notes for the report (Artifacts)
//   analysis.json   derived numbers: estimated orders and the like, what claims point into
//   verdicts.json   what became of the config's claims
//
// The JSON files carry checksums of themselves (results/set_files.hpp).
//
// The last three are the evaluation of the runs; it goes when the config or the runs it asks for change.
//
// Nothing is lost by an interruption: files are replaced as a whole, lines are handed to the operating system before
// append() returns, and are on disk some tens of milliseconds later. A power cut may cost the runs of that moment,
// which are redone; so is the run of a torn last line, or of one that is not as it was written. No file of the folder
// may be a symbolic link.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/json.hpp"
#include "results/artifacts.hpp"

namespace daelab {

struct RunHead;

/// Names a run: the hash of its full specification, of the sources of what computes it ({name: source_hash()}, those of
/// its own components alone) and of the data it reads beside them.
std::string make_run_key(const Json& run_spec, const Json& sources = Json::object(), const Json& inputs = nullptr);

/// The same where the canonical text of the sources is known.
std::string make_run_key_of(const Json& run_spec, const std::string& sources, const Json& inputs);

class ResultStore {
 public:
  /// Opens or creates `dir` for writing. The same config resumes. A changed config of the same name
  /// keeps all runs: those whose keys still match are found, the others are not.
  /// Throws InputError, leaving the folder as it was, when it cannot be written, when another
  /// process writes it, and when it holds a config of another name; with `force` such a folder is
  /// taken over, and the runs and results it held are removed.
  static ResultStore open(const std::string& dir, const std::string& config_name, const Json& config,
                          bool force = false, const std::string& command = "");

  ResultStore(ResultStore&&) noexcept;
  ResultStore& operator=(ResultStore&&) noexcept;
  ~ResultStore();

  /// The finished run with this key, whatever its status.
  std::optional<Json> find(const std::string& key) const;
  /// The same of the first of these keys, as many as are read together on all cores: at least one, some megabytes.
  std::vector<std::optional<Json>> read_ahead(std::span<const std::string> keys) const;
  bool has(const std::string& key) const;

  /// Records a finished run. Thread-safe. It is safe from the end of the program when this returns, from a power cut
  /// some tens of milliseconds later, or after flush(). The record needs a string "key";
  /// "spec", the specification of the run, is what compare() (results/compare.hpp) and claims match by. Throws
  /// std::runtime_error when the disk refuses, with the file as it was before.
  void append(const Json& record);
  /// The same of the text of a record, as run_line() (results/run_log.hpp) makes it: a line of another store, or one
  /// that came from another process. Throws InputError when it is not as it was written.
  void append_line(const std::string& line);
  /// The same, with the trajectory of the run ("": none), which is on disk before the line is. Throws InputError
  /// when the line is not of the run `key`, or holds the checksum of another trajectory.
  void append_finished(const std::string& key, const std::string& line, const std::string& trajectory);

  /// All that was appended is on disk when it returns. Throws std::runtime_error when the disk refused, and when
  /// another program replaced or cut the file meanwhile.
  void flush();

  /// The runs that the config asks for have these keys, and so has its reference run ("": none); `sources` are those of
  /// all of them. Readers see only these; other runs stay in the file and are found when asked for again.
  void ask_for(const std::vector<std::string>& keys, const std::string& reference = "",
               const Json& sources = Json::object());

  /// What the manifest says of the files that the runs read: see keep_inputs() in results/input_files.hpp.
  void set_inputs(const Json& inputs);

  /// The runs asked for (every run, before ask_for), one per specification (of several, computed by different code,
  /// the last), sorted by specification: the order does not depend on which thread finished first.
  std::vector<Json> all() const;

  void write_result(const Artifacts& artifacts);
  void write_analysis(const Json& analysis);

  /// trajectories/<key>.csv, with the folder.
  std::string trajectory_path(const std::string& key) const;
  /// Whether the trajectory exists and its checksum matches.
  bool has_trajectory(const std::string& key) const;

  const std::string& directory() const;
  /// One line on results of another config that the folder held: where the configs differ and what became of its runs;
  /// "" where there were none. Call after ask_for().
  std::string note() const;
  /// Lines of runs.jsonl that could not be read when it was opened; their runs are redone.
  int unreadable_lines() const;

 private:
  struct State;
  explicit ResultStore(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// The manifest of a result set. Throws InputError when there is none, or it is none.
Json read_manifest(const std::string& dir);

/// Reading only, the runs as all() gives them, the reference run with them where asked for; works while another process
/// writes. Both throw InputError when `dir` is no results folder; an analysis that was not written is null.
std::vector<Json> read_runs(const std::string& dir, bool with_reference = false);
Json read_analysis(const std::string& dir);
/// The same runs one by one, in the order of the file: of a large set they are not in memory together. Of several with
/// one specification each is there.
void visit_runs(const std::string& dir, bool with_reference, const std::function<void(Json record)>& visit);

/// Which runs these are, without reading what came out.
std::vector<RunHead> read_run_heads(const std::string& dir, bool with_reference = false);
void visit_run_heads(const std::string& dir, bool with_reference, const std::function<void(RunHead run)>& visit);

/// The sources of the runs asked for are as they were then.
bool is_of_this_code(const std::string& dir);

}  // namespace daelab
