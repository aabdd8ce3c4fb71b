#include "core/expressions/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "core/base/rational.hpp"
#include "core/expressions/collected_terms.hpp"
#include "core/expressions/constant_text.hpp"
#include "core/expressions/latex.hpp"
#include "core/expressions/printed_shapes.hpp"

namespace daelab {
namespace {

// How tightly a text holds together, loosest first: a looser one is in parentheses where a tighter one is needed.
enum Level { disjunction, conjunction, comparison, sum, product, power, atom };

struct Piece {
  std::string text;
  Level level = atom;
  int nesting = 0;  // of parentheses
};

constexpr int deepest_nesting = 40;  // what the parser refuses is beyond 200
constexpr double most_inline = 10000;

Level level_of_constant(const std::string& text) {
  if (text.starts_with('(')) return product;
  if (text.find(' ') != std::string::npos) return sum;
  if (text.starts_with('-')) return sum;
  return text.find_first_of("*/") != std::string::npos ? product : atom;
}

// \sin^2 x is written so.
bool takes_power(Operation operation) {
  return operation == Operation::sin || operation == Operation::cos || operation == Operation::tan ||
         operation == Operation::sinh || operation == Operation::cosh || operation == Operation::tanh;
}

class ExpressionPrinter {
 public:
  ExpressionPrinter(const Graph& graph, std::span<const Expression> expressions, const PrintOptions& options,
                    bool defines)
      : graph_(graph),
        options_(options),
        defines_(defines),
        shapes_(graph),
        size_(graph.size(), 0),
        uses_(graph.size(), 0),
        pieces_(graph.size()) {
    for (const Expression& x : expressions) ++uses_[x.node()];
    order_ = printed_nodes(expressions);
  }

  PrintedExpressions printed(std::span<const Expression> expressions) {
    PrintedExpressions result;
    choose_letter();
    for (const Node node : order_) {
      Piece piece = made(node);
      if (defines_ && is_worth_a_name(node, piece)) {
        const std::string name = letter_ + std::to_string(result.definitions.size() + 1);
        result.definitions.emplace_back(shown_name(name), std::move(piece.text));
        piece = {shown_name(name), atom, 0};
        size_[node] = 1;
      }
      pieces_[node] = std::move(piece);
    }
    for (const Expression& x : expressions) result.expressions.push_back(as_number(x.node()).text);
    return result;
  }

  /// Number of operations, with what is shared as often as it is used.
  double operations_inline(Node root) {
    for (const Node node : order_) size_[node] = size_of(node);
    return size_[root];
  }

 private:
  bool is_latex() const { return options_.notation == Notation::latex; }
  const NodeContents& contents(Node node) const { return graph_[node]; }

  // ----- which nodes are printed -----

  // Operands first; counts the uses.
  std::vector<Node> printed_nodes(std::span<const Expression> expressions) {
    std::vector<bool> known(graph_.size(), false);
    std::vector<Node> found, open;
    const auto reach = [&](Node node) {
      if (!known[node]) known[node] = true, open.push_back(node);
    };
    for (const Expression& x : expressions) reach(x.node());
    while (!open.empty()) {
      const Node node = open.back();
      open.pop_back();
      found.push_back(node);
      shapes_.for_each_operand(node, [&](Node operand) { ++uses_[operand], reach(operand); });
    }
    std::ranges::sort(found);
    return found;
  }

  bool is_leaf(Node node) const { return operand_count(contents(node).operation) == 0; }
  double size_of(Node node) const {
    double size = 1;
    shapes_.for_each_operand(node, [&](Node operand) { size += size_[operand]; });
    return std::min(size, 1e300);
  }
  bool is_worth_a_name(Node node, const Piece& piece) {
    size_[node] = size_of(node);
    if (is_leaf(node) || shapes_.is_truth(node)) return false;
    return (uses_[node] > 1 && size_[node] > options_.operations_inline) || piece.nesting >= deepest_nesting;
  }
  void choose_letter() {
    std::set<std::string> taken;
    for (const Node node : order_)
      if (contents(node).operation == Operation::input) taken.insert(graph_.input_of(node).name);
    letter_ = options_.letter;
    const auto clashes = [&](const std::string& name) {
      return name.starts_with(letter_) && name.find_first_not_of("0123456789", letter_.size()) == std::string::npos;
    };
    while (std::ranges::any_of(taken, clashes)) letter_ += "_";
  }
  std::string shown_name(const std::string& name) const { return is_latex() ? latex_name(name) : name; }

