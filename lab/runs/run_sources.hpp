// What a run is computed by, and so what its key holds: never more than it uses, so that nothing is lost when something
// else is added or changed.
#pragma once

#include <memory>
#include <string>

#include "core/base/json.hpp"
#include "results/provenance.hpp"

namespace daelab {

/// {source: source_hash()} of a resolved specification: the engines, the file of the run's kind, and the files of the
/// problem, formulation, method and multiplier solver that it names, of components named by an option ("start",
/// "tableau", "fallback"), and of what these make by name. A document in the specification is hashed with that; one
/// that is a tableau has the file of "runge-kutta" for its engine.
Json run_sources(const Json& resolved, const std::string& kind_file, const SourceHashes& hashes = source_hashes());

/// The same for many specifications of one kind. A file is read once, so that all of them hold the same of it.
class SourceFinder {
 public:
  explicit SourceFinder(std::string kind_file, const SourceHashes& hashes = source_hashes());
  ~SourceFinder();
  /// Valid as long as this object.
  const Json& operator()(const Json& resolved);

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace daelab
