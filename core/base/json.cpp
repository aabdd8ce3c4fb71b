#include "core/base/json.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <ostream>
#include <set>

#include "core/base/limits.hpp"
#include "core/base/message.hpp"

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

bool refuse_depth(int depth, Parsed::parse_event_t /*event*/, const Parsed& /*value*/) {
  if (depth > limits().nesting) throw Json::parse_error(too_deep().c_str(), 0);
  return true;
}

}  // namespace

Json Json::parse(std::string_view text) {
  return translated([&] { return JsonText::from_nlohmann(Parsed::parse(text, refuse_depth)); });
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
  return translated([&] { return JsonText::to_nlohmann(*this).dump(indent, ' ', false, handler); });
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
  const std::size_t end = std::min(text.size(), error.byte > 0 ? error.byte - 1 : 0);
  const std::string before = text.substr(0, end);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t newline = before.rfind('\n');
  const std::size_t column = 1 + end - (newline == std::string::npos ? 0 : newline + 1);
  std::string what = error.what();
  if (const std::size_t cut = what.find("syntax error"); cut != std::string::npos) what = what.substr(cut);
  throw InputError(fmt::format("{}:{}:{}: {}", path, line, column, what));
}

// Follows the parser through a file: where it is, and whether a key comes twice, of which it would silently let one
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
  /// Of the value that is read.
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
  const std::string text = read_text(path);
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