  // ----- pieces -----

  // The text of an operand, moved out where nothing else needs it; sums of LaTeX look at what is deeper in them.
  Piece take(Node node) {
    if (uses_[node] > 1 || is_latex()) return pieces_[node];
    return std::move(pieces_[node]);
  }
  Piece as_number(Node node) {
    if (!shapes_.is_truth(node)) return take(node);
    Piece piece = take(node);
    piece.text = is_latex() ? "\\left[" + piece.text + "\\right]" : "truth(" + piece.text + ")";
    return {std::move(piece.text), atom, piece.nesting + 1};
  }
  Piece in_parentheses(Piece piece) const {
    piece.text = is_latex() ? "\\left(" + piece.text + "\\right)" : "(" + piece.text + ")";
    return {std::move(piece.text), atom, piece.nesting + 1};
  }
  Piece at_least(Level level, Piece piece) const {
    if (piece.level < level) return in_parentheses(std::move(piece));
    return piece;
  }
  Piece operand(Node node, Level level) { return at_least(level, as_number(node)); }
  static Piece joined(Piece left, const std::string& between, const Piece& right, Level level) {
    left.text += between;
    left.text += right.text;
    return {std::move(left.text), level, std::max(left.nesting, right.nesting)};
  }

  Piece made(Node node) {
    const NodeContents& x = contents(node);
    if (shapes_.is_truth(node)) return condition(node);
    if (const PrintedShapes::Power& p = shapes_.power(node); p.exponent > 1)
      return raised(p.base, std::to_string(p.exponent));
    switch (x.operation) {
      case Operation::constant:
        return constant(node);
      case Operation::input:
        return {shown_name(graph_.input_of(node).name), atom, 0};
      case Operation::add:
        if (std::optional<Piece> terms = collected(node)) return *terms;
        return added(x);
      case Operation::subtract: {
        if (std::optional<Piece> terms = collected(node)) return *terms;
        Piece left = operand(x.a, sum);
        return joined(std::move(left), " - ", operand(x.b, product), sum);
      }
      case Operation::multiply:
        return multiplied(x);
      case Operation::divide:
        return divided(x);
      case Operation::negate: {
        Piece piece = operand(x.a, product);
        return {"-" + piece.text, sum, piece.nesting + 1};
      }
      case Operation::power:
        return raised_to_constant(x);
      case Operation::select:
        return selected(x);
      default:
        return function(x);
    }
  }

  // In LaTeX a sum in which a term is there more than once; text is read back, and stays as it was recorded.
  std::optional<Piece> collected(Node node) const {
    if (!is_latex()) return {};
    const CollectedTerms terms(graph_, shapes_, node, [this](Node inner) { return is_defined(inner); });
    if (!terms.has_equal_ones()) return {};
    Piece all{"", sum, 0};
    for (const CollectedTerms::Term& term : terms.list()) {
      if (term.factor == 0) continue;
      const Piece piece = multiple(term);
      const bool is_first = all.text.empty(), is_negative = term.factor < 0;
      all.text += (is_first ? (is_negative ? "-" : "") : (is_negative ? " - " : " + ")) + piece.text;
      all.nesting = std::max(all.nesting, piece.nesting + 1);
    }
    return all.text.empty() ? Piece{"0", atom, 0} : all;
  }
  // Without the sign.
  Piece multiple(const CollectedTerms::Term& term) const {
    const Real100 size = abs(term.factor);
    if (term.node == CollectedTerms::one) return at_least(product, constant_piece(size));
    Piece piece = at_least(product, pieces_[term.node]);
    if (size == 1) return piece;
    const bool digits_meet = piece.text.front() >= '0' && piece.text.front() <= '9';
    return joined(at_least(product, constant_piece(size)), digits_meet ? " \\cdot " : " ", piece, product);
  }

  Piece constant(Node node) const { return constant_piece(graph_.constant_value(node)); }
  Piece constant_piece(const Real100& x) const {
    std::string text = constant_text(x, options_.digits);
    const Level level = level_of_constant(text);
    if (!is_latex()) return {std::move(text), level, level == atom ? 0 : 1};
    return {latex_constant(text), level == product && text.find('/') != std::string::npos ? power : level, 1};
  }

