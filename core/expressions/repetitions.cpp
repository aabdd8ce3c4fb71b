#include "core/expressions/repetitions.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/expressions/library_functions.hpp"

namespace daelab {
namespace {

using Distance = std::int64_t;

Distance distance(std::uint32_t from, std::uint32_t to) { return Distance(to) - Distance(from); }
Distance quotient_down(Distance a, Distance b) { return a / b - (a % b < 0 ? 1 : 0); }  // b > 0

bool is_call(Operation operation) {
  return operation == Operation::sines_and_cosines || library_function(operation) != nullptr;
}

class Finder {
 public:
  Finder(const Tape& tape, const ResultsOfSlots& results, const RepetitionLimits& limits)
      : tape_(tape), results_(results), limits_(limits), size_(static_cast<Position>(tape.instructions.size())) {}

  std::vector<Repetition> find() {
    const std::vector<Position> recurrences = distances_to_recurrence();
    for (Position at = 0; at < size_;) {
      const Position period = recurrences[at];
      if (period == 0)
        ++at;
      else if (const std::optional<Repetition> found = repetition_at(at, period))
        found_.push_back(*found), at = found->end();
      else
        at += period;
    }
    if (!found_.empty()) choose_columns();
    return std::move(found_);
  }

 private:
  enum class Kind { input, constant, value };
  Kind kind(Slot slot) const {
    return slot < tape_.first_constant() ? Kind::input : slot < tape_.first_result() ? Kind::constant : Kind::value;
  }

  // --- Candidates: how far it is to the next place where the same operations follow, on operands equally far back.

  static constexpr Position window = 12;
  static constexpr Slot near = 64;

  std::uint64_t signature(const Instruction& i) const {
    std::uint64_t hash = static_cast<std::uint64_t>(i.operation);
    for (const Slot slot : Operands(tape_, i)) {
      const Slot back = i.result - slot;
      const std::uint64_t what = kind(slot) != Kind::value ? 1000 + static_cast<std::uint64_t>(kind(slot))
                                 : back < near             ? back
                                                           : near;
      hash = (hash ^ what) * 0x9e3779b97f4a7c15u;
      hash ^= hash >> 29;
    }
    return hash;
  }
  std::vector<Position> distances_to_recurrence() const {
    std::vector<Position> distances(size_, 0);
    if (size_ < window) return distances;
    std::vector<std::uint64_t> signatures;
    for (const Instruction& i : tape_.instructions) signatures.push_back(signature(i));
    std::unordered_map<std::uint64_t, Position> next;
    for (Position at = size_ - window + 1; at-- > 0;) {
      std::uint64_t hash = 0;
      for (Position k = 0; k < window; ++k) hash = hash * 0xbf58476d1ce4e5b9u + signatures[at + k];
      const auto [place, is_new] = next.try_emplace(hash, at);
      if (!is_new) distances[at] = place->second - at, place->second = at;
    }
    return distances;
  }

  // --- Verification.

