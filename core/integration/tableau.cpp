#include "core/integration/tableau.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <vector>

#include "core/base/coefficient_document.hpp"
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
    throw InputError(where + "/" + key, fmt::format("a tableau has no such key{} (known: {})", did_you_mean(key, known),
                                                    fmt::join(known, ", ")));
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
  int digits = 0;       // behind the point, to which it is given
  int whole = 0;        // digits before the point: of a decimal it has them, too
  int denominator = 0;  // its digits, of a fraction
};

// Decimals of so many places are rounded ones, and of so many can be: 1/1024 has ten, and is not rounded.
constexpr int surely_rounded = 14, possibly_rounded = 8;
// Fractions p/q with so many digits in q can be approximations, by less than some 1/q^2: those of [Kennedy, Carpenter
// 2003] have 12 and more, those of [Prince, Dormand 1981] and [Calvo, Montijano, Rández 1990] 7 to 10. A slip in a
// numerator is an error of 1/q or more, which 1/q^2 does not excuse.
constexpr int long_denominator = 6;

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
  return {Printed::Form::fraction, whole_digits(denominator * denominator) - 1, 0, static_cast<int>(below.size())};
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

bool row_sum_holds(const Tableau& t, Index i) {
  const Real100 rest = t.A.row(i).sum() - t.c[i];
  return vanishes(t, rest, t.digits > 0 ? Real100(t.A_error.row(i).sum() + t.c_error[i]) : Real100(0));
}

