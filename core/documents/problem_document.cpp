#include "core/documents/problem_document.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "core/base/json_kind.hpp"
#include "core/documents/document_texts.hpp"
#include "core/documents/matrix_document.hpp"
#include "core/expressions/parse.hpp"
#include "core/mechanism/measured_invariants.hpp"

namespace daelab {
namespace {

const std::vector<std::string>& document_keys() {
  static const std::vector<std::string> keys = [] {
    std::vector<std::string> list{
        "$schema",          "name",        "summary",     "source",      "parameters",
        "vectors",          "definitions", "coordinates", "rotations",   "kinetic_energy",
        "potential_energy", "mass",        "forces",      "constraints", "nonholonomic_constraints",
        "states",           "rates_mass",  "algebraic",   "start",       "start_time",
        "end_time",         "max_step",    "least_size",  "energy",      "observables",
        "invariants",       "events",      "outline"};
    list.insert(list.end(), joint_keys().begin(), joint_keys().end());
    return list;
  }();
  return keys;
}

// A key that specs of problems give beside parameters.
bool is_time(const std::string& key) { return key == "start_time" || key == "end_time"; }

// Reads one document; the members of an object are read in the order they are written in.
class DocumentReader {
 public:
  DocumentReader(const Json& json, const std::string& where) : json_(json), where_(where) {}

  ProblemDocument document() {
    if (!json_.is_object()) throw InputError(where_, std::string("a problem is an object, found ") + json_.type_name());
    check_keys(json_, known_keys(), where_);
    read_texts();
    read_parameters();
    read_vectors();
    read_times_and_sizes();
    read_coordinates();
    read_joints_of_document();
    read_rotations_of_document();
    result_.states = named("states");
    result_.algebraic = named("algebraic");
    for (const NamedText& x : result_.states) claim(x.name, x.value.where);
    for (const NamedText& x : result_.algebraic) claim(x.name, x.value.where);
    result_.definitions = named("definitions");
    for (const NamedText& x : result_.definitions) claim(x.name, x.value.where);
    check_kind_of_model();
    read_mechanics();
    read_start();
    read_observables();
    if (const Json* events = member("events"))
      result_.events = read_events(*events, place("events"), texts_, differential_unknowns());
    if (const Json* outline = member("outline")) result_.outline = read_outline(*outline, place("outline"), texts_);
    return std::move(result_);
  }

 private:
  const Json* member(const std::string& key) const { return json_.contains(key) ? &json_[key] : nullptr; }
  std::string place(const std::string& key) const { return where_ + "/" + key; }

  // A parameter that was given on the command line in a place of its own is not part of the document.
  std::vector<std::string> known_keys() const {
    std::vector<std::string> keys = document_keys();
    if (const Json* parameters = member("parameters"); parameters && parameters->is_object())
      for (const auto& [name, value] : parameters->items())
        if (json_.contains(name)) throw InputError(place("parameters/" + name), "is a key of the document, too");
    return keys;
  }

  void read_texts() {
    result_.name = require_member(JsonKind::text, json_, "name", where_).get<std::string>();
    const bool is_plain = !result_.name.empty() &&
                          result_.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos;
    if (!is_plain)
      throw InputError(
          place("name"),
          fmt::format("'{}' is not a valid name: use lower-case letters, digits and hyphens", result_.name));
    const auto text = [&](const char* key) {
      return member(key) ? require_member(JsonKind::text, json_, key, where_).get<std::string>() : "";
    };
    result_.summary = text("summary"), result_.source = text("source");
    const std::string energy = text("energy");
    if (member("energy") && energy != "automatic" && energy != "changes")
      throw InputError(place("energy"),
                       fmt::format("'{}' is not allowed; allowed: automatic, changes (forces dissipate or "
                                   "drive)",
                                   energy));
    result_.energy_changes = energy == "changes";
  }
  void read_times_and_sizes() {
    if (!member("end_time")) throw InputError(place("end_time"), "is missing: the end of a run that gives none [s]");
    if (member("start_time")) result_.start_time = texts_.expression(json_["start_time"], place("start_time"));
    result_.end_time = texts_.expression(json_["end_time"], place("end_time"));
    if (member("max_step")) result_.max_step = texts_.expression(json_["max_step"], place("max_step"));
    if (member("least_size")) result_.least_size = texts_.expression(json_["least_size"], place("least_size"));
  }

