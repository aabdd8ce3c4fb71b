#include "experiments/measures/crossover_point.hpp"

namespace daelab {

Crossover crossover_of(const std::vector<Least>& first, const std::vector<Least>& second, double factor) {
  std::vector<double> value, excess;  // log(first / (factor second))
  for (const Least& a : first)
    for (const Least& b : second)
      if (a.value == b.value && (std::isfinite(a.cost) || std::isfinite(b.cost)))
        value.push_back(a.value), excess.push_back(std::log(a.cost / (factor * b.cost)));
  for (std::size_t i = value.size(); i-- > 0;) {
    if (excess[i] > 0) continue;
    if (i + 1 == value.size()) return {value[i], true};
    const double s = std::isfinite(excess[i + 1] - excess[i]) ? excess[i] / (excess[i] - excess[i + 1]) : 0;
    return {value[i] * std::pow(value[i + 1] / value[i], s), false};
  }
  return {};
}

std::optional<PairCrossing> pair_crossing(const std::string& one, const std::vector<Least>& of_one,
                                          const std::string& other, const std::vector<Least>& of_other) {
  const Crossover of_first = crossover_of(of_one, of_other, 1), of_second = crossover_of(of_other, of_one, 1);
  if (!of_first.at && !of_second.at) return std::nullopt;
  if (of_first.beyond)  // `one` is the cheaper one in the end
    return of_second.at && !of_second.beyond ? PairCrossing{other, one, of_second.at} : PairCrossing{one, other, {}};
  return of_first.at ? PairCrossing{one, other, of_first.at} : PairCrossing{other, one, {}};
}

}  // namespace daelab
