// What pictures are made of: regions of stability, mechanisms in motion.
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <array>
#include <cmath>
#include <daelab/analysis/stability_region.hpp>
#include <daelab/lab/bind.hpp>
#include <daelab/report/page/motion_page.hpp>
#include <daelab/report/page/page_sources.hpp>
#include <daelab/results/provenance.hpp>
#include <vector>

#include "bindings.hpp"
#include "conversion.hpp"
#include "interruption.hpp"
#include "numbers.hpp"

namespace nb = nanobind;

namespace daelab::python {
namespace {

using Window = std::array<double, 4>;  // left, right, bottom, top

void check(const Window& window) {
  for (const double end : window)
    if (!std::isfinite(end)) throw InputError("/window", "its ends must be finite");
  if (!(window[0] < window[1] && window[2] < window[3]))
    throw InputError("/window", "must be (left, right, bottom, top) with left < right and bottom < top");
}

PlaneGrid grid_in(const Window& window, int columns, int rows) {
  return {window[0], window[1], window[2], window[3], columns, rows};
}

Json polygons_json(const std::vector<Polygon>& polygons) {
  Json list = Json::array();
  for (const Polygon& polygon : polygons) list.push_back({polygon.x, polygon.y});
  return list;
}

StabilityPolynomial polynomial_of(const Json& spec, const std::string& where) {
  const std::shared_ptr<Method> method = Registry<Method>::instance().make(spec, where);
  const MethodForm form = method->form();
  if (const auto* none = std::get_if<NoForm>(&form))
    throw InputError(where, "there is no stability function of " + method->name() + ": " + none->reason);
  if (auto polynomial = stability_polynomial(form)) return std::move(*polynomial);
  throw InputError(where,
                   method->name() + " is a method of second-order systems: it has no region in the plane of h lambda");
}

// Areas and boundaries of |zeta| <= 1 in one window: the given one, or one that shows all of them.
nb::object stability_regions(nb::handle methods, const std::optional<Window>& window, int points) {
  const Json specs = json_of(methods);
  if (window) check(*window);
  Json result;
  {
    const Unlocked unlocked;
    load_project();
    std::vector<StabilityPolynomial> polynomials;
    for (std::size_t i = 0; i < specs.size(); ++i)
      polynomials.push_back(polynomial_of(specs[i], "/methods/" + std::to_string(i)));
    PlaneGrid grid = window ? grid_in(*window, points, points) : region_window(polynomials);
    grid.columns = grid.rows = points;
    result = {{"window", {grid.left, grid.right, grid.bottom, grid.top}}, {"regions", Json::array()}};
    for (const StabilityPolynomial& polynomial : polynomials) {
      const PlaneRegion region = stability_region(polynomial, grid);
      result["regions"].push_back(
          {{"areas", polygons_json(region.areas)}, {"boundary", polygons_json(region.boundary)}});
    }
  }
  return object_of(result);
}

// The same of values log|R| on a grid, row by row from the bottom.
nb::object region_of_values(nb::handle values, int columns, int rows, const Window& window) {
  check(window);
  const Vector<double> numbers = numbers_of(values, "values", static_cast<Index>(columns) * rows);
  Matrix<double> matrix(rows, columns);
  for (Index j = 0; j < rows; ++j)
    for (Index i = 0; i < columns; ++i) matrix(j, i) = numbers[j * columns + i];
  const PlaneGrid grid = grid_in(window, columns, rows);
  return object_of({{"areas", polygons_json(sublevel_polygons(matrix, grid))},
                    {"boundary", polygons_json(level_curves(matrix, grid))}});
}

void add_motion(const Run& run, MotionPage& page) {
  const Run::Outcome outcome = run.integrate();
  Json record = outcome.record;
  const std::string key = std::to_string(page.records.size() + 1);
  record["key"] = key;
  page.records.push_back(std::move(record));
  page.motions.push_back(motion_of(run.problem(), key, outcome.trajectory));
  if (page.motions.back().frames.empty())
    throw InputError("/problem", "'" + run.problem().name() +
                                     "' has no outline, so nothing of it can move; a problem in JSON states one under "
                                     "\"outline\" (docs/problems.md)");
}

std::string page_of(const std::vector<std::shared_ptr<const Run>>& runs, const std::string& title) {
  MotionPage page;
  page.title = title, page.command = "daelab.animate(...)";
  page.origin = origin_of(Json{{"provenance", current_provenance()}});
  for (const auto& run : runs) add_motion(*run, page);
  return motion_page_to_html(page, [](const Json& /*spec*/) { return std::string(); });
}

// The page of `daelab animate` for runs, which are carried out for it with their trajectories.
std::string motion_page(nb::handle specs, const std::string& title) {
  const Json given = json_of(specs);
  std::string page;
  const Unlocked unlocked;
  run_interruptibly([&] {
    std::vector<std::shared_ptr<const Run>> runs;
    for (std::size_t i = 0; i < given.size(); ++i) runs.push_back(bind(given[i]));
    page = page_of(runs, title);
  });
  return page;
}

}  // namespace

void bind_pictures(nb::module_& module) {
  module.def("stability_regions", &stability_regions, nb::arg("methods"), nb::arg("window").none(), nb::arg("points"));
  module.def("region_of_values", &region_of_values, nb::arg("values"), nb::arg("columns"), nb::arg("rows"),
             nb::arg("window"));
  module.def("motion_page", &motion_page, nb::arg("specs"), nb::arg("title"));
}

}  // namespace daelab::python