  // Every name means one thing.
  void claim(const std::string& name, const std::string& where) {
    if (const std::string reason = name == "t" ? "it is the time" : name_refusal(name); !reason.empty())
      throw InputError(where, fmt::format("'{}' cannot be a name here: {}", name, reason));
    const auto [place, is_new] = owners_.emplace(name, where);
    if (!is_new) throw InputError(where, fmt::format("the name '{}' is used twice, also in {}", name, place->second));
  }

  void read_parameters() {
    const Json* parameters = member("parameters");
    if (!parameters) return;
    const std::string where = place("parameters");
    for (const auto& [name, value] : require(JsonKind::object, *parameters, where).items()) {
      const std::string own = where + "/" + name;
      if (name == "name" || is_time(name))
        throw InputError(own, fmt::format("'{}' cannot be a parameter: specs of problems use it", name));
      if (!value.is_array()) {
        read_parameter(name, value, own);
        continue;
      }
      claim_vector(name, {static_cast<long>(value.size())}, own);
      const std::vector<std::string> entries = texts_.indices.entries(name);
      for (std::size_t i = 0; i < entries.size(); ++i)
        read_parameter(entries[i], value[i], fmt::format("{}/{}", own, i));
    }
  }
  void read_parameter(const std::string& name, const Json& value, const std::string& where) {
    claim(name, where);
    result_.parameters.emplace_back(name, exact_from_json(value, where));
    texts_.indices.add_parameter(name, result_.parameters.back().second);
  }

  // The name of a vector is none of an unknown: its entries are.
  void claim_vector(const std::string& name, const std::vector<long>& sizes, const std::string& where) {
    claim(name, where);
    place_errors(where, [&] { texts_.indices.add_vector(name, sizes); });
  }
  void read_vectors() {
    const Json* vectors = member("vectors");
    if (!vectors) return;
    for (const auto& [name, value] : require(JsonKind::object, *vectors, place("vectors")).items()) {
      const std::string own = place("vectors") + "/" + name;
      std::vector<long> sizes;
      for (const ExpressionText& size :
           value.is_array() ? texts_.list(value, own) : std::vector{texts_.expression(value, own)})
        sizes.push_back(place_errors(own, [&] { return texts_.indices.integer(size.text); }));
      claim_vector(name, sizes, own);
    }
  }

  void read_coordinates() {
    const Json* coordinates = member("coordinates");
    if (!coordinates) return;
    const std::string where = place("coordinates");
    require(JsonKind::list, *coordinates, where);
    for (std::size_t i = 0; i < coordinates->size(); ++i) {
      const std::string own = fmt::format("{}/{}", where, i);
      const std::string text = require(JsonKind::text, (*coordinates)[i], own).get<std::string>();
      for (const std::string& name :
           texts_.indices.is_vector(text) ? texts_.indices.entries(text) : texts_.copies(text, own)) {
        result_.coordinates.push_back(name);
        claim(name, own);
      }
    }
  }

  void read_rotations_of_document() {
    const Json* rotations = member("rotations");
    if (!rotations) return;
    if (result_.joints) throw InputError(place("rotations"), "and joints exclude each other: joints turn by their own");
    if (member("mass")) throw InputError(place("mass"), "is not for rotations: give \"kinetic_energy\"");
    result_.rotations = read_rotations(*rotations, place("rotations"));
    for (const RotationDocument& rotation : result_.rotations) {
      for (int i = 1; i <= dimension(rotation.group); ++i)
        claim(fmt::format("{}_{}", rotation.name, i), rotation.where);
      for (const auto& [name, sizes] : rotation.vectors()) {
        claim_vector(name, sizes, rotation.where);
        for (const std::string& entry : texts_.indices.entries(name)) claim(entry, rotation.where);
      }
    }
  }

