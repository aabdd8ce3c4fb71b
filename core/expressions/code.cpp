#include "core/expressions/code.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "core/base/input_error.hpp"
#include "core/base/scalar.hpp"

namespace daelab {
namespace {

// What languages say differently. {0}, {1}, {2} are the operands, in parentheses where they need them.
struct Syntax {
  std::string_view power, absolute, sign, floor, minimum, maximum, atan2, less, less_equal, equal, select;
  std::string_view assign;  // of a local value: {0} its name, {1} the expression
  std::string_view store;   // of a result: {0} place, {1} expression
};

constexpr Syntax syntax_of(Language language) {
  switch (language) {
    case Language::c:
      return {"pow({0}, {1})",           "fabs({0})",
              "(({0} > 0) - ({0} < 0))", "floor({0})",
              "fmin({0}, {1})",          "fmax({0}, {1})",
              "atan2({0}, {1})",         "(double)({0} < {1})",
              "(double)({0} <= {1})",    "(double)({0} == {1})",
              "({0} != 0 ? {1} : {2})",  "  const double {0} = {1};\n",
              "  {0} = {1};\n"};
    case Language::fortran:
      return {"{0}**{1}",
              "abs({0})",
              "merge(sign(1d0, {0}), 0d0, {0} /= 0d0)",
              "real(floor({0}), kind(1d0))",
              "min({0}, {1})",
              "max({0}, {1})",
              "atan2({0}, {1})",
              "merge(1d0, 0d0, {0} < {1})",
              "merge(1d0, 0d0, {0} <= {1})",
              "merge(1d0, 0d0, {0} == {1})",
              "merge({1}, {2}, {0} /= 0d0)",
              "    {0} = {1}\n",
              "    {0} = {1}\n"};
    case Language::julia:
      return {"{0}^{1}",
              "abs({0})",
              "sign({0})",
              "floor({0})",
              "min({0}, {1})",
              "max({0}, {1})",
              "atan({0}, {1})",
              "Float64({0} < {1})",
              "Float64({0} <= {1})",
              "Float64({0} == {1})",
              "ifelse({0} != 0, {1}, {2})",
              "    {0} = {1}\n",
              "    {0} = {1}\n"};
    case Language::matlab:
      return {"{0}^{1}",
              "abs({0})",
              "sign({0})",
              "floor({0})",
              "min({0}, {1})",
              "max({0}, {1})",
              "atan2({0}, {1})",
              "double({0} < {1})",
              "double({0} <= {1})",
              "double({0} == {1})",
              "select({0}, {1}, {2})",
              "  {0} = {1};\n",
              "  {0} = {1};\n"};
    case Language::python:
      return {"{0}**{1}",
              "abs({0})",
              "np.sign({0})",
              "floor({0})",
              "min({0}, {1})",
              "max({0}, {1})",
              "atan2({0}, {1})",
              "float({0} < {1})",
              "float({0} <= {1})",
              "float({0} == {1})",
              "({1} if {0} != 0 else {2})",
              "    {0} = {1}\n",
              "    {0} = {1}\n"};
  }
  return {};
}

// The functions that have one name everywhere; "" for other operations.
std::string_view function_name(Operation operation) {
  switch (operation) {
    case Operation::sqrt:
      return "sqrt";
    case Operation::exp:
      return "exp";
    case Operation::log:
      return "log";
    case Operation::sin:
      return "sin";
    case Operation::cos:
      return "cos";
    case Operation::tan:
      return "tan";
    case Operation::asin:
      return "asin";
    case Operation::acos:
      return "acos";
    case Operation::atan:
      return "atan";
    case Operation::sinh:
      return "sinh";
    case Operation::cosh:
      return "cosh";
    case Operation::tanh:
      return "tanh";
    default:
      return "";
  }
}

// How tightly a text holds together, for the parentheses it needs as an operand.
enum class Tightness { sum, product, atom };

class Writer {
 public:
  Writer(const Graph& graph, const CodeFunction& function, Language language)
      : graph_(graph), function_(function), language_(language), syntax_(syntax_of(language)) {
    Expressions values;
    for (const CodeEntry& entry : function.entries) values.push_back(entry.value);
    nodes_ = dependencies(graph, values);
    for (const Node node : nodes_) {
      const auto all = operands(graph[node]);
      for (int k = 0; k < operand_count(graph[node].operation); ++k) ++uses_[all[static_cast<std::size_t>(k)]];
    }
    for (const CodeEntry& entry : function.entries) ++uses_[entry.value.node()];
  }

  std::string write() {
    for (const Node node : nodes_) write_node(node);
    std::string results;
    for (const CodeEntry& entry : function_.entries)
      results += wrapped(fmt::format(fmt::runtime(syntax_.store), place_of(entry), texts_.at(entry.value.node()).text));
    return opening() + body_ + results + closing();
  }

 private:
  struct Text {
    std::string text;
    Tightness tightness = Tightness::atom;
  };

