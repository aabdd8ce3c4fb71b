// Random saddle-point systems whose entries are inputs of a graph.
#pragma once

#include <string>
#include <vector>

#include "core/elimination/elimination.hpp"
#include "tests/expression_support.hpp"
#include "tests/numeric_support.hpp"

namespace daelab {

/// [M B^T; C 0] x = b: M sparse and positive definite, or zero; B is C or, of two-sided systems, differs from it by up
/// to a tenth.
struct RandomSaddlePoint {
  enum class Kind { symmetric, massless, two_sided };

  Graph graph;
  SaddlePointExpressions A;    // entries on the diagonal and below
  Expressions upper, b;        // the entries of A above the diagonal
  std::vector<double> values;  // of the inputs: entries, and right-hand side

  RandomSaddlePoint(unsigned seed, Index n, Index m, Kind kind = Kind::symmetric) : kind_(kind) {
    const RecordingScope scope(graph);
    RandomNumbers random(seed);
    A.rows = static_cast<std::size_t>(n + m), A.definite = static_cast<std::size_t>(n);
    if (kind != Kind::massless)
      for (Index i = 0; i < n; ++i) {
        add(i, i, 3 + random.next());
        if (i > 0 && random.next() > 0) add(i, i - 1, random.next());
      }
    for (Index i = 0; i < m; ++i)
      for (Index j = 0; j < n; ++j)
        if (j == i || random.next() > 0.5) {
          const double value = random.next() + (i == j ? 3 : 0);
          add(n + i, j, value, kind == Kind::two_sided ? random.next() / 10 : 0);
        }
    for (Index i = 0; i < n + m; ++i) b.push_back(input(random.next()));
  }

  /// The entries of the symmetric system that pivots are chosen by.
  std::vector<std::vector<double>> samples() const {
    std::vector<double> entries;
    for (const std::size_t place : lower_) entries.push_back(values[place]);
    return {entries};
  }

  /// |A x - b|, with x evaluated in T; the sizes of entries and x are near 1.
  template <class T>
  double residual(const ChosenPivots& pivots) {
    const RecordingScope scope(graph);
    const std::vector<T> inputs(values.begin(), values.end());
    const auto solution = kind_ == Kind::two_sided ? eliminate(A, upper, b, pivots) : eliminate(A, b, pivots);
    const std::vector<T> x = evaluate<T>(graph, solution.x, inputs);
    Vector<T> r(static_cast<Index>(A.rows));
    for (std::size_t i = 0; i < A.rows; ++i) r[static_cast<Index>(i)] = -inputs[inputs.size() - A.rows + i];
    for (std::size_t k = 0; k < A.entries.size(); ++k) {
      const auto& entry = A.entries[k];
      r[entry.row] += inputs[lower_[k]] * x[entry.column];
      if (entry.row != entry.column) r[entry.column] += inputs[upper_[k]] * x[entry.row];
    }
    return largest(r);
  }

 private:
  Expression input(double value) {
    values.push_back(value);
    return graph.input(0, static_cast<int>(values.size()) - 1, "x" + std::to_string(values.size()));
  }
  void add(Index i, Index j, double value, double difference = 0) {
    A.entries.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), input(value)});
    lower_.push_back(values.size() - 1);
    upper.push_back(difference == 0 ? A.entries.back().value : input(value * (1 + difference)));
    upper_.push_back(values.size() - 1);
  }

  Kind kind_;
  std::vector<std::size_t> lower_, upper_;  // places of the entries among the inputs
};

}  // namespace daelab
