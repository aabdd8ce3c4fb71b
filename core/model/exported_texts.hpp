// What each language says around the functions of an exported problem. "@name@" is filled in by exported_frame.cpp.
#pragma once

#include "core/expressions/code.hpp"

namespace daelab {

struct ExportedTexts {
  const char* beginning;             // constants
  const char *mechanism, *ordinary;  // the forms that solvers take
  const char* end;
  const char* comment;  // before each line of words
  const char* breaks;   // between the values of a list
};

const ExportedTexts& exported_texts(Language language);
/// In place of `mechanism` where forces depend on multipliers, or algebraic states are among them.
const char* reactive_mechanism(Language language);

}  // namespace daelab
