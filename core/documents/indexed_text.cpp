#include "core/documents/indexed_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/base/input_error.hpp"
#include "core/base/limits.hpp"
#include "core/expressions/graph.hpp"
#include "core/expressions/parse.hpp"
#include "core/expressions/text_cursor.hpp"

namespace daelab {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::size_t skip_blanks(const std::string& text, std::size_t at) {
  while (at < text.size() && is_blank(text[at])) ++at;
  return at;
}

std::string trimmed(const std::string& text) {
  const std::size_t begin = skip_blanks(text, 0);
  std::size_t end = text.size();
  while (end > begin && is_blank(text[end - 1])) --end;
  return text.substr(begin, end - begin);
}

// The place of a word outside of parentheses and brackets, from `at` on; npos: there is none.
std::size_t find_word(const std::string& text, const std::string& word, std::size_t at = 0) {
  int depth = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (is_letter(c)) {
      const std::size_t end = end_of_name(text, at);
      if (depth == 0 && text.compare(at, end - at, word) == 0) return at;
      at = end;
      continue;
    }
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    ++at;
  }
  return std::string::npos;
}

// One past the bracket that closes the one at `begin`.
std::size_t end_of_brackets(const std::string& text, std::size_t begin) {
  int depth = 0;
  for (std::size_t at = begin; at < text.size(); ++at) {
    if (text[at] == '(' || text[at] == '[') ++depth;
    if ((text[at] == ')' || text[at] == ']') && --depth == 0) return at + 1;
  }
  throw InputError(fmt::format("missing '{}' in \"{}\"", text[begin] == '(' ? ')' : ']', text.substr(begin, 40)));
}

// The parts between commas outside of parentheses and brackets.
std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (c == ',' && depth == 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

void check_terms(std::size_t terms) {
  if (terms > static_cast<std::size_t>(limits().terms))
    throw InputError(fmt::format("more than {} terms of loops {}", limits().terms, limit_hint("terms")));
}

}  // namespace

void IndexedTexts::add_parameter(const std::string& name, const Exact& value) {
  const double number = value.as<double>();
  const long whole = std::abs(number) < 1e9 ? std::lround(number) : 0;
  if (static_cast<double>(whole) == number) parameters_[name] = whole;
}

void IndexedTexts::add_vector(const std::string& name, const std::vector<long>& sizes) {
  if (sizes.empty() || sizes.size() > 2) throw InputError("a vector has one size, a matrix two");
  std::size_t entries = 1;
  for (const long size : sizes) {
    if (size < 1) throw InputError(fmt::format("{} entries are not allowed; allowed: 1 or more", size));
    check_terms(entries *= static_cast<std::size_t>(size));
  }
  sizes_[name] = sizes;
}

std::vector<std::string> IndexedTexts::entries(const std::string& vector) const {
  const std::vector<long>& sizes = sizes_.at(vector);
  std::vector<std::string> names;
  for (long i = 1; i <= sizes[0]; ++i)
    if (sizes.size() == 1)
      names.push_back(fmt::format("{}{}", vector, i));
    else
      for (long j = 1; j <= sizes[1]; ++j) names.push_back(fmt::format("{}{}_{}", vector, i, j));
  return names;
}

long IndexedTexts::integer(const std::string& text, const Bindings& bindings) const {
  Graph graph;
  const RecordingScope scope(graph);
  Names names;
  for (const Bindings* list : {&bindings, &parameters_})
    for (const auto& [name, value] : *list) names.emplace(name, Expression(Real100(value)));
  const Real100 value = constant_value(parse_expression(text, names));
  if (value != floor(value) || abs(value) > 1000000000)
    throw InputError(fmt::format("\"{}\" must be a whole number", trimmed(text)));
  return static_cast<long>(value);
}

bool IndexedTexts::holds(const std::string& condition, const Bindings& bindings) const {
  return integer("truth(" + condition + ")", bindings) != 0;
}

std::string IndexedTexts::entry(const std::string& vector, const std::string& indices, const Bindings& bindings) const {
  const auto found = sizes_.find(vector);
  if (found == sizes_.end()) {
    std::vector<std::string> known;
    for (const auto& [name, sizes] : sizes_) known.push_back(name);
    throw InputError(
        fmt::format("'{}' has no entries: it does not stand in \"vectors\"{}", vector, did_you_mean(vector, known)));
  }
  const std::vector<std::string> texts = split(indices);
  if (texts.size() != found->second.size())
    throw InputError(
        fmt::format("{}[{}]: {} of {} indices given", vector, trimmed(indices), texts.size(), found->second.size()));
  std::string name = vector;
  for (std::size_t k = 0; k < texts.size(); ++k) {
    const long index = integer(texts[k], bindings), size = found->second[k];
    if (index < 1 || index > size)
      throw InputError(
          fmt::format("{}[{}]: entry {} does not exist, entries are 1 to {}", vector, trimmed(indices), index, size));
    name += fmt::format("{}{}", k > 0 ? "_" : "", index);
  }
  return name;
}

