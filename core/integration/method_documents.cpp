#include "core/integration/method_documents.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <vector>

#include "core/base/json_file.hpp"
#include "core/base/options.hpp"
#include "core/base/paths.hpp"
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

NamedDocument document_by_name(const std::string& name, const std::string& folder, bool (*is_kind)(const Json&),
                               const std::string& what, const std::string& where) {
  if (name.starts_with("@")) {
    require_copy(name.substr(1));
    return {read_json_file(name.substr(1)), name.substr(1) + ": "};
  }
  std::vector<std::string> known;
  for (const std::string& file : json_files_below(project_path(folder))) {
    Json json = read_json_file(file);
    if (!is_kind(json)) continue;
    known.push_back(std::filesystem::path(file).stem().string());
    if (known.back() == name) return {std::move(json), file + ": "};
  }
  throw InputError(where, fmt::format("no {} '{}'; known: {}, or @file.json{}", what, name, fmt::join(known, ", "),
                                      did_you_mean(name, known)));
}

}  // namespace daelab
