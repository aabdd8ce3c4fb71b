#include "experiments/references/proved_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/exact.hpp"
#include "core/base/input_error.hpp"

namespace daelab {
namespace {

constexpr int most_digits = 90;

struct Part {
  std::string kind;
  std::vector<std::string> names;
  std::vector<Real100> centre, radii;
};

std::vector<Real100> numbers(const Json& list, std::size_t first, std::size_t count) {
  std::vector<Real100> x;
  for (std::size_t i = first; i < first + count; ++i) x.push_back(Exact(list.at(i).get<std::string>()).value());
  return x;
}

std::vector<Real100> numbers(const Json& list) { return numbers(list, 0, list.size()); }

std::vector<std::string> texts(const Json& list, const std::string& suffix = "") {
  std::vector<std::string> result;
  for (const Json& text : list) result.push_back(text.get<std::string>() + suffix);
  return result;
}

std::vector<std::string> numbered(const std::string& name, std::size_t count) {
  std::vector<std::string> result;
  for (std::size_t i = 1; i <= count; ++i) result.push_back(fmt::format("{} {}", name, i));
  return result;
}

Json list_in(const Json& json, const char* key) { return json.value(key, Json::array()); }

bool has_redundant_constraints(const Json& certificate) {
  const Json& equations = certificate.at("equations");
  return list_in(equations, "independent").size() <
         list_in(equations, "constraints").size() + list_in(equations, "nonholonomic").size();
}

std::vector<Part> parts_of(const Json& certificate) {
  const Json coordinates = list_in(certificate.at("equations"), "coordinates");
  const Json& end = certificate.at("end");
  const std::size_t n = coordinates.size(), all = end.at("centre").size();
  const auto part = [&](const char* kind, std::vector<std::string> names, std::size_t first) {
    const std::size_t count = names.size();
    return Part{kind, std::move(names), numbers(end.at("centre"), first, count),
                numbers(end.at("radii"), first, count)};
  };
  std::vector<Part> parts;
  if (n > 0) {
    parts = {part("q", texts(coordinates), 0), part("v", texts(coordinates, "'"), n)};
    const Json &a = end.at("a"), &lambda = end.at("lambda");
    parts.push_back({"a", texts(coordinates, "''"), numbers(a.at("centre")), numbers(a.at("radii"))});
    if (!has_redundant_constraints(certificate))
      parts.push_back({"lambda", numbered("lambda", lambda.at("centre").size()), numbers(lambda.at("centre")),
                       numbers(lambda.at("radii"))});
  }
  if (all > 2 * n) parts.push_back(part("y", texts(certificate.at("equations").at("states")), 2 * n));
  return parts;
}

// Rounded downwards; what is below 1E-90, where the numbers themselves end, does not count.
int decimals_within(const Real100& error) {
  const Real100 twice = 2 * error + Real100("1e-95");
  int digits = std::min(most_digits, static_cast<int>(std::floor(-static_cast<double>(log10(twice)))));
  while (twice * pow(Real100(10), digits) > 1) --digits;
  return digits;
}

std::string refutation(const std::string& name, const Json& stored, const Real100& proved, const Real100& radius) {
  const Real100 difference = abs(Exact(stored.get<std::string>()).value() - proved);
  const int place = static_cast<int>(std::ceil(-static_cast<double>(log10(difference)) - 1e-9));
  const std::string which =
      place > 0 ? fmt::format("from decimal {} after the point on", place) : "in digits before the point";
  return fmt::format("{} = {} is wrong {}: proved is {} ± {}", name, stored.get<std::string>(), which,
                     to_text(proved, std::max(50, place + 20)), to_text(radius, 3));
}

}  // namespace

StateJudgement judge_state(const Json& state, const Json& certificate) {
  const Real100 allowed = pow(Real100(10), -state.at("digits_trusted").get<int>());
  // What is not judged has the digits it had.
  StateJudgement result{has_redundant_constraints(certificate) ? state.at("digits_trusted").get<int>() : most_digits, 0,
                        ""};
  for (const Part& part : parts_of(certificate)) {
    const Json stored = list_in(state, part.kind.c_str());
    if (stored.size() != part.centre.size())
      throw InputError("--store", fmt::format("the state stored has {} numbers {}, the certificate {}", stored.size(),
                                              part.kind, part.centre.size()));
    for (std::size_t i = 0; i < part.centre.size(); ++i) {
      const Real100 difference = abs(Exact(stored[i].get<std::string>()).value() - part.centre[i]);
      result.digits = std::min(result.digits, decimals_within(difference + part.radii[i]));
      result.off_by = std::max(result.off_by, static_cast<double>(difference));
      if (result.refutation.empty() && difference - part.radii[i] > allowed)
        result.refutation = refutation(part.names[i], stored[i], part.centre[i], part.radii[i]);
    }
  }
  return result;
}

Json proved_state(const Json& certificate) {
  if (has_redundant_constraints(certificate))
    throw InputError("--store",
                     "no state is stored at that time, and the constraints depend on each other: references have the "
                     "multipliers of least norm, which are not enclosed; store one: daelab reference ... --store");
  Json state = {{"t", certificate.at("end").at("t")}, {"route", enclosure_route}};
  for (const Part& part : parts_of(certificate)) {
    state[part.kind] = Json::array();
    for (const Real100& x : part.centre) state[part.kind].push_back(to_text(Real50(x)));
  }
  state["digits_trusted"] = 0;
  state["digits_trusted"] = judge_state(state, certificate).digits;
  return state;
}

double relative_condition(const Json& certificate) {
  const Json& matrix = certificate.at("condition").at("matrix");
  const Json &start = certificate.at("start").at("enclosure").at("centre"), &end = certificate.at("end").at("centre");
  const std::size_t n = list_in(certificate.at("equations"), "coordinates").size();
  const auto number = [](const Json& text) { return std::abs(Exact(text.get<std::string>()).as<double>()); };
  double largest = 0;
  for (const auto& [first, last] : {std::pair{std::size_t{0}, n}, {n, 2 * n}, {2 * n, matrix.size()}}) {
    double deviation = 0, size = 0;
    for (std::size_t i = first; i < last; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < matrix[i].size(); ++j) sum += number(matrix[i][j]) * number(start[j]);
      deviation = std::max(deviation, sum), size = std::max(size, number(end[i]));
    }
    if (size > 0) largest = std::max(largest, deviation / size);
  }
  return largest;
}

}  // namespace daelab
