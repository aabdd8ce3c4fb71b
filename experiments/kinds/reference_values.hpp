// The result of the experiment `reference-values`: what is known of problems at one time.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/exact.hpp"
#include "core/base/status.hpp"
#include "results/members.hpp"

namespace daelab {

struct ReferenceValuesResult {
  struct Row {
    std::string label;
    Json spec;
    Exact t_end;  // [s]
    std::string source;
    StatusCode status = StatusCode::ok;
    std::string cause;
    std::optional<int> digits_trusted;  // decimals known, if a state is stored
    std::string known;                  // "proved to 47 digits"; "" if no state is stored
  };
  std::vector<Row> rows;
};

/// {"rows": [{"label", "spec", "t_end", "source", "status", "cause", "digits_trusted", "known"}]}. The values are in
/// the records, which claims point into.
void members(JsonMembers& json, ReferenceValuesResult& result);

}  // namespace daelab