  // For a commutative operation, in the order that needs fewer parentheses.
  std::pair<Node, Node> ordered(const NodeContents& x, Level level) const {
    const bool first_fits = pieces_[x.a].level == level && !shapes_.is_truth(x.a),
               second_fits = pieces_[x.b].level == level && !shapes_.is_truth(x.b);
    const auto rank = [&](Node node) { return std::pair(pieces_[node].level < level, shapes_.first_input(node)); };
    const bool second_first = first_fits == second_fits ? rank(x.b) < rank(x.a) : second_fits;
    return second_first ? std::pair(x.b, x.a) : std::pair(x.a, x.b);
  }
  Piece added(const NodeContents& x) {
    auto [first, second] = ordered(x, sum);
    if (graph_.is_constant(first)) std::swap(first, second);
    Piece left = operand(first, sum);
    return joined(std::move(left), " + ", operand(second, is_latex() ? sum : product), sum);
  }
  Piece multiplied(const NodeContents& x) {
    auto [first, second] = ordered(x, product);
    if (graph_.is_constant(second) && pieces_[first].level != product) std::swap(first, second);
    if (const Node other = first == x.a ? x.b : x.a; shapes_.is_power_of_half(first))
      first = other, second = other == x.a ? x.b : x.a;
    if (shapes_.is_power_of_half(second)) return over(operand(first, product), halves_text(second));
    Piece left = operand(first, product);
    const Piece right = operand(second, is_latex() ? product : power);
    const bool digits_meet = is_latex() && right.text.front() >= '0' && right.text.front() <= '9';
    return joined(std::move(left), !is_latex() ? "*" : digits_meet ? " \\cdot " : " ", right, product);
  }
  Piece halves_text(Node node) const {
    const int whole = static_cast<int>(1 / graph_.constant_value(node));
    return {std::to_string(whole), atom, 0};
  }
  Piece divided(const NodeContents& x) {
    Piece above = is_latex() ? as_number(x.a) : operand(x.a, product);
    return over(std::move(above), is_latex() ? as_number(x.b) : operand(x.b, power));
  }
  Piece over(Piece above, const Piece& below) const {
    if (!is_latex()) return joined(std::move(above), "/", below, product);
    if (above.text.starts_with("\\left(") && above.text.ends_with("\\right)") && above.level == atom &&
        is_one_group(above.text))
      above.text = above.text.substr(6, above.text.size() - 13);
    return {fmt::format("\\frac{{{}}}{{{}}}", above.text, below.text), power,
            std::max(above.nesting, below.nesting) + 1};
  }
  // The first parenthesis closes at the end.
  static bool is_one_group(const std::string& text) {
    int depth = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (text.compare(at, 6, "\\left(") == 0) ++depth;
      if (text.compare(at, 7, "\\right)") == 0 && --depth == 0) return at + 7 == text.size();
    }
    return false;
  }

  Piece raised(Node base, const std::string& exponent) {
    const std::string above = is_latex() ? "^{" + exponent + "}" : "^" + exponent;
    const NodeContents& x = contents(base);
    if (is_latex() && takes_power(x.operation) && !is_defined(base)) {
      const std::string name = function_name(x.operation, options_.notation);
      Piece piece = as_number(base);
      piece.text.insert(name.size(), above);
      return {std::move(piece.text), power, piece.nesting};
    }
    Piece piece = operand(base, atom);
    piece.text += above;
    return {std::move(piece.text), power, piece.nesting};
  }
  bool is_defined(Node node) const { return size_[node] == 1 && !is_leaf(node); }
  Piece raised_to_constant(const NodeContents& x) {
    const Piece exponent = constant(x.b);
    if (!is_latex()) return raised(x.a, exponent.level == atom ? exponent.text : "(" + exponent.text + ")");
    const auto root = recover_fraction(graph_.constant_value(x.b));
    if (root && numerator(*root) == 1) {
      const Piece piece = as_number(x.a);
      return {fmt::format("\\sqrt[{}]{{{}}}", denominator(*root).str(), piece.text), power, piece.nesting + 1};
    }
    return raised(x.a, root ? root->str() : exponent.text);
  }

