// What came out of a study in a sentence and a few numbers: who is most accurate, who comes to an accuracy with the
// least work, whether orders are as the theory says.
#pragma once

#include <string>
#include <vector>

#include "core/base/json.hpp"

namespace daelab {

struct Headline {
  struct Fact {
    std::string name, value, note;
  };
  std::string sentence;  // one or two of them; "": there is nothing to say
  std::vector<Fact> facts;
};

/// Reads analysis.json; one that holds no errors and no orders says nothing.
Headline headline_of(const Json& analysis);

}  // namespace daelab
