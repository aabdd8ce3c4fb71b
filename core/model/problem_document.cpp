#include "core/model/problem_document.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "core/base/json_kind.hpp"
#include "core/expressions/parse.hpp"

namespace daelab {
namespace {

const std::vector<std::string>& document_keys() {
  static const std::vector<std::string> keys{"$schema",
                                             "name",
                                             "summary",
                                             "source",
                                             "parameters",
                                             "definitions",
                                             "coordinates",
                                             "kinetic_energy",
                                             "potential_energy",
                                             "mass",
                                             "forces",
                                             "constraints",
                                             "nonholonomic_constraints",
                                             "states",
                                             "algebraic",
                                             "start",
                                             "end_time",
                                             "least_size",
                                             "energy",
                                             "observables",
                                             "events",
                                             "outline"};
  return keys;
}

[[noreturn]] void unknown_key(const std::string& key, const std::vector<std::string>& known, const std::string& where,
                              const char* what) {
  throw InputError(where + "/" + key, fmt::format("unknown {} '{}'; known: {}{}", what, key,
                                                  known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", ")),
                                                  did_you_mean(key, known)));
}

void check_keys(const Json& object, const std::vector<std::string>& known, const std::string& where,
                const char* what = "key") {
  for (const auto& [key, value] : require(JsonKind::object, object, where).items())
    if (std::ranges::find(known, key) == known.end()) unknown_key(key, known, where, what);
}

ExpressionText expression(const Json& json, const std::string& where) {
  if (json.is_string()) return {json.get<std::string>(), where};
  if (json.is_number()) return {exact_from_json(json, where).text(), where};
  throw InputError(where, fmt::format("expected an expression as text, such as \"m*g*y\", found {}", json.type_name()));
}

// Reads one document; the members of an object are read in the order they are written in.
class DocumentReader {
 public:
  DocumentReader(const Json& json, const std::string& where) : json_(json), where_(where) {}

