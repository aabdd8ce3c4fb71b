// Vectors, loops and sums in the texts of problem files.
//
//   x[i]          entry i of a vector, which the rest of the program knows as x3; x[i,j] as x3_2; x[i]' is a velocity
//   ... for i in 1..N [for j in 1..i] [if not (i == j)]       a list entry or a name for each i
//   sum(i in 1..N [if i < j], x[i]^2)                          a sum; product(...) likewise
//
// Bounds, indices and conditions are expressions of indices and of parameters that are whole numbers. Texts are
// expanded before they are parsed: an expression graph has neither vectors nor loops.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/base/exact.hpp"

namespace daelab {

class IndexedTexts {
 public:
  /// Values of indices.
  using Bindings = std::map<std::string, long>;

  /// Bounds and indices may use a parameter that is a whole number; others are passed over.
  void add_parameter(const std::string& name, const Exact& value);
  /// Entries are counted from 1 in each of one or two dimensions. Throws InputError for other counts.
  void add_vector(const std::string& name, const std::vector<long>& sizes);

  bool is_vector(const std::string& name) const { return sizes_.contains(name); }
  /// "x1", "x2", ...; of two dimensions "x1_1", "x1_2", ...
  std::vector<std::string> entries(const std::string& vector) const;

  /// A text and what its "for" clauses say: one set of bindings for each of its copies.
  struct Loops {
    std::string text;
    std::vector<Bindings> bindings;
  };
  /// Without clauses there is one copy, with the outer bindings alone. Throws InputError for clauses that cannot be
  /// read and for more copies than the limit `terms`.
  Loops loops(const std::string& text, const Bindings& outer = {}) const;

  /// The text with numbers for indices, names for entries and sums expanded. Throws InputError for unknown vectors,
  /// entries out of range and sums that cannot be read.
  std::string expanded(const std::string& text, const Bindings& bindings = {}) const;

  /// An expression of indices and parameters that must be a whole number; throws InputError for any other.
  long integer(const std::string& text, const Bindings& bindings = {}) const;

 private:
  class Expansion;
  struct Range;
  Range range(const std::string& header, const Bindings& bindings) const;
  bool holds(const std::string& condition, const Bindings& bindings) const;
  std::string entry(const std::string& vector, const std::string& indices, const Bindings& bindings) const;

  std::map<std::string, long> parameters_;
  std::map<std::string, std::vector<long>> sizes_;
};

}  // namespace daelab
