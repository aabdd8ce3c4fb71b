// The multiplier system A mu = b, A = C_q M^-1 C_q^T, along the stored samples of runs: the spectrum of A, how far
// its range turns, how A changes from sample to sample, and how much longer the multipliers are than the shortest ones
// with the same C_q^T mu.
//
// An iteration that keeps the range of its first inverse returns oblique solutions once the range of A has turned; the
// theory of [Iv23] assumes a fixed range and semidefinite changes of A. In double, whatever the scalar of the run.
//
// [Iv23] Ivanov, Vestnik Permskogo Universiteta, Matematika Mekhanika Informatika 1(60), 2023, 30-46.
#include "experiments/kinds/multiplier_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/mechanism/mechanical_model.hpp"
#include "core/mechanism/problem.hpp"

namespace daelab {
namespace {

struct MultiplierSystem {
  static constexpr const char* name = "multiplier-system";
  static constexpr const char* summary =
      "A = C_q M^-1 C_q^T along runs: spectrum, turning of its range, changes, excess length of the multipliers.";
  static constexpr const char* source = "Ivanov 2023, introduction, formula (3); sec. 4";
  static MemberUnits units() {
    return {{"/series/*/motion/*/t", "s"}, {"/series/*/turned/at_t", "s"}, {"/series/*/ratio/at_t", "s"}};
  }

  std::string caption, coordinate = "t", coordinate_label = "time [s]";
  Exact rank_tolerance = "1e-8";

  Options options() {
    return {option("caption", caption, "what the tables compare; what their columns are is added to it"),
            option("coordinate", coordinate, "abscissa of the figures: t, or a coordinate such as q1"),
            option("coordinate_label", coordinate_label, "its axis label with unit"),
            option("rank_tolerance", rank_tolerance,
                   "eigenvalues of A at the start above this times the largest count as nonzero", positive())};
  }

  void validate(const std::string& where) const {
    if (coordinate != "t" && place() < 0)
      throw InputError(where + "/coordinate",
                       fmt::format("must be t, or a coordinate such as q1, not '{}'", coordinate));
  }

  void check(const Config& config) const {
    for (std::size_t i = 0; i < config.runs.size(); ++i) {
      const Run& run = integration(config, i);
      if (run.spec().samples.empty() && !run.spec().sample_every)
        throw InputError("/runs", config.labels[i] + " stores no samples: set \"sample_every\" or \"samples\"");
      const auto model = run.problem().model(As<double>{});
      const MechanicalModel<double>* const mechanism = model->mechanical();
      if (mechanism == nullptr || mechanism->constraints() == 0)
        throw InputError("/runs", config.labels[i] + ": the problem has no constraints");
      if (place() >= mechanism->coordinates())
        throw InputError("/coordinate", fmt::format("there is no {}: {} has {} coordinates", coordinate,
                                                    config.labels[i], mechanism->coordinates()));
    }
  }

  using Result = MultiplierSystemResult;

  Result evaluate(const Config& /*config*/, const std::vector<FinishedRun>& runs,
                  const FinishedRun* /*reference*/) const {
    Result result;
    for (const FinishedRun& run : runs) result.systems.emplace_back(run, rank_tolerance.as<double>());
    return result;
  }

  Artifacts present(const Config& config, const Result& result) const {
    Artifacts artifacts;
    const std::vector<SampledSystem>& systems = result.systems;
    for (const SampledSystem& run : systems)
      if (run.status != StatusCode::ok)
        artifacts.notes.push_back(fmt::format("{}: {} - {}", run.label, to_string(run.status), run.cause));
    artifacts.tables = {spectrum_table(config, systems), system_table(config, systems)};
    for (const auto& draw :
         {&MultiplierSystem::spectrum_figure, &MultiplierSystem::length_figure, &MultiplierSystem::angle_figure})
      if (Figure figure = (this->*draw)(config, systems); !figure.panels.empty() && !figure.panels[0].series.empty())
        artifacts.figures.push_back(std::move(figure));
    return artifacts;
  }

 private:
  // 0 for q1; -1 for anything that is no coordinate.
  Index place() const {
    const bool digits = coordinate.size() > 1 && coordinate.find_first_not_of("0123456789", 1) == std::string::npos;
    return coordinate[0] == 'q' && digits ? std::atol(coordinate.c_str() + 1) - 1 : -1;
  }
  double abscissa(const SystemSample& s) const { return place() < 0 ? s.t : s.q[place()]; }

  std::string lead(const Config& config) const { return caption.empty() ? config.title + "." : caption; }

  Table spectrum_table(const Config& config, const std::vector<SampledSystem>& systems) const {
    Table table{config.name + "-spectrum",
                lead(config) +
                    " Eigenvalues of A = C_q M^-1 C_q^T at the start, and the largest deviation of each "
                    "over all samples.",
                {{"Run", "", CellFormat::text, 0},
                 {"Eigenvalue", "", CellFormat::integer, 0},
                 {"At the start", "", CellFormat::fixed, 10},
                 {"Largest deviation", "", CellFormat::scientific, 3}},
                {}};
    for (const SampledSystem& system : systems) {
      if (system.empty()) continue;
      const Vector<double> deviations = system.deviations();
      for (Index i = 0; i < deviations.size(); ++i)
        table.rows.push_back({system.label, i + 1, system.start_spectrum()[i], deviations[i]});
    }
    return table;
  }

