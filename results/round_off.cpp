#include "results/round_off.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "results/claim_format.hpp"
#include "results/entry_values.hpp"
#include "results/run_record.hpp"

namespace daelab {
namespace {

constexpr const char* classes[] = {"q", "v", "a", "lambda", "y"};
constexpr int all_digits = 15;

bool in_50_digits(const Json& spec) { return spec.value("scalar", Json()) == Json(name_of(Scalar::real50)); }

std::string text_in(const Json& reference, const char* key) { return reference.value(key, std::string()); }

}  // namespace

ResultRoundOff::ResultRoundOff(const ResultSet& set) : set_(set) {
  for (const Json& run : set.runs)
    for (const char* name : classes) {
      const Json values = run.value(name, Json());
      if (!values.is_array()) continue;
      for (const Json& component : values)
        if (const double x = std::abs(as_double(component).value_or(0)); std::isfinite(x))
          largest_[name] = std::max(largest_[name], x), largest_of_all_ = std::max(largest_of_all_, x);
    }
}

double ResultRoundOff::scale_of(const std::string& pointer) const {
  for (const auto& [name, largest] : largest_)
    if (pointer.ends_with("/" + name) || pointer.find("/" + name + "/") != std::string::npos)
      return std::max(1.0, largest);
  return largest_of_all_;
}

double ResultRoundOff::of(const Json& reference) const {
  const std::string result = text_in(reference, "result");
  const std::string pointer = result.empty() ? text_in(reference, "pointer") : result;
  const double least = 64 * std::numeric_limits<double>::epsilon() * scale_of(pointer);
  if (reference.contains("run")) {
    const bool wide = std::ranges::any_of(set_.runs, [&](const Json& run) {
      return selects(reference["run"], spec_in(run)) && in_50_digits(spec_in(run));
    });
    return wide ? 0 : least;
  }
  // The element of a list that the pointer passes through may have a specification, and a floor.
  for (std::size_t end = result.find('/', 1); end != std::string::npos; end = result.find('/', end + 1)) {
    const Json element = at_pointer(set_.analysis, result.substr(0, end));
    if (!element.is_object() || !element.contains("spec")) continue;
    if (in_50_digits(element["spec"])) return 0;
    const std::optional<double> floor = as_double(element.value("log10_floor", Json()));
    return floor ? std::max(least, std::pow(10, *floor)) : least;
  }
  return least;
}

int ResultRoundOff::digits(double value, const Json& reference) const {
  const double round_off = of(reference);
  if (value == 0 || round_off == 0 || !std::isfinite(value)) return all_digits;
  const double digits = std::floor(std::log10(std::abs(value) / round_off));
  return static_cast<int>(std::clamp(digits, 0.0, double(all_digits)));
}

}  // namespace daelab
