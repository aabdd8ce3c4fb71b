#include "core/solvers/generated_lu.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <mutex>
#include <utility>

#include "core/base/context.hpp"
#include "core/expressions/graph.hpp"
#include "core/expressions/tape.hpp"

namespace daelab {
namespace {

// Chains of 1000 links gain with 188 000 (docs/performance.md); 340 000 take seconds to write and gain nothing.
constexpr std::size_t most_products = 200'000;
// A run has one sequence or two; sequences that depend on its numbers would fill the memory, with some 100 bytes for
// each product.
constexpr std::size_t most_sequences = 500, most_products_of_all = 4'000'000;
// A product takes 0.5 to 1.2 us to write out, and saves 1.5 to 0.5 ns a solution with its share of a factorisation: the
// longer the code, the more and the less.
long solutions_worth_code(std::size_t products) { return 200 + static_cast<long>(products / 50); }

struct ComplexExpression {
  Expression re, im;
};
Expression product(const Expression& x, const Expression& y) { return x * y; }
ComplexExpression product(const ComplexExpression& x, const ComplexExpression& y) {
  return {x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}
void subtract(Expression& x, const Expression& y) { x -= y; }
void subtract(ComplexExpression& x, const ComplexExpression& y) { x.re -= y.re, x.im -= y.im; }
Expression inverse(const Expression& x) { return Expression(1) / x; }
ComplexExpression inverse(const ComplexExpression& x) {
  const Expression square = x.re * x.re + x.im * x.im;
  return {x.re / square, -x.im / square};
}

/// Records as `Elimination` computes (sparse_lu.cpp), operation by operation.
template <class X>
class LuRecorder {
 public:
  LuRecorder(const PivotSequence& sequence, Index entries) : s_(sequence), scope_(graph_) {
    const auto count = [](const auto& x) { return static_cast<Index>(x.size()); };
    sizes_ = {entries, count(s_.L_row), count(s_.U_row), count(s_.F_row), s_.size()};
  }

  Tape factorization() {
    const std::vector<X> values = inputs(0, sizes_[0]);
    std::vector<X> work(n()), L(s_.L_row.size()), U(s_.U_row.size()), F, pivots(n()), inverses(n());
    for (const int e : s_.F_entry) F.push_back(values[at(e)]);
    for (std::size_t k = 0; k < n(); ++k) {
      for (int e = s_.target_start[k]; e < s_.target_start[k + 1]; ++e)
        work[at(s_.target[at(e)])] = values[at(s_.source[at(e)])];
      for (int u = s_.U_start[k]; u < s_.U_start[k + 1]; ++u) {
        const std::size_t j = at(s_.U_row[at(u)]);
        U[at(u)] = std::exchange(work[j], {});
        for (int l = s_.L_start[j]; l < s_.L_start[j + 1]; ++l)
          subtract(work[at(s_.L_row[at(l)])], product(L[at(l)], U[at(u)]));
      }
      pivots[k] = std::exchange(work[k], {}), inverses[k] = inverse(pivots[k]);
      for (int l = s_.L_start[k]; l < s_.L_start[k + 1]; ++l)
        L[at(l)] = product(std::exchange(work[at(s_.L_row[at(l)])], {}), inverses[k]);
    }
    return tape({L, U, F, pivots, inverses});
  }

  Tape solution() {
    const std::vector<X> b = inputs(0, s_.size()), L = inputs(1, sizes_[1]), U = inputs(2, sizes_[2]),
                         F = inputs(3, sizes_[3]), inverses = inputs(4, s_.size());
    std::vector<X> work(n()), x(n());
    for (std::size_t k = 0; k < n(); ++k) work[k] = b[at(s_.rows[k])];
    const auto take_out = [&](const std::vector<int>& start, const std::vector<int>& row, const std::vector<X>& entries,
                              std::size_t k) {
      for (int e = start[k]; e < start[k + 1]; ++e) subtract(work[at(row[at(e)])], product(entries[at(e)], work[k]));
    };
    for (std::size_t end = n(); end > 0;) {
      const std::size_t begin = at(s_.block_begin[end - 1]);
      for (std::size_t k = begin; k < end; ++k) take_out(s_.L_start, s_.L_row, L, k);
      for (std::size_t k = end; k-- > begin;) {
        work[k] = product(work[k], inverses[k]);
        take_out(s_.U_start, s_.U_row, U, k);
        take_out(s_.F_start, s_.F_row, F, k);
      }
      end = begin;
    }
    for (std::size_t k = 0; k < n(); ++k) x[at(s_.columns[k])] = work[k];
    return tape({x});
  }

 private:
  static constexpr bool is_complex = std::is_same_v<X, ComplexExpression>;
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  std::size_t n() const { return s_.rows.size(); }

  std::vector<X> inputs(int block, Index size) {
    std::vector<X> all;
    for (int i = 0; i < static_cast<int>(size); ++i)
      if constexpr (is_complex)
        all.push_back({graph_.input(block, 2 * i, ""), graph_.input(block, 2 * i + 1, "")});
      else
        all.push_back(graph_.input(block, i, ""));
    return all;
  }
  Tape tape(const std::vector<std::vector<X>>& blocks) {
    std::vector<Output> outputs;
    for (std::size_t block = 0; block < blocks.size(); ++block)
      for (std::size_t i = 0; i < blocks[block].size(); ++i) {
        const X& x = blocks[block][i];
        const auto out = [&](const Expression& part, std::size_t index) {
          outputs.push_back({part, static_cast<int>(block), static_cast<int>(index)});
        };
        if constexpr (is_complex)
          out(x.re, 2 * i), out(x.im, 2 * i + 1);
        else
          out(x, i);
      }
    return make_tape(graph_, outputs);
  }

  const PivotSequence& s_;
  Graph graph_;
  RecordingScope scope_;
  std::array<Index, 5> sizes_{};
};

template <class X>
GeneratedLu record(const PivotSequence& sequence, Index entries) {
  return {make_program<double>(LuRecorder<X>(sequence, entries).factorization()),
          make_program<double>(LuRecorder<X>(sequence, entries).solution())};
}

}  // namespace

std::size_t real_products(const PivotSequence& sequence, bool complex) {
  return (complex ? 4 : 1) * (sequence.L_row.size() + static_cast<std::size_t>(sequence.updates()));
}

SequenceCode::SequenceCode(const PivotSequence& sequence, Index entries, bool complex, Evaluator evaluator)
    : sequence_(sequence),
      entries_(entries),
      complex_(complex),
      evaluator_(evaluator),
      worth_(solutions_worth_code(real_products(sequence, complex))) {}

SequenceCode* SequenceCode::of(const PivotSequence& sequence, Index entries, bool complex) {
  const std::size_t products = real_products(sequence, complex);
  if (!evaluates_by_machine_code() || products > most_products) return nullptr;
  static std::mutex mutex;
  static std::deque<SequenceCode> all;
  static std::size_t products_of_all = 0;
  const Evaluator evaluator = Context::current().evaluator;
  const std::scoped_lock lock(mutex);
  const auto known = std::ranges::find_if(all, [&](const SequenceCode& x) {
    return x.entries_ == entries && x.complex_ == complex && x.evaluator_ == evaluator && x.sequence_ == sequence;
  });
  if (known != all.end()) return &*known;
  if (all.size() == most_sequences || products_of_all + products > most_products_of_all) return nullptr;
  products_of_all += products;
  return &all.emplace_back(sequence, entries, complex, evaluator);
}

const GeneratedLu* SequenceCode::at_hand() const {
  if (solutions_.load(std::memory_order_relaxed) < worth_) return nullptr;
  return &code_.get([this] {
    return complex_ ? record<ComplexExpression>(sequence_, entries_) : record<Expression>(sequence_, entries_);
  });
}

const GeneratedLu* SequenceCode::after_a_solution() {
  solutions_.fetch_add(1, std::memory_order_relaxed);
  return at_hand();
}

}  // namespace daelab
