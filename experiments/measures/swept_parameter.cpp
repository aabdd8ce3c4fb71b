#include "experiments/measures/swept_parameter.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace daelab {
namespace {

// A problem that is a JSON document has its parameters in a member of their own.
std::string parameters_place(const Json& spec) {
  const Json& problem = spec.at("problem");
  return problem.contains("parameters") && problem["parameters"].is_object() ? "/problem/parameters" : "/problem";
}

bool is_number(const Json& value) {
  if (!value.is_string()) return value.is_number();
  try {
    exact_from_json(value, "");
    return true;
  } catch (const InputError&) {
    return false;
  }
}

std::vector<std::string> number_names(const Json& spec) {
  std::vector<std::string> names;
  for (const auto& [name, value] : spec[Json::json_pointer(parameters_place(spec))].items())
    if (name != "name" && is_number(value)) names.push_back(name);
  return names;
}

}  // namespace

SweptParameter::SweptParameter(const Json& given, const std::string& where) : where_(where) {
  if (given.is_string() && given.get<std::string>().starts_with("/")) {
    pointer_ = given.get<std::string>();
    return;
  }
  for (const Json& name : given.is_array() ? given : Json::array({given})) {
    if (!name.is_string() || name.get<std::string>().empty() || name.get<std::string>().starts_with("/"))
      throw InputError(where, fmt::format("expected a JSON pointer such as \"/problem/stiffness\", a parameter of the "
                                          "problems such as \"links\", or a list of parameters, got {}",
                                          name.dump()));
    names_.push_back(name.get<std::string>());
  }
  if (names_.empty()) throw InputError(where, "names no parameter");
}

Json SweptParameter::schema() {
  return {{"anyOf", {{{"type", "string"}}, {{"type", "array"}, {"items", {{"type", "string"}}}, {"minItems", 1}}}}};
}

std::string SweptParameter::label() const {
  return is_named() ? fmt::format("{}", fmt::join(names_, ", ")) : pointer_.substr(pointer_.rfind('/') + 1);
}

std::string SweptParameter::place_in(const Json& spec) const {
  if (!is_named()) return spec.contains(Json::json_pointer(pointer_)) ? pointer_ : "";
  const std::string parameters = parameters_place(spec);
  const Json& object = spec[Json::json_pointer(parameters)];
  for (const std::string& name : names_)
    if (name != "name" && object.contains(name)) return parameters + "/" + name;
  return "";
}

void SweptParameter::check(const Run& run, const std::string& called) const {
  const Json& spec = run.json();
  const std::string place = place_in(spec);
  if (place.empty()) refuse(spec, called);
  const Exact value = exact_from_json(spec[Json::json_pointer(place)], where_);
  if (value.value() <= 0)
    throw InputError(
        where_, fmt::format("of run '{}' it is {}, but costs are drawn over values above 0", called, value.text()));
}

void SweptParameter::refuse(const Json& spec, const std::string& called) const {
  if (!is_named()) throw InputError(where_, fmt::format("run '{}' has no {}", called, pointer_));
  const std::vector<std::string> known = number_names(spec);
  std::string nearest;
  for (const std::string& name : names_)
    if (nearest.empty()) nearest = did_you_mean(name, known);
  throw InputError(where_,
                   fmt::format("run '{}': the problem {} has no parameter '{}'{} ({})", called,
                               spec["problem"]["name"].get<std::string>(), fmt::join(names_, "' or '"), nearest,
                               known.empty() ? "it has none" : fmt::format("known: {}", fmt::join(known, ", "))));
}

double SweptParameter::value_of(const Json& spec) const {
  return exact_from_json(spec[Json::json_pointer(place_in(spec))], where_).as<double>();
}

void SweptParameter::leave_out(Json& spec) const {
  if (const std::string place = place_in(spec); !place.empty()) spec.erase(Json::json_pointer(place));
}

}  // namespace daelab
