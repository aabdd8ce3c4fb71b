#include "core/base/json_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/limits.hpp"
#include "core/base/message.hpp"
#include "core/base/nlohmann_json.hpp"
#include "core/base/paths.hpp"
#include "core/base/read_file.hpp"
#include "core/base/utf8.hpp"

namespace daelab {
namespace {

using Parsed = nlohmann::ordered_json;

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

// The parser would silently let one win where a key comes twice.
class FileBuilder final : public JsonBuilder {
 public:
  explicit FileBuilder(const std::string& path) : path_(path) {}

 private:
  void repeated_key() override {
    throw InputError(fmt::format("{}: {}: the key is given twice", path_, without_middle(pointer().to_string(), 400)));
  }
  const std::string& path_;
};

// nlohmann names the number between quotes: "... number overflow parsing '1e400'".
[[noreturn]] void throw_overflow(const std::string& path, const Json::json_pointer& place, const std::string& what) {
  const std::size_t begin = what.find('\'') + 1;
  std::string number = what.substr(begin, what.rfind('\'') - begin);
  if (number.size() > 24) number = number.substr(0, 20) + "...";
  const std::string pointer = place.to_string();
  throw InputError(fmt::format("{}:{} the number {} is beyond the range of double", path,
                               pointer.empty() ? "" : " " + pointer + ":", number));
}

}  // namespace

Json read_json_file(const std::string& path) {
  const std::string text = read_whole(path_to_read(path), static_cast<std::size_t>(limits().file_bytes));
  FileBuilder builder(path);
  try {
    Parsed::sax_parse(text, &builder);
    return builder.take();
  } catch (const Parsed::parse_error& error) {
    throw_syntax_error(path, text, error);
  } catch (const Parsed::out_of_range& error) {
    throw_overflow(path, builder.pointer(), error.what());
  } catch (const Json::exception& error) {
    throw InputError(fmt::format("{}: {}", path, error.what()));
  }
}

}  // namespace daelab
