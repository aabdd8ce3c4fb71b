// What an order estimate says of theory, and its JSON.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/order_estimate.hpp"
#include "core/base/interval_text.hpp"

namespace daelab {
namespace {

Json number_or_null(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

const char* agreement_of(const OrderEstimate& estimate, double theory) {
  if (estimate.stands_still) return agreement::does_not_converge;
  if (printed_interval_includes(estimate.order, estimate.half_width, theory)) return agreement::agrees;
  if (std::abs(estimate.order - theory) <= estimate.differs_beyond) return agreement::not_settled;
  if (estimate.order < theory && theory <= estimate.rises_to) return agreement::not_settled;
  return estimate.order > theory ? agreement::above : agreement::differs;
}

}  // namespace

void compare_with_theory(OrderEstimate& estimate, double theory) {
  estimate.theory = theory;
  estimate.statement += fmt::format("; theory {:g}", theory);
  if (!estimate.decided && !(estimate.stands_still && theory > standstill)) return;
  estimate.agreement = agreement_of(estimate, theory);
  estimate.statement += ": " + estimate.agreement;
}

bool contradicts_theory(const OrderEstimate& estimate) {
  return estimate.agreement == agreement::differs || estimate.agreement == agreement::does_not_converge;
}

void doubt_stiff_window(OrderEstimate& estimate, const std::vector<OrderPoint>& points, const FastestMode& mode) {
  if (!contradicts_theory(estimate)) return;
  double longest = -std::numeric_limits<double>::infinity(), shortest = -longest;
  const auto take = [&](const OrderPoint& point) {
    longest = std::max(longest, point.log_h), shortest = std::min(shortest, point.log_h);
  };
  for (const std::size_t i : estimate.used_points) take(points[i]);
  if (estimate.used_points.empty()) std::ranges::for_each(points, take);
  const double middle = mode.rate * std::exp((longest + shortest) / 2);
  if (mode.rate * std::exp(longest) <= 1 && mode.turns * std::pow(middle, *estimate.theory) <= 1) return;
  estimate.statement.replace(estimate.statement.size() - estimate.agreement.size(), std::string::npos,
                             agreement::stiff_window);
  estimate.agreement = agreement::stiff_window;
}

std::string order_text(const OrderEstimate& estimate) {
  return estimate.decided ? interval_text(estimate.order, estimate.half_width) : "undecided";
}

void to_json(Json& json, const OrderEstimate& estimate) {
  json = Json{{"decided", estimate.decided},
              {"order", number_or_null(estimate.order)},
              {"half_width", number_or_null(estimate.half_width)},
              {"differs_beyond", number_or_null(estimate.differs_beyond)},
              {"rises_to", number_or_null(estimate.rises_to)},
              {"theory", estimate.theory ? Json(*estimate.theory) : Json()},
              {"agreement", estimate.agreement.empty() ? Json() : Json(estimate.agreement)},
              {"used", estimate.used},
              {"total", estimate.total},
              {"pre_asymptotic", estimate.pre_asymptotic},
              {"at_floor", estimate.at_floor},
              {"failed", estimate.failed},
              {"shortened", estimate.shortened},
              {"residual", estimate.residual},
              {"used_points", estimate.used_points},
              {"stands_still", estimate.stands_still},
              {"statement", estimate.statement}};
}

void from_json(const Json& json, OrderEstimate& estimate) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN(), infinite = std::numeric_limits<double>::infinity();
  const auto number_or = [&json](const char* key, double null) {
    const Json& value = json.at(key);
    return value.is_null() ? null : value.get<double>();
  };
  estimate = {};
  estimate.decided = json.at("decided"), estimate.stands_still = json.at("stands_still");
  estimate.order = number_or("order", none), estimate.half_width = number_or("half_width", none);
  estimate.differs_beyond = number_or("differs_beyond", std::isnan(estimate.order) ? none : infinite);
  estimate.rises_to = number_or("rises_to", none);
  if (!json.at("theory").is_null()) estimate.theory = json["theory"].get<double>();
  if (!json.at("agreement").is_null()) estimate.agreement = json["agreement"].get<std::string>();
  estimate.used = json.at("used"), estimate.total = json.at("total");
  estimate.pre_asymptotic = json.at("pre_asymptotic"), estimate.at_floor = json.at("at_floor");
  estimate.failed = json.at("failed"), estimate.shortened = json.at("shortened");
  estimate.residual = json.at("residual");
  for (const Json& i : json.at("used_points")) estimate.used_points.push_back(i.get<std::size_t>());
  estimate.statement = json.at("statement");
}

}  // namespace daelab
