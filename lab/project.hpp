// The data that belong to daelab: methods and problems in JSON, configs, papers, references (core/base/paths.hpp says
// where they are).
#pragma once

namespace daelab {

/// Registers the methods and problems in JSON, once in a process and in Context::process(), whose project root they are
/// read from: further calls do nothing. Throws InputError where the data are missing, unless the copies in a result set
/// are read in place of them.
void load_project();

}  // namespace daelab
