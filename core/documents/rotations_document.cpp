#include "core/documents/rotations_document.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/json_kind.hpp"
#include "core/expressions/derivative.hpp"

namespace daelab {
namespace {

constexpr long axes = 3;

std::vector<std::string> numbered(const std::string& name, long count) {
  std::vector<std::string> list;
  for (long i = 1; i <= count; ++i) list.push_back(fmt::format("{}{}", name, i));
  return list;
}

void put(const std::string& name, const auto& values, Names& names) {
  for (std::size_t i = 0; i < values.size(); ++i) names.insert_or_assign(fmt::format("{}{}", name, i + 1), values[i]);
}
void put(const std::string& name, const Matrix3& R, Names& names) {
  for (std::size_t i = 0; i < R.size(); ++i) put(fmt::format("{}{}_", name, i + 1), R[i], names);
}

LieGroup group_named(const Json& json, const std::string& where) {
  static const std::map<std::string, LieGroup> known{
      {"so3", LieGroup::so3}, {"s3", LieGroup::so3}, {"se3", LieGroup::se3}};
  const std::string text = require(JsonKind::text, json, where).get<std::string>();
  if (const auto found = known.find(text); found != known.end()) return found->second;
  throw InputError(
      where, fmt::format("'{}' is not allowed{} (allowed: so3 or s3, a rotation; se3, the motion of a body)", text,
                         did_you_mean(text, {"so3", "s3", "se3"})));
}

std::vector<ExpressionText> entries_of(const Json& list, std::size_t count, const std::string& where,
                                       const DocumentTexts& texts) {
  const std::vector<ExpressionText> entries = texts.list(list, where);
  if (entries.size() != count)
    throw InputError(where, fmt::format("{} entries given, {} needed", entries.size(), count));
  return entries;
}

void read_axis(const Json& start, const std::string& where, const DocumentTexts& texts, RotationDocument& rotation) {
  check_keys(start, {"axis", "angle"}, where);
  for (const char* key : {"axis", "angle"})
    if (!start.contains(key))
      throw InputError(fmt::format("{}/{}", where, key), "is missing: axis and angle of the start");
  rotation.start = RotationDocument::Start::axis;
  rotation.entries = entries_of(start["axis"], axes, where + "/axis", texts);
  rotation.entries.push_back(texts.expression(start["angle"], where + "/angle"));
}

void read_start_of(const Json& start, const std::string& where, const DocumentTexts& texts,
                   RotationDocument& rotation) {
  using Start = RotationDocument::Start;
  rotation.start_where = where;
  if (start.is_object()) return read_axis(start, where, texts, rotation);
  const bool is_list = start.is_array();
  if (is_list && start.size() == axes &&
      std::all_of(start.begin(), start.end(), [](const Json& x) { return x.is_array(); })) {
    rotation.start = Start::matrix;
    for (std::size_t i = 0; i < start.size(); ++i)
      for (ExpressionText& entry : entries_of(start[i], axes, fmt::format("{}/{}", where, i), texts))
        rotation.entries.push_back(std::move(entry));
    return;
  }
  if (!is_list || start.size() != 4)
    throw InputError(
        where,
        "the start of a rotation is a matrix (three rows of three entries), a quaternion (four entries, the "
        "real part first) or {\"axis\": [x, y, z], \"angle\": a}");
  rotation.start = Start::quaternion;
  rotation.entries = entries_of(start, 4, where, texts);
}

Vector3 three(const Expressions& list, std::size_t first) { return {list[first], list[first + 1], list[first + 2]}; }

Quaternion start_quaternion(const RotationDocument& document, const Expressions& x) {
  using Start = RotationDocument::Start;
  switch (document.start) {
    case Start::matrix:
      return quaternion_of_matrix({three(x, 0), three(x, 3), three(x, 6)});
    case Start::quaternion:
      return unit_quaternion({x[0], x[1], x[2], x[3]});
    case Start::axis:
      return quaternion_of_axis(three(x, 0), x[3]);
    case Start::none:
      break;
  }
  return {1, 0, 0, 0};
}

}  // namespace

std::vector<std::string> RotationDocument::velocities() const {
  std::vector<std::string> list = numbered("omega_" + name, axes);
  if (group == LieGroup::se3)
    for (std::string& x : numbered("u_" + name, axes)) list.push_back(std::move(x));
  return list;
}
std::vector<std::string> RotationDocument::start_names() const {
  std::vector<std::string> list = velocities();
  if (group == LieGroup::se3)
    for (std::string& x : numbered("x_" + name, axes)) list.push_back(std::move(x));
  return list;
}
std::vector<std::pair<std::string, std::vector<long>>> RotationDocument::vectors() const {
  std::vector<std::pair<std::string, std::vector<long>>> list{
      {name, {axes, axes}}, {"omega_" + name, {axes}}, {"p_" + name, {4}}};
  if (group == LieGroup::se3)
    for (const char* what : {"x_", "u_"}) list.push_back({what + name, {axes}});
  return list;
}

std::vector<RotationDocument> read_rotations(const Json& rotations, const std::string& where) {
  std::vector<RotationDocument> list;
  for (const auto& [name, value] : require(JsonKind::object, rotations, where).items()) {
    const std::string own = where + "/" + name;
    list.push_back({.name = name, .where = own, .group = group_named(value, own), .start_where = own, .entries = {}});
  }
  return list;
}

void take_starts(Json& start, const std::string& where, const DocumentTexts& texts,
                 std::vector<RotationDocument>& rotations) {
  for (RotationDocument& rotation : rotations) {
    if (!start.contains(rotation.name)) continue;
    read_start_of(start[rotation.name], where + "/" + rotation.name, texts, rotation);
    start.erase(rotation.name);
  }
}

void DocumentRotations::add(const std::vector<RotationDocument>& documents, Recording& r) {
  for (const RotationDocument& document : documents)
    if (document.group == LieGroup::se3)
      RigidMotion(r, document.name);
    else
      Rotation(r, document.name);
}

DocumentRotations::DocumentRotations(const std::vector<RotationDocument>& documents, Recording& r)
    : documents_(documents), r_(r) {
  for (const GroupCoordinates& group : r.groups) {
    const Rotation rotation(r, group);
    put(group.name, rotation.matrix(), names_);
    put("omega_" + group.name, rotation.angular_velocity(), names_);
    put("p_" + group.name, rotation.quaternion(), names_);
    if (group.group != LieGroup::se3) continue;
    const RigidMotion motion(r, group);
    put("x_" + group.name, motion.place(), names_);
    put("u_" + group.name, motion.body_velocity(), names_);
  }
}

bool DocumentRotations::add_force(const std::string& name, const Expression& value) {
  for (const RotationDocument& document : documents_) {
    const std::vector<std::string> known = document.velocities();
    if (std::ranges::find(known, name) == known.end()) continue;
    const Expressions slope = gradient(names_.at(name), r_.v);
    for (std::size_t i = 0; i < slope.size(); ++i) r_.force[i] += slope[i] * value;
    return true;
  }
  return false;
}

void DocumentRotations::start_at(std::size_t number, const Expressions& entries, Names& names) {
  const RotationDocument& document = documents_[number];
  const Quaternion p = place_errors(document.start_where, [&] { return start_quaternion(document, entries); });
  Rotation(r_, r_.groups[number]).start_at(r_, p);
  put("p_" + document.name, p, names);
  put(document.name, matrix_of_quaternion(p), names);
}

bool DocumentRotations::start_with(const std::string& name, const Expression& value) {
  for (std::size_t k = 0; k < documents_.size(); ++k) {
    const std::vector<std::string> known = documents_[k].start_names();
    const auto place = static_cast<std::size_t>(std::ranges::find(known, name) - known.begin());
    if (place == known.size()) continue;
    const auto first = static_cast<std::size_t>(r_.groups[k].first), base = static_cast<std::size_t>(r_.groups[k].base);
    const auto velocities = static_cast<std::size_t>(dimension(documents_[k].group));
    if (place < velocities)
      r_.start_v[first + place] = value;
    else
      r_.start_held[base + 4 + place - velocities] = value;
    return true;
  }
  return false;
}

}  // namespace daelab
