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

}  // namespace daelab
