#include "experiments/measures/body_system.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/base/input_error.hpp"
#include "core/base/message.hpp"
#include "core/base/options.hpp"

namespace daelab {
namespace {

constexpr const char* ground = "ground";

using Exacts = std::vector<Exact>;
Exacts zero() { return {0, 0, 0}; }

struct BodyOptions {
  std::string name;
  Exact mass = 1;
  Exacts inertia{1, 1, 1}, predictor_inertia, position = zero(), velocity = zero(), angular_velocity = zero(),
                                              rotation{1, 0, 0, 0, 1, 0, 0, 0, 1};

  Options options() {
    return {option("name", name, "that constraints call it by"),
            option("mass", mass, "[kg]", positive()),
            option("inertia", inertia, "diagonal in body axes [kg m^2]", positive()),
            option("predictor_inertia", predictor_inertia, "that of predictors; left out: the same", positive()),
            option("position", position, "of the centre of mass [m]"),
            option("velocity", velocity, "of it [m/s]"),
            option("rotation", rotation, "A, row by row"),
            option("angular_velocity", angular_velocity, "in body axes [rad/s]")};
  }
};

struct DriverOptions {
  Exacts a_i = zero(), a_j = zero();
  Exact rate = 0, phase = 0;

  Options options() {
    return {option("a_i", a_i, "vector of body i"), option("a_j", a_j, "vector of body j"),
            option("rate", rate, "f = cos(rate t + phase) [rad/s]"), option("phase", phase, "[rad]")};
  }
};

struct ConstraintOptions {
  ConstraintShape type = ConstraintShape::cd;
  std::string i = ground, j = ground;
  Exacts a_i = zero(), a_j = zero(), s_i = zero(), s_j = zero(), c = zero();
  Exact f = 0;
  std::vector<DriverOptions> drivers;

  Options options() {
    return {option("type", type, "shape of the constraint"),
            option("i", i, "a body, or ground"),
            option("j", j, "the other one"),
            option("a_i", a_i, "vector of body i"),
            option("a_j", a_j, "vector of body j"),
            option("s_i", s_i, "point of body i [m]"),
            option("s_j", s_j, "point of body j [m]"),
            option("c", c, "direction in global axes"),
            option("f", f, "value"),
            option("drivers", drivers, "of DP1: vectors and values over time, one in force at a time")};
  }
};

struct SystemOptions {
  std::string name, summary, source;
  Exacts gravity = zero();
  std::vector<BodyOptions> bodies;
  std::vector<ConstraintOptions> constraints;

  Options options() {
    return {option("name", name, "of the mechanism"),     option("summary", summary, "in a sentence"),
            option("source", source, "where it is from"), option("gravity", gravity, "acceleration [m/s^2]"),
            option("bodies", bodies, "rigid bodies"),     option("constraints", constraints, "independent ones")};
  }
};

void require_count(const Exacts& list, std::size_t count, const std::string& where) {
  if (list.size() != count) throw InputError(where, fmt::format("has {} numbers, not {}", list.size(), count));
}

Vector3d vector(const Exacts& list, const std::string& where) {
  require_count(list, 3, where);
  return {list[0].as<double>(), list[1].as<double>(), list[2].as<double>()};
}

RotatingBody body(const BodyOptions& from, const std::string& where) {
  RotatingBody to;
  to.mass = from.mass.as<double>();
  to.inertia = vector(from.inertia, where + "/inertia");
  to.predictor_inertia =
      from.predictor_inertia.empty() ? to.inertia : vector(from.predictor_inertia, where + "/predictor_inertia");
  to.r = vector(from.position, where + "/position"), to.v = vector(from.velocity, where + "/velocity");
  to.omega = vector(from.angular_velocity, where + "/angular_velocity");
  require_count(from.rotation, 9, where + "/rotation");
  for (Index k = 0; k < 9; ++k) to.A(k / 3, k % 3) = from.rotation[static_cast<std::size_t>(k)].as<double>();
  constexpr double printed_digits = 1e-5;  // six and fewer of some programs
  if (!((to.A.transpose() * to.A - Matrix3d::Identity()).cwiseAbs().maxCoeff() < printed_digits))
    throw InputError(where + "/rotation", "is no rotation matrix: its columns are not orthogonal unit vectors");
  return to;
}

int place_of(const std::string& name, const std::vector<std::string>& names, const std::string& where) {
  if (name == ground) return BodyConstraint::ground;
  const auto place = std::ranges::find(names, name);
  if (place == names.end())
    throw InputError(where, fmt::format("there is no body '{}'{} (known: {}, {})", without_middle(name),
                                        did_you_mean(name, names), fmt::join(names, ", "), ground));
  return static_cast<int>(place - names.begin());
}

BodyConstraint constraint(const ConstraintOptions& from, const std::vector<std::string>& names,
                          const std::string& where) {
  BodyConstraint to;
  to.shape = from.type, to.f = from.f.as<double>();
  to.i = place_of(from.i, names, where + "/i"), to.j = place_of(from.j, names, where + "/j");
  if (to.i == to.j) throw InputError(where + "/j", "is the same body as \"i\"");
  to.a_i = vector(from.a_i, where + "/a_i"), to.a_j = vector(from.a_j, where + "/a_j");
  to.s_i = vector(from.s_i, where + "/s_i"), to.s_j = vector(from.s_j, where + "/s_j");
  to.c = vector(from.c, where + "/c");
  if (!from.drivers.empty() && from.type != ConstraintShape::dp1)
    throw InputError(where + "/drivers", "are of constraints of type DP1");
  for (std::size_t k = 0; k < from.drivers.size(); ++k) {
    const std::string at = fmt::format("{}/drivers/{}", where, k);
    to.drivers.push_back({from.drivers[k].rate.as<double>(), from.drivers[k].phase.as<double>(),
                          vector(from.drivers[k].a_i, at + "/a_i"), vector(from.drivers[k].a_j, at + "/a_j")});
  }
  return to;
}

}  // namespace

BodySystem read_body_system(const Json& json, const std::string& where) {
  SystemOptions options;
  options.options().read(json, where);
  if (options.name.empty()) throw InputError(where, "needs a \"name\"");
  if (options.bodies.empty()) throw InputError(where + "/bodies", "is missing: a list of bodies");
  if (options.constraints.empty()) throw InputError(where + "/constraints", "is missing: a list of constraints");
  BodySystem system;
  system.gravity = vector(options.gravity, where + "/gravity");
  std::vector<std::string> names;
  for (std::size_t b = 0; b < options.bodies.size(); ++b) {
    const std::string at = fmt::format("{}/bodies/{}", where, b), &name = options.bodies[b].name;
    if (name.empty() || name == ground || std::ranges::find(names, name) != names.end())
      throw InputError(at + "/name", "must be a text that no other body has, and not " + std::string(ground));
    names.push_back(name);
    system.bodies.push_back(body(options.bodies[b], at));
  }
  for (std::size_t k = 0; k < options.constraints.size(); ++k)
    system.constraints.push_back(constraint(options.constraints[k], names, fmt::format("{}/constraints/{}", where, k)));
  return system;
}

}  // namespace daelab
