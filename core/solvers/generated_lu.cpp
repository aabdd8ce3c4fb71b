#include "core/solvers/generated_lu.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/context.hpp"
#include "core/expressions/tape.hpp"

namespace daelab {
namespace {

// Chains of 1000 links gain with 188 000 (docs/performance.md); 340 000 take seconds to write and gain nothing.
constexpr std::size_t most_products = 200'000;
// A run has few sequences that last. Sequences of single matrices would fill the memory, with some 100 bytes for each
// product.
constexpr std::size_t most_sequences = 500, most_products_of_all = 4'000'000;
// So many solutions, each with its share of a factorisation, lose by loops what making the code takes, whatever the
// size: a real product takes 0.3 to 0.5 us to write out and saves 0.8 to 1.1 ns a solution, one of complex numbers 0.6
// to 0.7 us and 0.3 to 0.5 ns. Nobody knows how many are to come: code made then wastes no more time than loops have.
constexpr long solutions_worth_code(bool complex) { return complex ? 1600 : 400; }

/// Writes operations on real or complex numbers to a tape as they are asked for. A graph would look for equal ones, and
/// there are none: that would take most of the time.
template <bool is_complex>
class TapeWriter {
 public:
  static constexpr std::size_t parts = is_complex ? 2 : 1;
  using X = std::array<Slot, parts>;

  /// `sizes`: of the blocks of inputs.
  explicit TapeWriter(const std::vector<std::size_t>& sizes) {
    for (std::size_t block = 0; block < sizes.size(); ++block)
      for (std::size_t i = 0; i < parts * sizes[block]; ++i)
        tape_.inputs.push_back({static_cast<int>(block), static_cast<int>(i)});
    tape_.constants = {0, 1};
    tape_.slots = tape_.first_result();
  }
  /// The next ones, those of a block after those of the block before.
  std::vector<X> inputs(std::size_t count) {
    std::vector<X> all(count);
    for (X& x : all)
      for (Slot& part : x) part = next_input_++;
    return all;
  }
  /// The next block of outputs.
  void put(const std::vector<X>& block) {
    int index = 0;
    for (const X& x : block)
      for (const Slot part : x) tape_.results.push_back({part, outputs_, index++});
    ++outputs_;
  }
  Tape take() { return std::move(tape_); }

  X zero() const {
    X x;
    x.fill(tape_.first_constant());
    return x;
  }
  X product(const X& x, const X& y) {
    if constexpr (is_complex)
      return {minus(times(x[0], y[0]), times(x[1], y[1])), plus(times(x[0], y[1]), times(x[1], y[0]))};
    else
      return {times(x[0], y[0])};
  }
  X difference(const X& x, const X& y) {
    X all;
    for (std::size_t part = 0; part < parts; ++part) all[part] = x == zero() ? minus(y[part]) : minus(x[part], y[part]);
    return all;
  }
  X inverse(const X& x) {
    if constexpr (is_complex) {
      const Slot square = plus(times(x[0], x[0]), times(x[1], x[1]));
      return {over(x[0], square), over(minus(x[1]), square)};
    } else {
      return {over(tape_.first_constant() + 1, x[0])};
    }
  }

 private:
  Slot write(Operation operation, Slot a, Slot b = 0) {
    tape_.instructions.push_back({operation, tape_.slots, a, b});
    return tape_.slots++;
  }
  Slot times(Slot a, Slot b) { return write(Operation::multiply, a, b); }
  Slot over(Slot a, Slot b) { return write(Operation::divide, a, b); }
  Slot plus(Slot a, Slot b) { return write(Operation::add, a, b); }
  Slot minus(Slot a, Slot b) { return write(Operation::subtract, a, b); }
  Slot minus(Slot a) { return write(Operation::negate, a); }

  Tape tape_;
  Slot next_input_ = 0;
  int outputs_ = 0;
};

/// Records as `Elimination` computes (sparse_lu.cpp), operation by operation. What is taken out of a row waits until
/// the row is read: a sum stays in a register while it grows.
template <bool is_complex>
class LuRecorder {
 public:
  LuRecorder(const PivotSequence& sequence, Index entries) : s_(sequence), entries_(at(entries)), rows_(n()) {}