  Piece function(const NodeContents& x) {
    std::vector<Piece> list{as_number(x.a)};
    if (operand_count(x.operation) > 1) list.push_back(as_number(x.b));
    const std::string arguments = list.size() == 1 ? list[0].text : list[0].text + ", " + list[1].text;
    const int nesting = 1 + std::max(list.front().nesting, list.back().nesting);
    const std::string name = function_name(x.operation, options_.notation);
    if (!is_latex()) return {name + "(" + arguments + ")", atom, nesting};
    switch (x.operation) {
      case Operation::sqrt:
        return {"\\sqrt{" + arguments + "}", atom, nesting};
      case Operation::abs:
        return {"\\left|" + arguments + "\\right|", atom, nesting};
      case Operation::floor:
        return {"\\left\\lfloor " + arguments + " \\right\\rfloor", atom, nesting};
      case Operation::exp:
        return {"e^{" + arguments + "}", power, nesting};
      default:
        break;
    }
    const bool is_bare = list.size() == 1 && contents(x.a).operation == Operation::input;
    return {is_bare ? name + " " + arguments : name + "\\left(" + arguments + "\\right)", is_bare ? power : atom,
            nesting};
  }

  Piece selected(const NodeContents& x) {
    const Piece if_true = as_number(x.b), if_false = as_number(x.c), truth = take(x.a);
    const std::string condition = shapes_.is_truth(x.a) ? truth.text
                                  : is_latex()          ? truth.text + " \\ne 0"
                                                        : "not (" + truth.text + " == 0)";
    const int nesting = 2 + std::max({if_true.nesting, if_false.nesting, truth.nesting});
    if (!is_latex()) return {fmt::format("select({}, {}, {})", condition, if_true.text, if_false.text), atom, nesting};
    return {fmt::format("\\begin{{cases}} {} & \\text{{if }} {} \\\\ {} & \\text{{otherwise}} \\end{{cases}}",
                        if_true.text, condition, if_false.text),
            disjunction, nesting};
  }

  Piece condition_operand(Node node, Level level) {
    if (!shapes_.is_truth(node)) return {node == 0 ? "1 < 0" : "0 < 1", comparison, 0};
    return at_least(level, take(node));
  }
  Piece condition(Node node) {
    const NodeContents& x = contents(node);
    const auto text = [&](const char* plain, const char* latex) { return std::string(is_latex() ? latex : plain); };
    switch (x.operation) {
      case Operation::less:
        return compared(x, " < ");
      case Operation::less_equal:
        return compared(x, text(" <= ", " \\le "));
      case Operation::equal:
        return compared(x, text(" == ", " = "));
      case Operation::subtract: {
        const Piece piece = in_parentheses(take(x.b));
        return {text("not ", "\\neg ") + piece.text, comparison, piece.nesting + 1};
      }
      case Operation::multiply: {
        Piece left = condition_operand(x.a, conjunction);
        return joined(std::move(left), text(" and ", " \\wedge "), condition_operand(x.b, comparison), conjunction);
      }
      default: {
        Piece left = condition_operand(x.a, disjunction);
        return joined(std::move(left), text(" or ", " \\vee "), condition_operand(x.b, conjunction), disjunction);
      }
    }
  }
  Piece compared(const NodeContents& x, const std::string& sign) {
    const bool swaps = x.operation == Operation::equal && graph_.is_constant(x.a);
    Piece left = operand(swaps ? x.b : x.a, sum);
    return joined(std::move(left), sign, operand(swaps ? x.a : x.b, sum), comparison);
  }

  const Graph& graph_;
  const PrintOptions& options_;
  bool defines_;
  PrintedShapes shapes_;
  std::string letter_;
  std::vector<Node> order_;   // of printing
  std::vector<double> size_;  // number of operations in the text
  std::vector<int> uses_;
  std::vector<Piece> pieces_;
};

}  // namespace

PrintedExpressions print(const Graph& graph, std::span<const Expression> expressions, const PrintOptions& options) {
  return ExpressionPrinter(graph, expressions, options, true).printed(expressions);
}

std::string text_of(const Graph& graph, const Expression& x, const PrintOptions& options) {
  const std::span<const Expression> one(&x, 1);
  const double size = ExpressionPrinter(graph, one, options, false).operations_inline(x.node());
  if (size > most_inline) return fmt::format("(an expression of {:.3g} operations)", size);
  return ExpressionPrinter(graph, one, options, false).printed(one).expressions.front();
}

}  // namespace daelab
