#include "core/documents/joints_document.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_map>

#include "core/base/json_kind.hpp"
#include "core/expressions/parse.hpp"

namespace daelab {
namespace {

// ----- reading -----

class JointsReader {
 public:
  using Bindings = DocumentTexts::Bindings;

  JointsReader(const Json& json, const std::string& where, const DocumentTexts& texts)
      : json_(json), where_(where), texts_(texts) {}

  JointsDocument document() {
    each_named("bodies", [&](const auto&... x) { read_body(x...); });
    for (std::size_t i = 0; i < result_.bodies.size(); ++i)
      bodies_.emplace(result_.bodies[i].name, static_cast<int>(i));
    bodies_.emplace("ground", ground_body);
    each_named("joints", [&](const auto&... x) { read_joint(x...); });
    each_named("points",
               [&](const std::string& name, const Json& json, const std::string& where, const Bindings& bindings) {
                 result_.points.emplace_back(name, point(json, where, bindings));
               });
    each("pins", [&](const auto&... x) { read_pin(x...); });
    each("springs", [&](const auto&... x) { read_spring(x...); });
    each("loads", [&](const auto&... x) { read_load(x...); });
    if (json_.contains("gravity")) result_.gravity = vector(json_["gravity"], where_ + "/gravity", {});
    return std::move(result_);
  }

 private:
  // read(name, value, place, bindings) for each member of an object, whose names may be loops.
  void each_named(const char* key, const auto& read) {
    if (!json_.contains(key)) return;
    for (const auto& [name, value] : require(JsonKind::object, json_[key], where_ + "/" + key).items()) {
      const std::string own = fmt::format("{}/{}/{}", where_, key, name);
      const IndexedTexts::Loops loops = texts_.loops(name, own);
      for (const Bindings& bindings : loops.bindings)
        read(texts_.expanded(loops.text, own, bindings), value, own, bindings);
    }
  }
  // read(value, place, bindings) for each entry of a list, which may be a loop by its "for".
  void each(const char* key, const auto& read) {
    if (!json_.contains(key)) return;
    const Json& list = require(JsonKind::list, json_[key], where_ + "/" + key);
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::string own = fmt::format("{}/{}/{}", where_, key, i);
      require(JsonKind::object, list[i], own);
      const std::string loop =
          list[i].contains("for") ? require_member(JsonKind::text, list[i], "for", own).get<std::string>() : "";
      for (const Bindings& bindings : texts_.loops(loop.empty() ? "" : " for " + loop, own + "/for").bindings)
        read(list[i], own, bindings);
    }
  }

  std::vector<ExpressionText> numbers(const Json& json, const std::string& where, const Bindings& bindings,
                                      std::initializer_list<std::size_t> counts) const {
    if (!json.is_array() && std::ranges::find(counts, 1u) != counts.end())
      return {texts_.expression(json, where, bindings)};
    std::vector<ExpressionText> list = texts_.list(json, where, bindings);
    if (std::ranges::find(counts, list.size()) == counts.end())
      throw InputError(where, fmt::format("{} numbers given; allowed: {}", list.size(), fmt::join(counts, " or ")));
    return list;
  }
  std::vector<ExpressionText> vector(const Json& json, const std::string& where, const Bindings& bindings) const {
    return numbers(json, where, bindings, {2, 3});
  }
  std::vector<ExpressionText> optional_numbers(const Json& json, const char* key, const std::string& where,
                                               const Bindings& bindings,
                                               std::initializer_list<std::size_t> counts) const {
    return json.contains(key) ? numbers(json[key], where + "/" + key, bindings, counts) : std::vector<ExpressionText>{};
  }
  std::optional<ExpressionText> optional_number(const Json& json, const char* key, const std::string& where,
                                                const Bindings& bindings) const {
    if (!json.contains(key)) return {};
    return texts_.expression(json[key], where + "/" + key, bindings);
  }