  void write_node(Node node) {
    Text text = text_of(node);
    const bool leaf = graph_.is_constant(node) || graph_[node].operation == Operation::input;
    constexpr std::size_t long_text = 60;
    if (!leaf && (uses_[node] > 1 || text.text.size() > long_text)) {
      const std::string name = fmt::format("e{}", ++locals_);
      body_ += wrapped(fmt::format(fmt::runtime(syntax_.assign), name, text.text));
      text = {name};
    }
    texts_[node] = std::move(text);
  }

  Text text_of(Node node) const {
    const NodeContents& x = graph_[node];
    if (graph_.is_constant(node)) return {literal(graph_.constant_value(node), language_)};
    if (x.operation == Operation::input) return {input_text(graph_.input_of(node))};
    const auto operand = [&](Node n, Tightness least) {
      const Text& text = texts_.at(n);
      return text.tightness < least ? "(" + text.text + ")" : text.text;
    };
    const auto filled = [&](std::string_view form) {
      const int count = operand_count(x.operation);
      return fmt::format(fmt::runtime(form), operand(x.a, Tightness::atom),
                         count > 1 ? operand(x.b, Tightness::atom) : "",
                         count > 2 ? operand(x.c, Tightness::atom) : "");
    };
    if (const std::string_view name = function_name(x.operation); !name.empty())
      return {fmt::format("{}({})", name, texts_.at(x.a).text)};
    switch (x.operation) {
      case Operation::add:
        return {operand(x.a, Tightness::sum) + " + " + operand(x.b, Tightness::product), Tightness::sum};
      case Operation::subtract:
        return {operand(x.a, Tightness::sum) + " - " + operand(x.b, Tightness::product), Tightness::sum};
      case Operation::multiply:
        return {operand(x.a, Tightness::product) + "*" + operand(x.b, Tightness::atom), Tightness::product};
      case Operation::divide:
        return {operand(x.a, Tightness::product) + "/" + operand(x.b, Tightness::atom), Tightness::product};
      case Operation::negate:
        return {"(-" + operand(x.a, Tightness::atom) + ")"};
      case Operation::power:
        return {"(" + filled(syntax_.power) + ")"};
      case Operation::atan2:
        return {filled(syntax_.atan2)};
      case Operation::abs:
        return {filled(syntax_.absolute)};
      case Operation::sign:
        return {filled(syntax_.sign)};
      case Operation::floor:
        return {filled(syntax_.floor)};
      case Operation::min:
        return {filled(syntax_.minimum)};
      case Operation::max:
        return {filled(syntax_.maximum)};
      case Operation::less:
        return {filled(syntax_.less)};
      case Operation::less_equal:
        return {filled(syntax_.less_equal)};
      case Operation::equal:
        return {filled(syntax_.equal)};
      case Operation::select:
        return {filled(syntax_.select)};
      default:
        throw std::logic_error("code_of: an operation without a text");
    }
  }

  int first_index() const { return language_ == Language::c || language_ == Language::python ? 0 : 1; }
  bool has_brackets() const { return language_ != Language::fortran && language_ != Language::matlab; }
  std::string indexed(const std::string& name, const std::string& index) const {
    return has_brackets() ? fmt::format("{}[{}]", name, index) : fmt::format("{}({})", name, index);
  }

  std::string input_text(const Input& input) const {
    for (const CodeFunction::Argument& argument : function_.arguments)
      if (argument.block == input.block)
        return argument.size == 0 ? argument.name : indexed(argument.name, std::to_string(input.index + first_index()));
    throw InputError(fmt::format("{} depends on {}, which it is not given", function_.name, input.name));
  }

  std::string place_of(const CodeEntry& entry) const {
    const CodeFunction::Result& result = function_.results[static_cast<std::size_t>(entry.output)];
    const int row = entry.row + first_index(), column = entry.column + first_index();
    if (result.columns == 0) return indexed(result.name, std::to_string(row));
    if (language_ == Language::c) return fmt::format("{}[{}]", result.name, entry.row * result.columns + entry.column);
    return indexed(result.name, fmt::format("{}, {}", row, column));
  }

  // Fortran's lines are short.
  std::string wrapped(const std::string& line) const {
    constexpr std::size_t most = 120;
    if (language_ != Language::fortran || line.size() <= most) return line;
    std::string all, rest = line;
    while (rest.size() > most) {
      const std::size_t cut = rest.find_last_of(" ", most);
      const std::size_t at = cut == std::string::npos || cut < 12 ? rest.find_last_of("*+,", most) + 1 : cut + 1;
      all += rest.substr(0, at) + "&\n      ";
      rest = rest.substr(at);
    }
    return all + rest;
  }

  std::vector<std::string> argument_names() const {
    std::vector<std::string> names;
    for (const auto& argument : function_.arguments) names.push_back(argument.name);
    return names;
  }
  std::vector<std::string> result_names() const {
    std::vector<std::string> names;
    for (const auto& result : function_.results) names.push_back(result.name);
    return names;
  }

