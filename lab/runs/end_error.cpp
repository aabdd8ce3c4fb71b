#include "lab/runs/end_error.hpp"

#include <algorithm>
#include <vector>

namespace daelab {
namespace {

// The period of each coordinate of the first chart, in which records are written: 0 for a length. Empty without charts.
std::vector<Real50> periods_of(const Forms& forms) {
  std::vector<Real50> periods;
  if (forms.recording().charts > 1)
    forms.values(forms.recording().periods.front(),
                 [&](std::size_t /*i*/, const Real100& period) { periods.emplace_back(period); });
  return periods;
}

}  // namespace

std::optional<EndError> end_error(const Run& run, const Forms& forms, const StateRecord& state) {
  const std::optional<ReferenceState> reference = run.references().find(run.t_end());
  if (!reference) return {};
  const std::vector<Real50> periods = periods_of(forms);
  EndError error{{}, reference->source, reference->digits()};
  for (const std::string& kind : run.classes()) {
    const Vector<Real50>&ours = state.of(kind), &exact = reference->of(kind);
    Real50 largest = 0;
    for (Index i = 0; i < ours.size(); ++i) {
      Real50 difference = ours[i] - exact[i];
      if (const auto k = static_cast<std::size_t>(i); kind == "q" && k < periods.size() && periods[k] > 0)
        difference -= round(Real50(difference / periods[k])) * periods[k];
      largest = std::max(largest, Real50(abs(difference)));
    }
    error.of[kind] = static_cast<double>(largest);
  }
  return error;
}

}  // namespace daelab
