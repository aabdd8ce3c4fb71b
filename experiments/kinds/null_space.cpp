// The equations of motion projected on the null space V of C_q, along the stored samples of runs and with both bases:
//
//   [V^T M; C_q] a = [V^T Q; gamma]                                                          [Wang, (4.2)]
//
// beside the saddle-point system [M C_q^T; C_q 0] (a, lambda) = (Q, gamma) [Wang, (2.3)]: condition numbers, the same
// accelerations or not, orthogonality of M V and C_q^T in the metric of M^-1, sparsity, cost. In double, whatever the
// scalar of the run.
//
// [Wang] Wang, Zhao, Pan, local equivalent index-1 discretisation of Euler-Lagrange equations.
#include "experiments/kinds/null_space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/mechanism/mechanical_model.hpp"
#include "core/mechanism/problem.hpp"
#include "core/solvers/dense.hpp"
#include "lab/runs/experiment.hpp"
#include "results/record_values.hpp"

namespace daelab {
namespace {

constexpr double negligible_entry = 1e-12;  // relative to the largest of a matrix: counts as zero

using BasisMeasures = NullSpaceResult::Measures;
using SampledBases = NullSpaceResult::Run;
constexpr const auto& bases = NullSpaceResult::bases;

double condition_of(const Matrix<double>& A) {
  const Vector<double> s = dense::singular_values(A);
  return s[0] / s[s.size() - 1];
}

double nonzero_share(const Matrix<double>& A) {
  const Matrix<double> size = A.cwiseAbs();
  return static_cast<double>((size.array() > negligible_entry * size.maxCoeff()).count()) /
         static_cast<double>(A.size());
}

void raise(double& largest, double value) {
  if (!(value <= largest)) largest = value;  // a NaN stays
}

// All blocks at one sample.
struct Blocks {
  Blocks(MechanicalModel<double>& model, double t, const Vector<double>& q, const Vector<double>& v)
      : n(model.coordinates()), m(model.constraints()), M(n, n), C_q(m, n), Q(n), h(m), saddle(n + m, n + m) {
    model.data(t, q, v, M, Q, C_q, h);
    saddle << M, C_q.transpose(), C_q, Matrix<double>::Zero(m, m);
    Matrix<double> rows(n + m, 1);
    rows << Q, -h;
    a = dense::solve(saddle, rows).topRows(n);
  }

  void measure(const Matrix<double>& V, BasisMeasures& measures) const {
    const Matrix<double> B = V.transpose() * M;
    Matrix<double> projected(n, n), rows(n, 1);
    projected << B, C_q;
    rows << V.transpose() * Q, -h;
    const Vector<double> of_projected = dense::solve(projected, rows);
    raise(measures.condition, condition_of(projected));
    projected << V.transpose(), C_q;
    raise(measures.without_mass, condition_of(projected));
    raise(measures.outside, (C_q * V).norm() / (C_q.norm() * V.norm()));
    raise(measures.orthogonality, largest_cosine(B));
    raise(measures.accelerations, (of_projected - a).norm() / (1 + a.norm()));
    measures.nonzero_share += daelab::nonzero_share(V);
  }

  // Largest cosine between rows of B = V^T M and of C_q, in the metric of M^-1: X X^T of X = L^-1 (B; C_q)^T.
  double largest_cosine(const Matrix<double>& B) const {
    const Matrix<double> X = dense::solve_cholesky_factor(M, B.transpose()).colwise().normalized();
    const Matrix<double> Y = dense::solve_cholesky_factor(M, C_q.transpose()).colwise().normalized();
    return (X.transpose() * Y).cwiseAbs().maxCoeff();
  }

  Index n, m;
  Matrix<double> M, C_q;
  Vector<double> Q, h;
  Matrix<double> saddle;
  Vector<double> a;
};

SampledBases measured(const FinishedRun& run) {
  const auto model = run.run->problem().mechanical_model(As<double>{});
  SampledBases result{run.label, run.record.status,    run.record.cause,     run.run->json(),
                      0,         model->coordinates(), model->constraints(), 0,
                      {}};
  for (std::size_t i = 0; i < bases.size(); ++i)
    result.of[i].flops = null_space_flops(bases[i].second, result.constraints, result.coordinates);
  if (!run.record.samples) return result;
  for (const StateRecord& state : *run.record.samples) {
    const Blocks blocks(*model, static_cast<double>(state.t), state.q.cast<double>(), state.v.cast<double>());
    raise(result.saddle_condition, condition_of(blocks.saddle));
    for (std::size_t i = 0; i < bases.size(); ++i) {
      NullSpace<double> null_space(result.constraints, result.coordinates, bases[i].second);
      const bool independent = null_space.compute(blocks.C_q) == result.constraints;
      if (!independent) raise(result.of[i].condition, HUGE_VAL);
      if (independent) blocks.measure(null_space.basis(), result.of[i]);
    }
    ++result.samples;
  }
  for (BasisMeasures& measures : result.of) measures.nonzero_share /= static_cast<double>(result.samples);
  return result;
}

struct NullSpaceBases {
  static constexpr const char* name = "null-space";
  static constexpr const char* summary =
      "Equations of motion projected on the null space of C_q, along runs: condition, equivalence, sparsity and cost "
      "of its bases.";
  static constexpr const char* source = "Wang, Zhao, Pan, sections 4 and 5";

