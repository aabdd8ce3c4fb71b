#include "report/tables/bibliography.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/input_error.hpp"
#include "core/base/json_kind.hpp"
#include "core/base/options.hpp"
#include "core/base/paths.hpp"
#include "core/base/write_file.hpp"
#include "core/equations/formulation.hpp"
#include "core/integration/method.hpp"
#include "core/mechanism/problem.hpp"
#include "core/solvers/multiplier_solver.hpp"

namespace daelab {
namespace {

struct Work {
  std::vector<std::string> cited;  // how sources name it
  std::string entry;               // BibTeX, without that
};

std::vector<std::string> split(const std::string& text, const std::string& separator) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end; (end = text.find(separator, begin)) != std::string::npos; begin = end + separator.size())
    parts.push_back(text.substr(begin, end - begin));
  parts.push_back(text.substr(begin));
  return parts;
}

// "cited" is the last field of an entry and in a line of its own.
std::vector<Work> read_works() {
  const std::string path = project_path("results/references.bib");
  std::vector<Work> works;
  const std::optional<std::string> text = file_bytes(path);
  if (!text) return {};
  std::vector<std::string> entries = split(*text, "\n@");
  entries.erase(entries.begin());  // the comment before the first
  const std::string field = ",\n  cited = {";
  for (const std::string& entry : entries) {
    const std::size_t begin = entry.find(field), end = entry.find("}\n", begin);
    if (begin == std::string::npos || end == std::string::npos)
      throw InputError(fmt::format("{}: the entry {} has no field \"cited\"", path, entry.substr(0, entry.find(','))));
    works.push_back({split(entry.substr(begin + field.size(), end - begin - field.size()), "; "),
                     "@" + entry.substr(0, begin) + "\n}\n"});
  }
  return works;
}

const std::vector<Work>& works() {
  static const std::vector<Work> all = read_works();
  return all;
}

bool is_cited(const Work& work, const std::string& source) {
  return std::any_of(work.cited.begin(), work.cited.end(),
                     [&](const std::string& words) { return source.find(words) != std::string::npos; });
}

template <class Kind>
void add_source(const Json& spec, const char* part, std::vector<std::string>& sources) {
  if (!spec.is_object() || !spec.contains(part) || spec[part].is_null()) return;
  const Json component = spec[part].is_string() ? parse_spec(spec[part], part) : spec[part];
  require(JsonKind::object, component, fmt::format("the spec of a stored run: /{}", part));
  if (const Json stated = component.value("source", Json()); stated.is_string()) return sources.push_back(stated);
  const Json name = component.value("name", Json());
  if (!name.is_string()) return;
  if (const RegistryEntry* entry = Registry<Kind>::instance().look_up(name)) sources.push_back(entry->source);
}

}  // namespace

std::vector<std::string> sources_of(const Json& spec) {
  std::vector<std::string> sources;
  add_source<Problem>(spec, "problem", sources);
  add_source<Formulation>(spec, "formulation", sources);
  add_source<Method>(spec, "method", sources);
  add_source<MultiplierSolver>(spec, "multiplier_solver", sources);
  return sources;
}

std::string bibliography_of(const std::vector<std::string>& sources) {
  std::string text;
  for (const Work& work : works())
    if (std::any_of(sources.begin(), sources.end(), [&](const std::string& source) { return is_cited(work, source); }))
      text += (text.empty() ? "" : "\n") + work.entry;
  return text;
}

bool has_reference(const std::string& source) {
  return std::any_of(works().begin(), works().end(), [&](const Work& work) { return is_cited(work, source); });
}

}  // namespace daelab
