// Series over words of ordered trees: what products of exponentials and the exact flow of g' = g v(t, g) are made of.
//
// A word is a row of ordered trees, and the forest that a vertex below it makes a tree. Beside its forest a vertex may
// bear derivatives by time, t, which commute with everything. Words are multiplied by writing one behind the other.
//
// [Owr06] Owren, Order conditions for commutator-free Lie group methods, Journal of Physics A 39, 2006, 5585-5599.
#pragma once

#include <compare>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/base/scalar.hpp"

namespace daelab {

/// Coefficients of all words, in their order.
using WordSeries = std::vector<Real100>;

class OrderedTreeWords {
 public:
  struct Tree {
    std::size_t above = 0;  // the word above its root
    int times = 0;          // derivatives by time at its root
    auto operator<=>(const Tree&) const = default;
  };
  struct Word {
    std::string text;  // [] for each vertex around what is above it: "[[]t]" has a vertex and one t above its root
    int order = 0;     // vertices and derivatives by time
    std::vector<Tree> trees;
    std::vector<std::pair<std::size_t, std::size_t>> splits;  // the words that make it, one behind the other
  };

  /// All words up to an order; the first is empty.
  OrderedTreeWords(int highest, bool with_time);
  const std::vector<Word>& all() const { return list_; }

  WordSeries zero() const { return WordSeries(list_.size(), Real100(0)); }
  WordSeries identity() const;
  /// The exact flow of g' = g v(t, g) over the step.
  WordSeries flow() const;
  /// The velocity at a point of the group at a part of the step.
  WordSeries slope(const WordSeries& point, const Real100& time) const;
  WordSeries product(const WordSeries& first, const WordSeries& second) const;
  WordSeries commutator(const WordSeries& first, const WordSeries& second) const;
  /// The exponential of a series without the empty word.
  WordSeries exponential(const WordSeries& x) const;

 private:
  using Trees = std::vector<Tree>;
  std::vector<std::size_t> of(int order) const;
  void append(std::size_t before, Tree last);

  int highest_;
  std::vector<Word> list_;
  std::map<Trees, std::size_t> places_;
};

/// Adds `weight` times a series to another.
void add(const Real100& weight, const WordSeries& x, WordSeries& sum);

/// Coefficients of hat(w), hat(w)^2, ..., hat(w)^highest in the inverse tangent of the exponential map, w' = T^-1(w) v:
/// B_k/k! with B_1 = 1/2, those of x/(1 - exp(-x)).
std::vector<Real100> inverse_tangent_series(int highest);

}  // namespace daelab
