#include "report/layout/symbols.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "report/layout/shown_text.hpp"

namespace daelab {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || static_cast<unsigned char>(c) >= 0x80; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// Bytes of the mark of a derivative that begins there; 0: none does.
std::size_t prime_at(std::string_view text, std::size_t i) {
  for (const std::string_view prime : {"′", "″"})
    if (text.substr(i).starts_with(prime)) return prime.size();
  return 0;
}

// The end of the word that begins there.
std::size_t word_end(std::string_view text, std::size_t i) {
  while (i < text.size() && is_word(text[i]) && prime_at(text, i) == 0) ++i;
  return i;
}

// U+0370 to U+03FF
bool is_greek(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  return text.size() == 2 && (lead == 0xCD || lead == 0xCE || lead == 0xCF);
}

// Bytes of the letter that a word begins with when it is a letter alone or one with a number: q, λ, q1; else 0.
std::size_t letter_of(std::string_view word) {
  const std::size_t size = word.size() >= 2 && is_greek(word.substr(0, 2)) ? 2 : 1;
  if (size == 1 && !std::isalpha(static_cast<unsigned char>(word[0]))) return 0;
  return std::all_of(word.begin() + static_cast<std::ptrdiff_t>(size), word.end(), is_digit) ? size : 0;
}

// The letters of "9.81 m/s^2": 2 h/T is none.
bool is_per_second(std::string_view before, std::string_view word, std::string_view after) {
  if (before.ends_with('/')) return word == "s";
  return after.starts_with("/s") && (after.size() == 2 || !is_word(after[2]));
}

// Whether a letter between these texts is a symbol: no unit, no article, no part of a word with a hyphen.
bool is_symbol(std::string_view before, std::string_view word, std::string_view after) {
  const char last = before.empty() ? ' ' : before.back(), next = after.empty() ? ' ' : after[0];
  const bool has_prime = next == '\'' && (after.size() == 1 || !is_word(after[1]));  // C', not Newton's
  if (last == '-' || last == '\'' || last == '.' || next == '-' || (next == '\'' && !has_prime)) return false;
  const std::size_t open = before.rfind('['), close = before.rfind(']');
  if (open != std::string_view::npos && (close == std::string_view::npos || close < open)) return false;
  if (is_per_second(before, word, after)) return false;
  if (before.size() >= 2 && last == ' ' && is_digit(before[before.size() - 2]) && word.size() == 1 && next != '/' &&
      after.substr(0, 2) != " =")
    return false;
  if (word != "a" && word != "A" && word != "I") return true;
  return next != ' ' || after.empty() || after.substr(0, 4) == " at " || after.substr(0, 3) == " = ";
}

// Marks that change the direction of text are in these blocks. [Unicode, UAX 9, section 2]
bool is_direction_mark(unsigned code) {
  return code == 0x200E || code == 0x200F || (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

std::string visible_marks(const std::string& label) {
  std::string text;
  for (const Character& character : characters_of(label)) {
    if (is_direction_mark(character.code))
      text += code_point_text(character.code);
    else if (character.code == '\n')
      text += ' ';
    else
      text += character.bytes;
  }
  return text;
}

class Pieces {
 public:
  explicit Pieces(std::string text) : text_(std::move(text)) {
    for (std::size_t i = 0; i < text_.size();) i = read(i);
  }
  std::vector<TextPiece> take() { return std::move(pieces_); }

 private:
  // The next piece; the place behind it.
  std::size_t read(std::size_t i) {
    const std::string_view text = text_;
    if (const std::size_t end = script_end(i); end > i + 1) {
      std::string script = text_.substr(i + 1, end - i - 1);
      if (script[0] == '-') script.replace(0, 1, "−");
      pieces_.push_back({script, false, text[i] == '_' ? TextPiece::Level::subscript : TextPiece::Level::superscript});
      return end;
    }
    const std::size_t end = word_end(text, i);
    if (end == i) {
      const std::size_t size = std::max<std::size_t>(prime_at(text, i), 1);
      add(text_.substr(i, size));
      return i + size;
    }
    const std::string_view word = text.substr(i, end - i);
    const std::size_t letter = letter_of(word);
    if (letter == 0 || !is_symbol(text.substr(0, i), word, text.substr(end))) {
      add(std::string(word));
      return end;
    }
    pieces_.push_back({std::string(word.substr(0, letter)), true, TextPiece::Level::line});
    if (letter < word.size()) pieces_.push_back({std::string(word.substr(letter)), false, TextPiece::Level::subscript});
    return end;
  }

  // Where a subscript of a symbol, or a superscript of anything, ends that begins at i; i where there is none.
  std::size_t script_end(std::size_t i) const {
    const bool below = text_[i] == '_' && !pieces_.empty() && pieces_.back().italic;
    const bool above = text_[i] == '^' && !pieces_.empty();
    if (!below && !above) return i;
    std::size_t end = i + 1;
    if (above && end < text_.size() && text_[end] == '-') ++end;
    const std::size_t begin = end;
    end = word_end(text_, end);
    return end > begin ? end : i;
  }

  void add(const std::string& text) {
    if (!pieces_.empty() && !pieces_.back().italic && pieces_.back().level == TextPiece::Level::line)
      pieces_.back().text += text;
    else
      pieces_.push_back({text, false, TextPiece::Level::line});
  }

  std::string text_;
  std::vector<TextPiece> pieces_;
};

// In ems of the font, by the metrics of Helvetica.
double character_em(std::string_view character) {
  if (character.size() > 1) return is_greek(character) ? 0.58 : 0.6;
  static constexpr std::pair<std::string_view, double> widths[] = {
      {"ijl'|", 0.23},  {" .,:;/!tfI[]", 0.278}, {"r()-{}`", 0.333},    {"ckvxyzsJ*", 0.5},
      {"=+<>~", 0.584}, {"FTZ", 0.611},          {"ABEKPSVXY&", 0.667}, {"wCDHNRU", 0.722},
      {"GOQ", 0.778},   {"mM", 0.833},           {"W@%", 0.944}};
  for (const auto& [characters, em] : widths)
    if (characters.find(character) != std::string_view::npos) return em;
  return 0.556;
}

}  // namespace

std::vector<TextPiece> pieces_of(const std::string& label) { return Pieces(visible_marks(label)).take(); }

std::string gnuplot_label(const std::string& label) {
  const std::string text = visible_marks(label);
  const std::vector<TextPiece> pieces = pieces_of(label);
  const bool plain = pieces.size() < 2 && (pieces.empty() || !pieces[0].italic);
  if (plain || text.find_first_of("{}\\`\"@&~") != std::string::npos) return quote_gnuplot(text) + " noenhanced";
  std::string enhanced;
  for (const TextPiece& piece : pieces) {
    std::string part;
    for (const char c : piece.text) part += (c == '_' || c == '^' ? "\\" : "") + std::string(1, c);
    if (piece.italic) part = "{/:Italic " + part + "}";
    if (piece.level != TextPiece::Level::line)
      part = (piece.level == TextPiece::Level::subscript ? "_{" : "^{") + part + "}";
    enhanced += part;
  }
  return quote_gnuplot(enhanced);
}

namespace {

// Mathematics knows no other letters.
bool is_ascii(const std::string& text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

}  // namespace

std::string latex_label(const std::string& label, std::string (*plain)(const std::string&)) {
  std::string text;
  for (const TextPiece& piece : pieces_of(label)) {
    std::string part = plain(piece.text);
    if (piece.level != TextPiece::Level::line) {
      std::string script = piece.text;
      for (std::size_t at = script.find("−"); at != std::string::npos; at = script.find("−"))
        script.replace(at, 3, "-");
      const bool below = piece.level == TextPiece::Level::subscript;
      part = is_ascii(script) ? fmt::format("${}{{\\mathrm{{{}}}}}$", below ? '_' : '^', script)
                              : fmt::format("\\text{}script{{{}}}", below ? "sub" : "super", part);
    } else if (piece.italic && piece.text.size() == 1) {
      part = "$" + piece.text + "$";
    }
    text += part;
  }
  return text;
}

double label_width(const std::string& label) {
  constexpr double em = 7 * 25.4 / 72, script = 0.8;
  double width = 0;
  for (const TextPiece& piece : pieces_of(label))
    for (const Character& character : characters_of(piece.text))
      width += character_em(character.bytes) * (piece.level == TextPiece::Level::line ? 1 : script);
  return width * em;
}

}  // namespace daelab
