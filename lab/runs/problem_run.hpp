// A problem run: a problem at one place and time, to be drawn and tabulated. Nothing is integrated.
#pragma once

#include <string>
#include <vector>

#include "core/base/component_spec.hpp"
#include "core/base/status.hpp"
#include "core/mechanism/drawn_outline.hpp"
#include "core/mechanism/problem.hpp"
#include "lab/runs/experiment.hpp"

namespace daelab {

struct ProblemRunSpec {
  ComponentSpec problem;
  Json q = Json::object();
  std::optional<Exact> t;

  Options options();
};

class ProblemRun final : public SpecifiedRun {
 public:
  /// Throws InputError under `where`, also for a coordinate that the problem does not have.
  static std::shared_ptr<const ProblemRun> bind(const Json& json, const std::string& where);

  const Problem& problem() const { return *problem_; }
  /// Empty where the problem draws nothing.
  const std::vector<DrawnShape>& sketch() const { return sketch_; }
  RunOutcome execute() const override;

 private:
  ProblemRun(Json json, std::shared_ptr<Problem> problem, std::vector<DrawnShape> sketch)
      : SpecifiedRun(std::move(json)), problem_(std::move(problem)), sketch_(std::move(sketch)) {}

  std::shared_ptr<Problem> problem_;
  std::vector<DrawnShape> sketch_;
};

struct ProblemRecord {
  StatusCode status = StatusCode::ok;
};
void from_json(const Json& json, ProblemRecord& record);

struct ProblemRuns {
  using Run = ProblemRun;
  using Record = ProblemRecord;
  static const RunKind& kind();
};

/// A value of a problem as it is written.
struct Datum {
  std::string name, value, meaning;
};
struct DataTable {
  std::string title;
  std::vector<Datum> data;
};
/// First the options of a problem, with the values it has, then what its source states beside them.
std::vector<DataTable> data_of(const Problem& problem);

struct LabeledData {
  std::string label;
  std::vector<DataTable> tables;
};
/// Side by side: tables of the same title as one, with a column of values for each label.
std::vector<Table> printed_data(const std::vector<LabeledData>& problems);

}  // namespace daelab
