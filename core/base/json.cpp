#include "core/base/json.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <concepts>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <ostream>
#include <set>

#include "core/base/limits.hpp"
#include "core/base/message.hpp"
#include "core/base/paths.hpp"
#include "core/base/utf8.hpp"

namespace daelab {

namespace fs = std::filesystem;
using Parsed = nlohmann::ordered_json;

// Text is read and written by nlohmann, and so is what changes whole documents.
struct JsonText {
  static Parsed to_nlohmann(const Json& json) {
    return std::visit(
        []<class T>(const T& x) -> Parsed {
          if constexpr (std::same_as<T, std::monostate>) {
            return nullptr;
          } else if constexpr (std::same_as<T, Json::Array>) {
            Parsed::array_t list;
            list.reserve(x.size());
            for (const Json& entry : x) list.push_back(to_nlohmann(entry));
            return list;
          } else if constexpr (std::same_as<T, Json::Object>) {
            Parsed::object_t members;
            members.reserve(x.size());
            for (const auto& [key, value] : x) members.push_back({key, to_nlohmann(value)});
            return members;
          } else {
            return x;
          }
        },
        json.value_);
  }

  static Json from_nlohmann(Parsed& parsed) {
    Json json;
    switch (parsed.type()) {
      case Parsed::value_t::boolean:
        return parsed.get<bool>();
      case Parsed::value_t::number_integer:
        return parsed.get<std::int64_t>();
      case Parsed::value_t::number_unsigned:
        return parsed.get<std::uint64_t>();
      case Parsed::value_t::number_float:
        return parsed.get<double>();
      case Parsed::value_t::string:
        return std::move(parsed.get_ref<std::string&>());
      case Parsed::value_t::array: {
        auto& list = json.value_.emplace<Json::Array>();
        list.reserve(parsed.size());
        for (Parsed& entry : parsed) list.push_back(from_nlohmann(entry));
        break;
      }
      case Parsed::value_t::object: {
        auto& members = json.value_.emplace<Json::Object>();
        members.reserve(parsed.size());
        for (auto& [key, value] : parsed.get_ref<Parsed::object_t&>()) members.emplace_back(key, from_nlohmann(value));
        break;
      }
      default:
        break;
    }
    return json;
  }
  static Json from_nlohmann(Parsed&& parsed) { return from_nlohmann(parsed); }

  class Writer;
  class Reader;
};

// Byte for byte what nlohmann writes, without a copy of the document in its types: large sets of runs are mostly text.
class JsonText::Writer {
 public:
  Writer(std::string& out, int indent, Parsed::error_handler_t invalid)
      : out_(out), indent_(indent), invalid_(invalid) {}

  void write(const Json& json, int level = 0) {
    std::visit(
        [&]<class T>(const T& x) {
          if constexpr (std::same_as<T, std::monostate>)
            out_ += "null";
          else if constexpr (std::same_as<T, bool>)
            out_ += x ? "true" : "false";
          else if constexpr (std::same_as<T, double>)
            write_real(x);
          else if constexpr (std::integral<T>)
            fmt::format_to(std::back_inserter(out_), "{}", x);
          else if constexpr (std::same_as<T, std::string>)
            write_text(x);
          else
            write_entries(x, level);
        },
        json.value_);
  }

 private:
  void write_real(double x) {
    char text[64];
    if (std::isfinite(x))
      out_.append(text, nlohmann::detail::to_chars(text, text + sizeof text, x));
    else
      out_ += "null";
  }
  void write_text(const std::string& text) {
    const bool plain =
        std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < 127 && c != '"' && c != '\\'; });
    if (plain)
      out_.append(1, '"').append(text).append(1, '"');
    else
      out_ += Parsed(text).dump(-1, ' ', false, invalid_);
  }
  void write_entries(const auto& entries, int level) {
    constexpr bool list = std::same_as<std::remove_cvref_t<decltype(entries)>, Json::Array>;
    out_ += list ? '[' : '{';
    bool first = true;
    for (const auto& entry : entries) {
      if (!first) out_ += ',';
      first = false;
      begin_line(level + 1);
      if constexpr (list) {
        write(entry, level + 1);
      } else {
        write_text(entry.first);
        out_ += indent_ >= 0 ? ": " : ":";
        write(entry.second, level + 1);
      }
    }
    if (!first) begin_line(level);
    out_ += list ? ']' : '}';
  }
  void begin_line(int level) {
    if (indent_ >= 0) out_.append(1, '\n').append(static_cast<std::size_t>(level * indent_), ' ');
  }

  std::string& out_;
  int indent_;
  Parsed::error_handler_t invalid_;
};

