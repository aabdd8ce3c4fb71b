#include "core/base/json_file.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>

#include "core/base/limits.hpp"
#include "core/base/message.hpp"
#include "core/base/parsed_json.hpp"
#include "core/base/paths.hpp"
#include "core/base/utf8.hpp"

namespace daelab {
namespace {

namespace fs = std::filesystem;
using Parsed = nlohmann::ordered_json;

std::string read_text(const std::string& path) {
  if (fs::is_directory(path)) throw InputError(fmt::format("cannot read {}: it is a directory", path));
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string text;
  const auto most = static_cast<std::size_t>(limits().file_bytes);
  // Piece by piece: a device such as /dev/zero has no end.
  for (std::string piece(1 << 16, '\0'); text.size() <= most && file.read(piece.data(), 1 << 16).gcount() > 0;)
    text.append(piece, 0, static_cast<std::size_t>(file.gcount()));
  if (text.size() > most)
    throw InputError(fmt::format("{}: longer than {} bytes {}", path, most, limit_hint("file-bytes")));
  if (file.eof()) file.clear();
  if (!file || file.bad())
    throw InputError(
        fmt::format("cannot read {}: {}", path, errno ? std::strerror(errno) : "the file cannot be opened"));
  return text;
}

// "file:line:column: what", with nlohmann's own prefix ("[json.exception...] ... column 3: ") cut.
[[noreturn]] void throw_syntax_error(const std::string& path, const std::string& text,
                                     const Parsed::parse_error& error) {
  if (text.empty()) throw InputError(fmt::format("{}:1:1: syntax error: the file is empty", path));
  const std::size_t end = std::min(text.size(), error.byte > 0 ? error.byte - 1 : 0);
  const std::string before = text.substr(0, end);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t newline = before.rfind('\n');
  const std::size_t column = 1 + end - (newline == std::string::npos ? 0 : newline + 1);
  std::string what = error.what();
  if (const std::size_t cut = what.find("syntax error"); cut != std::string::npos) what = what.substr(cut);
  // It shows what it has read up to the error: half a character, where one of several bytes is wrong.
  if (as_utf8(what) != what) what = what.substr(0, what.find("; last read"));
  throw InputError(fmt::format("{}:{}:{}: {}", path, line, column, what));
}

// Follows the parser through a file: where it is, and whether a key comes twice: the parser would silently let one
// win.
class Place {
 public:
  explicit Place(const std::string& path) : path_(path) {}
  bool operator()(int depth, Parsed::parse_event_t event, const Parsed& value) {
    using Event = Parsed::parse_event_t;
    if (depth > limits().nesting)
      throw InputError(
          fmt::format("{}: nested more than {} levels deep {}", path_, limits().nesting, limit_hint("nesting")));
    if (event == Event::object_start || event == Event::array_start) {
      levels_.push_back({event == Event::array_start});
    } else if (event == Event::key) {
      levels_.back().key = value.get<std::string>();
      if (!levels_.back().keys.insert(levels_.back().key).second)
        throw InputError(fmt::format("{}: {}: the key is given twice", path_, without_middle(pointer(), 400)));
    } else {
      if (event != Event::value) levels_.pop_back();
      if (!levels_.empty()) ++levels_.back().index;
    }
    return true;  // it is kept
  }
  /// For the value that is read.
  std::string pointer() const {
    Json::json_pointer pointer;
    for (const Level& level : levels_) pointer = level.is_list ? pointer / level.index : pointer / level.key;
    return pointer.to_string();
  }

 private:
  struct Level {
    bool is_list;
    std::size_t index = 0;  // of a list
    std::string key = {};   // of an object
    std::set<std::string> keys = {};
  };
  const std::string& path_;
  std::vector<Level> levels_;
};

// nlohmann names the number between quotes: "... number overflow parsing '1e400'".
[[noreturn]] void throw_overflow(const std::string& path, const Place& place, const std::string& what) {
  const std::size_t begin = what.find('\'') + 1;
  std::string number = what.substr(begin, what.rfind('\'') - begin);
  if (number.size() > 24) number = number.substr(0, 20) + "...";
  const std::string pointer = place.pointer();
  throw InputError(fmt::format("{}:{} the number {} is beyond the range of double", path,
                               pointer.empty() ? "" : " " + pointer + ":", number));
}

}  // namespace

Json read_json_file(const std::string& path) {
  const std::string text = read_text(path_to_read(path));
  Place place(path);
  try {
    return from_nlohmann(Parsed::parse(text, std::ref(place)));
  } catch (const Parsed::parse_error& error) {
    throw_syntax_error(path, text, error);
  } catch (const Parsed::out_of_range& error) {
    throw_overflow(path, place, error.what());
  } catch (const Json::exception& error) {
    throw InputError(fmt::format("{}: {}", path, error.what()));
  }
}

}  // namespace daelab
