// Problems written in Python as functions: what C++ calls of daelab.functions.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <daelab/core/mechanism/foreign_problem.hpp>
#include <daelab/lab/project.hpp>

#include "bindings.hpp"
#include "conversion.hpp"
#include "interruption.hpp"
#include "numbers.hpp"

namespace nb = nanobind;

namespace daelab::python {
namespace {

// A function of daelab.functions, which has checked what it returns: an array of one dimension of the right size.
// daelab.functions holds it for the rest of the session, as versions of problems stay: here a count of references would
// outlive the interpreter.
class Called {
 public:
  explicit Called(nb::handle function) : function_(function) {}

  void operator()(double* out, auto&&... arguments) const {
    const Locked lock;
    try {
      const nb::object result = function_(arguments()...);
      Numbers numbers;
      if (!nb::try_cast(result, numbers, false)) throw std::logic_error("a function was not checked");
      std::copy_n(numbers.data(), numbers.size(), out);
    } catch (nb::python_error& error) {
      rethrow(error);
    }
  }

 private:
  using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

  // Bad input is that of C++ from here on; KeyboardInterrupt and other exits stay what they are.
  [[noreturn]] static void rethrow(nb::python_error& error) {
    if (!error.matches(nb::module_::import_("daelab._errors").attr("InputError"))) throw;
    throw InputError(nb::cast<std::string>(error.value().attr("where")),
                     nb::cast<std::string>(error.value().attr("message")));
  }

  nb::handle function_;
};

MechanismFunctions::OfPosition of_position(const nb::dict& functions, const char* name, Index n) {
  if (!functions.contains(name)) return {};
  return [called = Called(functions[name]), n](double t, const double* q, double* out) {
    called(
        out, [&] { return nb::float_(t); }, [&] { return array_of(q, n); });
  };
}

MechanismFunctions::OfMotion of_motion(const nb::dict& functions, const char* name, Index n) {
  if (!functions.contains(name)) return {};
  return [called = Called(functions[name]), n](double t, const double* q, const double* v, double* out) {
    called(
        out, [&] { return nb::float_(t); }, [&] { return array_of(q, n); }, [&] { return array_of(v, n); });
  };
}

std::vector<Exact> exact_list(const Json& list, const std::string& where) {
  std::vector<Exact> values;
  for (std::size_t i = 0; i < list.size(); ++i)
    values.push_back(exact_from_json(list[i], where + "/" + std::to_string(i)));
  return values;
}

void register_own(nb::handle description, const nb::dict& functions, nb::handle sizes) {
  const Json given = json_of(description);
  ForeignProblem problem{.name = given.at("name"),
                         .summary = given.at("summary"),
                         .source = given.at("source"),
                         .version = given.at("version"),
                         .functions = {},
                         .coordinates = given.at("coordinates").get<std::vector<std::string>>(),
                         .start_q = exact_list(given.at("q0"), "/q0"),
                         .start_v = exact_list(given.at("v0"), "/v0"),
                         .end_time = exact_from_json(given.at("end_time"), "/end_time"),
                         .conserves_energy = given.at("conserves_energy")};
  MechanismFunctions& f = problem.functions;
  const auto n = f.coordinates = static_cast<Index>(problem.coordinates.size());
  f.constraints = given.at("constraints").get<int>();
  f.has_constant_mass = given.at("has_constant_mass");
  f.time_size = given.at("time_size").get<double>();
  f.sizes = numbers_of(sizes, "sizes", n);
  f.mass = of_position(functions, "mass", n), f.forces = of_motion(functions, "forces", n);
  f.constraints_at = of_position(functions, "constraints", n);
  f.constraint_jacobian = of_position(functions, "constraint_jacobian", n);
  f.gamma = of_motion(functions, "gamma", n), f.energy = of_motion(functions, "energy", n);
  f.force_jacobians = of_motion(functions, "force_jacobians", n);
  const Unlocked unlocked;
  load_project();
  register_problem(std::move(problem));
}

}  // namespace

void bind_own_problem(nb::module_& module) {
  module.def("register_problem", &register_own, nb::arg("description"), nb::arg("functions"), nb::arg("sizes"));
}

}  // namespace daelab::python
