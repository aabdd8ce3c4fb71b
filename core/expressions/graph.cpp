#include "core/expressions/graph.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "core/base/exact.hpp"
#include "core/expressions/operations.hpp"

namespace daelab {
namespace {

thread_local Graph* current_graph = nullptr;

constexpr Node zero = 0, one = 1;
constexpr Node nothing_simpler = ~Node(0);

bool commutes(Operation operation) {
  return operation == Operation::add || operation == Operation::multiply || operation == Operation::equal;
}

Node node_of(Operation operation, const Expression& a, const Expression& b = {}, const Expression& c = {}) {
  return Graph::current().make(operation, a.node(), b.node(), c.node());
}
Expression made(Operation operation, const Expression& a, const Expression& b = {}, const Expression& c = {}) {
  return Expression::of(node_of(operation, a, b, c));
}

std::size_t hash_of(const NodeContents& contents) {
  std::uint64_t hash = static_cast<std::uint64_t>(contents.operation);
  for (const Node operand : {contents.a, contents.b, contents.c}) {  // splitmix64
    hash += operand + 0x9e3779b97f4a7c15u;
    hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9u;
    hash ^= hash >> 27;
  }
  return hash;
}

// The bits of the nearest double, with one zero.
std::uint64_t bits_of(const Real100& x) { return std::bit_cast<std::uint64_t>(static_cast<double>(x) + 0.0); }

/// Values of apply() for functions, kept by thread: one takes up to 20 µs in 100 digits, and recordings of a problem
/// with different parameters ask for those of its geometry again and again.
class FunctionsOfConstants {
 public:
  static bool includes(Operation operation) { return Operation::power <= operation && operation <= Operation::tanh; }

  const Real100& value(Operation operation, const Real100& a, const Real100& b) {
    const std::uint64_t key = bits_of(a) * 31 + bits_of(b) * 7 + static_cast<std::uint64_t>(operation);
    const auto [begin, end] = known_.equal_range(key);
    for (auto place = begin; place != end; ++place)
      if (const Entry& x = place->second; x.operation == operation && x.a == a && x.b == b) return x.value;
    constexpr std::size_t most = 4096;
    if (known_.size() >= most) known_.clear();
    return known_.emplace(key, Entry{operation, a, b, apply(operation, a, b, a)})->second.value;
  }

