#include "results/reference_errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/base/norm.hpp"
#include "core/base/spec_text.hpp"
#include "results/run_record.hpp"
#include "results/store.hpp"
#include "results/stored_runs.hpp"

namespace daelab {
namespace {

// Not the way to the end, which is what is compared: the same mechanism from the same values to the same time.
bool ends_alike(const Json& a, const Json& b) {
  const auto start_of = [](const Json& spec) {
    const Json start = spec.value("start", Json());
    return start.is_object() ? start : Json();  // a text is the analysis alone
  };
  return a.value("problem", Json()) == b.value("problem", Json()) &&
         a.value("t_end", Json()) == b.value("t_end", Json()) && start_of(a) == start_of(b);
}

class ReferenceRun {
 public:
  explicit ReferenceRun(const Json& record) : run_(integration_record(record)) {
    if (run_ && !run_->ok()) run_.reset();
    if (run_) source_ = "reference run " + spec_text(run_->spec.value("method", Json::object()));
  }

  void add_error_to(Json& record) const {
    if (!run_ || !ends_alike(spec_in(record), run_->spec)) return;
    const std::optional<RunRecord> run = integration_record(record);
    if (!run || !run->ok() || run->error) return;
    EndError error{{}, source_, 0};
    for (const char* kind : {"q", "v", "a", "lambda", "y"}) {
      const Vector<Real50>&ours = run->state.of(kind), &theirs = run_->state.of(kind);
      if (ours.size() > 0 && ours.size() == theirs.size())
        error.of[kind] = static_cast<double>(max_norm(Vector<Real50>(ours - theirs)));
    }
    if (!error.of.empty()) record["error"] = error;
  }

 private:
  std::optional<RunRecord> run_;  // none: it failed, or is of another kind
  std::string source_;
};

// Finds the run of this key, first among runs that are read already. None: the set does not have it.
std::optional<ReferenceRun> reference_run(const std::string& dir, const std::string& key,
                                          const std::vector<Json>& read) {
  const auto known = std::ranges::find_if(read, [&](const Json& run) { return run.at("key") == key; });
  if (known != read.end()) return ReferenceRun(*known);
  StoredRuns stored(dir);
  if (!stored.contains(key)) return {};
  return ReferenceRun(stored.record(key));
}

}  // namespace

std::vector<Json> read_runs_with_errors(const std::string& dir, bool with_reference) {
  std::vector<Json> runs = read_runs(dir, with_reference);
  const std::string key = read_manifest(dir).value("reference", "");
  if (key.empty()) return runs;
  const auto reference = reference_run(dir, key, runs);
  if (!reference) return runs;
  for (Json& run : runs)
    if (run.at("key") != key) reference->add_error_to(run);
  return runs;
}

void visit_runs_with_errors(const std::string& dir, const std::function<void(const Json& record)>& visit) {
  StoredRuns runs(dir);
  const std::string key = read_manifest(dir).value("reference", "");
  std::optional<ReferenceRun> reference;
  if (!key.empty() && runs.contains(key)) reference.emplace(runs.record(key));
  std::vector<std::string> keys;
  for (const auto& [spec, of_run] : runs.keys_by_spec(false)) keys.push_back(of_run);
  RecordReader reader(runs, keys);
  for (const std::string& of_run : keys) {
    Json run = reader.next();
    if (reference && of_run != key) reference->add_error_to(run);
    visit(run);
  }
}

}  // namespace daelab