  void read_joints_of_document() {
    result_.joints = read_joints(json_, where_, texts_);
    if (!result_.joints) return;
    for (const JointDocument& joint : result_.joints->joints)
      for (const std::string& name : coordinates_of(joint.name, joint.kind)) {
        claim(name, joint.where);
        result_.coordinates.push_back(name);
      }
    for (const auto& [name, point] : result_.joints->points)
      for (const char* axis : {"_x", "_y", "_z"}) claim(name + axis, place("points/" + name));
    result_.energy_changes |= result_.joints->changes_energy() || member("forces");
  }

  std::vector<NamedText> named(const std::string& key) const {
    return member(key) ? texts_.named(json_[key], place(key)) : std::vector<NamedText>{};
  }
  std::vector<ExpressionText> list(const std::string& key) const {
    return member(key) ? texts_.list(json_[key], place(key)) : std::vector<ExpressionText>{};
  }

  void check_kind_of_model() const {
    const bool has_coordinates = result_.has_coordinates();
    if (!has_coordinates && result_.states.empty() && result_.algebraic.empty())
      throw InputError(where_, "there are no unknowns: \"coordinates\", \"states\" or \"algebraic\" is missing");
    if (has_coordinates) return;
    for (const char* key :
         {"kinetic_energy", "potential_energy", "mass", "forces", "constraints", "nonholonomic_constraints"})
      if (member(key)) throw InputError(place(key), "requires coordinates");
  }

  void read_mechanics() {
    const auto text = [&](const char* key) -> std::optional<ExpressionText> {
      return member(key) ? std::optional(texts_.expression(json_[key], place(key))) : std::nullopt;
    };
    result_.kinetic_energy = text("kinetic_energy"), result_.potential_energy = text("potential_energy");
    if (const Json* mass = member("mass"))
      result_.mass = read_matrix(*mass, place("mass"), texts_, result_.coordinates, "coordinate");
    read_rates_mass();
    read_forces();
    result_.constraints = list("constraints"), result_.nonholonomic_constraints = list("nonholonomic_constraints");
    if (!result_.has_coordinates() || result_.joints) return;
    if (result_.mass.empty() && !result_.kinetic_energy)
      throw InputError(where_, "\"kinetic_energy\" or \"mass\" is missing");
    if (result_.potential_energy && !result_.kinetic_energy)
      throw InputError(place("kinetic_energy"), "is missing beside the potential energy");
  }

  // All unknowns are states then: how many equations have no derivatives is found from the matrix.
  void read_rates_mass() {
    const Json* mass = member("rates_mass");
    if (!mass) return;
    if (result_.has_coordinates() || !result_.algebraic.empty())
      throw InputError(place("rates_mass"),
                       result_.algebraic.empty()
                           ? "is for states alone, without coordinates"
                           : "and \"algebraic\" exclude each other: give algebraic equations as states whose rows "
                             "are zero");
    std::vector<std::string> names;
    for (const NamedText& x : result_.states) names.push_back(x.name);
    result_.rates_mass = read_matrix(*mass, place("rates_mass"), texts_, names, "state");
  }
  void read_forces() {
    const Json* forces = member("forces");
    if (!forces) return;
    if (forces->is_array()) {
      const std::vector<ExpressionText> texts = list("forces");
      if (texts.size() != result_.coordinates.size())
        throw InputError(place("forces"),
                         fmt::format("{} given, {}", texts.size(), needed(result_.coordinates, "coordinate")));
      for (std::size_t i = 0; i < texts.size(); ++i) result_.forces.push_back({result_.coordinates[i], texts[i]});
      return;
    }
    result_.forces = named("forces");
    std::vector<std::string> names = result_.coordinates;
    for (const RotationDocument& rotation : result_.rotations)
      for (std::string& velocity : rotation.velocities()) names.push_back(std::move(velocity));
    check_names(result_.forces, names, place("forces"), "coordinate");
  }

