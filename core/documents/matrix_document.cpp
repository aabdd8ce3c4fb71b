#include "core/documents/matrix_document.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/base/json_kind.hpp"

namespace daelab {
namespace {

std::size_t place_of(const std::string& name, const std::vector<std::string>& unknowns) {
  return static_cast<std::size_t>(std::ranges::find(unknowns, name) - unknowns.begin());
}

MatrixDocument zeros(std::size_t n, const std::string& where) {
  return MatrixDocument(n, std::vector<ExpressionText>(n, ExpressionText{"0", where}));
}

MatrixDocument read_by_names(const Json& json, const std::string& where, const DocumentTexts& texts,
                             const std::vector<std::string>& unknowns, const char* what) {
  MatrixDocument rows = zeros(unknowns.size(), where);
  std::vector<bool> given(unknowns.size(), false);
  for (const auto& [name, value] : json.items()) {
    const std::string own = where + "/" + name;
    const IndexedTexts::Loops loops = texts.loops(name, own);
    for (const IndexedTexts::Bindings& bindings : loops.bindings) {
      const std::string row = texts.expanded(loops.text, own, bindings);
      check_names({{row, {}}}, unknowns, where, what);
      const std::size_t i = place_of(row, unknowns);
      if (given[i]) throw InputError(own, fmt::format("the row of {} is given twice", row));
      given[i] = true;
      const std::vector<NamedText> entries = texts.named(value, own, bindings);
      check_names(entries, unknowns, own, what);
      for (const NamedText& entry : entries) rows[i][place_of(entry.name, unknowns)] = entry.value;
    }
  }
  return rows;
}

MatrixDocument read_diagonal(const Json& json, const std::string& where, const DocumentTexts& texts,
                             const std::vector<std::string>& unknowns, const char* what) {
  const std::vector<ExpressionText> diagonal = texts.list(json, where);
  if (diagonal.size() != unknowns.size())
    throw InputError(where, fmt::format("{} row{} given, {}", diagonal.size(), diagonal.size() == 1 ? "" : "s",
                                        needed(unknowns, what)));
  MatrixDocument rows = zeros(unknowns.size(), where);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i][i] = diagonal[i];
  return rows;
}

}  // namespace

std::string needed(const std::vector<std::string>& unknowns, const char* what) {
  return fmt::format("{} needed, one for each {} ({})", unknowns.size(), what, fmt::join(unknowns, ", "));
}

MatrixDocument read_matrix(const Json& json, const std::string& where, const DocumentTexts& texts,
                           const std::vector<std::string>& unknowns, const char* what) {
  if (json.is_object()) return read_by_names(json, where, texts, unknowns, what);
  require(JsonKind::list, json, where);
  if (std::all_of(json.begin(), json.end(), [](const Json& x) { return !x.is_array(); }))
    return read_diagonal(json, where, texts, unknowns, what);
  const std::size_t n = unknowns.size();
  if (json.size() != n)
    throw InputError(
        where, fmt::format("{} row{} given, {}", json.size(), json.size() == 1 ? "" : "s", needed(unknowns, what)));
  MatrixDocument rows;
  for (std::size_t i = 0; i < n; ++i) {
    const std::string own = fmt::format("{}/{}", where, i);
    const auto& row = rows.emplace_back(texts.list(json[i], own));
    if (row.size() != n)
      throw InputError(
          own, fmt::format("{} entr{} given, {}", row.size(), row.size() == 1 ? "y" : "ies", needed(unknowns, what)));
  }
  return rows;
}

}  // namespace daelab