  PointDocument point(const Json& json, const std::string& where, const Bindings& bindings) const {
    if (json.is_string()) return {where, body_of(json.get<std::string>(), where, bindings)};
    require(JsonKind::object, json, where);
    if (json.size() != 1)
      throw InputError(where, "a point is a body, or an object of one: {\"rod\": [\"1/2\", \"0\"]}");
    const auto& [name, at] = *json.items().begin();
    const std::string own = where + "/" + name;
    return {where, body_of(name, own, bindings), vector(at, own, bindings)};
  }
  PointDocument required_point(const Json& json, const char* key, const std::string& where,
                               const Bindings& bindings) const {
    if (!json.contains(key)) throw InputError(where + "/" + key, "is missing: a point of a body or of the ground");
    return point(json[key], where + "/" + key, bindings);
  }
  int body_of(const std::string& text, const std::string& where, const Bindings& bindings) const {
    const std::string name = texts_.expanded(text, where, bindings);
    if (const auto found = bodies_.find(name); found != bodies_.end()) return found->second;
    std::vector<std::string> known;
    for (const BodyDocument& body : result_.bodies) known.push_back(body.name);
    known.push_back("ground");
    throw InputError(
        where, fmt::format("unknown body '{}'{} (known: {})", name, did_you_mean(name, known), fmt::join(known, ", ")));
  }

  void read_body(const std::string& name, const Json& json, const std::string& where, const Bindings& bindings) {
    if (const std::string reason = name_refusal(name); !reason.empty() || name == "ground")
      throw InputError(where, fmt::format("'{}' cannot be the name of a body: {}", name,
                                          reason.empty() ? "it is what does not move" : reason));
    check_keys(json, {"mass", "centre", "inertia"}, where);
    if (!json.contains("mass")) throw InputError(where + "/mass", "is missing: each body has one, above 0 [kg]");
    result_.bodies.push_back({name, where, texts_.expression(json["mass"], where + "/mass", bindings),
                              optional_numbers(json, "centre", where, bindings, {2, 3}),
                              optional_numbers(json, "inertia", where, bindings, {1, 3, 6})});
  }

  // A word of an enumeration; the first one where the key is not there.
  template <class Enum>
  static Enum word(const Json& json, const char* key, const std::string& where) {
    if (!json.contains(key)) return Enum{};
    const std::vector<std::string>& known = names_of(Enum{});
    const std::string text = require_member(JsonKind::text, json, key, where).get<std::string>();
    const auto found = std::ranges::find(known, text);
    if (found == known.end())
      throw InputError(where + "/" + key, fmt::format("'{}' is not allowed{} (allowed: {})", text,
                                                      did_you_mean(text, known), fmt::join(known, ", ")));
    return static_cast<Enum>(found - known.begin());
  }

  enum class Charts { two, one };
  friend const std::vector<std::string>& names_of(Charts) {
    static const std::vector<std::string> names{"two", "one"};
    return names;
  }

  void read_joint(const std::string& name, const Json& json, const std::string& where, const Bindings& bindings) {
    check_keys(json, {"kind", "on", "body", "axis", "turned", "angles", "charts"}, where);
    JointDocument joint{name,
                        where,
                        word<JointKind>(json, "kind", where),
                        required_point(json, "on", where, bindings),
                        required_point(json, "body", where, bindings),
                        optional_numbers(json, "axis", where, bindings, {3}),
                        optional_numbers(json, "turned", where, bindings, {1, 3}),
                        word<AngleSequence>(json, "angles", where),
                        word<Charts>(json, "charts", where) == Charts::two};
    for (const char* key : {"angles", "charts"})
      if (json.contains(key) && !has_angles(joint.kind))
        throw InputError(where + "/" + key, "is for spherical and free joints");
    if (json.contains("axis") && has_angles(joint.kind))
      throw InputError(where + "/axis", "is for revolute and prismatic joints");
    if (joint.body.body == ground_body)
      throw InputError(joint.body.where,
                       "the ground hangs on nothing: state it as \"on\", and the body that moves here");
    result_.joints.push_back(std::move(joint));
  }

  void refuse_one_body(const char* what, const PointDocument& a, const PointDocument& b,
                       const std::string& where) const {
    if (a.body == b.body)
      throw InputError(
          where,
          fmt::format("the {} is between {} and itself", what,
                      a.body == ground_body ? "the ground" : result_.bodies[static_cast<std::size_t>(a.body)].name));
  }

