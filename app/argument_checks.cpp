#include "app/argument_checks.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>

#include "core/base/input_error.hpp"
#include "core/base/number_text.hpp"
#include "lab/runs/config.hpp"

namespace daelab::app {

std::string not_negative(const std::string& text) {
  return number_in(text).value_or(-1) >= 0 ? "" : "must be a number, 0 or above, not '" + text + "'";
}

std::string job_number(const std::string& text) {
  constexpr double most = 1024;
  if (const std::string refusal = not_negative(text); !refusal.empty()) return refusal;
  return number_in(text).value() <= most ? "" : fmt::format("must be at most {}, not '{}'", most, text);
}

void check_writable(const std::string& option, const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder))
    throw InputError(option, "no folder '" + folder.string() + "'");
  if (std::filesystem::is_directory(path)) throw InputError(option, "'" + path + "' is a directory");
  if (::access(std::filesystem::exists(path) ? path.c_str() : folder.empty() ? "." : folder.c_str(), W_OK) != 0)
    throw InputError(option, fmt::format("cannot write '{}': {}", path, std::strerror(errno)));
}

std::string repeat_number(const std::string& text) {
  int repeat = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), repeat);
  const bool whole = error == std::errc() && rest == text.data() + text.size();
  return whole && repeat >= 0 && repeat <= most_repeats
             ? ""
             : fmt::format("must be a whole number from 0 to {}, not '{}'", most_repeats, text);
}

}  // namespace daelab::app