void check_row_sums(const Tableau& t, const std::string& where) {
  for (Index i = 0; i < t.stages(); ++i) {
    if (row_sum_holds(t, i)) continue;
    const Real100 sum = t.A.row(i).sum();
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

// Which entries are taken as rounded: decimals of so many places, and fractions with so many digits in the denominator.
struct Reading {
  int shortest_decimal, shortest_denominator;
};
constexpr int no_fraction = std::numeric_limits<int>::max();
// Each allows more than the one before.
constexpr Reading readings[] = {{surely_rounded, no_fraction},
                                {surely_rounded, 10},
                                {surely_rounded, 8},
                                {surely_rounded, long_denominator},
                                {possibly_rounded, 10}};

// The texts of a tableau, which of them are rounded, and how far.
class PrintedTableau {
 public:
  std::vector<PrintedVector> A;
  PrintedVector b, c, b_embedded;  // c: of no entries where it follows from A

  void count() {
    for_all([this](const Printed& x) {
      if (x.form == Printed::Form::fraction) ++fractions_[x.denominator];
      if (x.form == Printed::Form::decimal) ++counts_[x.digits];
    });
    for (const auto& [digits, number] : counts_) (digits < surely_rounded ? short_ : long_) += number;
  }
  /// Whether it takes more as rounded than the one before, which takes denominators from `before` on.
  bool allows(const Reading& reading, int before) const {
    if (reading.shortest_decimal < surely_rounded) return short_ > long_;
    const auto first = fractions_.lower_bound(reading.shortest_denominator);
    return reading.shortest_denominator == no_fraction || (first != fractions_.end() && first->first < before);
  }
  /// Sets the errors of t.
  void apply(const Reading& reading, Tableau& t) {
    reading_ = reading, usual_ = 0;
    for (int most = 0; const auto& [digits, number] : counts_)
      if (digits >= reading.shortest_decimal && number >= most) usual_ = digits, most = number;
    set_errors(shorter_ones_hold(t), t);
  }

 private:
  static constexpr int zeros_left_out = 3;

  void for_all(const auto& action) const {
    for (const PrintedVector& row : A)
      for (const Printed& x : row.printed) action(x);
    for (const PrintedVector* list : {&b, &c, &b_embedded})
      for (const Printed& x : list->printed) action(x);
  }
  bool is_shorter(const Printed& x) const {
    return x.form == Printed::Form::decimal && x.digits + x.whole < usual_ - zeros_left_out;
  }
  bool is_rounded(const Printed& x, bool shorter_is_exact) const {
    if (x.form == Printed::Form::fraction) return x.denominator >= reading_.shortest_denominator;
    if (x.form != Printed::Form::decimal || x.digits < reading_.shortest_decimal) return false;
    return !shorter_is_exact || !is_shorter(x);
  }
  void set_errors(bool shorter_is_exact, Tableau& t) {
    weakest_ = 0;
    t.A_error.resize(t.A.rows(), t.A.cols());
    for (std::size_t i = 0; i < A.size(); ++i)
      t.A_error.row(static_cast<Index>(i)) = errors(A[i], shorter_is_exact).transpose();
    t.c_error = c.printed.empty() ? Vector<Real100>(t.A_error.rowwise().sum()) : errors(c, shorter_is_exact);
    // Weights that are all shorter are given to fewer places.
    const auto of_weights = [&](const PrintedVector& list) {
      const auto longer = [this](const Printed& x) { return x.form == Printed::Form::decimal && !is_shorter(x); };
      return errors(list, shorter_is_exact && std::ranges::any_of(list.printed, longer));
    };
    t.b_error = of_weights(b), t.b_embedded_error = of_weights(b_embedded);
    t.digits = weakest_;
  }
  // Decimals that are shorter than most are exact where their row sums hold to the rounding of the others: in half of
  // the rows with such decimals, or more.
  bool shorter_ones_hold(Tableau& t) {
    if (c.printed.empty()) return false;
    set_errors(true, t);
    Index rows = 0, hold = 0;
    for (std::size_t i = 0; i < A.size(); ++i) {
      const auto shorter = [this](const Printed& x) { return x.digits >= surely_rounded && is_shorter(x); };
      if (!shorter(c.printed[i]) && std::ranges::none_of(A[i].printed, shorter)) continue;
      const Index row = static_cast<Index>(i);
      ++rows, hold += row_sum_holds(t, row);
    }
    return rows > 0 && 2 * hold >= rows;
  }
  Vector<Real100> errors(const PrintedVector& list, bool shorter_is_exact) {
    Vector<Real100> result = Vector<Real100>::Zero(list.values.size());
    for (std::size_t i = 0; i < list.printed.size(); ++i)
      if (is_rounded(list.printed[i], shorter_is_exact)) result[static_cast<Index>(i)] = error(list.printed[i]);
    return result;
  }
  // One unit of the last place, counted from the leading digit where there are digits before the point.
  Real100 error(const Printed& x) {
    const bool lacks_zeros =
        x.form == Printed::Form::decimal && x.digits < usual_ && x.digits >= usual_ - zeros_left_out;
    const int digits = lacks_zeros ? usual_ : x.digits;
    weakest_ = weakest_ == 0 ? digits : std::min(weakest_, digits);
    return pow(Real100(10), x.whole - digits);
  }

  std::map<int, int> counts_, fractions_;  // of decimals, by their places; of fractions, by those of the denominator
  int short_ = 0, long_ = 0;
  Reading reading_ = readings[0];
  int usual_ = 0, weakest_ = 0;
};

// By the strictest reading that holds. Throws what speaks against the last one that says what the entries look like:
// denominators of less than eight digits are mostly exact.
void check_as_printed(Tableau& t, PrintedTableau& texts, const std::string& where) {
  texts.count();
  std::optional<InputError> objection;
  for (int before = no_fraction; const Reading& reading : readings) {
    if (!texts.allows(reading, before)) continue;
    before = reading.shortest_denominator;
    texts.apply(reading, t);
    try {
      return check(t, where);
    } catch (const InputError& error) {
      if (!objection || (reading.shortest_decimal == surely_rounded && before >= 8)) objection = error;
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

bool is_tableau(const Json& json) {
  const CoefficientKind kind = coefficient_kind(json);
  if (kind != CoefficientKind::none && kind != CoefficientKind::runge_kutta) return false;
  return json.contains("A") || json.contains("b");
}

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
  const std::vector<std::string> files = json_files_below(project_path("methods"));
  const auto stem = [](const std::string& file) { return std::filesystem::path(file).stem().string(); };
  const auto named = std::ranges::find(files, name, stem);
  if (named != files.end()) return read(*named);
  std::vector<std::string> known;  // without files of other families
  for (const std::string& file : files)
    if (is_tableau(read_json_file(file))) known.push_back(stem(file));
  std::ranges::sort(known);
  throw InputError(where, fmt::format("no tableau '{}'{} (known: {}, or @file.json)", name, did_you_mean(name, known),
                                      fmt::join(known, ", ")));
}

}  // namespace daelab
