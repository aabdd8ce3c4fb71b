#include "core/integration/tableau.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <vector>

#include "core/base/exact.hpp"
#include "core/base/json_file.hpp"
#include "core/base/paths.hpp"

namespace daelab {
namespace {

// Coefficients carry about 100 digits: beyond 80 only the round-off of generating them differs.
bool vanishes(const Real100& x) {
  static const Real100 round_off("1e-80");  // every run asks, many times
  return abs(x) <= round_off;
}

std::string entry(const std::string& pointer, std::size_t i) { return fmt::format("{}/{}", pointer, i); }

void check_keys(const Json& json, const std::string& where) {
  if (!json.is_object())
    throw InputError(where, fmt::format("a tableau is an object with keys A and b, found {}", json.type_name()));
  const std::vector<std::string> known{"name",           "A",      "b",       "c",      "order", "b_embedded",
                                       "embedded_order", "source", "summary", "aliases"};
  for (const auto& [key, value] : json.items()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    const std::string nearest = nearest_name(key, known);
    throw InputError(where + "/" + key, fmt::format("a tableau has no such key; known: {}{}", fmt::join(known, ", "),
                                                    nearest.empty() ? "" : "; nearest: " + nearest));
  }
}

const Json& required(const Json& json, const char* key, const std::string& where) {
  if (!json.contains(key)) throw InputError(where + "/" + key, "is missing");
  return json[key];
}

// How an entry is given: as a text that can only be exact, as a plain decimal, as a fraction with a long denominator.
struct Printed {
  enum class Form { exact, decimal, fraction };
  Form form = Form::exact;
  int digits = 0;  // behind the point, to which it is given
  int whole = 0;   // digits before the point: of a decimal it has them, too
};

// Decimals of so many places are rounded ones, and of so many can be: 1/1024 has ten, and is not rounded.
constexpr int surely_rounded = 14, possibly_rounded = 8;
// Fractions p/q with so many digits in q approximate, by less than some 1/q^2. [Kennedy, Carpenter 2003]
constexpr int long_denominator = 10;

// The digits of x >= 0 before the point. A logarithm in 100 digits costs more than all else of reading an entry.
int whole_digits(const Real100& x) {
  int digits = 0;
  for (Real100 power = 1; power <= x; power *= 10) ++digits;
  return digits;
}

Printed printed(const Exact& number) {
  const std::string& text = number.text();
  const Real100 size = abs(number.value());
  if (const auto places = decimal_places(text); places && *places >= possibly_rounded && size > 0)
    return {Printed::Form::decimal, *places, whole_digits(size)};
  const std::size_t bar = text.find('/');
  if (bar == std::string::npos || text.find_first_not_of("0123456789+-") != bar) return {};
  const std::string below = text.substr(bar + 1);
  if (below.size() < long_denominator || below.find_first_not_of("0123456789") != std::string::npos) return {};
  const Real100 denominator(below);
  return {Printed::Form::fraction, whole_digits(denominator * denominator) - 1, 0};
}

struct PrintedVector {
  Vector<Real100> values;
  std::vector<Printed> printed;
};

PrintedVector read_vector(const Json& json, std::size_t size, const std::string& pointer) {
  if (!json.is_array())
    throw InputError(pointer, fmt::format("expected a list of numbers, found {}", json.type_name()));
  if (json.size() != size)
    throw InputError(pointer, fmt::format("has {} entries, must have {}: A has {} rows", json.size(), size, size));
  PrintedVector result{Vector<Real100>(static_cast<Index>(size)), {}};
  for (std::size_t i = 0; i < size; ++i) {
    const Exact number = exact_from_json(json[i], entry(pointer, i));
    result.printed.push_back(printed(number));
    result.values[static_cast<Index>(i)] = number.value();
  }
  return result;
}

std::vector<PrintedVector> read_matrix(const Json& json, const std::string& pointer) {
  if (!json.is_array() || json.empty()) throw InputError(pointer, "expected a list of rows, at least one");
  std::vector<PrintedVector> rows;
  for (std::size_t i = 0; i < json.size(); ++i) rows.push_back(read_vector(json[i], json.size(), entry(pointer, i)));
  return rows;
}

std::string read_string(const Json& json, const char* key, const std::string& where) {
  if (!json.contains(key)) return "";
  if (!json[key].is_string()) throw InputError(where + "/" + key, "must be text");
  return json[key].get<std::string>();
}

void check_aliases(const Json& json, const std::string& where) {
  if (!json.contains("aliases")) return;
  if (!json["aliases"].is_array()) throw InputError(where + "/aliases", "must be a list of names");
  for (std::size_t i = 0; i < json["aliases"].size(); ++i)
    if (!json["aliases"][i].is_string()) throw InputError(entry(where + "/aliases", i), "must be text");
}

int read_order(const Json& json, const char* key, const std::string& where) {
  if (!json.contains(key)) return 0;
  const Json& order = json[key];
  if (!order.is_number_integer() || order.get<double>() < 1 || order.get<double>() > 1000)
    throw InputError(where + "/" + key, "must be a whole number from 1 to 1000");
  return order.get<int>();
}

// The usual cause of a small residual is decimals cut off early.
std::string residual_text(const Tableau& t, const Real100& residual) {
  std::string text = "residual " + to_text(residual, 3);
  if (t.digits > 0) return fmt::format("{}, too large for coefficients to {} digits", text, t.digits);
  if (abs(residual) < Real100("1e-6")) text += "; write fractions, roots, or all decimals there are";
  return text;
}

// Zero, as far as the errors of the coefficients that it is made of allow.
bool vanishes(const Tableau& t, const Real100& sum, const Real100& error) {
  return vanishes(sum) || (t.digits > 0 && abs(sum) <= error);
}

void check_row_sums(const Tableau& t, const std::string& where) {
  for (Index i = 0; i < t.stages(); ++i) {
    const Real100 sum = t.A.row(i).sum();
    if (vanishes(t, sum - t.c[i], t.digits > 0 ? Real100(t.A_error.row(i).sum() + t.c_error[i]) : Real100(0))) continue;
    throw InputError(entry(where + "/c", static_cast<std::size_t>(i)),
                     fmt::format("is {}, but row {} of A sums to {} ({})", exact_text(t.c[i]), i, exact_text(sum),
                                 residual_text(t, sum - t.c[i])));
  }
}

void check_weights(const Tableau& t, const Vector<Real100>& b, const Vector<Real100>& error,
                   const std::string& pointer) {
  if (b.size() == 0) return;
  const Real100 sum = b.sum();
  if (!vanishes(t, sum - 1, error.sum()))
    throw InputError(pointer, fmt::format("sums to {}, must be 1 ({})", exact_text(sum), residual_text(t, sum - 1)));
}

void check(const Tableau& t, const std::string& where) {
  check_weights(t, t.b, t.b_error, where + "/b");
  check_weights(t, t.b_embedded, t.b_embedded_error, where + "/b_embedded");
  check_row_sums(t, where);
  for (const TableauCheck check : tableau_checks()) check(t, where);
}

// The texts of a tableau, which of them are rounded, and how far.
class PrintedTableau {
 public:
  std::vector<PrintedVector> A;
  PrintedVector b, c, b_embedded;  // c: of no entries where it follows from A