  Table system_table(const Config& config, const std::vector<SampledSystem>& systems) const {
    Table table{config.name,
                lead(config) +
                    " Rank of A; smallest cosine of the angle between its range and that at the start; "
                    "largest |λ|/|λ_min| and |λ - λ_min|/|λ_min|, with λ_min the shortest multipliers of "
                    "equal C_q^T λ, and the time of the former; positive and negative eigenvalues of "
                    "A(t + h) - A(t), h apart; its norm over h and the smallest nonzero eigenvalue of A.",
                {{"Run", "", CellFormat::text, 0},
                 {"Rank", "", CellFormat::integer, 0},
                 {"Cosine", "", CellFormat::fixed, 6},
                 {"|λ|/|λ_min|", "$|\\lambda|/|\\lambda_{\\min}|$", CellFormat::fixed, 6},
                 {"Gap", "", CellFormat::fixed, 6},
                 {"At t [s]", "at $t$ [s]", CellFormat::fixed, 3},
                 {"Positive", "", CellFormat::text, 0},
                 {"Negative", "", CellFormat::text, 0},
                 {"Change [1/s]", "", CellFormat::fixed, 3},
                 {"Status", "", CellFormat::text, 0}},
                {}};
    for (const SampledSystem& system : systems) table.rows.push_back(system_row(system));
    return table;
  }

  static TableRow system_row(const SampledSystem& system) {
    if (system.empty()) {
      TableRow row(10);
      row[0] = system.label, row.back() = to_string(system.status);
      return row;
    }
    const SystemSample* longest = system.longest();
    return {system.label,
            system.rank(),
            system.most_turned().cosine,
            longest ? TableCell(longest->ratio()) : TableCell(),
            longest ? TableCell(system.largest_gap()) : TableCell(),
            longest ? TableCell(longest->t) : TableCell(),
            range_text(system.range_of(&SystemChange::positive)),
            range_text(system.range_of(&SystemChange::negative)),
            system.largest_change(&SystemChange::norm_per_h),
            to_string(system.status)};
  }

  static TableCell range_text(const std::optional<SampledSystem::Range>& range) {
    if (!range) return nullptr;
    return range->least == range->most ? fmt::format("{}", range->least)
                                       : fmt::format("{} to {}", range->least, range->most);
  }

  template <class Value>
  Series curve(const std::string& label, const SampledSystem& system, Value value) const {
    Series series;
    series.label = label;
    for (const SystemSample& s : system.samples()) {
      const double y = value(s);
      if (std::isfinite(y)) series.x.push_back(abscissa(s)), series.y.push_back(y);
    }
    return series;
  }

  Panel panel(const std::string& y_label) const {
    Panel panel;
    panel.x_label = coordinate_label, panel.y_label = y_label;
    return panel;
  }

  // The runs with samples that come first with their problem: solvers change the motion, and A with it, hardly.
  static std::vector<const SampledSystem*> motions(const std::vector<SampledSystem>& systems) {
    std::vector<const SampledSystem*> list;
    std::vector<Json> problems;
    for (const SampledSystem& system : systems) {
      const Json& problem = system.spec["problem"];
      if (system.empty() || std::find(problems.begin(), problems.end(), problem) != problems.end()) continue;
      list.push_back(&system), problems.push_back(problem);
    }
    return list;
  }

  Figure spectrum_figure(const Config& config, const std::vector<SampledSystem>& systems) const {
    Figure figure{config.name + "-eigenvalues", "Eigenvalues of A = C_q M^-1 C_q^T along the motion.", {}};
    for (const SampledSystem* system : motions(systems)) {
      Panel axes = panel("eigenvalues of A");
      for (Index i = 0; i < system->start_spectrum().size(); ++i)
        axes.series.push_back(
            curve(fmt::format("{}", i + 1), *system, [i](const SystemSample& s) { return s.eigenvalues[i]; }));
      figure.panels.push_back(std::move(axes));
    }
    return figure;
  }

  Figure length_figure(const Config& config, const std::vector<SampledSystem>& systems) const {
    Panel axes = panel("|λ| / |λ_min|");
    for (const SampledSystem& system : systems)
      if (system.longest())
        axes.series.push_back(curve(system.label, system, [](const SystemSample& s) { return s.ratio(); }));
    return {config.name + "-length",
            "Length of the multipliers over that of the shortest ones with the same C_q^T λ.",
            {axes}};
  }

  Figure angle_figure(const Config& config, const std::vector<SampledSystem>& systems) const {
    Panel axes = panel("angle [deg]");
    const std::vector<const SampledSystem*> shown = motions(systems);
    for (const SampledSystem* system : shown)
      axes.series.push_back(curve(shown.size() > 1 ? system->label : "", *system, [](const SystemSample& s) {
        return std::acos(std::min(1.0, s.cosine)) * 180 / std::numbers::pi;
      }));
    return {config.name + "-angle", "Largest angle between the range of A and its range at the start.", {axes}};
  }
};

const ExperimentEntry<MultiplierSystem> multiplier_system_entry;

}  // namespace

void members(JsonMembers& json, MultiplierSystemResult& result) { json("series", result.systems); }

}  // namespace daelab
