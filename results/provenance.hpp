// Where results come from (program, compiler, machine, time) and the hashes that name them.
#pragma once

#include <string>

#include "core/base/json.hpp"

namespace daelab {

/// What stands beside every result set. Unknown entries read "unknown".
struct Provenance {
  std::string version;     // of daelab
  std::string commit;      // git
  std::string code;        // see code_hash()
  std::string compiler;    // "g++ 12.2.0"
  std::string build;       // type and flags
  std::string system;      // "Linux x86_64"
  std::string cpu;         // "AMD EPYC 7B13"
  std::string evaluation;  // what ran the problems: "machine code, AVX2; SLEEF finz"
  std::string date;        // ISO 8601, UTC: "2024-05-06T07:08:09Z"
};

Provenance current_provenance();
void to_json(Json& json, const Provenance& provenance);

/// "2024-05-06T07:08:09Z"
std::string utc_now();

/// Names the code that computes: DAELAB_CODE_HASH where the build defines it, otherwise the content
/// hash of the running program, which changes with every change of the code.
const std::string& code_hash();

/// XXH3, 128 bit, as 32 hex digits. Not cryptographic.
std::string content_hash(const std::string& bytes);

/// Of the canonical form: keys sorted at every depth, no white space. The order of the elements of
/// an array counts, and so does 1 against 1.0.
std::string content_hash(const Json& json);

/// The canonical form itself.
std::string canonical_text(const Json& json);

}  // namespace daelab
