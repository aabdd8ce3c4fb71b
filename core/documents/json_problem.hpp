// Problems that are data: a mechanism or an equation in a JSON file, without a compiler.
#pragma once

#include <memory>
#include <string>

#include "core/mechanism/problem.hpp"

namespace daelab {

/// A problem from a document (docs/problems.md). Everything that can be known without running
/// it is checked: names, counts, what depends on what, and that the energies belong to M and Q. Whether the start is
/// consistent is a matter of the run, which may project it. Throws InputError under `where`. Equal documents give the
/// same object; any number of threads may use it.
std::shared_ptr<Problem> make_json_problem(const Json& document, const std::string& where);

/// Registers every *.json of a folder, where there is one, under the name it gives, with its parameters as options.
/// Throws InputError unless the text is JSON; equations are read and checked when the problem is made.
void load_problem_files(const std::string& folder);

}  // namespace daelab