 private:
  struct Entry {
    Operation operation;
    Real100 a, b, value;
  };
  std::unordered_multimap<std::uint64_t, Entry> known_;
};

// x^k, k > 0, by squaring.
Expression whole_power(const Expression& x, long k) {
  if (k == 1) return x;
  const Expression half = whole_power(x, k / 2), even = half * half;
  return k % 2 == 0 ? even : even * x;
}

}  // namespace

int operand_count(Operation operation) {
  switch (operation) {
    case Operation::constant:
    case Operation::input:
      return 0;
    case Operation::add:
    case Operation::subtract:
    case Operation::multiply:
    case Operation::divide:
    case Operation::power:
    case Operation::atan2:
    case Operation::min:
    case Operation::max:
    case Operation::less:
    case Operation::less_equal:
    case Operation::equal:
      return 2;
    case Operation::select:
      return 3;
    default:
      return 1;
  }
}

Graph::Graph() : places_(1024, zero) {
  constant(0);
  constant(1);
}

Graph& Graph::current() {
  if (current_graph == nullptr) throw std::logic_error("an expression outside of a RecordingScope");
  return *current_graph;
}

RecordingScope::RecordingScope(Graph& graph) : outer_(current_graph) { current_graph = &graph; }
RecordingScope::~RecordingScope() { current_graph = outer_; }

Expression Graph::input(int block, int index, std::string name) {
  inputs_.push_back({block, index, std::move(name)});
  return Expression::of(append({Operation::input, static_cast<Node>(inputs_.size() - 1)}));
}

Node Graph::constant(const Real100& value) {
  const std::uint64_t bits = bits_of(value);
  const auto [begin, end] = constant_places_.equal_range(bits);
  for (auto place = begin; place != end; ++place)
    if (const Real100& known = constant_value(place->second); known == value || (isnan(known) && isnan(value)))
      return place->second;
  constants_.push_back(value);
  const Node node = append({Operation::constant, static_cast<Node>(constants_.size() - 1)});
  constant_places_.emplace(bits, node);
  return node;
}

Node Graph::append(const NodeContents& contents) {
  nodes_.push_back(contents);
  return size() - 1;
}

// Finds its place, or the free one that it would have. Looks first among eight places that go by the latest operand:
// what is made in turn is then found in memory that was just read. When these are full, by linear probing from where
// the hash says.
std::size_t Graph::place_of(const NodeContents& contents) const {
  constexpr std::size_t near = 8;
  const std::size_t mask = places_.size() - 1;
  const auto ends_at = [&](std::size_t place) { return places_[place] == zero || nodes_[places_[place]] == contents; };
  const std::size_t latest = std::max({contents.a, contents.b, contents.c}), first = 2 * latest & mask & ~(near - 1);
  for (std::size_t place = first; place < first + near; ++place)
    if (ends_at(place)) return place;
  std::size_t place = hash_of(contents) & mask;
  while (!ends_at(place)) place = (place + 1) & mask;
  return place;
}

Node Graph::find_or_append(const NodeContents& contents) {
  const std::size_t place = place_of(contents);
  if (places_[place] != zero) return places_[place];
  const Node node = append(contents);
  places_[place] = node;
  if (2 * ++places_taken_ > places_.size()) double_places();
  return node;
}

void Graph::double_places() {
  places_.assign(2 * places_.size(), zero);
  for (Node node = 0; node < size(); ++node)
    if (operand_count(nodes_[node].operation) > 0) places_[place_of(nodes_[node])] = node;
}

Node Graph::make(Operation operation, Node a, Node b, Node c) {
  const int count = operand_count(operation);
  if (is_constant(a) && (count < 2 || is_constant(b)) && (count < 3 || is_constant(c))) return fold(operation, a, b, c);
  Node simple = nothing_simpler;
  switch (operation) {
    case Operation::add:
    case Operation::subtract:
      simple = simplified_sum(operation, a, b);
      break;
    case Operation::multiply:
    case Operation::divide:
      simple = simplified_product(operation, a, b);
      break;
    case Operation::negate:
      simple = negative(a);
      break;
    case Operation::min:
    case Operation::max:
      simple = a == b ? a : nothing_simpler;
      break;
    case Operation::select:
      simple = is_constant(a) ? (a != zero ? b : c) : b == c ? b : nothing_simpler;
      break;
    default:
      simple = simplified_function(operation, a);
      break;
  }
  if (simple != nothing_simpler) return simple;
  if (commutes(operation) && a > b) std::swap(a, b);
  return find_or_append({operation, a, b, c});
}

Node Graph::fold(Operation operation, Node a, Node b, Node c) {
  // Most of what a turn about an axis folds needs no digits.
  const bool adds = operation == Operation::add, multiplies = operation == Operation::multiply;
  if (b == zero && (adds || operation == Operation::subtract)) return a;
  if (a == zero && adds) return b;
  if (b == one && multiplies) return a;
  if (a == one && multiplies) return b;
  if (multiplies && (a == zero || b == zero) && isfinite(constant_value(a == zero ? b : a))) return zero;
  thread_local FunctionsOfConstants functions;
  if (FunctionsOfConstants::includes(operation))
    return constant(functions.value(operation, constant_value(a), constant_value(b)));
  return constant(apply(operation, constant_value(a), constant_value(b), constant_value(c)));
}

// -x, of a difference, too: the sign is outside of all but sums.
Node Graph::negative(Node a) {
  if (is_negation(a)) return nodes_[a].a;
  if (is_constant(a)) return constant(-constant_value(a));
  return find_or_append({Operation::negate, a});
}

Node Graph::simplified_sum(Operation operation, Node a, Node b) {
  const bool adds = operation == Operation::add;
  if (b == zero) return a;
  if (a == zero) return adds ? b : negative(b);
  if (!adds && a == b) return zero;
  if (is_negation(b)) return make(adds ? Operation::subtract : Operation::add, a, nodes_[b].a);
  if (is_negation(a))
    return adds ? make(Operation::subtract, b, nodes_[a].a) : negative(make(Operation::add, nodes_[a].a, b));
  if (is_constant(b) && constant_value(b) < 0) return make(adds ? Operation::subtract : Operation::add, a, negative(b));
  if (adds && is_constant(a) && constant_value(a) < 0) return make(Operation::subtract, b, negative(a));
  return nothing_simpler;
}

Node Graph::simplified_product(Operation operation, Node a, Node b) {
  const bool divides = operation == Operation::divide;
  if (a == zero || (!divides && b == zero)) return zero;
  if (b == one) return a;
  if (!divides && a == one) return b;
  const auto has_sign = [&](Node x) { return is_negation(x) || (is_constant(x) && constant_value(x) < 0); };
  if (has_sign(a)) return negative(make(operation, negative(a), b));
  if (has_sign(b)) return negative(make(operation, a, negative(b)));
  if (divides && is_constant(b)) {  // by a power of two: the same bits, and cheaper
    const double divisor = static_cast<double>(constant_value(b));
    int exponent = 0;
    if (constant_value(b) == Real100(divisor) && std::frexp(divisor, &exponent) == 0.5 && std::abs(exponent) < 1000)
      return make(Operation::multiply, a, constant(Real100::power_of_two(1 - exponent)));
  }
  return nothing_simpler;
}

// Odd and even functions of -x.
Node Graph::simplified_function(Operation operation, Node a) {
  if (!is_negation(a)) return nothing_simpler;
  const Node positive = nodes_[a].a;
  switch (operation) {
    case Operation::cos:
    case Operation::cosh:
    case Operation::abs:
      return make(operation, positive);
    case Operation::sin:
    case Operation::tan:
    case Operation::asin:
    case Operation::atan:
    case Operation::sinh:
    case Operation::tanh:
    case Operation::sign:
      return negative(make(operation, positive));
    default:
      return nothing_simpler;
  }
}

Expression::Expression(int value)
    : node_(value == 0 || value == 1 ? static_cast<Node>(value) : Graph::current().constant(value)) {}
Expression::Expression(const Real100& value) : node_(Graph::current().constant(value)) {}
Expression::Expression(const Exact& value) : Expression(value.value()) {}

Expression operator+(const Expression& a, const Expression& b) { return made(Operation::add, a, b); }
Expression operator-(const Expression& a, const Expression& b) { return made(Operation::subtract, a, b); }
Expression operator*(const Expression& a, const Expression& b) { return made(Operation::multiply, a, b); }
Expression operator/(const Expression& a, const Expression& b) { return made(Operation::divide, a, b); }
Expression operator-(const Expression& a) { return made(Operation::negate, a); }

#define DAELAB_FUNCTION(name) \
  Expression name(const Expression& x) { return made(Operation::name, x); }
DAELAB_FUNCTION(sqrt)
DAELAB_FUNCTION(exp)
DAELAB_FUNCTION(log)
DAELAB_FUNCTION(sin)
DAELAB_FUNCTION(cos)
DAELAB_FUNCTION(tan)
DAELAB_FUNCTION(asin)
DAELAB_FUNCTION(acos)
DAELAB_FUNCTION(atan)
DAELAB_FUNCTION(sinh)
DAELAB_FUNCTION(cosh)
DAELAB_FUNCTION(tanh)
DAELAB_FUNCTION(abs)
DAELAB_FUNCTION(sign)
DAELAB_FUNCTION(floor)
#undef DAELAB_FUNCTION

Expression atan2(const Expression& y, const Expression& x) { return made(Operation::atan2, y, x); }
Expression min(const Expression& a, const Expression& b) { return made(Operation::min, a, b); }
Expression max(const Expression& a, const Expression& b) { return made(Operation::max, a, b); }

Expression pow(const Expression& x, const Expression& exponent) {
  if (!is_constant(exponent)) throw InputError("", "an exponent must be a constant; x^y is exp(y*log(x))");
  const Real100 twice = 2 * constant_value(exponent);
  if (twice == 0) return 1;
  if (abs(twice) > 200 || twice != Real100(static_cast<long>(twice))) return made(Operation::power, x, exponent);
  const long halves = static_cast<long>(abs(twice));
  Expression result = halves / 2 > 0 ? whole_power(x, halves / 2) : Expression(1);
  if (halves % 2 != 0) result = result * sqrt(x);
  return twice < 0 ? 1 / result : result;
}

Condition operator<(const Expression& a, const Expression& b) { return Condition(made(Operation::less, a, b)); }
Condition operator<=(const Expression& a, const Expression& b) { return Condition(made(Operation::less_equal, a, b)); }
Condition equal(const Expression& a, const Expression& b) { return Condition(made(Operation::equal, a, b)); }
Condition operator!(const Condition& a) { return Condition(1 - a.truth()); }
Condition operator&&(const Condition& a, const Condition& b) { return Condition(a.truth() * b.truth()); }
Condition operator||(const Condition& a, const Condition& b) { return Condition(max(a.truth(), b.truth())); }
Expression select(const Condition& condition, const Expression& if_true, const Expression& if_false) {
  return made(Operation::select, condition.truth(), if_true, if_false);
}

std::vector<Node> dependencies(const Graph& graph, std::span<const Expression> expressions) {
  Node last = 0;
  for (const Expression& x : expressions) last = std::max(last, x.node());
  std::vector<std::uint64_t> known(last / 64 + 1, 0);  // a bit for each node
  const auto mark = [&](Node node) { known[node / 64] |= std::uint64_t(1) << node % 64; };
  for (const Expression& x : expressions) mark(x.node());
  // Operands are earlier nodes: on the way down each is known when its turn comes.
  std::vector<Node> found;
  for (std::size_t word = known.size(); word-- > 0;)
    for (std::uint64_t here = ~std::uint64_t(0); (known[word] & here) != 0;) {
      const auto bit = static_cast<Node>(std::bit_width(known[word] & here) - 1);
      here = (std::uint64_t(1) << bit) - 1;
      const Node node = 64 * static_cast<Node>(word) + bit;
      found.push_back(node);
      const auto all = operands(graph[node]);
      for (int k = 0; k < operand_count(graph[node].operation); ++k) mark(all[k]);
    }
  std::ranges::reverse(found);
  return found;
}

bool is_constant(const Expression& x) { return x.node() < 2 || Graph::current().is_constant(x.node()); }

const Real100& constant_value(const Expression& x) {
  const Graph& graph = Graph::current();
  if (!graph.is_constant(x.node())) throw std::logic_error("a constant was expected, not a function of the motion");
  return graph.constant_value(x.node());
}

}  // namespace daelab
