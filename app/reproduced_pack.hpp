// A pack carried out, judged and reported: what reproduce does, and verbs of packs on their way.
#pragma once

#include <string>

#include "app/commands.hpp"
#include "results/packs.hpp"

namespace daelab::app {

/// The exit code. A line with the counts of its verdicts is added to `counts`. `given`: the words that name the pack.
int reproduce_pack(const Pack& pack, const std::string& given, const ReproduceArguments& arguments,
                   std::string& counts);

}  // namespace daelab::app
