#include "methods/lie_group/ordered_trees.hpp"

#include <fmt/format.h>

namespace daelab {
namespace {

Real100 factorial(int k) {
  Real100 product(1);
  for (int i = 2; i <= k; ++i) product *= i;
  return product;
}

}  // namespace

OrderedTreeWords::OrderedTreeWords(int highest, bool with_time) : highest_(highest) {
  list_.push_back({"", 0, {}, {{0, 0}}}), places_[{}] = 0;
  for (int order = 1; order <= highest; ++order)
    for (int last = 1; last <= order; ++last)  // of the last tree
      for (const std::size_t before : of(order - last))
        for (int times = 0; times <= (with_time ? last - 1 : 0); ++times)
          for (const std::size_t above : of(last - 1 - times)) append(before, {above, times});
}

std::vector<std::size_t> OrderedTreeWords::of(int order) const {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < list_.size(); ++i)
    if (list_[i].order == order) found.push_back(i);
  return found;
}

void OrderedTreeWords::append(std::size_t before, Tree last) {
  const Word above = list_[last.above];
  Word word = list_[before];
  word.text += fmt::format("[{}{}]", above.text, std::string(static_cast<std::size_t>(last.times), 't'));
  word.order += 1 + above.order + last.times;
  word.trees.push_back(last);
  const std::size_t place = list_.size();
  places_[word.trees] = place;
  word.splits.clear();
  for (auto middle = word.trees.begin(); middle <= word.trees.end(); ++middle)
    word.splits.emplace_back(places_.at(Trees(word.trees.begin(), middle)),
                             places_.at(Trees(middle, word.trees.end())));
  list_.push_back(std::move(word));
}

WordSeries OrderedTreeWords::identity() const {
  WordSeries series = zero();
  series[0] = 1;
  return series;
}

// The derivative of a word is that of the words before its last tree, times that tree.
WordSeries OrderedTreeWords::flow() const {
  WordSeries flow = identity();
  for (std::size_t i = 1; i < flow.size(); ++i) {
    const Word& word = list_[i];
    const auto [above, times] = word.trees.back();
    const std::size_t before = word.splits[word.splits.size() - 2].first;
    flow[i] = flow[before] * flow[above] / (factorial(times) * word.order);
  }
  return flow;
}

WordSeries OrderedTreeWords::slope(const WordSeries& point, const Real100& time) const {
  WordSeries slope = zero();
  for (std::size_t i = 1; i < slope.size(); ++i) {
    if (list_[i].trees.size() > 1) continue;
    const auto [above, times] = list_[i].trees.front();
    slope[i] = point[above] / factorial(times);
    for (int k = 0; k < times; ++k) slope[i] *= time;
  }
  return slope;
}

WordSeries OrderedTreeWords::product(const WordSeries& first, const WordSeries& second) const {
  WordSeries product = zero();
  for (std::size_t i = 0; i < product.size(); ++i)
    for (const auto& [before, behind] : list_[i].splits)
      if (first[before] != 0 && second[behind] != 0) product[i] += first[before] * second[behind];
  return product;
}

WordSeries OrderedTreeWords::commutator(const WordSeries& first, const WordSeries& second) const {
  WordSeries difference = product(first, second);
  add(-1, product(second, first), difference);
  return difference;
}

// 1 + x (1 + x/2 (1 + x/3 (...))).
WordSeries OrderedTreeWords::exponential(const WordSeries& x) const {
  WordSeries sum = identity();
  for (int k = highest_; k >= 1; --k) {
    WordSeries next = identity();
    add(Real100(1) / k, product(x, sum), next);
    sum = std::move(next);
  }
  return sum;
}

void add(const Real100& weight, const WordSeries& x, WordSeries& sum) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += weight * x[i];
}

std::vector<Real100> inverse_tangent_series(int highest) {
  std::vector<Real100> c{1}, inverse_factorials{1};
  for (int k = 1; k <= highest + 1; ++k) inverse_factorials.push_back(inverse_factorials.back() / k);
  for (int k = 1; k <= highest; ++k) {
    Real100 sum = 0;
    for (int j = 0; j < k; ++j)
      sum += c[static_cast<std::size_t>(j)] * inverse_factorials[static_cast<std::size_t>(k + 1 - j)] *
             ((k - j) % 2 == 0 ? 1 : -1);
    c.push_back(-sum);
  }
  return {c.begin() + 1, c.end()};
}

}  // namespace daelab
