// The error of a run at its end, by the library.
#include <daelab/lab/lab.hpp>

#include <iostream>

int main() {
  daelab::RunSpec spec;
  spec.problem = "pendulum";
  spec.method = "gauss:s=3";
  spec.h = "1/100";
  const daelab::RunRecord record = daelab::bind(spec)->integrate().record;
  std::cout << "status " << to_string(record.status) << '\n';
  for (const auto& [kind, error] : record.error->of) std::cout << "error of " << kind << ": " << error << '\n';
}
