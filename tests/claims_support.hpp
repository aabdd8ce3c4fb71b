// Claims of a paper about small result sets.
#pragma once

#include "results/claims.hpp"
#include "results/provenance.hpp"

#include "results/set_files.hpp"
#include "results/store.hpp"

namespace daelab {

inline Json claimed_run(const Json& spec, double error, const std::string& status = "ok") {
  return {{"spec", spec},
          {"status", status},
          {"cause", status == "ok" ? "" : "step 3"},
          {"max", {{"energy_error", error}}},
          {"stats", {{"cpu_seconds", 0.0049}}}};
}

inline const char* small_sets = R"({
  "figure-8": {"series": [
    {"label": "r=4", "spec": {"method": {"r": 4}},
     "orders": {"q": {"decided": true, "order": 4.99, "half_width": 0.08},
                "v": {"decided": false, "order": null, "half_width": null,
                      "statement": "undecided: every error is zero"}}},
    {"label": "r=3", "spec": {"method": {"r": 3}},
     "orders": {"q": {"decided": true, "order": 3.0, "half_width": 0.02}}}],
    "best": 12.5}})";

inline std::optional<ResultSet> look_up_small_sets(const std::string& set) {
  if (set == "figure-8") return ResultSet{{}, Json::parse(small_sets)["figure-8"]};
  if (set != "table-1") return std::nullopt;
  return ResultSet{{claimed_run({{"h", "0.01"}, {"scalar", "double"}}, 7.00071e-5),
                    claimed_run({{"h", "0.01"}, {"scalar", "real50"}}, 7.00069e-5),
                    claimed_run({{"h", "0.005"}, {"scalar", "double"}}, 8.8078e-7),
                    claimed_run({{"h", "0.1"}, {"scalar", "double"}}, 1, "newton-diverged")},
                   {}};
}

inline Json paper_of(EntryKind kind, const Json& entry) {
  Json paper = {{"paper", "p"}, {"title", "t"}, {"reference", "r"}, {"claims", Json::array()}};
  paper["contents"] = {{"sections", {"5", "8.2"}},
                       {"tables", {"1"}},
                       {"figures", {"8"}},
                       {"formulas", {"27"}},
                       {"parts", {"Abstract", "Conclusions", "Lemma 5", "Lemma 6"}}};
  paper[entry_list(kind)] = Json::array({entry});
  return paper;
}

inline Json claims_file(const Json& claim) { return paper_of(EntryKind::claim, claim); }

// A claim about the energy error of the run of table-1 with this step size.
inline Json energy_claim(const Json& h, const std::string& printed = "7.0007E-5") {
  return {
      {"id", "e"},
      {"location", "Table 1"},
      {"table", "Table 1"},
      {"row", "h"},
      {"column", "H max"},
      {"printed", printed},
      {"value", {{"set", "table-1"}, {"run", {{"/h", h}, {"/scalar", "double"}}}, {"pointer", "/max/energy_error"}}},
      {"expected", "all printed digits"},
      {"reason", "because"}};
}

inline Json series_claim(const std::string& kind, int r, double claimed, const char* pointer = "/orders/q") {
  return {{"id", "o"},
          {"location", "Figure 8"},
          {"kind", kind},
          {"printed", "order"},
          {"claimed", claimed},
          {"value", {{"set", "figure-8"}, {"series", {{"/method/r", r}}}, {"pointer", pointer}}},
          {"expected", "refuted"}};
}

inline Json as_check(Json entry, const std::string& expected = "agrees") {
  entry["source"] = "Test Set for IVP Solvers 2.4, II-19";
  entry["expected"] = expected;
  return entry;
}

inline Json less_claim(const std::vector<const char*>& steps) {
  Json claim = {{"id", "l"},
                {"location", "Conclusions"},
                {"kind", "less"},
                {"printed", "smaller is better"},
                {"values", Json::array()},
                {"expected", "confirmed"}};
  for (const char* h : steps) claim["values"].push_back(energy_claim(h)["value"]);
  return claim;
}

inline Judgement judge_one(const Json& entry, EntryKind kind = EntryKind::claim) {
  return judge(paper_of(kind, entry), look_up_small_sets).at(0);
}

inline std::string claim_error(const Json& entry, EntryKind kind = EntryKind::claim) {
  try {
    judge_one(entry, kind);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no InputError";
}

}  // namespace daelab
