// The multiplier system A mu = b, A = C_q M^-1 C_q^T, along the stored samples of runs: the spectrum of A, how far
// its range turns, how A changes from sample to sample, and how much longer the multipliers are than the shortest ones
// with the same C_q^T mu.
//
// An iteration that keeps the range of its first inverse returns oblique solutions once the range of A has turned; the
// theory of [Iv23] assumes a fixed range and semidefinite changes of A. In double, whatever the scalar of the run.
//
// [Iv23] Ivanov, Vestnik Permskogo Universiteta, Matematika Mekhanika Informatika 1(60), 2023, 30-46.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/equations/mechanical_layout.hpp"
#include "core/model/problem.hpp"
#include "core/solvers/dense.hpp"
#include "experiments/measures/figure_spec.hpp"
#include "experiments/runs/run.hpp"

namespace daelab {
namespace {

// A change of A below this, relative to the largest, counts as zero: violated constraints alone change A by about
// their own size.
constexpr double negligible_change = 1e-3;

Vector<double> numbers(const Json& list) {
  Vector<double> x(static_cast<Index>(list.size()));
  for (Index i = 0; i < x.size(); ++i) x[i] = static_cast<double>(record_number(list[static_cast<std::size_t>(i)]));
  return x;
}

// One sample. Eigenvalues descend.
struct SystemSample {
  double t = 0;
  Vector<double> q, eigenvalues;    // (n), (m)
  Matrix<double> A, range;          // (m, m), (m, rank) orthonormal
  double cosine = 1;                // of the largest angle between the ranges of A here and at the start
  double length = 0, shortest = 0;  // |lambda| and that of its part in the range of A
  double gap = 0;                   // |lambda - shortest one| / |shortest one|

  double ratio() const { return length / shortest; }
};

// A(t_(i+1)) - A(t_i), relative to the smallest nonzero eigenvalue of A at the start.
struct SystemChange {
  double norm_per_h = 0, trace = 0;  // of the difference over the distance in time; of the trace over the norm
  int positive = 0, negative = 0;    // eigenvalues
};

// q and v without first-order states, which enter neither mass nor constraints.
Matrix<double> system_matrix(MechanicalModel<double>& model, double t, const Vector<double>& q,
                             const Vector<double>& v) {
  const Index n = model.coordinates(), m = model.constraints();
  Matrix<double> M(n, n), J(m, n);
  Vector<double> C(m), all_q = Vector<double>::Zero(n), all_v = Vector<double>::Zero(n);
  all_q.head(q.size()) = q, all_v.head(v.size()) = v;
  model.mass(t, all_q, M);
  model.constraints_and_jacobian(t, all_q, all_v, C, J);
  const Matrix<double> W = dense::solve_cholesky_factor(M, J.transpose());
  return W.transpose() * W;
}

// The cosines of the angles between two ranges with orthonormal bases U and V are the singular values of U^T V.
double smallest_cosine(const Matrix<double>& U, const Matrix<double>& V) {
  if (U.cols() == 0) return 1;
  const Matrix<double> X = U.transpose() * V;
  return std::sqrt(std::max(0.0, dense::symmetric_eigenvalues(X.transpose() * X).minCoeff()));
}

// The samples of a run and what follows from them.
class SampledSystem {
 public:
  SampledSystem(const LabelledRun& run, double rank_tolerance) : run_(run) {
    const auto problem = Registry<Problem>::instance().make(run.record["spec"]["problem"], "/problem");
    const auto model = problem->mechanical_model(As<double>{});
    for (const Json& sample : run.record["samples"]) add(*model, sample, rank_tolerance);
    for (std::size_t i = 0; i + 1 < samples_.size(); ++i) changes_.push_back(change(samples_[i], samples_[i + 1]));
  }

  const LabelledRun& run() const { return run_; }
  const std::vector<SystemSample>& samples() const { return samples_; }
  bool empty() const { return samples_.empty(); }
  Index rank() const { return samples_.front().range.cols(); }
  const Vector<double>& start_spectrum() const { return samples_.front().eigenvalues; }