  std::string opening() const;
  std::string closing() const;
  std::string c_opening() const;
  std::string fortran_opening() const;

  const Graph& graph_;
  const CodeFunction& function_;
  Language language_;
  Syntax syntax_;
  std::vector<Node> nodes_;
  std::map<Node, int> uses_;
  std::map<Node, Text> texts_;
  std::string body_;
  int locals_ = 0;
};

std::string Writer::c_opening() const {
  std::vector<std::string> parameters;
  for (const auto& argument : function_.arguments)
    parameters.push_back((argument.size == 0 ? "double " : "const double *") + argument.name);
  for (const auto& result : function_.results) parameters.push_back("double *" + result.name);
  std::string text =
      fmt::format("/* {} */\nvoid {}({}) {{\n", function_.comment, function_.name, fmt::join(parameters, ", "));
  for (const auto& argument : function_.arguments) text += fmt::format("  (void){};\n", argument.name);
  for (const auto& result : function_.results)
    text += fmt::format("  for (int i = 0; i < {}; ++i) {}[i] = 0;\n", result.rows * std::max(1, result.columns),
                        result.name);
  return text;
}

std::string Writer::fortran_opening() const {
  std::vector<std::string> names = argument_names();
  for (const std::string& name : result_names()) names.push_back(name);
  std::string text =
      fmt::format("  ! {}\n  subroutine {}({})\n", function_.comment, function_.name, fmt::join(names, ", "));
  for (const auto& argument : function_.arguments)
    text += argument.size == 0
                ? fmt::format("    double precision, intent(in) :: {}\n", argument.name)
                : fmt::format("    double precision, intent(in) :: {}({})\n", argument.name, argument.size);
  for (const auto& result : function_.results)
    text += result.columns == 0 ? fmt::format("    double precision, intent(out) :: {}({})\n", result.name, result.rows)
                                : fmt::format("    double precision, intent(out) :: {}({}, {})\n", result.name,
                                              result.rows, result.columns);
  for (int i = 1; i <= locals_; ++i) text += fmt::format("    double precision :: e{}\n", i);
  for (const auto& result : function_.results) text += fmt::format("    {} = 0d0\n", result.name);
  return text;
}

std::string Writer::opening() const {
  const auto shape = [](const CodeFunction::Result& result, std::string_view vector, std::string_view matrix) {
    return result.columns == 0 ? fmt::format(fmt::runtime(vector), result.rows)
                               : fmt::format(fmt::runtime(matrix), result.rows, result.columns);
  };
  const std::string arguments = fmt::format("{}", fmt::join(argument_names(), ", "));
  std::string text;
  switch (language_) {
    case Language::c:
      return c_opening();
    case Language::fortran:
      return fortran_opening();
    case Language::julia:
      text = fmt::format("# {}\nfunction {}({})\n", function_.comment, function_.name, arguments);
      for (const auto& result : function_.results)
        text += fmt::format("    {} = zeros({})\n", result.name, shape(result, "{}", "{}, {}"));
      return text;
    case Language::matlab:
      text = fmt::format("% {}\nfunction [{}] = {}({})\n", function_.comment, fmt::join(result_names(), ", "),
                         function_.name, arguments);
      for (const auto& result : function_.results)
        text += fmt::format("  {} = zeros({});\n", result.name, shape(result, "{}, 1", "{}, {}"));
      return text;
    case Language::python:
      text = fmt::format("def {}({}):\n    \"\"\"{}\"\"\"\n", function_.name, arguments, function_.comment);
      for (const auto& result : function_.results)
        text += fmt::format("    {} = np.zeros({})\n", result.name, shape(result, "{}", "({}, {})"));
      return text;
  }
  return text;
}

std::string Writer::closing() const {
  switch (language_) {
    case Language::c:
      return "}\n\n";
    case Language::fortran:
      return fmt::format("  end subroutine {}\n\n", function_.name);
    case Language::julia:
      return fmt::format("    return {}\nend\n\n", fmt::join(result_names(), ", "));
    case Language::matlab:
      return "end\n\n";
    case Language::python:
      return fmt::format("    return {}\n\n\n", fmt::join(result_names(), ", "));
  }
  return "";
}

}  // namespace

std::vector<std::string> names_of(Language) { return {"c", "fortran", "julia", "matlab", "python"}; }

std::string literal(const Real100& value, Language language) {
  std::string text = to_text(static_cast<double>(value));
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  if (language == Language::fortran) {
    const std::size_t exponent = text.find('e');
    text = exponent == std::string::npos ? text + "d0" : text.replace(exponent, 1, "d");
  }
  return text.front() == '-' ? "(" + text + ")" : text;
}

std::string code_of(const Graph& graph, const CodeFunction& function, Language language) {
  return Writer(graph, function, language).write();
}

}  // namespace daelab