  /// Which are taken as rounded. Each allows more than the one before.
  enum class Reading { long_decimals, fractions, short_decimals };

  void count() {
    for_all([this](const Printed& x) {
      if (x.form == Printed::Form::fraction) ++fractions_;
      if (x.form == Printed::Form::decimal) ++counts_[x.digits];
    });
    for (const auto& [digits, number] : counts_) (digits < surely_rounded ? short_ : long_) += number;
  }
  bool allows(Reading reading) const {
    if (reading == Reading::fractions) return fractions_ > 0;
    return reading == Reading::long_decimals || short_ > long_;
  }
  /// Sets the errors of t.
  void apply(Reading reading, Tableau& t) {
    reading_ = reading, weakest_ = 0, usual_ = 0;
    for (int most = 0; const auto& [digits, number] : counts_)
      if (is_rounded({Printed::Form::decimal, digits, 0}) && number >= most) usual_ = digits, most = number;
    t.A_error.resize(t.A.rows(), t.A.cols());
    for (std::size_t i = 0; i < A.size(); ++i) t.A_error.row(static_cast<Index>(i)) = errors(A[i]).transpose();
    t.b_error = errors(b), t.b_embedded_error = errors(b_embedded);
    t.c_error = c.printed.empty() ? Vector<Real100>(t.A_error.rowwise().sum()) : errors(c);
    t.digits = weakest_;
  }

 private:
  void for_all(const auto& action) const {
    for (const PrintedVector& row : A)
      for (const Printed& x : row.printed) action(x);
    for (const PrintedVector* list : {&b, &c, &b_embedded})
      for (const Printed& x : list->printed) action(x);
  }
  bool is_rounded(const Printed& x) const {
    if (x.form == Printed::Form::decimal) return x.digits >= surely_rounded || reading_ == Reading::short_decimals;
    return x.form == Printed::Form::fraction && reading_ != Reading::long_decimals;
  }
  Vector<Real100> errors(const PrintedVector& list) {
    Vector<Real100> result = Vector<Real100>::Zero(list.values.size());
    for (std::size_t i = 0; i < list.printed.size(); ++i)
      if (is_rounded(list.printed[i])) result[static_cast<Index>(i)] = error(list.printed[i]);
    return result;
  }
  // One unit of the last place, counted from the leading digit where there are digits before the point.
  Real100 error(const Printed& x) {
    constexpr int zeros_left_out = 3;
    const bool is_shorter = x.form == Printed::Form::decimal && x.digits < usual_;
    const int digits = is_shorter && x.digits >= usual_ - zeros_left_out ? usual_ : x.digits;
    weakest_ = weakest_ == 0 ? digits : std::min(weakest_, digits);
    return pow(Real100(10), x.whole - digits);
  }

