// Outlines of problems in JSON as they are read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/documents/document_texts.hpp"
#include "core/mechanism/outline.hpp"

namespace daelab {

/// {"line": [[x, y], ...], "name": ..., "for": "i in 1..N"}: points of two or three expressions.
struct ShapeDocument {
  ShapeKind kind{};
  std::vector<std::vector<ExpressionText>> points;
  std::optional<ExpressionText> radius;  // of circles
  std::string name;
  double side = 1;
};

struct OutlineDocument {
  std::vector<ShapeDocument> shapes;
  bool is_spatial = false;  // its points have three coordinates
};

/// Checks kinds of shapes and counts of points. Throws InputError with the place.
OutlineDocument read_outline(const Json& json, const std::string& where, const DocumentTexts& texts);

}  // namespace daelab
