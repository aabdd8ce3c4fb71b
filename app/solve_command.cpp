#include "app/solve_command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "app/run_arguments.hpp"
#include "core/base/options.hpp"
#include "lab/runs/run_spec.hpp"

namespace daelab::app {
namespace {

// A value as an option takes it; nothing for what has no such form.
std::optional<std::string> argument(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_array()) {
    std::vector<std::string> parts;
    for (const Json& part : value)
      if (const auto text = argument(part)) parts.push_back(*text);
    return parts.size() == value.size() ? std::optional(fmt::format("{}", fmt::join(parts, ","))) : std::nullopt;
  }
  if (!value.is_object()) return value.dump();
  Json given = value;
  for (const auto& [key, part] : value.items()) {
    if (part.is_array() || part.is_object()) return std::nullopt;
    if (part.is_null()) given.erase(key);
  }
  return given.contains("name") ? std::optional(spec_text(given)) : std::nullopt;
}

bool is_time_integration(const Json& spec) {
  return spec.is_object() && spec.contains("problem") && spec.contains("method") && spec.contains("newton");
}

// Values of a start are options of their own.
bool add_start_arguments(const Json& start, std::string& command) {
  if (!start.is_object()) {
    command += fmt::format(" --start {}", quoted(start));
    return true;
  }
  for (const auto& [key, value] : start.items()) {
    const auto text = argument(value);
    if (!text) return false;
    if (!value.is_null() && !text->empty())
      command += fmt::format(" {} {}", option_name(key == "analysis" ? "start" : key), quoted(*text));
  }
  return true;
}

}  // namespace

std::string quoted(const std::string& text) {
  static constexpr std::string_view plain = "-_=:,./+@%^";
  const auto is_plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || plain.find(c) != plain.npos;
  };
  if (!text.empty() && std::all_of(text.begin(), text.end(), is_plain)) return text;
  std::string quote = "'";
  for (const char c : text) quote += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quote + "'";
}

std::string solve_command(const Json& spec) {
  if (!is_time_integration(spec)) return "";
  const Json usual = RunSpec().write();
  std::string command = "./daelab solve";
  for (const auto& [key, value] : spec.items()) {
    const Json same = usual.value(key, Json());
    if (value.is_null() || value == same || (value.is_array() && value.empty()) || key == "trajectory") continue;
    if (key == "start") {
      if (!add_start_arguments(value, command)) return "";
      continue;
    }
    if (value.is_boolean()) {
      if (value == true) command += " " + option_name(key);
      continue;
    }
    const auto text = argument(value);
    if (!text) return "";
    command += fmt::format(" {} {}", option_name(key), quoted(*text));
  }
  return command;
}

}  // namespace daelab::app