namespace {

// nlohmann's exceptions as ours.
template <class Work>
auto translated(const Work& work) {
  try {
    return work();
  } catch (const Parsed::parse_error& error) {
    throw Json::parse_error(error.what(), error.byte);
  } catch (const Parsed::out_of_range& error) {
    throw Json::out_of_range(error.what());
  } catch (const Parsed::exception& error) {
    throw Json::type_error(error.what());
  }
}

}  // namespace

Json::json_pointer::json_pointer(const std::string& text) {
  auto rest = translated([&] { return Parsed::json_pointer(text); });
  for (; !rest.empty(); rest.pop_back()) tokens_.insert(tokens_.begin(), rest.back());
}

namespace {

// Reading and writing go down one level by one call: text from a file must not be able to exhaust the stack.
std::string too_deep() {
  return fmt::format("nested more than {} levels deep {}", limits().nesting, limit_hint("nesting"));
}

}  // namespace

// Takes what nlohmann's parser finds. Of equal keys the last value wins, in the place of the first.
class JsonText::Reader {
 public:
  explicit Reader(Json& root) : root_(root) {}

  bool null() { return take(Json()); }
  bool boolean(bool x) { return take(x); }
  bool number_integer(std::int64_t x) { return take(x); }
  bool number_unsigned(std::uint64_t x) { return take(x); }
  bool number_float(double x, const std::string& /*text*/) { return take(x); }
  bool string(std::string& text) { return take(std::move(text)); }
  bool binary(Parsed::binary_t& /*bytes*/) { return false; }  // in no text
  bool start_object(std::size_t /*size*/) { return enter(Json::object()); }
  bool start_array(std::size_t /*size*/) { return enter(Json::array()); }
  bool end_object() { return leave(); }
  bool end_array() { return leave(); }
  bool key(std::string& text) {
    auto& members = std::get<Json::Object>(open_.back()->value_);
    const auto same = std::find_if(members.begin(), members.end(), [&](const auto& m) { return m.first == text; });
    place_ = same != members.end() ? &same->second : &members.emplace_back(std::move(text), Json()).second;
    return true;
  }
  template <class Error>
  bool parse_error(std::size_t /*byte*/, const std::string& /*token*/, const Error& error) {
    throw error;
  }

 private:
  Json& put(Json&& value) {
    if (static_cast<long>(open_.size()) > limits().nesting) throw Json::parse_error(too_deep().c_str(), 0);
    if (open_.empty()) return root_ = std::move(value);
    if (auto* list = std::get_if<Json::Array>(&open_.back()->value_)) return list->emplace_back(std::move(value));
    return *place_ = std::move(value);
  }
  bool take(Json value) {
    put(std::move(value));
    return true;
  }
  bool enter(Json value) {
    open_.push_back(&put(std::move(value)));
    return true;
  }
  bool leave() {
    open_.pop_back();
    return true;
  }

  Json& root_;
  std::vector<Json*> open_;  // lists and objects; open ones do not move
  Json* place_ = nullptr;    // of the value of the last key
};

Json Json::parse(std::string_view text) {
  Json json;
  JsonText::Reader reader(json);
  translated([&] { return Parsed::sax_parse(text, &reader); });
  return json;
}

std::optional<Json> Json::try_parse(std::string_view text) {
  try {
    return parse(text);
  } catch (const exception&) {
    return std::nullopt;
  }
}

std::string Json::dump(int indent, Utf8 invalid) const {
  const auto handler = invalid == Utf8::strict ? Parsed::error_handler_t::strict : Parsed::error_handler_t::replace;
  std::string text;
  translated([&] { return JsonText::Writer(text, indent, handler).write(*this); });
  return text;
}

std::ostream& operator<<(std::ostream& out, const Json& json) {
  return out << json.dump(out.width() > 0 ? static_cast<int>(out.width(0)) : -1);
}

void Json::merge_patch(const Json& patch) {
  Parsed patched = JsonText::to_nlohmann(*this);
  patched.merge_patch(JsonText::to_nlohmann(patch));
  *this = JsonText::from_nlohmann(patched);
}

Json Json::flatten() const { return JsonText::from_nlohmann(JsonText::to_nlohmann(*this).flatten()); }

Json Json::diff(const Json& from, const Json& to) {
  return JsonText::from_nlohmann(Parsed::diff(JsonText::to_nlohmann(from), JsonText::to_nlohmann(to)));
}

namespace {

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
[[noreturn]] void throw_syntax_error(const std::string& path, const std::string& text, const Json::parse_error& error) {
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
    if (depth > limits().nesting) throw InputError(fmt::format("{}: {}", path_, too_deep()));
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
    return true;
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
    return translated([&] { return JsonText::from_nlohmann(Parsed::parse(text, std::ref(place))); });
  } catch (const Json::parse_error& error) {
    throw_syntax_error(path, text, error);
  } catch (const Json::out_of_range& error) {
    throw_overflow(path, place, error.what());
  }
}

}  // namespace daelab
