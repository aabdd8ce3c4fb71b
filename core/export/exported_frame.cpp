#include "core/export/exported_frame.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "core/export/exported_texts.hpp"

namespace daelab {
namespace {

// "@name@" becomes what stands for it.
std::string filled(std::string text, const std::map<std::string, std::string>& words) {
  for (const auto& [name, word] : words) {
    const std::string mark = "@" + name + "@";
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + word.size()))
      text.replace(at, mark.size(), word);
  }
  return text;
}

// As a comment of one line, whatever a document says.
std::string comment_of(std::string line, Language language) {
  std::ranges::replace_if(
      line, [](unsigned char c) { return std::iscntrl(c); }, ' ');
  if (language != Language::c) return fmt::format("{}{}\n", exported_texts(language).comment, line);
  for (std::size_t at = line.find("*/"); at != std::string::npos; at = line.find("*/", at)) line.replace(at, 2, "* /");
  return fmt::format("/* {} */\n", line);
}

std::string heading_of(const ExportedFrame& frame, Language language) {
  std::vector<std::string> lines{frame.heading};
  lines.push_back(frame.is_mechanism ? fmt::format("Coordinates q: {}.", fmt::join(frame.names, ", "))
                                     : fmt::format("States y: {}.", fmt::join(frame.names, ", ")));
  if (!frame.algebraic_names.empty())
    lines.push_back(fmt::format("Algebraic states, behind lambda: {}.", fmt::join(frame.algebraic_names, ", ")));
  if (!frame.observable_names.empty())
    lines.push_back(fmt::format("Observables: {}.", fmt::join(frame.observable_names, ", ")));
  if (frame.reference.empty())
    lines.push_back("No reference is stored for the end time.");
  else
    lines.push_back(fmt::format("The reference{} is {}, here rounded to double.",
                                frame.is_mechanism ? ", q and v," : "", frame.known));
  lines.insert(lines.end(), frame.remarks.begin(), frame.remarks.end());
  if (frame.leaves_out_events) lines.push_back("Events of the problem are left out: this is its first phase alone.");
  std::string text;
  for (const std::string& line : lines) text += comment_of(line, language);
  return text;
}

// MATLAB hands functions out by name.
std::string handles_of(const std::string& functions) {
  std::string text;
  for (const char* name : {"model", "equations", "equations_jacobian", "accelerations", "constraints", "linearization",
                           "row_derivatives", "energy", "mass", "rates", "jacobian", "observables", "rhs", "residual"})
    if (functions.find(fmt::format("= {}(", name)) != std::string::npos) text += fmt::format("  p.{0} = @{0};\n", name);
  return text;
}

}  // namespace

std::string framed(const ExportedFrame& frame, const std::string& functions, Language language) {
  const ExportedTexts& texts = exported_texts(language);
  const auto joined = [&](std::vector<std::string> list) {
    for (std::string& value : list)
      if (value.starts_with('(')) value = value.substr(1, value.size() - 2);
    return fmt::format("{}", fmt::join(list, texts.breaks));
  };
  std::vector<std::string> reference = frame.reference;
  if (language == Language::c && reference.empty()) reference = {"NAN"};
  const char* const forms = frame.is_linearly_implicit        ? linearly_implicit(language)
                            : !frame.is_mechanism             ? texts.ordinary
                            : frame.start_multipliers.empty() ? texts.mechanism
                                                              : reactive_mechanism(language);
  const std::map<std::string, std::string> words{{"name", frame.name},
                                                 {"n", std::to_string(frame.n)},
                                                 {"m", std::to_string(frame.m)},
                                                 {"l", std::to_string(frame.m + frame.algebraic)},
                                                 {"multipliers", joined(frame.start_multipliers)},
                                                 {"algebraic", std::to_string(frame.algebraic)},
                                                 {"t_start", frame.t_start},
                                                 {"t_end", frame.t_end},
                                                 {"start", joined(frame.start)},
                                                 {"start_size", std::to_string(frame.start.size())},
                                                 {"reference", joined(reference)},
                                                 {"reference_size", std::to_string(reference.size())},
                                                 {"handles", handles_of(functions + forms)}};
  const std::string before = heading_of(frame, language) + filled(texts.beginning, words);
  return before + functions + filled(std::string(forms) + texts.end, words);
}

}  // namespace daelab
