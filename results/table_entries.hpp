// Entries for the numbers that the tables and figures of results hold, as a paper would print them: where a pack
// begins.
#pragma once

#include <string>
#include <vector>

#include "results/claims.hpp"

namespace daelab {

/// A result set with what the report makes of it.
struct NamedSet {
  std::string name;
  ResultSet results;
  Artifacts artifacts;
};

struct TableEntries {
  Json contents;                // "tables" and "figures", numbered in their order; "parts" where there are none
  Json claims = Json::array();  // in the format of results/claims.hpp
  int left_out = 0;             // numbers of tables that no stored result holds, as local orders; and times
};

/// A claim for each number of the tables that a stored result has, printed as the table prints it and with no more
/// digits than round-off leaves; one for each observed order that is decided; one for each verdict.
TableEntries entries_of_tables(const std::vector<NamedSet>& sets);

}  // namespace daelab
