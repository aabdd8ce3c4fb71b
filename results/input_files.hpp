// The files that runs read beside their config, kept in the result set (inputs/): with its manifest they are all that
// it takes to carry out the config again.
//
//   inputs/project/...             files of the project, at the same places: tableaus, problems, stored references
//   inputs/files/<hash>-<name>     other files that the config names
#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/base/context.hpp"
#include "core/base/json.hpp"

namespace daelab {

struct Inputs {
  std::string config_file;             // absolute; the config itself is in the manifest
  std::string folder;                  // where relative names of other files begin
  std::vector<std::string> overrides;  // --set: in the config of the manifest already
  std::set<std::string> files;         // source_name() of each
};

/// Copies them to dir/inputs/ and gives what the manifest says of them as "inputs": the members of Inputs, the files
/// with "hash" (content_hash of their bytes) and "kept", the path of the copy below `dir`. Throws InputError for a file
/// that cannot be read.
Json keep_inputs(const std::string& dir, const Inputs& inputs);

/// The inputs that the result set `from` keeps, copied to `to`, which then keeps them too; null where its manifest
/// names none. Throws InputError as read_kept_inputs().
Json copy_inputs(const std::string& from, const Json& manifest, const std::string& to);

/// In `context` the files that `manifest`, of the result set `dir`, says were read are the copies kept there, and the
/// project's own files are those kept alone. Throws InputError for a manifest that names no inputs, and
/// for a copy that is missing or not as it was kept.
void read_kept_inputs(Context& context, const std::string& dir, const Json& manifest);

}  // namespace daelab
