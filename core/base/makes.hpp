// Components that a component makes though none of its options names them, stated by the only way there is to make
// them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/base/registry.hpp"

namespace daelab {

/// The text of a specification, "extrapolation" or "runge-kutta:tableau=heun", as an argument of templates.
template <std::size_t size>
struct SpecText {
  char text[size];
  consteval SpecText(const char (&given)[size]) { std::copy_n(given, size, text); }  // NOLINT: texts convert on purpose
};

/// The texts of a specification that may name something: of "runge-kutta:tableau=heun" both.
std::vector<std::string> names_in_spec(const char* spec);
/// Options of the text, then those beside it.
Json spec_with(const char* spec, const Json& options);

/// Base of a definition that makes these components of a kind. The registry takes makes() from it, so that keys of runs
/// hold the sources of what is made; one that is not among `specs` cannot be made.
template <class Kind, SpecText... specs>
class Makes {
 public:
  static std::vector<std::string> makes() {
    std::vector<std::string> names;
    for (const char* spec : {specs.text...})
      for (std::string& name : names_in_spec(spec)) names.push_back(std::move(name));
    return names;
  }

 protected:
  /// With further options, which the definition has its own for. Throws InputError under `where`.
  template <SpecText spec>
  static std::shared_ptr<Kind> make(const Json& options, const std::string& where) {
    static_assert((std::is_same_v<Text<spec>, Text<specs>> || ...), "what is made is an argument of Makes");
    return Registry<Kind>::instance().make(spec_with(spec.text, options), where);
  }
  /// The one that all share, made when the first one asks for it.
  template <SpecText spec>
  static const Kind& shared() {
    static const std::shared_ptr<Kind> component = make<spec>(Json::object(), "");
    return *component;
  }

 private:
  template <SpecText spec>
  struct Text {};
};

}  // namespace daelab
