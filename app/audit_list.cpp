#include "app/audit_list.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>

#include "core/base/input_error.hpp"
#include "core/base/paths.hpp"
#include "results/csv.hpp"

namespace daelab::app {
namespace {

using Cells = std::vector<std::string>;

// Places of the columns in a line; `file` is another name of `method`.
class Header {
 public:
  Header(const Cells& names, const std::string& where) {
    const std::vector<std::string> known{"name", "method", "file", "property", "claim"};
    for (const std::string& name : names)
      if (std::ranges::find(known, name) == known.end())
        throw InputError(where, fmt::format("no column '{}'{} (known: {})", name, did_you_mean(name, known),
                                            fmt::join(known, ", ")));
    name_ = place(names, "name"), property_ = place(names, "property"), claim_ = place(names, "claim");
    method_ = place(names, "method") ? place(names, "method") : place(names, "file");
    for (const auto& [column, text] :
         {std::pair(method_, "method or file"), {property_, "property"}, {claim_, "claim"}})
      if (!column) throw InputError(where, fmt::format("the column {} is missing", text));
  }
  std::string name(const Cells& cells) const { return name_ ? cell(cells, name_) : ""; }
  std::string method(const Cells& cells) const { return cell(cells, method_); }
  std::string property(const Cells& cells) const { return cell(cells, property_); }
  std::string claim(const Cells& cells) const { return cell(cells, claim_); }

 private:
  using Place = std::optional<std::size_t>;
  static Place place(const Cells& names, const char* name) {
    const auto found = std::ranges::find(names, name);
    return found == names.end() ? Place() : Place(static_cast<std::size_t>(found - names.begin()));
  }
  static std::string cell(const Cells& cells, Place place) { return *place < cells.size() ? cells[*place] : ""; }

  Place name_, method_, property_, claim_;
};

// Lines with the same method and name are claims on one subject.
std::vector<AuditSubject> read_csv_list(const std::string& file) {
  std::ifstream lines(file);
  if (!lines) throw InputError(file, "cannot be read");
  const std::string folder = std::filesystem::path(absolute_path(file)).parent_path();
  std::vector<AuditSubject> subjects;
  std::vector<std::pair<std::string, std::string>> known;  // method and name of each
  std::optional<Header> header;
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::string where = fmt::format("{}: line {}", file, ++number);
    if (line.empty() || line == "\r" || line.starts_with("#")) continue;
    const Cells cells = split_csv_line(line);
    if (!header) {
      header.emplace(cells, where);
      continue;
    }
    const std::pair id(header->method(cells), header->name(cells));
    if (id.first.empty()) throw InputError(where, "names no method");
    auto place = std::ranges::find(known, id);
    if (place == known.end()) {
      subjects.push_back(audit_subject(in_folder(id.first, folder), where));
      if (!id.second.empty()) subjects.back().name = id.second;
      known.push_back(id), place = known.end() - 1;
    }
    set_claim(subjects[static_cast<std::size_t>(place - known.begin())],
              audit_claim(header->property(cells), header->claim(cells), where));
  }
  if (subjects.empty()) throw InputError(file, "has no claims: after the line of column names one line for each");
  return subjects;
}

}  // namespace

std::vector<AuditSubject> audited(const std::string& what) {
  const std::string path = what.starts_with("@") ? what.substr(1) : what;
  return path.ends_with(".csv") ? read_csv_list(path) : audit_subjects(what, "audit");
}

}  // namespace daelab::app