  std::map<int, int> counts_;  // of decimals, by their places
  int fractions_ = 0, short_ = 0, long_ = 0;
  Reading reading_ = Reading::long_decimals;
  int usual_ = 0, weakest_ = 0;
};

// By the strictest reading that holds. Throws what speaks against the last one that says what the entries look like.
void check_as_printed(Tableau& t, PrintedTableau& texts, const std::string& where) {
  using enum PrintedTableau::Reading;
  texts.count();
  std::optional<InputError> objection;
  for (const auto reading : {long_decimals, fractions, short_decimals}) {
    if (!texts.allows(reading)) continue;
    texts.apply(reading, t);
    try {
      return check(t, where);
    } catch (const InputError& error) {
      if (!objection || reading == fractions) objection = error;
    }
  }
  throw *objection;
}

}  // namespace

bool Tableau::is_explicit() const {
  for (Index i = 0; i < stages(); ++i)
    for (Index j = i; j < stages(); ++j)
      if (!vanishes(A(i, j))) return false;
  return true;
}

bool Tableau::is_diagonally_implicit() const {
  const Index first = explicit_first_stage() ? 1 : 0;
  for (Index i = 0; i < stages(); ++i)
    for (Index j = i; j < stages(); ++j)
      if (vanishes(A(i, j)) != (j > i || i < first)) return false;
  return stages() - first >= 2;
}
bool Tableau::explicit_first_stage() const {
  for (Index j = 0; j < stages(); ++j)
    if (!vanishes(A(0, j))) return false;
  return true;
}

bool Tableau::stiffly_accurate() const {
  for (Index j = 0; j < stages(); ++j)
    if (!vanishes(A(stages() - 1, j) - b[j])) return false;
  return true;
}

std::string coefficient_warning(const Tableau& tableau, int working_digits) {
  if (tableau.digits == 0 || tableau.digits >= working_digits) return "";
  return fmt::format(
      "the coefficients of {} are given to {} digits, which limits its order: the run in {} digits is no more accurate",
      tableau.name.empty() ? "the tableau" : tableau.name, tableau.digits, working_digits);
}

std::vector<TableauCheck>& tableau_checks() {
  static std::vector<TableauCheck> checks;
  return checks;
}

bool is_tableau(const Json& json) { return json.contains("A") || json.contains("b"); }

Tableau tableau_from_json(const Json& json, const std::string& where) {
  check_keys(json, where);
  Tableau t;
  t.name = read_string(json, "name", where);
  t.source = read_string(json, "source", where);
  read_string(json, "summary", where);  // for lists and report cards, which take it from the file
  check_aliases(json, where);           // for the registry, the same
  t.claimed_order = read_order(json, "order", where);
  t.embedded_order = read_order(json, "embedded_order", where);
  PrintedTableau texts;
  texts.A = read_matrix(required(json, "A", where), where + "/A");
  const std::size_t s = texts.A.size();
  const auto read = [&](const char* key) { return read_vector(required(json, key, where), s, where + "/" + key); };
  texts.b = read("b");
  if (t.embedded_order > 0 || json.contains("b_embedded")) texts.b_embedded = read("b_embedded");
  if (json.contains("c")) texts.c = read("c");
  t.A.resize(static_cast<Index>(s), static_cast<Index>(s));
  for (std::size_t i = 0; i < s; ++i) t.A.row(static_cast<Index>(i)) = texts.A[i].values.transpose();
  t.b = texts.b.values, t.b_embedded = texts.b_embedded.values;
  t.c = json.contains("c") ? texts.c.values : Vector<Real100>(t.A.rowwise().sum());
  check_as_printed(t, texts, where);
  return t;
}

Tableau tableau_by_name(const std::string& name, const std::string& where) {
  const auto read = [](const std::string& path) { return tableau_from_json(read_json_file(path), path + ": "); };
  if (name.starts_with("@")) {
    require_copy(name.substr(1));
    return read(name.substr(1));
  }
  std::vector<std::string> known;
  for (const std::string& file : json_files_below(project_path("methods"))) {
    known.push_back(std::filesystem::path(file).stem().string());
    if (known.back() == name) return read(file);
  }
  std::ranges::sort(known);
  throw InputError(where, fmt::format("no tableau '{}'; known: {}, or @file.json{}", name, fmt::join(known, ", "),
                                      did_you_mean(name, known)));
}

}  // namespace daelab
