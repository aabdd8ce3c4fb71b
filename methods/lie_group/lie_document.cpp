#include "methods/lie_group/lie_document.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/base/coefficient_document.hpp"
#include "core/base/exact.hpp"
#include "core/base/input_error.hpp"
#include "core/base/options.hpp"
#include "core/integration/printed_tableau.hpp"

namespace daelab {
namespace {

constexpr std::size_t most_stages = 64;  // each exponential has a weight of each

enum class Equation { right, left };  // g' = g v, u' = A u
std::vector<std::string> names_of(Equation) { return {"g v", "A u"}; }

struct ExponentialDocument {
  std::string name, summary, source;
  int order = 0;
  Json c, exponentials, step;
  Equation equation = Equation::right;

  Options options() {
    const Json list{{"type", "array"}};
    return {option("name", name, "what records call it"), option("summary", summary, "what it is"),
            option("source", source, "where it is from"), option("order", order, "on any Lie group", between(1, 1000)),
            option("c", c, "times of the stages", list),  option("exponentials", exponentials, "of each stage", list),
            option("step", step, "of the step", list),    option("equation", equation, "whose commutators these are")};
  }
};

struct ExponentDocument {
  Json weights = Json::array(), commutators = Json::array();
  Options options() {
    const Json list{{"type", "array"}};
    return {option("weights", weights, "of the slopes", list),
            option("commutators", commutators, "[i, j, weight] of slopes", list)};
  }
};

Vector<Real100> times_of(const Json& json, std::size_t stages, const std::string& where) {
  return CoefficientLists("exponentials").vector(json, where, stages);
}

void reverse_commutators(LieProduct& product) {
  for (LieExponent& exponent : product)
    for (LieExponent::Commutator& commutator : exponent.commutators) commutator.weight *= -1;
}

LieScheme exponentials_scheme(const Json& json, const std::string& where, int rounded) {
  ExponentialDocument document;
  document.options().read(json, where, {"aliases"});
  ExponentialReader reader(ExponentialReader::Commutators::allowed, rounded);
  ExponentialReader::Products products = reader.products(json, where);
  if (document.equation == Equation::left) {
    for (LieProduct& stage : products.stages) reverse_commutators(stage);
    reverse_commutators(products.step);
  }
  LieScheme scheme;
  scheme.stages = std::move(products.stages), scheme.step = std::move(products.step);
  scheme.in_space = tableau_in_space(scheme, reader.digits());
  scheme.in_space.name = document.name, scheme.in_space.source = document.source;
  if (json.contains("c")) scheme.in_space.c = times_of(document.c, scheme.stages.size(), where + "/c");
  scheme.tolerance += reader.error();
  return scheme;
}

int autonomous_order(const LieScheme& scheme) {
  const int failed = lie_order_defect(scheme, highest_lie_order, LieEquation::autonomous).order;
  return failed == 0 ? highest_lie_order : failed - 1;
}

constexpr const char* exact = "exact";

int powers_of(const Json& json, const std::string& where) {
  if (json == Json(exact)) return LieScheme::closed_form;
  if (json.is_number_integer() && json.get<double>() >= 0 && json.get<double>() <= 1000) return json.get<int>();
  throw InputError(where, fmt::format("must be \"exact\", or the number of powers in the series of dexp^-1, 0 to 1000, "
                                      "found {}",
                                      json.dump()));
}

LieScheme munthe_kaas_as_printed(const Json& json, const std::string& where) {
  const int powers = powers_of(json["dexpinv"], where + "/dexpinv");
  Json tableau = json;
  tableau.erase("dexpinv");
  const LieScheme scheme = munthe_kaas_scheme(
      tableau_as_printed(tableau, where,
                         [&](const Tableau& t) { return autonomous_order(munthe_kaas_scheme(t, powers)); }),
      powers);
  if (!scheme.in_space.is_explicit())
    throw InputError(where + "/A", "must be zero on and above its diagonal: methods on Lie groups are explicit here");
  return scheme;
}

}  // namespace

ExponentialReader::Products ExponentialReader::products(const Json& json, const std::string& where) {
  if (!json.contains("step")) throw InputError(where + "/step", "is missing");
  const Json& exponentials = json["exponentials"];
  stages_ = exponentials.size();
  if (stages_ == 0 || !exponentials[0].is_array() || !exponentials[0].empty())
    throw InputError(where + "/exponentials",
                     "must have a list for each stage, the first one empty: it is the start of the step");
  if (stages_ > most_stages)
    throw InputError(where + "/exponentials", fmt::format("has {} stages, allowed are {}", stages_, most_stages));
  Products products;
  for (std::size_t i = 0; i < stages_; ++i)
    products.stages.push_back(product(exponentials[i], fmt::format("{}/exponentials/{}", where, i), i));
  products.step = product(json["step"], where + "/step", stages_);
  return products;
}

// `slopes`: how many of them it may use.
LieProduct ExponentialReader::product(const Json& json, const std::string& where, std::size_t slopes) {
  if (!json.is_array()) throw InputError(where, "expected a list of exponentials, each a list of numbers");
  LieProduct product;
  for (std::size_t k = 0; k < json.size(); ++k)
    product.push_back(exponent(json[k], fmt::format("{}/{}", where, k), slopes));
  return product;
}

LieExponent ExponentialReader::exponent(const Json& json, const std::string& where, std::size_t slopes) {
  if (commutators_ == Commutators::refused || !json.is_object()) return {row(json, where, slopes)};
  ExponentDocument document;
  document.options().read(json, where);
  LieExponent exponent{row(document.weights, where + "/weights", slopes)};
  const Json& list = document.commutators;
  if (!list.is_array()) throw InputError(where + "/commutators", "expected a list of [i, j, weight]");
  for (std::size_t k = 0; k < list.size(); ++k)
    exponent.commutators.push_back(commutator(list[k], fmt::format("{}/commutators/{}", where, k), slopes));
  return exponent;
}

LieExponent::Commutator ExponentialReader::commutator(const Json& json, const std::string& where, std::size_t slopes) {
  if (!json.is_array() || json.size() != 3)
    throw InputError(where, "expected [i, j, weight]: the weight of the commutator of the slopes i and j");
  for (std::size_t k = 0; k < 2; ++k)
    if (!json[k].is_number_integer() || json[k].get<double>() < 1 ||
        json[k].get<double>() > static_cast<double>(slopes))
      throw InputError(
          fmt::format("{}/{}", where, k),
          fmt::format("must be the number of a slope that is known there, 1 to {}, found {}", slopes, json[k].dump()));
  return {json[0].get<Index>() - 1, json[1].get<Index>() - 1, number(json[2], where + "/2")};
}

Vector<Real100> ExponentialReader::row(const Json& json, const std::string& where, std::size_t slopes) {
  if (!json.is_array()) throw InputError(where, "expected a list of numbers: the weights of slopes 1, 2, ...");
  if (json.size() > stages_) throw InputError(where, fmt::format("has {} entries, more than stages", json.size()));
  Vector<Real100> row = Vector<Real100>::Zero(static_cast<Index>(stages_));
  for (std::size_t j = 0; j < json.size(); ++j) {
    const std::string place = fmt::format("{}/{}", where, j);
    row[static_cast<Index>(j)] = number(json[j], place);
    if (j >= slopes && row[static_cast<Index>(j)] != 0)
      throw InputError(place, fmt::format("must be 0: the slope {} is not known there, allowed are {}", j + 1, slopes));
  }
  return row;
}

Real100 ExponentialReader::number(const Json& json, const std::string& where) {
  const Exact number = exact_from_json(json, where);
  if (const auto places = decimal_places(number.text()); places && *places >= rounded_) {
    digits_ = digits_ == 0 ? *places : std::min(digits_, *places);
    error_ += pow(Real100(10), 1 - *places);
  }
  return number.value();
}

bool is_lie_document(const Json& json) {
  if (holds<CoefficientKind::exponentials>(json)) return true;
  return holds<CoefficientKind::runge_kutta>(json) && json.contains("dexpinv");
}

LieScheme lie_scheme_as_printed(const Json& json, const std::string& where) {
  if (!holds<CoefficientKind::exponentials>(json)) return munthe_kaas_as_printed(json, where);
  LieScheme strict = exponentials_scheme(json, where, surely_rounded_places);
  LieScheme loose = exponentials_scheme(json, where, possibly_rounded_places);
  if (strict.tolerance == loose.tolerance || autonomous_order(strict) >= autonomous_order(loose)) return strict;
  return loose;
}

}  // namespace daelab
