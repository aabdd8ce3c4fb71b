#include "experiments/runs/labels.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "core/base/options.hpp"
#include "core/base/registry.hpp"
#include "core/integration/method.hpp"
#include "core/model/problem.hpp"
#include "experiments/runs/config.hpp"
#include "experiments/runs/steps.hpp"
#include "results/record_values.hpp"

namespace daelab {
namespace {

// What somebody chose: options at their defaults say nothing.
template <class Kind>
Json chosen(Json spec) {
  const RegistryEntry* entry = Registry<Kind>::instance().look_up(spec.value("name", ""));
  if (entry == nullptr) return spec;
  const Json options = entry->options();
  for (const auto& [name, option] : options.items())
    if (spec.contains(name) && spec[name] == option["default"]) spec.erase(name);
  return spec;
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
  for (const char* weights : {"/start/weights_q/", "/start/weights_v/"})
    if (pointer.starts_with(weights)) return fmt::format("weight of {} = {}", key, value);
  for (const char* values : {"/start/q/", "/start/v/", "/start/y/"})
    if (pointer.starts_with(values)) return fmt::format("{}(0) = {}", key, value);
  return key + " = " + value;
}

// What no label names: how a run is carried out, and the entries of matrices: a tableau has a name, and so has whoever
// writes a system out.
bool nameless(const std::string& pointer) {
  for (const char* part :
       {"/newton", "/trajectory", "/history", "/samples", "/method/A", "/method/b", "/method/c/", "/method/order",
        "/method/source", "/method/summary", "/problem/A/", "/problem/A0/", "/problem/b/", "/problem/b0/"})
    if (pointer.starts_with(part)) return true;
  return false;
}

// Among a list of specifications, their members that are not the same in all of them.
std::set<std::string> varied_members(const std::vector<const Json*>& specs) {
  std::map<std::string, std::string> first;
  for (const auto& [key, value] : specs.front()->items()) first[key] = value.dump();
  std::set<std::string> varied;
  for (const Json* spec : specs) {
    for (const auto& [key, value] : spec->items()) {
      if (varied.contains(key)) continue;
      const auto other = first.find(key);
      if (other == first.end() || other->second != value.dump()) varied.insert(key);
    }
    for (const auto& [key, value] : first)
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

// A part of a label, and where in the specification it is.
struct LabelPart {
  std::string pointer, text;
};

// What tells each of these specifications apart from the others, part by part; empty where it is alone.
std::vector<std::vector<LabelPart>> distinguishing_parts(const std::vector<const Json*>& specs) {
  if (specs.empty()) return {};
  const std::set<std::string> varied = varied_members(specs);
  std::vector<std::vector<std::pair<std::string, Json>>> flat;  // of what varies, by pointer
  std::vector<std::string> pointers;
  std::set<std::string> known;
  for (const Json* spec : specs) {
    flat.push_back(leaves_of(*spec, varied));
    for (const auto& [pointer, value] : flat.back())
      if (known.insert(pointer).second) pointers.push_back(pointer);
  }
  const auto leaf = [&](std::size_t i, const std::string& pointer) -> const Json* {
    const auto found = std::ranges::find(flat[i], pointer, &std::pair<std::string, Json>::first);
    return found == flat[i].end() ? nullptr : &found->second;
  };
  std::vector<std::string> labels(specs.size());
  std::vector<std::vector<LabelPart>> parts(specs.size());
  for (const std::string& pointer : pointers) {
    if (nameless(pointer)) continue;
    std::unordered_map<std::string, std::string> first_value;  // per label so far
    bool tells_apart = false;
    for (std::size_t i = 0; i < specs.size() && !tells_apart; ++i) {
      const Json* const found = leaf(i, pointer);
      const std::string value = found == nullptr ? "" : found->dump();
      const auto [place, is_new] = first_value.try_emplace(labels[i], value);
      tells_apart = !is_new && place->second != value;
    }
    if (!tells_apart) continue;
    for (std::size_t i = 0; i < specs.size(); ++i) {
      const Json* const found = leaf(i, pointer);
      if (found == nullptr || found->is_null()) continue;
      parts[i].push_back({pointer, label_part(pointer, *found)});
      labels[i] += (labels[i].empty() ? "" : ", ") + parts[i].back().text;
    }
  }
  return parts;
}

// "method" of "/method/r"
std::string member_of(const std::string& pointer) { return pointer.substr(1, pointer.find('/', 1) - 1); }

Labelled labelled(const std::string& given, const std::vector<LabelPart>& parts, const Json& spec) {
  Labelled result{given, {}};
  if (!given.empty()) result.factors.push_back({"label", given});
  for (const LabelPart& part : parts) {
    result.label += (result.label.empty() ? "" : ", ") + part.text;
    const std::string member = member_of(part.pointer);
    if (result.factors.empty() || result.factors.back().name != member)
      result.factors.push_back({member, part.text});
    else
      result.factors.back().value += ", " + part.text;
  }
  if (result.label.empty()) result.label = whole_label(spec);
  return result;
}

std::vector<const Json*> addresses_of(const std::vector<Json>& specs) {
  std::vector<const Json*> addresses;
  for (const Json& spec : specs) addresses.push_back(&spec);
  return addresses;
}

}  // namespace

std::vector<Labelled> label_and_factors(const std::vector<std::string>& given, const std::vector<const Json*>& specs) {
  std::map<std::string, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < specs.size(); ++i) groups[given[i]].push_back(i);
  std::vector<Labelled> all(specs.size());
  for (const auto& [label, members] : groups) {
    std::vector<const Json*> group;
    for (const std::size_t i : members) group.push_back(specs[i]);
    const std::vector<std::vector<LabelPart>> parts = distinguishing_parts(group);
    for (std::size_t k = 0; k < members.size(); ++k) {
      Labelled& one = all[members[k]] = labelled(label, parts[k], *group[k]);
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
  for (Labelled& one : label_and_factors(given, addresses_of(specs))) labels.push_back(std::move(one.label));
  return labels;
}

std::string method_words(const Json& spec) { return words(chosen<Method>(spec)); }
std::string problem_words(const Json& spec) { return words(chosen<Problem>(spec)); }
Json chosen_problem(Json spec) { return chosen<Problem>(std::move(spec)); }

}  // namespace daelab