// "i in a..b", and the condition behind "if".
struct IndexedTexts::Range {
  std::string index;
  long first = 0, last = 0;
  std::string condition;
};

IndexedTexts::Range IndexedTexts::range(const std::string& header, const Bindings& bindings) const {
  Range result;
  const std::size_t in = find_word(header, "in"), condition = find_word(header, "if"), dots = header.find("..");
  result.index = trimmed(header.substr(0, in));
  if (in == std::string::npos || dots == std::string::npos || dots < in || !name_refusal(result.index).empty())
    throw InputError(fmt::format("\"{}\" is no range; write i in 1..N", trimmed(header)));
  if (bindings.contains(result.index))
    throw InputError(fmt::format("the index '{}' is in use outside; take another name", result.index));
  result.first = integer(header.substr(in + 2, dots - in - 2), bindings);
  result.last = integer(header.substr(dots + 2, condition - dots - 2), bindings);
  if (condition != std::string::npos) result.condition = header.substr(condition + 2);
  return result;
}

IndexedTexts::Loops IndexedTexts::loops(const std::string& text, const Bindings& outer) const {
  std::size_t clause = find_word(text, "for");
  Loops result{clause == std::string::npos ? text : trimmed(text.substr(0, clause)), {outer}};
  while (clause != std::string::npos) {
    const std::size_t next = find_word(text, "for", clause + 3);
    const std::string header = text.substr(clause + 3, next == std::string::npos ? next : next - clause - 3);
    std::vector<Bindings> bindings;
    for (const Bindings& before : result.bindings) {
      const Range r = range(header, before);
      for (long i = r.first; i <= r.last; ++i) {
        Bindings inner = before;
        inner[r.index] = i;
        if (!r.condition.empty() && !holds(r.condition, inner)) continue;
        bindings.push_back(std::move(inner));
        check_terms(bindings.size());
      }
    }
    result.bindings = std::move(bindings);
    clause = next;
  }
  return result;
}

// Writes one text out.
class IndexedTexts::Expansion {
 public:
  explicit Expansion(const IndexedTexts& texts) : texts_(texts) {}

  std::string of(const std::string& text, const Bindings& bindings) {
    if (++depth_ > limits().nesting)
      throw InputError(fmt::format("sums nested more than {} deep {}", limits().nesting, limit_hint("nesting")));
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t begin = at;
      if (is_letter(text[at]))
        result += name(text, at, bindings);
      else
        result.append(text, begin, (at = is_digit(text[at]) ? end_of_number(text, at) : at + 1) - begin);
    }
    --depth_;
    return result;
  }

 private:
  std::string name(const std::string& text, std::size_t& at, const Bindings& bindings) {
    const std::size_t begin = at;
    at = end_of_name(text, at);
    const std::string name = text.substr(begin, at - begin);
    const std::size_t next = skip_blanks(text, at);
    const char opening = next < text.size() ? text[next] : '\0';
    if (opening == '(' && (name == "sum" || name == "product")) {
      at = end_of_brackets(text, next);
      return series(name == "sum", text.substr(next + 1, at - next - 2), bindings);
    }
    if (opening == '[') {
      at = end_of_brackets(text, next);
      return texts_.entry(name, of(text.substr(next + 1, at - next - 2), bindings), bindings);
    }
    const auto index = bindings.find(name);
    if (index == bindings.end()) return name;
    return index->second < 0 ? fmt::format("({})", index->second) : std::to_string(index->second);
  }
  std::string series(bool is_sum, const std::string& inside, const Bindings& outer) {
    const std::vector<std::string> parts = split(inside);
    const char* what = is_sum ? "sum" : "product";
    const bool has_condition = find_word(inside, "if") != std::string::npos;
    const char* form = has_condition ? "i in 1..N if i > 1" : "i in 1..N";
    if (parts.size() < 2) throw InputError(fmt::format("{0}({1}): write {0}({2}, x[i])", what, trimmed(inside), form));
    const Range r = texts_.range(parts[0], outer);
    const std::string body = trimmed(inside.substr(parts[0].size() + 1));
    if (find_word(body, "if") != std::string::npos)
      throw InputError(
          fmt::format("{0}({1}): a condition belongs to the range, {0}({2}, x[i]); to choose values write "
                      "select(condition, a, b)",
                      what, trimmed(inside), form));
    std::string result;
    for (long i = r.first; i <= r.last; ++i) {
      Bindings inner = outer;
      inner[r.index] = i;
      if (!r.condition.empty() && !texts_.holds(r.condition, inner)) continue;
      check_terms(++terms_);
      result += (result.empty() ? "(" : is_sum ? " + (" : " * (") + of(body, inner) + ")";
    }
    if (result.empty()) return is_sum ? "0" : "1";
    return "(" + result + ")";
  }

  const IndexedTexts& texts_;
  long depth_ = 0;
  std::size_t terms_ = 0;
};

std::string IndexedTexts::expanded(const std::string& text, const Bindings& bindings) const {
  return Expansion(*this).of(text, bindings);
}

}  // namespace daelab
