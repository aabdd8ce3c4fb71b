#include "modules/numpy_header.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace {

constexpr std::size_t most_bytes = std::size_t(1) << 40;  // of an item: sums of sizes do not wrap around

template <class T>
double number_as(const char* bytes) {
  T number;
  std::memcpy(&number, bytes, sizeof number);
  return static_cast<double>(number);
}

// A character of Latin-1, or of a text of Python, as UTF-8.
void append_utf8(std::string& text, std::uint32_t c) {
  if (c < 0x80) {
    text += static_cast<char>(c);
    return;
  }
  const int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  constexpr unsigned char lead[] = {0, 0xC0, 0xE0, 0xF0};
  text += static_cast<char>(lead[more] | (c >> 6 * more));
  for (int i = more - 1; i >= 0; --i) text += static_cast<char>(0x80 | (c >> 6 * i & 0x3F));
}

// Literals of Python that such headers consist of. No nesting is followed: what is nested is refused.
class Literals {
 public:
  Literals(std::string_view text, bool is_utf8) : rest_(text), is_utf8_(is_utf8) {}

  [[noreturn]] static void refuse() { throw std::runtime_error("has a header that is none of NumPy"); }

  bool next_is(char c) {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size()));
    return rest_.starts_with(c);
  }
  bool take(char c) {
    const bool is_there = next_is(c);
    if (is_there) rest_.remove_prefix(1);
    return is_there;
  }
  void require(char c) {
    if (!take(c)) refuse();
  }
  bool at_end() {
    next_is(' ');  // passes over blanks
    return rest_.empty();
  }

  std::string text() {
    const char quote = next_is('"') ? '"' : '\'';
    require(quote);
    std::string text;
    while (!rest_.empty() && rest_.front() != quote) {
      const auto c = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      if (c == '\\')
        append_utf8(text, escaped());
      else if (is_utf8_)
        text += static_cast<char>(c);
      else
        append_utf8(text, c);
    }
    require(quote);
    return text;
  }
  bool truth() {
    next_is(' ');  // passes over blanks
    for (const auto& [word, value] : {std::pair(std::string_view("True"), true), {"False", false}})
      if (rest_.starts_with(word)) return rest_.remove_prefix(word.size()), value;
    refuse();
  }
  std::vector<std::size_t> tuple() {
    std::vector<std::size_t> numbers;
    require('(');
    while (!take(')')) {
      numbers.push_back(number());
      if (!take(',') && !next_is(')')) refuse();
    }
    return numbers;
  }

 private:
  std::size_t number() {
    next_is(' ');
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc()) refuse();
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    take('L');  // Python 2
    return value;
  }
  std::uint32_t escaped() {
    if (rest_.empty()) refuse();
    const char c = rest_.front();
    rest_.remove_prefix(1);
    constexpr std::string_view letters = "ntrabfv", meant = "\n\t\r\a\b\f\v";
    if (const std::size_t place = letters.find(c); place != std::string_view::npos)
      return static_cast<std::uint32_t>(meant[place]);
    const std::size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
    if (digits == 0) return static_cast<unsigned char>(c);
    if (rest_.size() < digits) refuse();
    std::uint32_t value = 0;
    const char* const past = rest_.data() + digits;
    const auto [end, error] = std::from_chars(rest_.data(), past, value, 16);
    if (error != std::errc() || end != past || value > 0x10FFFF) refuse();
    rest_.remove_prefix(digits);
    return value;
  }

  std::string_view rest_;
  bool is_utf8_;
};

void add_field(NumpyHeader& header, std::string name, const std::string& type) {
  const NumberType number(type);
  header.fields.push_back({std::move(name), number, header.item});
  header.item += number.bytes;
  if (header.item > most_bytes) throw std::runtime_error("has items of more bytes than it can hold");
}

// ('name', '<f8'), or (('title', 'name'), '<f8').
void read_field(Literals& from, NumpyHeader& header) {
  from.require('(');
  const bool has_title = from.take('(');
  std::string name = from.text();
  if (has_title) from.require(','), name = from.text(), from.require(')');
  from.require(',');
  if (from.next_is('[')) throw std::runtime_error("has fields that are structures themselves");
  add_field(header, std::move(name), from.text());
  if (from.take(',') && !from.next_is(')')) throw std::runtime_error("has fields that are arrays themselves");
  from.require(')');
}

void read_type(Literals& from, NumpyHeader& header) {
  if (!from.take('[')) return add_field(header, "", from.text());
  while (!from.take(']')) {
    read_field(from, header);
    if (!from.take(',') && !from.next_is(']')) Literals::refuse();
  }
}

}  // namespace

NumberType::NumberType(const std::string& text) {
  const bool has_order = !text.empty() && std::string_view("<>|=").find(text[0]) != std::string_view::npos;
  if (text.size() < 2 || !has_order) Literals::refuse();
  if (text[1] == 'O')
    throw std::runtime_error("holds objects of Python, not numbers: give the array a type of numbers");
  std::uint32_t count = 0;
  const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), count);
  if (error != std::errc()) Literals::refuse();
  const std::string_view size(text.data() + 2, static_cast<std::size_t>(end - text.data()) - 2);
  bytes = count, swapped = text[0] == '>';
  if (text[1] == 'U') bytes *= 4;  // texts count letters of four bytes
  for (const std::string_view known : {"f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1"})
    if (known[0] == text[1] && known.substr(1) == size && end == text.data() + text.size()) kind = text[1];
}

double NumberType::value(const char* at) const {
  char turned[8];
  for (std::size_t i = 0; i < bytes; ++i) turned[i] = at[swapped ? bytes - 1 - i : i];
  if (kind == 'f') return bytes == 8 ? number_as<double>(turned) : number_as<float>(turned);
  const bool sign = kind == 'i';
  switch (bytes) {
    case 1:
      return sign ? number_as<std::int8_t>(turned) : number_as<std::uint8_t>(turned);
    case 2:
      return sign ? number_as<std::int16_t>(turned) : number_as<std::uint16_t>(turned);
    case 4:
      return sign ? number_as<std::int32_t>(turned) : number_as<std::uint32_t>(turned);
    default:
      return sign ? number_as<std::int64_t>(turned) : number_as<std::uint64_t>(turned);
  }
}

NumpyHeader read_numpy_header(std::string_view text, bool is_utf8) {
  Literals from(text, is_utf8);
  NumpyHeader header;
  int found = 0;
  from.require('{');
  while (!from.take('}')) {
    const std::string key = from.text();
    from.require(':');
    if (key == "descr" && (found & 1) == 0)
      read_type(from, header), found |= 1;
    else if (key == "fortran_order" && (found & 2) == 0)
      header.by_column = from.truth(), found |= 2;
    else if (key == "shape" && (found & 4) == 0)
      header.shape = from.tuple(), found |= 4;
    else
      Literals::refuse();
    if (!from.take(',') && !from.next_is('}')) Literals::refuse();
  }
  if (found != 7 || !from.at_end()) Literals::refuse();
  return header;
}
