// A paper's entries, judged by a set of results that is always the same.
#include "results/claims.hpp"

#include "core/base/json_file.hpp"
#include "fuzz/target.hpp"

namespace daelab::fuzzing {
namespace {

Json results_of_one_run() {
  return Json::parse(R"({"key": "0", "spec": {"method": {"name": "bdf", "k": 2}, "h": "1/100"}, "status": "ok",
    "cause": "", "q": ["1.5", "-2.25e-3"], "stats": {"steps": 100}})");
}

void read_as_claims(const std::string& input) {
  const Json paper = read_json_file(scratch_file("claims.json", input));
  const ResultLookup of_one_run = [](const std::string&) -> std::optional<ResultSet> {
    static const Json run = results_of_one_run(), analysis = Json::parse(R"({"series": [{"spec": {"h": "1/100"},
      "order": {"order": 2.01, "half_width": 0.02, "decided": true}, "values": [1, null, "x", true]}], "n": 3})");
    return ResultSet{{run}, analysis};
  };
  if (paper.is_object()) judge_entries(entries_of_config(paper, "set", {results_of_one_run()["spec"]}), of_one_run);
  judge(paper, of_one_run);
  judge(paper, stored_results(scratch_folder()));
}

const TargetEntry entry("claims", read_as_claims);

}  // namespace
}  // namespace daelab::fuzzing
