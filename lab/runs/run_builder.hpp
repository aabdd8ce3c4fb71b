// From specifications to runs: the one place where what they name is made, what they leave open is chosen, and what no
// run can be made of is refused.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>

#include "core/mechanism/model.hpp"
#include "lab/runs/run.hpp"

namespace daelab {

/// Builds one run after another. What is built, and what is refused, is as by another builder for each.
class RunBuilder final : public RunBinder {
 public:
  /// most_kept: first runs of their kind that later ones share components with.
  explicit RunBuilder(std::size_t most_kept = 1000) : most_kept_(most_kept) {}
  RunBuilder(const RunBuilder&) = delete;

  /// Completes a specification that was read or checked: resolves names, chooses what is left open. Throws InputError
  /// under `where` for unknown names, values out of range, inconsistent initial values. All runs of a method share it.
  std::shared_ptr<Run> build(RunSpec spec, const std::string& where);
  /// Overload for a specification in JSON. Runs that differ in step size, tolerances and end time alone share their
  /// components and the analysis of their start.
  std::shared_ptr<const BoundRun> bind(const Json& json, const std::string& where) override;
  /// The run of a specification that build() completed, which is not checked again. What it has in common with that of
  /// `like` is shared. No reference is stored for it: see Run::inputs().
  static std::shared_ptr<const Run> rebuild(Json completed, const Run& like);

 private:
  std::shared_ptr<const Run> vary(const std::shared_ptr<const Run>& first, const Json& varied,
                                  const std::string& where);
  /// The specification spells them as trajectories do from then on.
  static Run::NamedParts resolve_names(RunSpec& spec, const Problem& problem, const std::string& where);
  /// `given`: the problem as it was named, for its stored references; none: they are not asked for.
  static std::shared_ptr<Run> assemble(RunSpec spec, Json json, Run::Components made, Run::NamedParts named,
                                       Model<double>& model, const std::optional<Json>& given);

  std::size_t most_kept_;
  std::unordered_map<std::string, std::shared_ptr<const Run>> firsts_;  // by what does not vary of theirs
  std::shared_ptr<const Run> of_spec_;
  RunSpec spec_;  // of the last one
  Options options_ = spec_.options();
};

}  // namespace daelab
