#include "core/expressions/text_cursor.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/input_error.hpp"

namespace daelab {

static bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }  // in UTF-8

std::size_t end_of_name(const std::string& text, std::size_t at) {
  while (at < text.size() && (is_letter(text[at]) || is_digit(text[at]))) ++at;
  while (at < text.size() && text[at] == '\'') ++at;
  return at;
}

std::size_t end_of_number(const std::string& text, std::size_t at) {
  const auto digit_at = [&](std::size_t i) { return i < text.size() && is_digit(text[i]); };
  while (digit_at(at)) ++at;
  if (at < text.size() && text[at] == '.') ++at;
  while (digit_at(at)) ++at;
  if (at >= text.size() || (text[at] != 'e' && text[at] != 'E')) return at;
  const std::size_t digits = at + 1 < text.size() && (text[at + 1] == '+' || text[at + 1] == '-') ? at + 2 : at + 1;
  if (!digit_at(digits)) return at;
  at = digits;
  while (digit_at(at)) ++at;
  return at;
}

char TextCursor::peek() {
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
    ++at_;
  return at_ < text_.size() ? text_[at_] : '\0';
}

bool TextCursor::take(char wanted) {
  if (peek() != wanted || at_ >= text_.size()) return false;
  ++at_;
  return true;
}

bool TextCursor::take_word(const char* word) {
  if (!is_letter(peek())) return false;
  const std::size_t end = end_of_name(text_, at_);
  if (text_.compare(at_, end - at_, word) != 0) return false;
  at_ = end;
  return true;
}

std::string TextCursor::character_at(std::size_t at) const {
  std::size_t end = at + 1;
  while (end < text_.size() && continues_character(text_[end])) ++end;
  return text_.substr(at, end - at);
}

std::size_t TextCursor::position(std::size_t at) const {
  return 1 + static_cast<std::size_t>(std::count_if(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at),
                                                    [](char c) { return !continues_character(c); }));
}

// The text around a place, whole characters.
std::string TextCursor::excerpt(std::size_t at) const {
  constexpr std::size_t around = 40;
  std::size_t begin = at > around ? at - around : 0, end = std::min(text_.size(), at + around);
  while (begin > 0 && continues_character(text_[begin])) --begin;
  while (end < text_.size() && continues_character(text_[end])) ++end;
  return (begin > 0 ? "..." : "") + text_.substr(begin, end - begin) + (end < text_.size() ? "..." : "");
}

std::string TextCursor::message(const std::string& what, std::size_t at) const {
  return fmt::format("cannot read \"{}\": {} at position {}", excerpt(at), what, position(at));
}

void TextCursor::fail(const std::string& what, std::size_t at) const { throw InputError(message(what, at)); }

void TextCursor::fail_unexpected() {
  const char c = peek();
  const std::string two = text_.substr(at_, 2);
  if (at_ >= text_.size()) fail("the text ends too early");
  if (is_letter(c) || is_digit(c) || c == '.' || c == '(') fail_implicit_product();
  if (c == ')') fail("')' without '('");
  if (c == ',') fail("',' outside the arguments of a function");
  if (c == '=') fail("'=' is allowed once, in constraints and algebraic equations; '==' compares");
  if (two == "!=") fail("no operator '!='; write not (a == b)");
  if (two == "&&" || two == "||" || c == '!')
    fail(fmt::format("no operator '{}'; write and, or, not", c == '!' ? "!" : two));
  if (c == '<' || c == '>') fail("comparisons do not chain; write a < b and b < c");
  if (c == '\'') fail("a prime must follow the name of a coordinate");
  fail(fmt::format("unexpected '{}'; expected an operator + - * / ^ or the end", character_at(at_)));
}

void TextCursor::fail_implicit_product() const {
  std::size_t end = at_ + 1;
  if (is_letter(text_[at_])) end = end_of_name(text_, at_);
  if (text_.compare(at_, end - at_, "if") == 0) fail("no operator 'if'; write select(condition, a, b)");
  if (is_digit(text_[at_])) end = end_of_number(text_, at_);
  const std::string left = text_.substr(operand_begin_, std::min<std::size_t>(operand_end_ - operand_begin_, 20)),
                    right = text_.substr(at_, std::min<std::size_t>(end - at_, 20));
  fail(fmt::format("products are written with *: '{}*{}'; an operator is missing",
                   operand_end_ - operand_begin_ > 20 ? ")" : left, right));
}

void TextCursor::set_operand(std::size_t begin) {
  operand_begin_ = begin, operand_end_ = at_;
  while (text_[operand_end_ - 1] == ' ') --operand_end_;
}

}  // namespace daelab
