// Labels of runs: what tells them apart (distinguishing_labels and complete_labels of config.hpp).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/json.hpp"
#include "results/artifacts.hpp"

namespace daelab {

/// A label, and what it says part by part: the label of the entry and the members of the specification that tell runs
/// apart, as {"method", "gauss, s = 2"}.
struct Labelled {
  std::string label;
  std::vector<Factor> factors;
};

/// The specification of a method or problem for a sentence, without options at their defaults: "radau-iia (s = 3)".
std::string method_words(const Json& spec);
std::string problem_words(const Json& spec);

/// The component that a specification has under this key, "method" or another, without the options that have their
/// defaults and that nobody set: those in `given`, which is text or an object as parse_spec reads it, stay.
Json chosen_component(const std::string& key, Json spec, const Json& given = {});

/// Adds the component that a curve shows to what it says.
void add_component(Series& curve, const std::string& component);

/// Gives one specification of many, which need not all be there at once. Thread-safe.
using SpecOf = std::function<std::shared_ptr<const Json>(std::size_t i)>;
/// Those of a list, which must live on.
SpecOf spec_of(const std::vector<Json>& specs);

/// complete_labels() with their factors.
std::vector<Labelled> label_and_factors(const std::vector<std::string>& given, const SpecOf& spec_of);

}  // namespace daelab
