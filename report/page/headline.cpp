#include "report/page/headline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "core/base/number_text.hpp"
#include "report/layout/number.hpp"
#include "report/layout/shown_text.hpp"

namespace daelab {
namespace {

constexpr const char* agrees = "agrees";  // as evaluations write it: analysis/order_estimate.hpp
constexpr double none = std::numeric_limits<double>::infinity();

struct Point {
  double error = none, seconds = none;
  std::string setting;  // "h = 1/160"
};
struct Named {
  std::string label;
  std::vector<Point> points;
  double least() const {
    double least = none;
    for (const Point& point : points) least = std::min(least, point.error);
    return least;
  }
};

// Numbers of 50 digits are texts.
double number(const Json& value) {
  if (value.is_number()) return value.get<double>();
  return value.is_string() ? number_in(value.get<std::string>()).value_or(none) : none;
}

std::string setting_of(const Json& point) {
  for (const char* name : {"rtol", "h"})
    if (const Json value = point.value(name, Json()); value.is_string())
      return fmt::format("{} = {}", name, value.get<std::string>());
  return "";
}

// Points that ended well, with an error above round-off of this class: "q", or "y" of an equation without positions.
std::vector<Named> errors_in(const Json& analysis, const std::string& component) {
  std::vector<Named> all;
  for (const Json& series : analysis.value("series", Json::array())) {
    if (!series.is_object() || !series.value("points", Json()).is_array()) continue;
    Named named{typeset(series.value("label", "")), {}};
    for (const Json& point : series["points"]) {
      const Json errors = point.value("errors", Json::object()), cost = point.value("cost", Json::object());
      const double error = number(errors.value(component, Json()));
      if (point.value("status", "ok") != "ok" || !(error > 0) || error == none) continue;
      named.points.push_back({error, number(cost.value("seconds", Json())), setting_of(point)});
    }
    if (!named.label.empty() && !named.points.empty()) all.push_back(std::move(named));
  }
  return all;
}

// The least time in which a curve comes to an error, interpolated in logarithms; infinite where it does not.
double seconds_at(const Named& named, double error) {
  double least = none;
  for (std::size_t i = 0; i < named.points.size(); ++i) {
    const Point& b = named.points[i];
    if (b.error <= error) least = std::min(least, b.seconds);
    if (i == 0) continue;
    const Point& a = named.points[i - 1];
    if (!((a.error > error) != (b.error > error) && a.seconds > 0 && b.seconds > 0)) continue;
    const double part = std::log(error / a.error) / std::log(b.error / a.error);
    least = std::min(least, std::exp(std::log(a.seconds) + part * std::log(b.seconds / a.seconds)));
  }
  return least;
}

void add_most_accurate(const std::vector<Named>& all, const std::string& component, Headline& headline) {
  const Named& best = *std::ranges::min_element(all, {}, &Named::least);
  const Point& point = *std::ranges::min_element(best.points, {}, &Point::error);
  const std::string error = format_scientific(Real100(point.error), 2), what = "error of " + typeset(component);
  headline.sentence += fmt::format("Most accurate: {} ({} {}).", best.label, what, error);
  headline.facts.push_back({"Most accurate", best.label,
                            fmt::format("{} {}{}{}", what, error, point.setting.empty() ? "" : " at ", point.setting)});
}

// Whether smaller steps or tolerances help: a method that stays where it is comes to no accuracy.
bool improves(const Named& named) {
  double most = 0;
  for (const Point& point : named.points) most = std::max(most, point.error);
  return most >= 10 * named.least();
}

// At the smallest power of ten that every curve comes to that improves.
void add_cheapest(std::vector<Named> all, const std::string& component, Headline& headline) {
  const std::size_t total = all.size();
  std::erase_if(all, [](const Named& named) { return !improves(named); });
  if (all.size() < 2) return;
  double worst = 0;
  for (const Named& named : all) worst = std::max(worst, named.least());
  const double level = std::pow(10, std::ceil(std::log10(worst)));
  const Named& best = *std::ranges::min_element(all, {}, [&](const Named& named) { return seconds_at(named, level); });
  const double seconds = seconds_at(best, level);
  if (seconds == none) return;
  const std::string error = format_scientific(Real100(level), 1);
  const std::string who =
      all.size() == total ? fmt::format("all {}", total) : fmt::format("{} of {}", all.size(), total);
  headline.sentence += fmt::format(" Cheapest at an error of {}, which {} reach: {}.", error, who, best.label);
  headline.facts.push_back(
      {fmt::format("Cheapest at {}", error), best.label,
       fmt::format("{} s of processor time for that error of {}", format_seconds(seconds), typeset(component))});
}

// Tells orders that a theory predicts and that could be decided.
void add_orders(const Json& analysis, Headline& headline) {
  int agreeing = 0, decided = 0;
  std::vector<std::string> others;
  for (const Json& series : analysis.value("series", Json::array())) {
    if (!series.is_object()) continue;
    bool all_agree = true;
    const Json orders = series.value("orders", Json::object());
    for (const auto& [component, order] : orders.items()) {
      if (!order.is_object() || !order.value("agreement", Json()).is_string()) continue;
      const std::string verdict = order["agreement"];
      if (verdict.empty()) continue;
      ++decided;
      if (verdict == agrees)
        ++agreeing;
      else
        all_agree = false;
    }
    if (!all_agree) others.push_back(typeset(series.value("label", "")));
  }
  if (decided == 0) return;
  headline.sentence +=
      (headline.sentence.empty() ? "" : " ") +
      (agreeing == decided ? fmt::format("All {} orders are as the theory says.", decided)
                           : fmt::format("{} of {} orders are as the theory says.", agreeing, decided));
  std::string note;
  for (std::size_t i = 0; i < others.size() && i < 3; ++i) note += (i ? "; " : "not: ") + others[i];
  if (others.size() > 3) note += fmt::format(" and {} more", others.size() - 3);
  headline.facts.push_back({"Orders as in theory", fmt::format("{} of {}", agreeing, decided), note});
}

}  // namespace

Headline headline_of(const Json& analysis) {
  Headline headline;
  if (!analysis.is_object()) return headline;
  for (const char* component : {"q", "y"}) {
    const std::vector<Named> all = errors_in(analysis, component);
    if (all.empty()) continue;
    add_most_accurate(all, component, headline);
    add_cheapest(all, component, headline);
    break;
  }
  add_orders(analysis, headline);
  return headline;
}

}  // namespace daelab
