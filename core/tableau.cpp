#include "core/tableau.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "core/exact.hpp"
#include "core/paths.hpp"

namespace daelab {
namespace {

// Coefficients carry about 100 digits: beyond 80 only the round-off of generating them differs.
bool vanishes(const Real100& x) { return abs(x) <= Real100("1e-80"); }

std::string entry(const std::string& pointer, std::size_t i) {
  return fmt::format("{}/{}", pointer, i);
}

void check_keys(const Json& json, const std::string& where) {
  if (!json.is_object())
    throw InputError(
        where, fmt::format("a tableau is an object with keys A and b, found {}", json.type_name()));
  const std::vector<std::string> known{"name",       "A",              "b",      "c",      "order",
                                       "b_embedded", "embedded_order", "source", "summary"};
  for (const auto& [key, value] : json.items()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    const std::string nearest = nearest_name(key, known);
    throw InputError(where + "/" + key,
                     fmt::format("a tableau has no such key; known: {}{}", fmt::join(known, ", "),
                                 nearest.empty() ? "" : "; nearest: " + nearest));
  }
}

const Json& required(const Json& json, const char* key, const std::string& where) {
  if (!json.contains(key)) throw InputError(where + "/" + key, "is missing");
  return json[key];
}

Vector<Real100> read_vector(const Json& json, std::size_t size, const std::string& pointer) {
  if (!json.is_array())
    throw InputError(pointer,
                     fmt::format("expected a list of numbers, found {}", json.type_name()));
  if (json.size() != size)
    throw InputError(pointer, fmt::format("has {} entries, must have {}: A has {} rows",
                                          json.size(), size, size));
  Vector<Real100> result(static_cast<Index>(size));
  for (std::size_t i = 0; i < size; ++i)
    result[static_cast<Index>(i)] = exact_from_json(json[i], entry(pointer, i)).value();
  return result;
}

Matrix<Real100> read_matrix(const Json& json, const std::string& pointer) {
  if (!json.is_array() || json.empty())
    throw InputError(pointer, "expected a list of rows, at least one");
  const std::size_t s = json.size();
  Matrix<Real100> result(static_cast<Index>(s), static_cast<Index>(s));
  for (std::size_t i = 0; i < s; ++i)
    result.row(static_cast<Index>(i)) = read_vector(json[i], s, entry(pointer, i)).transpose();
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
  if (!order.is_number_integer() || order.get<std::int64_t>() < 1 ||
      order.get<std::int64_t>() > 1000)
    throw InputError(where + "/" + key, "must be a whole number from 1 to 1000");
  return order.get<int>();
}

// The usual cause of a small residual is decimals cut off at double precision.
std::string residual_text(const Real100& residual) {
  std::string text = "residual " + to_text(residual, 3);
  if (abs(residual) < Real100("1e-6")) text += "; write fractions and roots, not rounded decimals";
  return text;
}

void check_row_sums(const Tableau& t, const std::string& where) {
  for (Index i = 0; i < t.stages(); ++i) {
    const Real100 sum = t.A.row(i).sum();
    if (vanishes(sum - t.c[i])) continue;
    throw InputError(entry(where + "/c", static_cast<std::size_t>(i)),
                     fmt::format("is {}, but row {} of A sums to {} ({})", exact_text(t.c[i]), i,
                                 exact_text(sum), residual_text(sum - t.c[i])));
  }
}

Vector<Real100> read_weights(const Json& json, const char* key, std::size_t stages, const std::string& where) {
  const std::string pointer = where + "/" + key;
  const Vector<Real100> b = read_vector(required(json, key, where), stages, pointer);
  const Real100 sum = b.sum();
  if (!vanishes(sum - 1))
    throw InputError(pointer, fmt::format("sums to {}, must be 1 ({})", exact_text(sum), residual_text(sum - 1)));
  return b;
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

std::vector<TableauCheck>& tableau_checks() {
  static std::vector<TableauCheck> checks;
  return checks;
}

Tableau tableau_from_json(const Json& json, const std::string& where) {
  check_keys(json, where);
  Tableau t;
  t.name = read_string(json, "name", where);
  t.source = read_string(json, "source", where);
  read_string(json, "summary", where);  // for lists and report cards, which take it from the file
  t.claimed_order = read_order(json, "order", where);
  t.embedded_order = read_order(json, "embedded_order", where);
  t.A = read_matrix(required(json, "A", where), where + "/A");
  const std::size_t s = static_cast<std::size_t>(t.A.rows());
  t.b = read_weights(json, "b", s, where);
  if (t.embedded_order > 0 || json.contains("b_embedded")) t.b_embedded = read_weights(json, "b_embedded", s, where);
  t.c = t.A.rowwise().sum();
  if (json.contains("c")) t.c = read_vector(json["c"], s, where + "/c");
  check_row_sums(t, where);
  for (const TableauCheck check : tableau_checks()) check(t, where);
  return t;
}

Tableau tableau_by_name(const std::string& name, const std::string& where) {
  if (name.starts_with("@")) return tableau_from_json(read_json_file(name.substr(1)), name.substr(1));
  const std::string path = project_path("methods/" + name + ".json");
  if (std::filesystem::exists(path)) return tableau_from_json(read_json_file(path), path);
  std::vector<std::string> known;
  for (const auto& file : std::filesystem::directory_iterator(project_path("methods")))
    if (file.path().extension() == ".json") known.push_back(file.path().stem().string());
  std::sort(known.begin(), known.end());
  const std::string near = nearest_name(name, known);
  throw InputError(where, fmt::format("no tableau '{}'; known: {}, or @file.json{}", name, fmt::join(known, ", "),
                                      near.empty() ? "" : "; did you mean '" + near + "'?"));
}

}  // namespace daelab
