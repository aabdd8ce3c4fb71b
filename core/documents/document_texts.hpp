// Texts of a problem file: their places, and their loops and sums expanded.
#pragma once

#include <string>
#include <vector>

#include "core/base/input_error.hpp"
#include "core/base/json.hpp"
#include "core/documents/indexed_text.hpp"

namespace daelab {

/// An expression as text; `where` is its JSON pointer, after the name of the file.
struct ExpressionText {
  std::string text, where;
};
struct NamedText {
  std::string name;
  ExpressionText value;
};

/// Throws InputError for a key, with those known and the nearest one; `what` says what keys are: "option".
[[noreturn]] void refuse_key(const std::string& key, const std::vector<std::string>& known, const std::string& where,
                             const char* what);
/// Throws InputError for the first member that is not known.
void check_keys(const Json& object, const std::vector<std::string>& known, const std::string& where,
                const char* what = "key");
void check_names(const std::vector<NamedText>& list, const std::vector<std::string>& known, const std::string& where,
                 const char* what);

/// Errors of `make` get a place.
template <class Make>
auto place_errors(const std::string& where, const Make& make) {
  try {
    return make();
  } catch (const InputError& error) {
    throw InputError(where, error.what());
  }
}

/// Reads texts from JSON and writes their loops out. All throw InputError with the place.
class DocumentTexts {
 public:
  using Bindings = IndexedTexts::Bindings;

  IndexedTexts indices;

  /// A text or a number.
  ExpressionText expression(const Json& json, const std::string& where, const Bindings& bindings = {}) const;
  /// A list of them, in which a loop makes several.
  std::vector<ExpressionText> list(const Json& json, const std::string& where, const Bindings& outer = {}) const;
  /// An object of them. Names may have loops, whose indices the values share.
  std::vector<NamedText> named(const Json& object, const std::string& where, const Bindings& outer = {}) const;

  std::vector<std::string> copies(const std::string& text, const std::string& where, const Bindings& outer = {}) const;
  IndexedTexts::Loops loops(const std::string& text, const std::string& where, const Bindings& outer = {}) const;
  std::string expanded(const std::string& text, const std::string& where, const Bindings& bindings = {}) const;
};

}  // namespace daelab
