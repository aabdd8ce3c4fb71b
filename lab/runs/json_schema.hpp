// JSON Schema, behind a wall: valijson takes long to compile.
#pragma once

#include <memory>
#include <string>

#include "core/base/json.hpp"

namespace daelab {

/// A schema, read once to check many documents.
class JsonSchema {
 public:
  explicit JsonSchema(const Json& schema);
  ~JsonSchema();
  /// Where and how `document` does not follow the schema, or "" when it does.
  std::string violation(const Json& document) const;

 private:
  struct Rules;
  std::unique_ptr<const Rules> rules_;
};

}  // namespace daelab
