#include "core/json.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <numeric>
#include <set>
#include <system_error>

namespace daelab {
namespace {

namespace fs = std::filesystem;

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// Optimal string alignment: insert, delete, replace, and swap of neighbours cost one each.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        now[j] = std::min(now[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(now);
  }
  return last[b.size()];
}

std::string read_text(const std::string& path) {
  if (fs::is_directory(path))
    throw InputError(fmt::format("cannot read {}: it is a directory", path));
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string text;
  if (file) text.assign(std::istreambuf_iterator<char>(file), {});
  if (!file || file.bad())
    throw InputError(fmt::format("cannot read {}: {}", path,
                                 errno ? std::strerror(errno) : "the file cannot be opened"));
  return text;
}

// "file:line:column: what", with nlohmann's own prefix ("[json.exception...] ... column 3: ") cut.
[[noreturn]] void throw_syntax_error(const std::string& path, const std::string& text,
                                     const Json::parse_error& error) {
  const std::size_t end = std::min(text.size(), error.byte > 0 ? error.byte - 1 : 0);
  const std::string before = text.substr(0, end);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t newline = before.rfind('\n');
  const std::size_t column = 1 + end - (newline == std::string::npos ? 0 : newline + 1);
  std::string what = error.what();
  if (const std::size_t cut = what.find("syntax error"); cut != std::string::npos)
    what = what.substr(cut);
  throw InputError(fmt::format("{}:{}:{}: {}", path, line, column, what));
}

// The parser itself would silently let one of two equal keys win.
class DuplicateKeys {
 public:
  explicit DuplicateKeys(const std::string& path) : path_(path) {}
  bool operator()(int /*depth*/, Json::parse_event_t event, Json& value) {
    if (event == Json::parse_event_t::object_start) {
      objects_.emplace_back();
    } else if (event == Json::parse_event_t::object_end) {
      objects_.pop_back();
    } else if (event == Json::parse_event_t::key) {
      objects_.back().key = value.get<std::string>();
      if (!objects_.back().keys.insert(objects_.back().key).second)
        throw InputError(fmt::format("{}: {}: the key is given twice", path_, pointer()));
    }
    return true;
  }

 private:
  struct Object {
    std::set<std::string> keys;
    std::string key;
  };
  std::string pointer() const {
    std::string text;
    for (const Object& object : objects_) text += "/" + object.key;
    return text;
  }

  const std::string& path_;
  std::vector<Object> objects_;
};

[[noreturn]] void throw_not_writable(const std::string& path, int error) {
  const fs::path folder = fs::path(path).parent_path();
  if (!folder.empty() && !fs::is_directory(folder))
    throw InputError(fmt::format("cannot write {}: there is no folder {}", path, folder.string()));
  throw InputError(fmt::format("cannot write {}: {}", path,
                               error ? std::strerror(error) : "the file cannot be opened"));
}

void write_plainly(const std::string& path, const std::string& content,
                   const std::string& shown_path) {
  errno = 0;
  std::ofstream file(path, std::ios::binary);
  file << content;
  file.close();
  if (file) return;
  const int error = errno;
  std::error_code ignored;
  if (path != shown_path) fs::remove(path, ignored);
  throw_not_writable(shown_path, error);
}

}  // namespace

std::string nearest_name(const std::string& name, const std::vector<std::string>& candidates) {
  std::string nearest;
  // A third of the letters wrong, plus one, is still a slip; replacing every letter never is.
  std::size_t limit = name.empty() ? 0 : std::min(name.size() / 3 + 1, name.size() - 1);
  bool found = false;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(lower_case(name), lower_case(candidate));
    if (distance > limit || (found && distance == limit)) continue;
    nearest = candidate;
    limit = distance;
    found = true;
  }
  if (found || name.size() < 3) return nearest;
  for (const std::string& candidate : candidates)  // or the beginning of a longer name
    if (lower_case(candidate).starts_with(lower_case(name))) return candidate;
  return nearest;
}

Json read_json_file(const std::string& path) {
  const std::string text = read_text(path);
  try {
    DuplicateKeys check(path);
    return Json::parse(text, std::ref(check));
  } catch (const Json::parse_error& error) {
    throw_syntax_error(path, text, error);
  }
}

void write_file(const std::string& path, const std::string& content) {
  if (fs::is_directory(path))
    throw InputError(fmt::format("cannot write {}: it is a directory", path));
  // A device or pipe (/dev/stdout) must be written to, not replaced.
  if (fs::exists(path) && !fs::is_regular_file(path)) return write_plainly(path, content, path);
  const std::string target = fs::is_symlink(path) ? fs::weakly_canonical(path).string() : path;
  static std::atomic<unsigned> counter{0};
  const std::string temporary = fmt::format("{}.{}-{}.tmp", target, ::getpid(), counter++);
  write_plainly(temporary, content, path);
  std::error_code error;
  fs::rename(temporary, target, error);
  if (!error) return;
  std::error_code ignored;
  fs::remove(temporary, ignored);
  throw_not_writable(path, error.value());
}

}  // namespace daelab
