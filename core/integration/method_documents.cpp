#include "core/integration/method_documents.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "core/integration/method.hpp"

namespace daelab {
namespace {

struct DocumentKind {
  bool (*is_document)(const Json&);
  std::shared_ptr<Component> (*construct)(const Json&, const std::string&);
};

std::vector<DocumentKind>& kinds() {
  static std::vector<DocumentKind> kinds;
  return kinds;
}

bool is_of_some_kind(const Json& json) {
  return std::ranges::any_of(kinds(), [&](const DocumentKind& kind) { return kind.is_document(json); });
}

std::shared_ptr<Component> construct(const Json& json, const std::string& where) {
  for (const DocumentKind& kind : kinds())
    if (kind.is_document(json)) return kind.construct(json, where);
  throw std::logic_error("a document that no family takes");
}

}  // namespace

void accept_method_documents(bool (*is_document)(const Json&),
                             std::shared_ptr<Component> (*of_document)(const Json&, const std::string&)) {
  kinds().push_back({is_document, of_document});
  Registry<Method>::instance().accept_documents(is_of_some_kind, construct);
}

}  // namespace daelab
