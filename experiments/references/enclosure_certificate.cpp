#include "experiments/references/enclosure_certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/interrupted.hpp"
#include "core/base/module.hpp"
#include "core/mechanism/start_report.hpp"
#include "results/provenance.hpp"

namespace daelab {
namespace {

const EnclosureLibrary& library() {
  const auto function = reinterpret_cast<EnclosureLibraryFunction*>(
      module_symbol("enclosures", enclosure_library_symbol, "libflint-arb-dev or libflint-dev 3"));
  return *function();
}

// The value as a decimal; throws InputError if it has none.
std::string decimal(const Exact& t) {
  std::string text = t.value().str(40);
  if (Exact(text).value() != t.value())
    throw InputError("--t", fmt::format("{} is no decimal number; allowed: a time with at most 40 digits", t.text()));
  return text;
}

Json ball_lists(const EnclosureSet& set, std::size_t first, std::size_t count) {
  const auto part = [&](const std::vector<std::string>& list) {
    Json json = Json::array();
    for (std::size_t i = first; i < first + count; ++i) json.push_back(list[i]);
    return json;
  };
  return {{"centre", part(set.centre)}, {"radii", part(set.radii)}};
}

Json step_json(const EnclosureSet& step) {
  Json json = {{"t", step.t}, {"centre", step.centre}};
  if (!step.frame.empty()) json["frame"] = step.frame;
  json["radii"] = step.radii;
  return json;
}

// Multipliers of all constraints: 0 for constraints that are left out.
EnclosureSet multipliers(const CertifiedEnclosure& proved) {
  const EnclosedEquations& equations = proved.equations;
  EnclosureSet result;
  result.centre.assign(equations.constraints, "0"), result.radii.assign(equations.constraints, "0");
  for (std::size_t i = 0; i < equations.independent.size(); ++i) {
    const auto row = static_cast<std::size_t>(equations.independent[i]);
    result.centre[row] = proved.enclosure.solved.centre[equations.coordinates + i];
    result.radii[row] = proved.enclosure.solved.radii[equations.coordinates + i];
  }
  return result;
}

Json condition_json(const std::vector<std::vector<double>>& derivative) {
  double largest = 0;
  Json rows = Json::array();
  for (const auto& row : derivative) {
    rows.push_back(Json::array());
    for (const double x : row) {
      rows.back().push_back(fmt::format("{:.6g}", x));
      largest = std::max(largest, std::abs(x));
    }
  }
  return {{"largest", fmt::format("{:.6g}", largest)}, {"matrix", rows}};
}

void refuse_far_start(const EnclosureTask& task, const EnclosureSet& start) {
  constexpr double far = 10 * StartReport::consistency_tolerance;
  for (const int i : task.determined) {
    const auto place = static_cast<std::size_t>(i);
    if (place >= start.centre.size()) continue;  // algebraic: sought from what is given
    const double given = Exact(task.given[place]).as<double>(), found = Exact(start.centre[place]).as<double>();
    if (std::abs(found - given) > far * (1 + std::abs(given)))
      throw InputError("/start", fmt::format("the values violate the constraints: {} = {} would satisfy them, not {}",
                                             task.names[place], found, given));
  }
}

}  // namespace

CertifiedEnclosure enclosed_motion(const Problem& problem, const Exact& t, int digits, const StartValues& start) {
  CertifiedEnclosure result{enclosed_equations(problem, start), {}, ""};
  EnclosureTask& task = result.equations.task;
  task.t_end = decimal(t);
  if (t.value() <= Exact(task.t_start).value())
    throw InputError("--t", fmt::format("{} is out of range; allowed: above {}", t.text(), task.t_start));
  task.digits = digits;
  const EnclosureLibrary& engine = library();
  result.engine = engine.version();
  task.is_interrupted = [] { return interrupt_requested(); };
  result.enclosure = engine.enclose(task);
  stop_where_interrupted();
  refuse_far_start(task, result.enclosure.start);
  return result;
}

std::string certificate_hash(Json certificate) {
  certificate.erase("sha256");
  return library().sha256(canonical_text(certificate));
}

Json certificate(const Problem& problem, const CertifiedEnclosure& proved) {
  const EnclosedEquations& equations = proved.equations;
  const MotionEnclosure& enclosure = proved.enclosure;
  Json spec = problem.spec();
  spec.erase("end_time");
  const std::size_t n = equations.coordinates,
                    free = equations.task.names.size() - static_cast<std::size_t>(equations.task.algebraic);
  Json json = {{"certificate", "daelab enclosure 1"},
               {"problem", spec},
               {"version", current_provenance().version},
               {"equations", equations.equations},
               {"start",
                {{"t", enclosure.start.t},
                 {"given", equations.given},
                 {"fixed", equations.fixed},
                 {"enclosure", ball_lists(enclosure.start, 0, free)}}},
               {"precision", enclosure.precision},
               {"order", enclosure.order},
               {"steps", Json::array()}};
  for (const EnclosureSet& step : enclosure.steps) json["steps"].push_back(step_json(step));
  Json end = ball_lists(enclosure.end, 0, enclosure.end.centre.size());
  end["t"] = enclosure.end.t;
  if (n > 0) {
    end["a"] = ball_lists(enclosure.solved, 0, n);
    end["lambda"] = ball_lists(multipliers(proved), 0, equations.constraints);
  }
  end["digits"] = enclosure.digits;
  json["end"] = end;
  json["condition"] = condition_json(enclosure.derivative);
  json["sha256"] = certificate_hash(json);
  return json;
}

}  // namespace daelab
