#include "results/stored_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <sstream>

#include "core/base/json_file.hpp"
#include "core/base/limits.hpp"
#include "core/base/message.hpp"
#include "core/base/number_text.hpp"
#include "core/base/read_file.hpp"
#include "results/array_file.hpp"
#include "results/claim_format.hpp"
#include "results/csv.hpp"
#include "results/entry_values.hpp"
#include "results/printed_number.hpp"

namespace daelab {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string>& place_keys() {
  static const std::vector<std::string> keys = {"file", "column", "array", "pointer"};
  return keys;
}

// The texts of a column, row by row.
std::vector<std::string> texts_of_csv(const std::string& path, const std::string& column) {
  std::istringstream lines(read_whole(path, static_cast<std::size_t>(limits().file_bytes)));
  std::vector<std::string> texts;
  std::optional<std::size_t> place;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    const std::vector<std::string> cells = split_csv_line(line);
    if (!place) {
      const auto found = std::ranges::find(cells, column);
      if (found == cells.end())
        throw InputError(path, fmt::format("no column '{}'{}", without_middle(column), did_you_mean(column, cells)));
      place = static_cast<std::size_t>(found - cells.begin());
    } else {
      texts.push_back(*place < cells.size() ? cells[*place] : "");
    }
  }
  return texts;
}

std::vector<std::string> texts_of_array(const std::string& path, const std::string& name, std::size_t column) {
  const ArrayFile file = read_array_file(path);
  const auto found = std::ranges::find(file.all, name, &StoredArray::name);
  if (found == file.all.end()) throw InputError(path, fmt::format("no array '{}'", without_middle(name)));
  if (column >= found->columns)
    throw InputError(path, fmt::format("'{}' has {} columns, counted from 0", name, found->columns));
  std::vector<std::string> texts;
  for (std::size_t row = 0; row < found->rows; ++row)
    texts.push_back(fmt::format("{}", found->values[row * found->columns + column]));
  return texts;
}

std::vector<std::string> texts_of_json(const std::string& path, const std::string& pointer) {
  const Json value = at_pointer(read_json_file(path), pointer);
  const auto text = [](const Json& x) { return x.is_string() ? x.get<std::string>() : x.dump(); };
  std::vector<std::string> texts;
  for (std::size_t i = 0; value.is_array() && i < value.size(); ++i) texts.push_back(text(value[i]));
  if (!value.is_array() && !value.is_null()) texts.push_back(text(value));
  return texts;
}

std::vector<std::string> texts_at(const Json& place) {
  const std::string path = place["file"];
  if (place.contains("pointer")) return texts_of_json(path, place["pointer"]);
  if (place.contains("array"))
    return texts_of_array(path, place["array"], place.value("column", Json(0)).get<std::size_t>());
  return texts_of_csv(path, place["column"]);
}

void check_place(const Json& place, const std::string& where) {
  require_text(place, "file", where);
  const fs::path file(place["file"].get<std::string>());
  if (file.is_absolute() || std::ranges::find(file, fs::path("..")) != file.end())
    throw InputError(where + "/file", "must be a file in the folder of the paper");
  if (place.contains("pointer")) check_pointer(place["pointer"], where + "/pointer");
  if (place.contains("array")) {
    if (!place["array"].is_string())
      throw InputError(where + "/array", "must be the name of an array, \"\" for the one of a file without names");
    if (const Json column = place.value("column", Json(0)); !column.is_number_integer() || column < 0)
      throw InputError(where + "/column", "of an array is a number from 0");
  } else if (place.contains("column")) {
    require_text(place, "column", where);
  }
  if (place.contains("pointer") + (place.contains("array") || place.contains("column")) != 1)
    throw InputError(where, "needs \"column\" of a CSV file, \"array\" of HDF5 or NumPy, or \"pointer\" into JSON");
}