  void read_pin(const Json& json, const std::string& where, const Bindings& bindings) {
    check_keys(json, {"from", "to", "for"}, where);
    const PointDocument a = required_point(json, "from", where, bindings),
                        b = required_point(json, "to", where, bindings);
    refuse_one_body("pin", a, b, where);
    if (a.at.empty() && b.at.empty())
      throw InputError(where, "give one of the points: with two numbers the pin is planar, with three spatial");
    if (!a.at.empty() && !b.at.empty() && a.at.size() != b.at.size())
      throw InputError(where, "both points of a pin have two numbers, or both three");
    result_.pins.emplace_back(a, b);
  }

  void read_spring(const Json& json, const std::string& where, const Bindings& bindings) {
    check_keys(json, {"from", "to", "stiffness", "length", "damping", "for"}, where);
    if (!json.contains("stiffness") && !json.contains("damping"))
      throw InputError(where, "\"stiffness\" [N/m] or \"damping\" [N s/m] is missing");
    const PointDocument from = required_point(json, "from", where, bindings),
                        to = required_point(json, "to", where, bindings);
    refuse_one_body("spring", from, to, where);
    result_.springs.push_back({from, to, optional_number(json, "stiffness", where, bindings),
                               optional_number(json, "length", where, bindings),
                               optional_number(json, "damping", where, bindings)});
  }

  void read_load(const Json& json, const std::string& where, const Bindings& bindings) {
    check_keys(json, {"on", "force", "torque", "for"}, where);
    if (!json.contains("force") && !json.contains("torque"))
      throw InputError(where, "\"force\" [N] or \"torque\" [N m] is missing");
    const PointDocument on = required_point(json, "on", where, bindings);
    if (on.body == ground_body) throw InputError(on.where, "a load on the ground moves nothing");
    result_.loads.push_back({on, optional_numbers(json, "force", where, bindings, {2, 3}),
                             optional_numbers(json, "torque", where, bindings, {1, 3})});
  }

  const Json& json_;
  const std::string& where_;
  const DocumentTexts& texts_;
  JointsDocument result_;
  std::unordered_map<std::string, int> bodies_;  // numbers by names, with the ground
};

// Angles mean something else in another chart, where the same texts are recorded.
void refuse_angles(const Json& json, const std::string& where, const std::vector<std::string>& angles) {
  const auto check = [&](const std::string& text, const std::string& own) {
    for (const std::string& name : names_in(text))
      if (std::ranges::find(angles, name) != angles.end())
        throw InputError(own,
                         fmt::format("'{}' is an angle of a joint that changes its charts: use \"points\" of bodies, "
                                     "\"loads\" on them, or give the joint \"charts\": \"one\"",
                                     name));
  };
  if (json.is_string()) check(json.get<std::string>(), where);
  if (json.is_array())
    for (std::size_t i = 0; i < json.size(); ++i) refuse_angles(json[i], fmt::format("{}/{}", where, i), angles);
  if (!json.is_object()) return;
  for (const auto& [key, value] : json.items()) {
    check(key, where + "/" + key);
    refuse_angles(value, where + "/" + key, angles);
  }
}

Vector3 vector(const std::vector<ExpressionText>& texts, const DocumentJoints::Number& number) {
  Vector3 x;
  for (std::size_t k = 0; k < texts.size(); ++k) x[k] = number(texts[k]);
  return x;
}
// One number is about z.
Vector3 about_axes(const std::vector<ExpressionText>& texts, const DocumentJoints::Number& number) {
  return texts.size() == 1 ? Vector3{0, 0, number(texts[0])} : vector(texts, number);
}

Matrix3 inertia(const std::vector<ExpressionText>& texts, const DocumentJoints::Number& number) {
  if (texts.size() < 6) {
    const Vector3 x = about_axes(texts, number);
    return diagonal(x[0], x[1], x[2]);
  }
  Expressions x;
  for (const ExpressionText& text : texts) x.push_back(number(text));
  return {{{x[0], x[3], x[4]}, {x[3], x[1], x[5]}, {x[4], x[5], x[2]}}};
}

}  // namespace

bool JointsDocument::changes_energy() const {
  return !loads.empty() || std::ranges::any_of(springs, [](const SpringDocument& x) { return x.damping.has_value(); });
}

