// Formulas and steps of algorithms that a paper prints, compared in exact fractions with what they follow from.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098.
#include "experiments/kinds/printed_formulas.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "analysis/printed_formulas.hpp"
#include "lab/runs/experiment.hpp"
#include "results/record_values.hpp"

namespace daelab {
namespace {

// ----- runs: one formula -----

struct FormulaSpec {
  FormulaCase of;
  Options options() {
    return {option("formula", of.formula, "formula or step of an algorithm, by its number in the paper"),
            option("mended", of.mended, "true: with its misprints mended"),
            option("variable_mass", of.variable_mass, "of Jacobians: the mass matrix depends on the coordinates"),
            option("k", of.k, "of differences: order", between(1, 5)),
            option("rho", of.rho, "of error-34: the parameter of generalized-alpha, a fraction", between(0, 1))};
  }
};

struct FormulaRecord {
  Json spec;
  FormulaCheck check;
};

void members(JsonMembers& json, FormulaRecord& record) {
  json.derived("status", [] { return StatusCode::ok; }).derived("cause", [] { return std::string(); });
  json("spec", record.spec)("agrees", record.check.agrees)("differing", record.check.differing);
  json("value", record.check.value);
}

class FormulaRun final : public SpecifiedRun {
 public:
  static std::shared_ptr<const FormulaRun> bind(const Json& json, const std::string& where) {
    FormulaSpec spec;
    spec.options().read(json, where);
    return std::shared_ptr<const FormulaRun>(new FormulaRun(spec));
  }
  RunOutcome execute() const override {
    FormulaSpec spec = spec_;
    return {FormulaRecord{spec.options().write(), check_formula(spec_.of)}};
  }

 private:
  explicit FormulaRun(FormulaSpec spec) : SpecifiedRun(spec.options().write()), spec_(spec) {}
  FormulaSpec spec_;
};

struct FormulaRuns {
  using Run = FormulaRun;
  using Record = FormulaRecord;
  static const RunKind& kind() { return run_kind_of<FormulaRun, FormulaSpec>(); }
};

constexpr const char* of_an_order[] = {"resampling", "involution", "recursion",
                                       "prediction", "derivative", "truncation"};

struct PrintedFormulas {
  static constexpr const char* name = "printed-formulas";
  static constexpr const char* summary =
      "Formulas and steps of algorithms that a paper prints, compared in exact fractions with what they follow from.";
  static constexpr const char* source = "Ren, Zhou 2020, formulas (21) to (84), algorithms 2 to 4";
  using Runs = FormulaRuns;
  using Result = PrintedFormulasResult;

  std::string caption =
      "Printed formulas: Jacobians against the derivatives of their equations, on a mechanism of two coordinates and "
      "one "
      "constraint; differences against interpolation; steps of algorithms against the equations they carry out. Blocks "
      "of Jacobians and entries of matrices are numbered by row and column; size is that of a constant";

  Options options() { return {option("caption", caption, "caption of the table")}; }

  Result evaluate(const Config& /*config*/, const std::vector<Finished<FormulaRun, FormulaRecord>>& runs,
                  const Finished<FormulaRun, FormulaRecord>* /*reference*/) const {
    Result result;
    for (const auto& run : runs)
      result.formulas.push_back(
          {run.record.spec, run.record.check.agrees, run.record.check.differing, run.record.check.value});
    return result;
  }

  Artifacts present(const Config& config, const Result& result) const {
    Table table{config.name,
                caption,
                {{"formula", "", CellFormat::text, 0},
                 {"mended", "", CellFormat::text, 0},
                 {"mass matrix", "", CellFormat::text, 0},
                 {"k", "$k$", CellFormat::integer, 0},
                 {"rho", "$\\rho$", CellFormat::text, 0},
                 {"agrees", "", CellFormat::text, 0},
                 {"differs in", "", CellFormat::text, 0},
                 {"size", "", CellFormat::scientific, 3}},
                {}};
    for (const Result::Formula& formula : result.formulas) {
      const std::string name = formula.spec.at("formula");
      const bool jacobian = name.starts_with("jacobian");
      const bool ordered = name.starts_with("algorithm-4") ||
                           std::ranges::any_of(of_an_order, [&](const char* of) { return name.starts_with(of); });
      const bool mended = formula.spec.at("mended").get<bool>(), varies = formula.spec.at("variable_mass").get<bool>();
      table.rows.push_back({name, mended ? "yes" : "as printed",
                            !jacobian ? ""
                            : varies  ? "depends on q"
                                      : "constant",
                            ordered ? TableCell(formula.spec.at("k").get<int>()) : TableCell(),
                            formula.value ? formula.spec.at("rho").get<std::string>() : "",
                            formula.value    ? ""
                            : formula.agrees ? "yes"
                                             : "no",
                            fmt::format("{}", fmt::join(formula.differing, "; ")),
                            formula.value ? TableCell(*formula.value) : TableCell()});
    }
    Artifacts artifacts;
    artifacts.tables.push_back(std::move(table));
    return artifacts;
  }
};

const ExperimentEntry<PrintedFormulas> printed_formulas_entry;

}  // namespace

void members(JsonMembers& json, PrintedFormulasResult::Formula& formula) {
  json("spec", formula.spec)("agrees", formula.agrees)("differing", formula.differing)("value", formula.value);
}

void members(JsonMembers& json, PrintedFormulasResult& result) { json("series", result.formulas); }

}  // namespace daelab