  // What an event may change: coordinates, velocities, states.
  std::vector<std::string> differential_unknowns() const {
    std::vector<std::string> names = result_.coordinates;
    for (const std::string& name : result_.coordinates) names.push_back(name + "'");
    for (const NamedText& x : result_.states) names.push_back(x.name);
    return names;
  }
  // What the start may give a value.
  std::vector<std::string> unknowns() const {
    std::vector<std::string> names = differential_unknowns();
    for (const NamedText& x : result_.algebraic) names.push_back(x.name);
    for (const RotationDocument& rotation : result_.rotations)
      for (std::string& name : rotation.start_names()) names.push_back(std::move(name));
    return names;
  }
  void read_start() {
    if (!member("start")) return;
    if (json_["start"].is_string())
      throw InputError(place("start"),
                       "start values are an object; \"project\" is a matter of the run: --start project");
    Json start = require(JsonKind::object, json_["start"], place("start"));
    take_starts(start, place("start"), texts_, result_.rotations);
    result_.start = texts_.named(start, place("start"));
    check_names(result_.start, unknowns(), place("start"), "name");
  }
  void read_observables() {
    result_.observables = named("observables"), result_.invariants = named("invariants");
    for (const NamedText& x : result_.observables) check_name(x, "an observable");
    for (const NamedText& x : result_.invariants) {
      check_name(x, "an invariant");
      const bool is_measured = std::ranges::find(measured_invariants, x.name) != measured_invariants.end();
      if (is_measured || std::ranges::find(result_.observables, x.name, &NamedText::name) != result_.observables.end())
        throw InputError(x.value.where, fmt::format("'{}' is taken by what runs measure or observe", x.name));
    }
  }
  static void check_name(const NamedText& x, const char* what) {
    if (const std::string reason = name_refusal(x.name); !reason.empty())
      throw InputError(x.value.where, fmt::format("'{}' cannot be the name of {}: {}", x.name, what, reason));
  }

  const Json& json_;
  const std::string& where_;
  ProblemDocument result_;
  DocumentTexts texts_;
  std::map<std::string, std::string> owners_;  // of names: where they are made
};

}  // namespace

ProblemDocument read_problem_document(const Json& json, const std::string& where) {
  return DocumentReader(json, where).document();
}

// "k2" of {"k": ["1", "5"]}; null for other names.
static Json* entry_of_parameter(Json& document, const std::string& name) {
  const std::size_t digits = name.find_last_not_of("0123456789") + 1;
  const std::string vector = name.substr(0, digits);
  if (digits == name.size() || name.size() - digits > 9 || !document.contains("parameters") ||
      !document["parameters"].contains(vector) || !document["parameters"][vector].is_array())
    return nullptr;
  Json& list = document["parameters"][vector];
  const std::size_t index = std::stoul(name.substr(digits));
  return index >= 1 && index <= list.size() ? &list[index - 1] : nullptr;
}

Json with_parameters(Json document, const Json& values, const std::string& where) {
  std::vector<std::string> known;
  if (document.contains("parameters") && document["parameters"].is_object())
    for (const auto& [name, value] : document["parameters"].items()) known.push_back(name);
  known.insert(known.end(), {"start_time", "end_time"});
  for (const auto& [key, value] : values.items()) {
    if (key == "name") continue;
    if (Json* const entry = entry_of_parameter(document, key)) {
      *entry = value;
      continue;
    }
    if (std::ranges::find(known, key) == known.end()) refuse_key(key, known, where, "option");
    (is_time(key) ? document[key] : document["parameters"][key]) = value;
  }
  return document;
}

Json without_parameter(Json document, const std::string& name) {
  if (Json* const entry = entry_of_parameter(document, name))
    *entry = nullptr;
  else if (is_time(name))
    document.erase(name);
  else if (document.contains("parameters"))
    document["parameters"].erase(name);
  return document;
}

}  // namespace daelab
