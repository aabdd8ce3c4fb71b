#include "core/integration/printed_tableau.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/base/exact.hpp"

namespace daelab {
namespace {

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
  if (const auto places = decimal_places(text); places && *places >= possibly_rounded_places && size > 0)
    return {Printed::Form::decimal, *places, whole_digits(size)};
  const std::size_t bar = text.find('/');
  if (bar == std::string::npos || text.find_first_not_of("0123456789+-") != bar) return {};
  const std::string below = text.substr(bar + 1);
  if (below.size() < long_denominator || below.find_first_not_of("0123456789") != std::string::npos) return {};
  const Real100 denominator(below);
  return {Printed::Form::fraction, whole_digits(denominator * denominator) - 1, 0, static_cast<int>(below.size())};
}

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

// Each allows more than the one before.
constexpr Reading all_readings[] = {{surely_rounded_places, Reading::no_fraction},
                                    {surely_rounded_places, 10},
                                    {surely_rounded_places, 8},
                                    {surely_rounded_places, long_denominator},
                                    {possibly_rounded_places, 10}};

constexpr int zeros_left_out = 3;

}  // namespace

bool is_zero(const Real100& x) {
  static const Real100 round_off("1e-80");  // every run asks, many times
  return abs(x) <= round_off;
}

bool vanishes(const Tableau& t, const Real100& sum, const Real100& error) {
  return is_zero(sum) || (t.digits > 0 && abs(sum) <= error);
}

bool row_sum_holds(const Tableau& t, Index i) {
  const Real100 rest = t.A.row(i).sum() - t.c[i];
  return vanishes(t, rest, t.digits > 0 ? Real100(t.A_error.row(i).sum() + t.c_error[i]) : Real100(0));
}

PrintedTableau::PrintedTableau(const Json& json, const std::string& where, Tableau& t) {
  check_keys(json, where);
  t.name = read_string(json, "name", where);
  t.source = read_string(json, "source", where);
  read_string(json, "summary", where);  // for lists and report cards, which take it from the file
  check_aliases(json, where);           // for the registry, the same
  t.claimed_order = read_order(json, "order", where);
  t.embedded_order = read_order(json, "embedded_order", where);
  A_ = read_matrix(required(json, "A", where), where + "/A");
  const std::size_t s = A_.size();
  const auto read = [&](const char* key) { return read_vector(required(json, key, where), s, where + "/" + key); };
  b_ = read("b");
  if (t.embedded_order > 0 || json.contains("b_embedded")) b_embedded_ = read("b_embedded");
  if (json.contains("c")) c_ = read("c");
  t.A.resize(static_cast<Index>(s), static_cast<Index>(s));
  for (std::size_t i = 0; i < s; ++i) t.A.row(static_cast<Index>(i)) = A_[i].values.transpose();
  t.b = b_.values, t.b_embedded = b_embedded_.values;
  t.c = json.contains("c") ? c_.values : Vector<Real100>(t.A.rowwise().sum());
  count();
}

std::vector<Reading> PrintedTableau::readings() const {
  std::vector<Reading> found;
  for (int before = Reading::no_fraction; const Reading& reading : all_readings)
    if (allows(reading, before)) found.push_back(reading), before = reading.shortest_denominator;
  return found;
}

void PrintedTableau::count() {
  for_all([this](const Printed& x) {
    if (x.form == Printed::Form::fraction) ++fractions_[x.denominator];
    if (x.form == Printed::Form::decimal) ++counts_[x.digits];
  });
  for (const auto& [digits, number] : counts_) (digits < surely_rounded_places ? short_ : long_) += number;
}

// Whether it takes more as rounded than the one before, which takes denominators from `before` on.
bool PrintedTableau::allows(const Reading& reading, int before) const {
  if (reading.shortest_decimal < surely_rounded_places) return short_ > long_;
  const auto first = fractions_.lower_bound(reading.shortest_denominator);
  return reading.shortest_denominator == Reading::no_fraction || (first != fractions_.end() && first->first < before);
}

void PrintedTableau::apply(const Reading& reading, Tableau& t) {
  reading_ = reading, usual_ = 0;
  for (int most = 0; const auto& [digits, number] : counts_)
    if (digits >= reading.shortest_decimal && number >= most) usual_ = digits, most = number;
  set_errors(shorter_ones_hold(t), t);
}

