#include "core/export/latex_lines.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace daelab {
namespace {

constexpr double script = 0.7;         // of exponents and subscripts
constexpr double around_operator = 1;  // blanks around + and -

// Reads a formula from the left: commands, groups in braces and characters.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool at_end() const { return at_ == text_.size(); }
  bool is_at(std::string_view what) const { return text_.substr(at_).starts_with(what); }
  std::size_t place() const { return at_; }
  char character() { return text_[at_++]; }
  void skip(std::size_t count) { at_ += count; }
  /// "\frac" as "frac"; behind a backslash that is no letter, that character.
  std::string_view command() {
    const std::size_t begin = ++at_;
    while (at_ < text_.size() && std::isalpha(static_cast<unsigned char>(text_[at_]))) ++at_;
    if (at_ == begin && at_ < text_.size()) ++at_;
    return text_.substr(begin, at_ - begin);
  }
  /// What is in the braces here; one character where there are none.
  std::string_view group() {
    if (at_end()) return {};
    if (text_[at_] != '{') return text_.substr(at_++, 1);
    const std::size_t begin = ++at_;
    for (int depth = 1; at_ < text_.size(); ++at_) {
      depth += text_[at_] == '{' ? 1 : text_[at_] == '}' ? -1 : 0;
      if (depth == 0) return text_.substr(begin, at_++ - begin);
    }
    return text_.substr(begin);
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

double width_of(std::string_view formula);

double width_of_command(std::string_view command, Reader& reader) {
  static constexpr std::string_view of_one_group[] = {"dot", "ddot", "mathrm", "text", "operatorname", "begin", "end"};
  static constexpr std::string_view functions[] = {"sin",    "cos",    "tan",    "sinh", "cosh", "tanh", "ln",
                                                   "arcsin", "arccos", "arctan", "min",  "max",  "exp"};
  if (command == "left" || command == "right") return 0;
  if (command == "frac") {
    const double above = width_of(reader.group());
    return std::max(above, width_of(reader.group()));
  }
  if (command == "sqrt") return 1.5 + width_of(reader.group());
  if (std::ranges::find(of_one_group, command) != std::end(of_one_group)) return width_of(reader.group());
  if (std::ranges::find(functions, command) != std::end(functions)) return static_cast<double>(command.size());
  return command == "cdot" ? 1.5 : 1;
}

double width_of(std::string_view formula) {
  double width = 0;
  for (Reader reader(formula); !reader.at_end();) {
    if (reader.is_at("\\")) {
      width += width_of_command(reader.command(), reader);
      continue;
    }
    const char c = reader.character();
    if (c == '^' || c == '_')
      width += script * width_of(reader.group());
    else if (c == '+' || c == '-')
      width += 1.5 + around_operator;
    else if (c != ' ' && c != '{' && c != '}')
      width += c == '.' || c == ',' ? 0.5 : 1;
  }
  return width;
}

// Numerators that are wider than a line are in parentheses behind their fraction, where they can be broken.
std::string without_wide_fractions(const std::string& formula, double most) {
  std::string result;
  for (Reader reader(formula); !reader.at_end();) {
    const std::size_t begin = reader.place();
    if (!reader.is_at("\\")) {
      result += reader.character();
      continue;
    }
    if (reader.command() == "frac") {
      const std::string above(reader.group()), below(reader.group());
      if (width_of(above) > most) {
        result += "\\frac{1}{" + below + "} \\left(" + without_wide_fractions(above, most) + "\\right)";
        continue;
      }
    }
    result += formula.substr(begin, reader.place() - begin);
  }
  return result;
}

// In front of the sign of a term, in so many open parentheses.
struct Break {
  std::size_t place;
  int parentheses;
};

// Braces and cases are not broken.
std::vector<Break> breaks_of(const std::string& formula) {
  std::vector<Break> breaks;
  int parentheses = 0, kept_whole = 0;
  for (Reader reader(formula); !reader.at_end();) {
    if ((reader.is_at(" + ") || reader.is_at(" - ")) && kept_whole == 0) {
      breaks.push_back({reader.place(), parentheses});
      reader.skip(3);
    } else if (reader.is_at("\\")) {
      const std::string_view command = reader.command();
      const bool is_round = reader.is_at("(") || reader.is_at(")");
      if (command == "left") ++(is_round ? parentheses : kept_whole);
      if (command == "right") --(is_round ? parentheses : kept_whole);
      if (command == "begin") ++kept_whole;
      if (command == "end") --kept_whole;
    } else {
      const char c = reader.character();
      kept_whole += c == '{' ? 1 : c == '}' ? -1 : 0;
    }
  }
  return breaks;
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

// The break for a line that begins at `begin`. It is the last one that fits within the fewest parentheses, and that
// fills at least half of the line if any does; if no break fits, it is the first.
const Break* break_for(const std::string& formula, const std::vector<Break>& breaks, std::size_t begin, double most) {
  const Break *best = nullptr, *first = nullptr;
  bool best_is_full = false;
  for (const Break& candidate : breaks) {
    if (candidate.place <= begin) continue;
    if (first == nullptr) first = &candidate;
    const double width = latex_width(formula.substr(begin, candidate.place - begin));
    if (width > most) break;
    const bool is_full = width > most / 2;
    if (best == nullptr || candidate.parentheses <= best->parentheses || (is_full && !best_is_full))
      best = &candidate, best_is_full = is_full;
  }
  return best ? best : first;
}

}  // namespace

double latex_width(const std::string& formula) { return width_of(formula); }

std::vector<std::string> latex_lines(const std::string& whole, double first, double most) {
  const std::string formula = without_wide_fractions(whole, most);
  const std::vector<Break> breaks = breaks_of(formula);
  std::vector<std::string> lines;
  std::size_t begin = 0;
  std::string opened;  // parentheses that the lines before have left open
  for (double room = first; latex_width(formula.substr(begin)) > room; room = most) {
    const Break* const at = break_for(formula, breaks, begin, room);
    if (at == nullptr) break;
    lines.push_back(opened + formula.substr(begin, at->place - begin) + repeated(" \\right.", at->parentheses));
    opened = repeated("\\left. ", at->parentheses) + (at->parentheses > 0 ? "{} " : "");
    begin = at->place + 1;
  }
  lines.push_back(opened + formula.substr(begin));
  return lines;
}

}  // namespace daelab
