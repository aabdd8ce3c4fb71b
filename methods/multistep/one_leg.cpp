// One-leg methods of BDF, Adams-Moulton formulas, formulas of two steps, and of any alpha and beta.
#include "methods/multistep/one_leg.hpp"

#include <fmt/format.h>

#include <sstream>

#include "core/base/input_error.hpp"
#include "core/base/makes.hpp"
#include "methods/multistep/adams.hpp"
#include "methods/multistep/bdf_start.hpp"

namespace daelab {
namespace {

struct OneLeg : Makes<Method, bdf_start> {
  static constexpr const char* name = "one-leg";
  static constexpr const char* summary =
      "One-leg method of a multistep formula: the equations hold at means of past and new values; fixed steps.";
  static constexpr const char* source = "Dahlquist 1976; Dahlquist, Liniger, Nevanlinna 1983; Hairer, Wanner 1996, V.6";

  enum class Formula { two_step, trapezoidal, bdf, adams_moulton, given };
  friend std::vector<std::string> names_of(Formula) {
    return {"two-step", "trapezoidal", "bdf", "adams-moulton", "given"};
  }

  Formula formula = Formula::two_step;
  std::optional<int> k;
  std::optional<Exact> theta, middle;
  std::string alpha, beta;

  Options options() {
    return {option("formula", formula,
                   "two-step: order 2, A-stable for theta >= 0, middle <= 1/2; trapezoidal: the midpoint rule; bdf: as "
                   "the method bdf; adams-moulton; given: alpha and beta"),
            option("k", k, "order of bdf (1 to 6) and of the Adams-Moulton formula (1 to 8); null: 2", between(1, 8)),
            option("theta", theta, "of two-step: alpha = ((1 + theta)/2, -theta, (theta - 1)/2); null: 2/3"),
            option("middle", middle,
                   "of two-step: beta_1, the weight of y_n; null: theta^2/2, the family of Dahlquist, Liniger and "
                   "Nevanlinna"),
            weights_option("alpha", alpha,
                           "of given: weights of y_(n+1), y_n, ..., as many as in beta: \"3/2 -2 1/2\" or a list"),
            weights_option("beta", beta, "of given: weights of the mean, scaled to the sum 1")};
  }
  void resolve() {
    if (formula == Formula::bdf || formula == Formula::adams_moulton) k = k.value_or(2);
    if (formula != Formula::two_step) return;
    if (!theta) theta = Exact("2/3");
    if (!middle) middle = Exact(fmt::format("({})^2/2", theta->text()));
  }

  OneLegScheme scheme(const std::string& where) const {
    refuse_idle_options(where);
    return {one_leg_formula(chosen(where), where), &shared<bdf_start>};
  }

 private:
  MultistepFormula chosen(const std::string& where) const {
    switch (formula) {
      case Formula::two_step:
        return two_step_formula(theta->value(), middle->value());
      case Formula::trapezoidal:
        return adams_moulton_formula(2);
      case Formula::bdf:
        if (*k > bdf_highest_order)
          throw InputError(where + "/k", fmt::format("must be 1 to {} with formula = bdf", bdf_highest_order));
        return bdf_formula(*k);
      case Formula::adams_moulton:
        return adams_moulton_formula(*k);
      case Formula::given:
        break;
    }
    return {numbers(alpha, where + "/alpha"), numbers(beta, where + "/beta")};
  }

  static MultistepFormula adams_moulton_formula(int k) {
    const Vector<Real100> weights = adams_moulton(k);
    const Index size = std::max<Index>(weights.size(), 2);
    MultistepFormula adams{Vector<Real100>::Zero(size), Vector<Real100>::Zero(size)};
    adams.alpha[0] = 1, adams.alpha[1] = -1;
    adams.beta.head(weights.size()) = weights;
    return adams;
  }
  // Text, because a list of a config is one of runs; null where there is none.
  static Option weights_option(const char* name, std::string& member, const char* doc) {
    static constexpr OptionType type = {
        [](void*, const Allowed&) {
          return Json{{"anyOf", {{{"type", "string"}}, {{"type", "number"}}, {{"type", "array"}}, {{"type", "null"}}}}};
        },
        [](void* member, const Json& value, const std::string& where, const Allowed&) {
          auto& text = *static_cast<std::string*>(member);
          text = value.is_string() ? value.get<std::string>() : "";
          if (value.is_string() || value.is_null()) return;
          if (value.is_number()) text = exact_from_json(value, where).text();
          if (value.is_number()) return;
          if (!value.is_array()) throw InputError(where, "expected numbers separated by spaces, or a list of them");
          for (std::size_t i = 0; i < value.size(); ++i)
            text += (i > 0 ? " " : "") + exact_from_json(value[i], fmt::format("{}/{}", where, i)).text();
        },
        [](void* member) {
          const auto& text = *static_cast<std::string*>(member);
          return text.empty() ? Json() : Json(text);
        }};
    return {name, &member, type, doc};
  }
  static Vector<Real100> numbers(const std::string& text, const std::string& where) {
    std::vector<Real100> list;
    std::istringstream words(text);
    for (std::string word; words >> word;)
      list.push_back(exact_from_json(word, fmt::format("{}/{}", where, list.size())).value());
    return Eigen::Map<const Vector<Real100>>(list.data(), static_cast<Index>(list.size()));
  }

  void refuse_idle_options(const std::string& where) const {
    const auto refuse = [&](bool is_set, const char* option, const char* formulas) {
      if (is_set) throw InputError(where + "/" + option, fmt::format("has an effect with formula = {} only", formulas));
    };
    const bool two_step = formula == Formula::two_step, given = formula == Formula::given;
    refuse(k && formula != Formula::bdf && formula != Formula::adams_moulton, "k", "bdf or adams-moulton");
    refuse(theta && !two_step, "theta", "two-step");
    refuse(middle && !two_step, "middle", "two-step");
    refuse(!alpha.empty() && !given, "alpha", "given");
    refuse(!beta.empty() && !given, "beta", "given");
  }
};
const MethodEntry<OneLeg, OneLegMethod> one_leg_entry;

}  // namespace
}  // namespace daelab
