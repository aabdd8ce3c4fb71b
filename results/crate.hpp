// What an artifact of a pack says of itself to others: RO-Crate 1.1 with the Workflow Run Crate profile
// (https://w3id.org/ro/wfrun/workflow/0.5), CITATION.cff, licence.
#pragma once

#include <string>
#include <vector>

#include "results/packs.hpp"
#include "results/zip_file.hpp"

namespace daelab {

/// A result set of an artifact.
struct CrateSet {
  std::string name;
  std::string config;               // path of its config in the artifact
  Json manifest;                    // results/store.hpp
  std::vector<std::string> inputs;  // paths of the pack's other files that its runs read
};

/// ro-crate-metadata.json: the pack is the workflow, each result set a run of it. `files` are those of the artifact.
std::string crate_metadata(const Pack& pack, const FilesByPath& files, const std::vector<CrateSet>& sets);

/// versions.json: the provenance of each set.
std::string versions_text(const std::vector<CrateSet>& sets);

/// CITATION.cff of the pack.
std::string citation_text(const Pack& pack, const std::vector<CrateSet>& sets);

/// README.md: what the archive is, and what to do with it.
std::string readme_text(const Pack& pack);

/// LICENSE: the name of the licence and the address of its text.
std::string licence_text(const Pack& pack);

}  // namespace daelab
