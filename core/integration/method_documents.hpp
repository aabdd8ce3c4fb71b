// Methods that are JSON documents of coefficients: which family reads which documents.
#pragma once

#include <memory>
#include <string>

#include "core/base/json.hpp"
#include "core/base/registry.hpp"

namespace daelab {

/// From now on methods are made of documents that `is_document` takes, which no other family may take; `where` of
/// `construct` prefixes the places in its errors.
void accept_method_documents(bool (*is_document)(const Json& object),
                             std::shared_ptr<Component> (*construct)(const Json& object, const std::string& where));

/// A document that an option names, and what prefixes the places in its errors.
struct NamedDocument {
  Json json;
  std::string where;
};
/// The project's file NAME.json below `folder` if `is_kind` takes it, or any file given as "@file.json".
/// Throws InputError under `where` with the known names and the nearest one; `what`: "composition".
NamedDocument document_by_name(const std::string& name, const std::string& folder, bool (*is_kind)(const Json& object),
                               const std::string& what, const std::string& where);

/// What `construct` is for a family whose methods are made of what read(json, where) returns. The coefficients
/// themselves are the specification, so that records and hashes follow the file.
template <class DocumentMethod, auto read>
std::shared_ptr<Component> method_of_document(const Json& json, const std::string& where) {
  if (!json.contains("name")) throw InputError(where + "/name", "is missing: what records call this method");
  auto method = std::make_shared<DocumentMethod>(read(json, where));
  method->set_spec(json);
  return method;
}

}  // namespace daelab
