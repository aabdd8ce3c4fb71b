#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <daelab/core/model/equations.hpp>
#include <daelab/core/model/state_names.hpp>
#include <memory>
#include <stdexcept>

#include "bindings.hpp"
#include "conversion.hpp"
#include "interruption.hpp"

namespace nb = nanobind;

namespace daelab::python {
namespace {

// The states of a run, as records; looks for signals between steps.
class Follower final : public RunListener {
 public:
  explicit Follower(bool keeps_states) : keeps_states_(keeps_states) {}
  void reached(double /*t*/, double /*t_start*/, double /*t_end*/) override {
    if (clock_.is_due()) raise_signals();
  }
  void warned(const Warning& /*warning*/) override {}  // the record has them
  bool follows_states() const override { return keeps_states_; }
  void stepped(const StateRecord& state) override { states.push_back(state); }

  std::vector<StateRecord> states;

 private:
  bool keeps_states_;
  SignalClock clock_;
};

// A run that was carried out.
struct Solved {
  std::shared_ptr<const Run> run;
  RunRecord record;
  std::vector<StateRecord> states;  // at the step ends, or at the times asked for

  std::string scalar() const { return record.scalar; }
  /// Numbers of a class of all states: of "t" in the shape (states), of q, v, a, lambda or y in (states, columns). With
  /// several parts, whose sum a number is, these are another dimension.
  nb::object numbers(const std::string& kind, std::size_t parts) const;
};

// A number of 168 bits is the sum of at most four of 53, the largest first.
void put(const Real50& x, std::size_t parts, std::vector<double>& numbers) {
  if (parts == 1) return numbers.push_back(static_cast<double>(x));
  Real50 rest = x;
  for (std::size_t i = 0; i < parts; ++i) {
    numbers.push_back(static_cast<double>(rest));
    rest -= Real50(numbers.back());
  }
}

nb::object Solved::numbers(const std::string& kind, std::size_t parts) const {
  const bool is_time = kind == "t";
  std::vector<std::size_t> shape{states.size()};
  if (!is_time) shape.push_back(static_cast<std::size_t>(record.state.of(kind).size()));
  if (parts > 1) shape.push_back(parts);
  std::vector<double> numbers;
  numbers.reserve(states.size() * (is_time ? 1 : shape[1]) * parts);
  for (const StateRecord& state : states) {
    if (is_time)
      put(state.t, parts, numbers);
    else
      for (const Real50& x : state.of(kind)) put(x, parts, numbers);
  }
  return array_of(std::move(numbers), shape);
}

std::shared_ptr<const Run> bound(const Json& spec) {
  load_project();
  return Run::bind(spec, "");
}

Solved solve(nb::handle spec, bool keeps_states) {
  const Json json = json_of(spec);
  const nb::gil_scoped_release unlocked;
  Solved solved{bound(json), {}, {}};
  Follower follower(keeps_states);
  solved.record = solved.run->integrate(&follower).record;
  solved.states = solved.record.samples ? std::move(*solved.record.samples) : std::move(follower.states);
  solved.record.samples.reset();
  return solved;
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
      .def_prop_ro("scalar", &Solved::scalar)
      .def_prop_ro("size", [](const Solved& solved) { return solved.states.size(); })
      .def_prop_ro("classes", [](const Solved& solved) { return solved.run->classes(); })
      .def_prop_ro("status", [](const Solved& solved) { return solved.record.status; })
      .def_prop_ro("cause", [](const Solved& solved) { return solved.record.cause; })
      .def_prop_ro("spec", [](const Solved& solved) { return object_of(solved.record.spec); })
      .def_prop_ro("record", [](const Solved& solved) { return object_of(record_json(solved.record)); })
      .def_prop_ro("names", [](const Solved& solved) { return object_of(names_of(*solved.run)); })
      .def_prop_ro("problem", [](const Solved& solved) { return solved.run->problem().name(); })
      .def_prop_ro("formulation", [](const Solved& solved) { return solved.run->formulation_text(); })
      .def("numbers", &Solved::numbers, nb::arg("kind"), nb::arg("parts") = 1);
  module.def("solve", &solve, nb::arg("spec"), nb::arg("keeps_states"));
  module.def(
      "complete", [](nb::handle spec) { return object_of(bound(json_of(spec))->json()); }, nb::arg("spec"));
}

}  // namespace daelab::python
