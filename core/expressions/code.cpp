#include "core/expressions/code.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>

#include "core/base/input_error.hpp"
#include "core/base/scalar.hpp"
#include "core/expressions/text.hpp"

namespace daelab {
namespace {

// An operation in a language: {0}, {1}, {2} are its operands, in parentheses where they need them.
struct Form {
  Operation operation;
  std::string_view text;
};

// What a language says in its own way; other functions are called by their names in text.
struct Syntax {
  std::vector<Form> forms;
  std::string_view assign;  // of a local value: {0} its name, {1} the expression
  std::string_view store;   // of a result: {0} place, {1} expression
};

Syntax syntax_of(Language language) {
  constexpr std::string_view assignment = "    {0} = {1}\n", statement = "  {0} = {1};\n";
  switch (language) {
    case Language::c:
      return {{{Operation::power, "(pow({0}, {1}))"},
               {Operation::abs, "fabs({0})"},
               {Operation::sign, "(({0} > 0) - ({0} < 0))"},
               {Operation::min, "fmin({0}, {1})"},
               {Operation::max, "fmax({0}, {1})"},
               {Operation::less, "(double)({0} < {1})"},
               {Operation::less_equal, "(double)({0} <= {1})"},
               {Operation::equal, "(double)({0} == {1})"},
               {Operation::select, "({0} != 0 ? {1} : {2})"}},
              "  const double {0} = {1};\n",
              statement};
    case Language::casadi:
      return {{{Operation::power, "({0}**{1})"},
               {Operation::abs, "fabs({0})"},
               {Operation::min, "fmin({0}, {1})"},
               {Operation::max, "fmax({0}, {1})"},
               {Operation::less, "({0} < {1})"},
               {Operation::less_equal, "({0} <= {1})"},
               {Operation::equal, "({0} == {1})"},
               {Operation::select, "if_else({0}, {1}, {2})"}},
              assignment,
              assignment};
    case Language::fortran:
      return {{{Operation::power, "({0}**{1})"},
               {Operation::sign, "merge(sign(1d0, {0}), 0d0, {0} /= 0d0)"},
               {Operation::floor, "real(floor({0}), kind(1d0))"},
               {Operation::less, "merge(1d0, 0d0, {0} < {1})"},
               {Operation::less_equal, "merge(1d0, 0d0, {0} <= {1})"},
               {Operation::equal, "merge(1d0, 0d0, {0} == {1})"},
               {Operation::select, "merge({1}, {2}, {0} /= 0d0)"}},
              assignment,
              assignment};
    case Language::julia:
      return {{{Operation::power, "({0}^{1})"},
               {Operation::atan2, "atan({0}, {1})"},
               {Operation::less, "Float64({0} < {1})"},
               {Operation::less_equal, "Float64({0} <= {1})"},
               {Operation::equal, "Float64({0} == {1})"},
               {Operation::select, "ifelse({0} != 0, {1}, {2})"}},
              assignment,
              assignment};
    case Language::matlab:
      return {{{Operation::power, "({0}^{1})"},
               {Operation::less, "double({0} < {1})"},
               {Operation::less_equal, "double({0} <= {1})"},
               {Operation::equal, "double({0} == {1})"},
               {Operation::select, "select({0}, {1}, {2})"}},
              statement,
              statement};
    case Language::python:
      return {{{Operation::power, "({0}**{1})"},
               {Operation::sign, "np.sign({0})"},
               {Operation::less, "float({0} < {1})"},
               {Operation::less_equal, "float({0} <= {1})"},
               {Operation::equal, "float({0} == {1})"},
               {Operation::select, "({1} if {0} != 0 else {2})"}},
              assignment,
              assignment};
  }
  return {};
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

  // The text of a node as an operand, which must hold together no less than `least`.
  std::string operand(Node node, Tightness least) const {
    const Text& text = texts_.at(node);
    return text.tightness < least ? "(" + text.text + ")" : text.text;
  }

  Text text_of(Node node) const {
    const NodeContents& x = graph_[node];
    switch (x.operation) {
      case Operation::constant:
        return {literal(graph_.constant_value(node), language_)};
      case Operation::input:
        return {input_text(graph_.input_of(node))};
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
      default:
        return {call_text(x)};
    }
  }

  std::string call_text(const NodeContents& x) const {
    const auto all = operands(x);
    std::array<std::string, 3> texts;
    for (std::size_t k = 0; k < static_cast<std::size_t>(operand_count(x.operation)); ++k)
      texts[k] = operand(all[k], Tightness::atom);
    if (const auto form = std::ranges::find(syntax_.forms, x.operation, &Form::operation); form != syntax_.forms.end())
      return fmt::format(fmt::runtime(form->text), texts[0], texts[1], texts[2]);
    const std::string name = function_name(x.operation);
    if (name.empty()) throw std::logic_error("code_of: an operation without a text");
    return texts[1].empty() ? fmt::format("{}({})", name, texts_.at(x.a).text)
                            : fmt::format("{}({}, {})", name, texts[0], texts[1]);
  }

  int first_index() const { return is_python(language_) || language_ == Language::c ? 0 : 1; }
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

  static std::vector<std::string> names_in(const auto& list) {
    std::vector<std::string> names;
    for (const auto& one : list) names.push_back(one.name);
    return names;
  }
  std::vector<std::string> argument_names() const { return names_in(function_.arguments); }
  std::vector<std::string> result_names() const { return names_in(function_.results); }

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
    case Language::casadi:
    case Language::python:
      text = fmt::format("def {}({}):\n    \"\"\"{}\"\"\"\n", function_.name, arguments, function_.comment);
      for (const auto& result : function_.results)
        text += fmt::format("    {} = {}\n", result.name,
                            language_ == Language::casadi ? shape(result, "SX({}, 1)", "SX({}, {})")
                                                          : shape(result, "np.zeros({})", "np.zeros(({}, {}))"));
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
    case Language::casadi:
    case Language::python:
      return fmt::format("    return {}\n\n\n", fmt::join(result_names(), ", "));
  }
  return "";
}

}  // namespace

std::vector<std::string> names_of(Language) { return {"c", "casadi", "fortran", "julia", "matlab", "python"}; }

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
