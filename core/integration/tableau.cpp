#include "core/integration/tableau.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <vector>

#include "core/base/coefficient_document.hpp"
#include "core/base/exact.hpp"
#include "core/base/json_file.hpp"
#include "core/base/paths.hpp"
#include "core/integration/printed_tableau.hpp"

namespace daelab {
namespace {

// The usual cause of a small residual is decimals cut off early.
std::string residual_text(const Tableau& t, const Real100& residual) {
  std::string text = "residual " + to_text(residual, 3);
  if (t.digits > 0) return fmt::format("{}, too large for coefficients to {} digits", text, t.digits);
  if (abs(residual) < Real100("1e-6")) text += "; write fractions, roots, or all decimals there are";
  return text;
}

void check_row_sums(const Tableau& t, const std::string& where) {
  for (Index i = 0; i < t.stages(); ++i) {
    if (row_sum_holds(t, i)) continue;
    const Real100 sum = t.A.row(i).sum();
    throw InputError(fmt::format("{}/c/{}", where, i),
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

// By the strictest reading that holds. Throws what speaks against the last one that says what the entries look like:
// denominators of less than eight digits are mostly exact.
void check_as_printed(Tableau& t, PrintedTableau& texts, const std::string& where) {
  std::optional<InputError> objection;
  for (const Reading& reading : texts.readings()) {
    texts.apply(reading, t);
    try {
      return check(t, where);
    } catch (const InputError& error) {
      const bool is_likely = reading.shortest_decimal == surely_rounded_places && reading.shortest_denominator >= 8;
      if (!objection || is_likely) objection = error;
    }
  }
  throw *objection;
}

}  // namespace

bool Tableau::is_explicit() const {
  for (Index i = 0; i < stages(); ++i)
    for (Index j = i; j < stages(); ++j)
      if (!is_zero(A(i, j))) return false;
  return true;
}

bool Tableau::is_diagonally_implicit() const {
  const Index first = explicit_first_stage() ? 1 : 0;
  for (Index i = 0; i < stages(); ++i)
    for (Index j = i; j < stages(); ++j)
      if (is_zero(A(i, j)) != (j > i || i < first)) return false;
  return stages() - first >= 2;
}
bool Tableau::explicit_first_stage() const {
  for (Index j = 0; j < stages(); ++j)
    if (!is_zero(A(0, j))) return false;
  return true;
}

bool Tableau::stiffly_accurate() const {
  for (Index j = 0; j < stages(); ++j)
    if (!is_zero(A(stages() - 1, j) - b[j])) return false;
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
  Tableau t;
  PrintedTableau texts(json, where, t);
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
