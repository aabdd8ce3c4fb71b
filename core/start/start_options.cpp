#include "core/start/start_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/mechanism/configuration_space.hpp"
#include "core/mechanism/forms.hpp"
#include "core/mechanism/group_charts.hpp"

namespace daelab {
namespace {

std::vector<NamedValue> read_weights(const Json& given, const StateNames& names, std::string_view kind,
                                     const std::string& where) {
  std::vector<NamedValue> weights = read_named_values(given, names, kind, where);
  for (const NamedValue& weight : weights)
    if (weight.value.value() <= 0)
      throw InputError(given.is_object() ? where + "/" + weight.name : where,
                       fmt::format("{} is not allowed; allowed: above 0", weight.value.text()));
  return weights;
}

std::vector<std::string> list_of_names(const Json& given, const std::string& where) {
  if (given.is_string()) return comma_separated(given.get<std::string>());
  if (!given.is_array()) throw InputError(where, "expected names, \"q6,v1\" or a list, got " + given.dump());
  std::vector<std::string> list;
  for (const Json& name : given) {
    if (!name.is_string()) throw InputError(where, "expected a name, got " + name.dump());
    list.push_back(name.get<std::string>());
  }
  return list;
}

std::vector<StateEntry> read_fixed(const Json& given, const StateNames& names, const std::string& where) {
  std::vector<StateEntry> fixed;
  if (given.is_null()) return fixed;
  for (const std::string& name : list_of_names(given, where)) {
    const StateEntry& entry = names.find("qvy", name, where);
    for (const StateEntry& other : fixed)
      if (other.place == entry.place) throw InputError(where, fmt::format("'{}' is given twice", entry.name));
    fixed.push_back(entry);
  }
  return fixed;
}

}  // namespace

std::vector<std::string> names_of(StartAnalysis) { return {"consistent", "project", "zero-acceleration"}; }

template <class T>
void StartValues::put_into(Model<T>& model) const {
  if (!replaces()) return;
  const Recording& recording = model.forms().recording();
  const auto n = static_cast<Index>(recording.q.size());
  for (const auto& missing : recording.missing_starts) {
    const auto i = static_cast<Index>(missing.index);
    const Index place = n == 0 || missing.kind == 'q' ? i : model.size() / 2 + (missing.kind == 'v' ? 0 : n) + i;
    if (std::ranges::none_of(values, [&](const NamedValue& x) { return x.place == place; }))
      throw InputError(missing.cause);
  }
  Vector<T> y = model.recorded_y();
  MechanicalModel<T>* const mechanism = model.mechanical();
  if (mechanism != nullptr) to_reported(*mechanism, y);
  for (const NamedValue& x : values) y[x.place] = x.value.as<T>();
  if (mechanism != nullptr) from_reported(*mechanism, y);
  model.start_from(y);
}

template <class T>
void StartValues::put_accelerations(const MechanicalModel<T>& model, const Vector<T>& q, Vector<T> v,
                                    Vector<T>& a) const {
  if (accelerations.empty()) return;
  const ConfigurationSpace<T> space(model.groups());
  space.left_from_chart(q, v, a);
  for (const NamedValue& x : accelerations) a[x.place] = x.value.as<T>();
  space.chart_from_left(q, v, a);
}

template <class T>
StartWeights<T> StartValues::weights(Index n) const {
  if (!is_weighted()) return {};
  StartWeights<T> result{Vector<T>::Ones(n), Vector<T>::Ones(n)};
  for (const NamedValue& x : weights_q) result.q[x.place] = x.value.as<T>();
  for (const NamedValue& x : weights_v) result.v[x.place - n] = x.value.as<T>();
  for (const StateEntry& x : fixed)
    (x.place < n ? result.q[x.place] : result.v[x.place - n]) = T(StartWeights<T>::trusted);
  return result;
}

template <class T>
Vector<T> StartValues::weights_of_states(Index states) const {
  if (!is_weighted()) return {};
  Vector<T> result = Vector<T>::Ones(states);
  for (const NamedValue& x : weights_y) result[x.place] = x.value.as<T>();
  for (const StateEntry& x : fixed) result[x.place] = T(StartWeights<T>::trusted);
  return result;
}

Options StartOptions::options() {
  const Json values = {{"type", {"object", "array", "string", "null"}}};
  const Json names = {{"type", {"array", "string", "null"}}};
  return {
      option("analysis", analysis,
             "consistent: (a, lambda) from the start values, which are refused where they violate the constraints; "
             "project: move them onto the constraints first; zero-acceleration: a = 0 on purpose, to show the harm"),
      option("q", q,
             "coordinates in place of the problem's own, by name as in trajectories or as the problem calls them: "
             "{\"q6\": V}, q6=V,q7=V, or a list of all [m, rad]",
             values),
      option("v", v, "the same for velocities: v1=V [m/s, rad/s]", values),
      option("y", y, "the same for first-order states: y1=V", values),
      option("fix", fix, "trusted ones, with weight 1e6 when the others are moved onto the constraints: q6,q7,v1",
             names),
      option("weights_q", weights_q,
             "how much each coordinate is trusted when they are moved onto the constraints; default: 1", values),
      option("weights_v", weights_v, "the same for velocities", values),
      option("weights_y", weights_y, "the same for first-order states", values),
      option("a", a,
             "accelerations that methods start with in place of the consistent ones, unchecked, as a program of others "
             "has them: a1=V [m/s^2, rad/s^2]",
             values)};
}

const std::vector<std::string>& StartOptions::value_keys() {
  static const std::vector<std::string> keys{"q", "v", "y", "fix", "weights_q", "weights_v", "weights_y"};
  return keys;
}

void StartOptions::read(const Json& given, const std::string& where) {
  *this = {};
  const Json analysis_alone = {{"analysis", given}};
  options().read(given.is_string() ? analysis_alone : given, where);
  const bool trusts = !fix.is_null() || !weights_q.is_null() || !weights_v.is_null() || !weights_y.is_null();
  if (!trusts) return;
  if (!given.contains("analysis")) analysis = StartAnalysis::project;
  if (analysis != StartAnalysis::project)
    throw InputError(where + "/analysis", "fixed values and weights need the analysis \"project\"");
}

Json StartOptions::write() {
  Json json = options().write();
  for (const std::string& key : value_keys())
    if (json[key].is_null()) json.erase(key);
  if (a.is_null()) json.erase("a");
  return json.size() == 1 ? json["analysis"] : json;
}

StartValues StartOptions::resolve(const StateNames& names, const std::string& where) {
  StartValues result;
  for (auto& [kind, given] : {std::pair<const char*, Json&>{"q", q}, {"v", v}, {"y", y}}) {
    const std::vector<NamedValue> values = read_named_values(given, names, kind, where + "/" + kind);
    if (!given.is_null()) given = to_json(values);
    result.values.insert(result.values.end(), values.begin(), values.end());
  }
  result.accelerations = read_named_values(a, names, "a", where + "/a");
  if (!a.is_null()) a = to_json(result.accelerations);
  result.weights_q = read_weights(weights_q, names, "q", where + "/weights_q");
  result.weights_v = read_weights(weights_v, names, "v", where + "/weights_v");
  result.weights_y = read_weights(weights_y, names, "y", where + "/weights_y");
  result.fixed = read_fixed(fix, names, where + "/fix");
  if (!weights_q.is_null()) weights_q = to_json(result.weights_q);
  if (!weights_v.is_null()) weights_v = to_json(result.weights_v);
  if (!weights_y.is_null()) weights_y = to_json(result.weights_y);
  std::vector<std::string> fixed;
  for (const StateEntry& entry : result.fixed) fixed.push_back(entry.name);
  if (!fix.is_null()) fix = fmt::format("{}", fmt::join(fixed, ","));
  return result;
}

const OptionType start_type = {
    [](void* member, const Allowed&) {
      Json keys = Json::object();  // names alone: lists, which are grids, may be anywhere in them
      const Options options = static_cast<StartOptions*>(member)->options();
      for (const Option& option : options.list()) keys[option.name()] = Json::object();
      const Json object = {{"type", "object"}, {"properties", keys}, {"additionalProperties", false}};
      return Json{{"anyOf", {choice_schema(one_of(names_of(StartAnalysis{}))), object}}};
    },
    [](void* member, const Json& value, const std::string& where, const Allowed&) {
      static_cast<StartOptions*>(member)->read(value, where);
    },
    [](void* member) { return static_cast<StartOptions*>(member)->write(); }};

#define DAELAB_INSTANTIATE(T)                                                                                         \
  template void StartValues::put_into<T>(Model<T>&) const;                                                            \
  template void StartValues::put_accelerations<T>(const MechanicalModel<T>&, const Vector<T>&, Vector<T>, Vector<T>&) \
      const;                                                                                                          \
  template StartWeights<T> StartValues::weights<T>(Index) const;                                                      \
  template Vector<T> StartValues::weights_of_states<T>(Index) const;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
