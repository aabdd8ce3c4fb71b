#include "lab/runs/labels.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "core/base/in_parallel.hpp"
#include "core/base/options.hpp"
#include "core/base/registry.hpp"
#include "core/equations/formulation.hpp"
#include "core/integration/method.hpp"
#include "core/mechanism/problem.hpp"
#include "core/solvers/multiplier_solver.hpp"
#include "lab/runs/config.hpp"
#include "lab/runs/leaf_differences.hpp"
#include "lab/runs/steps.hpp"
#include "results/record_values.hpp"

namespace daelab {
namespace {

// What somebody chose: options at their defaults say nothing, unless they are `given`.
Json chosen_from(const ComponentRegistry& registry, Json spec, const Json& given = {}) {
  const RegistryEntry* entry = registry.look_up(spec.value("name", ""));
  if (entry == nullptr) return short_spec(spec);
  const Json options = entry->options();
  for (const auto& [name, option] : options.items())
    if (spec.contains(name) && spec[name] == option["default"] && !given.contains(name)) spec.erase(name);
  return spec;
}

template <class Kind>
Json chosen(Json spec) {
  return chosen_from(Registry<Kind>::instance(), std::move(spec));
}

std::string words(const Json& spec) {
  std::vector<std::string> options;
  for (const auto& [key, value] : spec.items())
    if (key != "name")
      options.push_back(fmt::format("{} = {}", key, value.is_string() ? value.get<std::string>() : value.dump()));
  const std::string name = spec.value("name", "");
  return options.empty() ? name : fmt::format("{} ({})", name, fmt::join(options, ", "));
}

std::string label_part(const std::string& pointer, const std::string& value) {
  const std::string key = pointer.substr(pointer.rfind('/') + 1);
  if (pointer == "/scalar") return words_for(enumerator<Scalar>(value));
  for (const char* self_explaining : {"name", "formulation", "nodes", "start", "sign", "steps"})
    if (key == self_explaining) return value;
  for (const char* tolerance : {"rtol", "atol", "atol_velocity"})
    if (key == tolerance) return fmt::format("{} = {}", key, tolerance_text(value));
  if (pointer.starts_with("/atol_components/")) return fmt::format("atol of {} = {}", key, tolerance_text(value));
  for (const char* weights : {"/start/weights_q/", "/start/weights_v/", "/start/weights_y/"})
    if (pointer.starts_with(weights)) return fmt::format("weight of {} = {}", key, value);
  for (const char* values : {"/start/q/", "/start/v/", "/start/y/", "/start/a/"})
    if (pointer.starts_with(values)) return fmt::format("{}(0) = {}", key, value);
  return key + " = " + value;
}

// What no label names: how a run is carried out, and the entries of matrices: a tableau has a name, and so has whoever
// writes a system out.
bool nameless(const std::string& pointer) {
  for (const char* part : {"/newton", "/trajectory", "/history", "/samples", "/invariants", "/observables", "/method/A",
                           "/method/b", "/method/c/", "/method/order", "/method/source", "/method/summary",
                           "/problem/A/", "/problem/A0/", "/problem/b/", "/problem/b0/"})
    if (pointer.starts_with(part)) return true;
  return false;
}

// Some of many specifications.
struct Specs {
  const SpecOf& spec_of;
  const std::vector<std::size_t>& places;

