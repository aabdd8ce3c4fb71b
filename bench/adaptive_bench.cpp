// Whole runs with error control, set-up of the stepper included, with the work they took and the digits they reached:
// goals of two mechanisms, and explicit and implicit methods from loose to tight tolerances.
// Aims: BDF on index 3, six correct digits of q on the seven-body mechanism below 2 ms, the flexible slider-crank below
// 20 ms; Dormand-Prince with projection, eight correct digits of q on the seven-body mechanism below 2 ms.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "core/equations/formulation.hpp"
#include "core/integration/integrate.hpp"
#include "core/integration/method.hpp"
#include "core/mechanism/problem.hpp"
#include "results/reference.hpp"

namespace daelab {
namespace {

struct Case {
  std::string name;
  const char *problem, *t_end, *formulation, *method, *newton;
  double rtol, atol, atol_velocity;
};

// -log10 of the largest relative error of a coordinate: the correct digits of q.
double digits(const Case& c, const Problem& problem, const State<double>& end, Index n) {
  const auto reference = find_reference(problem.spec(), Exact(c.t_end));
  if (!reference) return std::nan("");
  double largest = 0;
  for (Index i = 0; i < n; ++i)
    largest = std::max(largest, std::abs(end.y[i] / static_cast<double>(reference->q[i]) - 1));
  return -std::log10(largest);
}

void run(benchmark::State& state, const Case& c) {
  NewtonOptions newton;
  newton.options().read(parse_spec(c.newton, "newton"), "newton");
  const auto problem = Registry<Problem>::instance().make(c.problem, "");
  const auto model = problem->mechanical_model(As<double>{});
  const auto multipliers = Registry<MultiplierSolver>::instance()
                               .make("written-out", "")
                               ->bind(As<double>{}, model->coordinates(), model->constraints());
  const auto system = Registry<Formulation>::instance().make(c.formulation, "")->system(*model, *multipliers);
  const auto method = Registry<Method>::instance().make(c.method, "");
  const Index n = model->coordinates();
  State<double> begin;
  for (Vector<double>* x : {&begin.y, &begin.ydot, &begin.compensation}) x->setZero(system->size());
  begin.y.head(n) = model->initial_q();
  begin.y.segment(n, n) = model->initial_v();
  if (!system->consistent_derivatives(begin.t, begin.y, begin.ydot).ok())
    throw std::runtime_error("inconsistent start");
  Statistics work;
  State<double> now;
  for (auto _ : state) {
    const auto stepper = method->stepper(*system, newton);
    stepper->control({c.rtol, c.atol, c.atol_velocity});
    now = begin;
    const Status status = integrate_adaptive<double>(*stepper, now, Exact(c.t_end).as<double>(), 0, {});
    if (!status.ok()) state.SkipWithError(status.cause.c_str());
    work = stepper->statistics();
  }
  state.counters["digits"] = digits(c, *problem, now, n);
  state.counters["steps"] = static_cast<double>(work.steps);
  state.counters["rejected"] = static_cast<double>(work.rejected);
  state.counters["residuals"] = static_cast<double>(work.residuals);
  state.counters["jacobians"] = static_cast<double>(work.jacobians);
  state.counters["factorizations"] = static_cast<double>(work.factorizations);
}

}  // namespace

namespace {

// Goals: docs/performance.md.
std::vector<Case> over_tolerances() {
  struct Combination {
    const char *problem, *t_end, *formulation, *method;
  };
  constexpr Combination combinations[] = {
      {"seven-body", "3/100", "index-1", "verner-87"},
      {"seven-body", "3/100", "projected", "verner-87"},
      {"seven-body", "3/100", "index-1", "dormand-prince"},
      {"seven-body", "3/100", "projected", "dormand-prince"},
      {"seven-body", "3/100", "index-2", "half-explicit:order=4"},
      {"seven-body", "3/100", "index-2", "half-explicit:order=5"},
      {"seven-body", "3/100", "index-1", "radau-iia:s=3"},
      {"seven-body", "3/100", "index-2", "radau-iia:s=3"},
      {"seven-body", "3/100", "ggl", "radau-iia:s=3"},
      {"seven-body", "3/100", "index-1", "radau-iia:s=5"},
      {"seven-body", "3/100", "index-1", "bdf"},
      {"seven-body", "3/100", "index-2", "bdf"},
      {"seven-body", "3/100", "index-3", "bdf"},
      {"two-link-manipulator", "10", "index-1", "verner-87"},
      {"two-link-manipulator", "10", "projected", "verner-87"},
      {"two-link-manipulator", "10", "projected", "dormand-prince"},
      {"two-link-manipulator", "10", "index-2", "half-explicit:order=4"},
      {"two-link-manipulator", "10", "index-2", "half-explicit:order=5"},
      {"two-link-manipulator", "10", "index-1", "extrapolation:order=8"},
      {"two-link-manipulator", "10", "index-1", "radau-iia:s=3"},
      {"two-link-manipulator", "10", "index-1", "radau-iia:s=5"},
      {"two-link-manipulator", "10", "index-2", "radau-iia:s=3"},
      {"two-link-manipulator", "10", "index-1", "bdf"},
      {"pendulum", "10", "index-2", "radau-iia:s=3"},
      {"car-axis", "3", "index-2", "radau-iia:s=3"},
  };
  std::vector<Case> cases;
  for (const Combination& c : combinations)
    for (const int digits : {4, 6, 8, 10}) {
      const double rtol = std::pow(10.0, -digits);
      cases.push_back({fmt::format("tolerances/{}/{}/{}/1e-{}", c.problem, c.formulation, c.method, digits), c.problem,
                       c.t_end, c.formulation, c.method, "automatic", rtol, rtol, 100 * rtol});
    }
  return cases;
}

}  // namespace

void register_adaptive_benchmarks() {
  std::vector<Case> cases = {
      {"seven-body/bdf-index-3", "seven-body", "3/100", "index-3", "bdf", "quasi:tolerance=1e-1", 3e-7, 3e-8, 3e-4},
      {"seven-body/bdf-ggl", "seven-body", "3/100", "ggl", "bdf", "automatic", 1e-8, 1e-8, 1e-6},
      {"seven-body/bdf-index-1", "seven-body", "3/100", "index-1", "bdf", "automatic", 1e-8, 1e-8, 1e-6},
      {"seven-body/radau-index-1", "seven-body", "3/100", "index-1", "radau-iia:s=3", "automatic", 1e-6, 1e-6, 1e-4},
      {"seven-body/radau-ggl", "seven-body", "3/100", "ggl", "radau-iia:s=3", "automatic", 1e-6, 1e-6, 1e-4},
      {"seven-body/generalized-alpha", "seven-body", "3/100", "index-3", "generalized-alpha", "automatic", 1e-6, 1e-6,
       1e-4},
      {"seven-body/dormand-prince", "seven-body", "3/100", "index-1", "dormand-prince", "automatic", 1e-7, 1e-7, 1e-5},
      {"seven-body/projected-dormand-prince", "seven-body", "3/100", "projected", "dormand-prince", "automatic", 1e-8,
       1e-8, 1e-6},
      {"slider-crank/bdf-index-3", "slider-crank", "1/10", "index-3", "bdf", "automatic", 1e-4, 5e-5, 5e-3},
      {"slider-crank/bdf-ggl", "slider-crank", "1/10", "ggl", "bdf", "automatic", 1e-4, 5e-5, 5e-3},
      {"slider-crank/generalized-alpha", "slider-crank", "1/10", "index-3", "generalized-alpha", "automatic", 1e-6,
       5e-5, 5e-3},
      {"slider-crank/radau-ggl", "slider-crank", "1/10", "ggl", "radau-iia:s=3", "automatic", 1e-4, 5e-5, 5e-3},
  };
  for (const Case& c : over_tolerances()) cases.push_back(c);
  for (const Case& c : cases)
    benchmark::RegisterBenchmark(("adaptive/" + c.name).c_str(), [c](benchmark::State& state) {
      run(state, c);
    })->Unit(benchmark::kMillisecond);
}

}  // namespace daelab