std::vector<std::string> JointsDocument::angles_in_charts() const {
  std::vector<std::string> names;
  for (const JointDocument& joint : joints) {
    if (!has_angles(joint.kind) || !joint.two_charts) continue;
    const std::vector<std::string> all = coordinates_of(joint.name, joint.kind);
    for (auto name = all.end() - 3; name != all.end(); ++name) names.push_back(*name), names.push_back(*name + "'");
  }
  return names;
}

const std::vector<std::string>& joint_keys() {
  static const std::vector<std::string> keys{"bodies", "joints", "points", "pins", "springs", "loads", "gravity"};
  return keys;
}

std::optional<JointsDocument> read_joints(const Json& document, const std::string& where, const DocumentTexts& texts) {
  for (const std::string& key : joint_keys())
    if (document.contains(key) && !document.contains("joints"))
      throw InputError(where + "/" + key, "belongs to \"joints\", which are missing");
  if (!document.contains("joints")) return {};
  for (const char* key : {"coordinates", "mass", "kinetic_energy"})
    if (document.contains(key)) throw InputError(where + "/" + key, "follows from the joints and bodies");
  JointsDocument result = JointsReader(document, where, texts).document();
  for (const char* key : {"definitions", "potential_energy", "forces", "constraints", "nonholonomic_constraints",
                          "states", "algebraic", "springs", "loads", "observables", "invariants", "events", "outline"})
    if (document.contains(key)) refuse_angles(document[key], where + "/" + key, result.angles_in_charts());
  return result;
}

// ----- recording -----

DocumentJoints::DocumentJoints(const JointsDocument& document, Recording& r, Number constant)
    : document_(document), constant_(std::move(constant)) {
  tree_.gravity = vector(document.gravity, constant_);
  for (const BodyDocument& body : document.bodies)
    tree_.body({body.name, constant_(body.mass), vector(body.centre, constant_), inertia(body.inertia, constant_),
                body.where});
  for (const JointDocument& joint : document.joints) {
    Matrix3 turned = diagonal(1, 1, 1);
    const Vector3 angles = about_axes(joint.turned, constant_);
    for (std::size_t k = 0; k < 3; ++k) turned = turned * turn_about(k, angles[k]);
    tree_.joint({joint.name, joint.kind, point(joint.on), joint.body.body, vector(joint.body.at, constant_),
                 joint.axis.empty() ? Vector3{0, 0, 1} : vector(joint.axis, constant_), turned, joint.angles,
                 joint.two_charts, joint.where});
  }
  recorder_.emplace(tree_, r);
}

BodyPoint DocumentJoints::point(const PointDocument& document) const {
  return {document.body, vector(document.at, constant_)};
}

std::vector<std::pair<std::string, Expression>> DocumentJoints::points() const {
  std::vector<std::pair<std::string, Expression>> names;
  for (const auto& [name, place] : document_.points) {
    const BodyPoint x = point(place);
    const Vector3 position = recorder_->position(x), velocity = recorder_->velocity(x);
    for (std::size_t k = 0; k < 3; ++k) {
      const std::string own = name + "_" + "xyz"[k];
      names.emplace_back(own, position[k]), names.emplace_back(own + "'", velocity[k]);
    }
  }
  return names;
}

static bool is_spatial(const std::pair<PointDocument, PointDocument>& pin) {
  return std::max(pin.first.at.size(), pin.second.at.size()) == 3;
}

std::size_t DocumentJoints::pin_rows() const {
  std::size_t rows = 0;
  for (const auto& pin : document_.pins) rows += is_spatial(pin) ? 3 : 2;
  return rows;
}

void DocumentJoints::record_pins() {
  for (const auto& pin : document_.pins) recorder_->pin(point(pin.first), point(pin.second), is_spatial(pin));
}

void DocumentJoints::record(const Number& number) {
  const auto value = [](const std::optional<ExpressionText>& text, const Number& of) {
    return text ? of(*text) : Expression();
  };
  for (const SpringDocument& x : document_.springs)
    recorder_->spring(point(x.from), point(x.to), value(x.stiffness, constant_), value(x.length, constant_),
                      value(x.damping, number));
  for (const LoadDocument& load : document_.loads) {
    if (!load.force.empty()) recorder_->push(point(load.on), vector(load.force, number));
    if (!load.torque.empty()) recorder_->twist(load.on.body, about_axes(load.torque, number));
  }
  recorder_->record();
}

}  // namespace daelab
