// Expressions as source code of other languages: one assignment after the other, shared parts once.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/expressions/graph.hpp"

namespace daelab {

enum class Language { c, casadi, fortran, julia, matlab, python };
std::vector<std::string> names_of(Language);
/// Python's rules of names, indices and layout.
constexpr bool is_python(Language language) { return language == Language::python || language == Language::casadi; }

/// An entry that is not zero by structure: of output number `output`, at a row and column counted from 0.
struct CodeEntry {
  int output = 0, row = 0, column = 0;
  Expression value;
};

/// A function of some vectors (scalars have size 0) that fills some matrices (vectors have no columns). Names are those
/// of the code.
struct CodeFunction {
  struct Argument {
    std::string name;
    int block, size;
  };
  struct Result {
    std::string name;
    int rows, columns;
  };
  std::string name, comment;
  std::vector<Argument> arguments;
  std::vector<Result> results;
  std::vector<CodeEntry> entries;
};

/// Constants are rounded to double. Matrices are stored by rows in C, as the language has them elsewhere.
/// Throws InputError where an expression depends on an input that is no argument.
std::string code_of(const Graph& graph, const CodeFunction& function, Language language);

/// A number as a literal.
std::string literal(const Real100& value, Language language);

}  // namespace daelab