  // Two periods that alternate, or four angles at a time, make one longer period. In a short one, too, values would
  // wait for memory that the period before has just written.
  std::optional<Repetition> repetition_at(Position at, Position recurrence) const {
    for (const Position multiple : {1u, 2u, 3u, 4u, 6u, 8u, 12u, 16u, 24u, 32u}) {
      const Position length = multiple * recurrence;
      if (length > (size_ - at) / limits_.least_periods) return {};
      if (weight(at, length) < limits_.least_period) continue;
      const Position count = periods(at, length);
      if (!is_long_enough(at, length, count)) continue;
      if (auto found = narrowed(at, length, count)) return found;
    }
    return {};
  }
  // A call takes as long as so many other instructions.
  static constexpr Distance weight_of_call = 64;
  Distance weight(Position begin, Position length) const {
    Distance sum = 0;
    for (Position i = begin; i < begin + length; ++i)
      sum += is_call(tape_.instructions[i].operation) ? weight_of_call : 1;
    return sum;
  }
  bool is_long_enough(Position begin, Position length, Distance count) const {
    return count >= limits_.least_periods && count * weight(begin, length) >= limits_.least_instructions;
  }
  Position periods(Position begin, Position length) const {
    Position at = begin;
    for (; at + length < size_ && are_alike(at, at + length); ++at)
      if (at >= begin + length && !move_evenly(at - length, at, at + length)) break;
    return (at - begin) / length + 1;
  }
  bool are_alike(Position one, Position two) const {
    const Instruction &a = tape_.instructions[one], &b = tape_.instructions[two];
    if (a.operation != b.operation) return false;
    const Operands of_a(tape_, a), of_b(tape_, b);
    for (const Slot *x = of_a.begin(), *y = of_b.begin(); x != of_a.end(); ++x, ++y) {
      if (kind(*x) != kind(*y)) return false;
      if (kind(*x) == Kind::input && tape_.inputs[*x].block != tape_.inputs[*y].block) return false;
    }
    for (Slot k = 0; k < result_count(a.operation); ++k)
      if (!go_to_like_places(a.result + k, b.result + k)) return false;
    return true;
  }
  bool go_to_like_places(Slot a, Slot b) const {
    auto x = results_.first(a), y = results_.first(b);
    for (; x != ResultsOfSlots::none && y != ResultsOfSlots::none; x = results_.after(x), y = results_.after(y))
      if (tape_.results[x].block != tape_.results[y].block) return false;
    return x == y;
  }
  // Tells whether three that are alike move by even distances.
  bool move_evenly(Position one, Position two, Position three) const {
    const Instruction &a = tape_.instructions[one], &b = tape_.instructions[two], &c = tape_.instructions[three];
    const Operands of_a(tape_, a), of_b(tape_, b), of_c(tape_, c);
    const Slot *x = of_a.begin(), *y = of_b.begin(), *z = of_c.begin();
    for (; x != of_a.end(); ++x, ++y, ++z) {
      if (distance(*x, *y) != distance(*y, *z)) return false;
      if (kind(*x) != Kind::input) continue;
      const int index = tape_.inputs[*y].index;
      if (index - tape_.inputs[*x].index != tape_.inputs[*z].index - index) return false;
    }
    for (Slot k = 0; k < result_count(a.operation); ++k) {
      auto p = results_.first(a.result + k), q = results_.first(b.result + k), r = results_.first(c.result + k);
      for (; p != ResultsOfSlots::none; p = results_.after(p), q = results_.after(q), r = results_.after(r)) {
        const int index = tape_.results[q].index;
        if (index - tape_.results[p].index != tape_.results[r].index - index) return false;
      }
    }
    return true;
  }

  // --- Values that are read must be in rows: of this repetition or of an earlier one.

  std::optional<Repetition> narrowed(Position begin, Position length, Position count) const {
    const Slot first = tape_.instructions[begin].result;
    Repetition x{begin, length, count, first, tape_.instructions[begin + length].result - first, 0, {}, 0};
    Distance from = 0, to = count;  // the periods that are left
    std::set<std::tuple<int, Distance, Distance>> movements;
    bool calls = false;
    for (Position i = begin; i < begin + length; ++i) {
      calls = calls || is_call(tape_.instructions[i].operation);
      const Operands now(tape_, tape_.instructions[i]), next(tape_, tape_.instructions[i + length]);
      for (const Slot *a = now.begin(), *b = next.begin(); a != now.end(); ++a, ++b)
        if (*a != *b && !take_movement(x, *a, *b, from, to, movements)) return {};
      for (Slot k = 0; k < result_count(tape_.instructions[i].operation); ++k)
        add_outputs(tape_.instructions[i].result + k, tape_.instructions[i + length].result + k, movements);
    }
    movements.insert({own, 1, 0});
    if (movements.size() > (calls ? limits_.most_beside_calls : limits_.most_movements)) return {};
    from = std::max(from, Distance(x.rows_before));
    for (int tries = 0; tries < 3 && is_long_enough(begin, length, to - from); ++tries, ++from) {
      x.begin = begin + static_cast<Position>(from) * length;
      x.first = first + static_cast<Slot>(from) * x.slots;
      x.count = static_cast<Position>(to - from);
      if (slots_have_one_movement(x)) return x;
    }
    return {};
  }

  static constexpr Distance most_rows_before = 4;
  static constexpr int own = -1, constants = -2, inputs = -3, outputs = -4;  // else: of an earlier repetition