  std::size_t size() const { return places.size(); }
  std::shared_ptr<const Json> operator[](std::size_t i) const { return spec_of(places[i]); }
};

// The members that are not the same in all of them.
std::set<std::string> varied_members(const Specs& specs) {
  const std::shared_ptr<const Json> first = specs[0];
  std::set<std::string> varied;
  for (std::size_t i = 1; i < specs.size(); ++i) {
    const std::shared_ptr<const Json> spec = specs[i];
    for (const auto& [key, value] : spec->items()) {
      if (varied.contains(key)) continue;
      const Json* const other = first->find(key);
      if (other == nullptr || !same_text(*other, value)) varied.insert(key);
    }
    for (const auto& [key, value] : first->items())
      if (!spec->contains(key)) varied.insert(key);
  }
  return varied;
}

// "1, 2, 1/2"
std::string joined(const Json& list) {
  return fmt::format("{}", fmt::join(list.get<std::vector<std::string>>(), ", "));
}

// Pointer and value of everything in these members, in their order.
std::vector<std::pair<std::string, Json>> leaves_of(const Json& spec, const std::set<std::string>& members) {
  std::vector<std::pair<std::string, Json>> leaves;
  for (const auto& [key, value] : spec.items()) {
    if (!members.contains(key)) continue;
    if (key == "step_pattern") {
      leaves.emplace_back("/" + key, joined(value));
      continue;
    }
    if (!value.is_object() && !value.is_array()) {
      leaves.emplace_back((Json::json_pointer() / key).to_string(), value);
      continue;
    }
    Json part = Json::object();
    part[key] = value;
    const Json flat = part.flatten();
    leaves.insert(leaves.end(), flat.items().begin(), flat.items().end());
  }
  return leaves;
}

std::string label_part(const std::string& pointer, const Json& value) {
  return label_part(pointer, value.is_string() ? value.get<std::string>() : value.dump());
}

// Label of a run that is alone in its set: its method, its problem, or what its kind has instead.
std::string whole_label(const Json& spec) {
  for (const char* part : {"method", "problem"})
    if (spec.contains(part)) return spec_text(spec[part]);
  std::vector<std::string> parts;
  const Json flat = spec.flatten();
  for (const auto& [pointer, value] : flat.items()) parts.push_back(label_part(pointer, value));
  return fmt::format("{}", fmt::join(parts, ", "));
}

// Everything in specifications that is not the same in all of them: pointers in the order in which they are met, and
// for each specification its value at each pointer, nothing where it has none.
struct VariedLeaves {
  std::vector<std::string> pointers;
  std::vector<std::vector<std::optional<Json>>> of;
};

std::vector<std::string> varied_pointers(const Specs& specs, const std::set<std::string>& members) {
  struct Leaf {
    std::string first;
    std::size_t count = 0;
    bool varies = false;
  };
  std::unordered_map<std::string, Leaf> leaves;
  std::vector<std::string> order;
  for (std::size_t i = 0; i < specs.size(); ++i)
    for (const auto& [pointer, value] : leaves_of(*specs[i], members)) {
      Leaf& leaf = leaves[pointer];
      const std::string text = leaf.varies ? "" : value.dump();
      if (leaf.count++ == 0)
        leaf.first = text, order.push_back(pointer);
      else if (!leaf.varies)
        leaf.varies = text != leaf.first;
    }
  std::erase_if(order, [&](const std::string& pointer) {
    const Leaf& leaf = leaves[pointer];
    return nameless(pointer) || (!leaf.varies && leaf.count == specs.size());
  });
  return order;
}

VariedLeaves varied_leaves(const Specs& specs) {
  const std::set<std::string> members = varied_members(specs);
  VariedLeaves leaves{varied_pointers(specs, members), std::vector<std::vector<std::optional<Json>>>(specs.size())};
  in_parallel(specs.size(), [&](std::size_t i) {
    leaves.of[i].resize(leaves.pointers.size());
    for (auto& [pointer, value] : leaves_of(*specs[i], members))
      if (const auto place = std::ranges::find(leaves.pointers, pointer); place != leaves.pointers.end())
        leaves.of[i][static_cast<std::size_t>(place - leaves.pointers.begin())] = std::move(value);
  });
  return leaves;
}

// A part of a label, and the member of the specification that it is of.
struct LabelPart {
  std::string member, text;
};

// "method" of "/method/r"
std::string member_of(const std::string& pointer) { return pointer.substr(1, pointer.find('/', 1) - 1); }

// What tells each of these specifications apart from the others, part by part; empty where it is alone.
std::vector<std::vector<LabelPart>> distinguishing_parts(const Specs& specs) {
  std::vector<std::vector<LabelPart>> parts(specs.size());
  if (specs.size() < 2) return parts;
  const VariedLeaves leaves = varied_leaves(specs);
  std::vector<std::string> labels(specs.size());
  for (std::size_t p = 0; p < leaves.pointers.size(); ++p) {
    std::unordered_map<std::string, std::string> first_value;  // per label so far
    bool tells_apart = false;
    for (std::size_t i = 0; i < specs.size() && !tells_apart; ++i) {
      const std::optional<Json>& found = leaves.of[i][p];
      const std::string value = found ? found->dump() : "";
      const auto [place, is_new] = first_value.try_emplace(labels[i], value);
      tells_apart = !is_new && place->second != value;
    }
    if (!tells_apart) continue;
    for (std::size_t i = 0; i < specs.size(); ++i) {
      const std::optional<Json>& found = leaves.of[i][p];
      if (!found || found->is_null()) continue;
      parts[i].push_back({member_of(leaves.pointers[p]), label_part(leaves.pointers[p], *found)});
      labels[i] += (labels[i].empty() ? "" : ", ") + parts[i].back().text;
    }
  }
  return parts;
}

Labelled labelled(const std::string& given, const std::vector<LabelPart>& parts) {
  Labelled result{given, {}};
  if (!given.empty()) result.factors.push_back({"label", given});
  for (const LabelPart& part : parts) {
    result.label += (result.label.empty() ? "" : ", ") + part.text;
    if (result.factors.empty() || result.factors.back().name != part.member)
      result.factors.push_back({part.member, part.text});
    else
      result.factors.back().value += ", " + part.text;
  }
  return result;
}

}  // namespace

SpecOf spec_of(const std::vector<Json>& specs) {
  return [&specs](std::size_t i) { return std::shared_ptr<const Json>(std::shared_ptr<void>(), &specs[i]); };
}

std::vector<Labelled> label_and_factors(const std::vector<std::string>& given, const SpecOf& spec_of) {
  std::map<std::string, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < given.size(); ++i) groups[given[i]].push_back(i);
  std::vector<Labelled> all(given.size());
  for (const auto& [label, members] : groups) {
    const Specs group{spec_of, members};
    const std::vector<std::vector<LabelPart>> parts = distinguishing_parts(group);
    for (std::size_t k = 0; k < members.size(); ++k) {
      Labelled& one = all[members[k]] = labelled(label, parts[k]);
      if (one.label.empty()) one.label = whole_label(*group[k]);
      // Equal specifications under one label are told apart by nothing else.
      if (parts[k].empty() && !label.empty() && members.size() > 1) one.label += ", " + whole_label(*group[k]);
    }
  }
  return all;
}