// A link in the folder must not lead out of it.
void enter_folder(Json& place, const std::string& folder, const std::string& where) {
  const fs::path root = fs::weakly_canonical(folder),
                 file = fs::weakly_canonical(root / place["file"].get<std::string>());
  const bool is_inside = std::ranges::mismatch(root, file).in1 == root.end();
  if (!is_inside) throw InputError(where + "/file", "leads out of the folder of the paper");
  if (!fs::is_regular_file(file)) throw InputError(where + "/file", "there is no file " + file.string());
  place["file"] = file.string();
}

std::size_t row_of(const Json& stored, std::size_t rows, const std::string& where) {
  const Json row = stored.value("row", Json(0));
  if (row == Json("last") && rows > 0) return rows - 1;
  if (!row.is_number_integer() || row < 0 || row.get<std::size_t>() >= rows)
    throw InputError(where + "/row", fmt::format("must be one of {} rows, counted from 0, or \"last\"", rows));
  return row.get<std::size_t>();
}

std::string quoted(const std::string& text, const Json& stored, const std::string& where) {
  const std::optional<double> number = number_in(text);
  if (!number) throw InputError(where, "there is no number, but '" + without_middle(text) + "'");
  if (!stored.contains("digits")) return text;
  const Json& digits = stored["digits"];
  if (!digits.is_number_integer() || digits < 1 || digits > 17)
    throw InputError(where + "/digits", "must be a number from 1 to 17");
  return scientific(*number, digits.get<int>());
}

void read_stored(Json& entry, const std::string& key, const std::string& folder, const std::string& where) {
  if (!entry.is_object() || !entry.contains("stored")) return;
  Json stored = entry["stored"];
  const std::string at = where + "/stored";
  std::vector<std::string> known = place_keys();
  known.insert(known.end(), {"row", "digits"});
  require_known_keys(stored, known, at);
  check_place(stored, at);
  if (entry.contains(key)) throw InputError(where + "/" + key, "is what the stored file says: leave it out");
  enter_folder(stored, folder, at);
  const std::vector<std::string> texts = texts_at(stored);
  entry[key] = quoted(texts.empty() ? "" : texts[row_of(stored, texts.size(), at)], stored, at);
  entry.erase("stored");
}

}  // namespace

bool is_of_file(const Json& value) { return value.is_object() && value.contains("file"); }

void check_file_value(const Json& value, const std::string& where) {
  std::vector<std::string> known = place_keys();
  known.emplace_back("over");
  require_known_keys(value, known, where);
  require_text(value, "file", where);
}

void read_stored_numbers(Json& paper, const std::string& folder) {
  if (!paper.is_object()) return;
  for (const EntryKind kind : entry_kinds) {
    if (!paper.contains(entry_list(kind)) || !paper[entry_list(kind)].is_array()) continue;
    Json& list = paper[entry_list(kind)];
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::string where = fmt::format("/{}/{}", entry_list(kind), i);
      read_stored(list[i], kind == EntryKind::finding ? "recorded" : "printed", folder, where);
      for_each_value(list[i], where, [&](Json& value, const std::string& place) {
        if (!is_of_file(value)) return;
        check_place(value, place);
        enter_folder(value, folder, place);
      });
    }
  }
}

std::vector<std::string> stored_file_names(const Json& paper) {
  std::set<std::string> names;
  const auto add = [&](const Json& place) {
    if (is_of_file(place) && place["file"].is_string()) names.insert(place["file"].get<std::string>());
  };
  for (const EntryKind kind : entry_kinds)
    for (const Json& entry : paper.value(entry_list(kind), Json::array())) {
      add(entry.value("stored", Json()));
      for_each_value(entry, "", [&](const Json& value, const std::string&) { add(value); });
    }
  return {names.begin(), names.end()};
}

Json stored_list(const Json& value) {
  Json list = Json::array();
  for (const std::string& text : texts_at(value)) {
    const std::optional<double> x = number_in(text);
    if (!x) throw InputError(value["file"], "there is no number, but '" + without_middle(text) + "'");
    list.push_back(*x);
  }
  return list;
}

}  // namespace daelab
