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

/// What one of the languages has.
template <class T>
const T& of_language(Language language, const T& c, const T& casadi, const T& fortran, const T& julia, const T& matlab,
                     const T& python) {
  switch (language) {
    case Language::c:
      return c;
    case Language::casadi:
      return casadi;
    case Language::fortran:
      return fortran;
    case Language::julia:
      return julia;
    case Language::matlab:
      return matlab;
    case Language::python:
      return python;
  }
  return c;
}

const ExportedTexts& exported_texts(Language language);
/// In place of `mechanism` where forces depend on multipliers, or algebraic states are among them.
const char* reactive_mechanism(Language language);
/// In place of `ordinary` for M(t, y) y' = f(t, y).
const char* linearly_implicit(Language language);

}  // namespace daelab