  ProblemDocument document() {
    if (!json_.is_object()) throw InputError(where_, std::string("a problem is an object, found ") + json_.type_name());
    check_keys(json_, known_keys(), where_);
    read_texts();
    read_parameters();
    read_coordinates();
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
    read_events();
    read_outline();
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
    if (!member("end_time")) throw InputError(place("end_time"), "is missing: the end of a run that gives none [s]");
    result_.end_time = expression(json_["end_time"], place("end_time"));
    if (member("least_size")) result_.least_size = expression(json_["least_size"], place("least_size"));
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
      claim(name, own);
      if (name == "name" || name == "end_time")
        throw InputError(own, fmt::format("'{}' cannot be a parameter: specs of problems use it", name));
      result_.parameters.emplace_back(name, exact_from_json(value, own));
    }
  }

  void read_coordinates() {
    const Json* coordinates = member("coordinates");
    if (!coordinates) return;
    const std::string where = place("coordinates");
    require(JsonKind::list, *coordinates, where);
    for (std::size_t i = 0; i < coordinates->size(); ++i) {
      const std::string own = fmt::format("{}/{}", where, i);
      result_.coordinates.push_back(require(JsonKind::text, (*coordinates)[i], own).get<std::string>());
      claim(result_.coordinates.back(), own);
    }
  }

  std::vector<NamedText> named(const std::string& key) const {
    std::vector<NamedText> list;
    if (const Json* object = member(key))
      for (const auto& [name, value] : require(JsonKind::object, *object, place(key)).items())
        list.push_back({name, expression(value, place(key) + "/" + name)});
    return list;
  }
  std::vector<ExpressionText> list_of(const Json& json, const std::string& where) const {
    std::vector<ExpressionText> list;
    require(JsonKind::list, json, where);
    for (std::size_t i = 0; i < json.size(); ++i) list.push_back(expression(json[i], fmt::format("{}/{}", where, i)));
    return list;
  }
  std::vector<ExpressionText> list(const std::string& key) const {
    return member(key) ? list_of(json_[key], place(key)) : std::vector<ExpressionText>{};
  }

  void check_kind_of_model() const {
    const bool has_coordinates = !result_.coordinates.empty();
    if (!has_coordinates && result_.states.empty() && result_.algebraic.empty())
      throw InputError(where_, "there are no unknowns: \"coordinates\", \"states\" or \"algebraic\" is missing");
    if (has_coordinates) {
      if (!result_.algebraic.empty())
        throw InputError(place("algebraic"), "algebraic states stand alone or with \"states\", not beside coordinates");
      return;
    }
    // Dense output has the differential states alone.
    if (!result_.algebraic.empty() && member("events"))
      throw InputError(place("events"), "are not located beside algebraic states");
    for (const char* key :
         {"kinetic_energy", "potential_energy", "mass", "forces", "constraints", "nonholonomic_constraints"})
      if (member(key)) throw InputError(place(key), "requires coordinates");
  }

  std::string coordinate_count() const {
    const std::size_t n = result_.coordinates.size();
    return fmt::format("{} needed, one for each coordinate ({})", n, fmt::join(result_.coordinates, ", "));
  }

  void read_mechanics() {
    const auto text = [&](const char* key) -> std::optional<ExpressionText> {
      return member(key) ? std::optional(expression(json_[key], place(key))) : std::nullopt;
    };
    result_.kinetic_energy = text("kinetic_energy"), result_.potential_energy = text("potential_energy");
    read_mass();
    read_forces();
    result_.constraints = list("constraints"), result_.nonholonomic_constraints = list("nonholonomic_constraints");
    if (result_.coordinates.empty()) return;
    if (result_.mass.empty() && !result_.kinetic_energy)
      throw InputError(where_, "\"kinetic_energy\" or \"mass\" is missing");
    if (result_.potential_energy && !result_.kinetic_energy)
      throw InputError(place("kinetic_energy"), "is missing beside the potential energy");
  }

  // Rows, or the diagonal as a list of texts.
  void read_mass() {
    const Json* mass = member("mass");
    if (!mass) return;
    const std::string where = place("mass");
    const std::size_t n = result_.coordinates.size(), given = require(JsonKind::list, *mass, where).size();
    if (given != n)
      throw InputError(where, fmt::format("{} row{} given, {}", given, given == 1 ? "" : "s", coordinate_count()));
    const bool is_diagonal = std::all_of(mass->begin(), mass->end(), [](const Json& x) { return !x.is_array(); });
    for (std::size_t i = 0; i < n; ++i) {
      const std::string own = fmt::format("{}/{}", where, i);
      std::vector<ExpressionText> row(n, ExpressionText{"0", own});
      if (is_diagonal)
        row[i] = expression((*mass)[i], own);
      else
        row = list_of((*mass)[i], own);
      if (row.size() != n)
        throw InputError(
            own, fmt::format("{} entr{} given, {}", row.size(), row.size() == 1 ? "y" : "ies", coordinate_count()));
      result_.mass.push_back(std::move(row));
    }
  }
  void read_forces() {
    const Json* forces = member("forces");
    if (!forces) return;
    if (forces->is_array()) {
      const std::vector<ExpressionText> texts = list("forces");
      if (texts.size() != result_.coordinates.size())
        throw InputError(place("forces"), fmt::format("{} given, {}", texts.size(), coordinate_count()));
      for (std::size_t i = 0; i < texts.size(); ++i) result_.forces.push_back({result_.coordinates[i], texts[i]});
      return;
    }
    check_keys(*forces, result_.coordinates, place("forces"), "coordinate");
    result_.forces = named("forces");
  }

  // What an event or the start may give a value: coordinates, velocities, states.
  std::vector<std::string> unknowns() const {
    std::vector<std::string> names = result_.coordinates;
    for (const std::string& name : result_.coordinates) names.push_back(name + "'");
    for (const NamedText& x : result_.states) names.push_back(x.name);
    for (const NamedText& x : result_.algebraic) names.push_back(x.name);
    return names;
  }
  void read_start() {
    if (!member("start")) return;
    if (json_["start"].is_string())
      throw InputError(place("start"),
                       "start values are an object; \"project\" is a matter of the run: --start project");
    check_keys(json_["start"], unknowns(), place("start"), "name");
    result_.start = named("start");
  }
  void read_observables() {
    result_.observables = named("observables");
    for (const NamedText& x : result_.observables)
      if (const std::string reason = name_refusal(x.name); !reason.empty())
        throw InputError(x.value.where, fmt::format("'{}' cannot be the name of an observable: {}", x.name, reason));
  }

  void read_events() {
    const Json* events = member("events");
    if (!events) return;
    for (const auto& [name, event] : require(JsonKind::object, *events, place("events")).items())
      result_.events.push_back(read_event(name, event, place("events") + "/" + name));
  }
  EventDocument read_event(const std::string& name, const Json& json, const std::string& where) const {
    check_keys(json, {"function", "direction", "then", "consequence"}, where);
    if (!json.contains("function")) throw InputError(where + "/function", "is missing: its zero is the event");
    EventDocument result{
        {name}, expression(json["function"], where + "/function"), {}, where, json.contains("consequence")};
    result.event.crossing = direction(json, where + "/direction");
    if (json.contains("then")) {
      check_keys(json["then"], unknowns(), where + "/then", "name");
      for (const auto& [unknown, value] : json["then"].items())
        result.then.push_back({unknown, expression(value, where + "/then/" + unknown)});
    }
    result.event.consequence = consequence(json, result, where + "/consequence");
    return result;
  }
  static Crossing direction(const Json& event, const std::string& where) {
    if (!event.contains("direction")) return Crossing::either;
    const Json& value = event["direction"];
    if (value.is_number_integer() && value == 1) return Crossing::rising;
    if (value.is_number_integer() && value == -1) return Crossing::falling;
    if (value.is_number_integer() && value == 0) return Crossing::either;
    throw InputError(
        where, fmt::format("{} is not allowed; allowed: 1 (its function rises), -1 (falls), 0 (either)", value.dump()));
  }
  static Consequence consequence(const Json& json, const EventDocument& event, const std::string& where) {
    const std::map<std::string, Consequence> known{{"stop", Consequence::stop},
                                                   {"observe", Consequence::observe},
                                                   {"jump", Consequence::jump},
                                                   {"impact", Consequence::impact}};
    if (!json.contains("consequence")) return event.then.empty() ? Consequence::observe : Consequence::jump;
    const std::string text = require(JsonKind::text, json["consequence"], where).get<std::string>();
    const auto found = known.find(text);
    if (found == known.end()) {
      throw InputError(where, fmt::format("'{}' is not allowed; allowed: stop, observe, jump, impact{}", text,
                                          did_you_mean(text, {"stop", "observe", "jump", "impact"})));
    }
    const bool changes = text == "jump" || text == "impact";
    if (changes && event.then.empty()) throw InputError(where, "a " + text + " needs \"then\": what changes");
    if (!changes && !event.then.empty()) throw InputError(where, "'" + text + "' and \"then\" exclude each other");
    if (text == "impact" && event.event.crossing != Crossing::falling)
      throw InputError(where, "the function of an impact falls to zero: \"direction\": -1");
    return found->second;
  }

  void read_outline() {
    const Json* outline = member("outline");
    if (!outline) return;
    const std::string where = place("outline");
    require(JsonKind::list, *outline, where);
    for (std::size_t i = 0; i < outline->size(); ++i)
      result_.outline.push_back(read_shape((*outline)[i], fmt::format("{}/{}", where, i)));
  }
  ShapeDocument read_shape(const Json& json, const std::string& where) {
    const std::vector<std::string>& kinds = names_of(ShapeKind{});
    std::vector<std::string> keys = kinds;
    keys.insert(keys.end(), {"name", "side"});
    check_keys(json, keys, where, "shape");
    const auto is_given = [&](const std::string& kind) { return json.contains(kind); };
    const auto kind = std::ranges::find_if(kinds, is_given);
    if (std::ranges::count_if(kinds, is_given) != 1)
      throw InputError(where, fmt::format("a shape is one of {}, with its points: {{\"line\": [[x, y], ...]}}",
                                          fmt::join(kinds, ", ")));
    ShapeDocument shape;
    shape.kind = static_cast<ShapeKind>(kind - kinds.begin());
    if (json.contains("name")) shape.name = require_member(JsonKind::text, json, "name", where).get<std::string>();
    if (json.contains("side")) shape.side = require_member(JsonKind::number, json, "side", where).get<double>();
    read_points(json[*kind], where + "/" + *kind, shape);
    return shape;
  }
  // One point alone needs no list of points; the radius of a circle is behind its centre.
  void read_points(const Json& json, const std::string& where, ShapeDocument& shape) {
    const auto [least, most] = point_counts(shape.kind);
    require(JsonKind::list, json, where);
    if (most == 1) {
      shape.points.push_back(list_of(json, where));
      if (shape.kind == ShapeKind::circle) take_radius(shape, where);
      return check_last_point(shape, where);
    }
    if (json.size() < least || json.size() > most)
      throw InputError(where, fmt::format("{} points given, {}{} needed", json.size(), least,
                                          least == most ? "" : fmt::format(" to {}", most)));
    for (std::size_t i = 0; i < json.size(); ++i) {
      const std::string own = fmt::format("{}/{}", where, i);
      shape.points.push_back(list_of(json[i], own));
      check_last_point(shape, own);
    }
  }
  static void take_radius(ShapeDocument& shape, const std::string& where) {
    std::vector<ExpressionText>& numbers = shape.points.back();
    if (numbers.size() != 3 && numbers.size() != 4)
      throw InputError(where, fmt::format("{} expressions given, 3 needed: x, y, radius", numbers.size()));
    shape.radius = numbers.back();
    numbers.pop_back();
  }
  // All points have two coordinates, or all have three: the first one decides.
  void check_last_point(const ShapeDocument& shape, const std::string& where) {
    const std::vector<ExpressionText>& point = shape.points.back();
    const bool is_first = result_.outline.empty() && shape.points.size() == 1;
    if (is_first) result_.outline_is_spatial = point.size() == 3;
    const std::size_t needed = result_.outline_is_spatial ? 3 : 2;
    if (point.size() != needed)
      throw InputError(where, fmt::format("{} expressions given, {} needed: {}", point.size(), needed,
                                          needed == 2 ? "x, y" : "x, y, z as in the first shape"));
  }

  const Json& json_;
  const std::string& where_;
  ProblemDocument result_;
  std::map<std::string, std::string> owners_;  // of names: where they are made
};

}  // namespace

ProblemDocument read_problem_document(const Json& json, const std::string& where) {
  return DocumentReader(json, where).document();
}

bool is_problem_document(const Json& json) {
  if (!json.is_object()) return false;
  return (json.contains("coordinates") && json["coordinates"].is_array()) ||
         (json.contains("states") && json["states"].is_object()) ||
         (json.contains("algebraic") && json["algebraic"].is_object());
}

Json with_parameters(Json document, const Json& values, const std::string& where) {
  std::vector<std::string> known;
  if (document.contains("parameters") && document["parameters"].is_object())
    for (const auto& [name, value] : document["parameters"].items()) known.push_back(name);
  known.emplace_back("end_time");
  for (const auto& [key, value] : values.items()) {
    if (key == "name") continue;
    if (std::ranges::find(known, key) == known.end()) unknown_key(key, known, where, "option");
    Json& place = key == "end_time" ? document[key] : document["parameters"][key];
    place = value;
  }
  return document;
}

}  // namespace daelab
