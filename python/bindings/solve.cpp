#include <fmt/format.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <daelab/core/export/equations.hpp>
#include <daelab/core/mechanism/state_names.hpp>
#include <daelab/lab/bind.hpp>
#include <memory>

#include "bindings.hpp"
#include "conversion.hpp"
#include "interruption.hpp"
#include "state_columns.hpp"

namespace nb = nanobind;

namespace daelab::python {
namespace {

// Takes the states of a run, where it is asked to; looks for signals between steps.
class Follower final : public RunListener {
 public:
  /// times: of the states; empty: the step ends.
  explicit Follower(StateColumns* columns, std::vector<double> times = {})
      : columns_(columns), times_(std::move(times)) {}
  void reached(double /*t*/, double /*t_start*/, double /*t_end*/) override {
    if (clock_.is_due() || interpreter_ends()) raise_signals();
  }
  void warned(const Warning& /*warning*/) override {}  // the record has them
  bool follows_states() const override { return columns_ != nullptr; }
  std::vector<double> times() const override { return times_; }
  void stepped(const StateView& state) override { columns_->add(state); }
  void stepped(const StateRecord& state) override { columns_->add(state); }

 private:
  StateColumns* columns_;
  std::vector<double> times_;
  SignalClock clock_;
};

// A run that was carried out.
struct Solved {
  std::shared_ptr<const Run> run;
  RunRecord record;
  std::shared_ptr<StateColumns> states;  // at the step ends, or at the times asked for

  nb::object numbers(const std::string& kind) const {
    return states->array(kind, kind == "t" ? 0 : static_cast<std::size_t>(record.state.of(kind).size()));
  }
};

void check_times(const std::vector<double>& times, const Run& run) {
  const double first = static_cast<double>(run.t_start()), last = run.t_end().as<double>();
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (std::isnan(times[i])) throw InputError("/samples/" + std::to_string(i), "is not a number (NaN)");
    if (!(times[i] >= first && times[i] <= last))
      throw InputError("/samples/" + std::to_string(i),
                       fmt::format("{} is outside the interval {} to {}", times[i], first, run.t_end().text()));
    if (i > 0 && times[i] <= times[i - 1]) throw InputError("/samples", "times must ascend");
  }
}

// times: where the states are kept, empty for the step ends; runs in double.
Solved solve(nb::handle spec, bool keeps_states,
             const nb::ndarray<const double, nb::ndim<1>, nb::c_contig>& given_times) {
  const Json json = json_of(spec);
  std::vector<double> times(given_times.data(), given_times.data() + given_times.size());
  const Unlocked unlocked;
  const std::shared_ptr<const Run> run = bind(json);
  const auto columns = std::make_shared<StateColumns>(run->spec().scalar);
  check_times(times, *run);
  Follower follower(keeps_states ? columns.get() : nullptr, std::move(times));
  RunRecord record = run->integrate(&follower).record;
  if (record.samples)
    for (const StateRecord& sample : *record.samples) columns->add(sample);
  record.samples.reset();
  return {run, std::move(record), columns};
}

// The problem's own names, or those of trajectories where it has none.
Json names_of(const Run& run) {
  Json names = Json::object();
  const StateNames entries(run.problem());
  for (const char kind : {'q', 'v', 'y'}) {
    Json& list = names[std::string(1, kind)] = Json::array();
    for (const StateEntry& entry : entries.of(kind)) list.push_back(entry.own.empty() ? entry.name : entry.own);
  }
  return names;
}

Json record_json(const RunRecord& record) {
  Json json = record;
  json.erase("spec");
  return json;
}

}  // namespace

void bind_solve(nb::module_& module) {
  nb::class_<Solved>(module, "Solved")
      .def_prop_ro("parts", [](const Solved& solved) { return solved.states->parts(); })
      .def_prop_ro("classes", [](const Solved& solved) { return solved.run->classes(); })
      .def_prop_ro("status", [](const Solved& solved) { return to_string(solved.record.status); })
      .def_prop_ro("cause", [](const Solved& solved) { return solved.record.cause; })
      .def_prop_ro("spec", [](const Solved& solved) { return object_of(solved.record.spec); })
      .def_prop_ro("record", [](const Solved& solved) { return object_of(record_json(solved.record)); })
      .def_prop_ro("names", [](const Solved& solved) { return object_of(names_of(*solved.run)); })
      .def_prop_ro("problem", [](const Solved& solved) { return solved.run->problem().name(); })
      .def_prop_ro("formulation", [](const Solved& solved) { return solved.run->formulation_text(); })
      .def("numbers", &Solved::numbers, nb::arg("kind"));
  module.def("solve", &solve, nb::arg("spec"), nb::arg("keeps_states"), nb::arg("times"));
  module.def(
      "complete", [](nb::handle spec) { return object_of(bind(json_of(spec))->json()); }, nb::arg("spec"));
}

}  // namespace daelab::python
