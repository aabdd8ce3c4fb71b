#include "core/integration/tableau.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <vector>

#include "core/base/exact.hpp"
#include "core/base/paths.hpp"

namespace daelab {
namespace {

// Coefficients carry about 100 digits: beyond 80 only the round-off of generating them differs.
bool vanishes(const Real100& x) { return abs(x) <= Real100("1e-80"); }

std::string entry(const std::string& pointer, std::size_t i) { return fmt::format("{}/{}", pointer, i); }

void check_keys(const Json& json, const std::string& where) {
  if (!json.is_object())
    throw InputError(where, fmt::format("a tableau is an object with keys A and b, found {}", json.type_name()));
  const std::vector<std::string> known{"name",           "A",      "b",      "c", "order", "b_embedded",
                                       "embedded_order", "source", "summary"};
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

// How many plain decimals there are of so many places.
using PlaceCounts = std::map<int, int>;

// Entries as numbers; the plain decimals among them are counted.
Vector<Real100> read_vector(const Json& json, std::size_t size, const std::string& pointer, PlaceCounts& counts) {
  if (!json.is_array())
    throw InputError(pointer, fmt::format("expected a list of numbers, found {}", json.type_name()));
  if (json.size() != size)
    throw InputError(pointer, fmt::format("has {} entries, must have {}: A has {} rows", json.size(), size, size));
  Vector<Real100> result(static_cast<Index>(size));
  for (std::size_t i = 0; i < size; ++i) {
    const Exact number = exact_from_json(json[i], entry(pointer, i));
    if (const auto places = decimal_places(number.text())) ++counts[*places];
    result[static_cast<Index>(i)] = number.value();
  }
  return result;
}

Matrix<Real100> read_matrix(const Json& json, const std::string& pointer, PlaceCounts& counts) {
  if (!json.is_array() || json.empty()) throw InputError(pointer, "expected a list of rows, at least one");
  const std::size_t s = json.size();
  Matrix<Real100> result(static_cast<Index>(s), static_cast<Index>(s));
  for (std::size_t i = 0; i < s; ++i)
    result.row(static_cast<Index>(i)) = read_vector(json[i], s, entry(pointer, i), counts).transpose();
  return result;
}

std::string read_string(const Json& json, const char* key, const std::string& where) {
  if (!json.contains(key)) return "";
  if (!json[key].is_string()) throw InputError(where + "/" + key, "must be text");
  return json[key].get<std::string>();
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

// A sum of coefficients and another value that should be zero.
bool is_satisfied(const Tableau& t, const auto& coefficients, const Real100& value) {
  Real100 sum = -value, uncertainty = t.uncertainty(value);
  for (const Real100& x : coefficients) sum += x, uncertainty += t.uncertainty(x);
  return vanishes(sum) || abs(sum) <= uncertainty;
}

void check_row_sums(const Tableau& t, const std::string& where) {
  for (Index i = 0; i < t.stages(); ++i) {
    const Vector<Real100> row = t.A.row(i);
    const Real100 sum = row.sum();
    if (is_satisfied(t, row, t.c[i])) continue;
    throw InputError(entry(where + "/c", static_cast<std::size_t>(i)),
                     fmt::format("is {}, but row {} of A sums to {} ({})", exact_text(t.c[i]), i, exact_text(sum),
                                 residual_text(t, sum - t.c[i])));
  }
}

void check_weights(const Tableau& t, const Vector<Real100>& b, const std::string& pointer) {
  if (b.size() == 0) return;
  const Real100 sum = b.sum();
  if (!is_satisfied(t, b, Real100(1)))
    throw InputError(pointer, fmt::format("sums to {}, must be 1 ({})", exact_text(sum), residual_text(t, sum - 1)));
}

void check(const Tableau& t, const std::string& where) {
  check_weights(t, t.b, where + "/b");
  check_weights(t, t.b_embedded, where + "/b_embedded");
  check_row_sums(t, where);
  for (const TableauCheck check : tableau_checks()) check(t, where);
}

// Decimals of so many places are rounded ones, and of so many can be: 1/1024 has ten, and is not rounded.
constexpr int surely_rounded = 14, possibly_rounded = 8;

// To how many digits coefficients may be given, that of most of them first: zeros at the end are often left out, and
// small numbers have more places. 0: they are exact.
std::vector<int> possible_digits(const PlaceCounts& counts) {
  std::vector<std::pair<int, int>> by_frequency;
  for (auto place = counts.lower_bound(possibly_rounded); place != counts.end(); ++place)
    by_frequency.emplace_back(place->second, place->first);
  std::sort(by_frequency.rbegin(), by_frequency.rend());
  std::vector<int> list;
  if (counts.lower_bound(surely_rounded) == counts.end()) list.push_back(0);
  for (const auto& [count, places] : by_frequency) list.push_back(places);
  return list;
}

// Sets t.digits to the first possibility that holds. Throws what speaks against the first one if none does.
void check_to_digits(Tableau& t, const std::vector<int>& possible, const std::string& where) {
  for (const int digits : possible) {
    t.digits = digits;
    try {
      return check(t, where);
    } catch (const InputError&) {
    }
  }
  t.digits = possible.front();
  check(t, where);
}

}  // namespace

bool Tableau::is_explicit() const {
  for (Index i = 0; i < stages(); ++i)
    for (Index j = i; j < stages(); ++j)
      if (!vanishes(A(i, j))) return false;
  return true;
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

Real100 Tableau::uncertainty(const Real100& x) const {
  if (digits == 0 || x == 0) return 0;
  const int whole = abs(x) < 1 ? 0 : static_cast<int>(floor(log10(abs(x)))) + 1;
  return pow(Real100(10), whole - digits);
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
  t.claimed_order = read_order(json, "order", where);
  t.embedded_order = read_order(json, "embedded_order", where);
  PlaceCounts counts;
  t.A = read_matrix(required(json, "A", where), where + "/A", counts);
  const std::size_t s = static_cast<std::size_t>(t.A.rows());
  const auto read = [&](const char* key) {
    return read_vector(required(json, key, where), s, where + "/" + key, counts);
  };
  t.b = read("b");
  if (t.embedded_order > 0 || json.contains("b_embedded")) t.b_embedded = read("b_embedded");
  t.c = json.contains("c") ? read("c") : Vector<Real100>(t.A.rowwise().sum());
  check_to_digits(t, possible_digits(counts), where);
  return t;
}

Tableau tableau_by_name(const std::string& name, const std::string& where) {
  const auto read = [](const std::string& path) { return tableau_from_json(read_json_file(path), path + ": "); };
  if (name.starts_with("@")) return read(name.substr(1));
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