  /// Largest |eigenvalue - its value at the start|, per eigenvalue.
  Vector<double> deviations() const {
    Vector<double> largest = Vector<double>::Zero(start_spectrum().size());
    for (const SystemSample& s : samples_) largest = largest.cwiseMax((s.eigenvalues - start_spectrum()).cwiseAbs());
    return largest;
  }
  const SystemSample& most_turned() const {
    return *std::min_element(samples_.begin(), samples_.end(),
                             [](const auto& a, const auto& b) { return a.cosine < b.cosine; });
  }
  /// Null when every multiplier is zero.
  const SystemSample* longest() const {
    const SystemSample* longest = nullptr;
    for (const SystemSample& s : samples_)
      if (s.shortest > 0 && (!longest || s.ratio() > longest->ratio())) longest = &s;
    return longest;
  }
  double largest_gap() const {
    double largest = 0;
    for (const SystemSample& s : samples_) largest = std::max(largest, s.gap);
    return largest;
  }
  const std::vector<SystemChange>& changes() const { return changes_; }

 private:
  void add(MechanicalModel<double>& model, const Json& json, double rank_tolerance) {
    SystemSample s;
    s.t = static_cast<double>(record_number(json["t"])), s.q = numbers(json["q"]);
    s.A = system_matrix(model, s.t, s.q, numbers(json["v"]));
    const dense::SymmetricEigenpairs eigen = dense::symmetric_eigenpairs(s.A);
    s.eigenvalues = eigen.values.reverse();
    const Index rank = empty() ? (s.eigenvalues.array() > rank_tolerance * s.eigenvalues[0]).count() : this->rank();
    s.range = eigen.vectors.rightCols(rank);
    if (!empty()) s.cosine = smallest_cosine(samples_.front().range, s.range);
    const Vector<double> lambda = numbers(json["lambda"]), shortest = s.range * (s.range.transpose() * lambda);
    s.length = lambda.norm(), s.shortest = shortest.norm();
    if (s.shortest > 0) s.gap = (lambda - shortest).norm() / s.shortest;
    samples_.push_back(std::move(s));
  }

  SystemChange change(const SystemSample& from, const SystemSample& to) const {
    const Vector<double> eigenvalues = dense::symmetric_eigenvalues(to.A - from.A);
    const double norm = eigenvalues.cwiseAbs().maxCoeff(), small = negligible_change * norm;
    SystemChange change;
    if (norm == 0 || rank() == 0) return change;
    change.norm_per_h = norm / (to.t - from.t) / start_spectrum()[rank() - 1];
    change.trace = std::abs(eigenvalues.sum()) / norm;
    change.positive = static_cast<int>((eigenvalues.array() > small).count());
    change.negative = static_cast<int>((eigenvalues.array() < -small).count());
    return change;
  }

  const LabelledRun& run_;
  std::vector<SystemSample> samples_;
  std::vector<SystemChange> changes_;
};

double largest(const std::vector<SystemChange>& changes, double SystemChange::*member) {
  double value = 0;
  for (const SystemChange& change : changes) value = std::max(value, change.*member);
  return value;
}

// {"least": 2, "most": 2}
Json range_of(const std::vector<SystemChange>& changes, int SystemChange::*member) {
  if (changes.empty()) return nullptr;
  const auto [least, most] = std::minmax_element(changes.begin(), changes.end(),
                                                 [&](const auto& a, const auto& b) { return a.*member < b.*member; });
  return {{"least", *least.*member}, {"most", *most.*member}};
}

struct MultiplierSystem {
  static constexpr const char* name = "multiplier-system";
  static constexpr const char* summary =
      "A = C_q M^-1 C_q^T along runs: spectrum, turning of its range, changes, excess length of the multipliers.";
  static constexpr const char* source = "Ivanov 2023, secs. 1-5";

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
      const Json& run = config.runs[i];
      if (run["samples"].empty() && run["sample_every"].is_null())
        throw InputError("/runs", config.labels[i] + " stores no samples: set \"sample_every\" or \"samples\"");
      const auto model = Registry<Problem>::instance().make(run["problem"], "/problem")->model(As<double>{});
      const MechanicalLayout layout = layout_of(*model);
      if (layout.m == 0) throw InputError("/runs", config.labels[i] + ": the problem has no constraints");
      if (place() >= layout.n)
        throw InputError("/coordinate",
                         fmt::format("there is no {}: {} has {} coordinates", coordinate, config.labels[i], layout.n));
    }
  }