  std::string caption;

  Options options() {
    return {option("caption", caption, "what the table compares; what its columns are is added to it")};
  }

  void check(const Config& config) const {
    for (std::size_t i = 0; i < config.runs.size(); ++i) {
      const Run& run = integration(config, i);
      const std::string& label = config.labels[i];
      if (run.spec().samples.empty() && !run.spec().sample_every)
        throw InputError("/runs", label + " stores no samples: set \"sample_every\" or \"samples\"");
      const auto model = run.problem().model(As<double>{});
      const MechanicalModel<double>* const mechanism = model->mechanical();
      if (mechanism == nullptr || mechanism->constraints() == 0)
        throw InputError("/runs", label + ": the problem has no constraints");
      if (mechanism->constraints() >= mechanism->coordinates())
        throw InputError("/runs", fmt::format("{}: {} constraints leave {} coordinates no null space", label,
                                              mechanism->constraints(), mechanism->coordinates()));
    }
  }

  using Result = NullSpaceResult;

  Result evaluate(const Config& /*config*/, const std::vector<FinishedRun>& runs,
                  const FinishedRun* /*reference*/) const {
    Result result;
    for (const FinishedRun& run : runs) result.runs.push_back(measured(run));
    return result;
  }

  Artifacts present(const Config& config, const Result& result) const {
    Artifacts artifacts;
    for (const SampledBases& run : result.runs)
      if (run.status != StatusCode::ok)
        artifacts.notes.push_back(fmt::format("{}: {} - {}", run.label, to_string(run.status), run.cause));
    artifacts.tables = {bases_table(config, result.runs)};
    return artifacts;
  }

 private:
  Table bases_table(const Config& config, const std::vector<SampledBases>& runs) const {
    Table table{config.name,
                (caption.empty() ? config.title + "." : caption) +
                    " Largest condition number of [V^T M; C_q], of [V^T; C_q] and of [M C_q^T; C_q 0] over the "
                    "samples; largest "
                    "|C_q V| / (|C_q| |V|), cosine between M V and C_q^T in the metric of M^-1, and relative "
                    "difference of the accelerations of both systems; mean share of the entries of V that are not "
                    "zero; additions and multiplications for V.",
                {{"Run", "", CellFormat::text, 0},
                 {"Basis", "", CellFormat::text, 0},
                 {"Condition", "", CellFormat::fixed, 2},
                 {"Without M", "", CellFormat::fixed, 2},
                 {"Saddle point", "", CellFormat::fixed, 2},
                 {"C_q V", "$C_q V$", CellFormat::scientific, 1},
                 {"Cosine", "", CellFormat::scientific, 1},
                 {"Accelerations", "", CellFormat::scientific, 1},
                 {"Nonzero", "", CellFormat::fixed, 2},
                 {"Flops", "", CellFormat::fixed, 0},
                 {"Status", "", CellFormat::text, 0}},
                {}};
    for (const SampledBases& run : runs)
      for (std::size_t i = 0; i < bases.size(); ++i) {
        const BasisMeasures& of = run.of[i];
        table.rows.push_back({run.label, bases[i].first, of.condition, of.without_mass, run.saddle_condition,
                              of.outside, of.orthogonality, of.accelerations, of.nonzero_share, of.flops,
                              to_string(run.status)});
      }
    return table;
  }
};

const ExperimentEntry<NullSpaceBases> null_space_entry;

}  // namespace

void members(JsonMembers& json, NullSpaceResult::Measures& of) {
  json("condition", of.condition)("without_mass", of.without_mass)("outside", of.outside)("orthogonality",
                                                                                          of.orthogonality);
  json("accelerations", of.accelerations)("nonzero_share", of.nonzero_share)("flops", of.flops);
}

void members(JsonMembers& json, NullSpaceResult::Run& run) {
  json("label", run.label)("spec", run.spec)("status", run.status)("cause", run.cause)("samples", run.samples);
  json("coordinates", run.coordinates)("constraints", run.constraints)("saddle_condition", run.saddle_condition);
  json.group("bases", [&run](JsonMembers& all) {
    for (std::size_t i = 0; i < bases.size(); ++i) all(bases[i].first, run.of[i]);
  });
}

void members(JsonMembers& json, NullSpaceResult& result) { json("series", result.runs); }

}  // namespace daelab