  bool take_movement(Repetition& x, Slot a, Slot b, Distance& from, Distance& to,
                     std::set<std::tuple<int, Distance, Distance>>& movements) const {
    const Distance step = distance(a, b);
    if (kind(a) == Kind::constant) return movements.insert({constants, step, 0}), true;
    if (kind(a) == Kind::input) {
      const auto &p = tape_.inputs[a], &q = tape_.inputs[b];
      return movements.insert({inputs, q.index - p.index, p.block}), true;
    }
    if (step == x.slots && distance(a, x.first) <= most_rows_before * x.slots) {  // of this period, or of one before it
      if (a < x.first) x.rows_before = std::max(x.rows_before, (x.first - a + x.slots - 1) / x.slots);
      return true;
    }
    const Distance middle = a + step * ((from + to) / 2);
    const Repetition* source = middle < 0 ? nullptr : with_rows(static_cast<Slot>(middle));
    if (source == nullptr || step % source->slots != 0) return false;
    const Distance rows = step / source->slots;
    const Distance row = quotient_down(distance(source->first, a), source->slots);
    // -rows_before <= row + k rows < count
    const Distance low = -Distance(source->rows_before) - row, high = Distance(source->count) - 1 - row;
    if (rows > 0) {
      from = std::max(from, -quotient_down(-low, rows));
      to = std::min(to, quotient_down(high, rows) + 1);
    } else {
      from = std::max(from, -quotient_down(high, -rows));
      to = std::min(to, quotient_down(-low, -rows) + 1);
    }
    movements.insert({static_cast<int>(source - found_.data()), rows, 0});
    return from < to;
  }
  void add_outputs(Slot a, Slot b, std::set<std::tuple<int, Distance, Distance>>& movements) const {
    auto x = results_.first(a), y = results_.first(b);
    for (; x != ResultsOfSlots::none; x = results_.after(x), y = results_.after(y))
      movements.insert({outputs, tape_.results[y].index - tape_.results[x].index, tape_.results[x].block});
  }
  const Repetition* with_rows(Slot slot) const {
    const auto after = std::ranges::upper_bound(found_, slot, {}, &Repetition::first_in_rows);
    if (after == found_.begin()) return nullptr;
    const Repetition& x = *std::prev(after);
    return x.has_in_rows(slot) ? &x : nullptr;
  }
  // Two operands may be the same slot in the first period and move apart.
  bool slots_have_one_movement(const Repetition& x) const {
    std::unordered_map<Slot, Distance> steps;
    const auto has_one = [&](Slot a, Slot b) {
      return steps.try_emplace(a, distance(a, b)).first->second == distance(a, b);
    };
    for (Position i = x.begin; i < x.begin + x.length; ++i) {
      const Instruction &now = tape_.instructions[i], &next = tape_.instructions[i + x.length];
      const Operands of_now(tape_, now), of_next(tape_, next);
      for (const Slot *a = of_now.begin(), *b = of_next.begin(); a != of_now.end(); ++a, ++b)
        if (!has_one(*a, *b)) return false;
      for (Slot k = 0; k < result_count(now.operation); ++k)
        if (!has_one(now.result + k, next.result + k)) return false;
    }
    return true;
  }

  // --- Columns: of what is read in other periods or outside, and of all sines, which are written by a function.

  void choose_columns() {
    for (Repetition& x : found_) {
      x.column.assign(x.slots, Repetition::no_column);
      for (Position i = x.begin; i < x.begin + x.length; ++i)
        if (const Instruction& now = tape_.instructions[i]; result_count(now.operation) > 1)
          for (Slot k = 0; k < result_count(now.operation); ++k) x.column[now.result - x.first + k] = 0;
    }
    for (Position i = 0; i < size_; ++i)
      for (const Slot slot : Operands(tape_, tape_.instructions[i]))
        if (const Repetition* source = with_rows(slot)) {
          if (source->row(slot) == quotient_down(distance(source->begin, i), source->length)) continue;
          std::vector<int>& column = found_[static_cast<std::size_t>(source - found_.data())].column;
          column[(slot - source->first_in_rows()) % source->slots] = 0;
        }
    for (Repetition& x : found_)
      for (int& column : x.column)
        if (column != Repetition::no_column) column = x.columns++;
  }

  const Tape& tape_;
  const ResultsOfSlots& results_;
  const RepetitionLimits limits_;
  const Position size_;
  std::vector<Repetition> found_;
};

}  // namespace

ResultsOfSlots::ResultsOfSlots(const Tape& tape) : first_(tape.slots, none), next_(tape.results.size(), none) {
  for (std::uint32_t r = 0; r < tape.results.size(); ++r) next_[r] = std::exchange(first_[tape.results[r].slot], r);
}

std::vector<Repetition> find_repetitions(const Tape& tape, const ResultsOfSlots& results,
                                         const RepetitionLimits& limits) {
  if (tape.instructions.size() < limits.least_tape) return {};
  return Finder(tape, results, limits).find();
}

}  // namespace daelab
