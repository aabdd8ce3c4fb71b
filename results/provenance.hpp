// Provenance of results (program, compiler, machine, time) and the hashes that name them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/base/json.hpp"

namespace daelab {

/// Provenance of a result set. Unknown entries read "unknown".
struct Provenance {
  std::string version;               // of daelab
  std::string commit;                // git
  std::string code;                  // see code_hash()
  std::string compiler;              // "g++ 12.2.0"
  std::string build;                 // type and flags
  std::vector<std::string> scalars;  // of the build
  std::string evaluation;            // what ran the problems: "machine code, AVX2; SLEEF finz"
  bool strict = false;               // core/base/strict_arithmetic.hpp
  std::string system, cpu;           // results/machine.hpp
  int cores = 0;
  Json cpu_extensions, libraries, environment;
  std::string date;  // ISO 8601, UTC: "2024-05-06T07:08:09Z"
};

Provenance current_provenance();
void to_json(Json& json, const Provenance& provenance);

/// "2024-05-06T07:08:09Z"
std::string utc_now();

/// Names all code that computes: DAELAB_CODE_HASH where the build defines it, otherwise the content
/// hash of the running program, which changes with every change of the code.
const std::string& code_hash();

/// By the name of a source: the hash of the part of the program that it belongs to, its own where only runs that name
/// what is in it use it (cmake/code_hash.cmake). "engines" are a source: what every run uses.
using SourceHashes = std::map<std::string, std::string>;
const SourceHashes& source_hashes();

/// The name of a file: its path below the project, the whole path of others. A relative path is one that the compiler
/// gave, below the project already.
std::string source_name(const std::string& file);

/// For a source of that name, "engines" with strict arithmetic apart from those without; of a *.json the hash of its
/// content as it is now, for which it throws InputError when it cannot be read; of one that the build does not know,
/// the hash of the running program.
std::string source_hash(const std::string& source, const SourceHashes& hashes = source_hashes());

/// XXH3, 128 bit, as 32 hex digits. Not cryptographic.
std::string content_hash(const std::string& bytes);

/// For the canonical form: keys sorted at every depth, no white space. The order of the elements of
/// an array counts, and so does 1 against 1.0.
std::string content_hash(const Json& json);

/// The canonical form itself.
std::string canonical_text(const Json& json);

}  // namespace daelab
