// Formulas and steps of algorithms that a paper prints, compared in exact fractions with what they follow from.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098.
#include "experiments/kinds/printed_formulas.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/printed_formulas.hpp"
#include "experiments/runs/experiment.hpp"

namespace daelab {
namespace {

// ----- runs: one formula -----

struct FormulaSpec {
  FormulaCase of;
  Options options() {
    return {option("formula", of.formula, "formula or step of an algorithm, by its number in the paper"),
            option("mended", of.mended, "true: with its misprints mended"),
            option("variable_mass", of.variable_mass, "of Jacobians: the mass matrix depends on the coordinates"),
            option("k", of.k, "of differences: order", between(1, 5))};
  }
};

struct FormulaRecord {
  Json spec;
  FormulaCheck check;
};

void to_json(Json& json, const FormulaRecord& record) {
  json = {{"status", "ok"},
          {"cause", ""},
          {"spec", record.spec},
          {"agrees", record.check.agrees},
          {"differing", record.check.differing}};
}

void from_json(const Json& json, FormulaRecord& record) {
  record = {json.at("spec"), {json.at("agrees"), json.at("differing").get<std::vector<std::string>>()}};
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

struct PrintedFormulas {
  static constexpr const char* name = "printed-formulas";
  static constexpr const char* summary =
      "Formulas and steps of algorithms that a paper prints, compared in exact fractions with what they follow from.";
  static constexpr const char* source = "Ren, Zhou 2020, formulas (33) to (84), algorithms 2 to 4";
  using Runs = FormulaRuns;
  using Result = PrintedFormulasResult;

  std::string caption =
      "Printed formulas: Jacobians against the derivatives of their equations, on a mechanism of two coordinates and "
      "one "
      "constraint; differences against interpolation; steps of algorithms against the equations they carry out. Blocks "
      "of Jacobians and entries of matrices are numbered by row and column";

  Options options() { return {option("caption", caption, "caption of the table")}; }

  Result evaluate(const Config& /*config*/, const std::vector<Finished<FormulaRun, FormulaRecord>>& runs,
                  const Finished<FormulaRun, FormulaRecord>* /*reference*/) const {
    Result result;
    for (const auto& run : runs)
      result.formulas.push_back({run.record.spec, run.record.check.agrees, run.record.check.differing});
    return result;
  }

  Artifacts present(const Config& config, const Result& result) const {
    Table table{config.name,
                caption,
                {{"formula", "", CellFormat::text, 0},
                 {"mended", "", CellFormat::text, 0},
                 {"mass matrix", "", CellFormat::text, 0},
                 {"k", "$k$", CellFormat::integer, 0},
                 {"agrees", "", CellFormat::text, 0},
                 {"differs in", "", CellFormat::text, 0}},
                {}};
    for (const Result::Formula& formula : result.formulas) {
      const bool jacobian = formula.spec.at("formula").get<std::string>().starts_with("jacobian");
      const bool mended = formula.spec.at("mended").get<bool>(), varies = formula.spec.at("variable_mass").get<bool>();
      table.rows.push_back({formula.spec.at("formula").get<std::string>(), mended ? "yes" : "as printed",
                            !jacobian ? ""
                            : varies  ? "depends on q"
                                      : "constant",
                            jacobian ? TableCell() : TableCell(formula.spec.at("k").get<int>()),
                            formula.agrees ? "yes" : "no", fmt::format("{}", fmt::join(formula.differing, "; "))});
    }
    Artifacts artifacts;
    artifacts.tables.push_back(std::move(table));
    return artifacts;
  }
};

const ExperimentEntry<PrintedFormulas> printed_formulas_entry;

}  // namespace

void members(JsonMembers& json, PrintedFormulasResult::Formula& formula) {
  json("spec", formula.spec)("agrees", formula.agrees)("differing", formula.differing);
}

void members(JsonMembers& json, PrintedFormulasResult& result) { json("series", result.formulas); }

}  // namespace daelab