  Tape factorization() {
    begin({entries_});
    const std::vector<X> values = tape_->inputs(entries_);
    std::vector<X> L(s_.L_row.size()), U(s_.U_row.size()), F, pivots(n()), inverses(n());
    for (const int e : s_.F_entry) F.push_back(values[at(e)]);
    for (std::size_t k = 0; k < n(); ++k) {
      for (int e = s_.target_start[k]; e < s_.target_start[k + 1]; ++e)
        rows_[at(s_.target[at(e)])].value = values[at(s_.source[at(e)])];
      for (int u = s_.U_start[k]; u < s_.U_start[k + 1]; ++u) {
        const std::size_t j = at(s_.U_row[at(u)]);
        U[at(u)] = take(j);
        take_out(s_.L_start, s_.L_row, L, j, U[at(u)]);
      }
      pivots[k] = take(k), inverses[k] = tape_->inverse(pivots[k]);
      for (int l = s_.L_start[k]; l < s_.L_start[k + 1]; ++l)
        L[at(l)] = tape_->product(take(at(s_.L_row[at(l)])), inverses[k]);
    }
    for (const auto& block : {L, U, F, pivots, inverses}) tape_->put(block);
    return tape_->take();
  }

  Tape solution() {
    begin({n(), s_.L_row.size(), s_.U_row.size(), s_.F_row.size(), n()});
    const std::vector<X> b = tape_->inputs(n()), L = tape_->inputs(s_.L_row.size()), U = tape_->inputs(s_.U_row.size()),
                         F = tape_->inputs(s_.F_row.size()), inverses = tape_->inputs(n());
    std::vector<X> x(n());
    for (std::size_t k = 0; k < n(); ++k) rows_[k].value = b[at(s_.rows[k])];
    for (std::size_t end = n(); end > 0;) {
      const std::size_t begin = at(s_.block_begin[end - 1]);
      for (std::size_t k = begin; k < end; ++k) {
        const X known = take(k);
        rows_[k].value = known;
        take_out(s_.L_start, s_.L_row, L, k, known);
      }
      for (std::size_t k = end; k-- > begin;) {
        const X known = tape_->product(take(k), inverses[k]);
        x[at(s_.columns[k])] = known;
        take_out(s_.U_start, s_.U_row, U, k, known);
        take_out(s_.F_start, s_.F_row, F, k, known);
      }
      end = begin;
    }
    tape_->put(x);
    return tape_->take();
  }

 private:
  using X = typename TapeWriter<is_complex>::X;
  struct Row {
    X value;
    std::vector<std::pair<X, X>> products;  // to be subtracted, in this order
  };
  static std::size_t at(auto i) { return static_cast<std::size_t>(i); }
  std::size_t n() const { return s_.rows.size(); }

  void begin(const std::vector<std::size_t>& sizes) {
    tape_.emplace(sizes);
    for (Row& row : rows_) row = {tape_->zero(), {}};
  }
  // A row is zero then.
  X take(std::size_t k) {
    Row& row = rows_[k];
    X value = std::exchange(row.value, tape_->zero());
    for (const auto& [x, y] : row.products) value = tape_->difference(value, tape_->product(x, y));
    row.products.clear();
    return value;
  }
  void take_out(const std::vector<int>& start, const std::vector<int>& row, const std::vector<X>& entries,
                std::size_t k, const X& known) {
    for (int e = start[k]; e < start[k + 1]; ++e) rows_[at(row[at(e)])].products.emplace_back(entries[at(e)], known);
  }

  const PivotSequence& s_;
  const std::size_t entries_;
  std::optional<TapeWriter<is_complex>> tape_;
  std::vector<Row> rows_;
};

template <bool is_complex>
GeneratedLu record(const PivotSequence& sequence, Index entries) {
  LuRecorder<is_complex> recorder(sequence, entries);
  return {make_program<double>(recorder.factorization()), make_program<double>(recorder.solution())};
}

}  // namespace

std::size_t real_products(const PivotSequence& sequence, bool complex) {
  return (complex ? 4 : 1) * (sequence.L_row.size() + static_cast<std::size_t>(sequence.updates()));
}

SequenceCode::SequenceCode(const PivotSequence& sequence, Index entries, bool complex, Evaluator evaluator)
    : sequence_(sequence), entries_(entries), complex_(complex), evaluator_(evaluator) {}

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
  if (solutions_.load(std::memory_order_relaxed) < solutions_worth_code(complex_)) return nullptr;
  return &code_.get(
      [this] { return complex_ ? record<true>(sequence_, entries_) : record<false>(sequence_, entries_); });
}

const GeneratedLu* SequenceCode::after_a_solution() {
  solutions_.fetch_add(1, std::memory_order_relaxed);
  return at_hand();
}

}  // namespace daelab
