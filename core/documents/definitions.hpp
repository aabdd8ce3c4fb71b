// Named texts that use each other, in any order: each is read after all it needs.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/documents/problem_document.hpp"
#include "core/expressions/parse.hpp"

namespace daelab {

/// Throws InputError, or NoValue, with the place of the text.
Expression parsed(const ExpressionText& text, const Names& names);

class Definitions {
 public:
  void add(const NamedText& text) { texts_.emplace(text.name, text.value); }

  /// Adds this name, and what it needs, to `names`. Throws InputError that names a cycle.
  void read(const std::string& wanted, Names& names) const;
  /// Whether the text of one name needs another, through others, too.
  bool needs(const std::string& name, const std::string& other) const;

 private:
  struct Open {
    std::string name;
    std::vector<std::string> needs;
    std::size_t next = 0;
  };
  void open(const std::string& name, const Names& names, std::vector<Open>& way, std::set<std::string>& on_way) const;

  std::map<std::string, ExpressionText> texts_;
};

}  // namespace daelab
