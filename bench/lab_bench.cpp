// The stability and order lab: report cards, order conditions, stability pictures. Targets: a report of any method in
// 2 s, rooted-tree conditions to order 10 for r = 8 in 5 s, five methods on 400 x 400 points in 5 s on two cores.
#include <benchmark/benchmark.h>

#include "analysis/method_report.hpp"
#include "analysis/order_conditions.hpp"
#include "analysis/stability_region.hpp"
#include "core/integration/method.hpp"

namespace daelab {

void register_lab_benchmarks();  // called by the main function of runs_bench.cpp

namespace {

void report_card(benchmark::State& state, const std::string& spec) {
  const auto method = Registry<Method>::instance().make(spec, "");
  for (auto _ : state) benchmark::DoNotOptimize(method_report(*method));
}

void rooted_trees(benchmark::State& state, const std::string& spec) {
  const MethodForm form = Registry<Method>::instance().make(spec, "")->form();
  for (auto _ : state) benchmark::DoNotOptimize(order_report(std::get<Tableau>(form), 10));
}

void picture(benchmark::State& state, const std::string& spec) {
  const StabilityPolynomial pi = *stability_polynomial(Registry<Method>::instance().make(spec, "")->form());
  for (auto _ : state) benchmark::DoNotOptimize(log_radius(pi, PlaneGrid{}));
}

void add(const std::string& name, void (*measure)(benchmark::State&, const std::string&), const std::string& spec) {
  benchmark::RegisterBenchmark(("lab/" + name + "/" + spec).c_str(), [measure, spec](benchmark::State& state) {
    measure(state, spec);
  })->Unit(benchmark::kMillisecond);
}

}  // namespace

void register_lab_benchmarks() {
  for (const char* spec :
       {"rk4-classical", "dormand-prince", "pade-block:r=4", "pade-block:r=10,nodes=chebyshev",
        "pade-block:r=10,k=0,nodes=chebyshev", "gauss:s=10", "bdf:k=5", "adams-pece:k=8", "generalized-alpha"})
    add("report", report_card, spec);
  for (const char* nodes : {"uniform", "chebyshev", "legendre", "lobatto"})
    add("rooted-trees", rooted_trees, std::string("pade-block:r=8,nodes=") + nodes);
  for (const char* spec : {"rk4-classical", "gauss:s=8", "bdf:k=5"}) add("picture", picture, spec);
}

}  // namespace daelab
