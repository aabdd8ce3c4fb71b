#include "core/integration/event_failures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "core/mechanism/start_report.hpp"

namespace daelab {

template <class T>
Status check_jump(Model<T>& model, const Event& event, const State<T>& before, const Vector<T>& after) {
  using std::abs;
  const MechanicalLayout layout = layout_of(model);
  const Index m = constraints_of(model);
  if (m == 0) return {};
  std::vector<std::string> rows;
  Vector<T> was(m), is(m);
  const Vector<T> no_accelerations = Vector<T>::Zero(layout.n);
  for (const Level level : {Level::position, Level::velocity}) {
    const auto evaluate = [&](const Vector<T>& y, Vector<T>& row) {
      model.mechanical()->constraint_level(level, before.t, layout.q(y), layout.v(y), no_accelerations, row);
    };
    evaluate(before.y, was), evaluate(after, is);
    for (Index i = 0; i < m; ++i)
      if (const T size = abs(is[i]); !(size <= T(StartReport::consistency_tolerance) + T(2) * abs(was[i])))
        rows.push_back(fmt::format("{} of row {} is {:.2e}", level == Level::position ? "C" : "dC/dt", i + 1,
                                   static_cast<double>(is[i])));
  }
  if (rows.empty()) return {};
  return {StatusCode::inconsistent, fmt::format("the jump at event '{}', t = {:.10g}, violates the constraints: {}",
                                                event.name, static_cast<double>(before.t), fmt::join(rows, ", "))};
}

Status chattering(const Event& event, long count, int intervals, double shortest, double end) {
  return {StatusCode::chattering,
          fmt::format("event '{}' occurred {} times, and the last {} intervals were shorter than {:.1e} s: its times "
                      "accumulate at t = {:.12g}. A mode ends this: a state with the rate 0, which the event sets, "
                      "which holds what is at rest, and which another event sets back (docs/events.md, rest and hold)",
                      event.name, count, intervals, shortest, end)};
}

#define DAELAB_INSTANTIATE(T) template Status check_jump<T>(Model<T>&, const Event&, const State<T>&, const Vector<T>&);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
