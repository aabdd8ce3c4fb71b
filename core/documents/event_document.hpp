// Events in problem files, as they are read.
#pragma once

#include <string>
#include <vector>

#include "core/documents/document_texts.hpp"
#include "core/mechanism/event.hpp"

namespace daelab {

struct EventDocument {
  Event event;
  ExpressionText function;
  std::vector<NamedText> then;  // new values of coordinates, velocities and states
  std::string where;
  bool states_consequence = false;  // in its own words, not by what else it has
};

/// `unknowns`: what events may change. Throws InputError with the place.
std::vector<EventDocument> read_events(const Json& events, const std::string& where, const DocumentTexts& texts,
                                       const std::vector<std::string>& unknowns);

}  // namespace daelab
