// Reading a text character by character, with errors that show the place.
#pragma once

#include <string>

namespace daelab {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// One past a name: letters and digits, then primes.
std::size_t end_of_name(const std::string& text, std::size_t at);
/// One past a decimal number: digits, a point, an exponent that has digits.
std::size_t end_of_number(const std::string& text, std::size_t at);

/// Position of a reader of expressions: a place in the text, and the last operand that it has read.
class TextCursor {
 public:
  explicit TextCursor(const std::string& text) : text_(text) {}

 protected:
  /// The next character that is no space; '\0' stands for the end.
  char peek();
  bool take(char wanted);
  bool take_word(const char* word);
  bool is_at_end() const { return at_ >= text_.size(); }
  /// In UTF-8: one character, of up to four bytes.
  std::string character_at(std::size_t at) const;
  /// In characters, from 1.
  std::size_t position(std::size_t at) const;
  void set_operand(std::size_t begin);

  std::string message(const std::string& what, std::size_t at) const;
  [[noreturn]] void fail(const std::string& what, std::size_t at) const;
  [[noreturn]] void fail(const std::string& what) const { fail(what, at_); }
  /// What is here can follow no operand: says what is wrong with it.
  [[noreturn]] void fail_unexpected();

  const std::string& text_;
  std::size_t at_ = 0;

 private:
  std::string excerpt(std::size_t at) const;
  [[noreturn]] void fail_implicit_product() const;

  std::size_t operand_begin_ = 0, operand_end_ = 0;
};

}  // namespace daelab
