#include "lab/runs/run_spec.hpp"

#include <fmt/format.h>

#include "core/base/registry.hpp"
#include "core/mechanism/state_names.hpp"

namespace daelab {

std::vector<std::string> names_of(Discontinuities) {
  return {"ignore", "detect", "watch-force", "watch-jacobian", "watch-differences"};
}
std::vector<std::string> names_of(Singular) { return {"warn", "stop", "restart", "ignore"}; }

void require_scalar(Scalar scalar, const std::string& where, const std::string& instead) {
#define DAELAB_KNOWN(T) \
  if (scalar == scalar_of<T>) return;
  DAELAB_FOR_SCALARS(DAELAB_KNOWN)
#undef DAELAB_KNOWN
  throw InputError(where, "this build has double only, not " + name_of(scalar) + " (CMake: DAELAB_SCALARS)" + instead);
}

Options RunSpec::options() {
  return {
      option("problem", problem, "problem"),
      option("formulation", formulation,
             "how the mechanical model becomes equations: name:key=value or an object with \"name\"; null: the "
             "method's natural one, or ode for ordinary differential equations"),
      option("multiplier_solver", multiplier_solver,
             "how (a, lambda) follow from mass, constraint Jacobian and force; null: written-out for independent "
             "constraints, complete-orthogonal for redundant ones"),
      option("method", method, "method"),
      option("h", h, "step size [s]; with tolerances the first one, null: the method's choice", positive()),
      option(
          "step_pattern", step_pattern,
          "step sizes over h that fixed steps take in turn: [1, 2, 1, \"1/2\"]; they must end at t_end, in the middle "
          "of the list or not; empty: all steps are h",
          positive()),
      option("rtol", rtol, "relative error tolerated per step: error control instead of fixed steps", positive()),
      option("atol", atol,
             "absolute error tolerated per step; null: rtol times the least size that matters in the "
             "problem, which is 1 unless the problem says otherwise",
             positive()),
      option("atol_velocity", atol_velocity, "the same for velocities; null: atol", positive()),
      option("atol_components", atol_components,
             "absolute tolerances of single components, in their units, in place of atol and atol_velocity: "
             "{\"q6\": \"1e-8\"} or q6=1e-8,v1=1e-3, named as in trajectories or by the problem [Ren20, (35)]",
             {{"type", {"object", "string", "null"}}}),
      option("t_end", t_end, "end time [s], after the start time of the problem; null: the problem's own"),
      option("scalar", scalar, "working precision"),
      option("newton", newton,
             "Newton iteration of implicit methods: automatic, full, modified, simplified or quasi; with options "
             "full:tolerance=1e-3,norm=max"),
      option("jacobian", jacobian,
             "matrices of that iteration: exact, or differences of the residual, with options "
             "differences:step=1e-7,scale=1e-3 [Ren20, Sec. 5.1]"),
      Option(
          "start", &start, start_type,
          "what the run starts from: consistent, project or zero-acceleration, or an object with values, weights and "
          "that as \"analysis\""),
      option("trajectory", trajectory, "store every N-th step as CSV; 0: none", at_least(0)),
      option("history", history,
             "store every attempt at a step (with error control): t, h, order, error, outcome, numerical smoothness of "
             "BDF, work"),
      option(
          "discontinuities", discontinuities,
          "detect: a step that failed three times is led up to a discontinuity by bisection, and the run starts "
          "anew there; watch-force, watch-jacobian: the same after the first failure where forces or nonzeros of C_q "
          "jump along the step [Ren20, Sec. 5.3]; watch-differences: after the second one where the error has fallen "
          "less than the order says [Gear, Østerby 1984]; ignore: the error control alone deals with it"),
      option("singular", singular,
             "a position on the way where constraints become dependent; warn: a warning names time and rows; stop: the "
             "run ends before it with the status near-singular; restart: where steps fall to nothing, a run with error "
             "control "
             "goes on beyond it; ignore: it is not looked for"),
      option("samples", samples, "times of dense output [s], ascending", Allowed{}),
      option("sample_every", sample_every, "dense output at the start and each time that this has passed, too [s]",
             positive()),
      option("invariants", invariants,
             "invariants whose errors are watched over all steps, for verdicts on their growth: energy, "
             "position_constraint, velocity_constraint, acceleration_constraint, and those that the problem declares"),
      option("observables", observables, "observables of the problem whose values at the end are kept with the run"),
      option(
          "max_steps", max_steps,
          "the most steps, with error control attempts at one: a run that needs more ends with step-limit; null: 100 "
          "million",
          Allowed{Exact(1), Exact("1e15"), false, {}}),
      option("max_step", max_step,
             "with error control the largest step [s]; null: that of the problem, or none. What happens within a step "
             "and is over at its end may be stepped over",
             positive())};
}

Json RunSpec::write() {
  Json json = options().write();
  if (!max_steps) json.erase("max_steps");
  if (!max_step) json.erase("max_step");
  if (jacobian.source == JacobianSource::exact) json.erase("jacobian");
  if (step_pattern.empty()) json.erase("step_pattern");
  if (invariants.empty()) json.erase("invariants");
  if (observables.empty()) json.erase("observables");
  if (atol_components.is_null()) json.erase("atol_components");
  return json;
}

namespace {

void require_components(const RunSpec& spec, const std::string& where) {
  require_scalar(spec.scalar, where + "/scalar");
  for (const auto& [key, component] : {std::pair("problem", &spec.problem), {"method", &spec.method}})
    if (component->empty()) throw InputError(where, fmt::format("a run needs a \"{}\"", key));
}

}  // namespace

void RunSpec::check(const std::string& where) {
  const Options all = options();
  for (const Option& option : all.list()) option.read(option.write(), where + "/" + option.name());
  require_components(*this, where);
}

RunSpec read_run_spec(Json json, const std::string& where) {
  for (const std::string key : {"newton", "jacobian"})
    if (json.contains(key) && json[key].is_string()) json[key] = parse_spec(json[key], where + "/" + key);
  for (const std::string names : {"invariants", "observables"})
    if (json.contains(names) && json[names].is_string()) json[names] = comma_separated(json[names].get<std::string>());
  RunSpec spec;
  spec.options().read(json, where);
  require_components(spec, where);
  return spec;
}

// Reading all takes as long as a tenth of a short run. Members that are read into what is there are read anew.
RunSpec read_run_spec(const Json& completed, const RunSpec& known, const Json& like) {
  Json varied = Json::object();
  for (const auto& [key, value] : completed.items())
    if (const Json* other = like.find(key); !other || !(*other == value)) varied[key] = value;
  for (const char* nested : {"newton", "jacobian"})
    if (varied.contains(nested)) return read_run_spec(completed, "");
  RunSpec spec = known;
  if (varied.contains("problem")) spec.problem = ComponentSpec(completed.at("problem"));
  if (varied.contains("start")) spec.start = {}, spec.start.read(completed.at("start"), "/start");
  varied.erase("problem"), varied.erase("start");
  if (!varied.empty()) spec.options().read(varied, "");
  return spec;
}

}  // namespace daelab