void PrintedTableau::for_all(const std::function<void(const Printed&)>& action) const {
  for (const PrintedVector& row : A_)
    for (const Printed& x : row.printed) action(x);
  for (const PrintedVector* list : {&b_, &c_, &b_embedded_})
    for (const Printed& x : list->printed) action(x);
}

bool PrintedTableau::is_shorter(const Printed& x) const {
  return x.form == Printed::Form::decimal && x.digits + x.whole < usual_ - zeros_left_out;
}

bool PrintedTableau::is_rounded(const Printed& x, bool shorter_is_exact) const {
  if (x.form == Printed::Form::fraction) return x.denominator >= reading_.shortest_denominator;
  if (x.form != Printed::Form::decimal || x.digits < reading_.shortest_decimal) return false;
  return !shorter_is_exact || !is_shorter(x);
}

void PrintedTableau::set_errors(bool shorter_is_exact, Tableau& t) {
  weakest_ = 0;
  t.A_error.resize(t.A.rows(), t.A.cols());
  for (std::size_t i = 0; i < A_.size(); ++i)
    t.A_error.row(static_cast<Index>(i)) = errors(A_[i], shorter_is_exact).transpose();
  t.c_error = c_.printed.empty() ? Vector<Real100>(t.A_error.rowwise().sum()) : errors(c_, shorter_is_exact);
  // Weights that are all shorter are given to fewer places.
  const auto of_weights = [&](const PrintedVector& list) {
    const auto longer = [this](const Printed& x) { return x.form == Printed::Form::decimal && !is_shorter(x); };
    return errors(list, shorter_is_exact && std::ranges::any_of(list.printed, longer));
  };
  t.b_error = of_weights(b_), t.b_embedded_error = of_weights(b_embedded_);
  t.digits = weakest_;
}

// Decimals that are shorter than most are exact where their row sums hold to the rounding of the others: in half of
// the rows with such decimals, or more.
bool PrintedTableau::shorter_ones_hold(Tableau& t) {
  if (c_.printed.empty()) return false;
  set_errors(true, t);
  Index rows = 0, hold = 0;
  for (std::size_t i = 0; i < A_.size(); ++i) {
    const auto shorter = [this](const Printed& x) { return x.digits >= surely_rounded_places && is_shorter(x); };
    if (!shorter(c_.printed[i]) && std::ranges::none_of(A_[i].printed, shorter)) continue;
    const Index row = static_cast<Index>(i);
    ++rows, hold += row_sum_holds(t, row);
  }
  return rows > 0 && 2 * hold >= rows;
}

Vector<Real100> PrintedTableau::errors(const PrintedVector& list, bool shorter_is_exact) {
  Vector<Real100> result = Vector<Real100>::Zero(list.values.size());
  for (std::size_t i = 0; i < list.printed.size(); ++i)
    if (is_rounded(list.printed[i], shorter_is_exact)) result[static_cast<Index>(i)] = error(list.printed[i]);
  return result;
}

// One unit of the last place, counted from the leading digit where there are digits before the point.
Real100 PrintedTableau::error(const Printed& x) {
  const bool lacks_zeros = x.form == Printed::Form::decimal && x.digits < usual_ && x.digits >= usual_ - zeros_left_out;
  const int digits = lacks_zeros ? usual_ : x.digits;
  weakest_ = weakest_ == 0 ? digits : std::min(weakest_, digits);
  return pow(Real100(10), x.whole - digits);
}

Tableau tableau_as_printed(const Json& json, const std::string& where,
                           const std::function<int(const Tableau&)>& quality) {
  Tableau t;
  PrintedTableau texts(json, where, t);
  const std::vector<Reading> readings = texts.readings();
  const Reading* best = &readings.front();
  if (readings.size() > 1) {
    int highest = std::numeric_limits<int>::min();
    for (const Reading& reading : readings) {
      texts.apply(reading, t);
      if (const int found = quality(t); found > highest) highest = found, best = &reading;
    }
  }
  texts.apply(*best, t);
  return t;
}

}  // namespace daelab
