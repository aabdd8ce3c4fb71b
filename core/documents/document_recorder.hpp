// Problems in JSON as recordings: their texts become expressions.
#pragma once

#include "core/documents/problem_document.hpp"
#include "core/mechanism/outline.hpp"
#include "core/mechanism/recording.hpp"

namespace daelab {

/// All throw InputError with the place in the file for texts that cannot be parsed, for what must not depend on what,
/// and for definitions in a cycle.
void record_document(const ProblemDocument& document, Recording& recording);

/// Records for a reader: parameters are names, inputs that no model has. Also throws where they must be numbers, as
/// those of joints and loops.
void record_with_parameter_names(const ProblemDocument& document, Recording& recording);

/// Draws its outline in what record_document() filled in.
void draw_document(const ProblemDocument& document, Recording& recording, Outline& outline);

/// A constant of the document, made of parameters, and of definitions and start values that come to numbers. Throws
/// InputError where it is not above the bound.
Exact constant_above(const Real100& bound, const ExpressionText& text, const ProblemDocument& document);

}  // namespace daelab
