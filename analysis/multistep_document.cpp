#include "analysis/multistep_document.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "core/base/coefficient_lists.hpp"
#include "core/base/exact.hpp"
#include "core/base/input_error.hpp"

namespace daelab {
namespace {

constexpr std::size_t most_entries = 65;  // 64 steps

struct PrintedFormula {
  MultistepFormula formula;
  Vector<Real100> alpha_unit, beta_unit;  // of the last place; 0: exact
};

Vector<Real100> numbers(const Json& json, std::size_t size, const std::string& where, Vector<Real100>& unit) {
  Vector<Real100> values = Vector<Real100>::Zero(static_cast<Index>(size));
  unit = values;
  for (std::size_t j = 0; j < json.size(); ++j) {
    const Exact number = exact_from_json(json[j], fmt::format("{}/{}", where, j));
    values[static_cast<Index>(j)] = number.value();
    if (const auto places = decimal_places(number.text()); places && *places >= possibly_rounded_places)
      unit[static_cast<Index>(j)] = pow(Real100(10), -*places);
  }
  return values;
}

PrintedFormula printed_formula(const Json& json, const std::string& where) {
  std::size_t size = 0;
  for (const char* key : {"alpha", "beta"}) {
    const std::string place = where + "/" + key;
    if (!json.contains(key)) throw InputError(place, "is missing");
    if (!json[key].is_array() || json[key].empty()) throw InputError(place, "must be a list of numbers, newest first");
    if (json[key].size() > most_entries)
      throw InputError(place, fmt::format("has {} entries, allowed are {}", json[key].size(), most_entries));
    size = std::max(size, json[key].size());
  }
  if (size < 2) throw InputError(where + "/alpha", "needs two entries or more: the weights of y_(n+1), y_n, ...");
  PrintedFormula printed;
  printed.formula.alpha = numbers(json["alpha"], size, where + "/alpha", printed.alpha_unit);
  printed.formula.beta = numbers(json["beta"], size, where + "/beta", printed.beta_unit);
  if (printed.formula.alpha[0] == 0) throw InputError(where + "/alpha/0", "must not be 0: it is the weight of y_(n+1)");
  if (printed.formula.beta.isZero(0)) throw InputError(where + "/beta", "must not be zero throughout");
  return printed;
}

// Rounded numbers x = x_0 + unit * u with the smallest u that meets conditions row . x = 0, one after another.
class Correction {
 public:
  Correction(const PrintedFormula& printed)
      : steps_(printed.formula.steps()),
        printed_(joined(printed.formula.alpha, printed.formula.beta)),
        unit_(joined(printed.alpha_unit, printed.beta_unit)),
        u_(Vector<Real100>::Zero(printed_.size())) {}

  /// Whether the condition of order q can be met with those before.
  bool meets(int q) {
    const Vector<Real100> row = condition(q);
    const Real100 residual = row.dot(current());
    Vector<Real100> free = row.cwiseProduct(unit_);
    const Real100 size = free.norm();
    for (const Vector<Real100>& other : met_) free -= other.dot(free) * other;
    if (free.norm() <= size * Real100("1e-40")) return abs(residual) < Real100("1e-80");
    const Real100 length = free.norm();
    const Vector<Real100> next = u_ - (residual / (length * length)) * free;
    if (next.cwiseAbs().maxCoeff() > 1) return false;
    u_ = next, met_.push_back(free / length);
    return true;
  }
  MultistepFormula formula() const {
    const Vector<Real100> x = current();
    return {x.head(steps_ + 1), x.tail(steps_ + 1)};
  }

 private:
  static Vector<Real100> joined(const Vector<Real100>& alpha, const Vector<Real100>& beta) {
    Vector<Real100> x(alpha.size() + beta.size());
    x << alpha, beta;
    return x;
  }
  Vector<Real100> current() const { return printed_ + unit_.cwiseProduct(u_); }
  // sum_j alpha_j (-j)^q - q sum_j beta_j (-j)^(q-1) = 0.
  Vector<Real100> condition(int q) const {
    Vector<Real100> row(printed_.size());
    for (Index j = 0; j <= steps_; ++j) {
      const Real100 node(-static_cast<int>(j));
      row[j] = q == 0 ? Real100(1) : Real100(pow(node, q));
      row[steps_ + 1 + j] = q == 0 ? Real100(0) : q == 1 ? Real100(-1) : Real100(-q * pow(node, q - 1));
    }
    return row;
  }

  Index steps_;
  Vector<Real100> printed_, unit_, u_;
  std::vector<Vector<Real100>> met_;
};

MultistepFormula corrected(const PrintedFormula& printed) {
  Correction correction(printed);
  const int most = 2 * static_cast<int>(printed.formula.steps()) + 1;  // no formula has a higher order
  for (int q = 0; q <= most && correction.meets(q); ++q) {
  }
  return correction.formula();
}

void check_keys(const Json& json, const std::string& where) {
  const std::vector<std::string> known{"name",      "summary",  "source", "alpha",       "beta",
                                       "predictor", "one_leg",  "order",  "zero_stable", "a_stable",
                                       "l_stable",  "g_stable", "angle"};
  for (const auto& [key, value] : json.items())
    if (std::ranges::find(known, key) == known.end())
      throw InputError(where + "/" + key, fmt::format("a multistep formula has no such key{} (known: {})",
                                                      did_you_mean(key, known), fmt::join(known, ", ")));
}

}  // namespace

bool is_multistep_document(const Json& json) {
  const auto list = [&](const char* key) {
    return json.contains(key) && json[key].is_array() && !json[key].empty() && !json[key][0].is_array();
  };
  return json.is_object() && !json.contains("formula") && (list("alpha") || list("beta"));
}

MultistepForm multistep_as_printed(const Json& json, const std::string& where) {
  check_keys(json, where);
  MultistepForm form{corrected(printed_formula(json, where)), {}};
  if (json.contains("predictor")) {
    const std::string place = where + "/predictor";
    if (!json["predictor"].is_object()) throw InputError(place, "must be an object with alpha and beta");
    form.predictor = corrected(printed_formula(json["predictor"], place));
    if (form.predictor->beta[0] != 0) throw InputError(place + "/beta/0", "must be 0: a predictor is explicit");
  }
  if (json.contains("one_leg")) {
    if (!json["one_leg"].is_boolean()) throw InputError(where + "/one_leg", "must be true or false");
    form.is_one_leg = json["one_leg"].get<bool>();
  }
  if (!form.is_one_leg) return form;
  if (form.predictor) throw InputError(where + "/predictor", "has no meaning for a one-leg method, which is implicit");
  const Real100 sum = form.formula.beta.sum();
  if (abs(sum) < Real100("1e-80"))
    throw InputError(where + "/beta", "the sum must not be 0: the weights are those of a mean");
  form.formula.alpha /= sum, form.formula.beta /= sum;
  return form;
}

}  // namespace daelab
