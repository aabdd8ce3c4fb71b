#include "experiments/measures/time_norm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "core/base/norm.hpp"
#include "core/mechanism/lie_group.hpp"
#include "lab/runs/component.hpp"

namespace daelab {
namespace {

// The states that a norm sees, a sample after the other.
std::vector<const StateRecord*> states_of(const RunRecord& record, const TimeNorm& norm) {
  if (!norm.needs_samples()) return {&record.state};
  std::vector<const StateRecord*> states;
  if (record.samples)
    for (const StateRecord& sample : *record.samples) states.push_back(&sample);
  return states;
}

std::vector<const Vector<Real50>*> references_of(const ReferenceSolution& reference, const std::string& kind,
                                                 const TimeNorm& norm) {
  if (!norm.needs_samples()) return {&reference.of(kind)};
  std::vector<const Vector<Real50>*> values;
  for (const StateRecord& sample : reference.samples) values.push_back(&sample.of(kind));
  return values;
}

Real50 root_mean_square(const std::vector<Real50>& t, const std::vector<Real50>& values) {
  Real50 integral = 0;
  for (std::size_t k = 1; k < t.size(); ++k)
    integral += (t[k] - t[k - 1]) * (values[k] * values[k] + values[k - 1] * values[k - 1]) / 2;
  return sqrt(Real50(integral / (t.back() - t.front())));
}

Real50 norm_over(const std::vector<Real50>& t, const std::vector<Real50>& values, OverTime over_time) {
  if (over_time == OverTime::l2) return root_mean_square(t, values);
  NormOf<Real50> largest;
  for (const Real50& x : values) largest.add(x);
  return largest.value();
}

// Whose rotation vector a coordinate is an entry of; null: none.
const GroupCoordinates* rotation_with(Index coordinate, const std::vector<GroupCoordinates>& groups) {
  const auto found = std::ranges::find_if(groups, [coordinate](const GroupCoordinates& group) {
    return coordinate >= group.first && coordinate < group.first + 3;
  });
  return found == groups.end() ? nullptr : &*found;
}

// Measures a rotation at the times of the states; sizes are the angles of the reference.
void measure_rotation(const GroupCoordinates& group, const std::vector<const StateRecord*>& states,
                      const std::vector<const Vector<Real50>*>& references, std::vector<Real50>& errors,
                      std::vector<Real50>& sizes) {
  const auto vector = [&group](const Vector<Real50>& q) { return lie::Vector3<Real50>(q.segment(group.first, 3)); };
  for (std::size_t k = 0; k < states.size(); ++k) {
    const lie::Vector3<Real50> ours = vector(states[k]->q), exact = vector(*references[k]);
    const auto between = lie::product(lie::conjugate(lie::exponential(exact)), lie::exponential(ours));
    errors[k] = lie::logarithm(between).norm(), sizes[k] = exact.norm();
  }
}

bool samples_alike(const Json& a, const Json& b) {
  return a.at("samples") == b.at("samples") && a.at("sample_every") == b.at("sample_every");
}

}  // namespace

std::vector<std::string> names_of(OverTime) { return {"end", "maximum", "l2"}; }

std::vector<std::string> names_of(RotationErrors) { return {"components", "geodesic"}; }

std::string TimeNorm::name() const {
  return name_of(over_time) + (relative ? ", relative" : "") + (is_geodesic() ? ", geodesic" : "");
}

std::string TimeNorm::quantity() const {
  const char* const error = relative ? "relative error" : "error";
  switch (over_time) {
    case OverTime::end:
      return error;
    case OverTime::maximum:
      return fmt::format("largest {}", error);
    case OverTime::l2:
      return fmt::format("root mean square {}", error);
  }
  return error;
}

std::string TimeNorm::words() const {
  if (is_usual()) return units_of_errors;
  const char* const measure = relative ? "over the same norm of the reference" : "each in its unit";
  const char* const rotations = is_geodesic() ? " Errors of rotations are angles to those of the reference." : "";
  switch (over_time) {
    case OverTime::end:
      return fmt::format("Errors are the largest over the components, {}.{}", measure, rotations);
    case OverTime::maximum:
      return fmt::format("Errors are the largest over the sampled times and the components, {}.{}", measure, rotations);
    case OverTime::l2:
      return fmt::format("Errors are root mean squares over the sampled time, the largest of the components, {}.{}",
                         measure, rotations);
  }
  return "";
}

static void check_rotations(const Config& config) {
  for (std::size_t i = 0; i < config.runs.size(); ++i)
    if (groups_of(integration(config, i).problem()).empty())
      throw InputError("/rotations", fmt::format("'geodesic' is the angle between rotations, and the problem of run "
                                                 "'{}' has none as states: choose 'components'",
                                                 config.labels[i]));
}

void check_norm(const TimeNorm& norm, const Config& config) {
  if (norm.is_geodesic()) check_rotations(config);
  if (!norm.needs_samples()) return;
  if (!config.reference)
    throw InputError("/norm", fmt::format("'{}' needs the reference at all sampled times, and stored references are "
                                          "for end times: give a \"reference\" run, or choose the norm 'end'",
                                          name_of(norm.over_time)));
  for (std::size_t i = 0; i < config.runs.size(); ++i) {
    const RunSpec& spec = integration(config, i).spec();
    if (spec.samples.empty() && !spec.sample_every)
      throw InputError("/norm", fmt::format("'{}' needs samples, and run '{}' has none: set \"sample_every\" or "
                                            "\"samples\" in common",
                                            name_of(norm.over_time), config.labels[i]));
    if (!spec.sample_every && spec.samples.size() < 2 && norm.over_time == OverTime::l2)
      throw InputError("/norm", "'l2' needs two samples at least");
    if (!samples_alike(integration(config, i).json(), static_cast<const Run&>(*config.reference).json()))
      throw InputError("/reference",
                       fmt::format("has other samples than run '{}': set them in common", config.labels[i]));
  }
}

Real50 error_of(const RunRecord& record, const ReferenceSolution& reference, const std::string& component,
                const TimeNorm& norm) {
  const ComponentName name = component_or_class(component, "/components");
  const std::vector<const StateRecord*> states = states_of(record, norm);
  const std::vector<const Vector<Real50>*> references = references_of(reference, name.kind, norm);
  if (states.empty() || states.size() != references.size())
    throw std::logic_error("a run and its reference have other samples than was checked");
  std::vector<Real50> t, errors(states.size()), sizes(states.size());
  for (const StateRecord* state : states) t.push_back(state->t);
  NormOf<Real50> error, size;
  const bool is_geodesic = norm.is_geodesic() && name.kind == "q" && name.place < 0;
  for (Index i = 0; i < references.front()->size(); ++i) {
    if (name.place >= 0 && name.place != i) continue;
    const GroupCoordinates* const rotation = is_geodesic ? rotation_with(i, reference.groups) : nullptr;
    if (rotation != nullptr && i != rotation->first) continue;
    if (rotation != nullptr)
      measure_rotation(*rotation, states, references, errors, sizes);
    else
      for (std::size_t k = 0; k < states.size(); ++k)
        sizes[k] = (*references[k])[i], errors[k] = states[k]->of(name.kind)[i] - sizes[k];
    error.add(norm_over(t, errors, norm.over_time)), size.add(norm_over(t, sizes, norm.over_time));
  }
  return norm.relative ? Real50(error.value() / size.value()) : error.value();
}

}  // namespace daelab
