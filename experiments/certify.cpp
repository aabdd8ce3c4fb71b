#include "experiments/certify.hpp"

#include <fmt/format.h>

#include "core/consistent_start.hpp"
#include "core/problem.hpp"
#include "experiments/run.hpp"

namespace daelab {

#ifdef DAELAB_DOUBLE_ONLY

Json certify_reference(const Json&, const std::vector<Exact>&) {
  throw InputError("reference solutions need the scalar real50, which this build leaves out");
}

#else

namespace {

// The witness: ten-stage Gauss collocation, order 20, on the index-1 form in absolute coordinates.
constexpr const char* witness_method = "gauss:s=10";
constexpr const char* witness_step = "1/500";

struct FullState {
  Vector<Real50> q, v, a, lambda;
};

FullState complete(const Problem& problem, const Real50& t, const Motion& motion) {
  const auto model = problem.model(As<Real50>{});
  FullState state{motion.q, motion.v, Vector<Real50>(motion.q.size()), Vector<Real50>(model->constraints())};
  if (const Status status = solve_accelerations(*model, t, state.q, state.v, state.a, state.lambda); !status.ok())
    throw std::runtime_error("reference: " + status.cause);
  return state;
}

double largest_difference(const FullState& x, const FullState& y) {
  Real50 largest = 0;
  const auto compare = [&](const Vector<Real50>& a, const Vector<Real50>& b) {
    for (Index i = 0; i < a.size(); ++i) largest = std::max(largest, Real50(abs(a[i] - b[i])));
  };
  compare(x.q, y.q), compare(x.v, y.v), compare(x.a, y.a), compare(x.lambda, y.lambda);
  return static_cast<double>(largest);
}

// One run to the last time, sampled at step ends on the way.
std::vector<FullState> witness(const Json& problem, const std::vector<Exact>& times) {
  Json samples = Json::array();
  for (const Exact& t : times) samples.push_back(t.text());
  const Json record = execute(resolve_run({{"problem", problem},
                                           {"formulation", "index-1"},
                                           {"method", witness_method},
                                           {"h", witness_step},
                                           {"t_end", times.back().text()},
                                           {"scalar", "real50"},
                                           {"newton", "modified:guess=extrapolated"},
                                           {"samples", samples}},
                                          "")).record;
  if (record["status"] != "ok")
    throw std::runtime_error("reference: the witness run failed: " + record["cause"].get<std::string>());
  std::vector<FullState> states;
  for (const Json& state : record["samples"])
    states.push_back({record_vector(state["q"]), record_vector(state["v"]), record_vector(state["a"]),
                      record_vector(state["lambda"])});
  return states;
}

int digits(double difference) {
  return difference == 0 ? 48 : std::min(48, static_cast<int>(std::floor(-std::log10(difference))));
}

Json texts(const Vector<Real50>& x) {
  Json list = Json::array();
  for (const Real50& value : x) list.push_back(to_text(value));
  return list;
}

Json state_json(const Problem& problem, const Exact& t, const FullState& witness) {
  const Real50 time = t.as<Real50>();
  const FullState fine = complete(problem, time, *problem.independent_solution(time, 56));
  const FullState coarse = complete(problem, time, *problem.independent_solution(time, 44));
  const double own = largest_difference(fine, coarse);
  const double other = largest_difference(fine, witness);
  return {{"t", t.text()},
          {"digits_trusted", digits(std::max(own, other))},
          {"agreement", {{"two resolutions of the route", own}, {"witness", other}}},
          {"q", texts(fine.q)},
          {"v", texts(fine.v)},
          {"a", texts(fine.a)},
          {"lambda", texts(fine.lambda)}};
}

}  // namespace

Json certify_reference(const Json& problem_spec, const std::vector<Exact>& times) {
  const auto problem = Registry<Problem>::instance().make(problem_spec, "--problem");
  if (!problem->independent_solution(Real50(0), 40))
    throw InputError(fmt::format("{} has no independent route to its solution for these parameters",
                                 spec_text(problem->spec())));
  Json spec = problem->spec();
  spec.erase("end_time");
  const bool redundant = problem->redundant_constraints() > 0;
  const char* choice = redundant ? "; constraints are redundant, lambda is the one of least norm" : "";
  Json file = {{"problem", spec},
               {"route", problem->independent_route()},
               {"certificate", fmt::format("largest difference of any component of (q, v, a, lambda) between two "
                                           "resolutions of the route, and to the witness {} with h = {} on index 1, "
                                           "all in 50 digits{}", witness_method, witness_step, choice)},
               {"states", Json::array()}};
  const std::vector<FullState> witnesses = witness(problem->spec(), times);
  for (std::size_t i = 0; i < times.size(); ++i)
    file["states"].push_back(state_json(*problem, times[i], witnesses[i]));
  return file;
}

#endif

}  // namespace daelab