void add_component(Series& curve, const std::string& component) {
  curve.label += (curve.label.empty() ? "" : ", ") + component;
  curve.factors.push_back({"component", component});
}

std::vector<std::string> distinguishing_labels(const std::vector<Json>& specs) {
  return complete_labels(std::vector<std::string>(specs.size()), specs);
}

std::vector<std::string> complete_labels(const std::vector<std::string>& given, const std::vector<Json>& specs) {
  std::vector<std::string> labels;
  for (Labelled& one : label_and_factors(given, spec_of(specs))) labels.push_back(std::move(one.label));
  return labels;
}

std::string method_words(const Json& spec) { return words(chosen<Method>(spec)); }
std::string problem_words(const Json& spec) { return words(chosen<Problem>(spec)); }

Json chosen_component(const std::string& key, Json spec, const Json& given) {
  const std::map<std::string, const ComponentRegistry*> registries{
      {"problem", &Registry<Problem>::instance()},
      {"formulation", &Registry<Formulation>::instance()},
      {"method", &Registry<Method>::instance()},
      {"multiplier_solver", &Registry<MultiplierSolver>::instance()}};
  const auto found = registries.find(key);
  if (found == registries.end()) return spec;
  if (!spec.is_object()) spec = parse_spec(spec, "/" + key);
  return chosen_from(*found->second, std::move(spec), given.is_null() ? given : parse_spec(given, "/" + key));
}

}  // namespace daelab
