// name:key=value,key=value as the command line takes it. The first character chooses what is named.
#include "core/base/utf8.hpp"
#include "core/equations/formulation.hpp"
#include "core/integration/method.hpp"
#include "core/mechanism/problem.hpp"
#include "core/solvers/linear_problem.hpp"
#include "core/solvers/multiplier_solver.hpp"
#include "fuzz/target.hpp"
#include "lab/runs/experiment.hpp"

namespace daelab::fuzzing {
namespace {

template <class Kind>
void make(const std::string& spec) {
  const auto component = Registry<Kind>::instance().make(spec, Kind::kind);
  spec_text(component->spec());
  component->spec().dump();
}

void read_as_spec(const std::string& input) {
  if (input.empty()) return;
  const std::string spec = input.substr(1);
  if (as_utf8(spec) != spec) return;  // the command line refuses text that is not UTF-8
  if (spec.starts_with('@')) return;  // files are what other targets read
  switch (input[0]) {
    case 'p':
      return make<Problem>(spec);
    case 'f':
      return make<Formulation>(spec);
    case 's':
      return make<MultiplierSolver>(spec);
    case 'l':
      return make<LinearProblem>(spec);
    case 'e':
      return make<Experiment>(spec);
    default:
      return make<Method>(spec);
  }
}

const TargetEntry entry("spec", read_as_spec);

}  // namespace
}  // namespace daelab::fuzzing