  Evaluation evaluate(const Config& config, const std::vector<LabelledRun>& runs, const Json& /*reference*/) const {
    Evaluation evaluation;
    Artifacts& artifacts = evaluation.artifacts;
    evaluation.analysis = {{"series", Json::array()}};
    std::vector<SampledSystem> systems;
    for (const LabelledRun& run : runs) {
      if (run.record["status"] != "ok")
        artifacts.notes.push_back(fmt::format("{}: {} - {}", run.label, run.record["status"].get<std::string>(),
                                              run.record["cause"].get<std::string>()));
      systems.emplace_back(run, rank_tolerance.as<double>());
      evaluation.analysis["series"].push_back(series_json(systems.back()));
    }
    artifacts.tables = {spectrum_table(config, systems), system_table(config, systems)};
    for (const auto& draw :
         {&MultiplierSystem::spectrum_figure, &MultiplierSystem::length_figure, &MultiplierSystem::angle_figure})
      if (Figure figure = (this->*draw)(config, systems); !figure.panels.empty() && !figure.panels[0].series.empty())
        artifacts.figures.push_back(std::move(figure));
    return evaluation;
  }

 private:
  // 0 for q1; -1 for anything that is no coordinate.
  Index place() const {
    const bool digits = coordinate.size() > 1 && coordinate.find_first_not_of("0123456789", 1) == std::string::npos;
    return coordinate[0] == 'q' && digits ? std::atol(coordinate.c_str() + 1) - 1 : -1;
  }
  double abscissa(const SystemSample& s) const { return place() < 0 ? s.t : s.q[place()]; }

  static Json list(const Vector<double>& x) { return std::vector<double>(x.begin(), x.end()); }

  static Json series_json(const SampledSystem& system) {
    const Json& record = system.run().record;
    Json series = {{"label", system.run().label},
                   {"spec", record["spec"]},
                   {"status", record["status"]},
                   {"cause", record["cause"]},
                   {"samples", system.samples().size()}};
    if (system.empty()) return series;
    const Vector<double> deviations = system.deviations();
    const SystemSample& turned = system.most_turned();
    series["rank"] = system.rank();
    series["spectrum"] = {{"start", list(system.start_spectrum())},
                          {"deviations", list(deviations)},
                          {"largest_deviation", deviations.maxCoeff()}};
    series["smallest_cosine"] = turned.cosine;
    series["turned"] = {{"at_t", turned.t}, {"at_q", list(turned.q)}};
    if (const SystemSample* longest = system.longest()) {
      series["ratio"] = {{"max", longest->ratio()}, {"at_t", longest->t}, {"at_q", list(longest->q)}};
      series["gap"] = {{"max", system.largest_gap()}};
    }
    series["difference"] = {{"norm_per_h", largest(system.changes(), &SystemChange::norm_per_h)},
                            {"trace", largest(system.changes(), &SystemChange::trace)},
                            {"positive", range_of(system.changes(), &SystemChange::positive)},
                            {"negative", range_of(system.changes(), &SystemChange::negative)}};
    return series;
  }

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
        table.rows.push_back({system.run().label, i + 1, system.start_spectrum()[i], deviations[i]});
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

  static Json system_row(const SampledSystem& system) {
    const Json& status = system.run().record["status"];
    if (system.empty()) {
      Json row = std::vector<Json>(10);
      row.front() = system.run().label, row.back() = status;
      return row;
    }
    const SystemSample* longest = system.longest();
    return {system.run().label,
            system.rank(),
            system.most_turned().cosine,
            longest ? Json(longest->ratio()) : Json(),
            longest ? Json(system.largest_gap()) : Json(),
            longest ? Json(longest->t) : Json(),
            range_text(range_of(system.changes(), &SystemChange::positive)),
            range_text(range_of(system.changes(), &SystemChange::negative)),
            largest(system.changes(), &SystemChange::norm_per_h),
            status};
  }

  static Json range_text(const Json& range) {
    if (range.is_null()) return nullptr;
    const int least = range["least"], most = range["most"];
    return least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most);
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
      const Json& problem = system.run().record["spec"]["problem"];
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
        axes.series.push_back(curve(system.run().label, system, [](const SystemSample& s) { return s.ratio(); }));
    return {config.name + "-length",
            "Length of the multipliers over that of the shortest ones with the same C_q^T λ.",
            {axes}};
  }

  Figure angle_figure(const Config& config, const std::vector<SampledSystem>& systems) const {
    Panel axes = panel("angle [deg]");
    const std::vector<const SampledSystem*> shown = motions(systems);
    for (const SampledSystem* system : shown)
      axes.series.push_back(curve(shown.size() > 1 ? system->run().label : "", *system, [](const SystemSample& s) {
        return std::acos(std::min(1.0, s.cosine)) * 180 / std::numbers::pi;
      }));
    return {config.name + "-angle", "Largest angle between the range of A and its range at the start.", {axes}};
  }
};
const ExperimentEntry<MultiplierSystem> multiplier_system_entry;

}  // namespace
}  // namespace daelab
